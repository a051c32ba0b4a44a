//===- Reverse.h - The backward code of reverse mode ------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_REVERSE_H
#define INGOT_PASSES_AUTODIFF_REVERSE_H

#include "Frame.h"
#include "Regions.h"

namespace ingot {

/// Emits the adjoints of operations in reverse order, and sums the cotangents
/// of each value. Each nested block has a `Frame`, through which its adjoints
/// use primal values.
class Reverse {
public:
  /// With `areCountsKnown`, loops whose trip count has no static limit are
  /// errors.
  Reverse(mlir::OpBuilder &builder, Activity &activity, bool areCountsKnown)
      : builder(builder), activity(activity), areCountsKnown(areCountsKnown) {}

  /// Adds to the cotangent of a value, if that is active.
  void add(mlir::Value value, mlir::Value cotangent);
  mlir::Value cotangentOrZeros(mlir::Value value);
  /// Emits the adjoints of a block.
  mlir::LogicalResult sweep(mlir::Block &block, Frame &frame);

private:
  mlir::LogicalResult visit(mlir::Operation *op, Frame &frame);
  mlir::LogicalResult visitIf(IfOp op, Frame &frame);
  mlir::LogicalResult visitFor(ForOp op, Frame &frame);
  mlir::LogicalResult visitWhile(WhileOp op, Frame &frame);
  mlir::LogicalResult visitCheckpoint(CheckpointOp op, Frame &frame);
  mlir::LogicalResult visitCustom(CustomDerivativeOp op, Frame &frame);
  void seed(mlir::Operation *op, mlir::Block &body,
            const llvm::SetVector<mlir::Value> &captures,
            const llvm::DenseMap<mlir::Value, mlir::Value> &outside);
  void undo(UpdateSliceOp op, Frame &frame);
  bool visitAddition(UpdateSliceOp op, Frame &frame);
  void replace(mlir::Operation *op, mlir::Operation *made, Frame &frame);

  /// What the backward loop of a loop carries, in this order.
  struct Flow {
    /// Indices of loop-carried values of which it carries the cotangents.
    llvm::SmallVector<unsigned> active;
    /// Values from outside of which it carries the cotangents.
    llvm::SmallVector<mlir::Value> captures;
    /// Indices of carried arrays that the loop updates in place, and the
    /// backward loop restores.
    llvm::SmallVector<unsigned> updated;
  };
  Flow flowOf(mlir::Operation *op);
  /// The initial cotangents of a backward loop.
  llvm::SmallVector<mlir::Value> cotangentsOf(mlir::Operation *op,
                                              const Flow &flow);
  void setCotangents(mlir::Operation *op, const Flow &flow,
                     mlir::ValueRange sums);

  /// Emits the adjoint of a loop that saves the residuals of all iterations.
  /// `capacityFor` returns for how many iterations there is memory if each has
  /// residuals of `bytes`. If for none, emits nothing and returns false.
  mlir::FailureOr<bool>
  reverseBySaving(ForOp op, Frame &frame,
                  llvm::function_ref<int64_t(double bytes)> capacityFor);
  mlir::LogicalResult sweepBody(ForOp op, const Flow &flow, Frame &frame,
                                mlir::Block &backward);
  /// Emits the adjoint of a loop that replays its iterations from checkpoints.
  mlir::LogicalResult reverseByReplay(mlir::Operation *op, mlir::Value count,
                                      Frame &frame);

  mlir::OpBuilder &builder;
  Activity &activity;
  bool areCountsKnown;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

/// The range of a loop as values of the backward code.
Range rangeOf(ForOp op, Frame &frame);

/// The array that an `update_slice`, or a loop or branch of nothing but
/// updates, has changed to the value in place, or null.
mlir::Value beforeUpdate(mlir::Value value);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_REVERSE_H
