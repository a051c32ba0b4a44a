//===- BatchEffects.cpp - Checks, prints and calls of all lanes -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
#include "Regions.h"

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
  AssertOp::create(builder, location, condition, op.getException(),
                   op.getMessage());
}

/// The lanes that run print one after the other.
void Batcher::expand(PrintOp op) {
  mlir::Location location = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  ForOp loop = beginFor(builder, location, integers(size), {});
  Value lane = loop.getBody().getArgument(0);
  YieldOp end = YieldOp::create(builder, location, ValueRange());
  builder.setInsertionPoint(end);
  if (mask) {
    auto pred = RankedTensorType::get({}, builder.getI1Type());
    Value runs = readAt(builder, mask, lane, pred);
    auto branch = IfOp::create(builder, location, TypeRange(), runs);
    builder.createBlock(&branch.getElseRegion());
    YieldOp::create(builder, location, ValueRange());
    builder.createBlock(&branch.getThenRegion());
    builder.setInsertionPoint(YieldOp::create(builder, location, ValueRange()));
  }
  SmallVector<Value> values;
  for (Value value : op.getValues())
    values.push_back(lanes.differ(value)
                         ? readAt(builder, copyOf(value), lane, value.getType())
                         : copyOf(value));
  PrintOp::create(builder, location, op.getFormatAttr(), op.getCallbackAttr(),
                  values);
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

/// A module's types are fixed, so a loop calls it for each lane.
void Batcher::expand(CallStablehloOp op) {
  mlir::Location location = op.getLoc();
  SmallVector<Value> stacks;
  for (Type type : op->getResultTypes())
    stacks.push_back(ingot::stackOf(builder, location, type, size));
  OpBuilder::InsertionGuard guard(builder);
  ForOp loop = beginFor(builder, location, integers(size), stacks);
  Block &body = loop.getBody().front();
  Value lane = body.getArgument(0);
  IRMapping items;
  for (Value operand : op->getOperands())
    items.map(operand, lanes.differ(operand) ? readAt(builder, copyOf(operand),
                                                      lane, operand.getType())
                                             : copyOf(operand));
  Operation *made = builder.clone(*op, items);
  SmallVector<Value> next;
  for (auto [stack, result] :
       llvm::zip_equal(body.getArguments().drop_front(), made->getResults()))
    next.push_back(writeAt(builder, stack, lane, result));
  YieldOp::create(builder, location, next);
  bindAll(op->getResults(), loop.getResults());
}
