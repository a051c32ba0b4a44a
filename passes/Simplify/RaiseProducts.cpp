//===- RaiseProducts.cpp - One product for all iterations of a loop -------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Simplify/Products.h"

namespace ingot {
#define GEN_PASS_DEF_RAISEPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// What an array from outside of a loop has at one index along an axis; that
/// axis is not one of the value.
struct Row {
  Value array;
  int64_t axis;
  Value index;

  int64_t count() const { return shapeOf(array)[axis]; }
  /// Axes of the value as axes of the array.
  SmallVector<int64_t> axesOf(ArrayRef<int64_t> axes) const {
    return llvm::map_to_vector(
        axes, [&](int64_t each) { return each + (each >= axis); });
  }
};

/// An index of the iterations: one from the loop, times 1 or -1, plus a number.
struct Steps {
  bool isReversed;
  int64_t offset;
};
} // namespace

static std::optional<Row> rowOf(Value value, ForOp loop) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  auto slice = reshape ? reshape.getOperand().getDefiningOp<DynamicSliceOp>()
                       : DynamicSliceOp();
  if (!slice || !loop.isDefinedOutsideOfLoop(slice.getOperand()))
    return std::nullopt;
  std::optional<Row> row;
  ArrayRef<int64_t> sizes = slice.getSizes();
  for (auto [axis, size] : llvm::enumerate(shapeOf(slice.getOperand()))) {
    if (sizes[axis] == size)
      continue;
    if (row || sizes[axis] != 1)
      return std::nullopt;
    row = Row{slice.getOperand(), int64_t(axis), slice.getStarts()[axis]};
  }
  if (!row)
    return std::nullopt;
  SmallVector<int64_t> rest(sizes);
  rest.erase(rest.begin() + row->axis);
  return ArrayRef(rest) == shapeOf(value) ? row : std::nullopt;
}

static std::optional<int64_t> numberOf(Value value) {
  if (auto known = boundOf(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<AddOp, SubOp>(op))
    return std::nullopt;
  auto lhs = boundOf(op->getOperand(0)), rhs = boundOf(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return isa<AddOp>(op) ? *lhs + *rhs : *lhs - *rhs;
}

static std::optional<Steps> stepsOf(Value index, Value induction) {
  if (index == induction)
    return Steps{false, 0};
  Operation *op = index.getDefiningOp();
  if (!isa_and_nonnull<AddOp, SubOp>(op))
    return std::nullopt;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  auto before = numberOf(lhs), after = numberOf(rhs);
  if (auto steps = stepsOf(lhs, induction); steps && after)
    return Steps{steps->isReversed,
                 steps->offset + (isa<AddOp>(op) ? *after : -*after)};
  auto steps = stepsOf(rhs, induction);
  if (!steps || !before)
    return std::nullopt;
  if (isa<AddOp>(op))
    return Steps{steps->isReversed, steps->offset + *before};
  return Steps{!steps->isReversed, *before - steps->offset};
}

/// Multiplies all rows instead of one.
static void widen(Product &product, unsigned i, const Row &row, Value rows) {
  product.operands[i] = rows;
  product.batching[i] = row.axesOf(product.batching[i]);
  product.contracting[i] = row.axesOf(product.contracting[i]);
}

//===----------------------------------------------------------------------===//
// Products of rows with an array from outside
//===----------------------------------------------------------------------===//

/// Pattern: dot(array[i], matrix) in a loop -> dot(array, matrix)[i]
static void hoist(DotGeneralOp op, ForOp loop, int64_t count) {
  for (unsigned i : {0, 1}) {
    auto row = rowOf(op->getOperand(i), loop);
    Value matrix = op->getOperand(1 - i);
    if (!row || !loop.isDefinedOutsideOfLoop(matrix) ||
        !isWorthHoisting(op, 1 - i))
      continue;
    // Rows that no iteration reads are multiplied, too.
    int64_t made = typeOf(op.getResult()).getNumElements() * row->count();
    int64_t given =
        typeOf(row->array).getNumElements() + typeOf(matrix).getNumElements();
    if (row->count() > 2 * count || made > 4 * given)
      continue;
    Product product(op);
    widen(product, i, *row, row->array);
    unsigned place = i;
    // What an iteration reads is contiguous if the rows come first.
    int64_t others = product.batching[1].size() + product.contracting[1].size();
    if (i == 1 && typeOf(op.getRhs()).getRank() == others) {
      product.swap();
      place = 0;
    }
    int64_t axis = product.axisOfResult(place, row->axis);

    OpBuilder builder(loop);
    mlir::Location location = op.getLoc();
    Value all = product.create(builder, location);
    builder.setInsertionPoint(op);
    SmallVector<int64_t> sizes(shapeOf(all)), ones(sizes.size(), 1);
    SmallVector<Value> starts(sizes.size(), integer(builder, location, 0));
    sizes[axis] = 1;
    starts[axis] = row->index;
    Value one =
        DynamicSliceOp::create(builder, location, all, starts, sizes, ones);
    op.replaceAllUsesWith(
        ReshapeOp::create(builder, location, op.getType(), one).getResult());
    return op.erase();
  }
}

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// Pattern: array[part] + x is stored to the same part. Returns the result.
static Value addedToPart(Value array) {
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
    return {};
  Value part = slice.getResult(), stored = update.getUpdate();
  if (auto reshape = stored.getDefiningOp<ReshapeOp>();
      reshape && reshape->hasOneUse()) {
    auto back = dyn_cast<ReshapeOp>(*slice->user_begin());
    if (!back || !back->hasOneUse() ||
        back.getType() != reshape.getOperand().getType())
      return {};
    part = back.getResult();
    stored = reshape.getOperand();
  }
  auto sum = stored.getDefiningOp<AddOp>();
  bool isSum = sum && sum->hasOneUse() && sum.getType() == part.getType() &&
               llvm::is_contained(sum->getOperands(), part);
  return isSum ? update.getResult() : Value();
}

namespace {
/// The addition of a product to an operand.
struct Addition {
  AddOp sum;
  unsigned array;
  DotGeneralOp product;
};
} // namespace

/// The additions of products to an array that the loop carries, if it does
/// nothing but add to that array.
static SmallVector<Addition> productsAddedTo(BlockArgument carried) {
  SmallVector<Addition> found;
  Block &body = *carried.getOwner();
  Value array = carried;
  while (true) {
    Operation *user = array.hasOneUse() ? *array.user_begin() : nullptr;
    if (user && user == body.getTerminator()) {
      unsigned place = array.use_begin()->getOperandNumber();
      return place + 1 == carried.getArgNumber() ? found
                                                 : SmallVector<Addition>();
    }
    if (auto sum = dyn_cast_or_null<AddOp>(user);
        sum && sum->getBlock() == &body && sum.getType() == array.getType()) {
      unsigned place = array.use_begin()->getOperandNumber();
      auto dot = sum->getOperand(1 - place).getDefiningOp<DotGeneralOp>();
      if (dot && dot->getBlock() == &body && dot->hasOneUse() &&
          dot.getType() == sum.getType() && isWorthSumming(dot))
        found.push_back({sum, place, dot});
      array = sum.getResult();
      continue;
    }
    array = addedToPart(array);
    if (!array || array.getParentBlock() != &body)
      return {};
  }
}

/// `count` rows from index `first`, in that order or from the last one.
static Value rowsInOrder(OpBuilder &builder, const Row &row, int64_t first,
                         int64_t count, bool isFlipped) {
  mlir::Location location = row.array.getLoc();
  Value rows = row.array;
  if (count != row.count()) {
    SmallVector<int64_t> starts(typeOf(rows).getRank(), 0),
        sizes(shapeOf(rows)), ones(sizes.size(), 1);
    starts[row.axis] = first;
    sizes[row.axis] = count;
    rows = SliceOp::create(builder, location, rows, starts, sizes, ones);
  }
  if (isFlipped)
    rows = FlipOp::create(builder, location, rows, ArrayRef(row.axis));
  return rows;
}

/// Pattern: sum = sum + dot(a[i], b[i]) in a loop -> dot(a, b) after it, which
/// also contracts the axes of i. Returns null if that can't be done.
static Value sumOf(OpBuilder &builder, DotGeneralOp op, ForOp loop,
                   int64_t count) {
  auto lower = boundOf(loop.getLower());
  if (!lower || boundOf(loop.getStep()) != 1)
    return {};
  Value induction = loop.getBody().front().getArgument(0);
  std::optional<Row> rows[2];
  std::optional<Steps> steps[2];
  int64_t first[2];
  for (unsigned i : {0, 1}) {
    rows[i] = rowOf(op->getOperand(i), loop);
    steps[i] = rows[i] ? stepsOf(rows[i]->index, induction) : std::nullopt;
    if (!steps[i])
      return {};
    first[i] = steps[i]->isReversed ? steps[i]->offset - (*lower + count - 1)
                                    : steps[i]->offset + *lower;
    // Elsewhere, slices are moved inside.
    if (first[i] < 0 || first[i] + count > rows[i]->count())
      return {};
  }
  Product all(op);
  for (unsigned i : {0, 1}) {
    bool isFlipped = i == 1 && steps[0]->isReversed != steps[1]->isReversed;
    widen(all, i, *rows[i],
          rowsInOrder(builder, *rows[i], first[i], count, isFlipped));
    all.contracting[i].push_back(rows[i]->axis);
  }
  return all.create(builder, op.getLoc());
}

static void sumAfter(ForOp loop, int64_t count) {
  Block &body = loop.getBody().front();
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  for (auto [carried, result] :
       llvm::zip_equal(body.getArguments().drop_front(), loop.getResults()))
    for (auto [sum, array, dot] : productsAddedTo(carried)) {
      Value all = sumOf(builder, dot, loop, count);
      if (!all)
        continue;
      sum.replaceAllUsesWith(sum->getOperand(array));
      sum.erase();
      dot.erase();
      auto total = AddOp::create(builder, loop.getLoc(), result, all);
      result.replaceAllUsesExcept(total.getResult(), total);
    }
}

namespace {
struct RaiseProducts : public ingot::impl::RaiseProductsBase<RaiseProducts> {
  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops) {
      auto count = rangeOf(loop).knownCount();
      if (!count || *count < 2)
        continue;
      sumAfter(loop, *count);
      for (Operation &op : llvm::make_early_inc_range(loop.getBody().front()))
        if (auto dot = dyn_cast<DotGeneralOp>(op))
          hoist(dot, loop, *count);
    }
  }
};
} // namespace
