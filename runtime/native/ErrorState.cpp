//===- ErrorState.cpp - What NumPy does with floating-point errors --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorState.h"

#include "Native.h"

namespace nb = nanobind;
using namespace ingot;

namespace {

/// NumPy's context variable of `errstate`, the value for which `check` was
/// called last without an exception, and that function. They live as long as
/// the process. Each `errstate` makes a new value.
PyObject *variable, *fine, *check;

void watch(nb::object of, nb::object usual, nb::object call) {
  if (!PyContextVar_CheckExact(of.ptr()))
    throw nb::type_error("no context variable");
  variable = of.release().ptr();
  fine = usual.release().ptr();
  check = call.release().ptr();
}

} // namespace

bool ingot::mayIgnoreErrors() {
  if (!variable)
    return true;
  PyObject *found = nullptr;
  if (PyContextVar_Get(variable, nullptr, &found) < 0)
    return false;
  nb::object value = nb::steal(found);
  if (found == fine)
    return true;
  nb::object done = nb::steal(PyObject_CallNoArgs(check));
  if (!done.is_valid())
    return false;
  if (found)
    Py_SETREF(fine, value.release().ptr());
  return true;
}

void ingot::bindErrorState(nb::module_ &module) {
  module.def("watch_errors", &watch);
  module.def("check_errors", [] {
    if (!mayIgnoreErrors())
      throw nb::python_error();
  });
}
