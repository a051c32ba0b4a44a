//===- NumpyFunctions.cpp - NumPy's loops for kernels ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels call NumPy's inner loops of `matmul`, of the functions of np.linalg,
// which call BLAS and LAPACK, and of Fourier transforms. They do not use Python
// objects and do not need the GIL.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "UfuncLoops.h"

#include <nanobind/stl/string.h>

#include <array>
#include <map>
#include <string>

namespace nb = nanobind;

namespace {

/// NumPy's types by the numbers of the pass `call-numpy`.
constexpr std::array<int, 4> types = {NPY_FLOAT32, NPY_FLOAT64, NPY_COMPLEX64,
                                      NPY_COMPLEX128};

using Loops = std::array<ingot::UfuncLoop, 4>;

Loops matmul;

/// A generalised ufunc, by the type of its first operand.
struct Gufunc {
  Loops loops;
  size_t arrays, dimensions;
};

/// By name; kernels have the addresses of these.
std::map<std::string, Gufunc> gufuncs;

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

/// Calls a function for each item of a stack.
///
/// \param numbers The addresses of operands and results, then the number of
///   items, the sizes of the core dimensions, and the distances in bytes
///   between the items of each array and along its core dimensions.
/// \param failed What is set to 1 for each item for which it fails, to 0 for
///   others; null if it never fails.
void callGufunc(const Gufunc *gufunc, npy_intp type, npy_intp *numbers,
                int32_t *failed) {
  auto **arrays = reinterpret_cast<char **>(numbers);
  const npy_intp *dims = numbers + gufunc->arrays;
  const npy_intp *steps = dims + 1 + gufunc->dimensions;
  ingot::DefaultEnvironment environment;
  if (!failed)
    gufunc->loops[type](arrays, dims, steps);
  else
    ingot::callForEach(gufunc->loops[type], {arrays, arrays + gufunc->arrays},
                       {dims, steps}, steps, failed);
}

/// The addresses of the functions that kernels call, by name.
nb::dict functions(nb::object ofProducts) {
  for (size_t i = 0; i < types.size(); ++i) {
    matmul[i] = ingot::UfuncLoop(
        reinterpret_cast<PyUFuncObject *>(ofProducts.ptr()), types[i]);
    if (!matmul[i].function)
      throw nb::value_error("this NumPy has no loop for products");
  }
  nb::dict found;
  found["multiply"] = reinterpret_cast<uintptr_t>(&multiply);
  found["gufunc"] = reinterpret_cast<uintptr_t>(&callGufunc);
  return found;
}

/// The addresses of what `callGufunc` takes, by name.
nb::dict addresses(nb::dict ufuncs) {
  nb::dict found;
  for (auto [key, ufunc] : ufuncs) {
    auto *object = reinterpret_cast<PyUFuncObject *>(ufunc.ptr());
    Gufunc &gufunc = gufuncs[nb::cast<std::string>(key)];
    gufunc.arrays = object->nargs;
    gufunc.dimensions = object->core_num_dim_ix;
    for (size_t i = 0; i < types.size(); ++i)
      gufunc.loops[i] = ingot::UfuncLoop::ofFirst(object, types[i]);
    found[key] = reinterpret_cast<uintptr_t>(&gufunc);
  }
  return found;
}

} // namespace

void ingot::bindNumpyFunctions(nb::module_ &module) {
  module.def("numpy_functions", &functions, nb::arg("matmul"));
  module.def("gufunc_addresses", &addresses, nb::arg("ufuncs"));
}
