//===- Results.h - How the results of a call are made -----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_RESULTS_H
#define INGOT_RUNTIME_NATIVE_RESULTS_H

#include "Arguments.h"

#include <optional>

namespace ingot {

/// Memory for one element of any dtype.
struct alignas(16) Scalar {
  char bytes[16];
};

/// The outputs of a program that has run.
class Outputs {
public:
  virtual ~Outputs() = default;
  /// An output as a writable array, or null with an exception.
  virtual PyObject *array(size_t number) = 0;
  /// Copies the bytes of an output; false with an exception.
  virtual bool read(size_t number, void *to) = 0;
  /// Whether the program has stored to this input itself, which then needs no
  /// copy of an output.
  virtual bool isOverwritten(size_t input) const { return false; }
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
    Part,   ///< an output's number, pairs of an axis and the output that is its
            ///< length, and the memory order of the axes or None for a view
  };

  explicit ResultLeaf(nanobind::tuple parts);

  Kind kind;
  size_t number = 0;
  nanobind::object object;
  bool isPythons = false;
  struct Length {
    size_t axis, output;
  };
  std::vector<Length> lengths;
  std::optional<std::vector<npy_intp>> order;
};

/// The tree of the results.
class Results {
public:
  /// Args:
  ///   structure: of the results; None if `build` takes the list of leaves.
  ///   types: of the outputs of the program.
  Results(nanobind::handle structure, nanobind::object build,
          nanobind::sequence leaves, const std::vector<Type> &types);
  /// The tree, or null with an exception.
  PyObject *make(Outputs &outputs, PyObject *const *inputs) const;
  int traverse(visitproc visit, void *arg) const;

private:
  PyObject *makeLeaf(const ResultLeaf &leaf, Outputs &outputs,
                     PyObject *const *inputs, PyObject *const *made) const;
  PyObject *makePart(const ResultLeaf &leaf, Outputs &outputs) const;
  PyObject *makeNumber(const ResultLeaf &leaf, Outputs &outputs) const;

  Tree tree;
  nanobind::object build;
  std::vector<ResultLeaf> leaves;
  const std::vector<Type> &types;
};

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_RESULTS_H
