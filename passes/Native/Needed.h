//===- Needed.h - Which elements of arrays are needed -----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_NEEDED_H
#define INGOT_PASSES_NATIVE_NEEDED_H

#include "Windows.h"

namespace ingot {

/// The positions of a mask's true elements that a gather reads along the first
/// axis, if it reads those.
NonzeroOp positionsOf(GatherOp gather);

/// How many elements along the first axis of each array of a kernel are needed:
/// arrays of dynamic length are as long as their bound, and the rest of them is
/// never looked at. So it need not be computed, copied or initialised.
class NeededElements {
public:
  /// Analyses the function, after its elementwise operations are StableHLO's.
  /// Moves counts of masks to where they are useful.
  void analyse(mlir::func::FuncOp function);

  /// The 0-d integer below which indices of an operation's only result, along
  /// the first axis, are needed. Null if all may be, or if it is not known
  /// before the operation.
  mlir::Value countBefore(mlir::Operation *op) const;
  /// The same of what a region yields to its loop.
  mlir::Value countAt(mlir::OpOperand &yielded) const;

  /// How many elements are needed of an update by the array's own elements at
  /// the true elements of a mask, which move to the front: not more than those.
  /// Null for other updates.
  mlir::Value countOfSelected(UpdateSliceOp op) const;

  /// Whether a gather that is computed up to what is needed reads only at
  /// positions that are inside of its array: those of a mask's true elements,
  /// and the zeros behind them if there are any.
  bool isInside(GatherOp op) const;

  /// What is needed of an array: nothing, which is what is assumed of all at
  /// first, so many elements, or all.
  struct Need {
    enum Kind { None, Count, All } kind = None;
    mlir::Value count = {};
    bool operator==(const Need &other) const {
      return kind == other.kind && count == other.count;
    }
  };

private:
  Need needOf(mlir::Value value) const { return needs.lookup(value); }
  mlir::Value countOf(mlir::Value array) const;
  static void hoistCount(mlir::Value count, mlir::Operation *op);
  Need needOf(mlir::OpOperand &use) const;
  Need needOfPassed(mlir::Operation *op, unsigned number,
                    mlir::ValueRange values) const;
  Need needOfOperand(mlir::OpOperand &use) const;
  Need needOfGathered(mlir::OpOperand &use) const;
  Need needOfUpdate(UpdateSliceOp op, unsigned number) const;

  llvm::DenseMap<mlir::Value, Need> needs;
};

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_NEEDED_H
