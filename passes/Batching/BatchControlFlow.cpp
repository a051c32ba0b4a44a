//===- BatchControlFlow.cpp - Branches and loops of all lanes -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
#include "CarriedArrays.h"
#include "Regions.h"

using namespace mlir;
using namespace ingot;

Value Batcher::choose(Value condition, Value then, Value otherwise) {
  if (then == otherwise)
    return then;
  int64_t rank = std::max(typeOf(then).getRank(), typeOf(otherwise).getRank());
  SmallVector<int64_t> shape(std::max<int64_t>(rank, 1), 1);
  shape[0] = size;
  auto type = typeOf(condition).clone(shape);
  if (condition.getType() != type)
    condition = ReshapeOp::create(builder, condition.getLoc(), type, condition);
  return SelectOp::create(builder, then.getLoc(), condition, then, otherwise);
}

Value Batcher::masked(Value condition) {
  if (!mask)
    return condition;
  return AndOp::create(builder, condition.getLoc(), mask, condition);
}

Value Batcher::anyOf(Value condition) {
  return ReduceOp::create(builder, condition.getLoc(), ReduceKind::Or,
                          condition, ArrayRef<int64_t>{0});
}

void Batcher::setMask(Value narrower) {
  if (mask)
    wider[narrower] = mask;
  mask = narrower;
}

bool Batcher::isUpdateOf(Value value, Value base, Value within) const {
  auto isWithin = [&](Value narrow) {
    while (narrow && narrow != within)
      narrow = wider.lookup(narrow);
    return narrow == within;
  };
  while (value != base) {
    auto [old, updated] = updates.lookup(value);
    if (!old || !isWithin(updated))
      return false;
    value = old;
  }
  return true;
}

void Batcher::yield(Operation *end,
                    llvm::function_ref<bool(unsigned)> hasLanes) {
  SmallVector<Value> yielded;
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    yielded.push_back(hasLanes(i) ? stackOf(value) : copyOf(value));
  YieldOp::create(builder, end->getLoc(), yielded);
}

LogicalResult Batcher::copyRegions(Operation *op) {
  if (auto custom = dyn_cast<CustomVmapOp>(op))
    return copyCustom(custom);
  if (!lanes.anyDiffers(controlsOf(op)))
    return copyUniform(op);
  if (auto branch = dyn_cast<IfOp>(op))
    return copyDivergentIf(branch);
  if (auto loop = dyn_cast<ForOp>(op))
    return copyDivergentFor(loop);
  return copyDivergentWhile(cast<WhileOp>(op));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The condition differs between lanes: both regions run, each under the mask
/// of its lanes, and each lane selects its results.
LogicalResult Batcher::copyDivergentIf(IfOp op) {
  Value condition = copyOf(op.getCondition()), saved = mask;
  Value thenMask = masked(condition);
  Value elseMask = masked(NotOp::create(builder, op.getLoc(), condition));
  Operation *thenEnd = op.getThenRegion().front().getTerminator(),
            *elseEnd = op.getElseRegion().front().getTerminator();
  setMask(thenMask);
  if (failed(copyBlock(op.getThenRegion().front())))
    return failure();
  mask = saved;
  setMask(elseMask);
  // The other lanes update arrays that all lanes share after these.
  SmallVector<std::pair<Value, Value>> before;
  for (auto [then, otherwise] :
       llvm::zip_equal(thenEnd->getOperands(), elseEnd->getOperands())) {
    if (!lanes.isCommon(then))
      continue;
    Value from = arrayBefore(op, otherwise);
    before.emplace_back(from, copyOf(from));
    bind(from, copyOf(then));
  }
  if (failed(copyBlock(op.getElseRegion().front())))
    return failure();
  SmallVector<Value> others = stacksOf(elseEnd->getOperands());
  mask = saved;
  for (auto [array, copy] : before)
    bind(array, copy);
  for (auto [result, then, b] :
       llvm::zip_equal(op.getResults(), thenEnd->getOperands(), others)) {
    Value a = stackOf(then);
    // An array that only one region updates needs no selection: the update is
    // masked.
    if (lanes.isCommon(result) || isUpdateOf(b, a, elseMask))
      bind(result, b);
    else if (isUpdateOf(a, b, thenMask))
      bind(result, a);
    else
      bind(result, choose(condition, a, b));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Copies a region operation whose control flow is the same in all lanes.
LogicalResult Batcher::copyUniform(Operation *op) {
  SmallVector<Type> types;
  for (Value result : op->getResults())
    types.push_back(lanes.differ(result) ? stacked(result.getType())
                                         : result.getType());
  unsigned fixed = op->getNumOperands() - carriedOperands(op).size();
  SmallVector<Value> operands;
  bool isCustom = isa<CustomDerivativeOp, NumpyFunctionOp>(op);
  bool allHaveLanes = lanes.anyDiffers(op->getResults());
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    bool hasLanes = isCustom ? allHaveLanes
                             : number >= fixed &&
                                   lanes.differ(op->getResult(number - fixed));
    operands.push_back(hasLanes ? stackOf(operand.get())
                                : copyOf(operand.get()));
  }
  Operation *made = createLike(builder, op, operands, types);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), made->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&to);
    for (BlockArgument argument : from.getArguments()) {
      Type type = argument.getType();
      bind(argument,
           block->addArgument(lanes.differ(argument) ? stacked(type) : type,
                              argument.getLoc()));
    }
    if (failed(copyBlock(from.front())))
      return failure();
    Operation *end = from.front().getTerminator();
    if (isa<ConditionOp>(end)) {
      // If no lane runs, nothing is known of the condition, and the loop might
      // never end.
      Value condition = copyOf(end->getOperand(0));
      if (mask)
        condition =
            AndOp::create(builder, end->getLoc(), condition, anyOf(mask));
      ConditionOp::create(builder, end->getLoc(), condition);
      continue;
    }
    // Either all arguments and results of these are stacked or none is, see
    // Lanes::visitCustom.
    yield(end, [&](unsigned i) {
      return isCustom ? allHaveLanes : lanes.differ(op->getResult(i));
    });
  }
  bindAll(op->getResults(), made->getResults());
  auto loop = dyn_cast<LoopLikeOpInterface>(made);
  if (!loop || !mask)
    return success();
  for (auto [result, init, argument, yielded] :
       llvm::zip_equal(made->getResults(), loop.getInits(),
                       loop.getRegionIterArgs(), loop.getYieldedValues()))
    if (isUpdateOf(yielded, argument, mask))
      updates[result] = {init, mask};
  return success();
}

/// The next carried values of an iteration. Lanes that do not run keep theirs.
SmallVector<Value> Batcher::advance(Operation *end, ValueRange carried) {
  SmallVector<Value> next;
  for (auto [value, old] : llvm::zip_equal(end->getOperands(), carried)) {
    Value made = stackOf(value);
    bool isMasked = lanes.isCommon(value) || isUpdateOf(made, old, mask);
    next.push_back(isMasked ? made : choose(mask, made, old));
  }
  return next;
}

/// A loop whose range differs between lanes: it runs as often as the largest
/// trip count, and masks the lanes that have finished.
LogicalResult Batcher::copyDivergentFor(ForOp op) {
  mlir::Location location = op.getLoc();
  Range range{copyOf(op.getLower()), copyOf(op.getUpper()),
              copyOf(op.getStep())};
  Value count = range.count(builder, location), saved = mask;
  if (mask)
    count = choose(mask, count, integers(0));
  SmallVector<Value> inits = stacksOf(op.getInitArgs());
  Value most = ReduceOp::create(builder, location, ReduceKind::Max, count,
                                ArrayRef<int64_t>{0});
  OpBuilder::InsertionGuard guard(builder);
  ForOp made = beginFor(builder, location, most, inits);
  Block &body = made.getBody().front();
  Value number = body.getArgument(0);
  Value runs =
      CompareOp::create(builder, location, Comparison::LT, number, count);
  setMask(runs);
  bind(op.getBody().getArgument(0), range.index(builder, number));
  auto carried = body.getArguments().drop_front();
  bindAll(op.getBody().getArguments().drop_front(), carried);
  Block &source = op.getBody().front();
  if (failed(copyBlock(source)))
    return failure();
  SmallVector<Value> next = advance(source.getTerminator(), carried);
  YieldOp::create(builder, location, next);
  mask = saved;
  bindAll(op.getResults(), made.getResults());
  return success();
}

/// A loop whose condition differs between lanes: it carries the mask of lanes
/// that still run, and ends when that is empty.
LogicalResult Batcher::copyDivergentWhile(WhileOp op) {
  mlir::Location location = op.getLoc();
  Block &cond = op.getCond().front(), &source = op.getBody().front();
  Value saved = mask;
  auto test = [&](ValueRange carried) -> FailureOr<Value> {
    bindAll(cond.getArguments(), carried);
    if (failed(copyBlock(cond)))
      return failure();
    return masked(copyOf(cond.getTerminator()->getOperand(0)));
  };
  SmallVector<Value> inits = stacksOf(op.getInitArgs());
  FailureOr<Value> first = test(inits);
  if (failed(first))
    return failure();
  SmallVector<Value> operands{*first};
  llvm::append_range(operands, inits);

  OpBuilder::InsertionGuard guard(builder);
  WhileOp made = beginWhile(builder, location, operands);
  ConditionOp::create(builder, location, anyOf(made.getCond().getArgument(0)));
  Block &body = made.getBody().front();
  builder.setInsertionPointToEnd(&body);
  setMask(body.getArgument(0));
  auto carried = body.getArguments().drop_front();
  bindAll(source.getArguments(), carried);
  if (failed(copyBlock(source)))
    return failure();
  SmallVector<Value> next = advance(source.getTerminator(), carried);
  FailureOr<Value> runs = test(next);
  if (failed(runs))
    return failure();
  next.insert(next.begin(), *runs);
  YieldOp::create(builder, location, next);
  mask = saved;
  bindAll(op.getResults(), made.getResults().drop_front());
  return success();
}
