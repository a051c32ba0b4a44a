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

/// A separate function, because NumPy's macro contains a return statement.
int importNumpy() {
  import_array1(-1);
  return 0;
}

} // namespace

NB_MODULE(_native, module) {
  if (importNumpy() < 0)
    throw nanobind::python_error();
  // Objects that live as long as the process are not leaks.
  nanobind::set_leak_warnings(false);
  ingot::bindStrictFp(module);
  ingot::bindExit(module);
  ingot::bindNumpyCalls(module);
  ingot::bindNumpyFunctions(module);
  ingot::bindDirectCalls(module);
  ingot::bindErrorState(module);
  ingot::bindKernels(module);
  ingot::bindThreads(module);
  ingot::bindBlocks(module);
  ingot::bindStaging(module);
  ingot::bindAlignment(module);
  ingot::bindWriters(module);
}
