//===- Shape.cpp - Derivatives of rearrangements -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

// All of these operations are linear, so they only need adjoints.

LogicalResult ReshapeOp::buildAdjoints(OpBuilder &builder,
                                       ArrayRef<Value> cotangents,
                                       ValueList &results) {
  results.push_back(ReshapeOp::create(builder, getLoc(), getOperand().getType(),
                                      cotangents[0]));
  return success();
}

LogicalResult TransposeOp::buildAdjoints(OpBuilder &builder,
                                         ArrayRef<Value> cotangents,
                                         ValueList &results) {
  SmallVector<int64_t> inverse(getAxes().size());
  for (auto [i, axis] : llvm::enumerate(getAxes()))
    inverse[axis] = i;
  results.push_back(
      TransposeOp::create(builder, getLoc(), cotangents[0], inverse));
  return success();
}

LogicalResult BroadcastToOp::buildAdjoints(OpBuilder &builder,
                                           ArrayRef<Value> cotangents,
                                           ValueList &results) {
  results.push_back(
      unbroadcast(builder, getLoc(), cotangents[0], getOperand().getType()));
  return success();
}

LogicalResult FlipOp::buildAdjoints(OpBuilder &builder,
                                    ArrayRef<Value> cotangents,
                                    ValueList &results) {
  results.push_back(
      FlipOp::create(builder, getLoc(), cotangents[0], getAxes()));
  return success();
}

LogicalResult ConcatenateOp::buildAdjoints(OpBuilder &builder,
                                           ArrayRef<Value> cotangents,
                                           ValueList &results) {
  int64_t rank = getResult().getType().getRank(), start = 0;
  SmallVector<int64_t> ones(rank, 1);
  for (Value input : getInputs()) {
    ArrayRef<int64_t> shape = shapeOf(input);
    SmallVector<int64_t> starts(rank, 0);
    starts[getAxis()] = start;
    start += shape[getAxis()];
    results.push_back(
        SliceOp::create(builder, getLoc(), cotangents[0], starts, shape, ones));
  }
  return success();
}

/// The cotangent of the operand is a slice; the sum of all other elements is
/// that of the padding value.
LogicalResult PadOp::buildAdjoints(OpBuilder &builder,
                                   ArrayRef<Value> cotangents,
                                   ValueList &results) {
  SmallVector<int64_t> strides, axes;
  for (auto [axis, between] : llvm::enumerate(getInterior())) {
    strides.push_back(between + 1);
    axes.push_back(axis);
  }
  Expr t(builder, getLoc(), cotangents[0]);
  Expr inside =
      t.with(SliceOp::create(builder, getLoc(), t.value, getLow(),
                             getOperand().getType().getShape(), strides));
  auto sum = [&](Expr x) {
    return x.make<ReduceOp>(ReduceKind::Add, x.value, ArrayRef<int64_t>(axes));
  };
  results.push_back(inside);
  results.push_back(sum(t) - sum(inside));
  return success();
}
