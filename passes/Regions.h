//===- Regions.h - Branches and loops, and what they carry ------*- C++ -*-===//
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

/// Beyond this no bound is a useful one, and below it nothing overflows.
constexpr int64_t largestBound = int64_t(1) << 40;
/// The number that an integer is known to be, if it is smaller.
std::optional<int64_t> boundOf(mlir::Value value);

/// The range of a loop, as values.
struct Range {
  mlir::Value lower, upper, step;

  /// The number of iterations.
  mlir::Value count(mlir::OpBuilder &builder, mlir::Location location) const;
  /// The index of an iteration, counted from 0, and back.
  mlir::Value index(mlir::OpBuilder &builder, mlir::Value number) const;
  mlir::Value number(mlir::OpBuilder &builder, mlir::Value index) const;
};

/// A loop from 0 that steps by 1. Its body has the arguments, and the builder
/// stands in it.
ForOp beginFor(mlir::OpBuilder &builder, mlir::Location location,
               mlir::Value count, mlir::ArrayRef<mlir::Value> inits);
/// A `while` whose regions have the arguments. The builder stands in `cond`.
WhileOp beginWhile(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::ArrayRef<mlir::Value> inits);

/// One of the values that an array holds along its first axis.
mlir::Value readAt(mlir::OpBuilder &builder, mlir::Value array,
                   mlir::Value number, mlir::Type type);
mlir::Value writeAt(mlir::OpBuilder &builder, mlir::Value array,
                    mlir::Value number, mlir::Value value);
/// An array of zeros that holds values of a type along its first axis.
mlir::Value stackOf(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Type type, int64_t size);

//===----------------------------------------------------------------------===//
// What goes into regions, around and out
//===----------------------------------------------------------------------===//

/// What decides which side is taken, or how often a loop runs.
llvm::SmallVector<mlir::Value> controlsOf(mlir::Operation *op);

/// The operands from which on a loop carries values, and the arguments of a
/// region that are the carried ones. Other operations have none.
mlir::OperandRange carriedOperands(mlir::Operation *op);
mlir::ArrayRef<mlir::BlockArgument> carriedArguments(mlir::Region &region);

/// What a result of a branch, a loop or a checkpoint comes from: values that
/// regions yield, and the one that a loop starts with.
llvm::SmallVector<mlir::Value> sourcesOf(mlir::OpResult result);
/// The result itself, and the arguments by which a loop carries it.
llvm::SmallVector<mlir::Value> carriersOf(mlir::OpResult result);

//===----------------------------------------------------------------------===//
// Other operands and results
//===----------------------------------------------------------------------===//

/// Creates an operation of the kind of another one; its regions are empty.
mlir::Operation *createLike(mlir::OpBuilder &builder, mlir::Operation *op,
                            mlir::ValueRange operands, mlir::TypeRange results);
/// Creates one before the other one, and gives it the regions of that. It is
/// left to replace the results and to erase what has no regions any more.
mlir::Operation *rebuild(mlir::Operation *op, mlir::ValueRange operands,
                         mlir::TypeRange results);
/// The same with more results, which a loop carries from these values on; to an
/// `if` they only say the types. It is left to yield them.
mlir::Operation *rebuildWith(mlir::Operation *op, mlir::ValueRange inits);

void yieldMore(mlir::Region &region, mlir::ValueRange values);
/// Has an `if` yield values of both sides, and zeros where there are none.
void yieldSides(IfOp op, mlir::ArrayRef<mlir::Value> thenValues,
                mlir::ArrayRef<mlir::Value> elseValues);

} // namespace ingot

#endif // INGOT_PASSES_REGIONS_H
