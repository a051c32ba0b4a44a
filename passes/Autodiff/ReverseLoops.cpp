//===- ReverseLoops.cpp - Adjoints of loops that keep each iteration ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Reverse.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ingot;

/// What the derivative of one loop may keep: 1 GiB.
static constexpr double largestTape = double(int64_t(1) << 30);
/// Marks a loop that would keep more. Copies of it, which the loops around it
/// make when they run again, need not find that out once more: nested loops
/// would take time exponential in their depth.
static constexpr StringLiteral replayed = "ingot.replayed";

//===----------------------------------------------------------------------===//
// What passes through a loop
//===----------------------------------------------------------------------===//

static bool isUpdateOf(Value value, Value array) {
  while (value && value != array)
    value = beforeUpdate(value);
  return value != nullptr;
}

Value ingot::beforeUpdate(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto update = dyn_cast_or_null<UpdateSliceOp>(op))
    return update.getOperand();
  if (!isa_and_nonnull<ForOp, IfOp>(op))
    return nullptr;
  unsigned place = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<ForOp>(op)) {
    Block &body = loop.getBody().front();
    Value yielded = body.getTerminator()->getOperand(place);
    bool isUpdated = isUpdateOf(yielded, body.getArgument(1 + place));
    return isUpdated ? loop.getInitArgs()[place] : nullptr;
  }
  Value found;
  for (Region &region : op->getRegions()) {
    Value start = region.front().getTerminator()->getOperand(place);
    while (start && region.isAncestor(start.getParentRegion()))
      start = beforeUpdate(start);
    if (!start || (found && found != start))
      return nullptr;
    found = start;
  }
  return found;
}

Reverse::Flow Reverse::flowOf(Operation *op) {
  Flow flow;
  Region &body = op->getRegions().back();
  for (auto [i, argument] : llvm::enumerate(carriedArguments(body))) {
    Value yielded = body.front().getTerminator()->getOperand(i);
    if (activity.isActive(argument))
      flow.active.push_back(i);
    if (yielded != argument && isUpdateOf(yielded, argument))
      flow.updated.push_back(i);
  }
  flow.captures = activeCaptures(op, activity).takeVector();
  return flow;
}

SmallVector<Value> Reverse::cotangentsOf(Operation *op, const Flow &flow) {
  SmallVector<Value> sums;
  for (unsigned i : flow.active)
    sums.push_back(cotangentOrZeros(op->getResult(i)));
  for (Value value : flow.captures)
    sums.push_back(cotangentOrZeros(value));
  return sums;
}

void Reverse::setCotangents(Operation *op, const Flow &flow, ValueRange sums) {
  for (auto [i, value] : llvm::enumerate(flow.captures))
    cotangents[value] = sums[flow.active.size() + i];
  OperandRange inits = carriedOperands(op);
  for (auto [i, place] : llvm::enumerate(flow.active))
    add(inits[place], sums[i]);
}

//===----------------------------------------------------------------------===//
// Loops of which each iteration is kept
//===----------------------------------------------------------------------===//

Range ingot::rangeOf(ForOp op, Frame &frame) {
  return {frame.get(op.getLower()), frame.get(op.getUpper()),
          frame.get(op.getStep())};
}

/// What every iteration passes on is before the loop what it is after it.
static void knowPassedOn(ForOp op, Frame &frame) {
  Block &body = op.getBody().front();
  for (OpResult result : op->getResults()) {
    unsigned place = result.getResultNumber();
    Value after = frame.lookup(result);
    if (after &&
        body.getTerminator()->getOperand(place) == body.getArgument(1 + place))
      frame.know(op.getInitArgs()[place], after);
  }
}

LogicalResult Reverse::visitFor(ForOp op, Frame &frame) {
  if (frame.isDeferred())
    knowPassedOn(op, frame);
  std::optional<int64_t> most = mostIterations(op);
  if (!most && areCountsKnown)
    return op.emitError("nothing limits the number of iterations");
  FailureOr<bool> isDone = false;
  auto mostOf = [&](double bytes) {
    return bytes * *most <= largestTape ? *most : 0;
  };
  if (most && !op->hasAttr(replayed))
    isDone = reverseKept(op, frame, mostOf);
  if (failed(isDone))
    return failure();
  if (*isDone)
    return success();
  op->setAttr(replayed, builder.getUnitAttr());
  Value count = rangeOf(op, frame).count(builder, op.getLoc());
  return reverseStored(op, count, frame);
}

/// Emits the adjoints of an iteration, and what goes to the one before.
LogicalResult Reverse::sweepBody(ForOp op, const Flow &flow, Frame &frame,
                                 Block &backward) {
  Block &body = op.getBody().front();
  Operation *end = body.getTerminator();
  ValueRange given = backward.getArguments().drop_front();
  for (auto [i, value] : llvm::enumerate(flow.captures))
    cotangents[value] = given[flow.active.size() + i];
  for (auto [i, place] : llvm::enumerate(flow.active))
    add(end->getOperand(place), given[i]);
  ValueRange arrays = given.take_back(flow.updated.size());
  for (auto [place, array] : llvm::zip_equal(flow.updated, arrays))
    frame.know(end->getOperand(place), array);
  if (failed(sweep(body, frame)))
    return failure();

  SmallVector<Value> yielded;
  for (unsigned place : flow.active)
    yielded.push_back(cotangentOrZeros(body.getArgument(1 + place)));
  for (Value value : flow.captures)
    yielded.push_back(cotangents.lookup(value));
  for (unsigned place : flow.updated) {
    Value argument = body.getArgument(1 + place);
    Value array = frame.lookup(argument);
    yielded.push_back(array ? array : frame.get(argument));
  }
  YieldOp::create(builder, op.getLoc(), yielded);
  return success();
}

FailureOr<bool>
Reverse::reverseKept(ForOp op, Frame &frame,
                     function_ref<int64_t(double bytes)> mostOf) {
  mlir::Location location = op.getLoc();
  Block &body = op.getBody().front();
  Flow flow = flowOf(op);
  SmallVector<Value> inits = cotangentsOf(op, flow);
  for (unsigned place : flow.updated) {
    Value array = frame.lookup(op.getResult(place));
    inits.push_back(array ? array : frame.get(op.getResult(place)));
  }
  Range range = rangeOf(op, frame);
  Value count = range.count(builder, location);
  DenseMap<Value, Value> outside = cotangents;
  ForOp made;
  Value number;
  SmallVector<Frame::Kept> kept;
  {
    OpBuilder::InsertionGuard guard(builder);
    made = beginFor(builder, location, count, inits);
    Block *block = builder.getInsertionBlock();
    Value last =
        SubOp::create(builder, location, count, integer(builder, location, 1));
    number = SubOp::create(builder, location, last, block->getArgument(0));
    Value index = range.index(builder, number);
    Frame inner(frame, body, *block, index.getDefiningOp());
    inner.know(body.getArgument(0), index);
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Value argument = body.getArgument(1 + i);
      if (body.getTerminator()->getOperand(i) == argument)
        inner.know(argument, frame.get(op.getInitArgs()[i]));
    }
    cotangents.clear();
    if (failed(sweepBody(op, flow, inner, *block)))
      return failure();
    kept = inner.settle();
  }
  cotangents = std::move(outside);
  double bytes = 0;
  for (Frame::Kept each : kept)
    bytes += bytesOf(each.value.getType());
  int64_t most = mostOf(bytes);
  if (most == 0 && bytes > 0) {
    made.erase();
    return false;
  }
  if (!kept.empty()) {
    SmallVector<Value> values;
    for (Frame::Kept each : kept)
      values.push_back(each.value);
    ForOp forward = keepInLoop(op, values, most);
    OpBuilder::InsertionGuard guard(builder);
    for (auto [i, each] : llvm::enumerate(kept)) {
      builder.setInsertionPoint(each.placeholder);
      Value all = frame.get(forward.getResult(op.getNumResults() + i));
      Value placeholder = each.placeholder->getResult(0);
      placeholder.replaceAllUsesWith(
          readAt(builder, all, number, placeholder.getType()));
      each.placeholder->erase();
    }
    replace(op, forward, frame);
    op = forward;
  }
  for (unsigned place : flow.active)
    cotangents.erase(op.getResult(place));
  setCotangents(op, flow, made.getResults());
  unsigned first = flow.active.size() + flow.captures.size();
  for (auto [i, place] : llvm::enumerate(flow.updated))
    if (frame.isDeferred() && frame.lookup(op.getResult(place)))
      frame.know(op.getInitArgs()[place], made.getResult(first + i));
  return true;
}
