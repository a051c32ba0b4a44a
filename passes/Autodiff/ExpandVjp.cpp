//===- ExpandVjp.cpp - Reverse-mode derivatives ---------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDVJP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Adds up cotangents, from the last operation to the first. They are kept by
/// the callee's values; what is emitted uses the copies of these.
class Reverse {
public:
  Reverse(OpBuilder &builder, Activity &activity)
      : builder(builder), activity(activity) {}

  /// Adds to the cotangent of a value; nothing where no derivative flows.
  void add(Value value, Value cotangent) {
    if (!cotangent || !activity.isActive(value))
      return;
    Value &sum = cotangents[value];
    sum = accumulated(builder, value.getLoc(), sum, cotangent);
  }
  Value cotangentOrZeros(Value value) {
    Value found = cotangents.lookup(value);
    return found ? found : zerosOf(builder, value.getLoc(), value.getType());
  }
  /// Emits the adjoints of a block whose operations were copied.
  LogicalResult sweep(Block &block, IRMapping &copies);

private:
  LogicalResult visit(Operation *op, IRMapping &copies);
  LogicalResult visitIf(IfOp op, IRMapping &copies);

  OpBuilder &builder;
  Activity &activity;
  DenseMap<Value, Value> cotangents;
};

} // namespace

static void copyBlock(OpBuilder &builder, Block &block, IRMapping &copies) {
  for (Operation &op : block.without_terminator())
    builder.clone(op, copies);
}

/// What runs a second time has been checked, and has printed.
static void eraseEffects(Block &block) {
  SmallVector<Operation *> effects;
  block.walk([&](Operation *op) {
    if (isa<AssertOp, PrintOp>(op))
      effects.push_back(op);
  });
  for (Operation *op : effects)
    op->erase();
}

LogicalResult Reverse::sweep(Block &block, IRMapping &copies) {
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (llvm::any_of(op.getResults(),
                     [&](Value v) { return cotangents.contains(v); }) &&
        failed(visit(&op, copies)))
      return failure();
  return success();
}

LogicalResult Reverse::visit(Operation *op, IRMapping &copies) {
  if (auto branch = dyn_cast<IfOp>(op))
    return visitIf(branch, copies);
  if (isa<ForOp, WhileOp>(op)) {
    return op->emitError("a loop has no reverse derivative yet; use jvp, or "
                         "write it with whole arrays");
  }
  auto rule = dyn_cast<DifferentiableOpInterface>(copies.lookup(op));
  if (!rule)
    return emitNoDerivative(op);
  SmallVector<Value> given, found;
  for (Value result : op->getResults())
    given.push_back(cotangents.lookup(result));
  if (failed(rule.buildAdjoints(builder, given, found)))
    return failure();
  for (auto [operand, value] : llvm::zip_equal(op->getOperands(), found))
    add(operand, value);
  return success();
}

/// The values from outside of an `if` to which derivatives flow inside.
static SetVector<Value> activeCaptures(IfOp op, Activity &activity) {
  SetVector<Value> found;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Region *home = operand.getParentRegion();
      if (inner != op && !op->isAncestor(home->getParentOp()) &&
          activity.isActive(operand))
        found.insert(operand);
    }
  });
  return found;
}

LogicalResult Reverse::visitIf(IfOp op, IRMapping &copies) {
  SetVector<Value> captures = activeCaptures(op, activity);
  SmallVector<Type> types;
  for (Value value : captures)
    types.push_back(value.getType());
  auto made = IfOp::create(builder, op.getLoc(), types,
                           copies.lookupOrDefault(op.getCondition()));
  DenseMap<Value, Value> outside = std::move(cotangents);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), made->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&to);
    IRMapping inner = copies;
    copyBlock(builder, from.front(), inner);
    eraseEffects(to.front());
    cotangents.clear();
    Operation *end = from.front().getTerminator();
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(), end->getOperands()))
      add(value, outside.lookup(result));
    if (failed(sweep(from.front(), inner)))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : captures)
      yielded.push_back(cotangentOrZeros(value));
    YieldOp::create(builder, op.getLoc(), yielded);
  }
  cotangents = std::move(outside);
  for (auto [value, part] : llvm::zip_equal(captures, made.getResults()))
    add(value, part);
  return success();
}

static LogicalResult expand(VjpOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  Block &body = callee.getBody().front();
  Activity activity([](Value) { return false; });
  for (int64_t place : op.getWrt())
    activity.set(body.getArgument(place));
  activity.visitBlock(body);

  OpBuilder builder(op);
  IRMapping copies;
  unsigned count = body.getNumArguments();
  copies.map(body.getArguments(), op.getOperands().take_front(count));
  copyBlock(builder, body, copies);
  Reverse reverse(builder, activity);
  Operation *end = body.getTerminator();
  for (auto [i, place] : llvm::enumerate(op.getOf()))
    reverse.add(end->getOperand(place), op.getOperand(count + i));
  if (failed(reverse.sweep(body, copies)))
    return failure();
  SmallVector<Value> results;
  for (Value value : end->getOperands())
    results.push_back(copies.lookupOrDefault(value));
  for (int64_t place : op.getWrt())
    results.push_back(reverse.cotangentOrZeros(body.getArgument(place)));
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}

namespace {
struct ExpandVjp : public ingot::impl::ExpandVjpBase<ExpandVjp> {
  void runOnOperation() override {
    if (failed(expandCalls<VjpOp>(getOperation(), expand)))
      signalPassFailure();
  }
};
} // namespace
