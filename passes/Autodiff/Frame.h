//===- Frame.h - Primal values in the backward code -------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_FRAME_H
#define INGOT_PASSES_AUTODIFF_FRAME_H

#include "Autodiff.h"

namespace ingot {

/// A block of the function and the block that runs backwards for it. Adjoints
/// use primal values before it is known where these come from: `get` gives a
/// placeholder for each. When all of the block is done, `settle` chooses: what
/// nobody uses costs nothing, the rest is computed again or kept by the
/// forward code, whichever keeps less.
class Frame {
public:
  /// A frame of a block whose values the backward code can use as they are.
  Frame() = default;
  /// What comes into the backward block goes after what `prologue` computes.
  Frame(Frame &outer, mlir::Block &forward, mlir::Block &backward,
        mlir::Operation *prologue = nullptr)
      : outer(&outer), forward(&forward), backward(&backward),
        prologue(prologue) {}
  /// A frame that keeps nothing: all is computed again, from what comes from
  /// outside, and not before some value is there.
  Frame(Frame &outer, mlir::Block &forward, mlir::Block &backward,
        mlir::Value start)
      : outer(&outer), forward(&forward), backward(&backward), start(start) {}

  /// A primal value, for use in the backward block.
  mlir::Value get(mlir::Value value);
  /// Says what a primal value is in the backward block.
  void know(mlir::Value value, mlir::Value here) { known[value] = here; }
  /// What a primal value is known to be, or null.
  mlir::Value lookup(mlir::Value value) const { return known.lookup(value); }
  /// Whether values have to be brought here from the forward code.
  bool isDeferred() const { return outer != nullptr; }

  /// Replaces the placeholders; gives the forward values that must be kept, and
  /// for each the placeholder that waits for it.
  struct Kept {
    mlir::Value value;
    mlir::Operation *placeholder;
  };
  llvm::SmallVector<Kept> settle();

  /// An operation of the forward block was replaced by one that has more
  /// results.
  void replaced(mlir::Operation *op, mlir::Operation *made);

private:
  bool isKept(mlir::Operation *op) const;
  mlir::Value copied(mlir::Value value);
  /// What it costs to have a value at a point of the backward block.
  struct Cost {
    /// Bytes that the forward code would have to keep.
    double bytes;
    bool isKept;
  };
  using Costs = llvm::DenseMap<mlir::Value, Cost>;

  void eraseDead();
  bool isOutside(mlir::Value value) const;
  /// Whether what is known of a value is there before an operation.
  bool isBefore(mlir::Value value, mlir::Operation *point) const;
  void estimate(mlir::Value value, mlir::Operation *point, Costs &costs);
  void materialise(mlir::Value value, const Costs &costs);
  mlir::Operation *placeholderOf(mlir::Value value);
  mlir::OpBuilder builderAfter(mlir::Operation *op) const;

  Frame *outer = nullptr;
  mlir::Block *forward = nullptr, *backward = nullptr;
  mlir::Operation *prologue = nullptr;
  /// Of a frame that keeps nothing, else null.
  mlir::Value start;
  llvm::DenseMap<mlir::Value, mlir::Value> known;
  llvm::MapVector<mlir::Value, mlir::Operation *> placeholders;
  llvm::SmallVector<Kept> kept;
};

/// What runs a second time has been checked, and has printed.
void eraseEffects(mlir::Operation *op);

/// The bytes of a tensor.
double bytesOf(mlir::Type type);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_FRAME_H
