//===- Intervals.h - Bounds of integers -------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_INTERVALS_H
#define INGOT_PASSES_INTERVALS_H

#include "Passes.h"

namespace ingot {

/// The least and the greatest value of an integer.
struct Interval {
  int64_t least, most;
};

/// The bounds of an integer that follows from constants and indices of loops.
/// Looks back at most `steps` operations.
std::optional<Interval> intervalOf(mlir::Value value, unsigned steps = 10);

/// An index: a value, or null for 0, plus a number.
struct Index {
  mlir::Value base;
  int64_t offset;

  bool operator==(const Index &other) const {
    return base == other.base && offset == other.offset;
  }
};
Index indexOf(mlir::Value value);

} // namespace ingot

#endif // INGOT_PASSES_INTERVALS_H
