//===- Elements.cpp - Elements of arrays that are not in memory -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ingot;

SmallVector<int64_t> ingot::wideAxes(RankedTensorType type) {
  SmallVector<int64_t> axes;
  for (int64_t axis : llvm::seq(type.getRank()))
    if (type.getDimSize(axis) != 1)
      axes.push_back(axis);
  return axes;
}

RankedTensorType ingot::squeezed(RankedTensorType type) {
  SmallVector<int64_t> shape;
  for (int64_t axis : wideAxes(type))
    shape.push_back(type.getDimSize(axis));
  return RankedTensorType::get(shape, storedType(type.getElementType()));
}

Type ingot::kernelType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return isScalar(tensor) ? scalarType(tensor.getElementType())
                          : Type(squeezed(tensor));
}

Position ingot::atLoops(RankedTensorType type) {
  Position position(type.getRank());
  for (int64_t axis : wideAxes(type))
    position[axis].loop = axis;
  return position;
}

Value Elements::valueOf(const AxisIndex &index) {
  return index.index ? index.index : indexOf(index.loop);
}

Value Elements::read(Value tensor, RankedTensorType type,
                     const Position &position) {
  SmallVector<Value> indices;
  for (int64_t axis : wideAxes(type))
    indices.push_back(valueOf(position[axis]));
  return scalars.emit<tensor::ExtractOp>(tensor, indices);
}

Value Elements::at(Value value, const Position &position) {
  for (auto &[known, where, element] : done)
    if (known == value && where == position)
      return element;
  RankedTensorType type = typeOf(value);
  Value found;
  if (isScalar(type))
    found = values.lookup(value);
  else if (plan.isInlined(value))
    found = compute(value.getDefiningOp(), position);
  else
    found = scalars.load(read(values.lookup(value), type, position),
                         type.getElementType());
  done.emplace_back(value, position, found);
  return found;
}

/// A position in an operand that is broadcast to the array along `axes`.
static Position broadcastFrom(Value operand, ArrayRef<int64_t> axes,
                              const Position &position) {
  Position inner;
  for (auto [size, axis] : llvm::zip_equal(shapeOf(operand), axes))
    inner.push_back(size == 1 ? AxisIndex() : position[axis]);
  return inner;
}

/// A position in the array of which a slice is taken.
Position Elements::sliced(ArrayRef<OpFoldResult> starts,
                          ArrayRef<int64_t> strides, RankedTensorType type,
                          const Position &position) {
  Position inner(type.getRank());
  for (int64_t axis : wideAxes(type)) {
    const AxisIndex &at = position[axis];
    std::optional<int64_t> known = getConstantIntValue(starts[axis]);
    bool isOne = at.loop < 0 && !at.index;
    if (known == 0 && strides[axis] == 1 && !isOne) {
      inner[axis] = at;
      continue;
    }
    Value start = known ? scalars.index(*known) : cast<Value>(starts[axis]);
    inner[axis].index = start;
    if (isOne)
      continue;
    Value offset = valueOf(at);
    if (strides[axis] != 1)
      offset =
          scalars.emit<arith::MulIOp>(offset, scalars.index(strides[axis]));
    inner[axis].index = scalars.emit<arith::AddIOp>(start, offset);
  }
  return inner;
}

Value Elements::compute(Operation *op, const Position &position) {
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return scalars.constant(constant.getSplatValue<Attribute>(),
                            constant.getElementType());
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return at(broadcast.getOperand(),
              broadcastFrom(broadcast.getOperand(),
                            broadcast.getBroadcastDimensions(), position));
  if (auto broadcast = dyn_cast<BroadcastToOp>(op)) {
    int64_t rank = broadcast.getOperand().getType().getRank();
    return at(
        broadcast.getOperand(),
        broadcastFrom(
            broadcast.getOperand(), llvm::to_vector(llvm::seq(rank)),
            Position(llvm::ArrayRef<AxisIndex>(position).take_back(rank))));
  }
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    Position inner(position.size());
    for (auto [axis, source] : llvm::enumerate(transpose.getAxes()))
      inner[source] = position[axis];
    return at(transpose.getOperand(), inner);
  }
  if (auto flip = dyn_cast<FlipOp>(op)) {
    Position inner = position;
    for (int64_t axis : flip.getAxes()) {
      int64_t last = flip.getType().getDimSize(axis) - 1;
      if (last > 0)
        inner[axis] = {-1, scalars.emit<arith::SubIOp>(
                               scalars.index(last), valueOf(position[axis]))};
    }
    return at(flip.getOperand(), inner);
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    RankedTensorType from = reshape.getOperand().getType();
    Position inner(from.getRank());
    for (auto [source, axis] :
         llvm::zip_equal(wideAxes(from), wideAxes(reshape.getType())))
      inner[source] = position[axis];
    return at(reshape.getOperand(), inner);
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    auto starts = getAsIndexOpFoldResult(op->getContext(), slice.getStarts());
    return at(slice.getOperand(),
              sliced(starts, slice.getStrides(), slice.getOperand().getType(),
                     position));
  }
  if (auto slice = dyn_cast<DynamicSliceOp>(op)) {
    auto starts = insideStarts(scalars, values, slice);
    return at(slice.getOperand(),
              sliced(starts, slice.getStrides(), slice.getOperand().getType(),
                     position));
  }
  if (auto iota = dyn_cast<IotaOp>(op)) {
    RankedTensorType type = iota.getType();
    int64_t axis = iota.getAxis();
    if (type.getDimSize(axis) == 1)
      return scalars.number(0, scalarType(type.getElementType()));
    return scalars.fromIndex(valueOf(position[axis]), type.getElementType());
  }
  if (auto each = dyn_cast<PadOp>(op))
    return pad(each, position);
  if (auto each = dyn_cast<GatherOp>(op))
    return gather(each, position, /*isInside=*/false);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(at(operand, position));
  return scalars.elementwise(op, operands);
}

Value Elements::gather(GatherOp op, const Position &position, bool isInside) {
  RankedTensorType type = op.getOperand().getType();
  int64_t rank = typeOf(op.getIndices()[0]).getRank(),
          count = op.getIndices().size();
  Position head(llvm::ArrayRef<AxisIndex>(position).take_front(rank)),
      inner(type.getRank());
  for (int64_t axis : wideAxes(type)) {
    if (axis >= count) {
      inner[axis] = position[rank + axis - count];
      continue;
    }
    Value index = op.getIndices()[axis];
    bool isUnsigned = cast<IntegerType>(elementOf(index)).isUnsigned();
    Value number = scalars.toIndex(at(index, head), isUnsigned);
    inner[axis].index =
        isInside ? number : scalars.clamp(number, type.getDimSize(axis) - 1);
  }
  return at(op.getOperand(), inner);
}

/// Reads the operand only where the position is inside of it.
Value Elements::pad(PadOp op, const Position &position) {
  RankedTensorType type = op.getOperand().getType(), padded = op.getType();
  Value isInside;
  Position inner(type.getRank());
  auto check = [&](arith::CmpIPredicate how, Value index, int64_t bound) {
    Value holds = scalars.emit<arith::CmpIOp>(how, index, scalars.index(bound));
    isInside = isInside ? scalars.emit<arith::AndIOp>(isInside, holds) : holds;
  };
  for (int64_t axis : wideAxes(padded)) {
    int64_t low = op.getLow()[axis], size = type.getDimSize(axis);
    if (low == 0 && op.getHigh()[axis] == 0) {
      inner[axis] = position[axis];
      continue;
    }
    Value index = valueOf(position[axis]);
    if (low > 0)
      check(arith::CmpIPredicate::sge, index, low);
    if (op.getHigh()[axis] > 0)
      check(arith::CmpIPredicate::slt, index, low + size);
    if (size > 1)
      inner[axis].index =
          low == 0 ? index
                   : scalars.emit<arith::SubIOp>(index, scalars.index(low));
  }
  Value outside = values.lookup(op.getValue());
  if (!isInside)
    return at(op.getOperand(), inner);
  if (isScalar(type))
    return scalars.emit<arith::SelectOp>(isInside, at(op.getOperand(), inner),
                                         outside);
  return scalars.choose(
      isInside,
      [&] {
        // What is computed in a branch is not seen outside.
        size_t known = done.size();
        Value found = at(op.getOperand(), inner);
        done.truncate(known);
        return found;
      },
      outside);
}
