//===- Affine.cpp - Arrays of affine indices ------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affine.h"
#include "Simplify/Products.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

using Found = std::optional<Affine>;

Interval Affine::intervalFor(ArrayRef<int64_t> shape) const {
  Interval found{offset, offset};
  for (auto [step, size] : llvm::zip_equal(steps, shape))
    (step < 0 ? found.least : found.most) += step * (size - 1);
  return found;
}

/// The same for an array that `axes` tells of: for each axis the one of before,
/// or -1.
static Affine withAxes(const Affine &before, ArrayRef<int64_t> axes) {
  Affine made{before.offset, {}};
  for (int64_t axis : axes)
    made.steps.push_back(axis < 0 ? 0 : before.steps[axis]);
  return made;
}

/// The same, repeated along axes before its own.
static Affine broadcast(const Affine &before, size_t rank) {
  Affine made{before.offset, {}};
  made.steps.assign(rank - before.steps.size(), 0);
  llvm::append_range(made.steps, before.steps);
  return made;
}

/// Pattern: max(x, c) or min(x, c), which is always x
static Found boundedOf(Operation *op, const Affine &x, const Affine &bound,
                       ArrayRef<int64_t> shape) {
  bool isNumber = llvm::all_of(bound.steps, [](int64_t n) { return n == 0; });
  Interval own = x.intervalFor(shape);
  bool isWithin =
      isa<MaximumOp>(op) ? own.least >= bound.offset : own.most <= bound.offset;
  return isNumber && isWithin ? Found(x) : std::nullopt;
}

/// Of an elementwise operation on two arrays.
static Found combinedOf(Operation *op, unsigned most) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  auto left = affineOf(op->getOperand(0), most),
       right = affineOf(op->getOperand(1), most);
  if (!left || !right)
    return std::nullopt;
  Affine x = broadcast(*left, shape.size()),
         y = broadcast(*right, shape.size());
  if (isa<MaximumOp, MinimumOp>(op)) {
    Found found = boundedOf(op, x, y, shape);
    return found ? found : boundedOf(op, y, x, shape);
  }
  if (isa<MulOp>(op)) {
    if (llvm::any_of(y.steps, [](int64_t step) { return step != 0; }))
      std::swap(x, y);
    if (llvm::any_of(y.steps, [](int64_t step) { return step != 0; }))
      return std::nullopt;
    x.offset *= y.offset;
    for (int64_t &step : x.steps)
      step *= y.offset;
    return x;
  }
  int64_t sign = isa<SubOp>(op) ? -1 : 1;
  x.offset += sign * y.offset;
  for (auto [step, other] : llvm::zip_equal(x.steps, y.steps))
    step += sign * other;
  return x;
}

Found ingot::affineOf(Value value, unsigned most) {
  auto type = typeOf(value);
  size_t rank = type.getRank();
  if (auto number = integerOf(value))
    return Affine{*number, SmallVector<int64_t>(rank, 0)};
  Operation *op = value.getDefiningOp();
  if (!op || most == 0 || !type.getElementType().isInteger(64))
    return std::nullopt;
  auto before = [&]() { return affineOf(op->getOperand(0), most - 1); };
  return TypeSwitch<Operation *, Found>(op)
      .Case([&](IotaOp iota) {
        Affine found{0, SmallVector<int64_t>(rank, 0)};
        int64_t axis = iota.getAxis();
        found.steps[axis] = type.getShape()[axis] > 1;
        return found;
      })
      .Case([&](BroadcastToOp) -> Found {
        Found found = before();
        return found ? Found(broadcast(*found, rank)) : std::nullopt;
      })
      .Case([&](ReshapeOp reshape) -> Found {
        auto axes = sameAxes(shapeOf(reshape.getOperand()), type.getShape());
        Found found = axes ? before() : std::nullopt;
        return found ? Found(withAxes(*found, *axes)) : std::nullopt;
      })
      .Case([&](TransposeOp transpose) -> Found {
        Found found = before();
        return found ? Found(withAxes(*found, transpose.getAxes()))
                     : std::nullopt;
      })
      .Case<AddOp, SubOp, MulOp, MaximumOp, MinimumOp>(
          [&](auto) { return combinedOf(op, most - 1); })
      .Default([](Operation *) { return std::nullopt; });
}
