//===- BatchEffects.cpp - Checks, prints and calls of all lanes -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
#include "Regions.h"

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

/// A check holds if it holds in each lane that runs.
void Batcher::expand(AssertOp op) {
  mlir::Location location = op.getLoc();
  Value condition = copyOf(op.getCondition());
  if (mask) {
    bool hasLanes = lanes.differ(op.getCondition());
    Value runs = hasLanes ? mask : anyOf(mask);
    condition = OrOp::create(builder, location, condition,
                             NotOp::create(builder, location, runs));
  }
  if (lanes.differ(op.getCondition()))
    condition = ReduceOp::create(builder, location, ReduceKind::And, condition,
                                 ArrayRef<int64_t>{0});
  auto check = AssertOp::create(builder, location, condition, op.getException(),
                                op.getMessage());
  check->setDiscardableAttrs(op->getDiscardableAttrDictionary());
}

/// The lanes that run print, or call back, one after the other.
void Batcher::expand(PrintOp op) {
  mlir::Location location = op.getLoc();
  ForOp loop = beginLanes(op);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = loop.getBody().front();
  builder.setInsertionPointToEnd(&body);
  Value lane = body.getArgument(0);
  ValueRange stacks = body.getArguments().drop_front();
  if (!mask) {
    YieldOp::create(builder, location, runLane(op, lane, stacks));
    return bindAll(op->getResults(), loop.getResults());
  }
  auto pred = RankedTensorType::get({}, builder.getI1Type());
  Value runs = readAt(builder, mask, lane, pred);
  auto branch = IfOp::create(builder, location, stacks.getTypes(), runs);
  YieldOp::create(builder, location, branch.getResults());
  builder.createBlock(&branch.getElseRegion());
  YieldOp::create(builder, location, stacks);
  builder.createBlock(&branch.getThenRegion());
  YieldOp::create(builder, location, runLane(op, lane, stacks));
  bindAll(op->getResults(), loop.getResults());
}

/// A loop over the lanes that carries the stacked results.
ForOp Batcher::beginLanes(Operation *op) {
  SmallVector<Value> stacks;
  for (Type type : op->getResultTypes())
    stacks.push_back(ingot::stackOf(builder, op->getLoc(), type, size));
  OpBuilder::InsertionGuard guard(builder);
  return beginFor(builder, op->getLoc(), integers(size), stacks);
}

/// Runs an operation for one lane; returns the stacks with its results.
SmallVector<Value> Batcher::runLane(Operation *op, Value lane,
                                    ValueRange stacks) {
  IRMapping items;
  for (Value operand : op->getOperands()) {
    Value item = copyOf(operand);
    if (lanes.differ(operand))
      item =
          readAt(builder, item, lane, typeOf(item).clone(laneShape(operand)));
    items.map(operand, item);
  }
  Operation *made = builder.clone(*op, items);
  SmallVector<Value> next;
  for (auto [stack, result] : llvm::zip_equal(stacks, made->getResults()))
    next.push_back(writeAt(builder, stack, lane, result));
  return next;
}

//===----------------------------------------------------------------------===//
// Users' rules and modules
//===----------------------------------------------------------------------===//

/// Uses the rule if it is for this batch and not for one around it, else the
/// body.
LogicalResult Batcher::copyCustom(CustomVmapOp op) {
  bool hasLanes = lanes.anyDiffers(op->getResults());
  bool isRuled = hasLanes && static_cast<int64_t>(op.getSize()) == size;
  Block &block = (isRuled ? op.getRule() : op.getBody()).front();
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments(), op.getOperands()))
    bind(argument, hasLanes ? stackOf(operand) : copyOf(operand));
  auto ends = block.getTerminator()->getOperands();
  if (isRuled)
    for (Operation &inner : block.without_terminator())
      builder.clone(inner, copies);
  else if (failed(copyBlock(block)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), ends))
    bind(result, hasLanes && !isRuled ? stackOf(value) : copyOf(value));
  return success();
}

/// A function of the process gives the call for all lanes. A module's types are
/// fixed, so a loop calls it for each lane.
LogicalResult Batcher::copyCall(CallStablehloOp op) {
  if (!op.getSource())
    return callLanes(op), success();
  SmallVector<int64_t> which{size};
  SmallVector<Value> operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    operands.push_back(copyOf(operand));
    if (lanes.differ(operand))
      which.push_back(i);
  }
  auto types = llvm::map_to_vector(op->getResultTypes(),
                                   [&](Type type) { return stacked(type); });
  CallStablehloOp made =
      derivedCall(builder, op, "vmap", which, operands, types);
  if (!made)
    return failure();
  bindAll(op->getResults(), made->getResults());
  return success();
}

void Batcher::callLanes(CallStablehloOp op) {
  ForOp loop = beginLanes(op);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = loop.getBody().front();
  builder.setInsertionPointToEnd(&body);
  auto next =
      runLane(op, body.getArgument(0), body.getArguments().drop_front());
  YieldOp::create(builder, op.getLoc(), next);
  bindAll(op->getResults(), loop.getResults());
}
