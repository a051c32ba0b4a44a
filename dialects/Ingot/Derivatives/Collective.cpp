//===- Collective.cpp - Derivatives of collectives -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

// All of these operations are linear, so they only need adjoints. Each lane's
// cotangent is that of the sum of all lanes' results.

/// Every lane has a copy of this lane's operand: the cotangents of these are
/// added.
LogicalResult AllGatherOp::buildAdjoints(OpBuilder &builder,
                                         ArrayRef<Value> cotangents,
                                         ValueList &results) {
  RankedTensorType type = getOperand().getType();
  Value sum = PsumOp::create(builder, getLoc(), cotangents[0], getAxisAttr());
  Value lane = AxisIndexOp::create(
      builder, getLoc(), RankedTensorType::get({}, builder.getI64Type()),
      getAxisAttr());
  SmallVector<Value> starts{lane};
  starts.append(type.getRank(), integer(builder, getLoc(), 0));
  SmallVector<int64_t> ones(type.getRank() + 1, 1);
  Value row = DynamicSliceOp::create(builder, getLoc(), sum, starts,
                                     prefixed(1, type.getShape()), ones);
  results.push_back(ReshapeOp::create(builder, getLoc(), type, row));
  return success();
}

LogicalResult PpermuteOp::buildAdjoints(OpBuilder &builder,
                                        ArrayRef<Value> cotangents,
                                        ValueList &results) {
  SmallVector<int64_t> inverse(getSources().size(), -1);
  for (auto [lane, source] : llvm::enumerate(getSources()))
    if (source >= 0)
      inverse[source] = lane;
  results.push_back(PpermuteOp::create(builder, getLoc(), cotangents[0],
                                       getAxisAttr(),
                                       builder.getDenseI64ArrayAttr(inverse)));
  return success();
}

LogicalResult PsumOp::buildAdjoints(OpBuilder &builder,
                                    ArrayRef<Value> cotangents,
                                    ValueList &results) {
  results.push_back(
      PsumOp::create(builder, getLoc(), cotangents[0], getAxisAttr()));
  return success();
}
