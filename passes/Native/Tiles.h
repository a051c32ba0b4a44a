//===- Tiles.h - Operations for ranges of an axis ---------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_TILES_H
#define INGOT_PASSES_NATIVE_TILES_H

#include "Regions.h"

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {

/// How an operation is computed for a range of indices along the first axis of
/// its result that has more than one element, or of its operand if it reduces
/// that to one element.
struct Tiling {
  /// An operand that has no such axis, or one of size 1, is used whole.
  static constexpr int64_t whole = -1;

  int64_t length;
  /// The axis of the result. `whole` for a reduction to one element, which
  /// becomes one of the partial results of all ranges.
  int64_t axis;
  llvm::SmallVector<int64_t> operands;
};

std::optional<Tiling> tilingOf(mlir::Operation *op);

/// A part of an axis: `size` indices, from `start` on.
struct Part {
  mlir::Value start;
  int64_t size;
};

/// The indices at which the part begins in an array of this rank.
llvm::SmallVector<mlir::Value> startsOf(mlir::OpBuilder &builder, Part part,
                                        int64_t axis, int64_t rank);
/// The part of an array.
mlir::Value partOf(mlir::OpBuilder &builder, mlir::Value array, int64_t axis,
                   Part part);
/// The part of an operation's result, of parts of operands. The partial result
/// of a sum is as wide as the kernel's accumulators.
mlir::Value computePart(mlir::OpBuilder &builder, mlir::Operation *op,
                        const Tiling &tiling, mlir::ValueRange operands,
                        int64_t size);
/// The type of a partial result.
mlir::RankedTensorType partialType(ReduceOp op);

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_TILES_H
