//===- Caller.cpp - What makes calls directly or by Python ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectCall.h"
#include "ErrorState.h"
#include "Native.h"

#include <structmember.h>

namespace nb = nanobind;
using namespace ingot;

namespace {

int traverseCall(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self))
    return 0;
  return nb::inst_ptr<DirectCall>(self)->traverse(visit, arg);
}

int clearCall(PyObject *self) {
  nb::inst_ptr<DirectCall>(self)->clear();
  return 0;
}

PyType_Slot callSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void *>(traverseCall)},
    {Py_tp_clear, reinterpret_cast<void *>(clearCall)},
    {0, nullptr}};

/// The base class of `ingot.function.Function`. A call tries the known direct
/// calls, the most recently used first. If none applies, it calls `self._call`
/// with the tuple and the dict of the arguments.
struct Caller {
  static constexpr int most = 8;

  PyObject_HEAD PyObject *calls[most];
  int count;
  Py_ssize_t made;
};

Caller *asCaller(PyObject *self) { return reinterpret_cast<Caller *>(self); }

/// Moves a call to the front; a new one replaces the least recently used one.
void moveToFront(Caller *self, PyObject *call) {
  PyObject *moved = Py_NewRef(call);
  for (int i = 0; i < self->count && moved; ++i) {
    std::swap(self->calls[i], moved);
    if (moved == call)
      Py_CLEAR(moved);
  }
  if (moved && self->count < Caller::most) {
    self->calls[self->count++] = moved;
    return;
  }
  Py_XDECREF(moved);
}

/// The result of a direct call; null without an exception if none applies.
PyObject *callDirectly(Caller *self, PyObject *args, PyObject *kwargs) {
  Leaves leaves;
  for (int i = 0; i < self->count; ++i) {
    nb::object object = nb::borrow(self->calls[i]);
    auto *call = nb::inst_ptr<DirectCall>(object);
    leaves.release();
    if (!call->isCurrent() || !call->match(args, kwargs, leaves))
      continue;
    leaves.keep();
    if (!call->guardsHold())
      continue;
    if (!mayIgnoreErrors())
      return nullptr;
    if (i > 0)
      moveToFront(self, object.ptr());
    PyObject *result = call->run(leaves);
    self->made += result != nullptr;
    return result;
  }
  return nullptr;
}

PyObject *callCaller(PyObject *self, PyObject *args, PyObject *kwargs) {
  static PyObject *name = PyUnicode_InternFromString("_call");
  if (PyObject *result = callDirectly(asCaller(self), args, kwargs))
    return result;
  if (PyErr_Occurred())
    return nullptr;
  nb::object named = kwargs ? nb::borrow(kwargs) : nb::steal(PyDict_New());
  if (!named.is_valid())
    return nullptr;
  return PyObject_CallMethodObjArgs(self, name, args, named.ptr(), nullptr);
}

int traverseCaller(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  for (int i = 0; i < asCaller(self)->count; ++i)
    Py_VISIT(asCaller(self)->calls[i]);
  return 0;
}

int clearCaller(PyObject *self) {
  Caller *caller = asCaller(self);
  while (caller->count)
    Py_DECREF(caller->calls[--caller->count]);
  return 0;
}

void freeCaller(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clearCaller(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// Adds a direct call, and drops those that are out of date.
PyObject *offer(PyObject *self, PyObject *call) {
  Caller *caller = asCaller(self);
  if (!nb::isinstance<DirectCall>(call))
    return PyErr_Format(PyExc_TypeError, "no DirectCall");
  std::vector<nb::object> gone;
  for (int i = caller->count - 1; i >= 0; --i) {
    PyObject *each = caller->calls[i];
    if (nb::inst_ptr<DirectCall>(each)->isCurrent())
      continue;
    gone.push_back(nb::steal(each));
    caller->calls[i] = caller->calls[--caller->count];
  }
  moveToFront(caller, call);
  Py_RETURN_NONE;
}

PyMethodDef callerMethods[] = {
    {"_offer", offer, METH_O, "Take a direct call for those that follow."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef callerMembers[] = {{"_direct_calls", T_PYSSIZET,
                                offsetof(Caller, made), READONLY,
                                "How many calls were made directly."},
                               {nullptr, 0, 0, 0, nullptr}};

PyType_Slot callerSlots[] = {
    {Py_tp_call, reinterpret_cast<void *>(callCaller)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverseCaller)},
    {Py_tp_clear, reinterpret_cast<void *>(clearCaller)},
    {Py_tp_dealloc, reinterpret_cast<void *>(freeCaller)},
    {Py_tp_methods, callerMethods},
    {Py_tp_members, callerMembers},
    {0, nullptr}};
PyType_Spec callerSpec = {
    "ingot_runtime._native.Caller", sizeof(Caller), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, callerSlots};

} // namespace

void ingot::bindDirectCalls(nb::module_ &module) {
  nb::class_<DirectCall>(module, "DirectCall", nb::type_slots(callSlots))
      .def(nb::init<nb::dict>(), nb::arg("parts"))
      .def_prop_ro("is_current", &DirectCall::isCurrent);
  PyObject *caller = PyType_FromSpec(&callerSpec);
  if (!caller)
    throw nb::python_error();
  module.attr("Caller") = nb::steal(caller);
  module.attr("MOST_ARGUMENTS") = Leaves::most;
  module.def("epoch", &epochOfDirectCalls);
  module.def("forget", &forgetDirectCalls);
}
