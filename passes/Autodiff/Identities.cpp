//===- Identities.cpp - Slopes that algebra knows -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pattern: sqrt(u)**2 has the derivative of u, and other even powers that of
// u**(c / 2): a norm is squared, and its root has no slope at 0.
// Pattern: hypot(x, y) has the slopes x / hypot(x, y) and y / hypot(x, y), as
// quotients of scaled numbers.
// Pattern: abs(x)**2 is x**2.
//
//===----------------------------------------------------------------------===//

#include "Identities.h"
#include "Ingot/Slopes.h"

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

/// Whether a condition says that a number is infinite.
static bool isInfinityOf(Value condition, Value of) {
  auto compare = condition.getDefiningOp<CompareOp>();
  if (!compare || compare.getComparison() != Comparison::EQ)
    return false;
  auto size = compare.getLhs().getDefiningOp<AbsOp>();
  std::optional<APFloat> number = floatOf(compare.getRhs());
  return size && size.getOperand() == of && number && number->isInfinity();
}

namespace {
/// `hypot`, which scales its arguments, and is infinite if one is:
/// select(isinf(a) | isinf(b), inf, scale * sqrt(a * a + b * b)) for
/// a = x / scale and b = y / scale.
struct Hypotenuse {
  Value a, b, x, y, root;
};
} // namespace

static std::optional<Hypotenuse> hypotenuseOf(Operation *op) {
  auto select = dyn_cast_or_null<SelectOp>(op);
  if (!select || !isReal(select))
    return {};
  std::optional<APFloat> number = floatOf(select.getOnTrue());
  auto isInfinite = definedBeside<OrOp>(op, select.getCondition());
  auto scaled = definedBeside<MulOp>(op, select.getOnFalse());
  if (!number || !number->isInfinity() || !isInfinite || !scaled ||
      !definedBeside<StopGradientOp>(op, scaled.getLhs()))
    return {};
  auto root = definedBeside<SqrtOp>(op, scaled.getRhs());
  auto sum = root ? definedBeside<AddOp>(op, root.getOperand()) : AddOp();
  if (!sum || root.getType() != select.getType())
    return {};
  Hypotenuse found{{}, {}, {}, {}, root};
  for (auto [i, side] : llvm::enumerate(sum.getOperands())) {
    auto square = definedBeside<MulOp>(op, side);
    if (!square || square.getLhs() != square.getRhs())
      return {};
    auto quotient = definedBeside<DivOp>(op, square.getLhs());
    if (!quotient || quotient.getRhs() != scaled.getLhs())
      return {};
    (i == 0 ? found.a : found.b) = quotient;
    (i == 0 ? found.x : found.y) = quotient.getLhs();
  }
  Value first = isInfinite.getLhs(), second = isInfinite.getRhs();
  if (isInfinityOf(second, found.a))
    std::swap(first, second);
  if (!isInfinityOf(first, found.a) || !isInfinityOf(second, found.b))
    return {};
  return found;
}

/// The slope a / root of `hypot`: 0 at (0, 0), 1 or -1 where a alone is
/// infinite, and none where both are.
static Expr slopeOfHypotenuse(Expr a, Expr b, Expr root) {
  auto isInfinite = [](Expr x) {
    return apply<AbsOp>(x).compare(
        Comparison::EQ, x.number(std::numeric_limits<double>::infinity()));
  };
  Expr none = a.number(std::numeric_limits<double>::quiet_NaN());
  Expr atInfinity = where(isInfinite(b), none, apply<SignOp>(a));
  Expr isKink = root.compare(Comparison::EQ, root.number(0));
  Expr slope = where(isKink, markOfKink(root), a / root);
  return where(isInfinite(a), atInfinity, slope);
}

static std::optional<Identity> hypotenuse(Operation *op) {
  std::optional<Hypotenuse> found = hypotenuseOf(op);
  if (!found)
    return {};
  auto tangent = [op, sides = *found](OpBuilder &builder,
                                      ArrayRef<Value> tangents,
                                      Mapped get) -> Value {
    Seed t(builder, op->getLoc(), tangents[0]);
    Expr a = t.with(get(sides.a)), b = t.with(get(sides.b));
    Expr root = t.with(get(sides.root));
    Expr first = t * slopeOfHypotenuse(a, b, root);
    if (!tangents[1])
      return first;
    Seed other(builder, op->getLoc(), tangents[1]);
    return first + other * slopeOfHypotenuse(b, a, root);
  };
  return Identity{{found->x, found->y}, tangent};
}

static std::optional<Identity> squaredRoot(Operation *op) {
  auto power = evenPowerOf(op);
  if (!power)
    return {};
  auto [root, exponent] = *power;
  auto select = definedBeside<SelectOp>(op, root);
  if (hypotenuseOf(select))
    root = select.getOnFalse();
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

std::optional<Identity> ingot::identityOf(Operation *op) {
  if (std::optional<Identity> found = squaredRoot(op))
    return found;
  if (std::optional<Identity> found = hypotenuse(op))
    return found;
  if (std::optional<Identity> found = byRelativeSlope(op))
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
