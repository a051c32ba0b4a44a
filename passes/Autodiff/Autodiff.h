//===- Autodiff.h - Shared by forward and reverse mode ----------*- C++ -*-===//
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

/// Reports that an operation has no derivative rule.
mlir::LogicalResult emitNoDerivative(mlir::Operation *op);

/// The values of a block that depend, differentiably, on its arguments.
class Activity {
public:
  explicit Activity(mlir::Block &body);

  bool isActive(mlir::Value value) const { return active.contains(value); }
  /// Marks a value as active, if its type is differentiable.
  void set(mlir::Value value);
  void erase(mlir::Value value) { active.erase(value); }
  /// Another value takes the place of one, which is about to be erased.
  void replace(mlir::Value from, mlir::Value to) {
    if (active.erase(from))
      set(to);
  }

private:
  void follow(mlir::Value from, mlir::Value to);
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> active;
  /// Integers that depend on the bits of active floats.
  llvm::DenseSet<mlir::Value> bits;
};

/// Replaces scatters of kind `mul`, `min` and `max` by loops over the updates,
/// and so their derivatives by those of loops.
void serialiseScatters(mlir::Operation *op);

/// Replaces an operation by its first region, whose arguments are the
/// operation's first operands.
void inlineBody(mlir::Operation *op);

/// Prepares the region of an operation for differentiation: inlines the bodies
/// of `custom_vmap`, whose rules are for batches only, and serialises scatters.
void prepareForDerivative(mlir::Operation *op);

/// Fails if a region of a custom derivative uses an active value from outside:
/// the user's rule has no derivative for it.
mlir::LogicalResult checkCaptures(CustomDerivativeOp op,
                                  const Activity &activity);

/// The active values from outside that an operation's regions use.
llvm::SetVector<mlir::Value> activeCaptures(mlir::Operation *op,
                                            const Activity &activity);

/// Copies the operations of a user's rule with these arguments. Returns the
/// values that the rule yields. Where the rule computes again what the body
/// does, at a cost, it uses the results of the operation, which `here` gives.
llvm::SmallVector<mlir::Value>
inlineRule(mlir::OpBuilder &builder, CustomDerivativeOp op,
           mlir::ValueRange arguments, mlir::IRMapping mapping,
           llvm::function_ref<mlir::Value(mlir::Value)> here);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_AUTODIFF_H
