//===- Transformations.h - Expanding jvp, vjp and vmap ----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_TRANSFORMATIONS_H
#define INGOT_PASSES_TRANSFORMATIONS_H

#include "Passes.h"

namespace ingot {

/// These replace one transformation. Its region must not contain another one.
mlir::LogicalResult expandJvp(JvpOp op);
/// With `areCountsKnown`, a `for` whose trip count has no static limit is an
/// error.
mlir::LogicalResult expandVjp(VjpOp op, bool areCountsKnown);
mlir::LogicalResult expandVmap(VmapOp op);

/// Expands the transformations of the kinds `Ops`, innermost first. Fails where
/// one of another kind is inside.
template <typename... Ops>
mlir::LogicalResult
expandAll(mlir::ModuleOp module,
          llvm::function_ref<mlir::LogicalResult(mlir::Operation *)> expand) {
  llvm::SmallVector<mlir::Operation *> found;
  module.walk<mlir::WalkOrder::PostOrder>([&](mlir::Operation *op) {
    if (mlir::isa<Ops...>(op))
      found.push_back(op);
  });
  for (mlir::Operation *op : found) {
    bool isNested = llvm::any_of(op->getRegion(0).front(), [](auto &inner) {
      return hasAny<JvpOp, VjpOp, VmapOp>(&inner);
    });
    if (isNested)
      return op->emitError("a transformation of another kind is inside; "
                           "expand-transformations expands all kinds");
    if (failed(expand(op)))
      return mlir::failure();
  }
  return mlir::success();
}

} // namespace ingot

#endif // INGOT_PASSES_TRANSFORMATIONS_H
