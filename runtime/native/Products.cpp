//===- Products.cpp - NumPy's products for kernels ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Kernels call NumPy's inner loop of `matmul`, which calls BLAS. It does not
// use Python objects and does not need the GIL.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "Numpy.h"

#include "numpy/ufuncobject.h"

#include <algorithm>
#include <array>
#include <cfenv>

namespace nb = nanobind;

namespace {

/// NumPy's types by the numbers of the pass `call-products`.
constexpr std::array<int, 4> types = {NPY_FLOAT32, NPY_FLOAT64, NPY_COMPLEX64,
                                      NPY_COMPLEX128};

struct Loop {
  PyUFuncGenericFunction function = nullptr;
  void *data = nullptr;
};
std::array<Loop, 4> loops;

/// Multiplies matrices. The distances are those between items of the batch of
/// both operands and the result, then those along rows and sums of the left
/// operand, sums and columns of the right one, and rows and columns of the
/// result, in bytes.
void multiply(npy_intp type, char *left, char *right, char *result,
              npy_intp batch, npy_intp rows, npy_intp sums, npy_intp columns,
              npy_intp leftBatch, npy_intp rightBatch, npy_intp resultBatch,
              npy_intp leftRows, npy_intp leftSums, npy_intp rightSums,
              npy_intp rightColumns, npy_intp resultRows,
              npy_intp resultColumns) {
  char *operands[] = {left, right, result};
  const npy_intp dims[] = {batch, rows, sums, columns};
  const npy_intp steps[] = {leftBatch,    rightBatch, resultBatch,
                            leftRows,     leftSums,   rightSums,
                            rightColumns, resultRows, resultColumns};
  // XLA's threads flush subnormal numbers to zero.
  std::fenv_t before;
  std::fegetenv(&before);
  std::fesetenv(FE_DFL_ENV);
  loops[type].function(operands, dims, steps, loops[type].data);
  std::fesetenv(&before);
}

/// The loop of a ufunc whose operands are all of one type.
Loop loopOf(PyUFuncObject *ufunc, int type) {
  for (int i = 0; i < ufunc->ntypes; ++i) {
    const char *begin = ufunc->types + i * ufunc->nargs;
    if (std::all_of(begin, begin + ufunc->nargs,
                    [&](char each) { return each == type; }))
      return {ufunc->functions[i],
              ufunc->data ? const_cast<void *>(
                                static_cast<const void *>(ufunc->data[i]))
                          : nullptr};
  }
  throw nb::value_error("this NumPy has no loop for matmul");
}

} // namespace

void ingot::bindProducts(nb::module_ &module) {
  module.def(
      "multiply",
      [](nb::object matmul) {
        auto *ufunc = reinterpret_cast<PyUFuncObject *>(matmul.ptr());
        // Once: kernels of other threads may use them.
        for (size_t i = 0; i < types.size(); ++i)
          if (!loops[i].function)
            loops[i] = loopOf(ufunc, types[i]);
        return reinterpret_cast<uintptr_t>(&multiply);
      },
      nb::arg("matmul"),
      "The address of the function that multiplies matrices by numpy.matmul.");
}
