//===- Loops.cpp - Trip counts of loops and their residuals ---------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

using namespace mlir;
using namespace ingot;

std::optional<int64_t> ingot::offsetOnStack(const Range &range,
                                            int64_t maxCount) {
  auto lower = boundOf(range.lower);
  if (!lower || boundOf(range.step) != -1)
    return std::nullopt;
  return maxCount - 1 - *lower;
}

ForOp ingot::saveInLoop(ForOp loop, ArrayRef<Value> values, int64_t maxCount) {
  OpBuilder builder(loop);
  SmallVector<Value> stacks;
  for (Value value : values)
    stacks.push_back(
        stackOf(builder, loop.getLoc(), value.getType(), maxCount));
  auto made = cast<ForOp>(rebuildWith(loop, stacks));
  builder.setInsertionPoint(made.getBody().front().getTerminator());
  Range range{made.getLower(), made.getUpper(), made.getStep()};
  auto arguments = made.getBody().getArguments();
  Value place = arguments.front();
  if (auto offset = offsetOnStack(range, maxCount))
    place = AddOp::create(builder, loop.getLoc(), place,
                          integer(builder, loop.getLoc(), *offset));
  else
    place = range.number(builder, place);
  for (auto [value, all] :
       llvm::zip_equal(values, arguments.take_back(values.size())))
    yieldMore(made.getBody(), writeAt(builder, all, place, value));
  return made;
}

IfOp ingot::saveInIf(IfOp op, ArrayRef<Value> thenValues,
                     ArrayRef<Value> elseValues) {
  SmallVector<Value> values(thenValues);
  llvm::append_range(values, elseValues);
  auto made = cast<IfOp>(rebuildWith(op, values));
  yieldSides(made, thenValues, elseValues);
  return made;
}

//===----------------------------------------------------------------------===//
// Upper bounds of trip counts
//===----------------------------------------------------------------------===//

namespace {
struct Interval {
  int64_t least, most;
};

/// A linear combination of values plus a constant.
struct Affine {
  llvm::SmallDenseMap<Value, int64_t> factors;
  int64_t number = 0;
};
} // namespace

/// The number of values that an analysis visits at most; values that several
/// sums share are visited more than once.
static constexpr unsigned maxVisits = 256;

static void collect(Value value, int64_t factor, Affine &sum, unsigned &left) {
  Operation *op = value.getDefiningOp();
  if (auto number = boundOf(value)) {
    sum.number += factor * *number;
    return;
  }
  bool isSum = isa_and_nonnull<AddOp, SubOp>(op) && left > 0;
  if (!isSum) {
    sum.factors[value] += factor;
    return;
  }
  --left;
  collect(op->getOperand(0), factor, sum, left);
  collect(op->getOperand(1), isa<SubOp>(op) ? -factor : factor, sum, left);
}

static std::optional<Interval> boundsOf(const Affine &sum, unsigned &left);

static std::optional<Interval> boundsOf(Value value, unsigned &left) {
  Affine sum;
  collect(value, 1, sum, left);
  return boundsOf(sum, left);
}

/// The bounds of a value that is not a sum: an induction variable, a remainder,
/// or the minimum or maximum of two values.
static std::optional<Interval> boundsOfTerm(Value value, unsigned &left) {
  if (left == 0)
    return std::nullopt;
  --left;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() != 0)
      return std::nullopt;
    auto step = boundOf(loop.getStep());
    auto lower = boundsOf(loop.getLower(), left);
    auto upper = boundsOf(loop.getUpper(), left);
    if (!step || *step == 0 || !lower || !upper)
      return std::nullopt;
    if (*step > 0)
      return Interval{lower->least, std::max(lower->least, upper->most - 1)};
    return Interval{std::min(lower->most, upper->least + 1), lower->most};
  }
  Operation *op = value.getDefiningOp();
  if (isa<ModOp>(op)) {
    auto divisor = boundOf(op->getOperand(1));
    bool isPositive = divisor && *divisor > 0;
    return isPositive ? std::optional(Interval{0, *divisor - 1}) : std::nullopt;
  }
  if (!isa<MaximumOp, MinimumOp>(op))
    return std::nullopt;
  auto lhs = boundsOf(op->getOperand(0), left);
  auto rhs = boundsOf(op->getOperand(1), left);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<MaximumOp>(op))
    return Interval{std::max(lhs->least, rhs->least),
                    std::max(lhs->most, rhs->most)};
  return Interval{std::min(lhs->least, rhs->least),
                  std::min(lhs->most, rhs->most)};
}

static std::optional<Interval> boundsOf(const Affine &sum, unsigned &left) {
  Interval bounds{sum.number, sum.number};
  for (auto [value, factor] : sum.factors) {
    if (factor == 0)
      continue;
    auto term = boundsOfTerm(value, left);
    if (!term || std::abs(factor) > 1024)
      return std::nullopt;
    bounds.least += factor * (factor > 0 ? term->least : term->most);
    bounds.most += factor * (factor > 0 ? term->most : term->least);
    if (std::max(std::abs(bounds.least), std::abs(bounds.most)) >= largestBound)
      return std::nullopt;
  }
  return bounds;
}

std::optional<int64_t> ingot::maxTripCount(ForOp loop) {
  auto step = boundOf(loop.getStep());
  if (!step || *step == 0)
    return std::nullopt;
  // As one sum, so that a range from i to i + 5 has 5 iterations.
  Affine distance;
  unsigned left = maxVisits;
  collect(loop.getUpper(), *step > 0 ? 1 : -1, distance, left);
  collect(loop.getLower(), *step > 0 ? -1 : 1, distance, left);
  auto bounds = boundsOf(distance, left);
  if (!bounds)
    return std::nullopt;
  int64_t stride = std::abs(*step);
  return std::max<int64_t>(0, (bounds->most + stride - 1) / stride);
}
