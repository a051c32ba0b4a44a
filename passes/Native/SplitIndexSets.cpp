//===- SplitIndexSets.cpp - Split loops where conditions change -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index set splitting, as described by Griebl, Feautrier and Lengauer, "Index
// Set Splitting", International Journal of Parallel Programming 28 (2000).
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_SPLITINDEXSETS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;

namespace {

/// The indices from `begin` up to `end` of one dimension.
struct Interval {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};
/// One range for each dimension of an operation.
using Box = SmallVector<Interval>;

/// A condition `index(dimension) < bound`, or its negation.
struct Condition {
  Value result;
  int64_t dimension, bound;
  bool isBelow;

  /// Its value for all indices of a range, if that is one.
  std::optional<bool> in(Interval range) const {
    if (range.end <= bound)
      return isBelow;
    if (range.begin >= bound)
      return !isBelow;
    return std::nullopt;
  }
};

/// A dimension's index plus a number.
struct Shifted {
  int64_t dimension, plus;
};

} // namespace

static std::optional<Shifted> shiftedIndex(Value value) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return Shifted{static_cast<int64_t>(index.getDim()), 0};
  auto add = value.getDefiningOp<arith::AddIOp>();
  APInt number;
  if (!add || !matchPattern(add.getRhs(), m_ConstantInt(&number)))
    return std::nullopt;
  auto inner = shiftedIndex(add.getLhs());
  if (inner)
    inner->plus += number.getSExtValue();
  return inner;
}

static std::optional<Condition> conditionOf(arith::CmpIOp op) {
  auto index = shiftedIndex(op.getLhs());
  APInt number;
  if (!index || !matchPattern(op.getRhs(), m_ConstantInt(&number)))
    return std::nullopt;
  int64_t bound = number.getSExtValue() - index->plus;
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return Condition{op.getResult(), index->dimension, bound, true};
  case arith::CmpIPredicate::sle:
    return Condition{op.getResult(), index->dimension, bound + 1, true};
  case arith::CmpIPredicate::sge:
    return Condition{op.getResult(), index->dimension, bound, false};
  case arith::CmpIPredicate::sgt:
    return Condition{op.getResult(), index->dimension, bound + 1, false};
  default:
    return std::nullopt;
  }
}

/// Adds the comparisons that a condition is a conjunction of.
static void addComparisons(Value condition, SetVector<Operation *> &found) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::CmpIOp>(op))
    found.insert(op);
  if (isa_and_nonnull<arith::AndIOp>(op))
    for (Value operand : op->getOperands())
      addComparisons(operand, found);
}

/// The conditions of branches in an operation's body.
static SmallVector<Condition> conditionsIn(linalg::GenericOp op) {
  SetVector<Operation *> comparisons;
  op.getRegion().walk([&](scf::IfOp branch) {
    addComparisons(branch.getCondition(), comparisons);
  });
  SmallVector<Condition> found;
  for (Operation *each : comparisons)
    if (auto condition = conditionOf(cast<arith::CmpIOp>(each)))
      found.push_back(*condition);
  return found;
}

/// Whether it is worth operations of its own that a part has no conditions.
static bool isLong(Interval part, Interval whole) {
  return part.size() * 4 >= whole.size();
}

/// Splits a range at the ends of those long parts in which no condition
/// changes. Short ones stay together.
static SmallVector<Interval> partsOf(Interval whole, int64_t dimension,
                                     ArrayRef<Condition> conditions) {
  SmallVector<int64_t> bounds{whole.begin, whole.end};
  for (const Condition &each : conditions)
    if (each.dimension == dimension && !each.in(whole))
      bounds.push_back(each.bound);
  llvm::sort(bounds);
  SmallVector<Interval> parts;
  int64_t begin = whole.begin;
  for (unsigned i = 1; i < bounds.size(); ++i) {
    Interval part{bounds[i - 1], bounds[i]};
    if (!isLong(part, whole))
      continue;
    if (part.begin > begin)
      parts.push_back({begin, part.begin});
    parts.push_back(part);
    begin = part.end;
  }
  if (begin < whole.end)
    parts.push_back({begin, whole.end});
  return parts;
}

/// Adds the boxes that a box is split into, by its dimensions from `dimension`
/// on.
static void split(const Box &box, unsigned dimension,
                  ArrayRef<Condition> conditions, SmallVector<Box> &found) {
  if (dimension == box.size()) {
    found.push_back(box);
    return;
  }
  Interval whole = box[dimension];
  for (Interval part : partsOf(whole, dimension, conditions)) {
    Box inner = box;
    inner[dimension] = part;
    // The rows of a short part of two loops get parts without conditions, too.
    // With more loops, that would take longer to compile than it saves.
    bool isWhole = !isLong(part, whole) && box.size() > 2;
    split(inner, isWhole ? box.size() : dimension + 1, conditions, found);
  }
}

/// The part of an operand that an operation uses within a box.
static Value viewOf(OpBuilder &builder, Value operand, AffineMap map,
                    const Box &box) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (AffineExpr expr : map.getResults()) {
    Interval range = box[cast<AffineDimExpr>(expr).getPosition()];
    offsets.push_back(builder.getIndexAttr(range.begin));
    sizes.push_back(builder.getIndexAttr(range.size()));
  }
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, operand.getLoc(), operand, offsets,
                                   sizes, ones);
}

/// Emits the operation for the indices of a box.
static void emit(linalg::GenericOp op, const Box &box,
                 ArrayRef<Condition> conditions) {
  OpBuilder builder(op);
  IRMapping values;
  auto part = cast<linalg::GenericOp>(builder.clone(*op, values));
  builder.setInsertionPoint(part);
  for (OpOperand &operand : part->getOpOperands())
    operand.set(viewOf(builder, operand.get(),
                       part.getMatchingIndexingMap(&operand), box));
  builder.setInsertionPointToStart(part.getBody());
  for (const Condition &each : conditions)
    if (auto known = each.in(box[each.dimension]))
      values.lookup(each.result)
          .replaceAllUsesWith(arith::ConstantOp::create(
              builder, op.getLoc(), builder.getBoolAttr(*known)));
  part.getRegion().walk([&](linalg::IndexOp index) {
    int64_t begin = box[index.getDim()].begin;
    if (begin == 0)
      return;
    builder.setInsertionPointAfter(index);
    Value offset =
        arith::ConstantIndexOp::create(builder, index.getLoc(), begin);
    auto sum = arith::AddIOp::create(builder, index.getLoc(), index, offset);
    index.getResult().replaceAllUsesExcept(sum, sum);
  });
}

namespace {

struct SplitIndexSets : ingot::impl::SplitIndexSetsBase<SplitIndexSets> {
  using SplitIndexSetsBase::SplitIndexSetsBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> found;
    getOperation().walk([&](linalg::GenericOp op) { found.push_back(op); });
    for (linalg::GenericOp op : found)
      if (canSplit(op))
        split(op);
  }

private:
  bool canSplit(linalg::GenericOp op) const {
    if (!op.hasPureBufferSemantics() ||
        op.getNumLoops() != op.getNumParallelLoops())
      return false;
    int64_t count = 1;
    for (int64_t size : op.getStaticLoopRanges()) {
      if (ShapedType::isDynamic(size))
        return false;
      count *= size;
    }
    return count >= least &&
           llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
             return map.isProjectedPermutation();
           });
  }

  static void split(linalg::GenericOp op) {
    SmallVector<Condition> conditions = conditionsIn(op);
    Box whole;
    for (int64_t size : op.getStaticLoopRanges())
      whole.push_back({0, size});
    SmallVector<Box> boxes;
    ::split(whole, 0, conditions, boxes);
    if (boxes.size() == 1)
      return;
    for (const Box &box : boxes)
      emit(op, box, conditions);
    op.erase();
  }
};

} // namespace
