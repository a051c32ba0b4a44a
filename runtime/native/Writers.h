//===- Writers.h - Objects that calls are changing --------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_WRITERS_H
#define INGOT_RUNTIME_NATIVE_WRITERS_H

#include "Numpy.h"

#include <nanobind/nanobind.h>

#include <vector>

namespace ingot {

/// The time from which on a call reads the objects that it changes, until it
/// has changed them. Other threads wait so long, or one of two changes would
/// be lost.
///
/// A thread that is changing objects already, as a destructor may find it,
/// doesn't wait: it could be waited for.
class Writing {
public:
  Writing() = default;
  Writing(const Writing &) = delete;
  Writing &operator=(const Writing &) = delete;
  ~Writing();
  /// Waits for the objects, of which the caller owns references; false with an
  /// exception of a signal's handler.
  bool begin(const std::vector<PyObject *> &objects);

private:
  std::vector<PyObject *> taken;
};

/// The object that stands for the memory of an array.
PyObject *ownerOf(PyArrayObject *array);

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_WRITERS_H
