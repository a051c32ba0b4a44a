//===- BatchIndexing.cpp - Slices, gathers and scatters of lanes ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
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

Value Batcher::readSlice(Value operand, bool hasLanes, ValueRange starts,
                         ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  mlir::Location location = operand.getLoc();
  ArrayRef<int64_t> shape = shapeOf(operand).drop_front(hasLanes);
  if (lanes.anyDiffers(starts)) {
    auto indices = indicesOf(shape, hasLanes, starts, sizes, strides);
    if (!indices.empty())
      return GatherOp::create(builder, location, operand, indices);
    auto type = typeOf(operand).clone(prefixed(size, shape));
    return BroadcastToOp::create(builder, location, type, operand);
  }
  SmallVector<Value> first{integers(0)};
  for (Value start : starts)
    first.push_back(copyOf(start));
  return DynamicSliceOp::create(builder, location, operand, first,
                                prefixed(size, sizes), prefixed(1, strides));
}

void Batcher::expand(DynamicSliceOp op) {
  bind(op, readSlice(copyOf(op.getOperand()), lanes.differ(op.getOperand()),
                     op.getStarts(), op.getSizes(), op.getStrides()));
}

/// Lanes that do not run write the elements that the array already has.
void Batcher::expand(UpdateSliceOp op) {
  Value operand = stackOf(op.getOperand()), update = stackOf(op.getUpdate());
  ArrayRef<int64_t> sizes = laneShape(op.getUpdate());
  mlir::Location location = op.getLoc();
  if (mask)
    update = choose(
        mask, update,
        readSlice(operand, true, op.getStarts(), sizes, op.getStrides()));
  Value made;
  if (lanes.anyDiffers(op.getStarts())) {
    auto indices = indicesOf(op.getType().getShape(), true, op.getStarts(),
                             sizes, op.getStrides());
    made = ScatterOp::create(builder, location, ScatterKind::Set, operand,
                             update, indices, /*unique=*/true);
  } else {
    SmallVector<Value> starts{integers(0)};
    for (Value start : op.getStarts())
      starts.push_back(copyOf(start));
    made = UpdateSliceOp::create(builder, location, operand, update, starts,
                                 prefixed(1, op.getStrides()));
  }
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
  SmallVector<Value> indices = stackedIndices(op.getIndices(), true);
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
                                 update, indices, op.getUnique());
  bind(op, made);
  if (mask)
    updates[made] = {operand, mask};
}
