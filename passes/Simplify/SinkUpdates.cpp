//===- SinkUpdates.cpp - Sink updates of arrays out of branches -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_SINKUPDATES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// A region of an `if`, and the operations that move out of it: updates of
/// arrays and operations that use the updated arrays.
class Side {
public:
  explicit Side(Region &region) : block(&region.front()) {}

  Value yielded(unsigned index) const {
    return block->getTerminator()->getOperand(index);
  }
  /// If the yielded value is an array from outside after small updates, adds
  /// these and returns the array; else returns null.
  Value addUpdates(unsigned index);
  /// Adds the operations that use updated arrays. Returns whether all of them
  /// can move.
  bool close();
  bool isMoved(Value value) const {
    return value.getDefiningOp() && moved.contains(value.getDefiningOp());
  }
  bool owns(Value value) const {
    return value.getParentBlock() == block && !isMoved(value);
  }
  bool hasUpdates() const { return !moved.empty(); }
  ValueRange ends() const { return block->getTerminator()->getOperands(); }
  void eraseMoved();
  /// Adds the values of the region that moved operations use.
  void addNeeds(SetVector<Value> &needs) const;
  /// Emits the moved operations. If the condition is not `isTaken`, updates
  /// write the elements that the array already has.
  void emit(OpBuilder &builder, Value condition, bool isTaken,
            IRMapping &values) const;

private:
  Block *block;
  llvm::DenseSet<Operation *> moved;
};

} // namespace

Value Side::addUpdates(unsigned index) {
  Value value = yielded(index);
  SmallVector<Operation *> found;
  while (block->getParent()->isAncestor(value.getParentRegion())) {
    auto update = value.getDefiningOp<UpdateSliceOp>();
    // If the region does not run, the same number of old elements is written.
    bool isSmall =
        update && update.getUpdate().getType().getNumElements() * 4 <=
                      update.getType().getNumElements();
    if (!isSmall)
      return nullptr;
    found.push_back(update);
    value = update.getOperand();
  }
  moved.insert(found.begin(), found.end());
  return value;
}

/// Whether an operation is cheap enough to run whichever region does.
static bool isCheap(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !op->hasTrait<CostlyTrait>() &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           return cast<ShapedType>(type).getNumElements() <= 64;
         });
}

bool Side::close() {
  for (Operation &op : block->without_terminator()) {
    WalkResult uses = op.walk([&](Operation *inner) {
      bool isUse = llvm::any_of(inner->getOperands(),
                                [&](Value v) { return isMoved(v); });
      return isUse ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!uses.wasInterrupted() || moved.contains(&op))
      continue;
    if (!isCheap(&op))
      return false;
    moved.insert(&op);
  }
  return true;
}

void Side::addNeeds(SetVector<Value> &needs) const {
  for (Operation &op : block->without_terminator())
    for (Value operand : op.getOperands())
      if (moved.contains(&op) && owns(operand))
        needs.insert(operand);
}

void Side::eraseMoved() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (moved.contains(&op))
      op.erase();
}

void Side::emit(OpBuilder &builder, Value condition, bool isTaken,
                IRMapping &values) const {
  for (Operation &op : block->without_terminator()) {
    if (!moved.contains(&op))
      continue;
    auto update = dyn_cast<UpdateSliceOp>(builder.clone(op, values));
    if (!update)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(update);
    Value made = update.getUpdate();
    Value old = DynamicSliceOp::create(
        builder, op.getLoc(), update.getOperand(), update.getStarts(),
        update.getUpdate().getType().getShape(), update.getStrides());
    Value chosen = SelectOp::create(builder, op.getLoc(), condition,
                                    isTaken ? made : old, isTaken ? old : made);
    update.getUpdateMutable().assign(chosen);
  }
}

/// Rebuilds an `if` so that it yields the `kept` results, then the values of
/// each region that moved operations need (zeros in the other region). Maps the
/// needed values to the results.
static IfOp yieldNeeds(IfOp op, ArrayRef<Value> kept,
                       ArrayRef<SetVector<Value>> needs, IRMapping &values) {
  SmallVector<Value> all(kept);
  for (const SetVector<Value> &each : needs)
    llvm::append_range(all, each);
  auto made =
      cast<IfOp>(rebuild(op, op.getCondition(), TypeRange{ValueRange(all)}));
  for (auto [result, to] : llvm::zip(kept, made.getResults()))
    Value(result).replaceAllUsesWith(to);
  values.map(ArrayRef(all).drop_front(kept.size()),
             made.getResults().drop_front(kept.size()));
  for (Region &region : made->getRegions()) {
    Operation *end = region.front().getTerminator();
    end->setOperands(llvm::map_to_vector(kept, [&](Value result) -> Value {
      return end->getOperand(cast<OpResult>(result).getResultNumber());
    }));
  }
  yieldSides(made, needs[0].getArrayRef(), needs[1].getArrayRef());
  return made;
}

/// Pattern: if(c) { update(a, u, i) } else { a } -> u, i = if(c) { u, i } else
/// { 0, 0 }; update(a, select(c, u, a[i]), i)
static void sink(IfOp op) {
  Side sides[] = {Side(op.getThenRegion()), Side(op.getElseRegion())};
  llvm::SmallDenseSet<Value> arrays;
  SmallVector<Value> array(op.getNumResults());
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    Side tried[] = {sides[0], sides[1]};
    Value start = tried[0].addUpdates(i);
    // If several results update the same array, only the first one is sunk.
    if (!start || start != tried[1].addUpdates(i) ||
        !arrays.insert(start).second)
      continue;
    array[i] = start;
    for (unsigned side : {0, 1})
      sides[side] = tried[side];
  }
  if (!sides[0].hasUpdates() && !sides[1].hasUpdates())
    return;
  if (!sides[0].close() || !sides[1].close())
    return;

  SmallVector<Value> kept;
  SetVector<Value> needs[2];
  for (OpResult result : op.getResults()) {
    unsigned i = result.getResultNumber();
    Value ends[] = {sides[0].yielded(i), sides[1].yielded(i)};
    bool isKept = !sides[0].isMoved(ends[0]) && !sides[1].isMoved(ends[1]);
    if (array[i])
      continue;
    if (isKept) {
      kept.push_back(result);
      continue;
    }
    // An older state of an updated array is a result, too: it stays in the
    // `if`.
    if (typeOf(result).getNumElements() > 64)
      return;
    for (unsigned side : {0, 1})
      if (sides[side].owns(ends[side]))
        needs[side].insert(ends[side]);
  }
  for (unsigned side : {0, 1})
    sides[side].addNeeds(needs[side]);

  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  SmallVector<SmallVector<Value>> ends(2);
  for (unsigned side : {0, 1})
    llvm::append_range(ends[side], sides[side].ends());
  IRMapping values;
  IfOp made = yieldNeeds(op, kept, needs, values);
  builder.setInsertionPointAfter(made);
  Value condition = op.getCondition();
  SmallVector<Value> results(op.getNumResults());
  sides[0].emit(builder, condition, true, values);
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    results[i] = values.lookupOrDefault(ends[0][i]);
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    if (array[i])
      values.map(array[i], results[i]);
  sides[1].emit(builder, condition, false, values);
  for (OpResult result : op.getResults()) {
    unsigned i = result.getResultNumber();
    Value other = values.lookupOrDefault(ends[1][i]);
    if (llvm::is_contained(kept, result))
      continue;
    Value last = other;
    if (!array[i])
      last =
          SelectOp::create(builder, op.getLoc(), condition, results[i], other);
    result.replaceAllUsesWith(last);
  }
  for (Side &side : sides)
    side.eraseMoved();
  op.erase();
}

namespace {
struct SinkUpdates : public ingot::impl::SinkUpdatesBase<SinkUpdates> {
  void runOnOperation() override {
    SmallVector<IfOp> found;
    getOperation().walk([&](IfOp op) {
      if (op->getParentOfType<LoopLikeOpInterface>())
        found.push_back(op);
    });
    // Inner branches first: their updates may then leave the outer ones.
    for (IfOp op : found)
      sink(op);
  }
};
} // namespace
