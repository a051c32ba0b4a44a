//===- Derivatives.cpp - Building blocks of derivative rules --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Slopes.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace ingot;

bool ingot::isDifferentiable(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType, ComplexType>(element);
}

Value ingot::accumulated(OpBuilder &builder, mlir::Location location, Value lhs,
                         Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return AddOp::create(builder, location, lhs, rhs);
}

Value ingot::unbroadcast(OpBuilder &builder, mlir::Location location,
                         Value value, Type type) {
  ArrayRef<int64_t> from = shapeOf(value);
  ArrayRef<int64_t> to = cast<RankedTensorType>(type).getShape();
  int64_t more = from.size() - to.size();
  SmallVector<int64_t> axes;
  for (int64_t axis = 0, end = from.size(); axis < end; ++axis)
    if (axis < more || (to[axis - more] == 1 && from[axis] != 1))
      axes.push_back(axis);
  if (!axes.empty())
    value = ReduceOp::create(builder, location, ReduceKind::Add, value, axes);
  if (shapeOf(value) == to)
    return value;
  return ReshapeOp::create(builder, location,
                           typeOf(value).clone(to, elementOf(value)), value);
}

LogicalResult ingot::buildLinearTangents(Operation *op, OpBuilder &builder,
                                         ArrayRef<Value> tangents,
                                         ValueList &results) {
  IRMapping none;
  Operation *made = op->cloneWithoutRegions(none);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!isDifferentiable(operand.getType()))
      continue;
    Value tangent = tangents[i];
    if (!tangent)
      tangent = zerosOf(builder, op->getLoc(), operand.getType());
    made->setOperand(i, tangent);
  }
  builder.insert(made);
  results.append(made->result_begin(), made->result_end());
  return success();
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

Expr ingot::where(Expr condition, Expr then, Expr otherwise) {
  return then.make<SelectOp>(condition.value, then.value, otherwise.value);
}

Expr ingot::zeroingProduct(Expr a, Expr b) {
  return a.make<MulNoNanOp>(a.value, b.value, /*both=*/true);
}

Expr ingot::productByValue(Expr a, Expr b) {
  Expr product = a.make<MulNoNanOp>(a.value, b.value);
  product.value.getDefiningOp()->setAttr(byValue, a.builder->getUnitAttr());
  return product;
}

Expr ingot::slopeOfFactor(MulNoNanOp op, Expr t, Expr a) {
  if (!op->hasAttr(byValue))
    return zeroingProduct(t, a);
  // Zeros of both rule, and those of the tangent as of any.
  Expr product = Seed(*t.builder, t.location, t.value) * a, none = t.number(0);
  return where(a.compare(Comparison::EQ, a.number(0)), none, product);
}

Expr ingot::markOfKink(Expr x) {
  if (!isDifferentiable(x.value.getType()))
    return x.number(0);
  return productByValue(x, x.number(std::numeric_limits<double>::infinity()));
}

namespace ingot {
Expr operator*(Seed seed, Expr factor) {
  return seed.make<MulNoNanOp>(seed.value, factor.value);
}

Expr operator/(Seed seed, Expr divisor) {
  return seed.make<DivNoNanOp>(seed.value, divisor.value);
}
} // namespace ingot

/// Broadcasts a value to the shape of a type.
static Value broadcast(OpBuilder &builder, mlir::Location location, Value value,
                       Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  if (shapeOf(value) == shape)
    return value;
  Type to = typeOf(value).clone(shape, elementOf(value));
  return BroadcastToOp::create(builder, location, to, value);
}

LogicalResult ingot::buildScaledTangents(Operation *op, OpBuilder &builder,
                                         ArrayRef<Value> tangents,
                                         ValueList &results) {
  auto rule = cast<DifferentiableOpInterface>(op);
  Value sum;
  for (auto [i, tangent] : llvm::enumerate(tangents)) {
    Value part = tangent ? rule.scaled(builder, i, tangent) : nullptr;
    auto negated = part ? part.getDefiningOp<NegOp>() : nullptr;
    bool isDifference =
        sum && negated && part != tangent && negated->use_empty();
    if (!isDifference) {
      sum = accumulated(builder, op->getLoc(), sum, part);
      continue;
    }
    sum = SubOp::create(builder, op->getLoc(), sum, negated.getOperand());
    negated.erase();
  }
  if (sum)
    sum = broadcast(builder, op->getLoc(), sum, op->getResult(0).getType());
  results.push_back(sum);
  return success();
}

LogicalResult ingot::buildScaledAdjoints(Operation *op, OpBuilder &builder,
                                         ArrayRef<Value> cotangents,
                                         ValueList &results) {
  auto rule = cast<DifferentiableOpInterface>(op);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Value part;
    if (isDifferentiable(operand.getType()))
      part = rule.scaled(builder, i, cotangents[0]);
    if (part)
      part = unbroadcast(builder, op->getLoc(), part, operand.getType());
    results.push_back(part);
  }
  return success();
}

LogicalResult ingot::transpose(Operation *op, OpBuilder &builder,
                               ArrayRef<Value> tangents,
                               function_ref<LogicalResult(ValueList &)> emit,
                               ArrayRef<Value> cotangents, ValueList &results) {
  DenseSet<Value> active;
  Operation *before = nullptr;
  for (Value tangent : tangents)
    if (tangent) {
      active.insert(tangent);
      before = tangent.getDefiningOp();
    }
  SmallVector<Value> emitted;
  if (failed(emit(emitted)))
    return failure();

  DenseMap<Value, Value> sums;
  auto add = [&](Value value, Value part) {
    if (!part || !active.contains(value))
      return;
    Value &sum = sums[value];
    sum = accumulated(builder, op->getLoc(), sum, part);
  };
  SmallVector<Operation *> linear;
  for (auto each = std::next(before->getIterator());
       each != builder.getInsertionPoint(); ++each) {
    if (llvm::none_of(each->getOperands(),
                      [&](Value v) { return active.contains(v); }))
      continue;
    linear.push_back(&*each);
    active.insert(each->result_begin(), each->result_end());
  }
  for (auto [value, cotangent] : llvm::zip_equal(emitted, cotangents))
    add(value, cotangent);
  for (Operation *each : llvm::reverse(linear)) {
    SmallVector<Value> given, found;
    for (Value result : each->getResults())
      given.push_back(sums.lookup(result));
    if (llvm::none_of(given, [](Value v) { return v != nullptr; }))
      continue;
    auto rule = dyn_cast<DifferentiableOpInterface>(each);
    if (!rule)
      return each->emitError("a tangent goes through `")
             << each->getName().stripDialect()
             << "`, which can't be transposed; define the rule by custom_vjp";
    if (failed(rule.buildAdjoints(builder, given, found)))
      return failure();
    for (auto [operand, part] : llvm::zip_equal(each->getOperands(), found))
      add(operand, part);
  }
  for (Value tangent : tangents)
    results.push_back(tangent ? sums.lookup(tangent) : nullptr);
  return success();
}

LogicalResult ingot::buildTransposedAdjoints(Operation *op, OpBuilder &builder,
                                             ArrayRef<Value> cotangents,
                                             ValueList &results) {
  SmallVector<Value> tangents;
  for (Value operand : op->getOperands())
    tangents.push_back(isDifferentiable(operand.getType())
                           ? zerosOf(builder, op->getLoc(), operand.getType())
                           : nullptr);
  auto emit = [&](ValueList &emitted) {
    auto rule = cast<DifferentiableOpInterface>(op);
    return rule.buildTangents(builder, tangents, emitted);
  };
  return transpose(op, builder, tangents, emit, cotangents, results);
}
