//===- Values.cpp - Types and constants of values -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Values.h"

#include "Ingot/Ingot.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ingot;

Type ingot::realOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

SmallVector<int64_t> ingot::prefixed(int64_t first, ArrayRef<int64_t> rest) {
  SmallVector<int64_t> all{first};
  llvm::append_range(all, rest);
  return all;
}

RankedTensorType ingot::stacked(Type type, int64_t size) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(prefixed(size, tensor.getShape()));
}

static DenseElementsAttr splat(RankedTensorType type, double value) {
  Type element = type.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    return DenseElementsAttr::get(
        type, APInt(integer.getWidth(), static_cast<int64_t>(value)));
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex)
    return DenseElementsAttr::get(type, FloatAttr::get(element, value));
  Type part = complex.getElementType();
  std::complex<APFloat> number(FloatAttr::get(part, value).getValue(),
                               FloatAttr::get(part, 0).getValue());
  return DenseElementsAttr::get(type, number);
}

Value ingot::zerosOf(OpBuilder &builder, mlir::Location location, Type type) {
  return ConstantOp::create(builder, location, type,
                            splat(cast<RankedTensorType>(type), 0));
}

Value ingot::numberOf(OpBuilder &builder, mlir::Location location, double value,
                      Type like) {
  auto type = RankedTensorType::get({}, getElementTypeOrSelf(like));
  return ConstantOp::create(builder, location, type, splat(type, value));
}

Value ingot::integer(OpBuilder &builder, mlir::Location location,
                     int64_t value) {
  return constantOf(builder, location, builder.getI64IntegerAttr(value));
}

Value ingot::constantOf(OpBuilder &builder, mlir::Location location,
                        TypedAttr number, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, number.getType());
  return ConstantOp::create(builder, location, type,
                            DenseElementsAttr::get(type, number));
}

TypedAttr ingot::splatOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<BroadcastToOp, ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return nullptr;
  return dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

std::optional<APFloat> ingot::floatOf(Value value) {
  auto number = dyn_cast_or_null<FloatAttr>(splatOf(value));
  return number ? std::optional(number.getValue()) : std::nullopt;
}

std::optional<int64_t> ingot::integerOf(Value value) {
  auto number = dyn_cast_or_null<IntegerAttr>(splatOf(value));
  return number ? std::optional(number.getValue().getSExtValue())
                : std::nullopt;
}
