//===- ExpandJvp.cpp - Forward-mode derivatives ---------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"
#include "Regions.h"
#include "Transformations.h"

#include "mlir/IR/IRMapping.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDJVP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Copies the operations of a block, each followed by those that compute its
/// tangents.
class Forward {
public:
  Forward(OpBuilder &builder, Activity &activity)
      : builder(builder), activity(activity) {}

  void bind(Value from, Value to, Value tangent) {
    primals.map(from, to);
    if (tangent)
      tangents[from] = tangent;
  }
  Value primal(Value value) { return primals.lookupOrDefault(value); }
  /// Null stands for zero.
  Value tangent(Value value) { return tangents.lookup(value); }
  Value tangentOrZeros(Value value) {
    Value found = tangent(value);
    return found ? found : zerosOf(builder, value.getLoc(), value.getType());
  }
  LogicalResult copyBlock(Block &block);

private:
  LogicalResult copy(Operation *op);
  LogicalResult copyRegions(Operation *op);
  LogicalResult copyCheckpoint(CheckpointOp op);
  LogicalResult copyCustom(CustomDerivativeOp op);
  /// The indices of the active values.
  SmallVector<unsigned> activeAmong(ValueRange values);
  /// Yields the primal values that a region yields, then the tangents of the
  /// active ones.
  void yield(Operation *end, ArrayRef<unsigned> active);
  bool hasTangent(ValueRange values) {
    return llvm::any_of(values, [&](Value v) { return tangent(v) != nullptr; });
  }

  OpBuilder &builder;
  Activity &activity;
  IRMapping primals;
  DenseMap<Value, Value> tangents;
};

} // namespace

LogicalResult Forward::copyBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(copy(&op)))
      return failure();
  return success();
}

LogicalResult Forward::copy(Operation *op) {
  if (isa<IfOp, ForOp, WhileOp>(op))
    return copyRegions(op);
  if (auto checkpoint = dyn_cast<CheckpointOp>(op))
    return copyCheckpoint(checkpoint);
  if (auto custom = dyn_cast<CustomDerivativeOp>(op))
    return copyCustom(custom);
  Operation *made = builder.clone(*op, primals);
  if (isa<BitcastOp>(op) && activity.isActive(op->getResult(0)))
    return emitNoDerivative(op);
  if (isa<StopGradientOp>(op) || !hasTangent(op->getOperands()) ||
      llvm::none_of(op->getResultTypes(), isDifferentiable))
    return success();
  auto rule = dyn_cast<DifferentiableOpInterface>(made);
  if (!rule)
    return emitNoDerivative(op);
  SmallVector<Value> given, found;
  for (Value operand : op->getOperands())
    given.push_back(tangent(operand));
  if (failed(rule.buildTangents(builder, given, found)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), found))
    if (value && isDifferentiable(result.getType()))
      tangents[result] = value;
  return success();
}

/// Forward mode has no residuals, so a checkpoint is just its body.
LogicalResult Forward::copyCheckpoint(CheckpointOp op) {
  Block &body = op.getBody().front();
  if (failed(copyBlock(body)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands()))
    bind(result, primal(value), tangent(value));
  return success();
}

LogicalResult Forward::copyCustom(CustomDerivativeOp op) {
  // The clone's regions keep their own values; `primals` must not map to these.
  IRMapping own = primals;
  Operation *made = builder.clone(*op, own);
  primals.map(op->getResults(), made->getResults());
  if (failed(checkCaptures(op, activity)))
    return failure();
  if (!hasTangent(op->getOperands()))
    return success();
  if (op.getMode() == DerivativeMode::Vjp)
    return op.emitError("a function with a rule by custom_vjp has no forward "
                        "derivative; use custom_jvp");
  SmallVector<Value> given(made->getOperands());
  for (Value operand : op->getOperands())
    if (isDifferentiable(operand.getType()))
      given.push_back(tangentOrZeros(operand));
  SmallVector<Value> found = inlineRule(builder, op.getRule(), given, primals);
  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (isDifferentiable(result.getType()))
      tangents[result] = found[next++];
  return success();
}

SmallVector<unsigned> Forward::activeAmong(ValueRange values) {
  SmallVector<unsigned> found;
  for (auto [i, value] : llvm::enumerate(values))
    if (activity.isActive(value))
      found.push_back(i);
  return found;
}

void Forward::yield(Operation *end, ArrayRef<unsigned> active) {
  SmallVector<Value> yielded;
  for (Value value : end->getOperands())
    yielded.push_back(primal(value));
  for (unsigned i : active)
    yielded.push_back(tangentOrZeros(end->getOperand(i)));
  YieldOp::create(builder, end->getLoc(), yielded);
}

/// Adds the tangents of results and of loop-carried values as further results
/// and carried values.
LogicalResult Forward::copyRegions(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(primal(operand));
  SmallVector<Type> types(op->getResultTypes());
  SmallVector<unsigned> active = activeAmong(op->getResults());
  OperandRange inits = carriedOperands(op);
  for (unsigned i : active) {
    types.push_back(op->getResult(i).getType());
    if (!inits.empty())
      operands.push_back(tangentOrZeros(inits[i]));
  }
  Operation *made = createLike(builder, op, operands, types);

  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), made->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&to);
    for (BlockArgument argument : from.getArguments())
      primals.map(argument,
                  block->addArgument(argument.getType(), argument.getLoc()));
    ArrayRef<BlockArgument> carried = carriedArguments(from);
    for (unsigned i : inits.empty() ? ArrayRef<unsigned>() : active)
      tangents[carried[i]] =
          block->addArgument(carried[i].getType(), carried[i].getLoc());
    Block &source = from.front();
    if (isa<ConditionOp>(source.getTerminator())) {
      for (Operation &each : source)
        builder.clone(each, primals);
      continue;
    }
    if (failed(copyBlock(source)))
      return failure();
    yield(source.getTerminator(), active);
  }
  primals.map(op->getResults(),
              made->getResults().take_front(op->getNumResults()));
  for (auto [i, index] : llvm::enumerate(active))
    tangents[op->getResult(index)] = made->getResult(op->getNumResults() + i);
  return success();
}

LogicalResult ingot::expandJvp(JvpOp op) {
  prepareForDerivative(op);
  Block &body = op.getBody().front();
  OpBuilder builder(op);
  Activity activity(body);
  Forward forward(builder, activity);
  unsigned count = body.getNumArguments();
  for (auto [argument, primal, tangent] :
       llvm::zip_equal(body.getArguments(), op.getOperands().take_front(count),
                       op.getOperands().drop_front(count)))
    forward.bind(argument, primal, tangent);
  if (failed(forward.copyBlock(body)))
    return failure();
  Operation *end = body.getTerminator();
  SmallVector<Value> results;
  for (Value value : end->getOperands())
    results.push_back(forward.primal(value));
  for (int64_t i : op.getOf())
    results.push_back(forward.tangentOrZeros(end->getOperand(i)));
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}

namespace {
struct ExpandJvp : public ingot::impl::ExpandJvpBase<ExpandJvp> {
  void runOnOperation() override {
    auto expand = [](Operation *op) { return expandJvp(cast<JvpOp>(op)); };
    if (failed(expandAll<JvpOp>(getOperation(), expand)))
      signalPassFailure();
  }
};
} // namespace
