//===- UfuncLoops.h - NumPy's inner loops -----------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_UFUNCLOOPS_H
#define INGOT_RUNTIME_NATIVE_UFUNCLOOPS_H

#include "Numpy.h"

#include "numpy/ufuncobject.h"

#include <algorithm>
#include <cfenv>

namespace ingot {

/// The inner loop of a ufunc whose operands are all of one type.
struct UfuncLoop {
  PyUFuncGenericFunction function = nullptr;
  void *data = nullptr;

  UfuncLoop() = default;
  /// \param type NumPy's number of the type. If the ufunc has no loop for it,
  ///   there is no function.
  UfuncLoop(PyUFuncObject *ufunc, int type) {
    for (int i = 0; i < ufunc->ntypes; ++i) {
      const char *types = ufunc->types + i * ufunc->nargs;
      if (!std::all_of(types, types + ufunc->nargs,
                       [&](char each) { return each == type; }))
        continue;
      function = ufunc->functions[i];
      data = ufunc->data
                 ? const_cast<void *>(static_cast<const void *>(ufunc->data[i]))
                 : nullptr;
      return;
    }
  }

  void operator()(char **operands, const npy_intp *dims,
                  const npy_intp *steps) const {
    function(operands, dims, steps, data);
  }
};

/// Sets the floating-point environment that NumPy expects: XLA's threads flush
/// subnormal numbers to zero. Exception flags are ignored.
class DefaultEnvironment {
public:
  DefaultEnvironment() {
    std::fegetenv(&before);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultEnvironment() { std::fesetenv(&before); }

private:
  std::fenv_t before;
};

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_UFUNCLOOPS_H
