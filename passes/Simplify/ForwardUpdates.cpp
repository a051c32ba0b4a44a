//===- ForwardUpdates.cpp - Forward updates to their readers --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Intervals.h"
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

namespace {

/// The slice of an array that an operation reads or writes.
struct Part {
  RankedTensorType array, type;
  SmallVector<OpFoldResult> starts;
  ArrayRef<int64_t> strides;

  /// The span along an axis: the distance from the first to the last element,
  /// plus 1.
  int64_t extent(unsigned axis) const {
    return (type.getDimSize(axis) - 1) * strides[axis] + 1;
  }
  /// The static start along an axis, clamped as the operations clamp it, or
  /// nothing.
  std::optional<int64_t> known(unsigned axis) const {
    auto start = dyn_cast<Attribute>(starts[axis]);
    if (!start)
      return std::nullopt;
    int64_t last = array.getDimSize(axis) - extent(axis);
    return std::clamp<int64_t>(cast<IntegerAttr>(start).getInt(), 0, last);
  }
  /// The start along an axis, unless it may be clamped.
  std::optional<Index> within(unsigned axis) const {
    if (auto start = known(axis))
      return Index{Value(), *start};
    Value start = cast<Value>(starts[axis]);
    auto interval = intervalOf(start, /*steps=*/4);
    int64_t last = array.getDimSize(axis) - extent(axis);
    bool isInside = interval && interval->least >= 0 && interval->most <= last;
    return isInside ? std::optional(indexOf(start)) : std::nullopt;
  }
  Value start(OpBuilder &builder, Location location, unsigned axis) const {
    if (std::optional<int64_t> start = known(axis))
      return integer(builder, location, *start);
    Expr value(builder, location, cast<Value>(starts[axis]));
    return movedInside(value, array.getDimSize(axis) - extent(axis));
  }
};

/// How a slice that is read overlaps one that was written.
enum class Overlap { Same, None, Unknown };

} // namespace

static OpFoldResult foldStart(Value start) {
  TypedAttr number = splatOf(start);
  return number ? OpFoldResult(number) : start;
}

static Part writtenBy(UpdateSliceOp op) {
  Part part{op.getType(), op.getUpdate().getType(), {}, op.getStrides()};
  llvm::append_range(part.starts, llvm::map_range(op.getStarts(), foldStart));
  return part;
}

/// The slice that a `slice` or `dynamic_slice` reads.
static std::optional<Part> readBy(Operation *op) {
  if (auto slice = dyn_cast<DynamicSliceOp>(op)) {
    Part part{
        slice.getOperand().getType(), slice.getType(), {}, slice.getStrides()};
    llvm::append_range(part.starts,
                       llvm::map_range(slice.getStarts(), foldStart));
    return part;
  }
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice)
    return std::nullopt;
  Builder builder(op->getContext());
  Part part{
      slice.getOperand().getType(), slice.getType(), {}, slice.getStrides()};
  for (int64_t start : slice.getStarts())
    part.starts.push_back(builder.getI64IntegerAttr(start));
  return part;
}

static Overlap compare(const Part &read, const Part &written) {
  bool isSame = read.type == written.type && read.strides == written.strides;
  for (unsigned axis = 0; axis < read.starts.size(); ++axis) {
    if (read.starts[axis] == written.starts[axis])
      continue;
    std::optional<Index> from = read.within(axis), to = written.within(axis);
    if (!from || !to || from->base != to->base) {
      isSame = false;
      continue;
    }
    if (from->offset + read.extent(axis) <= to->offset ||
        to->offset + written.extent(axis) <= from->offset)
      return Overlap::None;
    isSame &= from->offset == to->offset;
  }
  return isSame ? Overlap::Same : Overlap::Unknown;
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
  return part.type.getNumElements() == 1 &&
         update.getUpdate().getType() == part.type &&
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
    Overlap overlap = compare(part, writtenBy(update));
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
  Part written = writtenBy(update);
  Value isSame;
  for (unsigned axis = 0; axis < part.starts.size(); ++axis) {
    if (part.starts[axis] == written.starts[axis])
      continue;
    Expr start(rewriter, location, part.start(rewriter, location, axis));
    Value equal = start.compare(
        Comparison::EQ, start.with(written.start(rewriter, location, axis)));
    isSame = isSame ? AndOp::create(rewriter, location, isSame, equal) : equal;
  }
  return SelectOp::create(rewriter, location, isSame, update.getUpdate(), old);
}

/// Pattern: update_slice(update_slice(a, u, i), v, i) -> update_slice(a, v, i),
/// also with updates of other elements between them
static void dropOverwritten(UpdateSliceOp update) {
  Part written = writtenBy(update);
  UpdateSliceOp after = update;
  for (unsigned i = 0; i < maxBetween; ++i) {
    auto before = after.getOperand().getDefiningOp<UpdateSliceOp>();
    if (!before || !before->hasOneUse() ||
        before->getBlock() != update->getBlock())
      return;
    Overlap overlap = compare(written, writtenBy(before));
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
      std::optional<Part> part = readBy(op);
      if (Value value = Reader(op, *part, rewriter, dominance).forward())
        rewriter.replaceOp(op, value);
    }
    for (UpdateSliceOp update : updates)
      dropOverwritten(update);
  }
};
} // namespace
