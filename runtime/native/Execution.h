//===- Execution.h - How direct calls run programs --------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_EXECUTION_H
#define INGOT_RUNTIME_NATIVE_EXECUTION_H

#include "Results.h"

#include <memory>

namespace ingot {

/// An input of a program.
struct Input {
  /// Leaf: the argument leaf index, or -1 if `current` returns the value.
  explicit Input(nanobind::tuple parts);
  /// Stores a number that is the value of an input of shape (); false if it is
  /// of another type.
  bool storeNumber(PyObject *value, void *memory) const;

  Py_ssize_t leaf;
  nanobind::object current;
  Type type;
};

/// A program, and how it is run.
class Execution {
public:
  virtual ~Execution() = default;
  /// The outputs for the values of the inputs. Null with an exception; or null
  /// without an exception if Python must make the call, for which the values
  /// are still what they were.
  virtual std::unique_ptr<Outputs> run(PyObject *const *values) = 0;
  virtual int traverse(visitproc visit, void *arg) const = 0;
};

/// A program that XLA runs.
/// Args:
///   inputs: they must outlive the result.
std::unique_ptr<Execution> runByXla(nanobind::dict parts,
                                    const std::vector<Input> &inputs,
                                    const std::vector<Type> &outputs);

/// A program that is one native kernel.
/// Args:
///   inputs, outputs: they must outlive the result; the status of the checks is
///     an output.
std::unique_ptr<Execution> runKernel(nanobind::dict parts,
                                     const std::vector<Input> &inputs,
                                     const std::vector<Type> &outputs);

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_EXECUTION_H
