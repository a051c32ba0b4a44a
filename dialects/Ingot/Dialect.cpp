//===- Dialect.cpp - Registration and operations without operands ---------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"
#include "Ingot/Inference.h"

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

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult IotaOp::verify() {
  int64_t rank = getResult().getType().getRank();
  if (static_cast<int64_t>(getAxis()) >= rank)
    return emitOpError("axis ")
           << getAxis() << " is out of bounds for array of dimension " << rank;
  return success();
}
