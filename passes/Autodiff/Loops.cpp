//===- Loops.cpp - Counted loops and what they keep -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Beyond this no bound is a useful one, and below it nothing overflows.
static constexpr int64_t largest = int64_t(1) << 40;
static std::optional<int64_t> constantOf(Value value) {
  std::optional<int64_t> number = integerOf(value);
  return number && std::abs(*number) < largest ? number : std::nullopt;
}

/// ceil((upper - lower) / step), but not less than 0.
Value Range::count(OpBuilder &builder, mlir::Location location) const {
  auto first = constantOf(lower), end = constantOf(upper);
  auto stride = constantOf(step);
  if (first && end && stride) {
    int64_t way = *stride > 0 ? *end - *first : *first - *end;
    int64_t by = std::abs(*stride);
    return integer(builder, location, way <= 0 ? 0 : (way + by - 1) / by);
  }
  Value back = SubOp::create(builder, location, lower, upper);
  Value quotient = FloorDivOp::create(builder, location, back, step);
  Value count = NegOp::create(builder, location, quotient);
  Value zero = integer(builder, location, 0);
  return MaximumOp::create(builder, location, count, zero);
}

Value Range::index(OpBuilder &builder, Value number) const {
  mlir::Location location = number.getLoc();
  Value way = number;
  if (constantOf(step) != 1)
    way = MulOp::create(builder, location, way, step);
  if (constantOf(lower) != 0)
    way = AddOp::create(builder, location, way, lower);
  return way;
}

Value Range::number(OpBuilder &builder, Value index) const {
  mlir::Location location = index.getLoc();
  Value way = index;
  if (constantOf(lower) != 0)
    way = SubOp::create(builder, location, way, lower);
  if (constantOf(step) != 1)
    way = FloorDivOp::create(builder, location, way, step);
  return way;
}

ForOp ingot::beginFor(OpBuilder &builder, mlir::Location location, Value count,
                      ArrayRef<Value> inits) {
  Value zero = integer(builder, location, 0),
        one = integer(builder, location, 1);
  SmallVector<Value> operands{zero, count, one};
  llvm::append_range(operands, inits);
  OperationState state(location, ForOp::getOperationName(), operands,
                       llvm::to_vector(ValueRange(inits).getTypes()), {});
  state.addRegion();
  auto made = cast<ForOp>(builder.create(state));
  Block *block = builder.createBlock(&made.getBody());
  block->addArgument(count.getType(), location);
  for (Value init : inits)
    block->addArgument(init.getType(), location);
  return made;
}

//===----------------------------------------------------------------------===//
// Values of all iterations
//===----------------------------------------------------------------------===//

static SmallVector<Value> placeOf(OpBuilder &builder, Value number,
                                  int64_t rank) {
  SmallVector<Value> starts(rank, integer(builder, number.getLoc(), 0));
  starts[0] = number;
  return starts;
}

Value ingot::stackOf(OpBuilder &builder, mlir::Location location, Type type,
                     int64_t size) {
  return zerosOf(builder, location, stacked(type, size));
}

Value ingot::readAt(OpBuilder &builder, Value array, Value number, Type type) {
  mlir::Location location = number.getLoc();
  int64_t rank = typeOf(array).getRank();
  Value one = DynamicSliceOp::create(
      builder, location, array, placeOf(builder, number, rank),
      stacked(type, 1).getShape(), SmallVector<int64_t>(rank, 1));
  return ReshapeOp::create(builder, location, type, one);
}

Value ingot::writeAt(OpBuilder &builder, Value array, Value number,
                     Value value) {
  mlir::Location location = number.getLoc();
  int64_t rank = typeOf(array).getRank();
  Value one =
      ReshapeOp::create(builder, location, stacked(value.getType(), 1), value);
  return UpdateSliceOp::create(builder, location, array, one,
                               placeOf(builder, number, rank),
                               SmallVector<int64_t>(rank, 1));
}

ForOp ingot::keepInLoop(ForOp loop, ArrayRef<Value> values, int64_t most) {
  OpBuilder builder(loop);
  mlir::Location location = loop.getLoc();
  SmallVector<Value> operands(loop->getOperands());
  SmallVector<Type> types(loop.getResultTypes());
  for (Value value : values) {
    operands.push_back(stackOf(builder, location, value.getType(), most));
    types.push_back(operands.back().getType());
  }
  OperationState state(location, ForOp::getOperationName(), operands, types,
                       loop->getAttrs());
  state.addRegion();
  auto made = cast<ForOp>(builder.create(state));
  made.getBody().takeBody(loop.getBody());
  Block &body = made.getBody().front();
  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  Range range{made.getLower(), made.getUpper(), made.getStep()};
  Value number = range.number(builder, body.getArgument(0));
  SmallVector<Value> yielded(end->getOperands());
  for (Value value : values) {
    Value all = body.addArgument(stacked(value.getType(), most), location);
    yielded.push_back(writeAt(builder, all, number, value));
  }
  end->setOperands(yielded);
  return made;
}

IfOp ingot::keepInIf(IfOp op, ArrayRef<Value> thenValues,
                     ArrayRef<Value> elseValues) {
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, ValueRange(thenValues).getTypes());
  llvm::append_range(types, ValueRange(elseValues).getTypes());
  auto made = IfOp::create(builder, op.getLoc(), types, op.getCondition());
  for (unsigned side : {0, 1}) {
    Region &region = made->getRegion(side);
    region.takeBody(op->getRegion(side));
    Operation *end = region.front().getTerminator();
    builder.setInsertionPoint(end);
    SmallVector<Value> yielded(end->getOperands());
    auto add = [&](ArrayRef<Value> values, bool areHere) {
      for (Value value : values)
        yielded.push_back(
            areHere ? value : zerosOf(builder, op.getLoc(), value.getType()));
    };
    add(thenValues, side == 0);
    add(elseValues, side == 1);
    end->setOperands(yielded);
  }
  return made;
}

//===----------------------------------------------------------------------===//
// How many iterations there can be
//===----------------------------------------------------------------------===//

namespace {
struct Interval {
  int64_t least, most;
};

/// A sum of multiples of values, and of a number.
struct Affine {
  llvm::SmallDenseMap<Value, int64_t> factors;
  int64_t number = 0;
};
} // namespace

/// How many values are looked at; sums share what they add.
static constexpr unsigned patience = 256;

static void collect(Value value, int64_t factor, Affine &sum, unsigned &left) {
  Operation *op = value.getDefiningOp();
  if (auto number = constantOf(value)) {
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

/// The bounds of what is no sum: an index, or the smaller or larger of two.
static std::optional<Interval> boundsOfTerm(Value value, unsigned &left) {
  if (left == 0)
    return std::nullopt;
  --left;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() != 0)
      return std::nullopt;
    auto step = constantOf(loop.getStep());
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
    auto divisor = constantOf(op->getOperand(1));
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
    if (std::max(std::abs(bounds.least), std::abs(bounds.most)) >= largest)
      return std::nullopt;
  }
  return bounds;
}

std::optional<int64_t> ingot::mostIterations(ForOp loop) {
  auto step = constantOf(loop.getStep());
  if (!step || *step == 0)
    return std::nullopt;
  // Together, so that a range from i to i + 5 has 5.
  Affine way;
  unsigned left = patience;
  collect(loop.getUpper(), *step > 0 ? 1 : -1, way, left);
  collect(loop.getLower(), *step > 0 ? -1 : 1, way, left);
  auto bounds = boundsOf(way, left);
  if (!bounds)
    return std::nullopt;
  int64_t stride = std::abs(*step);
  return std::max<int64_t>(0, (bounds->most + stride - 1) / stride);
}
