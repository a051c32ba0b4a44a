//===- Emitter.cpp - Building StableHLO -----------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;
using stablehlo::ComparisonType;

/// A number as an attribute of an element type, converted as C does.
static Attribute elementAttr(Type element, double value) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerAttr::get(
        integer, APInt(integer.getWidth(), static_cast<int64_t>(value),
                       /*isSigned=*/true, /*implicitTrunc=*/true));
  return FloatAttr::get(element, value);
}

Value Emitter::splat(Type type, double value) {
  auto tensor = cast<RankedTensorType>(type);
  auto complex = dyn_cast<ComplexType>(tensor.getElementType());
  DenseElementsAttr attr;
  if (complex) {
    Attribute parts[] = {elementAttr(complex.getElementType(), value),
                         elementAttr(complex.getElementType(), 0)};
    attr =
        DenseElementsAttr::get(tensor, Attribute(builder.getArrayAttr(parts)));
  } else {
    attr = DenseElementsAttr::get(tensor,
                                  elementAttr(tensor.getElementType(), value));
  }
  return emit<stablehlo::ConstantOp>(tensor, attr);
}

Value Emitter::broadcast(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value);
  if (type.getShape() == shape)
    return value;
  auto dims = llvm::to_vector(llvm::seq<int64_t>(
      static_cast<int64_t>(shape.size()) - type.getRank(), shape.size()));
  return emit<stablehlo::BroadcastInDimOp>(type.clone(shape), value, dims);
}

Value Emitter::convert(Value value, Type element) {
  if (elementOf(value) == element)
    return value;
  return emit<stablehlo::ConvertOp>(typeOf(value).clone(element), value);
}

Value Emitter::compare(ComparisonDirection direction, Value lhs, Value rhs) {
  Type element = elementOf(lhs);
  ComparisonType type = ComparisonType::FLOAT;
  if (auto integer = dyn_cast<IntegerType>(element))
    type = integer.isUnsigned() || integer.getWidth() == 1
               ? ComparisonType::UNSIGNED
               : ComparisonType::SIGNED;
  MLIRContext *context = builder.getContext();
  return emit<stablehlo::CompareOp>(
      typeOf(lhs).clone(builder.getI1Type()), lhs, rhs,
      stablehlo::ComparisonDirectionAttr::get(context, direction),
      stablehlo::ComparisonTypeAttr::get(context, type));
}

Value Emitter::select(Value condition, Value onTrue, Value onFalse) {
  return emit<stablehlo::SelectOp>(onTrue.getType(), condition, onTrue,
                                   onFalse);
}

Value Emitter::slice(Value operand, ArrayRef<int64_t> starts,
                     ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> limits;
  for (auto [start, size, stride] : llvm::zip_equal(starts, sizes, strides))
    limits.push_back(size == 0 ? start : start + (size - 1) * stride + 1);
  return emit<stablehlo::SliceOp>(typeOf(operand).clone(sizes), operand, starts,
                                  limits, strides);
}

Value Emitter::pad(Value operand, Value value, ArrayRef<int64_t> low,
                   ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(shapeOf(operand)))
    shape.push_back(low[i] + size +
                    std::max<int64_t>(size - 1, 0) * interior[i] + high[i]);
  return emit<stablehlo::PadOp>(typeOf(operand).clone(shape), operand, value,
                                low, high, interior);
}

Value Emitter::combine(ReduceKind kind, Value lhs, Value rhs) {
  switch (kind) {
  case ReduceKind::Add:
    return emit<stablehlo::AddOp>(lhs, rhs);
  case ReduceKind::Mul:
    return emit<stablehlo::MulOp>(lhs, rhs);
  case ReduceKind::Min:
    return emit<stablehlo::MinOp>(lhs, rhs);
  case ReduceKind::Max:
    return emit<stablehlo::MaxOp>(lhs, rhs);
  case ReduceKind::And:
    return emit<stablehlo::AndOp>(lhs, rhs);
  case ReduceKind::Or:
    return emit<stablehlo::OrOp>(lhs, rhs);
  }
  llvm_unreachable("covered switch");
}

TypedAttr ingot::extremum(Type element, bool isLargest) {
  if (auto floating = dyn_cast<FloatType>(element))
    return FloatAttr::get(
        element, APFloat::getInf(floating.getFloatSemantics(), !isLargest));
  auto integer = cast<IntegerType>(element);
  unsigned width = integer.getWidth();
  bool isUnsigned = integer.isUnsigned() || width == 1;
  APInt value = isUnsigned ? (isLargest ? APInt::getMaxValue(width)
                                        : APInt::getMinValue(width))
                           : (isLargest ? APInt::getSignedMaxValue(width)
                                        : APInt::getSignedMinValue(width));
  return IntegerAttr::get(integer, value);
}

Value Emitter::identity(ReduceKind kind, Type type) {
  bool isOrder = kind == ReduceKind::Min || kind == ReduceKind::Max;
  if (!isOrder)
    return splat(type, kind == ReduceKind::Mul || kind == ReduceKind::And);
  auto tensor = cast<RankedTensorType>(type);
  return emit<stablehlo::ConstantOp>(
      tensor,
      DenseElementsAttr::get(
          tensor, extremum(tensor.getElementType(), kind == ReduceKind::Min)));
}

Value Emitter::reduce(ReduceKind kind, Value operand, ArrayRef<int64_t> axes) {
  if (axes.empty())
    return operand;
  RankedTensorType type = typeOf(operand);
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(axes, i))
      shape.push_back(size);
  RankedTensorType scalar = type.clone(ArrayRef<int64_t>());
  Value init = identity(kind, scalar);
  auto op = stablehlo::ReduceOp::create(builder, location, type.clone(shape),
                                        operand, init, axes);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&op.getBody(), {}, {scalar, scalar},
                                     {location, location});
  Value combined = combine(kind, block->getArgument(0), block->getArgument(1));
  stablehlo::ReturnOp::create(builder, location, combined);
  return op;
}
