//===- Intervals.cpp - Bounds of integers ---------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Intervals.h"
#include "Regions.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

/// The bounds of the index of a loop.
static std::optional<Interval> boundsOfIndex(BlockArgument index,
                                             unsigned steps) {
  auto loop = dyn_cast<ForOp>(index.getOwner()->getParentOp());
  auto step = loop ? boundOf(loop.getStep()) : std::nullopt;
  if (!step || *step == 0 || index.getArgNumber() != 0)
    return std::nullopt;
  auto lower = intervalOf(loop.getLower(), steps),
       upper = intervalOf(loop.getUpper(), steps);
  if (!lower || !upper)
    return std::nullopt;
  if (*step > 0)
    return Interval{lower->least, upper->most - 1};
  return Interval{upper->least + 1, lower->most};
}

std::optional<Interval> ingot::intervalOf(Value value, unsigned steps) {
  if (auto number = boundOf(value))
    return Interval{*number, *number};
  if (steps == 0)
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return boundsOfIndex(argument, steps - 1);
  Operation *op = value.getDefiningOp();
  if (!isa<AddOp, SubOp, MinimumOp, MaximumOp>(op))
    return std::nullopt;
  auto lhs = intervalOf(op->getOperand(0), steps - 1),
       rhs = intervalOf(op->getOperand(1), steps - 1);
  if (!lhs || !rhs)
    return std::nullopt;
  return TypeSwitch<Operation *, Interval>(op)
      .Case([&](AddOp) {
        return Interval{lhs->least + rhs->least, lhs->most + rhs->most};
      })
      .Case([&](SubOp) {
        return Interval{lhs->least - rhs->most, lhs->most - rhs->least};
      })
      .Case([&](MinimumOp) {
        return Interval{std::min(lhs->least, rhs->least),
                        std::min(lhs->most, rhs->most)};
      })
      .Default([&](Operation *) {
        return Interval{std::max(lhs->least, rhs->least),
                        std::max(lhs->most, rhs->most)};
      });
}

Index ingot::indexOf(Value value) {
  if (auto number = boundOf(value))
    return {Value(), *number};
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<AddOp, SubOp>(op))
    return {value, 0};
  Value base = op->getOperand(0), number = op->getOperand(1);
  if (isa<AddOp>(op) && boundOf(base))
    std::swap(base, number);
  auto offset = boundOf(number);
  if (!offset)
    return {value, 0};
  Index index = indexOf(base);
  return {index.base, index.offset + (isa<AddOp>(op) ? *offset : -*offset)};
}
