//===- Dialect.cpp - Registration and operations without operands ---------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"
#include "Ingot/Slopes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

#include "Ingot/Batchable.cpp.inc"
#include "Ingot/Dialect.cpp.inc"
#include "Ingot/Differentiable.cpp.inc"
#include "Ingot/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Ingot/Attributes.cpp.inc"

#define GET_OP_CLASSES
#include "Ingot/Ops.cpp.inc"

void IngotDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Ingot/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Ingot/Ops.cpp.inc"
      >();
}

Operation *IngotDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             mlir::Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, type, elements);
}

/// The length of a result along its first axis is another result, a number;
/// what is behind it is unspecified.
static LogicalResult verifyLength(Operation *op, NamedAttribute attribute,
                                  unsigned index) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  ArrayRef<Type> types =
      function ? function.getResultTypes() : ArrayRef<Type>();
  auto isLength = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0 &&
           tensor.getElementType().isInteger(64);
  };
  auto array = index < types.size() ? dyn_cast<RankedTensorType>(types[index])
                                    : RankedTensorType();
  bool holds = number && array && array.getRank() > 0 &&
               number.getValue().ult(types.size()) &&
               isLength(types[number.getInt()]);
  return holds ? success()
               : op->emitError("result #")
                     << index
                     << " has an `ingot.length` that is not the number of a "
                        "result of type tensor<i64>";
}

LogicalResult IngotDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned index,
                                                     NamedAttribute attribute) {
  return attribute.getName() == "ingot.sharding"
             ? verifyShardingOf(op, attribute, "argument", index, true)
             : success();
}

LogicalResult IngotDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned index, NamedAttribute attribute) {
  if (attribute.getName() == "ingot.length")
    return verifyLength(op, attribute, index);
  return attribute.getName() == "ingot.sharding"
             ? verifyShardingOf(op, attribute, "result", index, false)
             : success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult IotaOp::verify() {
  int64_t rank = getResult().getType().getRank();
  if (static_cast<int64_t>(getAxis()) >= rank)
    return emitOpError("axis ")
           << getAxis() << " is out of bounds for array of dimension " << rank;
  return success();
}
