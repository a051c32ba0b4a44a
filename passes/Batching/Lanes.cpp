//===- Lanes.cpp - Values that differ between lanes -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "Regions.h"

using namespace mlir;
using namespace ingot;

bool ingot::isCollectiveOf(Operation *op, StringAttr axis) {
  return axis && isa<AllGatherOp, AxisIndexOp, PpermuteOp, PsumOp>(op) &&
         op->getAttrOfType<StringAttr>("axis") == axis;
}

Lanes::Lanes(VmapOp op) : axis(op.getAxisAttr()) {
  found.reserve(op.getBody().front().getOperations().size());
  setAll(op.getBody().getArguments());
  visitAll(op.getBody());
}

Lanes::Lanes(Region &region, ValueRange differing, DenseSet<Value> common)
    : common(std::move(common)) {
  setAll(differing);
  visitAll(region);
}

void Lanes::visitAll(Region &region) {
  // What regions yield needs iteration to a fixed point.
  bool hasRegions = false;
  do {
    hasGrown = false;
    region.walk<WalkOrder::PreOrder>([&](Operation *inner) {
      hasRegions |= inner->getNumRegions() != 0;
      visit(inner);
    });
  } while (hasGrown && hasRegions);
}

void Lanes::visit(Operation *op) {
  if (isa<CustomDerivativeOp, CustomVmapOp, NumpyFunctionOp>(op))
    return visitCustom(op);
  if (isa<IfOp, ForOp, WhileOp, CheckpointOp>(op))
    return visitRegions(op);
  if (isCollectiveOf(op, axis))
    return visitCollective(op);
  // Each lane calls a callback.
  if (isa<PrintOp>(op) || anyDiffers(op->getOperands()))
    setAll(op->getResults());
}

/// If the control flow diverges, that is if lanes run different regions of an
/// `if` or have different trip counts, all results differ.
void Lanes::visitRegions(Operation *op) {
  auto loop = dyn_cast<ForOp>(op);
  if (loop && anyDiffers({loop.getLower(), loop.getStep()}))
    set(loop.getBody().getArgument(0));
  bool isDivergent = anyDiffers(controlsOf(op));
  for (OpResult result : op->getResults())
    if (isDivergent || anyDiffers(sourcesOf(result)))
      setAll(carriersOf(result));
}

/// The body and the rule are copied with the same types, and all operands of
/// NumPy's functions have the same batch axes, so all operands and results
/// differ or none does.
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

/// What is gathered or added from all lanes is the same in all of them.
void Lanes::visitCollective(Operation *op) {
  if (isa<AxisIndexOp, PpermuteOp>(op))
    setAll(op->getResults());
}
