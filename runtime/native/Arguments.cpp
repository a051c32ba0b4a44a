//===- Arguments.cpp - What the arguments of a call must be ---------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include <algorithm>
#include <cstring>

namespace nb = nanobind;
using namespace ingot;

static bool sameBits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

static std::vector<npy_intp> numbersOf(nb::handle numbers) {
  std::vector<npy_intp> found;
  for (nb::handle each : nb::cast<nb::tuple>(numbers))
    found.push_back(nb::cast<Py_ssize_t>(each));
  return found;
}

Type::Type(nb::handle dtype, nb::handle shape)
    : descriptor(nb::borrow(dtype)), shape(numbersOf(shape)) {
  if (!PyArray_DescrCheck(dtype.ptr()))
    throw nb::type_error("a dtype");
  size = PyDataType_ELSIZE(this->dtype());
  for (npy_intp each : this->shape)
    size *= each;
}

bool Type::fits(PyArrayObject *array) const {
  PyArray_Descr *found = PyArray_DESCR(array);
  // Arrays from pickles have their own dtype objects.
  bool isSame =
      found == dtype() ||
      (found->type_num == number() && PyTypeNum_ISBOOL(number())) ||
      (found->type_num == number() && PyTypeNum_ISNUMBER(number()) &&
       PyArray_ISNBO(found->byteorder) == PyArray_ISNBO(dtype()->byteorder));
  return isSame && PyArray_NDIM(array) == axes() &&
         std::equal(shape.begin(), shape.end(), PyArray_DIMS(array));
}

Leaf::Leaf(nb::tuple parts)
    : kind(static_cast<Kind>(nb::cast<int>(parts[0]))), expected(parts[1]) {
  if (kind != Kind::Array)
    return;
  type.emplace_back(parts[1], parts[2]);
  isCArray = nb::handle(parts[3]).is_none();
  if (!isCArray)
    strides = numbersOf(parts[3]);
  isWritable = nb::cast<bool>(parts[4]);
}

bool Leaf::fits(PyObject *value) const {
  switch (kind) {
  case Kind::Array:
    return fitsArray(value);
  case Kind::Number: {
    int overflow = 0;
    if (reinterpret_cast<PyObject *>(Py_TYPE(value)) != expected.ptr())
      return false;
    if (PyLong_CheckExact(value))
      PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0;
  }
  case Kind::Value:
    return fitsValue(value);
  case Kind::Object:
    return value == expected.ptr();
  }
  return false;
}

bool Leaf::fitsArray(PyObject *value) const {
  if (!PyArray_CheckExact(value) || !type.front().fits(asArray(value)))
    return false;
  PyArrayObject *array = asArray(value);
  bool isFoundCArray = PyArray_CHKFLAGS(array, NPY_ARRAY_CARRAY);
  if (isCArray || isFoundCArray)
    return isCArray && isFoundCArray;
  return PyArray_ISWRITEABLE(array) == isWritable &&
         std::equal(strides.begin(), strides.end(), PyArray_STRIDES(array));
}

bool Leaf::fitsValue(PyObject *value) const {
  PyObject *wanted = expected.ptr();
  if (value == wanted)
    return true;
  if (Py_TYPE(value) != Py_TYPE(wanted))
    return false;
  if (PyFloat_CheckExact(value))
    return sameBits(PyFloat_AS_DOUBLE(value), PyFloat_AS_DOUBLE(wanted));
  if (!PyLong_CheckExact(value) && !PyUnicode_CheckExact(value))
    return false;
  return PyObject_RichCompareBool(value, wanted, Py_EQ) == 1;
}

Tree::Tree(nb::handle structure) {
  if (structure.is_none()) {
    kind = Kind::Leaf;
    return;
  }
  nb::handle which = structure[0], names = structure[1];
  if (PyUnicode_Check(which.ptr())) {
    kind = Kind::Same;
    same = ~nb::cast<Py_ssize_t>(names);
    return;
  }
  type = nb::borrow(which);
  auto *found = reinterpret_cast<PyTypeObject *>(which.ptr());
  kind = found == &PyList_Type   ? Kind::List
         : found == &PyDict_Type ? Kind::Dict
         : PyType_FastSubclass(found, Py_TPFLAGS_TUPLE_SUBCLASS)
             ? Kind::Tuple
             : Kind::Instance;
  if (kind == Kind::Dict || kind == Kind::Instance)
    for (nb::handle name : nb::cast<nb::tuple>(names))
      keys.push_back(nb::borrow(name));
  for (nb::handle child : nb::cast<nb::tuple>(structure[2]))
    children.emplace_back(child);
}

int Tree::traverse(visitproc visit, void *arg) const {
  Py_VISIT(type.ptr());
  for (const Tree &child : children)
    if (int stopped = child.traverse(visit, arg))
      return stopped;
  return 0;
}

bool Leaves::areApart() const {
  for (size_t i = 1; i < objectCount; ++i)
    for (size_t j = 0; j < i; ++j)
      if (objects[i] == objects[j])
        return false;
  return true;
}

void Leaves::keep() {
  areKept = true;
  for (size_t i = 0; i < count; ++i)
    Py_INCREF(leaves[i]);
}

void Leaves::release() {
  for (size_t i = 0; areKept && i < count; ++i)
    Py_DECREF(leaves[i]);
  areKept = false;
  count = objectCount = 0;
}

Arguments::Arguments(nb::handle structure, nb::sequence leaves) {
  trees.emplace_back(structure[2][0]);
  trees.emplace_back(structure[2][1]);
  for (nb::handle each : leaves)
    expected.emplace_back(nb::cast<nb::tuple>(each));
}

bool Arguments::match(PyObject *positional, PyObject *keywords,
                      Leaves &found) const {
  size_t named = keywords ? PyDict_GET_SIZE(keywords) : 0;
  if (named != trees[1].children.size() ||
      !matchTree(trees[0], positional, found))
    return false;
  return (!named || matchDict(trees[1], keywords, found)) && found.areApart();
}

bool Arguments::matchTree(const Tree &tree, PyObject *value,
                          Leaves &found) const {
  size_t size = tree.children.size();
  switch (tree.kind) {
  case Tree::Kind::Leaf: {
    const Leaf &leaf = expected[found.size()];
    if (!leaf.fits(value))
      return false;
    found.add(value);
    if (leaf.isArray())
      found.addObject(value);
    return true;
  }
  case Tree::Kind::Same:
    return value == found[tree.same];
  case Tree::Kind::Tuple:
    if (reinterpret_cast<PyObject *>(Py_TYPE(value)) != tree.type.ptr() ||
        static_cast<size_t>(PyTuple_GET_SIZE(value)) != size)
      return false;
    for (size_t i = 0; i < size; ++i)
      if (!matchTree(tree.children[i], PyTuple_GET_ITEM(value, i), found))
        return false;
    return true;
  case Tree::Kind::List:
    if (!PyList_CheckExact(value) ||
        static_cast<size_t>(PyList_GET_SIZE(value)) != size)
      return false;
    found.addObject(value);
    for (size_t i = 0; i < size; ++i)
      if (!matchTree(tree.children[i], PyList_GET_ITEM(value, i), found))
        return false;
    return true;
  case Tree::Kind::Dict:
    if (!PyDict_CheckExact(value))
      return false;
    found.addObject(value);
    return matchDict(tree, value, found);
  case Tree::Kind::Instance:
    return matchInstance(tree, value, found);
  }
  return false;
}

bool Arguments::matchDict(const Tree &tree, PyObject *value,
                          Leaves &found) const {
  if (static_cast<size_t>(PyDict_GET_SIZE(value)) != tree.children.size())
    return false;
  PyObject *key, *held;
  size_t i = 0;
  for (Py_ssize_t at = 0; PyDict_Next(value, &at, &key, &held); ++i) {
    PyObject *wanted = tree.keys[i].ptr();
    bool isSame = key == wanted || (PyUnicode_CheckExact(key) &&
                                    PyUnicode_Compare(key, wanted) == 0);
    if (!isSame || !matchTree(tree.children[i], held, found))
      return false;
  }
  return true;
}

bool Arguments::matchInstance(const Tree &tree, PyObject *value,
                              Leaves &found) const {
  if (reinterpret_cast<PyObject *>(Py_TYPE(value)) != tree.type.ptr())
    return false;
  found.addObject(value);
  nb::object fields = nb::steal(PyObject_GenericGetDict(value, nullptr));
  PyErr_Clear();
  return fields.is_valid() && matchDict(tree, fields.ptr(), found);
}

int Arguments::traverse(visitproc visit, void *arg) const {
  for (const Tree &tree : trees)
    if (int stopped = tree.traverse(visit, arg))
      return stopped;
  for (const Leaf &leaf : expected)
    if (int stopped = leaf.traverse(visit, arg))
      return stopped;
  return 0;
}
