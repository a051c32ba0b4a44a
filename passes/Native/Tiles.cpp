//===- Tiles.cpp - Operations for ranges of an axis -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

using namespace mlir;
using namespace ingot;

/// The first axis with more than one element, or `whole`.
static int64_t firstWideAxis(ArrayRef<int64_t> shape) {
  const auto *found =
      llvm::find_if(shape, [](int64_t size) { return size != 1; });
  return found == shape.end() ? Tiling::whole : found - shape.begin();
}

/// The same type with another size along an axis.
static RankedTensorType resized(RankedTensorType type, int64_t axis,
                                int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  return type.clone(shape);
}

static std::optional<Tiling> tilingOfReduction(ReduceOp op) {
  ArrayRef<int64_t> shape = shapeOf(op.getOperand());
  int64_t axis = firstWideAxis(shape);
  // Products of floats may overflow in another order.
  if (axis == Tiling::whole || op.getKind() == ReduceKind::Mul)
    return std::nullopt;
  return Tiling{shape[axis], Tiling::whole, {axis}};
}

std::optional<Tiling> ingot::tilingOf(Operation *op) {
  bool isKnown = isa<BroadcastToOp, ConcatenateOp, PadOp, ReduceOp, ReshapeOp,
                     SliceOp, TransposeOp>(op) ||
                 (op->hasTrait<ElementwiseTrait>() && op->getNumResults() == 1);
  if (!isKnown)
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  int64_t axis = firstWideAxis(shape);
  if (axis == Tiling::whole) {
    auto reduce = dyn_cast<ReduceOp>(op);
    return reduce ? tilingOfReduction(reduce) : std::nullopt;
  }
  AxisRule rule = cast<BatchableOpInterface>(op).getAxisRule();
  int64_t number = rule.results[0][axis];
  if (number == AxisRule::whole)
    return std::nullopt;
  Tiling tiling{shape[axis], axis, {}};
  for (auto [operand, axes] :
       llvm::zip_equal(op->getOperands(), rule.operands)) {
    const auto *found = llvm::find(axes, number);
    bool isWhole =
        found == axes.end() || shapeOf(operand)[found - axes.begin()] == 1;
    tiling.operands.push_back(isWhole ? Tiling::whole : found - axes.begin());
    // A part along a later axis is spread over the memory.
    if (!isWhole && tiling.operands.back() != firstWideAxis(shapeOf(operand)))
      return std::nullopt;
  }
  // An axis that only the result has is one of other axes' elements.
  if (isa<ReshapeOp>(op) && tiling.operands[0] == Tiling::whole)
    return std::nullopt;
  return tiling;
}

SmallVector<Value> ingot::startsOf(OpBuilder &builder, Part part, int64_t axis,
                                   int64_t rank) {
  SmallVector<Value> starts(rank, integer(builder, part.start.getLoc(), 0));
  starts[axis] = part.start;
  return starts;
}

Value ingot::partOf(OpBuilder &builder, Value array, int64_t axis, Part part) {
  mlir::Location location = part.start.getLoc();
  RankedTensorType type = resized(typeOf(array), axis, part.size);
  if (TypedAttr number = splatOf(array))
    return constantOf(builder, location, number, type.getShape());
  int64_t rank = type.getRank();
  return DynamicSliceOp::create(builder, location, array,
                                startsOf(builder, part, axis, rank),
                                type.getShape(), SmallVector<int64_t>(rank, 1));
}

RankedTensorType ingot::partialType(ReduceOp op) {
  RankedTensorType type = op.getType();
  bool isNarrow =
      isa<FloatType>(type.getElementType()) && op.getKind() == ReduceKind::Add;
  return isNarrow ? type.clone(Float64Type::get(op.getContext())) : type;
}

Value ingot::computePart(OpBuilder &builder, Operation *op,
                         const Tiling &tiling, ValueRange operands,
                         int64_t size) {
  if (tiling.axis == Tiling::whole) {
    auto reduce = cast<ReduceOp>(op);
    RankedTensorType type = partialType(reduce);
    Value operand = operands[0];
    if (type != reduce.getType())
      operand = ConvertOp::create(builder, op->getLoc(),
                                  typeOf(operand).clone(type.getElementType()),
                                  operand);
    return createLike(builder, op, operand, type)->getResult(0);
  }
  RankedTensorType type = resized(typeOf(op->getResult(0)), tiling.axis, size);
  Operation *made = createLike(builder, op, operands, type);
  if (auto slice = dyn_cast<SliceOp>(made)) {
    SmallVector<int64_t> sizes(slice.getSizes());
    sizes[tiling.axis] = size;
    slice.setSizes(sizes);
  }
  return made->getResult(0);
}
