//===- Additions.h - Updates that add to parts of arrays --------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_ADDITIONS_H
#define INGOT_PASSES_ADDITIONS_H

#include "Parts.h"

namespace ingot {

/// Pattern: array[part] + x is stored to the same part, and nothing else uses
/// what is read and the sum. Between both, other parts may be updated.
struct Addition {
  /// A `slice` or `dynamic_slice`.
  mlir::Operation *read;
  UpdateSliceOp update;
  /// An `add`, or a `sub`.
  mlir::Operation *sum;
  mlir::Value added;
  /// Where the sum is stored. Elsewhere, what is read is stored again. Null if
  /// the whole sum is stored.
  mlir::Value mask;

  /// Whether the part has some indices along an axis, neither one nor all of
  /// those that are left.
  bool isWindow() const;
};
std::optional<Addition> additionOf(UpdateSliceOp update);
/// The addition of which an operation is the read.
std::optional<Addition> additionFrom(mlir::Operation *read);

/// Makes an addition a `scatter`.
void makeScatter(const Addition &addition);

/// The reshape that is the one use of a value, or the value.
mlir::Value reshapedOnce(mlir::Value value);

} // namespace ingot

#endif // INGOT_PASSES_ADDITIONS_H
