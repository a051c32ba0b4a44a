//===- Rows.cpp - Rows of arrays that the iterations of a loop use --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "Regions.h"
#include "StableHLO/StableHLO.h"

using namespace mlir;
using namespace ingot;

SmallVector<int64_t> Row::shape() const {
  SmallVector<int64_t> shape(shapeOf(array));
  shape.erase(shape.begin() + axis);
  return shape;
}

SmallVector<int64_t> Row::axesOf(ArrayRef<int64_t> axes) const {
  return llvm::map_to_vector(
      axes, [&](int64_t each) { return each + (each >= axis); });
}

std::optional<Row> ingot::rowOf(Value array, ArrayRef<int64_t> sizes,
                                ValueRange starts) {
  std::optional<Row> row;
  for (auto [axis, size] : llvm::enumerate(shapeOf(array))) {
    if (sizes[axis] == size)
      continue;
    if (row || sizes[axis] != 1)
      return std::nullopt;
    row = Row{array, int64_t(axis), starts[axis]};
  }
  return row;
}

std::optional<Row> ingot::rowOf(Value value, ForOp loop) {
  auto isUnit = [](int64_t size) { return size == 1; };
  auto slice = value.getDefiningOp<DynamicSliceOp>();
  for (Value inner = value; auto reshape = inner.getDefiningOp<ReshapeOp>();) {
    inner = reshape.getOperand();
    slice = inner.getDefiningOp<DynamicSliceOp>();
  }
  if (!slice || !loop.isDefinedOutsideOfLoop(slice.getOperand()))
    return std::nullopt;
  auto row = rowOf(slice.getOperand(), slice.getSizes(), slice.getStarts());
  if (!row)
    return std::nullopt;
  SmallVector<int64_t> has(row->shape()), shown(shapeOf(value));
  llvm::erase_if(has, isUnit);
  llvm::erase_if(shown, isUnit);
  return has == shown ? row : std::nullopt;
}

namespace {
/// An index of the iterations: one from the loop, times 1 or -1, plus a number.
struct Steps {
  bool isReversed;
  int64_t offset;
};
} // namespace

/// Kernels have StableHLO's elementwise operations by the time that they are
/// lowered.
static bool isAddition(Operation *op) {
  return isa_and_nonnull<AddOp, stablehlo::AddOp>(op);
}

static bool isSubtraction(Operation *op) {
  return isa_and_nonnull<SubOp, stablehlo::SubtractOp>(op);
}

static std::optional<int64_t> numberOf(Value value) {
  if (auto known = boundOf(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!isAddition(op) && !isSubtraction(op))
    return std::nullopt;
  auto lhs = boundOf(op->getOperand(0)), rhs = boundOf(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return isAddition(op) ? *lhs + *rhs : *lhs - *rhs;
}

static std::optional<Steps> stepsOf(Value index, Value induction) {
  if (index == induction)
    return Steps{false, 0};
  Operation *op = index.getDefiningOp();
  if (!isAddition(op) && !isSubtraction(op))
    return std::nullopt;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  auto before = numberOf(lhs), after = numberOf(rhs);
  if (auto steps = stepsOf(lhs, induction); steps && after)
    return Steps{steps->isReversed,
                 steps->offset + (isAddition(op) ? *after : -*after)};
  auto steps = stepsOf(rhs, induction);
  if (!steps || !before)
    return std::nullopt;
  if (isAddition(op))
    return Steps{steps->isReversed, steps->offset + *before};
  return Steps{!steps->isReversed, *before - steps->offset};
}

std::optional<Span> ingot::spanOf(const Row &row, ForOp loop) {
  auto lower = boundOf(loop.getLower()), count = rangeOf(loop).knownCount();
  auto steps = stepsOf(row.index, loop.getBody().front().getArgument(0));
  if (!lower || !count || !steps || boundOf(loop.getStep()) != 1)
    return std::nullopt;
  int64_t first = steps->isReversed ? steps->offset - (*lower + *count - 1)
                                    : steps->offset + *lower;
  // Elsewhere, slices are moved inside.
  if (first < 0 || first + *count > row.count())
    return std::nullopt;
  return Span{first, *count, steps->isReversed};
}

Value ingot::rowsOf(OpBuilder &builder, const Row &row, const Span &span,
                    bool isFlipped) {
  mlir::Location location = row.array.getLoc();
  Value rows = row.array;
  if (span.count != row.count()) {
    SmallVector<int64_t> starts(typeOf(rows).getRank(), 0),
        sizes(shapeOf(rows)), ones(sizes.size(), 1);
    starts[row.axis] = span.first;
    sizes[row.axis] = span.count;
    rows = SliceOp::create(builder, location, rows, starts, sizes, ones);
  }
  if (isFlipped)
    rows = FlipOp::create(builder, location, rows, ArrayRef(row.axis));
  return rows;
}

Value ingot::padded(OpBuilder &builder, Value rows, int64_t axis,
                    const Span &span, int64_t count, double number) {
  mlir::Location location = rows.getLoc();
  SmallVector<int64_t> low(typeOf(rows).getRank(), 0), high(low), none(low);
  low[axis] = span.first;
  high[axis] = count - span.first - span.count;
  Value value = numberOf(builder, location, number, rows.getType());
  return PadOp::create(builder, location, rows, value, low, high, none);
}

/// Pattern: array[part] + x is stored to the same part, and nothing else uses
/// the array.
static std::optional<CarriedSum> addedToPart(Value array) {
  UpdateSliceOp update;
  DynamicSliceOp slice;
  for (Operation *user : array.getUsers()) {
    if (auto each = dyn_cast<UpdateSliceOp>(user))
      update = each;
    if (auto each = dyn_cast<DynamicSliceOp>(user))
      slice = each;
  }
  if (!update || !slice || update.getOperand() != array || !array.hasNUses(2) ||
      !slice->hasOneUse() || update.getStarts() != slice.getStarts() ||
      update.getStrides() != slice.getStrides() ||
      update.getUpdate().getType() != slice.getType())
    return std::nullopt;
  Value part = slice.getResult(), stored = update.getUpdate();
  if (auto reshape = stored.getDefiningOp<ReshapeOp>();
      reshape && reshape->hasOneUse()) {
    auto back = dyn_cast<ReshapeOp>(*slice->user_begin());
    if (!back || !back->hasOneUse() ||
        back.getType() != reshape.getOperand().getType())
      return std::nullopt;
    part = back.getResult();
    stored = reshape.getOperand();
  }
  auto sum = stored.getDefiningOp<AddOp>();
  if (!sum || !sum->hasOneUse() || sum.getType() != part.getType() ||
      !llvm::is_contained(sum->getOperands(), part))
    return std::nullopt;
  return CarriedSum{sum, sum.getRhs() == part ? 1u : 0u, update};
}

SmallVector<CarriedSum> ingot::sumsOf(BlockArgument carried) {
  SmallVector<CarriedSum> found;
  Block &body = *carried.getOwner();
  Value array = carried;
  while (true) {
    Operation *user = array.hasOneUse() ? *array.user_begin() : nullptr;
    unsigned place = user ? array.use_begin()->getOperandNumber() : 0;
    if (user && user == body.getTerminator())
      return place + 1 == carried.getArgNumber() ? found
                                                 : SmallVector<CarriedSum>();
    if (auto sum = dyn_cast_or_null<AddOp>(user);
        sum && sum->getBlock() == &body && sum.getType() == array.getType()) {
      found.push_back({sum, place, {}});
      array = sum.getResult();
      continue;
    }
    auto partial = addedToPart(array);
    if (!partial || partial->update->getBlock() != &body)
      return {};
    found.push_back(*partial);
    array = partial->update.getResult();
  }
}
