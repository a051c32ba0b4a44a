//===- Input.cpp - The inputs of programs ---------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include <cstring>

namespace nb = nanobind;
using namespace ingot;

template <typename T> static bool store(void *memory, T value) {
  std::memcpy(memory, &value, sizeof value);
  return true;
}

Input::Input(nb::tuple parts)
    : leaf(nb::cast<Py_ssize_t>(parts[0])), current(parts[1]),
      type(parts[2], parts[3]) {}

bool Input::storeNumber(PyObject *value, void *memory) const {
  if (type.axes() != 0)
    return false;
  int wanted = type.number();
  if (PyFloat_CheckExact(value))
    return wanted == NPY_DOUBLE && store(memory, PyFloat_AS_DOUBLE(value));
  if (PyBool_Check(value))
    return wanted == NPY_BOOL &&
           store(memory, static_cast<npy_bool>(value == Py_True));
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    npy_int64 number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return wanted == NPY_INT64 && !overflow && store(memory, number);
  }
  if (PyComplex_CheckExact(value)) {
    Py_complex number = PyComplex_AsCComplex(value);
    return wanted == NPY_CDOUBLE && store(memory, number);
  }
  if (!PyArray_IsScalar(value, Generic))
    return false;
  PyArray_Descr *found = PyArray_DescrFromScalar(value);
  bool isSame = found && PyArray_EquivTypenums(found->type_num, wanted);
  Py_XDECREF(found);
  if (isSame)
    PyArray_ScalarAsCtype(value, memory);
  PyErr_Clear();
  return isSame;
}
