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

/// An input of a program.
struct Input {
  /// Leaf: the argument leaf index, or -1 if `current` returns the value.
  /// Staged: whether it is copied to a staging buffer.
  explicit Input(nanobind::tuple parts);
  /// Copies a value to an array of the input's type; false if the value is of
  /// another type.
  bool stage(PyObject *value, PyArrayObject *memory) const;

  Py_ssize_t leaf;
  nanobind::object current;
  Type type;
  bool isStaged;
};

/// A call of one program without Python code, for arguments of a known
/// signature. `ingot.direct_calls` decides which programs can have one, and
/// makes it from the signature of the program.
///
/// A call copies its inputs to the staging buffers of one of several sets. It
/// uses the set exclusively, from before the copies until its outputs are
/// ready.
class DirectCall {
public:
  explicit DirectCall(nanobind::dict parts);
  bool isCurrent() const;
  bool match(PyObject *positional, PyObject *keywords, Leaves &found) const {
    return arguments.front().match(positional, keywords, found);
  }
  bool guardsHold() const;
  /// The result; null with an exception; or null without an exception if Python
  /// must make the call, which may start again from the beginning.
  PyObject *run(const Leaves &leaves);

  // For the garbage collector.
  int traverse(visitproc visit, void *arg) const;
  void clear();

private:
  /// A pair of the list of device buffers and the list of the arrays that share
  /// their memory, both with None for inputs that are not staged.
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
  /// Sets that no call is using.
  std::vector<Set> sets;
};

/// Invalidates all existing direct calls, because a setting of the process that
/// they depend on has changed.
void forgetDirectCalls();

/// A counter of these invalidations; a direct call of an older epoch is
/// invalid.
unsigned long long epochOfDirectCalls();

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_DIRECTCALL_H
