//===- Regions.cpp - Helpers for branches and loops -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

std::optional<int64_t> ingot::boundOf(Value value) {
  std::optional<int64_t> number = integerOf(value);
  return number && std::abs(*number) < largestBound ? number : std::nullopt;
}

std::optional<int64_t> Range::knownCount() const {
  auto first = boundOf(lower), end = boundOf(upper);
  auto stride = boundOf(step);
  if (!first || !end || !stride || *stride == 0)
    return std::nullopt;
  int64_t distance = *stride > 0 ? *end - *first : *first - *end;
  int64_t by = std::abs(*stride);
  return distance <= 0 ? 0 : (distance + by - 1) / by;
}

/// ceil((upper - lower) / step), but not less than 0.
Value Range::count(OpBuilder &builder, mlir::Location location) const {
  if (auto known = knownCount())
    return integer(builder, location, *known);
  Value back = SubOp::create(builder, location, lower, upper);
  Value quotient = FloorDivOp::create(builder, location, back, step);
  Value count = NegOp::create(builder, location, quotient);
  Value zero = integer(builder, location, 0);
  return MaximumOp::create(builder, location, count, zero);
}

Value Range::index(OpBuilder &builder, Value number) const {
  mlir::Location location = number.getLoc();
  Value index = number;
  if (boundOf(step) != 1)
    index = MulOp::create(builder, location, index, step);
  if (boundOf(lower) != 0)
    index = AddOp::create(builder, location, index, lower);
  return index;
}

Value Range::number(OpBuilder &builder, Value index) const {
  mlir::Location location = index.getLoc();
  Value number = index;
  if (boundOf(lower) != 0)
    number = SubOp::create(builder, location, number, lower);
  if (boundOf(step) != 1)
    number = FloorDivOp::create(builder, location, number, step);
  return number;
}

/// Creates a block with arguments of these types, and moves the insertion point
/// into it.
static void beginBlock(OpBuilder &builder, mlir::Location location,
                       Region &region, TypeRange types) {
  SmallVector<mlir::Location> locations(types.size(), location);
  builder.createBlock(&region, {}, types, locations);
}

ForOp ingot::beginFor(OpBuilder &builder, mlir::Location location, Value count,
                      ArrayRef<Value> inits) {
  Value zero = integer(builder, location, 0),
        one = integer(builder, location, 1);
  TypeRange types{ValueRange(inits)};
  auto made = ForOp::create(builder, location, types, zero, count, one, inits);
  SmallVector<Type> arguments{count.getType()};
  llvm::append_range(arguments, types);
  beginBlock(builder, location, made.getBody(), arguments);
  return made;
}

WhileOp ingot::beginWhile(OpBuilder &builder, mlir::Location location,
                          ArrayRef<Value> inits) {
  TypeRange types{ValueRange(inits)};
  auto made = WhileOp::create(builder, location, types, inits);
  beginBlock(builder, location, made.getBody(), types);
  beginBlock(builder, location, made.getCond(), types);
  return made;
}

/// The starts of the slice at index `number` of the first axis.
static SmallVector<Value> startsOf(OpBuilder &builder, Value number,
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
      builder, location, array, startsOf(builder, number, rank),
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
                               startsOf(builder, number, rank),
                               SmallVector<int64_t>(rank, 1));
}

//===----------------------------------------------------------------------===//
// Values that pass into, around and out of regions
//===----------------------------------------------------------------------===//

SmallVector<Value> ingot::controlsOf(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return {branch.getCondition()};
  if (auto loop = dyn_cast<ForOp>(op))
    return {loop.getLower(), loop.getUpper(), loop.getStep()};
  if (auto loop = dyn_cast<WhileOp>(op))
    return {loop.getCond().front().getTerminator()->getOperand(0)};
  return {};
}

OperandRange ingot::carriedOperands(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  return loop ? loop.getInits() : op->getOperands().take_back(0);
}

ArrayRef<BlockArgument> ingot::carriedArguments(Region &region) {
  unsigned count = carriedOperands(region.getParentOp()).size();
  return region.getArguments().take_back(count);
}

SmallVector<Value> ingot::sourcesOf(OpResult result) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  SmallVector<Value> found;
  if (OperandRange inits = carriedOperands(op); !inits.empty())
    found.push_back(inits[index]);
  for (Region &region : op->getRegions())
    if (auto end = dyn_cast<YieldOp>(region.front().getTerminator()))
      found.push_back(end.getOperand(index));
  return found;
}

SmallVector<Value> ingot::carriersOf(OpResult result) {
  SmallVector<Value> found{result};
  for (Region &region : result.getOwner()->getRegions())
    if (auto arguments = carriedArguments(region); !arguments.empty())
      found.push_back(arguments[result.getResultNumber()]);
  return found;
}

//===----------------------------------------------------------------------===//
// Rebuilding operations
//===----------------------------------------------------------------------===//

Operation *ingot::createLike(OpBuilder &builder, Operation *op,
                             ValueRange operands, TypeRange results) {
  OperationState state(op->getLoc(), op->getName(), operands, results,
                       op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  return builder.create(state);
}

Operation *ingot::rebuild(Operation *op, ValueRange operands,
                          TypeRange results) {
  OpBuilder builder(op);
  Operation *made = createLike(builder, op, operands, results);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), made->getRegions()))
    to.takeBody(from);
  return made;
}

Operation *ingot::rebuildWith(Operation *op, ValueRange inits) {
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, inits.getTypes());
  SmallVector<Value> operands(op->getOperands());
  bool isLoop = isa<LoopLikeOpInterface>(op);
  if (isLoop)
    llvm::append_range(operands, inits);
  Operation *made = rebuild(op, operands, types);
  for (Region &region : made->getRegions())
    for (Value init : isLoop ? inits : ValueRange())
      region.addArgument(init.getType(), op->getLoc());
  return made;
}

void ingot::yieldMore(Region &region, ValueRange values) {
  Operation *end = region.front().getTerminator();
  end->insertOperands(end->getNumOperands(), values);
}

void ingot::yieldSides(IfOp op, ArrayRef<Value> thenValues,
                       ArrayRef<Value> elseValues) {
  auto yield = [&](Region &region, ArrayRef<Value> values, bool areHere) {
    OpBuilder builder(region.front().getTerminator());
    for (Value value : values)
      yieldMore(region,
                areHere ? value
                        : zerosOf(builder, value.getLoc(), value.getType()));
  };
  for (bool isThen : {true, false}) {
    Region &region = isThen ? op.getThenRegion() : op.getElseRegion();
    yield(region, thenValues, isThen);
    yield(region, elseValues, !isThen);
  }
}
