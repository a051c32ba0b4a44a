//===- Reverse.h - Cotangents, from the last operation on -------*- C++ -*-===//
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

/// Emits the adjoints of a function's operations, and adds up the cotangents of
/// its values. Nested blocks have a frame each, which knows where the backward
/// code finds the values of the forward code.
class Reverse {
public:
  /// Refuses loops without a known limit if `areCountsKnown`.
  Reverse(mlir::OpBuilder &builder, Activity &activity, bool areCountsKnown)
      : builder(builder), activity(activity), areCountsKnown(areCountsKnown) {}

  /// Adds to the cotangent of a value; nothing where no derivative flows.
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
  void replace(mlir::Operation *op, mlir::Operation *made, Frame &frame);

  /// What passes through the iterations of a loop backwards: the cotangents of
  /// carried values and of values from outside, and carried arrays that the
  /// loop updates in place.
  struct Flow {
    llvm::SmallVector<unsigned> active;
    llvm::SmallVector<mlir::Value> captures;
    llvm::SmallVector<unsigned> updated;
  };
  Flow flowOf(mlir::Operation *op);
  /// The values that a loop backwards starts with, without the arrays.
  llvm::SmallVector<mlir::Value> cotangentsOf(mlir::Operation *op,
                                              const Flow &flow);
  void setCotangents(mlir::Operation *op, const Flow &flow,
                     mlir::ValueRange sums);

  /// The adjoint of a loop by what it keeps of each iteration. `mostOf` says
  /// for how many there is room if one takes some bytes; false if for none.
  mlir::FailureOr<bool>
  reverseKept(ForOp op, Frame &frame,
              llvm::function_ref<int64_t(double bytes)> mostOf);
  mlir::LogicalResult sweepBody(ForOp op, const Flow &flow, Frame &frame,
                                mlir::Block &backward);
  /// The adjoint of a loop by running its iterations again.
  mlir::LogicalResult reverseStored(mlir::Operation *op, mlir::Value count,
                                    Frame &frame);

  mlir::OpBuilder &builder;
  Activity &activity;
  bool areCountsKnown;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

/// The range of a loop, as values of the backward code.
Range rangeOf(ForOp op, Frame &frame);

/// The array of which a value is an update in place, or null: what
/// `update_slice`, and loops and branches that do no more, have changed parts
/// of.
mlir::Value beforeUpdate(mlir::Value value);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_REVERSE_H
