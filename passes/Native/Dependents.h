//===- Dependents.h - What depends on operations of a block -----*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_DEPENDENTS_H
#define INGOT_PASSES_NATIVE_DEPENDENTS_H

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

/// The operations from `first` to before `last`, in their order, that depend on
/// those for which `isSource` holds, without these.
inline llvm::SetVector<mlir::Operation *>
dependentsOf(llvm::function_ref<bool(mlir::Operation *)> isSource,
             mlir::Operation *first, mlir::Operation *last) {
  llvm::SetVector<mlir::Operation *> found;
  auto depends = [&](mlir::Value value) {
    mlir::Operation *source = value.getDefiningOp();
    return source && (isSource(source) || found.contains(source));
  };
  for (mlir::Operation *op = first; op != last; op = op->getNextNode()) {
    if (isSource(op))
      continue;
    llvm::SetVector<mlir::Value> used(op->operand_begin(), op->operand_end());
    mlir::getUsedValuesDefinedAbove(op->getRegions(), used);
    if (llvm::any_of(used, depends))
      found.insert(op);
  }
  return found;
}

/// Moves operations behind another one, in their order.
inline void moveBehind(llvm::ArrayRef<mlir::Operation *> ops,
                       mlir::Operation *last) {
  for (mlir::Operation *op : llvm::reverse(ops))
    op->moveAfter(last);
}

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_DEPENDENTS_H
