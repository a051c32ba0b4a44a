//===- LowerEffects.cpp - Run-time checks as a result ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace ingot {
#define GEN_PASS_DEF_LOWEREFFECTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Threads the status through one function.
class StatusThreader {
public:
  explicit StatusThreader(func::FuncOp function)
      : builder(function.getContext()),
        type(RankedTensorType::get({}, builder.getI32Type())) {}

  /// Replaces the checks in `block`; `status` is the one at its start. Returns
  /// the one at its end.
  FailureOr<Value> thread(Block &block, Value status);

  Value number(mlir::Location location, int32_t value) {
    return constantOf(builder, location, builder.getI32IntegerAttr(value));
  }

  OpBuilder builder;
  RankedTensorType type;
  SmallVector<Attribute> checks;

private:
  Value check(AssertOp op, Value status);
  FailureOr<Value> enter(Operation *op, Value status);
  void stopOnFailure(WhileOp op, Value status);
  void emptyOnFailure(ForOp op, Value status);
  Attribute describe(AssertOp op);
};

} // namespace

Attribute StatusThreader::describe(AssertOp op) {
  FileLineColRange position = findRange(op.getLoc());
  auto integer = [&](unsigned value) {
    return builder.getI64IntegerAttr(value);
  };
  return builder.getArrayAttr(
      {op.getExceptionAttr(), op.getMessageAttr(),
       position ? position.getFilename() : builder.getStringAttr(""),
       integer(position ? position.getStartLine() : 0),
       integer(position ? position.getStartColumn() : 0),
       integer(position ? position.getEndLine() : 0),
       integer(position ? position.getEndColumn() : 0),
       op->getDiscardableAttrDictionary()});
}

Value StatusThreader::check(AssertOp op, Value status) {
  mlir::Location location = op.getLoc();
  checks.push_back(describe(op));
  builder.setInsertionPoint(op);
  Value zero = number(location, 0);
  Value failed = SelectOp::create(builder, location, op.getCondition(), zero,
                                  number(location, checks.size()));
  Value isFirst =
      CompareOp::create(builder, location, Comparison::EQ, status, zero);
  Value next = SelectOp::create(builder, location, isFirst, failed, status);
  op.erase();
  return next;
}

/// Ends a loop once a check has failed: the values after that may be such that
/// its condition never becomes false.
void StatusThreader::stopOnFailure(WhileOp op, Value status) {
  auto condition = cast<ConditionOp>(op->getRegion(0).front().getTerminator());
  mlir::Location location = condition.getLoc();
  builder.setInsertionPoint(condition);
  Value isFine = CompareOp::create(builder, location, Comparison::EQ, status,
                                   number(location, 0));
  Value goesOn =
      AndOp::create(builder, location, condition->getOperand(0), isFine);
  condition->setOperand(0, goesOn);
}

/// Makes the trip count of a loop with dynamic bounds 0 once a check has
/// failed: the bounds may then be values that Python would never have reached.
void StatusThreader::emptyOnFailure(ForOp op, Value status) {
  if (matchPattern(op.getLower(), m_Constant()) &&
      matchPattern(op.getUpper(), m_Constant()))
    return;
  mlir::Location location = op.getLoc();
  builder.setInsertionPoint(op);
  Value isFine = CompareOp::create(builder, location, Comparison::EQ, status,
                                   number(location, 0));
  op.getUpperMutable().assign(SelectOp::create(builder, location, isFine,
                                               op.getUpper(), op.getLower()));
}

/// Rebuilds a region operation so that it carries the status too.
FailureOr<Value> StatusThreader::enter(Operation *op, Value status) {
  if (!isa<IfOp, ForOp, WhileOp>(op))
    return op->emitOpError("can't carry the status of the checks inside");
  if (auto loop = dyn_cast<ForOp>(op); loop && !checks.empty())
    emptyOnFailure(loop, status);
  Operation *next = rebuildWith(op, status);
  op->replaceAllUsesWith(next->getResults().drop_back());
  op->erase();

  for (Region &region : next->getRegions()) {
    ArrayRef<BlockArgument> carried = carriedArguments(region);
    Value start = carried.empty() ? status : Value(carried.back());
    FailureOr<Value> end = thread(region.front(), start);
    if (failed(end))
      return failure();
    Operation *terminator = region.front().getTerminator();
    if (isa<YieldOp>(terminator))
      yieldMore(region, *end);
    else if (*end != start)
      return terminator->emitError(
          "a condition of ingot.while can't contain checks");
    else
      stopOnFailure(cast<WhileOp>(next), start);
  }
  return Value(next->getResults().back());
}

FailureOr<Value> StatusThreader::thread(Block &block, Value status) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto assertOp = dyn_cast<AssertOp>(op)) {
      status = check(assertOp, status);
      continue;
    }
    if (auto print = dyn_cast<PrintOp>(op)) {
      builder.setInsertionPoint(print);
      auto next = OrderedPrintOp::create(
          builder, print.getLoc(), type, print->getResultTypes(), status,
          print.getFormatAttr(), print.getCallbackAttr(), print.getValues());
      next->setDiscardableAttrs(print->getDiscardableAttrDictionary());
      print->replaceAllUsesWith(next.getResults_());
      print.erase();
      status = next.getNext();
      continue;
    }
    if (op.getNumRegions() == 0)
      continue;
    if (!hasAny<AssertOp, PrintOp>(&op)) {
      if (checks.empty())
        continue;
      op.walk([&](WhileOp loop) { stopOnFailure(loop, status); });
      op.walk([&](ForOp loop) { emptyOnFailure(loop, status); });
      continue;
    }
    FailureOr<Value> next = enter(&op, status);
    if (failed(next))
      return failure();
    status = *next;
  }
  return status;
}

static LogicalResult lowerEffects(func::FuncOp function) {
  if (function.isExternal() || !hasAny<AssertOp, PrintOp>(function))
    return success();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has checks and more than one block");
  auto module = function->getParentOfType<ModuleOp>();
  if (!SymbolTable::symbolKnownUseEmpty(function, module))
    return function.emitOpError("has checks and is called: inline it, or run "
                                "expand-transformations, first");
  StatusThreader threader(function);
  Block &block = function.getBody().front();
  threader.builder.setInsertionPointToStart(&block);
  FailureOr<Value> status =
      threader.thread(block, threader.number(function.getLoc(), 0));
  if (failed(status))
    return failure();
  block.getTerminator()->insertOperands(block.getTerminator()->getNumOperands(),
                                        *status);
  if (failed(function.insertResult(function.getNumResults(), threader.type,
                                   DictionaryAttr())))
    return failure();
  function->setAttr("ingot.checks",
                    threader.builder.getArrayAttr(threader.checks));
  return success();
}

namespace {
struct LowerEffects : public ingot::impl::LowerEffectsBase<LowerEffects> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(lowerEffects(function)))
        return signalPassFailure();
  }
};
} // namespace
