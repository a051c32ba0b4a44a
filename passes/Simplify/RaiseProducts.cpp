//===- RaiseProducts.cpp - One product for all iterations of a loop -------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Simplify/Products.h"
#include "Simplify/Rows.h"

namespace ingot {
#define GEN_PASS_DEF_RAISEPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The row that a value is, without that axis.
static std::optional<Row> plainRowOf(Value value, ForOp loop) {
  auto row = rowOf(value, loop);
  return row && ArrayRef(row->shape()) == shapeOf(value) ? row : std::nullopt;
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
    auto row = plainRowOf(op->getOperand(i), loop);
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

/// The product of an addition to a carried array, if it is worth one for all
/// iterations. Sums of half precision are rounded in each iteration.
static DotGeneralOp productOf(const CarriedSum &op) {
  AddOp sum = op.sum;
  auto floating = dyn_cast<FloatType>(elementOf(sum));
  if (floating && floating.getWidth() < 32)
    return {};
  auto dot = sum->getOperand(1 - op.place).getDefiningOp<DotGeneralOp>();
  bool isWorth = dot && !op.update && dot->getBlock() == sum->getBlock() &&
                 dot->hasOneUse() && dot.getType() == sum.getType() &&
                 isWorthSumming(dot);
  return isWorth ? dot : DotGeneralOp();
}

/// Whether rows of an operand may be multiplied by zeros: few more than those
/// that iterations read, with what is zero whatever it is multiplied by.
static bool mayMultiplyByZeros(const Row &row, const Span &span, bool zeros) {
  return zeros && span.count < row.count() && areAlmostAll(span, row.count());
}

/// Pattern: sum = sum + dot(a[i], b[i]) in a loop -> dot(a, b) after it, which
/// also contracts the axes of i. Returns null if that can't be done.
static Value sumOf(OpBuilder &builder, DotGeneralOp op, ForOp loop) {
  std::optional<Row> rows[2];
  std::optional<Span> spans[2];
  for (unsigned i : {0, 1}) {
    rows[i] = plainRowOf(op->getOperand(i), loop);
    spans[i] = rows[i] ? spanOf(*rows[i], loop) : std::nullopt;
    if (!spans[i])
      return {};
  }
  Product all(op);
  std::optional<unsigned> whole;
  for (unsigned i : {0, 1})
    if (!whole && mayMultiplyByZeros(*rows[i], *spans[i], all.zeros[1 - i]))
      whole = i;
  // The order is that of the operand which is whole, or of the left one.
  unsigned flipped = whole == 1u ? 0 : 1;
  bool isReversed = spans[0]->isReversed != spans[1]->isReversed;
  for (unsigned i : {0, 1}) {
    const Row &row = *rows[i], &other = *rows[1 - i];
    Span span = *spans[i];
    if (whole == i)
      span = {0, row.count(), span.isReversed};
    Value array = rowsOf(builder, row, span, isReversed && flipped == i);
    if (whole == 1 - i)
      array =
          padded(builder, array, row.axis, *spans[1 - i], other.count(), 0.0);
    widen(all, i, row, array);
    all.contracting[i].push_back(row.axis);
  }
  return all.create(builder, op.getLoc());
}

static void sumAfter(ForOp loop) {
  Block &body = loop.getBody().front();
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  for (auto [carried, result] :
       llvm::zip_equal(body.getArguments().drop_front(), loop.getResults())) {
    Value total = result;
    llvm::SmallPtrSet<Operation *, 4> totals;
    for (CarriedSum &each : sumsOf(carried)) {
      AddOp sum = each.sum;
      DotGeneralOp dot = productOf(each);
      Value all = dot ? sumOf(builder, dot, loop) : Value();
      if (!all)
        continue;
      sum.replaceAllUsesWith(sum->getOperand(each.place));
      sum.erase();
      dot.erase();
      total = AddOp::create(builder, loop.getLoc(), total, all);
      totals.insert(total.getDefiningOp());
    }
    result.replaceAllUsesExcept(total, totals);
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
      sumAfter(loop);
      for (Operation &op : llvm::make_early_inc_range(loop.getBody().front()))
        if (auto dot = dyn_cast<DotGeneralOp>(op))
          hoist(dot, loop, *count);
    }
  }
};
} // namespace
