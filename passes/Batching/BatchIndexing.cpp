//===- BatchIndexing.cpp - Slices, gathers and scatters of lanes ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
#include "CarriedArrays.h"

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

Value Batcher::integers(int64_t value) {
  return integer(builder, builder.getUnknownLoc(), value);
}

Value Batcher::laneNumbers(ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, builder.getI64Type());
  return IotaOp::create(builder, builder.getUnknownLoc(), type, 0);
}

/// A transpose, which is none if axes with one element pass others only.
static Value transposed(OpBuilder &builder, Value array,
                        ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape, longAxes;
  for (int64_t axis : axes) {
    shape.push_back(shapeOf(array)[axis]);
    if (shape.back() != 1)
      longAxes.push_back(axis);
  }
  if (!llvm::is_sorted(longAxes))
    return TransposeOp::create(builder, array.getLoc(), array, axes);
  return ReshapeOp::create(builder, array.getLoc(), typeOf(array).clone(shape),
                           array);
}

/// Of an array with one element for each lane along `axis`, the lanes become
/// the first axis, and `axis` has one element.
static Value movedToFront(OpBuilder &builder, Value array, int64_t axis) {
  SmallVector<int64_t> shape(shapeOf(array)), axes{axis};
  for (int64_t each = 0, rank = shape.size(); each < rank; ++each)
    if (each != axis)
      axes.push_back(each);
  int64_t count = std::exchange(shape[axis], 1);
  Value made = transposed(builder, array, axes);
  return ReshapeOp::create(builder, array.getLoc(),
                           typeOf(array).clone(prefixed(count, shape)), made);
}

/// The inverse.
static Value movedFromFront(OpBuilder &builder, Value stack, int64_t axis) {
  SmallVector<int64_t> shape(shapeOf(stack)), axes;
  shape.erase(shape.begin() + 1 + axis);
  Value made = ReshapeOp::create(builder, stack.getLoc(),
                                 typeOf(stack).clone(shape), stack);
  for (int64_t each = 1, rank = shape.size(); each < rank; ++each)
    axes.push_back(each);
  axes.insert(axes.begin() + axis, 0);
  return transposed(builder, made, axes);
}

void Batcher::expand(SliceOp op) {
  bind(op, SliceOp::create(builder, op.getLoc(), copyOf(op.getOperand()),
                           prefixed(0, op.getStarts()),
                           prefixed(size, op.getSizes()),
                           prefixed(1, op.getStrides())));
}

SmallVector<Value> Batcher::indicesOf(ArrayRef<int64_t> shape, bool hasLanes,
                                      ValueRange starts,
                                      ArrayRef<int64_t> sizes,
                                      ArrayRef<int64_t> strides) {
  mlir::Location location = starts.front().getLoc();
  // A gather takes the last axes whole if they have no indices.
  int64_t count = shape.size();
  while (count > 0 && sizes[count - 1] == shape[count - 1])
    --count;
  SmallVector<int64_t> joint = prefixed(size, sizes.take_front(count));
  auto type = RankedTensorType::get(joint, builder.getI64Type());
  SmallVector<Value> indices;
  if (hasLanes)
    indices.push_back(laneNumbers(joint));
  for (int64_t axis = 0; axis < count; ++axis) {
    int64_t span = (sizes[axis] - 1) * strides[axis] + 1;
    Value start = aligned(starts[axis], count);
    start = MaximumOp::create(builder, location, start, integers(0));
    start = MinimumOp::create(builder, location, start,
                              integers(shape[axis] - span));
    Value along = IotaOp::create(builder, location, type, axis + 1);
    if (strides[axis] != 1)
      along = MulOp::create(builder, location, along, integers(strides[axis]));
    indices.push_back(AddOp::create(builder, location, along, start));
  }
  return indices;
}

std::optional<Steps> Batcher::stepsOf(Value value) {
  if (!induction)
    return std::nullopt;
  Index found = indexOf(value);
  // The operands of operations that have been moved are copies.
  for (Value number : {induction, copyOf(induction)}) {
    Index own = indexOf(number);
    if (found.base == own.base)
      return Steps{index.first + found.offset - own.offset, index.stride,
                   index.count};
  }
  return std::nullopt;
}

std::optional<int64_t> Batcher::axisOfLanes(ArrayRef<int64_t> shape,
                                            ValueRange starts,
                                            ArrayRef<int64_t> sizes) {
  std::optional<int64_t> found;
  for (auto [axis, start] : llvm::enumerate(starts)) {
    if (!lanes.differ(start))
      continue;
    auto steps = stepsOf(start);
    if (found || !steps || sizes[axis] != 1 || !steps->isWithin(shape[axis]))
      return std::nullopt;
    found = axis;
  }
  return found;
}

Value Batcher::readSlice(Value operand, bool hasLanes, ValueRange starts,
                         ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  mlir::Location location = operand.getLoc();
  ArrayRef<int64_t> shape = shapeOf(operand).drop_front(hasLanes);
  SmallVector<Value> first =
      llvm::map_to_vector(starts, [&](Value start) { return copyOf(start); });
  auto axis = hasLanes ? std::nullopt : axisOfLanes(shape, starts, sizes);
  if (axis) {
    Steps steps = *stepsOf(starts[*axis]);
    SmallVector<int64_t> all(sizes), by(strides);
    first[*axis] = integers(steps.first);
    all[*axis] = steps.count;
    by[*axis] = steps.stride;
    Value parts =
        DynamicSliceOp::create(builder, location, operand, first, all, by);
    return movedToFront(builder, parts, *axis);
  }
  if (lanes.anyDiffers(starts)) {
    auto indices = indicesOf(shape, hasLanes, starts, sizes, strides);
    if (!indices.empty())
      return GatherOp::create(builder, location, operand, indices);
    auto type = typeOf(operand).clone(prefixed(size, shape));
    return BroadcastToOp::create(builder, location, type, operand);
  }
  if (!hasLanes)
    return DynamicSliceOp::create(builder, location, operand, first, sizes,
                                  strides);
  first.insert(first.begin(), integers(0));
  return DynamicSliceOp::create(builder, location, operand, first,
                                prefixed(size, sizes), prefixed(1, strides));
}

void Batcher::expand(DynamicSliceOp op) {
  bind(op, readSlice(copyOf(op.getOperand()), lanes.differ(op.getOperand()),
                     op.getStarts(), op.getSizes(), op.getStrides()));
}

Value Batcher::writeSlice(UpdateSliceOp op, Value operand, bool hasLanes,
                          Value update) {
  mlir::Location location = op.getLoc();
  ArrayRef<int64_t> shape = shapeOf(operand).drop_front(hasLanes);
  auto sizes = llvm::to_vector(shapeOf(update).drop_front());
  SmallVector<Value> starts = llvm::map_to_vector(
      op.getStarts(), [&](Value start) { return copyOf(start); });
  auto axis =
      hasLanes ? std::nullopt : axisOfLanes(shape, op.getStarts(), sizes);
  if (axis) {
    Steps steps = *stepsOf(op.getStarts()[*axis]);
    SmallVector<int64_t> by(op.getStrides());
    starts[*axis] = integers(steps.first);
    by[*axis] = steps.stride;
    Value parts = movedFromFront(builder, update, *axis);
    return UpdateSliceOp::create(builder, location, operand, parts, starts, by);
  }
  if (lanes.anyDiffers(op.getStarts())) {
    auto indices =
        indicesOf(shape, hasLanes, op.getStarts(), sizes, op.getStrides());
    return ScatterOp::create(builder, location, ScatterKind::Set, operand,
                             update, indices, /*unique=*/true);
  }
  starts.insert(starts.begin(), integers(0));
  return UpdateSliceOp::create(builder, location, operand, update, starts,
                               prefixed(1, op.getStrides()));
}

/// Lanes that do not run write the elements that the array already has.
void Batcher::expand(UpdateSliceOp op) {
  Value operand = stackOf(op.getOperand()), update = stackOf(op.getUpdate());
  bool hasLanes = !lanes.isCommon(op.getOperand());
  if (mask)
    update = choose(mask, update,
                    readSlice(operand, hasLanes, op.getStarts(),
                              shapeOf(update).drop_front(), op.getStrides()));
  Value made = writeSlice(op, operand, hasLanes, update);
  bind(op, made);
  if (mask)
    updates[made] = {operand, mask};
}

SmallVector<Value> Batcher::stackedIndices(ValueRange indices, bool hasLanes) {
  SmallVector<int64_t> shape = prefixed(size, laneShape(indices[0]));
  SmallVector<Value> stacks;
  if (hasLanes)
    stacks.push_back(laneNumbers(shape));
  for (Value index : indices) {
    Value stack = stackOf(index);
    auto type = typeOf(stack).clone(builder.getI64Type());
    if (stack.getType() != type)
      stack = ConvertOp::create(builder, index.getLoc(), type, stack);
    stacks.push_back(stack);
  }
  return stacks;
}

void Batcher::expand(GatherOp op) {
  bool hasLanes = lanes.differ(op.getOperand());
  bind(op, GatherOp::create(builder, op.getLoc(), copyOf(op.getOperand()),
                            stackedIndices(op.getIndices(), hasLanes)));
}

/// Lanes that do not run combine the neutral element, or for kinds without one
/// the elements that the array already has.
void Batcher::expand(ScatterOp op) {
  mlir::Location location = op.getLoc();
  Value operand = stackOf(op.getOperand()), update = stackOf(op.getUpdate());
  // Several lanes may combine something with one element of a common array.
  bool isCommon = lanes.isCommon(op.getOperand());
  SmallVector<Value> indices = stackedIndices(op.getIndices(), !isCommon);
  if (mask) {
    Type scalar = typeOf(update).clone(ArrayRef<int64_t>());
    Value neutral;
    if (op.getKind() == ScatterKind::Add)
      neutral = zerosOf(builder, location, scalar);
    else if (op.getKind() == ScatterKind::Mul)
      neutral = ConvertOp::create(builder, location, scalar, integers(1));
    else
      neutral = GatherOp::create(builder, location, operand, indices);
    update = choose(mask, update, neutral);
  }
  Value made = ScatterOp::create(builder, location, op.getKind(), operand,
                                 update, indices, op.getUnique() && !isCommon);
  bind(op, made);
  if (mask)
    updates[made] = {operand, mask};
}
