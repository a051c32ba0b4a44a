//===- Module.cpp - The native module of the runtime ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native.h"

#define INGOT_IMPORTS_NUMPY
#include "Numpy.h"

namespace {

/// NumPy's macro returns from the function that it is in.
int importNumpy() {
  import_array1(-1);
  return 0;
}

} // namespace

NB_MODULE(_native, module) {
  if (importNumpy() < 0)
    throw nanobind::python_error();
  // What lives as long as the process is no leak.
  nanobind::set_leak_warnings(false);
  ingot::bindStrictFp(module);
  ingot::bindExit(module);
  ingot::bindNumpyCalls(module);
  ingot::bindDirectCalls(module);
  ingot::bindStaging(module);
  ingot::bindAlignment(module);
}
