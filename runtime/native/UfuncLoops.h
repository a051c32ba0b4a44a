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
#include <cstdint>
#include <utility>
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
    if (types.size() == static_cast<size_t>(ufunc->nargs))
      find(ufunc, types);
  }
  /// The loop whose operands and results are all of one type.
  UfuncLoop(PyUFuncObject *ufunc, int type)
      : UfuncLoop(ufunc, std::vector<int>(ufunc->nargs, type)) {}

  /// The loop whose first operand is of this type.
  static UfuncLoop ofFirst(PyUFuncObject *ufunc, int type) {
    UfuncLoop loop;
    loop.find(ufunc, {type});
    return loop;
  }

  void operator()(char **operands, const npy_intp *dims,
                  const npy_intp *steps) const {
    function(operands, dims, steps, data);
  }

private:
  /// Finds the first loop whose types begin with these.
  void find(PyUFuncObject *ufunc, const std::vector<int> &types) {
    for (int i = 0; i < ufunc->ntypes; ++i) {
      if (!std::equal(types.begin(), types.end(),
                      ufunc->types + i * ufunc->nargs))
        continue;
      function = ufunc->functions[i];
      data = ufunc->data
                 ? const_cast<void *>(static_cast<const void *>(ufunc->data[i]))
                 : nullptr;
      return;
    }
  }
};

/// Calls the loop of a generalised ufunc for each item of a stack, and sets
/// `failed` for it to 1 or 0: NumPy's functions of matrices raise the flag of
/// invalid operations if they fail, and leave it as it was otherwise.
///
/// \param arrays Where each operand and result begins.
/// \param dims The number of items, then the sizes of the core dimensions.
/// \param steps In bytes: of each array from item to item, then those of the
///   cores, as NumPy passes them.
inline void callForEach(const UfuncLoop &loop, std::vector<char *> arrays,
                        std::vector<npy_intp> dims, const npy_intp *steps,
                        int32_t *failed) {
  npy_intp count = std::exchange(dims[0], 1);
  for (npy_intp item = 0; item < count; ++item) {
    // The loop moves the pointers that it gets.
    std::vector<char *> ofItem = arrays;
    std::feclearexcept(FE_INVALID);
    loop(ofItem.data(), dims.data(), steps);
    failed[item] = std::fetestexcept(FE_INVALID) != 0;
    for (size_t i = 0; i < arrays.size(); ++i)
      arrays[i] += steps[i];
  }
}

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
