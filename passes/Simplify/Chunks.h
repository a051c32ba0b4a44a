//===- Chunks.h - Ranges of live elements, and parts of an axis -*- C++ -*-===//
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

/// A position along an axis: a 0-d i64 and a number that is added to it.
struct Bound {
  mlir::Value value;
  int64_t more = 0;
  bool operator==(const Bound &other) const {
    return value == other.value && more == other.more;
  }
};

/// The positions from the largest of `lowers` to before the least of `uppers`.
struct LiveRange {
  llvm::SmallVector<Bound> lowers, uppers;

  bool isEverything() const { return lowers.empty() && uppers.empty(); }
  bool operator==(const LiveRange &other) const {
    return lowers == other.lowers && uppers == other.uppers;
  }
  bool operator!=(const LiveRange &other) const { return !(*this == other); }
  /// The first position, at least 0.
  mlir::Value lower(mlir::OpBuilder &builder, mlir::Location location) const;
  /// The position after the last one, at most the axis's extent.
  mlir::Value upper(mlir::OpBuilder &builder, mlir::Location location,
                    int64_t extent) const;
};

/// An array whose elements outside a range are one number.
struct Masked {
  LiveRange range;
  mlir::TypedAttr outside;
};

/// How a value is `select(range, x, number)` along an axis.
std::optional<Masked> maskOf(mlir::Value value, unsigned axis);

/// The number that all elements outside a range have, if they follow there
/// from numbers alone; finds the range, too. Null if they do not.
mlir::Value outsideOf(mlir::OpBuilder &builder, mlir::Value value,
                      unsigned axis, LiveRange &range);

/// Pattern: dot(select(iota < n, pad(a)[s:], 0), select(iota < n, pad(b)[s:],
/// 0)) -> dot(select(s <= iota < s + n, a, 0), select(s <= iota < s + n, b, 0))
void unshift(mlir::OpBuilder &builder, mlir::Value &lhs, mlir::Value &rhs);

/// A start along an axis, moved between 0 and `last` as slices and updates do.
Expr movedInside(Expr start, int64_t last);

/// Computes a chunk of values along an axis from chunks of what they follow
/// from.
class Chunker {
public:
  /// Args:
  ///   loop: what is computed before it is read, not computed again.
  ///   base: where the chunk begins, from 0 to `extent - size`.
  Chunker(mlir::OpBuilder &builder, mlir::Operation *loop, mlir::Value base,
          int64_t extent, int64_t size)
      : builder(builder), loop(loop), base(base), extent(extent), size(size) {}

  mlir::Value chunk(mlir::Value value, unsigned axis);
  /// The positions along an axis of the elements of a chunk, of that axis
  /// alone.
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
