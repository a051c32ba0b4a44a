//===- Reduction.cpp - Reductions, scans and sorts ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

using namespace mlir;

namespace ingot {

static LogicalResult checkReduceKind(Location location, ReduceKind kind,
                                     Type element) {
  bool isPred = element.isInteger(1);
  bool isLogical = kind == ReduceKind::And || kind == ReduceKind::Or;
  bool isOrder = kind == ReduceKind::Min || kind == ReduceKind::Max;
  if (isLogical ? isPred : isOrder ? !isa<ComplexType>(element) : !isPred)
    return success();
  return emitOptionalError(location, "can't reduce ", element, " by ",
                           stringifyReduceKind(kind));
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, Location location,
                                         Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  if (failed(checkAxes(location, axes, type.getRank())) ||
      failed(
          checkReduceKind(location, adaptor.getKind(), type.getElementType())))
    return failure();
  bool hasIdentity = adaptor.getKind() != ReduceKind::Min &&
                     adaptor.getKind() != ReduceKind::Max;
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (!llvm::is_contained(axes, i)) {
      shape.push_back(size);
      continue;
    }
    if (size == 0 && !hasIdentity)
      return emitOptionalError(location, "zero-size array to reduction "
                                         "operation which has no identity");
  }
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult ArgReduceOp::inferReturnTypes(MLIRContext *, Location location,
                                            Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxes(location, axis, type.getRank())))
    return failure();
  if (adaptor.getKind() != ReduceKind::Min &&
      adaptor.getKind() != ReduceKind::Max)
    return emitOptionalError(location, "kind is neither min nor max");
  if (isa<ComplexType>(type.getElementType()))
    return emitOptionalError(location, "complex numbers have no order");
  if (type.getDimSize(axis) == 0)
    return emitOptionalError(
        location, "attempt to get argmin or argmax of an empty sequence");
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  results.push_back(
      RankedTensorType::get(shape, IntegerType::get(type.getContext(), 64)));
  return success();
}

LogicalResult CumulativeOp::inferReturnTypes(MLIRContext *, Location location,
                                             Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  results.push_back(type);
  if (failed(checkAxes(location, adaptor.getAxis(), type.getRank())))
    return failure();
  return checkReduceKind(location, adaptor.getKind(), type.getElementType());
}

LogicalResult NonzeroOp::inferReturnTypes(MLIRContext *context,
                                          Location location, Adaptor adaptor,
                                          Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  if (type.getRank() == 0)
    return emitOptionalError(location,
                             "Calling nonzero on 0d arrays is not allowed");
  results.push_back(type.clone(IntegerType::get(context, 64)));
  return success();
}

LogicalResult SortOp::inferReturnTypes(MLIRContext *, Location location,
                                       Adaptor adaptor, Types &results) {
  ValueRange operands = adaptor.getOperands_();
  int64_t keys = adaptor.getNumKeys();
  if (keys < 1 || keys > static_cast<int64_t>(operands.size()))
    return emitOptionalError(location, keys, " keys for ", operands.size(),
                             " operands");
  RankedTensorType first = typeOf(operands[0]);
  if (failed(checkAxes(location, adaptor.getAxis(), first.getRank())))
    return failure();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (shapeOf(operand) != first.getShape())
      return emitOptionalError(
          location, "operands of a sort have different shapes ",
          shapeText(first.getShape()), " and ", shapeText(shapeOf(operand)));
    if (static_cast<int64_t>(i) < keys && isa<ComplexType>(elementOf(operand)))
      return emitOptionalError(location, "complex numbers have no order");
    results.push_back(operand.getType());
  }
  return success();
}

AxisRule ReduceOp::getAxisRule() {
  AxisRule rule = axesWithout(*this, getAxes());
  rule.isIdempotent =
      getKind() != ReduceKind::Add && getKind() != ReduceKind::Mul;
  return rule;
}

} // namespace ingot
