//===- PruneCarried.cpp - Remove dead carried values and results ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Erasure.h"
#include "Regions.h"

#include "llvm/ADT/DenseSet.h"

namespace ingot {
#define GEN_PASS_DEF_PRUNECARRIED
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// Whether single results of an operation can be removed.
static bool isPrunable(Operation *op) { return isa<IfOp, ForOp, WhileOp>(op); }

/// The only value that a result can have, from outside of its operation; null
/// if there are others.
static Value onlySource(OpResult result) {
  SmallVector<Value> carriers = carriersOf(result);
  Value only;
  for (Value source : sourcesOf(result)) {
    if (source == only || llvm::is_contained(carriers, source))
      continue;
    if (only ||
        result.getOwner()->isAncestor(source.getParentRegion()->getParentOp()))
      return {};
    only = source;
  }
  return only;
}

/// Replaces carried values that no iteration changes and results of branches
/// that are the same in both. Nothing uses them afterwards.
static void replaceConstant(Operation *op) {
  if (!isPrunable(op))
    return;
  for (OpResult result : op->getResults())
    if (Value source = onlySource(result))
      for (Value carrier : carriersOf(result))
        carrier.replaceAllUsesWith(source);
}

namespace {

/// The values on which results of the function or effects depend. Cycles of
/// loop-carried values without other uses are not live.
class Liveness {
public:
  explicit Liveness(func::FuncOp function);

  bool isLive(Value value) const { return live.contains(value); }
  /// Whether an operation has effects, or a live result.
  bool isNeeded(Operation *op) const {
    return needed.contains(op) ||
           llvm::any_of(op->getResults(), [&](Value v) { return isLive(v); });
  }

private:
  void mark(Value value) {
    if (live.insert(value).second)
      worklist.push_back(value);
  }
  void markAll(ValueRange values) {
    for (Value value : values)
      mark(value);
  }
  /// Marks an operation, and those around it, without which it does not run.
  void markOp(Operation *op);
  /// Marks all operands of an operation and all values that its regions yield.
  void markWhole(Operation *op);
  void visit(Value value);

  DenseSet<Value> live;
  DenseSet<Operation *> needed;
  SmallVector<Value> worklist;
};

} // namespace

Liveness::Liveness(func::FuncOp function) {
  markAll(function.getBody().front().getTerminator()->getOperands());
  function.walk([&](Operation *op) {
    bool isPassage = op == function || isPrunable(op) ||
                     op->hasTrait<OpTrait::IsTerminator>();
    if (isPassage || isMemoryEffectFree(op))
      return;
    markOp(op);
    markWhole(op);
  });
  while (!worklist.empty())
    visit(worklist.pop_back_val());
}

void Liveness::markOp(Operation *op) {
  while (op && !isa<func::FuncOp>(op) && needed.insert(op).second) {
    markAll(controlsOf(op));
    if (op->getNumRegions() != 0 && !isPrunable(op))
      markWhole(op);
    op = op->getParentOp();
  }
}

void Liveness::markWhole(Operation *op) {
  markAll(op->getOperands());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        markAll(block.getTerminator()->getOperands());
}

void Liveness::visit(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    markOp(result.getOwner());
    return isPrunable(result.getOwner()) ? markAll(sourcesOf(result))
                                         : markWhole(result.getOwner());
  }
  Region *region = value.getParentRegion();
  Operation *parent = region->getParentOp();
  markOp(parent);
  ArrayRef<BlockArgument> carried = carriedArguments(*region);
  const BlockArgument *found = llvm::find(carried, value);
  if (found != carried.end())
    markAll(sourcesOf(parent->getResult(found - carried.begin())));
}

//===----------------------------------------------------------------------===//
// Removal
//===----------------------------------------------------------------------===//

/// Shifts the bits by `others`, for a list that begins with other entries.
static BitVector after(unsigned others, const BitVector &dropped) {
  BitVector bits(others);
  for (unsigned i = 0; i < dropped.size(); ++i)
    bits.push_back(dropped[i]);
  return bits;
}

/// Removes the dropped values from the operands and yields of an `if` or a
/// loop.
static void dropUses(Operation *op, const BitVector &dropped) {
  for (Region &region : op->getRegions())
    if (isa<YieldOp>(region.front().getTerminator()))
      region.front().getTerminator()->eraseOperands(dropped);
  if (!isa<IfOp>(op))
    op->eraseOperands(after(op->getNumOperands() - dropped.size(), dropped));
}

/// Rebuilds an `if` or a loop without the dropped results, which have no uses.
static void drop(Operation *op, const BitVector &dropped) {
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (!dropped[i])
      types.push_back(type);
  Operation *made = rebuild(op, op->getOperands(), types);
  for (Region &region : made->getRegions())
    if (!isa<IfOp>(op))
      region.front().eraseArguments(
          after(region.getNumArguments() - dropped.size(), dropped));
  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (!dropped[result.getResultNumber()])
      result.replaceAllUsesWith(made->getResult(next++));
  op->erase();
}

static BitVector droppedOf(Operation *op, const Liveness &liveness) {
  BitVector dropped(op->getNumResults());
  for (OpResult result : op->getResults())
    dropped[result.getResultNumber()] = llvm::none_of(
        carriersOf(result), [&](Value each) { return liveness.isLive(each); });
  return dropped;
}

namespace {
struct PruneCarried : public ingot::impl::PruneCarriedBase<PruneCarried> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.getBody().hasOneBlock())
      return;
    if (!hasAny<IfOp, ForOp, WhileOp>(function))
      return eraseDeadInside(function.getBody().front());
    function.walk(replaceConstant);
    Liveness liveness(function);
    SmallVector<Operation *> dead;
    SmallVector<std::pair<Operation *, BitVector>> changed;
    function.walk([&](Operation *op) {
      if (op == function || op->hasTrait<OpTrait::IsTerminator>())
        return;
      if (!liveness.isNeeded(op))
        return dead.push_back(op);
      if (!isPrunable(op))
        return;
      BitVector dropped = droppedOf(op, liveness);
      if (dropped.any())
        changed.push_back({op, dropped});
    });
    for (auto &[op, dropped] : changed)
      dropUses(op, dropped);
    for (Operation *op : dead)
      op->dropAllReferences();
    // The walk visits inner operations before those around them.
    for (Operation *op : dead)
      op->erase();
    for (auto &[op, dropped] : changed)
      drop(op, dropped);
  }
};
} // namespace
