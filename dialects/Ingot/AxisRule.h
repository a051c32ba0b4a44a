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

/// States which axes of the operands and results of an operation correspond. It
/// gives each axis a number, as Shardy's sharding rules give dimensions
/// factors.
///
/// Axes with the same number correspond: the operation computes each index
/// along them independently. If no result has an operand axis's number, the
/// operation reduces that axis, as a sum does. It needs `whole` axes entirely,
/// as a sort does.
struct AxisRule {
  using Axes = llvm::SmallVector<int64_t>;
  static constexpr int64_t whole = -1;

  llvm::SmallVector<Axes> operands, results;
  /// Whether reducing an element twice changes nothing, as in a maximum.
  bool isIdempotent = false;
};

// Rules of families of operations. The number of an axis is its position in the
// first operand, unless stated otherwise.

/// NumPy's broadcasting: axes correspond counted from the last one.
AxisRule broadcastAxes(mlir::Operation *op);
/// The last `count` axes are `whole`; those before correspond.
AxisRule axesButLast(mlir::Operation *op, int64_t count);
/// These axes of all operands and results are `whole`; the others correspond.
AxisRule axesBut(mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
/// The operation reduces these axes, which its results lack.
AxisRule axesWithout(mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
/// Axes along which all arrays have the same size correspond. The others, which
/// the operation slices or pads, are `whole`. Scalars are ignored.
AxisRule equalAxes(mlir::Operation *op);
/// The axes of each result correspond to those of the operand with its index
/// only.
AxisRule pairedAxes(mlir::Operation *op);

/// Adds 1 to the axis numbers in the attributes `axis` and `axes`.
void shiftAxes(mlir::NamedAttrList &attributes);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_AXISRULE_H
