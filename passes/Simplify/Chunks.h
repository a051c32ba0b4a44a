//===- Chunks.h - Masked ranges and chunks of an axis -----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_SIMPLIFY_CHUNKS_H
#define INGOT_PASSES_SIMPLIFY_CHUNKS_H

#include "Ingot/Derivatives.h"

#include "llvm/ADT/DenseMap.h"

namespace ingot {

/// An index along an axis: a 0-d i64 plus a constant.
struct Bound {
  mlir::Value value;
  int64_t more = 0;
  bool operator==(const Bound &other) const {
    return value == other.value && more == other.more;
  }
};

/// The indices from the largest of `lowers` up to, but without, the smallest of
/// `uppers`.
struct LiveRange {
  llvm::SmallVector<Bound> lowers, uppers;

  bool isEverything() const { return lowers.empty() && uppers.empty(); }
  bool operator==(const LiveRange &other) const {
    return lowers == other.lowers && uppers == other.uppers;
  }
  bool operator!=(const LiveRange &other) const { return !(*this == other); }
  /// The first index, at least 0.
  mlir::Value lower(mlir::OpBuilder &builder, mlir::Location location) const;
  /// The index after the last one, at most the size of the axis.
  mlir::Value upper(mlir::OpBuilder &builder, mlir::Location location,
                    int64_t extent) const;
};

/// The mask of an array: its elements outside `range` all are `outside`.
struct Masked {
  LiveRange range;
  mlir::TypedAttr outside;
};

/// The mask of a value along an axis, if it is `select(range, x, number)`.
std::optional<Masked> maskOf(mlir::Value value, unsigned axis);

/// The number, as a 0-d value, that all elements of a value have outside a
/// range, if they are computed from masked arrays and numbers. Sets `range` to
/// that range. Null if there is no such number.
mlir::Value outsideOf(mlir::OpBuilder &builder, mlir::Value value,
                      unsigned axis, LiveRange &range);

/// Pattern: dot(select(iota < n, pad(a)[s:], 0), select(iota < n, pad(b)[s:],
/// 0)) -> dot(select(s <= iota < s + n, a, 0), select(s <= iota < s + n, b, 0))
void unshift(mlir::OpBuilder &builder, mlir::Value &lhs, mlir::Value &rhs);

/// A start along an axis clamped to 0 .. `last`, as slices and updates do.
Expr movedInside(Expr start, int64_t last);

/// Computes a chunk of a value along an axis from chunks of the values that it
/// is computed from.
class Chunker {
public:
  /// Args:
  ///   loop: values from before this loop are read, those of its body
  ///   recomputed. base: the first index of the chunk, from 0 to `extent -
  ///   size`.
  Chunker(mlir::OpBuilder &builder, mlir::Operation *loop, mlir::Value base,
          int64_t extent, int64_t size)
      : builder(builder), loop(loop), base(base), extent(extent), size(size) {}

  mlir::Value chunk(mlir::Value value, unsigned axis);
  /// The indices of the chunk's elements along an axis, as an array that
  /// broadcasts to `type`.
  mlir::Value positions(mlir::RankedTensorType type, unsigned axis);

  mlir::OpBuilder &builder;

private:
  mlir::Value computeChunk(mlir::Value value, unsigned axis);
  mlir::Value readChunk(mlir::Value value, unsigned axis);
  mlir::Value chunkElementwise(mlir::Operation *op, unsigned axis);
  mlir::Value chunkSlice(mlir::Operation *op, unsigned axis);
  mlir::RankedTensorType chunkType(mlir::Value value, unsigned axis);

  mlir::Operation *loop;
  mlir::Value base;
  int64_t extent, size;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> chunks;
};

} // namespace ingot

#endif // INGOT_PASSES_SIMPLIFY_CHUNKS_H
