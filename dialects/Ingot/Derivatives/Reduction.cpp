//===- Reduction.cpp - Derivatives of reductions, scans and sorts ---------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Recurrence.h"

using namespace mlir;
using namespace ingot;

/// A value of the result's shape with the reduced axes as axes of size 1.
static Expr keepAxes(ReduceOp op, OpBuilder &builder, Value value) {
  SmallVector<int64_t> shape(op.getOperand().getType().getShape());
  for (int64_t axis : op.getAxes())
    shape[axis] = 1;
  auto type = typeOf(value);
  Type kept = type.clone(shape, type.getElementType());
  return {builder, op.getLoc(),
          ReshapeOp::create(builder, op.getLoc(), kept, value)};
}

/// For each element, the product of those before it along the last axis.
static Value productBefore(OpBuilder &builder, mlir::Location location,
                           Value value) {
  auto type = typeOf(value);
  int64_t last = type.getRank() - 1;
  SmallVector<int64_t> zeros(last + 1, 0), ones(last + 1, 1), low(last + 1, 0);
  SmallVector<int64_t> sizes(type.getShape());
  sizes[last] -= 1;
  low[last] = 1;
  Value running =
      CumulativeOp::create(builder, location, ReduceKind::Mul, value, last);
  Value before =
      SliceOp::create(builder, location, running, zeros, sizes, ones);
  Value one = numberOf(builder, location, 1, type);
  return PadOp::create(builder, location, before, one, low, zeros, zeros);
}

/// For each element, the product of the others that are reduced with it. Unlike
/// the quotient of the result and the element, it is defined for zeros.
static Value productOfOthers(ReduceOp op, OpBuilder &builder) {
  mlir::Location location = op.getLoc();
  auto type = op.getOperand().getType();
  SmallVector<int64_t> order, moved, flat;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (!llvm::is_contained(op.getAxes(), axis))
      order.push_back(axis);
  for (int64_t axis : order)
    flat.push_back(type.getDimSize(axis));
  llvm::append_range(order, op.getAxes());
  for (int64_t axis : order)
    moved.push_back(type.getDimSize(axis));
  flat.push_back(type.getNumElements() == 0
                     ? 0
                     : type.getNumElements() /
                           ShapedType::getNumElements(flat));
  if (flat.back() == 0)
    return zerosOf(builder, location, type);

  auto reshaped = [&](Value value, ArrayRef<int64_t> shape) -> Value {
    Type to = type.clone(shape, type.getElementType());
    return ReshapeOp::create(builder, location, to, value);
  };
  Value front = TransposeOp::create(builder, location, op.getOperand(), order);
  Value rows = reshaped(front, flat);
  SmallVector<int64_t> last{static_cast<int64_t>(flat.size()) - 1};
  Value before = productBefore(builder, location, rows);
  Value reversed = FlipOp::create(builder, location, rows, last);
  Value after = FlipOp::create(
      builder, location, productBefore(builder, location, reversed), last);
  Value product = MulOp::create(builder, location, before, after);
  SmallVector<int64_t> inverse(order.size());
  for (auto [i, axis] : llvm::enumerate(order))
    inverse[axis] = i;
  return TransposeOp::create(builder, location, reshaped(product, moved),
                             inverse);
}

/// The seeds at the elements that equal the extremum, and zeros elsewhere. The
/// extremum is that of the same value: the result of `op` may be kept from a
/// loop, where a reverse pass computes the operand again and may round it in
/// another way.
static Value taken(ReduceOp op, OpBuilder &builder, Value seeds) {
  Expr x(builder, op.getLoc(), op.getOperand());
  Value extremum = ReduceOp::create(builder, op.getLoc(), op.getKind(), x.value,
                                    op.getAxes());
  Expr isOne =
      x.compare(Comparison::EQ, x.with(keepAxes(op, builder, extremum)));
  return where(isOne, x.with(seeds), x.number(0));
}

static Value sumOf(ReduceOp op, OpBuilder &builder, Value summands) {
  return ReduceOp::create(builder, op.getLoc(), ReduceKind::Add, summands,
                          op.getAxes());
}

/// The number of elements that equal the extremum; they share the seed equally.
static Value countOf(ReduceOp op, OpBuilder &builder) {
  Expr one = Expr(builder, op.getLoc(), op.getOperand()).number(1);
  return sumOf(op, builder, taken(op, builder, one));
}

LogicalResult ReduceOp::buildTangents(OpBuilder &builder,
                                      ArrayRef<Value> tangents,
                                      ValueList &results) {
  Seed t(builder, getLoc(), tangents[0]);
  if (getKind() == ReduceKind::Add)
    results.push_back(sumOf(*this, builder, t));
  else if (getKind() == ReduceKind::Mul)
    results.push_back(
        sumOf(*this, builder, t * t.with(productOfOthers(*this, builder))));
  else
    results.push_back(Seed(builder, getLoc(),
                           sumOf(*this, builder, taken(*this, builder, t))) /
                      t.with(countOf(*this, builder)));
  return success();
}

LogicalResult ReduceOp::buildAdjoints(OpBuilder &builder,
                                      ArrayRef<Value> cotangents,
                                      ValueList &results) {
  Seed t(builder, getLoc(), cotangents[0]);
  Seed seed(builder, getLoc(), keepAxes(*this, builder, t));
  if (getKind() == ReduceKind::Add) {
    results.push_back(
        BroadcastToOp::create(builder, getLoc(), getOperand().getType(), seed));
  } else if (getKind() == ReduceKind::Mul) {
    results.push_back(seed * t.with(productOfOthers(*this, builder)));
  } else {
    Value share = t / t.with(countOf(*this, builder));
    results.push_back(taken(*this, builder, keepAxes(*this, builder, share)));
  }
  return success();
}

/// The index of each element of a shape along an axis.
static Value indicesAlong(OpBuilder &builder, mlir::Location location,
                          ArrayRef<int64_t> shape, int64_t axis) {
  auto type = RankedTensorType::get(shape, builder.getI64Type());
  return IotaOp::create(builder, location, type, axis);
}

/// The tangent of a running extremum is that of the last element that equalled
/// it.
static Value takenTangents(CumulativeOp op, OpBuilder &builder, Value tangent) {
  mlir::Location location = op.getLoc();
  ArrayRef<int64_t> shape = op.getType().getShape();
  Expr x(builder, location, op.getOperand());
  // Not the result of `op`; see `taken`.
  Value running = CumulativeOp::create(builder, location, op.getKind(), x.value,
                                       op.getAxis());
  Expr isNew = x.compare(Comparison::EQ, x.with(running));
  SmallVector<Value> indices;
  for (int64_t axis = 0; axis < op.getType().getRank(); ++axis)
    indices.push_back(indicesAlong(builder, location, shape, axis));
  Value &along = indices[op.getAxis()];
  Value none = integer(builder, location, 0);
  Value latest = SelectOp::create(builder, location, isNew, along, none);
  along = CumulativeOp::create(builder, location, ReduceKind::Max, latest,
                               op.getAxis());
  return GatherOp::create(builder, location, tangent, indices);
}

/// The formula is dy_i = y_i * sum(dx_j / x_j) before the first x that is too
/// small to divide by, and dy_i = x_i dy_(i-1) + y_(i-1) dx_i from there on.
/// The recurrence is differentiable to any order.
static Value runningProductTangents(CumulativeOp op, OpBuilder &builder,
                                    Value tangent) {
  mlir::Location location = op.getLoc();
  Along along{builder, location, static_cast<int64_t>(op.getAxis())};
  int64_t length = along.length(op.getOperand());
  if (length <= 1)
    return tangent;
  auto running = [&](ReduceKind kind, Value value) {
    return CumulativeOp::create(builder, location, kind, value, along.axis)
        .getResult();
  };
  Expr x(builder, location, op.getOperand()), y = x.with(op.getResult());
  Expr size = x.make<AbsOp>(x.value), zero = size.number(0);
  auto real = cast<FloatType>(getElementTypeOrSelf(size.value.getType()));
  // A quotient by a subnormal number may be infinite.
  double least = APFloat::getSmallestNormalized(real.getFloatSemantics())
                     .convertToDouble();
  Expr isTiny = size.compare(Comparison::LT, size.number(least));
  Expr tiny =
      size.with(running(ReduceKind::Max, where(isTiny, size.number(1), zero)));
  Expr isAfter = tiny.compare(Comparison::NE, zero);
  auto seed = [&](Value value) { return Seed(builder, location, value); };

  Value shares = seed(tangent) / where(isTiny, x.number(1), x);
  Value quotients = seed(running(ReduceKind::Add, shares)) * y;
  Value before = along.pad(along.slice(y, 0, length - 1, 1), 1, 1, 0, 0);
  Value parts = seed(tangent) * x.with(before);
  Value steps = solveRecurrence(along, x, parts, [&](Expr value, Expr factor) {
    return seed(value) * factor;
  });
  return where(isAfter, x.with(steps), x.with(quotients));
}

LogicalResult CumulativeOp::buildTangents(OpBuilder &builder,
                                          ArrayRef<Value> tangents,
                                          ValueList &results) {
  if (getKind() == ReduceKind::Add)
    return buildLinearTangents(*this, builder, tangents, results);
  if (getKind() == ReduceKind::Mul)
    results.push_back(runningProductTangents(*this, builder, tangents[0]));
  else
    results.push_back(takenTangents(*this, builder, tangents[0]));
  return success();
}

LogicalResult CumulativeOp::buildAdjoints(OpBuilder &builder,
                                          ArrayRef<Value> cotangents,
                                          ValueList &results) {
  if (getKind() != ReduceKind::Add)
    return buildTransposedAdjoints(*this, builder, cotangents, results);
  SmallVector<int64_t> axes{static_cast<int64_t>(getAxis())};
  Value last = FlipOp::create(builder, getLoc(), cotangents[0], axes);
  Value sums =
      CumulativeOp::create(builder, getLoc(), ReduceKind::Add, last, getAxis());
  results.push_back(FlipOp::create(builder, getLoc(), sums, axes));
  return success();
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// The indices by which `gather` reads the element that the sort moves to each
/// position.
static SmallVector<Value> sourceIndices(SortOp op, OpBuilder &builder) {
  auto shape = shapeOf(op.getOperand(0));
  auto type = RankedTensorType::get(shape, builder.getI64Type());
  SmallVector<Value> indices;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    indices.push_back(IotaOp::create(builder, op.getLoc(), type, axis));
  SmallVector<Value> operands(op.getOperands());
  operands.push_back(indices[op.getAxis()]);
  auto again = SortOp::create(builder, op.getLoc(), operands, op.getAxis(),
                              op.getNumKeys(), op.getIsStable());
  indices[op.getAxis()] = again->getResults().back();
  return indices;
}

LogicalResult SortOp::buildTangents(OpBuilder &builder,
                                    ArrayRef<Value> tangents,
                                    ValueList &results) {
  SmallVector<Value> indices = sourceIndices(*this, builder);
  for (Value tangent : tangents)
    results.push_back(
        tangent
            ? GatherOp::create(builder, getLoc(), tangent, indices).getResult()
            : nullptr);
  return success();
}

LogicalResult SortOp::buildAdjoints(OpBuilder &builder,
                                    ArrayRef<Value> cotangents,
                                    ValueList &results) {
  SmallVector<Value> indices = sourceIndices(*this, builder);
  for (Value cotangent : cotangents) {
    if (!cotangent) {
      results.push_back(nullptr);
      continue;
    }
    Value zeros = zerosOf(builder, getLoc(), cotangent.getType());
    results.push_back(ScatterOp::create(builder, getLoc(), ScatterKind::Add,
                                        zeros, cotangent, indices));
  }
  return success();
}
