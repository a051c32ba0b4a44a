//===- Results.cpp - How the results of a call are made -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

namespace nb = nanobind;
using namespace ingot;

ResultLeaf::ResultLeaf(nb::tuple parts)
    : kind(static_cast<Kind>(nb::cast<int>(parts[0]))) {
  if (kind == Kind::Static) {
    object = parts[1];
    return;
  }
  number = nb::cast<size_t>(parts[1]);
  if (kind == Kind::Array && !nb::handle(parts[2]).is_none())
    object = parts[2];
  if (kind == Kind::Number)
    isPythons = nb::cast<bool>(parts[2]);
}

Results::Results(nb::handle structure, nb::object build, nb::sequence leaves,
                 const std::vector<Type> &types)
    : tree(structure), build(build.is_none() ? nb::object() : build),
      types(types) {
  for (nb::handle each : leaves)
    this->leaves.emplace_back(nb::cast<nb::tuple>(each));
}

/// A tree of the leaves in order, or null with an exception.
static PyObject *makeTree(const Tree &tree, PyObject *const *&leaves) {
  if (tree.kind == Tree::Kind::Leaf)
    return Py_NewRef(*leaves++);
  size_t size = tree.children.size();
  bool isDict = tree.kind == Tree::Kind::Dict;
  bool isList = tree.kind == Tree::Kind::List;
  nb::object made = nb::steal(isDict   ? PyDict_New()
                              : isList ? PyList_New(size)
                                       : PyTuple_New(size));
  for (size_t i = 0; made.is_valid() && i < size; ++i) {
    PyObject *child = makeTree(tree.children[i], leaves);
    if (!child)
      return nullptr;
    if (isList) {
      PyList_SET_ITEM(made.ptr(), i, child);
    } else if (!isDict) {
      PyTuple_SET_ITEM(made.ptr(), i, child);
    } else {
      int failed = PyDict_SetItem(made.ptr(), tree.keys[i].ptr(), child);
      Py_DECREF(child);
      if (failed)
        return nullptr;
    }
  }
  bool isPlain = isDict || isList ||
                 tree.type.ptr() == reinterpret_cast<PyObject *>(&PyTuple_Type);
  if (isPlain || !made.is_valid())
    return made.release().ptr();
  // The constructor of a named tuple takes the items as arguments.
  return PyObject_CallObject(tree.type.ptr(), made.ptr());
}

PyObject *Results::make(Outputs &outputs, PyObject *const *inputs) const {
  nb::object kept = nb::steal(PyTuple_New(leaves.size()));
  if (!kept.is_valid())
    return nullptr;
  PyObject **made = reinterpret_cast<PyTupleObject *>(kept.ptr())->ob_item;
  for (size_t i = 0; i < leaves.size(); ++i) {
    made[i] = makeLeaf(leaves[i], outputs, inputs, made);
    if (!made[i])
      return nullptr;
  }
  if (build.is_valid())
    return PyObject_CallOneArg(build.ptr(), kept.ptr());
  PyObject *const *next = made;
  return makeTree(tree, next);
}

PyObject *Results::makeLeaf(const ResultLeaf &leaf, Outputs &outputs,
                            PyObject *const *inputs,
                            PyObject *const *made) const {
  switch (leaf.kind) {
  case ResultLeaf::Kind::Array: {
    nb::object array = nb::steal(outputs.array(leaf.number));
    if (array.is_valid() && leaf.object.is_valid())
      return PyObject_CallOneArg(leaf.object.ptr(), array.ptr());
    return array.release().ptr();
  }
  case ResultLeaf::Kind::Number:
    return makeNumber(leaf, outputs);
  case ResultLeaf::Kind::Input:
    return Py_NewRef(inputs[leaf.number]);
  case ResultLeaf::Kind::Static:
    return Py_NewRef(leaf.object.ptr());
  case ResultLeaf::Kind::Same:
    return Py_NewRef(made[leaf.number]);
  }
  return nullptr;
}

PyObject *Results::makeNumber(const ResultLeaf &leaf, Outputs &outputs) const {
  const Type &type = types[leaf.number];
  Scalar data;
  if (!outputs.read(leaf.number, &data))
    return nullptr;
  if (leaf.isPythons && type.number() == NPY_DOUBLE)
    return PyFloat_FromDouble(*reinterpret_cast<const double *>(&data));
  if (leaf.isPythons && type.number() == NPY_BOOL)
    return PyBool_FromLong(*reinterpret_cast<const npy_bool *>(&data));
  PyObject *number = PyArray_Scalar(&data, type.dtype(), nullptr);
  if (!number || !leaf.isPythons)
    return number;
  PyObject *pythons = PyObject_CallMethod(number, "item", nullptr);
  Py_DECREF(number);
  return pythons;
}

int Results::traverse(visitproc visit, void *arg) const {
  Py_VISIT(build.ptr());
  for (const ResultLeaf &leaf : leaves)
    Py_VISIT(leaf.object.ptr());
  return tree.traverse(visit, arg);
}
