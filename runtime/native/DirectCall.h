//===- DirectCall.h - A call that needs no Python ----------------*- C++
//-*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_DIRECTCALL_H
#define INGOT_RUNTIME_NATIVE_DIRECTCALL_H

#include "Execution.h"

namespace ingot {

/// A call of one program without Python code, for arguments of a known
/// signature. `ingot.direct_calls` decides which programs can have one, and
/// makes it from the signature of the program.
class DirectCall {
public:
  explicit DirectCall(nanobind::dict parts);
  DirectCall(const DirectCall &) = delete;
  DirectCall &operator=(const DirectCall &) = delete;
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
  std::vector<PyObject *> written(const Leaves &leaves) const;
  bool isOverlapped(PyObject *const *values) const;
  bool isRejected(Outputs &made) const;
  bool writeBack(Outputs &made, PyObject *const *values) const;

  /// One of each, but none after `clear`.
  std::vector<Arguments> arguments;
  std::vector<Results> results;
  std::vector<Input> inputs;
  /// The last one is the status of the checks, if the program has any.
  std::vector<Type> outputs;
  std::vector<std::pair<size_t, size_t>> mutated;
  std::unique_ptr<Execution> execution;
  nanobind::object guards;
  bool hasStatus;
  unsigned long long epoch;
};

/// Invalidates all existing direct calls, because a setting of the process that
/// they depend on has changed.
void forgetDirectCalls();

/// A counter of these invalidations; a direct call of an older epoch is
/// invalid.
unsigned long long epochOfDirectCalls();

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_DIRECTCALL_H
