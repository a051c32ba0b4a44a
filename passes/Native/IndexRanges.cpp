//===- IndexRanges.cpp - Bounds of indices --------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ingot;

/// Beyond this, sums and products of two bounds may overflow.
static constexpr int64_t largest = int64_t(1) << 30;
/// The longest chain of operations that is followed.
static constexpr unsigned mostSteps = 16;

static std::optional<IndexRange> rangeWithin(Value value, unsigned steps);

static std::optional<IndexRange> small(int64_t least, int64_t most) {
  if (least < -largest || most > largest)
    return std::nullopt;
  return IndexRange{least, most};
}

/// The range of the induction variable of a loop, where the body runs at all.
static std::optional<IndexRange> rangeOfIndex(ForOp loop, unsigned steps) {
  auto lower = rangeWithin(loop.getLower(), steps),
       upper = rangeWithin(loop.getUpper(), steps),
       step = rangeWithin(loop.getStep(), steps);
  if (!lower || !upper || !step)
    return std::nullopt;
  if (step->least > 0)
    return small(lower->least, std::max(lower->least, upper->most - 1));
  if (step->most < 0)
    return small(std::min(lower->most, upper->least + 1), lower->most);
  return std::nullopt;
}

static std::optional<IndexRange> rangeOfOp(Operation *op, unsigned steps) {
  if (isa<stablehlo::SelectOp>(op)) {
    auto a = rangeWithin(op->getOperand(1), steps),
         b = rangeWithin(op->getOperand(2), steps);
    if (!a || !b)
      return std::nullopt;
    return IndexRange{std::min(a->least, b->least), std::max(a->most, b->most)};
  }
  if (isa<ReshapeOp, BroadcastToOp, stablehlo::BroadcastInDimOp>(op))
    return rangeWithin(op->getOperand(0), steps);
  if (op->getNumOperands() != 2)
    return std::nullopt;
  auto a = rangeWithin(op->getOperand(0), steps),
       b = rangeWithin(op->getOperand(1), steps);
  bool isMin = isa<stablehlo::MinOp>(op), isMax = isa<stablehlo::MaxOp>(op);
  if (a && b && isMin)
    return IndexRange{std::min(a->least, b->least), std::min(a->most, b->most)};
  if (a && b && isMax)
    return IndexRange{std::max(a->least, b->least), std::max(a->most, b->most)};
  if (!a || !b)
    return std::nullopt;
  if (isa<stablehlo::AddOp>(op))
    return small(a->least + b->least, a->most + b->most);
  if (isa<stablehlo::SubtractOp>(op))
    return small(a->least - b->most, a->most - b->least);
  if (isa<stablehlo::MulOp>(op)) {
    int64_t products[] = {a->least * b->least, a->least * b->most,
                          a->most * b->least, a->most * b->most};
    return small(*llvm::min_element(products), *llvm::max_element(products));
  }
  return std::nullopt;
}

static std::optional<IndexRange> rangeWithin(Value value, unsigned steps) {
  if (auto found = integerOf(value))
    return small(*found, *found);
  if (steps == 0 || !elementOf(value).isInteger(64) ||
      !isScalar(value.getType()))
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() != 0)
      return std::nullopt;
    return rangeOfIndex(loop, steps - 1);
  }
  return rangeOfOp(value.getDefiningOp(), steps - 1);
}

std::optional<IndexRange> ingot::rangeOf(Value value) {
  return rangeWithin(value, mostSteps);
}

std::optional<bool> ingot::knownComparison(Operation *op) {
  auto compare = dyn_cast<stablehlo::CompareOp>(op);
  if (!compare)
    return std::nullopt;
  auto a = rangeOf(compare.getLhs()), b = rangeOf(compare.getRhs());
  if (!a || !b)
    return std::nullopt;
  auto unless = [](bool holds, bool fails) -> std::optional<bool> {
    if (holds || fails)
      return holds;
    return std::nullopt;
  };
  bool isLess = a->most<b->least, isMore = a->least> b->most;
  switch (compare.getComparisonDirection()) {
  case stablehlo::ComparisonDirection::LT:
    return unless(isLess, a->least >= b->most);
  case stablehlo::ComparisonDirection::LE:
    return unless(a->most <= b->least, isMore);
  case stablehlo::ComparisonDirection::GT:
    return unless(isMore, a->most <= b->least);
  case stablehlo::ComparisonDirection::GE:
    return unless(a->least >= b->most, isLess);
  case stablehlo::ComparisonDirection::EQ:
    return unless(false, isLess || isMore);
  case stablehlo::ComparisonDirection::NE:
    return unless(isLess || isMore, false);
  }
  llvm_unreachable("covered switch");
}
