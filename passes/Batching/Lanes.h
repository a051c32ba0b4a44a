//===- Lanes.h - Values that differ between lanes ---------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_BATCHING_LANES_H
#define INGOT_PASSES_BATCHING_LANES_H

#include "Passes.h"

#include "llvm/ADT/DenseSet.h"

namespace ingot {

/// Whether an operation exchanges values between the lanes of a batch with
/// this name, which may be null.
bool isCollectiveOf(mlir::Operation *op, mlir::StringAttr axis);

/// A dataflow analysis: the values in a region that may differ between the
/// lanes that run it.
class Lanes {
public:
  explicit Lanes(VmapOp op);
  /// `differing` are arguments that differ. All lanes share the arrays
  /// `common`, of which each updates elements that no other one sees.
  Lanes(mlir::Region &region, mlir::ValueRange differing,
        llvm::DenseSet<mlir::Value> common);

  bool differ(mlir::Value value) const { return found.contains(value); }
  bool anyDiffers(mlir::ValueRange values) const {
    return llvm::any_of(values, [&](mlir::Value v) { return differ(v); });
  }

  bool isCommon(mlir::Value value) const { return common.contains(value); }

private:
  void visitAll(mlir::Region &region);
  void set(mlir::Value value) {
    if (!isCommon(value))
      hasGrown |= found.insert(value).second;
  }
  void setAll(mlir::ValueRange values) {
    for (mlir::Value value : values)
      set(value);
  }
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  void visitCustom(mlir::Operation *op);
  void visitCollective(mlir::Operation *op);

  mlir::StringAttr axis;
  llvm::DenseSet<mlir::Value> found, common;
  bool hasGrown = false;
};

} // namespace ingot

#endif // INGOT_PASSES_BATCHING_LANES_H
