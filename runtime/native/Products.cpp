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
#include "UfuncLoops.h"

#include <array>

namespace nb = nanobind;

namespace {

/// NumPy's types by the numbers of the pass `call-products`.
constexpr std::array<int, 4> types = {NPY_FLOAT32, NPY_FLOAT64, NPY_COMPLEX64,
                                      NPY_COMPLEX128};

std::array<ingot::UfuncLoop, 4> loops;

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
  ingot::DefaultEnvironment environment;
  loops[type](operands, dims, steps);
}

} // namespace

void ingot::bindProducts(nb::module_ &module) {
  module.def(
      "multiply",
      [](nb::object matmul) {
        auto *ufunc = reinterpret_cast<PyUFuncObject *>(matmul.ptr());
        // Once: kernels of other threads may use them.
        for (size_t i = 0; i < types.size(); ++i) {
          if (!loops[i].function)
            loops[i] = UfuncLoop(ufunc, types[i]);
          if (!loops[i].function)
            throw nb::value_error("this NumPy has no loop for matmul");
        }
        return reinterpret_cast<uintptr_t>(&multiply);
      },
      nb::arg("matmul"),
      "The address of the function that multiplies matrices by numpy.matmul.");
}
