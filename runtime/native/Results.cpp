//===- Results.cpp - How the results of a call are made -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

namespace nb = nanobind;
using namespace ingot;

namespace {

/// The base object of an array that uses the memory of a buffer.
struct Memory {
  PyObject_HEAD Py_buffer view;
};

void freeMemory(PyObject *self) {
  PyBuffer_Release(&reinterpret_cast<Memory *>(self)->view);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyType_Slot memorySlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(freeMemory)}, {0, nullptr}};
PyType_Spec memorySpec = {
    "ingot_runtime._native.Memory", sizeof(Memory), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, memorySlots};

PyTypeObject *memoryClass() {
  static PyObject *made = PyType_FromSpec(&memorySpec);
  return reinterpret_cast<PyTypeObject *>(made);
}

bool hasSize(const Py_buffer &view, npy_intp size) {
  if (view.len == size)
    return true;
  PyErr_Format(PyExc_RuntimeError, "a result has %zd bytes, not %zd", view.len,
               static_cast<Py_ssize_t>(size));
  return false;
}

} // namespace

PyObject *ingot::arrayOver(PyObject *buffer, const Type &type) {
  PyArray_Descr *dtype = type.dtype();
  // NumPy steals a reference to it.
  Py_INCREF(dtype);
  if (type.bytes() == 0)
    return PyArray_Empty(type.axes(), type.sizes(), dtype, 0);
  auto *memory = PyObject_New(Memory, memoryClass());
  if (!memory || PyObject_GetBuffer(buffer, &memory->view, PyBUF_ND) != 0) {
    if (memory) {
      memory->view.obj = nullptr;
      Py_DECREF(memory);
    }
    Py_DECREF(dtype);
    return nullptr;
  }
  nb::object kept = nb::steal(reinterpret_cast<PyObject *>(memory));
  if (!hasSize(memory->view, type.bytes())) {
    Py_DECREF(dtype);
    return nullptr;
  }
  PyObject *made = PyArray_NewFromDescr(&PyArray_Type, dtype, type.axes(),
                                        type.sizes(), nullptr, memory->view.buf,
                                        NPY_ARRAY_CARRAY, nullptr);
  if (made && PyArray_SetBaseObject(asArray(made), kept.release().ptr()) < 0)
    Py_CLEAR(made);
  return made;
}

const void *Bytes::get(npy_intp size) const {
  return isOpen && hasSize(view, size) ? view.buf : nullptr;
}

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
                 const std::vector<Type> &outputs)
    : tree(structure), build(build.is_none() ? nb::object() : build),
      outputs(outputs) {
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

PyObject *Results::make(PyObject *buffers, PyObject *const *inputs) const {
  nb::object kept = nb::steal(PyTuple_New(leaves.size()));
  if (!kept.is_valid())
    return nullptr;
  PyObject **made = reinterpret_cast<PyTupleObject *>(kept.ptr())->ob_item;
  for (size_t i = 0; i < leaves.size(); ++i) {
    made[i] = makeLeaf(leaves[i], buffers, inputs, made);
    if (!made[i])
      return nullptr;
  }
  if (build.is_valid())
    return PyObject_CallOneArg(build.ptr(), kept.ptr());
  PyObject *const *next = made;
  return makeTree(tree, next);
}

PyObject *Results::makeLeaf(const ResultLeaf &leaf, PyObject *buffers,
                            PyObject *const *inputs,
                            PyObject *const *made) const {
  switch (leaf.kind) {
  case ResultLeaf::Kind::Array: {
    PyObject *buffer = PyList_GET_ITEM(buffers, leaf.number);
    nb::object array = nb::steal(arrayOver(buffer, outputs[leaf.number]));
    if (array.is_valid() && leaf.object.is_valid())
      return PyObject_CallOneArg(leaf.object.ptr(), array.ptr());
    return array.release().ptr();
  }
  case ResultLeaf::Kind::Number:
    return makeNumber(leaf, PyList_GET_ITEM(buffers, leaf.number));
  case ResultLeaf::Kind::Input:
    return Py_NewRef(inputs[leaf.number]);
  case ResultLeaf::Kind::Static:
    return Py_NewRef(leaf.object.ptr());
  case ResultLeaf::Kind::Same:
    return Py_NewRef(made[leaf.number]);
  }
  return nullptr;
}

PyObject *Results::makeNumber(const ResultLeaf &leaf, PyObject *buffer) const {
  const Type &type = outputs[leaf.number];
  Bytes bytes(buffer);
  const void *data = bytes.get(type.bytes());
  if (!data)
    return nullptr;
  if (leaf.isPythons && type.number() == NPY_DOUBLE)
    return PyFloat_FromDouble(*static_cast<const double *>(data));
  if (leaf.isPythons && type.number() == NPY_BOOL)
    return PyBool_FromLong(*static_cast<const npy_bool *>(data));
  PyObject *number =
      PyArray_Scalar(const_cast<void *>(data), type.dtype(), nullptr);
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
