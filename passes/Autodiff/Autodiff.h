//===- Autodiff.h - What both modes of differentiation use ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_AUTODIFF_H
#define INGOT_PASSES_AUTODIFF_AUTODIFF_H

#include "Ingot/Derivatives.h"
#include "Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

/// An operation without a rule stands in the way of a derivative.
mlir::LogicalResult emitNoDerivative(mlir::Operation *op);

/// The values of a block that depend, differentiably, on its arguments.
class Activity {
public:
  explicit Activity(mlir::Block &body);

  bool isActive(mlir::Value value) const { return active.contains(value); }
  /// Does nothing for a value that can't have a derivative.
  void set(mlir::Value value);
  void erase(mlir::Value value) { active.erase(value); }

private:
  void follow(mlir::Value from, mlir::Value to);
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> active;
  /// Integers that hold bits of active floats.
  llvm::DenseSet<mlir::Value> bits;
};

/// Makes loops of scatters of products and extrema, which combine one element
/// after the other: their derivatives are the loops'.
void serialiseScatters(mlir::Operation *op);

/// Puts the operations of the first region, whose arguments are the first
/// operands, in the place of an operation.
void inlineBody(mlir::Operation *op);

/// Before the regions of an operation are differentiated: derivatives are those
/// of a body, not of what users have written for its batches, and scatters that
/// combine elements become loops.
void prepareForDerivative(mlir::Operation *op);

/// A rule of a user's sees its operands alone.
mlir::LogicalResult checkCaptures(CustomDerivativeOp op,
                                  const Activity &activity);

/// The values from outside of an operation's regions that have derivatives.
llvm::SetVector<mlir::Value> activeCaptures(mlir::Operation *op,
                                            const Activity &activity);

/// Copies a rule with values for its arguments; gives what it yields.
llvm::SmallVector<mlir::Value> inlineRule(mlir::OpBuilder &builder,
                                          mlir::Region &rule,
                                          mlir::ValueRange arguments,
                                          mlir::IRMapping mapping);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_AUTODIFF_H
