//===- ExpandVjp.cpp - Reverse-mode derivatives ---------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Additions.h"
#include "Identities.h"
#include "Loops.h"
#include "Reverse.h"
#include "Transformations.h"

#include "mlir/IR/IRMapping.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDVJP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

void Reverse::add(Value value, Value cotangent) {
  if (!cotangent || !activity.isActive(value))
    return;
  Value &sum = cotangents[value];
  sum = accumulated(builder, value.getLoc(), sum, cotangent);
}

Value Reverse::cotangentOrZeros(Value value) {
  Value found = cotangents.lookup(value);
  return found ? found : zerosOf(builder, value.getLoc(), value.getType());
}

LogicalResult Reverse::sweep(Block &block, Frame &frame) {
  // A visit may replace or add forward operations, but not before `op`.
  Operation *op = block.getTerminator()->getPrevNode();
  while (op) {
    Operation *before = op->getPrevNode();
    bool isReached = llvm::any_of(op->getResults(), [&](Value v) {
      return cotangents.contains(v) || (frame.isDeferred() && frame.lookup(v));
    });
    if (isReached && failed(visit(op, frame)))
      return failure();
    op = before;
  }
  return success();
}

LogicalResult Reverse::visit(Operation *op, Frame &frame) {
  if (auto branch = dyn_cast<IfOp>(op))
    return visitIf(branch, frame);
  if (auto loop = dyn_cast<ForOp>(op))
    return visitFor(loop, frame);
  if (auto loop = dyn_cast<WhileOp>(op))
    return visitWhile(loop, frame);
  if (auto checkpoint = dyn_cast<CheckpointOp>(op))
    return visitCheckpoint(checkpoint, frame);
  if (auto custom = dyn_cast<CustomDerivativeOp>(op))
    return visitCustom(custom, frame);
  if (auto update = dyn_cast<UpdateSliceOp>(op)) {
    undo(update, frame);
    if (visitAddition(update, frame))
      return success();
  }
  auto addition = additionFrom(op);
  if (addition && cotangents.contains(addition->update.getResult()))
    return success();
  if (!llvm::any_of(op->getResults(),
                    [&](Value v) { return cotangents.contains(v); }))
    return success();

  if (auto identity = identityOf(op)) {
    SmallVector<Value> tangents, found;
    for (Value argument : identity->arguments)
      tangents.push_back(
          tangents.empty() || activity.isActive(argument)
              ? zerosOf(builder, op->getLoc(), argument.getType())
              : nullptr);
    auto here = [&](Value value) { return frame.get(value); };
    auto emit = [&](ValueList &emitted) {
      emitted.push_back(identity->tangent(builder, tangents, here));
      return success();
    };
    Value cotangent = cotangents.lookup(op->getResult(0));
    if (failed(transpose(op, builder, tangents, emit, {cotangent}, found)))
      return failure();
    for (auto [argument, part] : llvm::zip(identity->arguments, found))
      add(argument, part);
    return success();
  }

  // Rules are applied to a clone whose operands are values of the backward
  // code; it is erased afterwards.
  Operation *here = op;
  if (frame.isDeferred()) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, frame.get(operand));
    here = builder.clone(*op, mapping);
  }
  auto rule = dyn_cast<DifferentiableOpInterface>(here);
  if (!rule)
    return emitNoDerivative(op);
  SmallVector<Value> given, found;
  for (Value result : op->getResults())
    given.push_back(cotangents.lookup(result));
  Value sum = cotangents.lookup(op->getOperand(0));
  if (Value more = sum ? rule.accumulate(builder, given[0], sum) : nullptr)
    cotangents[op->getOperand(0)] = more;
  else if (failed(rule.buildAdjoints(builder, given, found)))
    return failure();
  for (auto [operand, value] : llvm::zip(op->getOperands(), found))
    add(operand, value);
  if (here == op)
    return success();
  for (auto [from, to] : llvm::zip(here->getResults(), op->getResults()))
    if (!from.use_empty())
      from.replaceAllUsesWith(frame.get(to));
  here->erase();
  return success();
}

/// If the backward code carries the updated array, restores the elements that
/// the update overwrote. The forward code reads them before the update.
void Reverse::undo(UpdateSliceOp op, Frame &frame) {
  Value after = frame.isDeferred() ? frame.lookup(op.getResult()) : nullptr;
  if (!after)
    return;
  OpBuilder before(op);
  Value old = DynamicSliceOp::create(
      before, op.getLoc(), op.getOperand(), op.getStarts(),
      op.getUpdate().getType().getShape(), op.getStrides());
  SmallVector<Value> starts;
  for (Value start : op.getStarts())
    starts.push_back(frame.get(start));
  Value restored = UpdateSliceOp::create(
      builder, op.getLoc(), after, frame.get(old), starts, op.getStrides());
  frame.bind(op.getOperand(), restored);
}

/// Pattern: array[part] += x, of which the cotangent of the array remains as it
/// is, and the one of what is read is left out. By the rules of the operations
/// the part would be set to zero, and added again.
bool Reverse::visitAddition(UpdateSliceOp op, Frame &frame) {
  Value cotangent = cotangents.lookup(op.getResult());
  auto addition = cotangent ? additionOf(op) : std::nullopt;
  if (!addition)
    return false;
  SmallVector<Value> starts;
  for (Value start : op.getStarts())
    starts.push_back(frame.get(start));
  Value part = DynamicSliceOp::create(builder, op.getLoc(), cotangent, starts,
                                      shapeOf(op.getUpdate()), op.getStrides());
  add(op.getOperand(), cotangent);
  add(op.getUpdate(), part);
  return true;
}

/// Sets the initial cotangents of a block's adjoint: those of the values that
/// it uses from outside and of the values that it yields.
void Reverse::seed(Operation *op, Block &body, const SetVector<Value> &captures,
                   const DenseMap<Value, Value> &outside) {
  cotangents.clear();
  for (Value value : captures)
    if (Value sum = outside.lookup(value))
      cotangents[value] = sum;
  for (auto [value, result] :
       llvm::zip_equal(body.getTerminator()->getOperands(), op->getResults()))
    add(value, outside.lookup(result));
}

LogicalResult Reverse::visitIf(IfOp op, Frame &frame) {
  mlir::Location location = op.getLoc();
  SetVector<Value> captures = activeCaptures(op, activity);
  SmallVector<Type> types;
  for (Value value : captures)
    types.push_back(value.getType());
  SmallVector<std::pair<unsigned, Value>> updated;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Value start = beforeUpdate(result);
    if (!frame.isDeferred() || !frame.lookup(result) || !start)
      continue;
    updated.push_back({i, start});
    types.push_back(result.getType());
  }
  auto made =
      IfOp::create(builder, location, types, frame.get(op.getCondition()));
  DenseMap<Value, Value> outside = std::move(cotangents);
  SmallVector<Value> residuals[2];
  SmallVector<Operation *> unresolved;
  DenseSet<Value> reached;
  for (unsigned side : {0, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    Block &body = op->getRegion(side).front();
    Block *block = builder.createBlock(&made->getRegion(side));
    Frame inner(frame, body, *block);
    seed(op, body, captures, outside);
    Operation *end = body.getTerminator();
    for (auto [i, start] : updated)
      inner.bind(end->getOperand(i), frame.lookup(op.getResult(i)));
    if (failed(sweep(body, inner)))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : captures) {
      if (cotangents.contains(value))
        reached.insert(value);
      yielded.push_back(cotangentOrZeros(value));
    }
    for (auto [i, start] : updated) {
      Value array = inner.lookup(start);
      yielded.push_back(array ? array : inner.get(start));
    }
    YieldOp::create(builder, location, yielded);
    for (Frame::Residual each : inner.resolve()) {
      residuals[side].push_back(each.value);
      unresolved.push_back(each.placeholder);
    }
  }
  cotangents = std::move(outside);
  // The adjoint of what computes a value that no region has a cotangent for
  // would compute with zeros, and may divide by others.
  for (auto [value, sum] : llvm::zip(captures, made.getResults()))
    if (reached.contains(value))
      cotangents[value] = sum;
  for (auto [i, each] : llvm::enumerate(updated))
    frame.bind(each.second, made.getResult(captures.size() + i));
  if (unresolved.empty())
    return success();
  IfOp forward = saveInIf(op, residuals[0], residuals[1]);
  for (auto [i, placeholder] : llvm::enumerate(unresolved)) {
    Value value = forward.getResult(op.getNumResults() + i);
    placeholder->getResult(0).replaceAllUsesWith(frame.get(value));
    placeholder->erase();
  }
  replace(op, forward, frame);
  return success();
}

/// Replaces a forward operation by one with more results.
void Reverse::replace(Operation *op, Operation *made, Frame &frame) {
  frame.replaced(op, made);
  for (auto [from, to] : llvm::zip(op->getResults(), made->getResults())) {
    Value sum = cotangents.lookup(from);
    cotangents.erase(from);
    if (sum)
      cotangents[to] = sum;
    activity.replace(from, to);
    from.replaceAllUsesWith(to);
  }
  op->erase();
}

LogicalResult ingot::expandVjp(VjpOp op, bool areCountsKnown) {
  prepareForDerivative(op);
  Block &body = op.getBody().front();
  Operation *end = body.getTerminator();
  unsigned count = body.getNumArguments();
  OpBuilder builder(end);
  Activity activity(body);
  Reverse reverse(builder, activity, areCountsKnown);
  Frame frame;
  for (auto [i, cotangent] :
       llvm::zip_equal(op.getOf(), op.getOperands().drop_front(count)))
    reverse.add(end->getOperand(i), cotangent);
  if (failed(reverse.sweep(body, frame)))
    return failure();
  SmallVector<Value> sums;
  for (Value argument : body.getArguments())
    sums.push_back(reverse.cotangentOrZeros(argument));
  yieldMore(op.getBody(), sums);
  inlineBody(op);
  return success();
}

namespace {
struct ExpandVjp : public ingot::impl::ExpandVjpBase<ExpandVjp> {
  using ExpandVjpBase::ExpandVjpBase;
  void runOnOperation() override {
    auto expand = [&](Operation *op) {
      return expandVjp(cast<VjpOp>(op), countsKnown);
    };
    if (failed(expandAll<VjpOp>(getOperation(), expand)))
      signalPassFailure();
  }
};
} // namespace
