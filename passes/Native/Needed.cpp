//===- Needed.cpp - Which elements of arrays are needed -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backward analysis. It begins with the assumption that nothing is needed,
// and adds what uses need until nothing changes, so that what loops carry from
// one iteration to the next is needed only if an iteration or a user behind the
// loop needs it.
//
//===----------------------------------------------------------------------===//

#include "Needed.h"

#include "Fusion/Fusion.h"
#include "Regions.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ingot;

using Need = NeededElements::Need;

static Need all() { return {Need::All}; }
static Need below(Value count) { return {Need::Count, count}; }

static Need join(Need a, Need b) {
  if (a.kind == Need::None || a == b)
    return b;
  return b.kind == Need::None ? a : all();
}

/// The elements that both need, or a superset of them.
static Need both(Need a, Need b) { return a.kind == Need::All ? b : a; }

/// A count in terms of other values: that of an element of `from` is the same
/// element of `to`, and what `isOutside` stays.
static Need mapped(Need need, ValueRange from, ValueRange to,
                   function_ref<bool(Value)> isOutside) {
  if (need.kind != Need::Count)
    return need;
  for (auto [one, other] : llvm::zip_equal(from, to))
    if (one == need.count)
      return below(other);
  return isOutside(need.count) ? need : all();
}

/// Whether a value exists before an operation.
static bool existsBefore(Value value, Operation *op) {
  Operation *source = value.getDefiningOp();
  Block *block =
      source ? source->getBlock() : cast<BlockArgument>(value).getOwner();
  Operation *place = block->findAncestorOpInBlock(*op);
  return place &&
         (!source || (source != place && source->isBeforeInBlock(place)));
}

/// What is needed within limits.
static Need within(ArrayRef<Limit> limits) {
  for (const Limit &limit : limits)
    if (limit.axis == 0 && limit.plus == 0 && !limit.isLeast)
      return below(limit.bound);
  return all();
}

/// The count of the first indices that a mask is true for at most.
static Need limitOf(Value mask) { return within(limitsOf(mask)); }

/// Whether a number counts the true elements of a mask.
static bool isCountOf(Value number, Value mask) {
  if (typeOf(mask).getRank() != 1)
    return false;
  auto sum = number.getDefiningOp<ReduceOp>();
  if (!sum || sum.getKind() != ReduceKind::Add)
    return false;
  auto convert = sum.getOperand().getDefiningOp<stablehlo::ConvertOp>();
  return convert && convert.getOperand() == mask;
}

/// What a loop or branch needs of the value that becomes a result of it and, in
/// a loop, a carried value: one of `values`, which are the initial values or
/// what a region yields.
Need NeededElements::needOfPassed(Operation *op, unsigned number,
                                  ValueRange values) const {
  auto isOutside = [&](Value count) { return existsBefore(count, op); };
  Need need = mapped(needOf(op->getResult(number)), op->getResults(), values,
                     isOutside);
  for (Region &region : op->getRegions()) {
    ArrayRef<BlockArgument> carried = carriedArguments(region);
    if (carried.empty())
      continue;
    SmallVector<Value> arguments(carried.begin(), carried.end());
    need = join(need,
                mapped(needOf(carried[number]), arguments, values, isOutside));
  }
  return need;
}

NonzeroOp ingot::positionsOf(GatherOp gather) {
  return gather.getIndices().size() == 1
             ? gather.getIndices()[0].getDefiningOp<NonzeroOp>()
             : NonzeroOp();
}

static Value maskOfGathered(GatherOp gather) {
  NonzeroOp positions = positionsOf(gather);
  return positions ? positions.getOperand() : Value();
}

/// The array of which elements are gathered. Those at the true elements of a
/// mask lie where the mask may be true; positions behind them are not needed.
Need NeededElements::needOfGathered(OpOperand &use) const {
  auto gather = cast<GatherOp>(use.getOwner());
  Need need = needOf(gather.getResult());
  if (need.kind != Need::Count)
    return need;
  Value mask = maskOfGathered(gather);
  return mask && isCountOf(need.count, mask) ? limitOf(mask) : all();
}

Need NeededElements::needOfUpdate(UpdateSliceOp op, unsigned number) const {
  Need need = needOf(op.getResult());
  // An update of all elements leaves none of the array before.
  bool isWhole = op.getUpdate().getType() == op.getOperand().getType();
  if (number == 0)
    return isWhole ? Need() : need;
  return isWhole ? need : all();
}

Need NeededElements::needOfOperand(OpOperand &use) const {
  Operation *op = use.getOwner();
  if (op->getNumResults() != 1)
    return all();
  Need need = needOf(op->getResult(0));
  unsigned number = use.getOperandNumber();
  if (isa<stablehlo::SelectOp>(op) && number == 1)
    return need.kind == Need::None ? need
                                   : both(need, limitOf(op->getOperand(0)));
  // A conjunction is false where a mask is, whatever the other operand is
  // there.
  if (isa<stablehlo::AndOp>(op) && elementOf(op->getResult(0)).isInteger(1) &&
      limitsOf(use.get()).empty() && need.kind != Need::None)
    return both(need, limitOf(op->getOperand(1 - number)));
  if (isElementwise(op))
    return need;
  if (isa<GatherOp>(op))
    return number == 0 ? needOfGathered(use) : need;
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return shapeOf(reshape.getOperand()).front() ==
                   (reshape.getType().getRank() ? shapeOf(reshape).front() : 1)
               ? need
               : all();
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return llvm::is_contained(reduce.getAxes(), 0)
               ? within(limitsOfElements(reduce))
               : need;
  if (isa<NonzeroOp>(op))
    return typeOf(use.get()).getRank() == 1 ? limitOf(use.get()) : all();
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return number == 0 ? all() : within(limitsOfElements(scatter));
  if (auto update = dyn_cast<UpdateSliceOp>(op))
    return needOfUpdate(update, number);
  return all();
}

/// What is needed of a result of the kernel.
static Need needOfResult(func::ReturnOp op, unsigned number) {
  auto length =
      op->getParentOfType<func::FuncOp>().getResultAttrOfType<IntegerAttr>(
          number, lengthName);
  return length ? below(op.getOperand(length.getInt())) : all();
}

Need NeededElements::needOf(OpOperand &use) const {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return needOfResult(end, number);
  if (isa<YieldOp>(op))
    return needOfPassed(op->getParentOp(), number, op->getOperands());
  if (!isa<ForOp, WhileOp>(op))
    return needOfOperand(use);
  OperandRange inits = carriedOperands(op);
  unsigned first = inits.getBeginOperandIndex();
  return number < first ? all() : needOfPassed(op, number - first, inits);
}

void NeededElements::analyse(func::FuncOp function) {
  SmallVector<Value> arrays;
  auto add = [&](ValueRange values) {
    for (Value each : values)
      if (!isScalar(each.getType()) && typeOf(each).getRank() > 0)
        arrays.push_back(each);
  };
  function.walk([&](Operation *op) {
    add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  });
  // Users come after what they use, so most needs are known at the first visit.
  std::reverse(arrays.begin(), arrays.end());
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (Value array : arrays) {
      Need found = needOf(array);
      for (OpOperand &use : array.getUses())
        found = join(found, needOf(use));
      isChanged |= !(found == needOf(array));
      needs[array] = found;
    }
  }
  for (Value array : arrays)
    if (Operation *op = array.getDefiningOp())
      hoistCount(countOf(array), op);
}

/// Counts the true elements of a mask before an operation, which needs not more
/// than so many of others.
void NeededElements::hoistCount(Value count, Operation *op) {
  if (!count || existsBefore(count, op))
    return;
  auto sum = count.getDefiningOp<ReduceOp>();
  if (!sum || sum->getBlock() != op->getBlock())
    return;
  Operation *convert = sum.getOperand().getDefiningOp();
  if (!convert || convert->getBlock() != op->getBlock() ||
      !isa<stablehlo::ConvertOp>(convert) ||
      !existsBefore(convert->getOperand(0), op))
    return;
  if (!existsBefore(sum.getOperand(), op))
    convert->moveBefore(op);
  sum->moveBefore(op);
}

static Value countIn(Need need) {
  return need.kind == Need::Count ? need.count : Value();
}

Value NeededElements::countOf(Value array) const {
  return countIn(needOf(array));
}

Value NeededElements::countBefore(Operation *op) const {
  Value count = countOf(op->getResult(0));
  return count && existsBefore(count, op) ? count : Value();
}

Value NeededElements::countOfSelected(UpdateSliceOp op) const {
  auto gather = op.getUpdate().getDefiningOp<GatherOp>();
  if (!gather || gather.getOperand() != op.getOperand() ||
      gather.getType() != op.getType())
    return {};
  Value mask = maskOfGathered(gather), count = countBefore(op);
  return mask && count && isCountOf(count, mask) ? count : Value();
}

bool NeededElements::isInside(GatherOp op) const {
  NonzeroOp positions = positionsOf(op);
  if (!positions || positions.getType().getShape().back() >
                        op.getOperand().getType().getDimSize(0))
    return false;
  Value count = countBefore(positions);
  return !count || count == countBefore(op);
}

Value NeededElements::countAt(OpOperand &yielded) const {
  return countIn(needOf(yielded));
}
