//===- Identities.cpp - Slopes that algebra knows -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pattern: sqrt(u)**2 has the derivative of u, and other even powers that of
// u**(c / 2): a norm is squared, and its root has no slope at 0.
// Pattern: log(c + exp(x)) has the slope exp(x) / (c + exp(x)), which is 1
// where exp(x) is infinite.
// Pattern: abs(x)**2 is x**2.
//
//===----------------------------------------------------------------------===//

#include "Identities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ingot;

static bool isReal(Value value) { return isa<FloatType>(elementOf(value)); }

/// An identity of one argument with a slope.
static Identity ofOne(Operation *op, Value argument,
                      std::function<Expr(Expr, Mapped)> slope) {
  auto tangent = [=](OpBuilder &builder, ArrayRef<Value> tangents,
                     Mapped get) -> Value {
    Seed t(builder, op->getLoc(), tangents[0]);
    return t * slope(t, get);
  };
  return {{argument}, tangent};
}

/// The base and the exponent of an even power of at least 2 by a number.
static std::optional<std::pair<Value, double>> evenPowerOf(Operation *op) {
  if (auto product = dyn_cast<MulOp>(op))
    if (product.getLhs() == product.getRhs() && isReal(product.getLhs()))
      return {{product.getLhs(), 2}};
  auto power = dyn_cast<PowOp>(op);
  if (!power || !isReal(power.getLhs()) ||
      power.getLhs().getType() != power.getType())
    return {};
  std::optional<APFloat> exponent = floatOf(power.getRhs());
  if (!exponent)
    return {};
  double number = exponent->convertToDouble();
  if (number < 2 || std::fmod(number, 2) != 0)
    return {};
  return {{power.getLhs(), number}};
}

template <typename Op> static Op definedBeside(Operation *op, Value value) {
  auto made = value.getDefiningOp<Op>();
  return made && made->getBlock() == op->getBlock() ? made : Op();
}

static std::optional<Identity> squaredRoot(Operation *op) {
  auto power = evenPowerOf(op);
  if (!power)
    return {};
  auto [root, exponent] = *power;
  // `hypot` scales its arguments, and is infinite if one is.
  if (auto select = definedBeside<SelectOp>(op, root)) {
    std::optional<APFloat> number = floatOf(select.getOnTrue());
    if (!number || !number->isInfinity())
      return {};
    root = select.getOnFalse();
  }
  Value scale;
  if (auto scaled = definedBeside<MulOp>(op, root)) {
    auto stop = definedBeside<StopGradientOp>(op, scaled.getLhs());
    if (!stop)
      return {};
    scale = scaled.getLhs();
    root = scaled.getRhs();
  }
  auto sqrt = definedBeside<SqrtOp>(op, root);
  if (!sqrt || sqrt.getType() != op->getResult(0).getType())
    return {};
  Value square = sqrt.getOperand();
  auto slope = [=, exponent = exponent](Expr x, Mapped get) {
    Expr value = x.with(get(square)), known = x.number(exponent / 2);
    if (exponent != 2)
      known = known * apply<PowOp>(value, x.number(exponent / 2 - 1));
    if (scale)
      known = known * apply<PowOp>(x.with(get(scale)), x.number(exponent));
    Expr isFine = value.compare(Comparison::GE, x.number(0));
    return where(isFine, known,
                 x.number(std::numeric_limits<double>::quiet_NaN()));
  };
  return ofOne(op, square, slope);
}

static std::optional<Identity> logarithmOfExp(Operation *op) {
  Value exponential;
  double more = 1;
  if (auto log = dyn_cast<Log1pOp>(op)) {
    exponential = log.getOperand();
  } else if (auto log = dyn_cast<LogOp>(op)) {
    auto sum = definedBeside<AddOp>(op, log.getOperand());
    if (!sum)
      return {};
    bool isFirst = floatOf(sum.getLhs()).has_value();
    std::optional<APFloat> number =
        floatOf(isFirst ? sum.getLhs() : sum.getRhs());
    if (!number || !number->isFinite() || number->isNegative() ||
        number->isZero())
      return {};
    more = number->convertToDouble();
    exponential = isFirst ? sum.getRhs() : sum.getLhs();
  }
  auto exp = exponential ? definedBeside<ExpOp>(op, exponential) : ExpOp();
  if (!exp || !isReal(exp) || exp.getType() != op->getResult(0).getType())
    return {};
  Value result = exp.getResult();
  auto slope = [=](Expr x, Mapped get) {
    Expr e = x.with(get(result));
    Expr isSmall = e.compare(Comparison::LE, x.number(1));
    return where(isSmall, e / (e + more), 1 / (more / e + 1));
  };
  return ofOne(op, exp.getOperand(), slope);
}

std::optional<Identity> ingot::identityOf(Operation *op) {
  if (std::optional<Identity> found = squaredRoot(op))
    return found;
  if (std::optional<Identity> found = logarithmOfExp(op))
    return found;
  return functionOfMatrix(op);
}

/// The absolute value of a complex number as a square root, which
/// `squaredRoot` knows.
static Value sizeAsRoot(AbsOp size) {
  OpBuilder builder(size);
  Expr z(builder, size.getLoc(), size.getOperand());
  Expr real = apply<RealOp>(z), imag = apply<ImagOp>(z);
  return apply<SqrtOp>(real * real + imag * imag);
}

void ingot::squarePlainly(Operation *root) {
  root->walk([](Operation *op) {
    auto power = evenPowerOf(op);
    auto size = power ? power->first.getDefiningOp<AbsOp>() : AbsOp();
    if (!size)
      return;
    Value base = size.getOperand();
    if (!isReal(base))
      base = sizeAsRoot(size);
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == size.getResult())
        operand.set(base);
  });
}
