//===- Indexing.cpp - Derivatives of reading and writing parts -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

LogicalResult SliceOp::buildAdjoints(OpBuilder &builder,
                                     ArrayRef<Value> cotangents,
                                     ValueList &results) {
  SmallVector<int64_t> high, interior;
  ArrayRef<int64_t> shape = getOperand().getType().getShape();
  for (auto [axis, size] : llvm::enumerate(getSizes())) {
    int64_t stride = getStrides()[axis];
    int64_t end = getStarts()[axis] + (size == 0 ? 0 : (size - 1) * stride + 1);
    high.push_back(shape[axis] - end);
    interior.push_back(stride - 1);
  }
  Value zero = numberOf(builder, getLoc(), 0, cotangents[0].getType());
  results.push_back(PadOp::create(builder, getLoc(), cotangents[0], zero,
                                  getStarts(), high, interior));
  return success();
}

/// A slice that is most of the array is faster added as a whole.
static bool isSmall(RankedTensorType part, RankedTensorType whole) {
  return part.getNumElements() * 4 <= whole.getNumElements();
}

Value SliceOp::accumulate(OpBuilder &builder, Value cotangent, Value sum) {
  if (!isSmall(getType(), getOperand().getType()))
    return nullptr;
  Value old = SliceOp::create(builder, getLoc(), sum, getStarts(), getSizes(),
                              getStrides());
  Value more = AddOp::create(builder, getLoc(), old, cotangent);
  SmallVector<Value> starts;
  for (int64_t start : getStarts())
    starts.push_back(integer(builder, getLoc(), start));
  return UpdateSliceOp::create(builder, getLoc(), sum, more, starts,
                               getStrides());
}

LogicalResult DynamicSliceOp::buildAdjoints(OpBuilder &builder,
                                            ArrayRef<Value> cotangents,
                                            ValueList &results) {
  Value zeros = zerosOf(builder, getLoc(), getOperand().getType());
  results.push_back(UpdateSliceOp::create(
      builder, getLoc(), zeros, cotangents[0], getStarts(), getStrides()));
  results.append(getStarts().size(), nullptr);
  return success();
}

Value DynamicSliceOp::accumulate(OpBuilder &builder, Value cotangent,
                                 Value sum) {
  Value old = DynamicSliceOp::create(builder, getLoc(), sum, getStarts(),
                                     getSizes(), getStrides());
  Value more = AddOp::create(builder, getLoc(), old, cotangent);
  return UpdateSliceOp::create(builder, getLoc(), sum, more, getStarts(),
                               getStrides());
}

LogicalResult UpdateSliceOp::buildAdjoints(OpBuilder &builder,
                                           ArrayRef<Value> cotangents,
                                           ValueList &results) {
  // The part is read before it is overwritten.
  ArrayRef<int64_t> sizes = getUpdate().getType().getShape();
  Value part = DynamicSliceOp::create(builder, getLoc(), cotangents[0],
                                      getStarts(), sizes, getStrides());
  Value zeros = zerosOf(builder, getLoc(), getUpdate().getType());
  results.push_back(UpdateSliceOp::create(builder, getLoc(), cotangents[0],
                                          zeros, getStarts(), getStrides()));
  results.push_back(part);
  results.append(getStarts().size(), nullptr);
  return success();
}

LogicalResult GatherOp::buildAdjoints(OpBuilder &builder,
                                      ArrayRef<Value> cotangents,
                                      ValueList &results) {
  Value zeros = zerosOf(builder, getLoc(), getOperand().getType());
  results.push_back(ScatterOp::create(builder, getLoc(), ScatterKind::Add,
                                      zeros, cotangents[0], getIndices()));
  results.append(getIndices().size(), nullptr);
  return success();
}

Value GatherOp::accumulate(OpBuilder &builder, Value cotangent, Value sum) {
  return ScatterOp::create(builder, getLoc(), ScatterKind::Add, sum, cotangent,
                           getIndices());
}

/// Products and extrema have no rule yet.
static LogicalResult checkKind(ScatterOp op) {
  if (op.getKind() == ScatterKind::Set || op.getKind() == ScatterKind::Add)
    return success();
  return op.emitError("ufunc.at of this kind has no derivative");
}

LogicalResult ScatterOp::buildTangents(OpBuilder &builder,
                                       ArrayRef<Value> tangents,
                                       ValueList &results) {
  if (failed(checkKind(*this)))
    return failure();
  return buildLinearTangents(*this, builder, tangents, results);
}

LogicalResult ScatterOp::buildAdjoints(OpBuilder &builder,
                                       ArrayRef<Value> cotangents,
                                       ValueList &results) {
  if (failed(checkKind(*this)))
    return failure();
  Value part = GatherOp::create(builder, getLoc(), cotangents[0], getIndices());
  Value kept = cotangents[0];
  if (getKind() == ScatterKind::Set)
    kept = ScatterOp::create(builder, getLoc(), ScatterKind::Set, kept,
                             zerosOf(builder, getLoc(), getUpdate().getType()),
                             getIndices());
  results.push_back(kept);
  results.push_back(part);
  results.append(getIndices().size(), nullptr);
  return success();
}

LogicalResult BarrierOp::buildAdjoints(OpBuilder &, ArrayRef<Value> cotangents,
                                       ValueList &results) {
  results.append(cotangents.begin(), cotangents.end());
  return success();
}
