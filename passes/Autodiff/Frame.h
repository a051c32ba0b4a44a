//===- Frame.h - Residuals: primal values in the backward code --*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_FRAME_H
#define INGOT_PASSES_AUTODIFF_FRAME_H

#include "Autodiff.h"

namespace ingot {

/// A block of the forward code and the block that holds its adjoints.
///
/// Adjoints use primal values before it is known how the backward block gets
/// them: `get` returns a placeholder for each. When the whole block has been
/// visited, `resolve` decides: unused placeholders cost nothing, and the others
/// are replaced by values that the backward block recomputes or the forward
/// code saves as residuals, whichever takes less memory.
class Frame {
public:
  /// A frame of a block whose values dominate the backward code, which uses
  /// them directly.
  Frame() = default;
  /// Placeholders and recomputed values come after `prologue`, an operation of
  /// the backward block.
  Frame(Frame &outer, mlir::Block &forward, mlir::Block &backward,
        mlir::Operation *prologue = nullptr)
      : outer(&outer), forward(&forward), backward(&backward),
        prologue(prologue) {}
  /// A frame without residuals: everything is recomputed from the values from
  /// outside, and not before `start` is computed.
  Frame(Frame &outer, mlir::Block &forward, mlir::Block &backward,
        mlir::Value start)
      : outer(&outer), forward(&forward), backward(&backward), start(start) {}

  /// A primal value for use in the backward block.
  mlir::Value get(mlir::Value value);
  /// Makes `here` the value of a primal value in the backward block.
  void bind(mlir::Value value, mlir::Value here) { available[value] = here; }
  /// The value in the backward block of a primal value, or null.
  mlir::Value lookup(mlir::Value value) const {
    return available.lookup(value);
  }
  /// Whether the backward block can't use values of the forward block directly.
  bool isDeferred() const { return outer != nullptr; }

  /// A forward value to save, and the placeholder that it replaces.
  struct Residual {
    mlir::Value value;
    mlir::Operation *placeholder;
  };
  /// Replaces the placeholders, except those of the residuals, which it
  /// returns.
  llvm::SmallVector<Residual> resolve();

  /// Updates the frame for the replacement of an operation of the forward block
  /// by one with more results.
  void replaced(mlir::Operation *op, mlir::Operation *made);

private:
  bool isSaved(mlir::Operation *op) const;
  mlir::Value bringIn(mlir::Value value);
  /// The cost of a value at a point of the backward block.
  struct Cost {
    /// The size of the residuals that it takes.
    double bytes;
    /// Whether the value itself is a residual.
    bool isSaved;
  };
  using Costs = llvm::DenseMap<mlir::Value, Cost>;

  void eraseDead();
  bool isOutside(mlir::Value value) const;
  /// Whether a value of the backward code is computed before `point`.
  bool isBefore(mlir::Value value, mlir::Operation *point) const;
  void estimate(mlir::Value value, mlir::Operation *point, Costs &costs);
  void recompute(mlir::Value value, const Costs &costs);
  mlir::Operation *placeholderOf(mlir::Value value);
  mlir::OpBuilder builderAfter(mlir::Operation *op) const;

  Frame *outer = nullptr;
  mlir::Block *forward = nullptr, *backward = nullptr;
  mlir::Operation *prologue = nullptr;
  /// Null unless the frame has no residuals.
  mlir::Value start;
  /// The primal values that the backward block has.
  llvm::DenseMap<mlir::Value, mlir::Value> available;
  llvm::MapVector<mlir::Value, mlir::Operation *> placeholders;
  llvm::SmallVector<Residual> residuals;
};

/// Removes checks and prints from recomputed code: the forward code has run
/// them.
void eraseEffects(mlir::Operation *op);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_FRAME_H
