//===- SerialScatters.cpp - Products and extrema of scatters as loops -----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"
#include "Regions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ingot;

static Value combined(OpBuilder &builder, ScatterOp op, Value old,
                      Value update) {
  mlir::Location location = op.getLoc();
  if (op.getKind() == ScatterKind::Mul)
    return MulOp::create(builder, location, old, update);
  if (op.getKind() == ScatterKind::Min)
    return MinimumOp::create(builder, location, old, update);
  return MaximumOp::create(builder, location, old, update);
}

/// Reshapes the first `rank` axes of a value to one.
static Value asLine(OpBuilder &builder, Value value, int64_t rank) {
  auto type = typeOf(value);
  int64_t size = ShapedType::getNumElements(type.getShape().take_front(rank));
  auto shape = prefixed(size, type.getShape().drop_front(rank));
  return ReshapeOp::create(builder, value.getLoc(), type.clone(shape), value);
}

/// Pattern: scatter mul|min|max(x, u)[i] ->
///          for k: x[i[k]] = mul|minimum|maximum(x[i[k]], u[k]), where i[k] is
///          in bounds
static Value loopOf(ScatterOp op) {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  auto indices = typeOf(op.getIndices()[0]);
  RankedTensorType type = op.getType();
  int64_t size = indices.getNumElements(), count = op.getIndices().size();
  if (size == 0)
    return op.getOperand();
  auto index = RankedTensorType::get({}, builder.getI64Type());
  Value updates = asLine(builder, op.getUpdate(), indices.getRank());
  SmallVector<Value> positions;
  for (Value each : op.getIndices())
    positions.push_back(
        asLine(builder,
               ConvertOp::create(builder, location,
                                 indices.clone(index.getElementType()), each),
               indices.getRank()));

  Value inside = areInside(op, builder);
  if (inside)
    inside = asLine(builder, inside, indices.getRank());

  Value zero = integer(builder, location, 0);
  ForOp loop = beginFor(builder, location, integer(builder, location, size),
                        op.getOperand());
  Block &body = loop.getBody().front();
  Value number = body.getArgument(0), carried = body.getArgument(1);
  SmallVector<Value> starts;
  for (Value each : positions)
    starts.push_back(readAt(builder, each, number, index));
  starts.append(type.getRank() - count, zero);
  SmallVector<int64_t> sizes(type.getShape()), ones(type.getRank(), 1);
  std::fill_n(sizes.begin(), count, 1);
  Value old =
      DynamicSliceOp::create(builder, location, carried, starts, sizes, ones);
  Value update = readAt(builder, updates, number,
                        type.clone(type.getShape().drop_front(count)));
  update = ReshapeOp::create(builder, location, type.clone(sizes), update);
  Value made = combined(builder, op, old, update);
  if (inside) {
    auto pred = RankedTensorType::get({}, builder.getI1Type());
    Value isInside = readAt(builder, inside, number, pred);
    made = SelectOp::create(builder, location, isInside, made, old);
  }
  Value next =
      UpdateSliceOp::create(builder, location, carried, made, starts, ones);
  YieldOp::create(builder, location, next);
  return loop.getResult(0);
}

void ingot::serialiseScatters(Operation *function) {
  function->walk([](ScatterOp op) {
    if (op.getKind() == ScatterKind::Set || op.getKind() == ScatterKind::Add ||
        !isDifferentiable(op.getType()))
      return;
    op.replaceAllUsesWith(loopOf(op));
    op->erase();
  });
}
