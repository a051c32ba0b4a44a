//===- ReverseLoops.cpp - Adjoints of loops that save residuals -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Loops.h"
#include "Reverse.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ingot;

/// The largest size of the residuals of one loop: 1 GiB.
static constexpr double maxResidualBytes = double(int64_t(1) << 30);
/// Marks a loop whose residuals would be larger. If a loop around it is
/// replayed, the copies of the loop inherit the mark: without it, each of them
/// would emit its adjoint only to find that out again, in a compile time that
/// is exponential in the depth of nesting.
static constexpr StringLiteral replayed = "ingot.replayed";

//===----------------------------------------------------------------------===//
// Values that a loop carries backwards
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
  unsigned position = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<ForOp>(op)) {
    Block &body = loop.getBody().front();
    Value yielded = body.getTerminator()->getOperand(position);
    bool isUpdated = isUpdateOf(yielded, body.getArgument(1 + position));
    return isUpdated ? loop.getInitArgs()[position] : nullptr;
  }
  Value found;
  for (Region &region : op->getRegions()) {
    Value start = region.front().getTerminator()->getOperand(position);
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
  for (auto [i, position] : llvm::enumerate(flow.active))
    add(inits[position], sums[i]);
}

//===----------------------------------------------------------------------===//
// Loops that save the residuals of all iterations
//===----------------------------------------------------------------------===//

Range ingot::rangeOf(ForOp op, Frame &frame) {
  return {frame.get(op.getLower()), frame.get(op.getUpper()),
          frame.get(op.getStep())};
}

/// A carried value that no iteration changes is the same before and after the
/// loop.
static void bindUnchanged(ForOp op, Frame &frame) {
  Block &body = op.getBody().front();
  for (OpResult result : op->getResults()) {
    unsigned position = result.getResultNumber();
    Value after = frame.lookup(result);
    if (after && body.getTerminator()->getOperand(position) ==
                     body.getArgument(1 + position))
      frame.bind(op.getInitArgs()[position], after);
  }
}

LogicalResult Reverse::visitFor(ForOp op, Frame &frame) {
  if (frame.isDeferred())
    bindUnchanged(op, frame);
  std::optional<int64_t> maxCount = maxTripCount(op);
  if (!maxCount && areCountsKnown)
    return op.emitError("nothing limits the number of iterations");
  FailureOr<bool> isDone = false;
  auto capacityFor = [&](double bytes) {
    return bytes * *maxCount <= maxResidualBytes ? *maxCount : 0;
  };
  if (maxCount && !op->hasAttr(replayed))
    isDone = reverseBySaving(op, frame, capacityFor);
  if (failed(isDone))
    return failure();
  if (*isDone)
    return success();
  op->setAttr(replayed, builder.getUnitAttr());
  Value count = rangeOf(op, frame).count(builder, op.getLoc());
  return reverseByReplay(op, count, frame);
}

/// The index of the iteration that a reverse pass comes to after `step` others.
static Value indexAfter(OpBuilder &builder, const Range &range, Value number,
                        Value step) {
  mlir::Location location = step.getLoc();
  auto count = range.knownCount(), lower = boundOf(range.lower);
  if (!count || boundOf(range.step) != -1)
    return range.index(builder, number);
  return AddOp::create(builder, location, step,
                       integer(builder, location, *lower - *count + 1));
}

/// Emits the adjoints of an iteration, and yields the cotangents and arrays for
/// the iteration before.
LogicalResult Reverse::sweepBody(ForOp op, const Flow &flow, Frame &frame,
                                 Block &backward) {
  Block &body = op.getBody().front();
  Operation *end = body.getTerminator();
  ValueRange given = backward.getArguments().drop_front();
  for (auto [i, value] : llvm::enumerate(flow.captures))
    cotangents[value] = given[flow.active.size() + i];
  for (auto [i, position] : llvm::enumerate(flow.active))
    add(end->getOperand(position), given[i]);
  ValueRange arrays = given.take_back(flow.updated.size());
  for (auto [position, array] : llvm::zip_equal(flow.updated, arrays))
    frame.bind(end->getOperand(position), array);
  if (failed(sweep(body, frame)))
    return failure();

  SmallVector<Value> yielded;
  for (unsigned position : flow.active)
    yielded.push_back(cotangentOrZeros(body.getArgument(1 + position)));
  for (Value value : flow.captures)
    yielded.push_back(cotangents.lookup(value));
  for (unsigned position : flow.updated) {
    Value argument = body.getArgument(1 + position);
    Value array = frame.lookup(argument);
    yielded.push_back(array ? array : frame.get(argument));
  }
  YieldOp::create(builder, op.getLoc(), yielded);
  return success();
}

FailureOr<bool>
Reverse::reverseBySaving(ForOp op, Frame &frame,
                         function_ref<int64_t(double bytes)> capacityFor) {
  mlir::Location location = op.getLoc();
  Block &body = op.getBody().front();
  Flow flow = flowOf(op);
  SmallVector<Value> inits = cotangentsOf(op, flow);
  for (unsigned position : flow.updated) {
    Value array = frame.lookup(op.getResult(position));
    inits.push_back(array ? array : frame.get(op.getResult(position)));
  }
  Range range = rangeOf(op, frame);
  Value count = range.count(builder, location);
  DenseMap<Value, Value> outside = cotangents;
  ForOp made;
  Value number, index;
  SmallVector<Frame::Residual> residuals;
  {
    OpBuilder::InsertionGuard guard(builder);
    made = beginFor(builder, location, count, inits);
    Block *block = builder.getInsertionBlock();
    Value last =
        SubOp::create(builder, location, count, integer(builder, location, 1));
    number = SubOp::create(builder, location, last, block->getArgument(0));
    index = indexAfter(builder, range, number, block->getArgument(0));
    Frame inner(frame, body, *block, index.getDefiningOp());
    inner.bind(body.getArgument(0), index);
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Value argument = body.getArgument(1 + i);
      if (body.getTerminator()->getOperand(i) == argument)
        inner.bind(argument, frame.get(op.getInitArgs()[i]));
    }
    cotangents.clear();
    if (failed(sweepBody(op, flow, inner, *block)))
      return failure();
    residuals = inner.resolve();
  }
  cotangents = std::move(outside);
  double bytes = 0;
  for (Frame::Residual each : residuals)
    bytes += bytesOf(each.value.getType());
  int64_t capacity = capacityFor(bytes);
  if (capacity == 0 && bytes > 0) {
    made.erase();
    return false;
  }
  if (!residuals.empty()) {
    SmallVector<Value> values;
    for (Frame::Residual each : residuals)
      values.push_back(each.value);
    ForOp forward = saveInLoop(op, values, capacity);
    OpBuilder::InsertionGuard guard(builder);
    for (auto [i, each] : llvm::enumerate(residuals)) {
      builder.setInsertionPoint(each.placeholder);
      Value all = frame.get(forward.getResult(op.getNumResults() + i));
      Value placeholder = each.placeholder->getResult(0), place = number;
      if (auto offset = offsetOnStack(range, capacity))
        place = AddOp::create(builder, location, index,
                              integer(builder, location, *offset));
      placeholder.replaceAllUsesWith(
          readAt(builder, all, place, placeholder.getType()));
      each.placeholder->erase();
    }
    replace(op, forward, frame);
    op = forward;
  }
  for (unsigned position : flow.active)
    cotangents.erase(op.getResult(position));
  setCotangents(op, flow, made.getResults());
  unsigned first = flow.active.size() + flow.captures.size();
  for (auto [i, position] : llvm::enumerate(flow.updated))
    if (frame.isDeferred() && frame.lookup(op.getResult(position)))
      frame.bind(op.getInitArgs()[position], made.getResult(first + i));
  return true;
}
