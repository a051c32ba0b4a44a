//===- DistributeLoops.cpp - Loops of their own for sums of products ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Regions.h"
#include "Simplify/Products.h"
#include "Simplify/Rows.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_DISTRIBUTELOOPS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The most bytes of all values that pass from one loop to the other.
static constexpr int64_t mostBytes = int64_t(1) << 26;

namespace {

/// Divides a loop into two: the second one computes carried values on which
/// nothing else of the loop depends.
class Distribution {
public:
  Distribution(ForOp loop, int64_t count)
      : loop(loop), body(loop.getBody().front()), count(count) {}

  /// Finds what the second loop does; false if there is nothing that is worth
  /// it.
  bool find();
  void apply();

private:
  bool addSum(BlockArgument carried);
  bool isMoved(Operation *user) const { return moved.contains(user); }
  bool isWorthMoving(DotGeneralOp op);
  bool isRepeatable(Value value);
  bool isBackwards();
  Value valueOf(OpBuilder &builder, Value value);

  ForOp loop;
  Block &body;
  int64_t count;
  /// What the second loop does, and the values that it carries.
  llvm::SetVector<Operation *> moved;
  SmallVector<BlockArgument> sums;
  /// The values that it takes from the first one.
  llvm::SetVector<Value> passed;
  DenseMap<Value, bool> repeatable;
  /// The second loop's values.
  IRMapping values;
};

} // namespace

/// Whether a product becomes one for all iterations in a loop by itself.
bool Distribution::isWorthMoving(DotGeneralOp op) {
  for (unsigned matrix : {0u, 1u})
    if (loop.isDefinedOutsideOfLoop(op->getOperand(matrix)) &&
        isWorthHoisting(op, matrix))
      return true;
  auto sum = dyn_cast<AddOp>(*op->user_begin());
  return sum && op->hasOneUse() && isWorthSumming(op);
}

/// Adds what computes a carried value, if nothing else depends on that and it
/// sums up products.
bool Distribution::addSum(BlockArgument carried) {
  llvm::SetVector<Operation *> found;
  Operation *end = body.getTerminator();
  SmallVector<Value> worklist{carried};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == end && use.getOperandNumber() + 1 == carried.getArgNumber())
        continue;
      if (user == end || user->getBlock() != &body || !isPure(user) ||
          user->getNumRegions() != 0)
        return false;
      if (found.insert(user))
        llvm::append_range(worklist, user->getResults());
    }
  }
  Operation *next = end->getOperand(carried.getArgNumber() - 1).getDefiningOp();
  if (!found.contains(next))
    return false;
  // Products that nothing else uses, and what only reads them by another shape.
  bool isWorth = false;
  for (Operation &op : llvm::reverse(body)) {
    bool isUsedHere =
        !op.use_empty() && llvm::all_of(op.getUsers(), [&](Operation *user) {
          return found.contains(user);
        });
    if (!isUsedHere || !isa<DotGeneralOp, ReshapeOp, TransposeOp>(op))
      continue;
    found.insert(&op);
    if (auto dot = dyn_cast<DotGeneralOp>(op))
      isWorth |= isWorthMoving(dot);
  }
  if (!isWorth)
    return false;
  moved.insert_range(found);
  sums.push_back(carried);
  return true;
}

/// Whether the second loop can compute a value again: slices at indices that
/// follow from the iteration, of arrays from before the loop.
bool Distribution::isRepeatable(Value value) {
  if (loop.isDefinedOutsideOfLoop(value) || value == body.getArgument(0))
    return true;
  auto [known, isNew] = repeatable.try_emplace(value, false);
  if (!isNew)
    return known->second;
  Operation *op = value.getDefiningOp();
  bool isCheap = op && isPure(op) && op->getNumRegions() == 0 &&
                 (isa<DynamicSliceOp, ReshapeOp>(op) ||
                  (typeOf(value).getRank() == 0 &&
                   llvm::all_of(op->getOperands(), [](Value operand) {
                     return typeOf(operand).getRank() == 0;
                   })));
  bool found = isCheap && llvm::all_of(op->getOperands(), [&](Value operand) {
                 return isRepeatable(operand);
               });
  return repeatable[value] = found;
}

/// Whether what is passed is multiplied by rows of an array from the last one
/// to the first. In the same order, it is the other operand of one product.
bool Distribution::isBackwards() {
  auto isProduct = [](Operation *op) { return isa<DotGeneralOp>(op); };
  for (Operation *op : llvm::make_filter_range(moved, isProduct))
    for (Value operand : op->getOperands()) {
      auto row = rowOf(operand, loop);
      auto span = row ? spanOf(*row, loop) : std::nullopt;
      if (span && span->isReversed)
        return true;
    }
  return false;
}

bool Distribution::find() {
  for (BlockArgument carried : body.getArguments().drop_front())
    addSum(carried);
  for (Operation *op : moved)
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      bool isHere =
          source ? isMoved(source) : llvm::is_contained(sums, operand);
      if (!isHere && !isRepeatable(operand))
        passed.insert(operand);
    }
  // A loop whose products take nothing from others needs no division.
  int64_t bytes = 0;
  for (Value value : passed)
    bytes += count * bytesOf(value.getType());
  return !passed.empty() && bytes <= mostBytes;
}

/// The value in the second loop of one of the first.
Value Distribution::valueOf(OpBuilder &builder, Value value) {
  if (loop.isDefinedOutsideOfLoop(value) || values.contains(value))
    return values.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    values.map(operand, valueOf(builder, operand));
  return builder.clone(*op, values)->getResult(0);
}

void Distribution::apply() {
  OpBuilder builder(loop);
  mlir::Location location = loop.getLoc();
  Range range = rangeOf(loop);
  SmallVector<Value> stacks, inits;
  for (Value value : passed)
    stacks.push_back(stackOf(builder, location, value.getType(), count));
  for (BlockArgument sum : sums)
    inits.push_back(loop.getInits()[sum.getArgNumber() - 1]);

  unsigned size = loop.getNumResults();
  ForOp given = loop, first = cast<ForOp>(rebuildWith(loop, stacks));
  loop = first;
  builder.setInsertionPoint(body.getTerminator());
  bool backwards = isBackwards();
  auto placeOf = [&](Value number) -> Value {
    if (!backwards)
      return number;
    Value last = integer(builder, location, count - 1);
    return SubOp::create(builder, location, last, number);
  };
  Value place = placeOf(range.number(builder, body.getArgument(0)));
  SmallVector<Value> written;
  for (auto [value, stack] :
       llvm::zip_equal(passed, body.getArguments().take_back(stacks.size())))
    written.push_back(writeAt(builder, stack, place, value));
  yieldMore(first.getBody(), written);

  builder.setInsertionPointAfter(first);
  Value trips = integer(builder, location, count);
  ForOp second = beginFor(builder, location, trips, inits);
  Value iteration = second.getBody().front().getArgument(0);
  values.map(body.getArgument(0), range.index(builder, iteration));
  for (auto [sum, argument] :
       llvm::zip_equal(sums, second.getBody().getArguments().drop_front()))
    values.map(sum, argument);
  place = placeOf(iteration);
  for (auto [value, stack] :
       llvm::zip_equal(passed, first.getResults().drop_front(size)))
    values.map(value, readAt(builder, stack, place, value.getType()));
  SmallVector<Operation *> order;
  for (Operation &op : body)
    if (isMoved(&op))
      order.push_back(&op);
  for (Operation *op : order) {
    for (Value operand : op->getOperands())
      values.map(operand, valueOf(builder, operand));
    builder.clone(*op, values);
  }
  Operation *end = body.getTerminator();
  SmallVector<Value> next;
  for (BlockArgument sum : sums) {
    OpOperand &yielded = end->getOpOperand(sum.getArgNumber() - 1);
    next.push_back(valueOf(builder, yielded.get()));
    yielded.set(sum);
  }
  YieldOp::create(builder, location, next);

  given.replaceAllUsesWith(first.getResults().take_front(size));
  given.erase();
  for (auto [sum, result] : llvm::zip_equal(sums, second.getResults()))
    first.getResult(sum.getArgNumber() - 1).replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(order))
    op->erase();
}

namespace {
struct DistributeLoops
    : public ingot::impl::DistributeLoopsBase<DistributeLoops> {
  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops) {
      auto count = rangeOf(loop).knownCount();
      if (!count || *count < 2)
        continue;
      Distribution distribution(loop, *count);
      if (distribution.find())
        distribution.apply();
    }
  }
};
} // namespace
