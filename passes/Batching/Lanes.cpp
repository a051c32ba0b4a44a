//===- Lanes.cpp - What differs between the lanes of a batch --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "Regions.h"

using namespace mlir;
using namespace ingot;

Lanes::Lanes(VmapOp op) {
  setAll(op.getBody().getArguments());
  // What loops carry goes round.
  do {
    hasGrown = false;
    op.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *inner) { visit(inner); });
  } while (hasGrown);
}

void Lanes::visit(Operation *op) {
  if (isa<CustomDerivativeOp, CustomVmapOp>(op))
    return visitCustom(op);
  if (isa<IfOp, ForOp, WhileOp, CheckpointOp>(op))
    return visitRegions(op);
  if (anyDiffers(op->getOperands()))
    setAll(op->getResults());
}

/// Where lanes take different sides, or run different numbers of times, all
/// results differ.
void Lanes::visitRegions(Operation *op) {
  auto loop = dyn_cast<ForOp>(op);
  if (loop && anyDiffers({loop.getLower(), loop.getStep()}))
    set(loop.getBody().getArgument(0));
  bool isUneven = anyDiffers(controlsOf(op));
  for (OpResult result : op->getResults())
    if (isUneven || anyDiffers(sourcesOf(result)))
      setAll(carriersOf(result));
}

/// A rule takes (co)tangents of all, so all differ or none.
void Lanes::visitCustom(Operation *op) {
  auto differs = [&](Region &region) {
    return anyDiffers(region.front().getTerminator()->getOperands());
  };
  if (!anyDiffers(op->getOperands()) &&
      !llvm::any_of(op->getRegions(), differs))
    return;
  setAll(op->getResults());
  for (Region &region : op->getRegions())
    setAll(region.getArguments());
}
