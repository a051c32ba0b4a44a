//===- Results.h - How the results of a call are made -----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_RESULTS_H
#define INGOT_RUNTIME_NATIVE_RESULTS_H

#include "Arguments.h"

namespace ingot {

/// A writable array that uses the memory of a device buffer and keeps it alive;
/// null with an exception if the buffer has another size.
PyObject *arrayOver(PyObject *buffer, const Type &type);

/// A view of the bytes of a device buffer.
class Bytes {
public:
  explicit Bytes(PyObject *buffer) {
    isOpen = PyObject_GetBuffer(buffer, &view, PyBUF_ND) == 0;
  }
  ~Bytes() {
    if (isOpen)
      PyBuffer_Release(&view);
  }
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;
  /// Null with an exception if the size is different.
  const void *get(npy_intp size) const;

private:
  Py_buffer view;
  bool isOpen;
};

/// One leaf of the results.
struct ResultLeaf {
  /// The first item of the tuple it is made from; the other items are listed.
  enum class Kind : int {
    Array,  ///< an output's number, and what lays it out or None
    Number, ///< an output's number, and whether it is one of Python's
    Input,  ///< an input's number
    Static, ///< an object
    Same,   ///< the number of an earlier leaf
  };

  explicit ResultLeaf(nanobind::tuple parts);

  Kind kind;
  size_t number = 0;
  nanobind::object object;
  bool isPythons = false;
};

/// The tree of the results.
class Results {
public:
  /// Args:
  ///   structure: of the results; None if `build` takes the list of leaves.
  Results(nanobind::handle structure, nanobind::object build,
          nanobind::sequence leaves, const std::vector<Type> &outputs);
  /// The tree, or null with an exception.
  /// Args:
  ///   buffers: the list of outputs.
  PyObject *make(PyObject *buffers, PyObject *const *inputs) const;
  int traverse(visitproc visit, void *arg) const;

private:
  PyObject *makeLeaf(const ResultLeaf &leaf, PyObject *buffers,
                     PyObject *const *inputs, PyObject *const *made) const;
  PyObject *makeNumber(const ResultLeaf &leaf, PyObject *buffer) const;

  Tree tree;
  nanobind::object build;
  std::vector<ResultLeaf> leaves;
  const std::vector<Type> &outputs;
};

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_RESULTS_H
