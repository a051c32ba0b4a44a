//===- ExpandJvp.cpp - Forward-mode derivatives ---------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Identities.h"
#include "Regions.h"
#include "Transformations.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDJVP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Adds to a block the operations that compute the tangents of its values, each
/// after the operation whose results they belong to.
class Forward {
public:
  Forward(OpBuilder &builder, Activity &activity)
      : builder(builder), activity(activity) {}

  void setTangent(Value value, Value tangent) { tangents[value] = tangent; }
  LogicalResult visitBlock(Block &block);
  /// Yields, after all others, the tangents of some of the yielded values.
  void yieldTangents(Region &region, ArrayRef<int64_t> of);

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitRegions(Operation *op);
  LogicalResult visitCheckpoint(CheckpointOp op);
  LogicalResult visitCustom(CustomDerivativeOp op);
  /// Null stands for zero.
  Value tangent(Value value) { return tangents.lookup(value); }
  Value tangentOrZeros(Value value) {
    Value found = tangent(value);
    return found ? found : zerosOf(builder, value.getLoc(), value.getType());
  }
  bool hasTangent(ValueRange values) {
    return llvm::any_of(values, [&](Value v) { return tangent(v) != nullptr; });
  }

  OpBuilder &builder;
  Activity &activity;
  DenseMap<Value, Value> tangents;
};

} // namespace

LogicalResult Forward::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult Forward::visit(Operation *op) {
  if (isa<IfOp, ForOp, WhileOp>(op))
    return visitRegions(op);
  if (auto checkpoint = dyn_cast<CheckpointOp>(op))
    return visitCheckpoint(checkpoint);
  if (auto custom = dyn_cast<CustomDerivativeOp>(op))
    return visitCustom(custom);
  if (isa<BitcastOp>(op) && activity.isActive(op->getResult(0)))
    return emitNoDerivative(op);
  if (isa<StopGradientOp>(op) || !hasTangent(op->getOperands()) ||
      llvm::none_of(op->getResultTypes(), isDifferentiable))
    return success();
  if (auto identity = identityOf(op)) {
    builder.setInsertionPointAfter(op);
    SmallVector<Value> given;
    for (Value argument : identity->arguments)
      given.push_back(given.empty() ? tangentOrZeros(argument)
                                    : tangent(argument));
    auto here = [](Value value) { return value; };
    setTangent(op->getResult(0), identity->tangent(builder, given, here));
    return success();
  }
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (!rule)
    return emitNoDerivative(op);
  SmallVector<Value> given, found;
  for (Value operand : op->getOperands())
    given.push_back(tangent(operand));
  builder.setInsertionPointAfter(op);
  if (failed(rule.buildTangents(builder, given, found)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), found))
    if (value && isDifferentiable(result.getType()))
      setTangent(result, value);
  return success();
}

/// Forward mode has no residuals, so a checkpoint is just its body.
LogicalResult Forward::visitCheckpoint(CheckpointOp op) {
  if (failed(visitBlock(op.getBody().front())))
    return failure();
  inlineBody(op);
  return success();
}

LogicalResult Forward::visitCustom(CustomDerivativeOp op) {
  if (failed(checkCaptures(op, activity)))
    return failure();
  if (!hasTangent(op->getOperands()))
    return success();
  if (op.getMode() == DerivativeMode::Vjp)
    return op.emitError("a function with a rule by custom_vjp has no forward "
                        "derivative; use custom_jvp");
  builder.setInsertionPointAfter(op);
  SmallVector<Value> given(op->getOperands());
  for (Value operand : op->getOperands())
    if (isDifferentiable(operand.getType()))
      given.push_back(tangentOrZeros(operand));
  SmallVector<Value> found =
      inlineRule(builder, op, given, {}, [](Value result) { return result; });
  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (isDifferentiable(result.getType()))
      setTangent(result, found[next++]);
  return success();
}

void Forward::yieldTangents(Region &region, ArrayRef<int64_t> of) {
  Operation *end = region.front().getTerminator();
  builder.setInsertionPoint(end);
  SmallVector<Value> found;
  for (int64_t i : of)
    found.push_back(tangentOrZeros(end->getOperand(i)));
  yieldMore(region, found);
}

/// Adds the tangents of results and of loop-carried values as further results
/// and carried values.
LogicalResult Forward::visitRegions(Operation *op) {
  SmallVector<int64_t> active;
  SmallVector<Value> inits;
  OperandRange carried = carriedOperands(op);
  builder.setInsertionPoint(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (!activity.isActive(result))
      continue;
    active.push_back(i);
    inits.push_back(carried.empty() ? result : tangentOrZeros(carried[i]));
  }
  unsigned count = op->getNumResults();
  Operation *made = rebuildWith(op, inits);
  for (auto [from, to] : llvm::zip(op->getResults(), made->getResults())) {
    activity.replace(from, to);
    from.replaceAllUsesWith(to);
  }
  op->erase();
  for (auto [next, i] : llvm::enumerate(active))
    setTangent(made->getResult(i), made->getResult(count + next));

  for (Region &region : made->getRegions()) {
    ArrayRef<BlockArgument> arguments = carriedArguments(region);
    for (auto [next, i] : llvm::enumerate(active))
      if (!arguments.empty())
        setTangent(arguments[i], arguments[count + next]);
    if (isa<ConditionOp>(region.front().getTerminator()))
      continue;
    if (failed(visitBlock(region.front())))
      return failure();
    yieldTangents(region, active);
  }
  return success();
}

LogicalResult ingot::expandJvp(JvpOp op) {
  prepareForDerivative(op);
  Region &body = op.getBody();
  OpBuilder builder(op);
  Activity activity(body.front());
  Forward forward(builder, activity);
  for (auto [argument, tangent] :
       llvm::zip_equal(body.getArguments(),
                       op.getOperands().drop_front(body.getNumArguments())))
    forward.setTangent(argument, tangent);
  if (failed(forward.visitBlock(body.front())))
    return failure();
  forward.yieldTangents(body, op.getOf());
  inlineBody(op);
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
