//===- Parts.h - Parts of arrays that operations access ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_PARTS_H
#define INGOT_PASSES_PARTS_H

#include "Intervals.h"

namespace ingot {

/// The part of an array that a `slice` or `dynamic_slice` reads, or an
/// `update_slice` writes.
struct Part {
  mlir::RankedTensorType array;
  /// The indices of its first element, before they are moved so that the part
  /// is within the array.
  llvm::SmallVector<Index> starts;
  llvm::ArrayRef<int64_t> sizes, strides;

  /// The distance between the first and the last element along an axis.
  int64_t reach(int64_t axis) const {
    return (sizes[axis] - 1) * strides[axis];
  }
  /// The greatest first index along an axis with which it is within the array.
  int64_t lastStart(int64_t axis) const {
    return array.getDimSize(axis) - 1 - reach(axis);
  }
  /// The first index along an axis, or none if it may be moved by a number that
  /// is not known.
  std::optional<Index> startWithin(int64_t axis) const;
};

Part partOf(mlir::Operation *access);

/// Whether the parts of two first indices along an axis have no index in common
/// there: false if that is not known. The indices are those of one iteration.
bool areApart(const Part &lhs, Index lhsStart, const Part &rhs, Index rhsStart,
              int64_t axis);

/// How two parts overlap of one array, or of versions of it.
enum class Overlap { Same, None, Unknown };
Overlap overlapOf(const Part &lhs, const Part &rhs);

} // namespace ingot

#endif // INGOT_PASSES_PARTS_H
