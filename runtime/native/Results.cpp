//===- Results.cpp - How the results of a call are made -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

#include <algorithm>

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
  if (kind != Kind::Part)
    return;
  for (nb::handle each : nb::cast<nb::tuple>(parts[2])) {
    auto pair = nb::cast<nb::tuple>(each);
    lengths.push_back({nb::cast<size_t>(pair[0]), nb::cast<size_t>(pair[1])});
  }
  if (nb::handle(parts[3]).is_none())
    return;
  order.emplace();
  for (nb::handle each : nb::cast<nb::tuple>(parts[3]))
    order->push_back(nb::cast<npy_intp>(each));
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
  case ResultLeaf::Kind::Part:
    return makePart(leaf, outputs);
  }
  return nullptr;
}

/// A copy of an array whose axes lie in memory in that order.
static PyObject *copyInOrder(PyArrayObject *array,
                             std::vector<npy_intp> order) {
  std::vector<npy_intp> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[order[i]] = i;
  auto transposed = [](PyObject *array, std::vector<npy_intp> &axes) {
    PyArray_Dims permutation{axes.data(), static_cast<int>(axes.size())};
    return nb::steal(PyArray_Transpose(asArray(array), &permutation));
  };
  nb::object laid = transposed(reinterpret_cast<PyObject *>(array), order);
  if (!laid.is_valid())
    return nullptr;
  nb::object copy = nb::steal(PyArray_NewCopy(asArray(laid.ptr()), NPY_CORDER));
  return copy.is_valid() ? transposed(copy.ptr(), inverse).release().ptr()
                         : nullptr;
}

/// Whether a part of an array in a block of memory is returned in that block:
/// copies take time, and blocks much larger than their arrays memory.
static bool keepsBlock(PyArrayObject *part, PyArrayObject *whole) {
  return PyArray_IS_C_CONTIGUOUS(part) &&
         !PyArray_CHKFLAGS(whole, NPY_ARRAY_OWNDATA) &&
         3 * PyArray_NBYTES(part) >= PyArray_NBYTES(whole);
}

/// The valid part of an output, which starts at the beginning of each axis.
PyObject *Results::makePart(const ResultLeaf &leaf, Outputs &outputs) const {
  nb::object whole = nb::steal(outputs.array(leaf.number));
  if (!whole.is_valid())
    return nullptr;
  PyArrayObject *array = asArray(whole.ptr());
  int axes = PyArray_NDIM(array);
  std::vector<npy_intp> shape(PyArray_DIMS(array), PyArray_DIMS(array) + axes);
  for (ResultLeaf::Length each : leaf.lengths) {
    Scalar data;
    if (!outputs.read(each.output, &data))
      return nullptr;
    auto length = *reinterpret_cast<const npy_int64 *>(&data);
    shape[each.axis] = std::min<npy_intp>(length, shape[each.axis]);
  }
  bool isCOrder =
      leaf.order && std::is_sorted(leaf.order->begin(), leaf.order->end());
  if (isCOrder && std::equal(shape.begin(), shape.end(), PyArray_DIMS(array)))
    return whole.release().ptr();
  PyArray_Descr *dtype = PyArray_DESCR(array);
  Py_INCREF(dtype);
  nb::object part = nb::steal(PyArray_NewFromDescr(
      &PyArray_Type, dtype, axes, shape.data(), PyArray_STRIDES(array),
      PyArray_DATA(array), PyArray_FLAGS(array), nullptr));
  if (!part.is_valid())
    return nullptr;
  bool isKept =
      !leaf.order || (isCOrder && keepsBlock(asArray(part.ptr()), array));
  if (PyArray_SetBaseObject(asArray(part.ptr()), whole.release().ptr()) < 0)
    return nullptr;
  if (isKept)
    return part.release().ptr();
  return isCOrder ? PyArray_NewCopy(asArray(part.ptr()), NPY_CORDER)
                  : copyInOrder(asArray(part.ptr()), *leaf.order);
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
