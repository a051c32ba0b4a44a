//===- AxisRule.h - How the axes of an operation correspond -----*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_AXISRULE_H
#define INGOT_DIALECTS_INGOT_AXISRULE_H

#include "mlir/IR/Operation.h"

namespace ingot {

/// Which axes of the operands and results of an operation correspond. Each axis
/// has a number, as the dimensions of Shardy's sharding rules have factors.
///
/// Axes of one number correspond: each position along them is computed by
/// itself. The operation combines elements along axes of operands whose number
/// no result has, as a sum does. It needs `whole` axes as a whole, as a sort
/// does.
struct AxisRule {
  using Axes = llvm::SmallVector<int64_t>;
  static constexpr int64_t whole = -1;

  llvm::SmallVector<Axes> operands, results;
  /// Whether operands may lack the first axes, as in NumPy's broadcasting.
  bool broadcasts = false;
  /// Whether to combine an element twice changes nothing, as in a maximum.
  bool isIdempotent = false;
};

// Rules of families. Axes are numbered as those of the first operand, unless
// said otherwise.

/// NumPy's broadcasting: axes correspond from the last one on.
AxisRule broadcastAxes(mlir::Operation *op);
/// The last axes, that many, are needed as a whole; those before correspond.
AxisRule axesButLast(mlir::Operation *op, int64_t count);
/// These axes of all operands and results are needed as a whole.
AxisRule axesBut(mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
/// The operation combines along these axes, which its results lack.
AxisRule axesWithout(mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
/// Axes correspond where all arrays have one extent: the others are cut or
/// filled. Scalars have no axes.
AxisRule equalAxes(mlir::Operation *op);
/// Each result is as the operand of its number, and has nothing of others.
AxisRule pairedAxes(mlir::Operation *op);

/// Adds 1 to the numbers of axes in `axis` and `axes`.
void shiftAxes(mlir::NamedAttrList &attributes);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_AXISRULE_H
