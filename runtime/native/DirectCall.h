//===- DirectCall.h - A call that needs no Python ----------------*- C++
//-*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_DIRECTCALL_H
#define INGOT_RUNTIME_NATIVE_DIRECTCALL_H

#include "Results.h"

namespace ingot {

/// What a program takes.
struct Input {
  /// Leaf: the number of the argument leaf, or -1 if `current` gives it.
  /// Staged: whether it is copied to memory that the device has already.
  explicit Input(nanobind::tuple parts);
  /// Copies a value to an array of the input's type; false if the value is of
  /// another type.
  bool stage(PyObject *value, PyArrayObject *memory) const;

  Py_ssize_t leaf;
  nanobind::object current;
  Type type;
  bool isStaged;
};

/// A call of one program with arguments that look as they did before. It knows
/// nothing that the program's signature does not say; `ingot.direct_calls`
/// makes it, and says which programs can have one.
///
/// A call copies its inputs to memory that the device was given once, by one of
/// several sets: a set is of one call at a time, from before its inputs are
/// copied until its outputs are there.
class DirectCall {
public:
  explicit DirectCall(nanobind::dict parts);
  bool isCurrent() const;
  bool match(PyObject *positional, PyObject *keywords, Leaves &found) const {
    return arguments.front().match(positional, keywords, found);
  }
  bool guardsHold() const;
  /// The result; null with an exception; or null without one where the call
  /// has to be made in Python, which can begin anew.
  PyObject *run(const Leaves &leaves);

  // For the garbage collector.
  int traverse(visitproc visit, void *arg) const;
  void clear();

private:
  /// A pair of the list of device buffers and the list of the arrays that they
  /// share memory with, both with None for what is not staged.
  struct Set {
    nanobind::object parts;
    int uses = 0;
  };
  class Taken;

  bool isOverlapped(PyObject *const *values) const;
  bool stage(PyObject *const *values, PyObject *set) const;
  PyObject *execute(PyObject *set) const;
  bool isRejected(PyObject *buffers) const;
  bool writeBack(PyObject *buffers, PyObject *const *values) const;

  /// One of each, but none after `clear`.
  std::vector<Arguments> arguments;
  std::vector<Results> results;
  std::vector<Input> inputs;
  std::vector<Type> outputs;
  std::vector<std::pair<size_t, size_t>> mutated;
  nanobind::object guards, makeSet, put, launch, consume, handlers, isReady,
      wait;
  bool hasStatus;
  unsigned long long epoch;
  /// Sets that no call uses.
  std::vector<Set> sets;
};

/// Makes all direct calls that there are out of date: what they depend on
/// besides arguments and guards has changed.
void forgetDirectCalls();

/// What tells direct calls that are made now from those made before that.
unsigned long long epochOfDirectCalls();

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_DIRECTCALL_H
