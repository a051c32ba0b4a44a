//===- PruneCarried.cpp - Drop carried values that nobody needs -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace ingot {
#define GEN_PASS_DEF_PRUNECARRIED
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// What carries values one by one, each of which may be dropped.
static bool isPrunable(Operation *op) { return isa<IfOp, ForOp, WhileOp>(op); }

namespace {

/// The values that results of the function, or effects, follow from. What only
/// leads to itself, round a loop or several, is not among them.
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
  /// An operation runs only if those around it do.
  void markOp(Operation *op);
  /// All that an operation takes, and all that its regions give it: of one that
  /// is no branch and no loop nothing can be dropped.
  void markWhole(Operation *op);
  void markCarried(Operation *op, unsigned place);
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
    if (auto branch = dyn_cast<IfOp>(op))
      mark(branch.getCondition());
    if (auto loop = dyn_cast<ForOp>(op))
      markAll({loop.getLower(), loop.getUpper(), loop.getStep()});
    if (auto loop = dyn_cast<WhileOp>(op))
      markAll(loop.getCond().front().getTerminator()->getOperands());
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

void Liveness::markCarried(Operation *op, unsigned place) {
  Operation *end = op->getRegions().back().front().getTerminator();
  mark(cast<LoopLikeOpInterface>(op).getInits()[place]);
  mark(end->getOperand(place));
}

void Liveness::visit(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    markOp(parent);
    if (!isa<ForOp, WhileOp>(parent))
      return;
    unsigned skipped =
        argument.getOwner()->getNumArguments() - parent->getNumResults();
    if (argument.getArgNumber() >= skipped)
      markCarried(parent, argument.getArgNumber() - skipped);
    return;
  }
  Operation *op = value.getDefiningOp();
  markOp(op);
  unsigned place = cast<OpResult>(value).getResultNumber();
  if (isa<ForOp, WhileOp>(op))
    return markCarried(op, place);
  if (!isa<IfOp>(op))
    return markWhole(op);
  for (Region &region : op->getRegions())
    mark(region.front().getTerminator()->getOperand(place));
}

//===----------------------------------------------------------------------===//
// Removal
//===----------------------------------------------------------------------===//

/// The same bits for a list that has others before.
static BitVector after(unsigned others, const BitVector &dropped) {
  BitVector bits(others);
  for (unsigned i = 0; i < dropped.size(); ++i)
    bits.push_back(dropped[i]);
  return bits;
}

/// Ends the uses of what an `if` or a loop need no longer carry.
static void dropUses(Operation *op, const BitVector &dropped) {
  for (Region &region : op->getRegions())
    if (isa<YieldOp>(region.front().getTerminator()))
      region.front().getTerminator()->eraseOperands(dropped);
  if (!isa<IfOp>(op))
    op->eraseOperands(after(op->getNumOperands() - dropped.size(), dropped));
}

/// Makes an `if` or a loop without some of its results, which have no uses.
static void drop(Operation *op, const BitVector &dropped) {
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (!dropped[i])
      types.push_back(type);
  OperationState state(op->getLoc(), op->getName(), op->getOperands(), types,
                       op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  OpBuilder builder(op);
  Operation *made = builder.create(state);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), made->getRegions())) {
    to.takeBody(from);
    Block &block = to.front();
    if (!isa<IfOp>(op))
      block.eraseArguments(
          after(block.getNumArguments() - dropped.size(), dropped));
  }
  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (!dropped[result.getResultNumber()])
      result.replaceAllUsesWith(made->getResult(next++));
  op->erase();
}

static BitVector droppedOf(Operation *op, const Liveness &liveness) {
  BitVector dropped(op->getNumResults());
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    bool isLive = liveness.isLive(op->getResult(i));
    if (isa<ForOp, WhileOp>(op))
      for (Region &region : op->getRegions()) {
        Block &block = region.front();
        unsigned skipped = block.getNumArguments() - op->getNumResults();
        isLive |= liveness.isLive(block.getArgument(skipped + i));
      }
    dropped[i] = !isLive;
  }
  return dropped;
}

namespace {
struct PruneCarried : public ingot::impl::PruneCarriedBase<PruneCarried> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.getBody().hasOneBlock())
      return;
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
    // Those inside come before those around them.
    for (Operation *op : dead)
      op->erase();
    for (auto &[op, dropped] : changed)
      drop(op, dropped);
  }
};
} // namespace
