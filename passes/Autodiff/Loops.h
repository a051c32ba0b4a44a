//===- Loops.h - Counted loops and what they keep ---------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_LOOPS_H
#define INGOT_PASSES_AUTODIFF_LOOPS_H

#include "Autodiff.h"

namespace ingot {

/// The most iterations that a loop can have, if that is known.
std::optional<int64_t> mostIterations(ForOp loop);

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

/// Makes a loop of at most `most` iterations give also, for each of some values
/// of its body, what it was in every iteration.
ForOp keepInLoop(ForOp loop, mlir::ArrayRef<mlir::Value> values, int64_t most);
/// The same of the two sides of an `if`; the sides' values are results one
/// after the other.
IfOp keepInIf(IfOp op, mlir::ArrayRef<mlir::Value> thenValues,
              mlir::ArrayRef<mlir::Value> elseValues);

/// One of the values that an array holds along its first axis.
mlir::Value readAt(mlir::OpBuilder &builder, mlir::Value array,
                   mlir::Value number, mlir::Type type);
mlir::Value writeAt(mlir::OpBuilder &builder, mlir::Value array,
                    mlir::Value number, mlir::Value value);
/// An array of zeros that holds values of a type along its first axis.
mlir::Value stackOf(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Type type, int64_t size);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_LOOPS_H
