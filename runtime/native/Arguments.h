//===- Arguments.h - What the arguments of a call must be -------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_ARGUMENTS_H
#define INGOT_RUNTIME_NATIVE_ARGUMENTS_H

#include "Numpy.h"

#include <nanobind/nanobind.h>

#include <vector>

namespace ingot {

/// The dtype and shape of an array.
class Type {
public:
  Type(nanobind::handle dtype, nanobind::handle shape);
  /// Whether an array has them; its strides may be any.
  bool fits(PyArrayObject *array) const;
  PyArray_Descr *dtype() const {
    return reinterpret_cast<PyArray_Descr *>(descriptor.ptr());
  }
  int number() const { return dtype()->type_num; }
  int axes() const { return static_cast<int>(shape.size()); }
  const npy_intp *sizes() const { return shape.data(); }
  npy_intp bytes() const { return size; }

private:
  nanobind::object descriptor;
  std::vector<npy_intp> shape;
  npy_intp size;
};

/// The condition on one leaf of the arguments.
class Leaf {
public:
  /// The first item of the tuple it is made from; the other items are listed.
  enum class Kind : int {
    Array,  ///< dtype, shape, strides or None for a carray, is writable
    Number, ///< its class; an `int` fits in 64 bits
    Value,  ///< a plain value
    Object, ///< the object itself
  };

  explicit Leaf(nanobind::tuple parts);
  bool fits(PyObject *value) const;
  bool isArray() const { return kind == Kind::Array; }
  int traverse(visitproc visit, void *arg) const {
    Py_VISIT(expected.ptr());
    return 0;
  }

private:
  bool fitsArray(PyObject *value) const;
  bool fitsValue(PyObject *value) const;

  Kind kind;
  nanobind::object expected;
  std::vector<Type> type;
  std::vector<npy_intp> strides;
  bool isCArray = false, isWritable = false;
};

/// A structure of `ingot_runtime.trees`, in which each node is a leaf, a tuple,
/// a list, a dict, an instance without slots, or an array that occurred before.
struct Tree {
  enum class Kind { Leaf, Same, Tuple, List, Dict, Instance };

  explicit Tree(nanobind::handle structure);
  int traverse(visitproc visit, void *arg) const;

  Kind kind;
  /// The class of a tuple or an instance.
  nanobind::object type;
  /// The keys of a dict, or the names of an instance's attributes.
  std::vector<nanobind::object> keys;
  std::vector<Tree> children;
  /// The leaf index of an array that occurred before.
  size_t same = 0;
};

/// The leaves of the arguments of one call; the references are borrowed until
/// `keep`.
class Leaves {
public:
  /// The most leaves, and the most containers and arrays.
  static constexpr size_t most = 256;

  ~Leaves() { release(); }
  PyObject *operator[](size_t i) const { return leaves[i]; }
  size_t size() const { return count; }
  void add(PyObject *leaf) { leaves[count++] = leaf; }
  /// An array or container.
  void addObject(PyObject *object) { objects[objectCount++] = object; }
  /// Whether all arrays and containers are different objects.
  bool areApart() const;
  void keep();
  /// Forgets them all.
  void release();

private:
  PyObject *leaves[most], *objects[most];
  size_t count = 0, objectCount = 0;
  bool areKept = false;
};

/// The conditions on all arguments of a call.
class Arguments {
public:
  /// Args:
  ///   structure: of a pair of the tuple and the dict of the arguments; it has
  ///     `Leaves::most` leaves and containers at most.
  Arguments(nanobind::handle structure, nanobind::sequence leaves);
  /// Whether the arguments of a call meet them; `keywords` may be null. It runs
  /// no Python code.
  bool match(PyObject *positional, PyObject *keywords, Leaves &found) const;
  int traverse(visitproc visit, void *arg) const;

private:
  bool matchTree(const Tree &tree, PyObject *value, Leaves &found) const;
  bool matchDict(const Tree &tree, PyObject *value, Leaves &found) const;
  bool matchInstance(const Tree &tree, PyObject *value, Leaves &found) const;

  std::vector<Tree> trees;
  std::vector<Leaf> expected;
};

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_ARGUMENTS_H
