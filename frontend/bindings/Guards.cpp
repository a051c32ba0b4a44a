//===- Guards.cpp - What a compiled program depends on --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guards.h"

#include <cstring>

namespace nb = nanobind;
using namespace ingot;

namespace {

/// The depth to which nested tuples are compared.
constexpr int deepestTuple = 8;

/// Classes of NumPy; the references are never released.
PyTypeObject *scalarClass = nullptr, *arrayClass = nullptr;

bool sameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool sameBuffers(PyObject *a, PyObject *b) {
  Py_buffer left, right;
  if (PyObject_GetBuffer(a, &left, PyBUF_SIMPLE) != 0)
    return PyErr_Clear(), false;
  bool isSame = false;
  if (PyObject_GetBuffer(b, &right, PyBUF_SIMPLE) == 0) {
    isSame = left.len == right.len &&
             std::memcmp(left.buf, right.buf, left.len) == 0;
    PyBuffer_Release(&right);
  }
  PyErr_Clear();
  PyBuffer_Release(&left);
  return isSame;
}

/// Whether two objects are identical, or plain values that are equal for every
/// program. Instances of classes that could run their own code are compared by
/// identity.
bool same(PyObject *a, PyObject *b, int depth = 0) {
  if (a == b)
    return true;
  PyTypeObject *kind = Py_TYPE(a);
  if (kind != Py_TYPE(b))
    return false;
  if (kind == &PyFloat_Type)
    return sameBits(PyFloat_AS_DOUBLE(a), PyFloat_AS_DOUBLE(b));
  if (kind == &PyLong_Type || kind == &PyUnicode_Type ||
      kind == &PyBytes_Type) {
    int isEqual = PyObject_RichCompareBool(a, b, Py_EQ);
    if (isEqual < 0)
      PyErr_Clear();
    return isEqual == 1;
  }
  if (kind == &PyComplex_Type) {
    Py_complex x = PyComplex_AsCComplex(a), y = PyComplex_AsCComplex(b);
    return sameBits(x.real, y.real) && sameBits(x.imag, y.imag);
  }
  if (kind == &PyTuple_Type && depth < deepestTuple) {
    Py_ssize_t size = PyTuple_GET_SIZE(a);
    if (size != PyTuple_GET_SIZE(b))
      return false;
    for (Py_ssize_t i = 0; i < size; ++i)
      if (!same(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i), depth + 1))
        return false;
    return true;
  }
  bool isNumPys = !PyType_HasFeature(kind, Py_TPFLAGS_HEAPTYPE) &&
                  PyType_IsSubtype(kind, scalarClass);
  return isNumPys && sameBuffers(a, b);
}

/// Whether a Python integer fits into an input, which has 64 bits.
bool fits(PyObject *number) {
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(number, &overflow);
  return overflow == 0;
}

/// Whether an array has the shape, strides and dtype in a tuple.
bool hasLayout(PyObject *array, PyObject *layout) {
  if (Py_TYPE(array) != arrayClass)
    return false;
  PyObject *shape = PyObject_GetAttrString(array, "shape");
  PyObject *strides = PyObject_GetAttrString(array, "strides");
  PyObject *dtype = PyObject_GetAttrString(array, "dtype");
  bool isSame =
      shape && strides && dtype && same(shape, PyTuple_GET_ITEM(layout, 0)) &&
      same(strides, PyTuple_GET_ITEM(layout, 1)) &&
      PyObject_RichCompareBool(dtype, PyTuple_GET_ITEM(layout, 2), Py_EQ) == 1;
  Py_XDECREF(shape);
  Py_XDECREF(strides);
  Py_XDECREF(dtype);
  PyErr_Clear();
  return isSame;
}

/// Direct access to the attributes of functions that are read most.
PyObject *fieldOf(PyObject *function, PyObject *name) {
  auto *self = reinterpret_cast<PyFunctionObject *>(function);
  const char *text = PyUnicode_AsUTF8(name);
  if (!text)
    return PyErr_Clear(), nullptr;
  if (!std::strcmp(text, "__code__"))
    return self->func_code;
  bool isPositional = !std::strcmp(text, "__defaults__");
  if (!isPositional && std::strcmp(text, "__kwdefaults__"))
    return nullptr;
  PyObject *found = isPositional ? self->func_defaults : self->func_kwdefaults;
  return found ? found : Py_None;
}

} // namespace

bool Guards::Expectation::holds(PyObject *found) const {
  if (kind == Expected::Nothing || !found)
    return kind == Expected::Nothing && !found;
  if (kind == Expected::Value)
    return same(found, value.ptr());
  if (kind == Expected::Layout)
    return hasLayout(found, value.ptr());
  return reinterpret_cast<PyObject *>(Py_TYPE(found)) == value.ptr() &&
         (!PyLong_CheckExact(found) || fits(found));
}

bool Guards::Guard::holds() const {
  switch (read) {
  case Read::Item: {
    PyObject *found = PyDict_GetItemWithError(owner.ptr(), name.ptr());
    if (!found && PyErr_Occurred())
      return PyErr_Clear(), false;
    return expected.front().holds(found);
  }
  case Read::Cell:
    return expected.front().holds(PyCell_GET(owner.ptr()));
  case Read::Lookup:
    return expected.front().holds(_PyType_Lookup(
        reinterpret_cast<PyTypeObject *>(owner.ptr()), name.ptr()));
  case Read::Class:
    return expected.front().holds(
        reinterpret_cast<PyObject *>(Py_TYPE(owner.ptr())));
  case Read::Attribute:
    return holdsForAttribute();
  case Read::Contents:
    return holdsForContents();
  }
  return false;
}

bool Guards::Guard::holdsForAttribute() const {
  if (PyFunction_Check(owner.ptr()))
    if (PyObject *found = fieldOf(owner.ptr(), name.ptr()))
      return expected.front().holds(found);
  PyObject *found = PyObject_GetAttr(owner.ptr(), name.ptr());
  if (!found && !PyErr_ExceptionMatches(PyExc_AttributeError))
    return PyErr_Clear(), false;
  PyErr_Clear();
  bool isSame = expected.front().holds(found);
  Py_XDECREF(found);
  return isSame;
}

bool Guards::Guard::holdsForContents() const {
  PyObject *held = owner.ptr();
  if (PyList_Check(held) || PyTuple_Check(held)) {
    bool isList = PyList_Check(held);
    size_t size = isList ? PyList_GET_SIZE(held) : PyTuple_GET_SIZE(held);
    if (size != expected.size())
      return false;
    for (size_t i = 0; i < expected.size(); ++i)
      if (!expected[i].holds(isList ? PyList_GET_ITEM(held, i)
                                    : PyTuple_GET_ITEM(held, i)))
        return false;
    return true;
  }
  // An OrderedDict has its own iteration order.
  if (PyDict_Check(held) && !PyODict_Check(held))
    return holdsForDict();
  return holdsForIterable();
}

bool Guards::Guard::holdsForDict() const {
  PyObject *held = owner.ptr(), *key, *value;
  if (2 * static_cast<size_t>(PyDict_GET_SIZE(held)) != expected.size())
    return false;
  size_t i = 0;
  for (Py_ssize_t at = 0; PyDict_Next(held, &at, &key, &value); i += 2)
    if (i >= expected.size() || !expected[i].holds(key) ||
        !expected[i + 1].holds(value))
      return false;
  return i == expected.size();
}

bool Guards::Guard::holdsForIterable() const {
  PyObject *held = owner.ptr();
  bool isDict = PyODict_Check(held);
  // Don't call `__iter__` of a subclass: the guard is about the base's items.
  PyObject *iterator = PyAnySet_Check(held) ? PySet_Type.tp_iter(held)
                       : isDict             ? PyODict_Type.tp_iter(held)
                                            : PyObject_GetIter(held);
  if (!iterator)
    return PyErr_Clear(), false;
  size_t i = 0;
  bool isSame = true;
  while (isSame) {
    nb::object each = nb::steal(PyIter_Next(iterator));
    if (!each.is_valid())
      break;
    isSame = i < expected.size() && expected[i++].holds(each.ptr());
    if (!isSame || !isDict)
      continue;
    PyObject *value = PyDict_GetItemWithError(held, each.ptr());
    isSame = i < expected.size() && expected[i++].holds(value);
  }
  isSame = isSame && !PyErr_Occurred() && i == expected.size();
  PyErr_Clear();
  Py_DECREF(iterator);
  return isSame;
}

Guards::Guards(nb::sequence listed) {
  for (nb::handle each : listed) {
    auto parts = nb::cast<nb::tuple>(each);
    Guard guard{
        static_cast<Read>(nb::cast<int>(parts[0])), parts[1], parts[2], {}};
    if (PyUnicode_CheckExact(guard.name.ptr())) {
      // Interned names are the fastest to look up.
      PyObject *name = guard.name.release().ptr();
      PyUnicode_InternInPlace(&name);
      guard.name = nb::steal(name);
    }
    for (nb::handle one : nb::cast<nb::sequence>(parts[3])) {
      auto pair = nb::cast<nb::tuple>(one);
      guard.expected.push_back(
          {static_cast<Expected>(nb::cast<int>(pair[0])), pair[1]});
    }
    guards.push_back(std::move(guard));
  }
}

Py_ssize_t Guards::failed(Py_ssize_t start) const {
  for (size_t i = start; i < guards.size(); ++i)
    if (!guards[i].holds())
      return i;
  return -1;
}

int Guards::traverse(visitproc visit, void *arg) const {
  for (const Guard &guard : guards) {
    Py_VISIT(guard.owner.ptr());
    Py_VISIT(guard.name.ptr());
    for (const Expectation &each : guard.expected)
      Py_VISIT(each.value.ptr());
  }
  return 0;
}

namespace {

int traverseGuards(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self))
    return 0;
  return nb::inst_ptr<Guards>(self)->traverse(visit, arg);
}

int clearGuards(PyObject *self) {
  nb::inst_ptr<Guards>(self)->clear();
  return 0;
}

PyType_Slot slots[] = {
    {Py_tp_traverse, reinterpret_cast<void *>(traverseGuards)},
    {Py_tp_clear, reinterpret_cast<void *>(clearGuards)},
    {0, nullptr}};

} // namespace

void ingot::bindGuards(nb::module_ &m) {
  nb::module_ numpy = nb::module_::import_("numpy");
  auto classOf = [&](const char *name) {
    nb::object found = numpy.attr(name);
    return reinterpret_cast<PyTypeObject *>(found.release().ptr());
  };
  scalarClass = classOf("generic");
  arrayClass = classOf("ndarray");
  nb::class_<Guards>(m, "Guards", nb::type_slots(slots))
      .def(nb::init<nb::sequence>(), nb::arg("guards"))
      .def("failed", &Guards::failed, nb::arg("start") = 0)
      .def("__len__", &Guards::size);
}
