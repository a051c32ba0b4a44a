//===- NumpyFunctions.cpp - NumPy's loops for kernels ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels call NumPy's inner loops of `matmul` and of Cholesky factorisations,
// which call BLAS and LAPACK. They do not use Python objects and do not need
// the GIL.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "UfuncLoops.h"

#include <array>

namespace nb = nanobind;

namespace {

/// NumPy's types by the numbers of the pass `call-numpy`.
constexpr std::array<int, 4> types = {NPY_FLOAT32, NPY_FLOAT64, NPY_COMPLEX64,
                                      NPY_COMPLEX128};

using Loops = std::array<ingot::UfuncLoop, 4>;

Loops matmul, cholesky;

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
  matmul[type](operands, dims, steps);
}

/// Factorises square matrices. The distances are those between matrices, then
/// those along rows and columns, in bytes.
void factorise(npy_intp type, char *from, char *to, npy_intp batch,
               npy_intp size, npy_intp fromBatch, npy_intp toBatch,
               npy_intp fromRows, npy_intp fromColumns, npy_intp toRows,
               npy_intp toColumns) {
  char *operands[] = {from, to};
  const npy_intp dims[] = {batch, size};
  const npy_intp steps[] = {fromBatch,   toBatch, fromRows,
                            fromColumns, toRows,  toColumns};
  ingot::DefaultEnvironment environment;
  cholesky[type](operands, dims, steps);
}

/// Finds the loops of a ufunc, once: kernels of other threads may use them.
void find(Loops &loops, nb::handle ufunc) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (!loops[i].function)
      loops[i] = ingot::UfuncLoop(
          reinterpret_cast<PyUFuncObject *>(ufunc.ptr()), types[i]);
    if (!loops[i].function)
      throw nb::value_error("this NumPy has no loop for products or factors");
  }
}

/// The addresses of the functions by name.
nb::dict functions(nb::object ofProducts, nb::object ofFactors) {
  find(matmul, ofProducts);
  find(cholesky, ofFactors);
  nb::dict found;
  found["multiply"] = reinterpret_cast<uintptr_t>(&multiply);
  found["cholesky"] = reinterpret_cast<uintptr_t>(&factorise);
  return found;
}

} // namespace

void ingot::bindNumpyFunctions(nb::module_ &module) {
  module.def("numpy_functions", &functions, nb::arg("matmul"),
             nb::arg("cholesky"));
}
