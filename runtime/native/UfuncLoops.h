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
#include <vector>

namespace ingot {

/// An inner loop of a ufunc.
struct UfuncLoop {
  PyUFuncGenericFunction function = nullptr;
  void *data = nullptr;

  UfuncLoop() = default;
  /// \param types NumPy's numbers of the types of the operands and results. If
  ///   the ufunc has no loop for them, there is no function.
  UfuncLoop(PyUFuncObject *ufunc, const std::vector<int> &types) {
    if (types.size() != static_cast<size_t>(ufunc->nargs))
      return;
    for (int i = 0; i < ufunc->ntypes; ++i) {
      const char *own = ufunc->types + i * ufunc->nargs;
      if (!std::equal(types.begin(), types.end(), own))
        continue;
      function = ufunc->functions[i];
      data = ufunc->data
                 ? const_cast<void *>(static_cast<const void *>(ufunc->data[i]))
                 : nullptr;
      return;
    }
  }
  /// The loop whose operands and results are all of one type.
  UfuncLoop(PyUFuncObject *ufunc, int type)
      : UfuncLoop(ufunc, std::vector<int>(ufunc->nargs, type)) {}

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
