//===- Numpy.h - NumPy's C interface, one table for all files ---*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_NUMPY_H
#define INGOT_RUNTIME_NATIVE_NUMPY_H

#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL ingotNumpyInterface
#ifndef INGOT_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

namespace ingot {

inline PyArrayObject *asArray(PyObject *object) {
  return reinterpret_cast<PyArrayObject *>(object);
}

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_NUMPY_H
