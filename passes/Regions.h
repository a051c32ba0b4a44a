//===- Regions.h - Helpers for branches and loops ---------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_REGIONS_H
#define INGOT_PASSES_REGIONS_H

#include "Passes.h"

namespace ingot {

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

/// Integers below this can be added and scaled without overflow; larger ones
/// are no useful bounds.
constexpr int64_t largestBound = int64_t(1) << 40;
/// The value of an integer constant whose magnitude is below `largestBound`.
std::optional<int64_t> boundOf(mlir::Value value);

/// The range of a `for` as values.
struct Range {
  mlir::Value lower, upper, step;

  /// The trip count, if the range is constant.
  std::optional<int64_t> knownCount() const;
  /// The trip count.
  mlir::Value count(mlir::OpBuilder &builder, mlir::Location location) const;
  /// Converts an iteration's number, counted from 0, to the induction variable,
  /// and back.
  mlir::Value index(mlir::OpBuilder &builder, mlir::Value number) const;
  mlir::Value number(mlir::OpBuilder &builder, mlir::Value index) const;
};

inline Range rangeOf(ForOp loop) {
  return {loop.getLower(), loop.getUpper(), loop.getStep()};
}

/// Creates a loop from 0 to `count` in steps of 1. Its body has the arguments
/// but no terminator yet; the insertion point moves into it.
ForOp beginFor(mlir::OpBuilder &builder, mlir::Location location,
               mlir::Value count, mlir::ArrayRef<mlir::Value> inits);
/// Creates a `while`. Its regions have the arguments but no terminators yet;
/// the insertion point moves into `cond`.
WhileOp beginWhile(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::ArrayRef<mlir::Value> inits);

/// Reads or writes the item at index `number` of the first axis of an array;
/// `type` is that of the item.
mlir::Value readAt(mlir::OpBuilder &builder, mlir::Value array,
                   mlir::Value number, mlir::Type type);
mlir::Value writeAt(mlir::OpBuilder &builder, mlir::Value array,
                    mlir::Value number, mlir::Value value);
/// An array of zeros with room for `size` values of a type along its first
/// axis.
mlir::Value stackOf(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Type type, int64_t size);

//===----------------------------------------------------------------------===//
// Values that pass into, around and out of regions
//===----------------------------------------------------------------------===//

/// The values that decide which region of a branch runs, or how often a loop's
/// does.
llvm::SmallVector<mlir::Value> controlsOf(mlir::Operation *op);

/// The initial values of a loop's carried values, and the arguments of a region
/// that are carried values. Empty for operations that are not loops.
mlir::OperandRange carriedOperands(mlir::Operation *op);
mlir::ArrayRef<mlir::BlockArgument> carriedArguments(mlir::Region &region);

/// The values that a result of a branch, a loop or a checkpoint can have: those
/// that regions yield, and a loop's initial value.
llvm::SmallVector<mlir::Value> sourcesOf(mlir::OpResult result);
/// The result, and the region arguments through which a loop carries it.
llvm::SmallVector<mlir::Value> carriersOf(mlir::OpResult result);

//===----------------------------------------------------------------------===//
// Rebuilding operations
//===----------------------------------------------------------------------===//

/// Creates an operation with the name and attributes of another one, and empty
/// regions.
mlir::Operation *createLike(mlir::OpBuilder &builder, mlir::Operation *op,
                            mlir::ValueRange operands, mlir::TypeRange results);
/// Creates an operation with other operands and results before `op`, and moves
/// the regions of `op` to it. The caller replaces the results of `op` and
/// erases it.
mlir::Operation *rebuild(mlir::Operation *op, mlir::ValueRange operands,
                         mlir::TypeRange results);
/// Rebuilds an operation with one more result for each of `inits`: the initial
/// value for a loop, which gets carried arguments, or else only the type. The
/// caller makes the regions yield them.
mlir::Operation *rebuildWith(mlir::Operation *op, mlir::ValueRange inits);

/// Adds values to those that a region yields.
void yieldMore(mlir::Region &region, mlir::ValueRange values);
/// Makes both regions of an `if` yield `thenValues`, then `elseValues`; those
/// of the other region are zeros.
void yieldSides(IfOp op, mlir::ArrayRef<mlir::Value> thenValues,
                mlir::ArrayRef<mlir::Value> elseValues);

} // namespace ingot

#endif // INGOT_PASSES_REGIONS_H
