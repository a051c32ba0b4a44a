//===- Activity.cpp - Values that depend on differentiated arguments ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"
#include "Regions.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ingot;

LogicalResult ingot::emitNoDerivative(Operation *op) {
  bool isCallback = isa<PrintOp>(op);
  StringRef name = isCallback ? "callback" : op->getName().stripDialect();
  InFlightDiagnostic error = op->emitError()
                             << "`" << name << "` has no derivative";
  if (isCallback)
    error.attachNote()
        << "define one: ingot.custom_vjp of a function that calls it";
  return error;
}

Activity::Activity(Block &body) {
  for (Value argument : body.getArguments())
    set(argument);
  visitBlock(body);
}

void Activity::set(Value value) {
  if (isDifferentiable(value.getType()))
    active.insert(value);
}

/// `to` takes the value `from` on the way into or out of a block.
void Activity::follow(Value from, Value to) {
  if (isActive(from))
    set(to);
  if (bits.contains(from))
    bits.insert(to);
}

void Activity::visitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

void Activity::visit(Operation *op) {
  if (isa<IfOp, ForOp, WhileOp, CheckpointOp>(op))
    return visitRegions(op);
  if (isa<StopGradientOp>(op))
    return;
  bool isReached =
      llvm::any_of(op->getOperands(), [&](Value v) { return isActive(v); });
  // Such a use of an active value is an error later, see checkCaptures.
  if (isa<CustomDerivativeOp>(op))
    isReached |= !activeCaptures(op, *this).empty();
  bool areBits = isa<BitcastOp>(op) && isReached;
  if (!bits.empty())
    areBits |= llvm::any_of(op->getOperands(),
                            [&](Value v) { return bits.contains(v); });
  for (Value result : op->getResults()) {
    Type element = getElementTypeOrSelf(result.getType());
    if (areBits && element.isIntOrIndex() && !element.isInteger(1))
      bits.insert(result);
    // A float made from the bits of an active one depends on it. No rule can
    // differentiate that; active values are reported where that is attempted.
    if (isReached || (isa<BitcastOp>(op) && areBits))
      set(result);
  }
}

/// Loop-carried values can make each other active, so this iterates to a fixed
/// point.
void Activity::visitRegions(Operation *op) {
  auto pass = [&] {
    size_t before = active.size() + bits.size();
    for (OpResult result : op->getResults())
      for (Value from : sourcesOf(result))
        for (Value to : carriersOf(result))
          follow(from, to);
    return active.size() + bits.size() != before;
  };
  // The initial values of a loop, before the values that its body yields.
  pass();
  do {
    for (Region &region : op->getRegions())
      if (isa<YieldOp>(region.front().getTerminator()))
        visitBlock(region.front());
  } while (pass() && isa<ForOp, WhileOp>(op));
}

SetVector<Value> ingot::activeCaptures(Operation *op,
                                       const Activity &activity) {
  SetVector<Value> found;
  getUsedValuesDefinedAbove(op->getRegions(), found);
  found.remove_if([&](Value v) { return !activity.isActive(v); });
  return found;
}
