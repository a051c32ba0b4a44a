//===- Rows.h - Rows of arrays that the iterations of a loop use *- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_SIMPLIFY_ROWS_H
#define INGOT_PASSES_SIMPLIFY_ROWS_H

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {

/// What an array has at one index along an axis.
struct Row {
  mlir::Value array;
  int64_t axis;
  mlir::Value index;

  int64_t count() const { return shapeOf(array)[axis]; }
  /// The shape without that axis.
  llvm::SmallVector<int64_t> shape() const;
  /// Axes of an array of that shape as axes of this one.
  llvm::SmallVector<int64_t> axesOf(llvm::ArrayRef<int64_t> axes) const;
};

/// A part of an array, if it is a row.
std::optional<Row> rowOf(mlir::Value array, llvm::ArrayRef<int64_t> sizes,
                         mlir::ValueRange starts);
/// The row of an array from outside of a loop that a value in it is. The value
/// has the row's elements in the same order, and may have more axes of size 1.
std::optional<Row> rowOf(mlir::Value value, ForOp loop);

/// The indices of the rows that iterations use: one in each of `count` from
/// index `first` on, in that order or from the last one.
struct Span {
  int64_t first, count;
  bool isReversed;
};

/// The span of a row, if its index is that of the loop, times 1 or -1, plus a
/// number, and the range of the loop is known.
std::optional<Span> spanOf(const Row &row, ForOp loop);

/// The rows of a span as one array.
mlir::Value rowsOf(mlir::OpBuilder &builder, const Row &row, const Span &span,
                   bool isFlipped);

/// The rows at the positions of a span among `count` ones along an axis, and
/// a number at the others.
mlir::Value padded(mlir::OpBuilder &builder, mlir::Value rows, int64_t axis,
                   const Span &span, int64_t count, double number);

/// Whether few of `count` rows are not in a span, so that it costs little to
/// compute with all.
inline bool areAlmostAll(const Span &span, int64_t count) {
  return count - span.count <= count / 8;
}

/// An addition to an array that a loop carries, or to a part of it.
struct CarriedSum {
  AddOp sum;
  /// The operand of `sum` that is the array or the part.
  unsigned place;
  /// Stores the sum to the part; null if there is none.
  UpdateSliceOp update;
};

/// The additions to an array that a loop carries, in their order; none if an
/// iteration does anything else with the array.
llvm::SmallVector<CarriedSum> sumsOf(mlir::BlockArgument carried);

} // namespace ingot

#endif // INGOT_PASSES_SIMPLIFY_ROWS_H
