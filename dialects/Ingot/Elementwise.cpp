//===- Elementwise.cpp - Broadcasting elementwise operations --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

using namespace mlir;

namespace ingot {

LogicalResult inferBroadcast(Location location, ValueRange operands,
                             Type element, Types &results) {
  RankedTensorType first = typeOf(operands[0]);
  if (first.getElementType() == element &&
      llvm::all_equal(operands.getTypes())) {
    results.push_back(first);
    return success();
  }
  if (operands.size() > 1 &&
      failed(checkSameElement(location, operands.drop_back().back(),
                              operands.back())))
    return failure();
  SmallVector<ArrayRef<int64_t>, 3> shapes(llvm::map_range(operands, shapeOf));
  auto shape = broadcastShapes(shapes);
  if (!shape) {
    std::string text;
    for (ArrayRef<int64_t> each : shapes)
      text += ' ' + shapeText(each);
    return emitOptionalError(
        location, "operands could not be broadcast together with shapes", text);
  }
  results.push_back(RankedTensorType::get(*shape, element));
  return success();
}

LogicalResult CompareOp::verify() {
  bool isOrder =
      getComparison() != Comparison::EQ && getComparison() != Comparison::NE;
  if (isOrder && isa<ComplexType>(getLhs().getType().getElementType()))
    return emitOpError("complex numbers have no order");
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = getOperand().getType().getElementType(),
       to = getType().getElementType();
  if (from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
    return success();
  return emitOpError() << from << " and " << to << " differ in width";
}

/// Pattern: convert(x : T) : T -> x
OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}

/// Pattern: select(true, a, b) -> a, select(false, a, b) -> b, select(c, a, a)
/// -> a, where no broadcast is needed
OpFoldResult SelectOp::fold(FoldAdaptor) {
  if (getOnTrue() == getOnFalse() && getOnTrue().getType() == getType())
    return getOnTrue();
  auto condition = dyn_cast_or_null<IntegerAttr>(splatOf(getCondition()));
  if (!condition)
    return {};
  Value taken = condition.getValue().isZero() ? getOnFalse() : getOnTrue();
  return taken.getType() == getType() ? taken : OpFoldResult();
}

} // namespace ingot
