//===- RaiseAdditions.cpp - One addition for the rows of all iterations ---===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "Regions.h"
#include "Simplify/Rows.h"

namespace ingot {
#define GEN_PASS_DEF_RAISEADDITIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
/// A row that each iteration adds to another row of an array.
struct RowSum {
  CarriedSum op;
  Row row, part;
  Span rows, parts;

  static std::optional<RowSum> of(const CarriedSum &op, ForOp loop);
  /// All rows, in the order and with the axes of the parts.
  Value added(OpBuilder &builder) const;
};
} // namespace

std::optional<RowSum> RowSum::of(const CarriedSum &op, ForOp loop) {
  UpdateSliceOp update = op.update;
  auto row = rowOf(op.sum->getOperand(1 - op.place), loop);
  auto part = rowOf(update.getOperand(), shapeOf(update.getUpdate()),
                    update.getStarts());
  if (!row || !part || row->shape() != part->shape())
    return std::nullopt;
  auto rows = spanOf(*row, loop), parts = spanOf(*part, loop);
  if (!rows || !parts)
    return std::nullopt;
  return RowSum{op, *row, *part, *rows, *parts};
}

Value RowSum::added(OpBuilder &builder) const {
  Value all = rowsOf(builder, row, rows, rows.isReversed != parts.isReversed);
  SmallVector<int64_t> axes;
  for (int64_t axis : llvm::seq<int64_t>(typeOf(all).getRank()))
    if (axis != row.axis)
      axes.push_back(axis);
  axes.insert(axes.begin() + part.axis, row.axis);
  if (llvm::is_sorted(axes))
    return all;
  return TransposeOp::create(builder, all.getLoc(), all, axes);
}

/// Adds an array to rows of another one.
static Value addedTo(OpBuilder &builder, Value array, RowSum &sum) {
  mlir::Location location = sum.op.sum.getLoc();
  Value added = sum.added(builder);
  int64_t axis = sum.part.axis, count = shapeOf(array)[axis];
  auto known = floatOf(array);
  bool isZero = known && known->isZero();
  // Unlike zero, -0.0 added to -0.0 is the same.
  if (sum.parts.count < count && (isZero || areAlmostAll(sum.parts, count)))
    added = padded(builder, added, axis, sum.parts, count, -0.0);
  if (shapeOf(added)[axis] == count)
    return AddOp::create(builder, location, array, added);
  SmallVector<int64_t> starts(typeOf(array).getRank(), 0),
      ones(starts.size(), 1);
  starts[axis] = sum.parts.first;
  Value part =
      SliceOp::create(builder, location, array, starts, shapeOf(added), ones);
  added = AddOp::create(builder, location, part, added);
  SmallVector<Value> at = llvm::map_to_vector(
      starts, [&](int64_t start) { return integer(builder, location, start); });
  return UpdateSliceOp::create(builder, location, array, added, at, ones);
}

/// The sums of a carried array, if the loop does nothing with it but to add
/// rows to its rows.
static SmallVector<RowSum> rowSumsOf(BlockArgument carried, ForOp loop) {
  SmallVector<RowSum> found;
  for (const CarriedSum &op : sumsOf(carried)) {
    auto sum = op.update ? RowSum::of(op, loop) : std::nullopt;
    if (!sum)
      return {};
    found.push_back(*sum);
  }
  return found;
}

static void raiseAll(ForOp loop) {
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  Block &body = loop.getBody().front();
  for (auto [carried, init, result] :
       llvm::zip_equal(body.getArguments().drop_front(), loop.getInits(),
                       loop.getResults())) {
    SmallVector<RowSum> sums = rowSumsOf(carried, loop);
    if (sums.empty() || result.use_empty())
      continue;
    // The loop leaves the array as it was.
    Value total = init;
    for (RowSum &sum : sums) {
      total = addedTo(builder, total, sum);
      sum.op.update.replaceAllUsesWith(sum.op.update.getOperand());
      sum.op.update.erase();
    }
    result.replaceAllUsesWith(total);
  }
}

namespace {
struct RaiseAdditions : public ingot::impl::RaiseAdditionsBase<RaiseAdditions> {
  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops)
      raiseAll(loop);
  }
};
} // namespace
