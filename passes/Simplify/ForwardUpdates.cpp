//===- ForwardUpdates.cpp - Forward updates to their readers --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Simplify/Chunks.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace ingot {
#define GEN_PASS_DEF_FORWARDUPDATES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The number of updates that a read may bypass, and the number of index
/// comparisons at run time that this may take.
static constexpr unsigned maxUpdates = 1024;
static constexpr unsigned maxComparisons = 2;
/// The number of updates between one and another that overwrites it.
static constexpr unsigned maxBetween = 8;

/// The first index along an axis of what an operation reads or writes, moved so
/// that all is within the array.
static Value startOf(OpBuilder &builder, Location location, Operation *access,
                     const Part &part, int64_t axis) {
  if (!part.starts[axis].base)
    return integer(builder, location, part.startWithin(axis)->offset);
  auto update = dyn_cast<UpdateSliceOp>(access);
  Value start = update ? update.getStarts()[axis]
                       : cast<DynamicSliceOp>(access).getStarts()[axis];
  return movedInside(Expr(builder, location, start), part.lastStart(axis));
}

namespace {

/// Forwards updates to a read, from the last update of the array backwards.
class Reader {
public:
  Reader(Operation *op, const Part &part, IRRewriter &rewriter,
         DominanceInfo &dominance)
      : op(op), part(part), rewriter(rewriter), dominance(dominance) {}

  /// The value that replaces the read, or null.
  Value forward();

private:
  bool canPass(UpdateSliceOp update);
  Value readBefore(UpdateSliceOp update);
  Value choose(UpdateSliceOp update, Value old);

  Operation *op;
  const Part &part;
  IRRewriter &rewriter;
  DominanceInfo &dominance;
};

} // namespace

/// Whether the read may bypass an update that may overlap: a select then
/// chooses between the update and the older element.
bool Reader::canPass(UpdateSliceOp update) {
  return typeOf(op->getResult(0)).getNumElements() == 1 &&
         update.getUpdate().getType() == op->getResult(0).getType() &&
         part.strides == update.getStrides();
}

Value Reader::forward() {
  SmallVector<UpdateSliceOp> compared;
  UpdateSliceOp last;
  Value value;
  auto update = op->getOperand(0).getDefiningOp<UpdateSliceOp>();
  for (unsigned i = 0; i < maxUpdates && update && !value; ++i) {
    if (update->getBlock() != op->getBlock())
      break;
    Overlap overlap = overlapOf(part, partOf(update));
    if (overlap == Overlap::Same) {
      value = update.getUpdate();
      break;
    }
    if (overlap == Overlap::Unknown) {
      if (!canPass(update) || compared.size() == maxComparisons)
        break;
      compared.push_back(update);
    }
    last = update;
    update = update.getOperand().getDefiningOp<UpdateSliceOp>();
  }
  if (!value && last)
    value = readBefore(last);
  if (!value)
    return nullptr;
  for (UpdateSliceOp each : llvm::reverse(compared))
    value = choose(each, value);
  return value;
}

/// Whether the computation of values can move before an operation.
static bool canMoveBefore(ValueRange values, Operation *before) {
  constexpr size_t limit = 32;
  SmallVector<Value> worklist(values);
  DenseSet<Operation *> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    bool isEarlier = !op || op->getBlock() != before->getBlock() ||
                     op->isBeforeInBlock(before);
    if (isEarlier || !seen.insert(op).second)
      continue;
    if (!isPure(op) || op->getNumRegions() > 0 || seen.size() > limit)
      return false;
    llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

/// Reads the array before an update.
Value Reader::readBefore(UpdateSliceOp update) {
  if (!canMoveBefore(op->getOperands().drop_front(), update) ||
      failed(moveValueDefinitions(rewriter, op->getOperands().drop_front(),
                                  update, dominance)))
    return nullptr;
  rewriter.setInsertionPoint(update);
  Operation *made = rewriter.clone(*op);
  made->setOperand(0, update.getOperand());
  return made->getResult(0);
}

/// Selects the update if its starts equal those of the read, else `old`.
Value Reader::choose(UpdateSliceOp update, Value old) {
  rewriter.setInsertionPoint(op);
  Location location = op->getLoc();
  Part written = partOf(update);
  Value isSame;
  for (int64_t axis = 0, rank = part.starts.size(); axis < rank; ++axis) {
    if (part.starts[axis] == written.starts[axis])
      continue;
    Expr start(rewriter, location, startOf(rewriter, location, op, part, axis));
    Value equal = start.compare(
        Comparison::EQ,
        start.with(startOf(rewriter, location, update, written, axis)));
    isSame = isSame ? AndOp::create(rewriter, location, isSame, equal) : equal;
  }
  return SelectOp::create(rewriter, location, isSame, update.getUpdate(), old);
}

/// Pattern: update_slice(update_slice(a, u, i), v, i) -> update_slice(a, v, i),
/// also with updates of other elements between them
static void dropOverwritten(UpdateSliceOp update) {
  Part written = partOf(update);
  UpdateSliceOp after = update;
  for (unsigned i = 0; i < maxBetween; ++i) {
    auto before = after.getOperand().getDefiningOp<UpdateSliceOp>();
    if (!before || !before->hasOneUse() ||
        before->getBlock() != update->getBlock())
      return;
    Overlap overlap = overlapOf(written, partOf(before));
    if (overlap == Overlap::Unknown)
      return;
    if (overlap == Overlap::Same) {
      after.getOperandMutable().assign(before.getOperand());
      before.erase();
      return;
    }
    after = before;
  }
}

namespace {
struct ForwardUpdates : public ingot::impl::ForwardUpdatesBase<ForwardUpdates> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    SmallVector<Operation *> reads;
    SmallVector<UpdateSliceOp> updates;
    getOperation().walk([&](Operation *op) {
      if (isa<SliceOp, DynamicSliceOp>(op))
        reads.push_back(op);
      if (auto update = dyn_cast<UpdateSliceOp>(op))
        updates.push_back(update);
    });
    for (Operation *op : reads) {
      Part part = partOf(op);
      if (Value value = Reader(op, part, rewriter, dominance).forward())
        rewriter.replaceOp(op, value);
    }
    for (UpdateSliceOp update : updates)
      dropOverwritten(update);
  }
};
} // namespace
