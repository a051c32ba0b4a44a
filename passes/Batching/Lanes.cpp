//===- Lanes.cpp - What differs between the lanes of a batch --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

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
  if (auto branch = dyn_cast<IfOp>(op))
    return visitIf(branch);
  if (isa<ForOp, WhileOp>(op))
    return visitLoop(op);
  if (isa<CustomDerivativeOp, CustomVmapOp>(op))
    return visitCustom(op);
  if (auto checkpoint = dyn_cast<CheckpointOp>(op)) {
    Operation *end = checkpoint.getBody().front().getTerminator();
    for (auto [value, result] :
         llvm::zip_equal(end->getOperands(), op->getResults()))
      follow(value, result);
    return;
  }
  if (anyDiffers(op->getOperands()))
    setAll(op->getResults());
}

/// Where lanes take different sides, all results differ.
void Lanes::visitIf(IfOp op) {
  if (differ(op.getCondition()))
    return setAll(op.getResults());
  for (Region &side : op->getRegions())
    for (auto [value, result] : llvm::zip_equal(
             side.front().getTerminator()->getOperands(), op.getResults()))
      follow(value, result);
}

/// Where lanes run different numbers of times, all that is carried differs.
void Lanes::visitLoop(Operation *op) {
  auto loop = cast<LoopLikeOpInterface>(op);
  bool isUneven = false;
  if (auto counted = dyn_cast<ForOp>(op)) {
    isUneven =
        anyDiffers({counted.getLower(), counted.getUpper(), counted.getStep()});
    if (anyDiffers({counted.getLower(), counted.getStep()}))
      set(counted.getBody().getArgument(0));
  } else {
    Block &cond = cast<WhileOp>(op).getCond().front();
    isUneven = differ(cond.getTerminator()->getOperand(0));
  }
  ValueRange inits = loop.getInits(), yielded = loop.getYieldedValues();
  for (unsigned i = 0; i < inits.size(); ++i) {
    if (!isUneven && !differ(inits[i]) && !differ(yielded[i]))
      continue;
    set(op->getResult(i));
    for (Region &region : op->getRegions())
      set(region.getArgument(region.getNumArguments() - inits.size() + i));
  }
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
