//===- Activity.cpp - What a derivative can flow through ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace ingot;

LogicalResult ingot::emitNoDerivative(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return op->emitError() << "`" << name << "` has no derivative";
}

void Activity::set(Value value) {
  if (isDifferentiable(value.getType()))
    active.insert(value);
}

void Activity::visitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

void Activity::visit(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op)) {
    for (Region &region : branch->getRegions()) {
      visitBlock(region.front());
      Operation *end = region.front().getTerminator();
      for (auto [result, value] :
           llvm::zip_equal(op->getResults(), end->getOperands()))
        if (isActive(value))
          set(result);
    }
    return;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    SmallVector<bool> carried;
    for (Value init : loop.getInits())
      carried.push_back(isActive(init));
    activateLoop(op, [&](Value v) { return isActive(v); }, carried);
    Block &body = op->getRegions().back().front();
    ValueRange arguments = body.getArguments().take_back(carried.size());
    for (auto [argument, result, is] :
         llvm::zip_equal(arguments, op->getResults(), carried))
      if (is) {
        set(argument);
        set(result);
      }
    visitBlock(body);
    return;
  }
  bool isReached =
      llvm::any_of(op->getOperands(), [&](Value v) { return isActive(v); });
  bool areBits = isa<BitcastOp>(op) && isReached;
  areBits |= llvm::any_of(op->getOperands(),
                          [&](Value v) { return bits.contains(v); });
  for (Value result : op->getResults()) {
    Type element = getElementTypeOrSelf(result.getType());
    if (areBits && element.isIntOrIndex() && !element.isInteger(1))
      bits.insert(result);
    // A float made of an active one's bits depends on it, in a way that no rule
    // knows.
    if (isReached || (isa<BitcastOp>(op) && areBits))
      set(result);
  }
}

void ingot::markActive(Region &region, llvm::function_ref<bool(Value)> isActive,
                       MutableArrayRef<bool> yielded) {
  Activity flow(isActive);
  flow.visitBlock(region.front());
  for (auto [value, is] :
       llvm::zip_equal(region.front().getTerminator()->getOperands(), yielded))
    is |= flow.isActive(value) && isDifferentiable(value.getType());
}

void ingot::activateLoop(Operation *loop,
                         llvm::function_ref<bool(Value)> isActive,
                         MutableArrayRef<bool> carried) {
  Block &body = loop->getRegions().back().front();
  ValueRange arguments = body.getArguments().take_back(carried.size());
  // Each round marks one more value, or is the last.
  for (bool hasChanged = true; hasChanged;) {
    Activity flow(isActive);
    for (auto [argument, is] : llvm::zip_equal(arguments, carried))
      if (is)
        flow.set(argument);
    flow.visitBlock(body);
    hasChanged = false;
    for (auto [value, is] :
         llvm::zip_equal(body.getTerminator()->getOperands(), carried))
      if (!is && flow.isActive(value) && isDifferentiable(value.getType()))
        is = hasChanged = true;
  }
}
