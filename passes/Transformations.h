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

/// Expands the transformations of some kinds, innermost first. Fails where one
/// of another kind is inside.
mlir::LogicalResult
expandAll(mlir::ModuleOp module,
          llvm::function_ref<bool(mlir::Operation *)> isOfKind,
          llvm::function_ref<mlir::LogicalResult(mlir::Operation *)> expand);

template <typename... Ops>
mlir::LogicalResult
expandAll(mlir::ModuleOp module,
          llvm::function_ref<mlir::LogicalResult(mlir::Operation *)> expand) {
  return expandAll(
      module, [](mlir::Operation *op) { return mlir::isa<Ops...>(op); },
      expand);
}

/// Computes equal values in the regions of an operation once.
void shareEqual(mlir::Operation *op);

} // namespace ingot

#endif // INGOT_PASSES_TRANSFORMATIONS_H
