//===- Elementwise.cpp - Elementwise derivatives beyond one formula -------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Slopes.h"

using namespace mlir;
using namespace ingot;

/// Whether an exponent may be one of a kink, between 0 and 2.
static bool mayBeKink(Value exponent) {
  if (!isa<FloatType>(getElementTypeOrSelf(exponent)))
    return false;
  auto known = dyn_cast_or_null<FloatAttr>(splatOf(exponent));
  if (!known)
    return true;
  double number = known.getValueAsDouble();
  return number > 0 && number < 2 && number != 1;
}

/// Whether a**b is a root at 0, of which the slope there counts as 0, or has
/// the slope 0 and an infinite second derivative.
static Expr isKinkOfZero(Expr a, Expr b) {
  Expr zero = b.number(0);
  Expr isKink = apply<AndOp>(b.compare(Comparison::GT, zero),
                             b.compare(Comparison::LT, b.number(2)));
  return apply<AndOp>(a.compare(Comparison::EQ, zero), isKink);
}

Expr ingot::powerByBase(Expr a, Expr b) {
  Expr slope = productByValue(b, a.make<PowOp>(a.value, (b - 1).value));
  if (!mayBeKink(b.value))
    return slope;
  Expr known = where(isKinkOfZero(a, b), markOfKink(a), slope);
  if (splatOf(b.value))
    return known;
  // The slope of a**1 at 0 is that of a line; of other exponents it is 0 or
  // infinite.
  Expr isLine = apply<AndOp>(a.compare(Comparison::EQ, a.number(0)),
                             b.compare(Comparison::EQ, b.number(1)));
  return where(isLine, markOfKink(b - 1) + 1, known);
}

Expr ingot::timesPowerByBase(Seed t, Expr a, Expr b) {
  return t * powerByBase(a, b);
}

Expr ingot::timesSlopeOfRoot(Seed t, Expr x, Expr y) {
  Expr zero = y.number(0), isKink = y.compare(Comparison::EQ, zero);
  // All zeros of complex tangents rule, also that of y.
  bool isReal = isa<FloatType>(getElementTypeOrSelf(y.value));
  return t * where(isKink, markOfKink(isReal ? y : x), 0.5 / y);
}

Expr ingot::oneMinusSquare(Expr x) {
  if (isa<ComplexType>(getElementTypeOrSelf(x.value)))
    return -(x * x - 1);
  return 1 - x * x;
}

Expr ingot::rootOfInverse(Expr x) {
  Expr zero = x.number(0);
  return where(x.compare(Comparison::EQ, zero), markOfKink(x),
               1 / apply<SqrtOp>(x));
}

Expr ingot::oneForZero(Expr x) {
  return where(x.compare(Comparison::EQ, x.number(0)), markOfKink(x) + 1, x);
}

Expr ingot::powerByExponent(Expr a, Expr b, Expr y) {
  Expr zero = a.number(0);
  Expr isZero = a.compare(Comparison::EQ, zero);
  Expr derivative = y * apply<LogOp>(where(isZero, a.number(1), a));
  if (!isa<FloatType>(getElementTypeOrSelf(a.value)))
    return where(isZero, zero, derivative);
  // It is -inf for negative exponents, and has a slope of its own from 1 on.
  Expr atRoot = where(b.compare(Comparison::GE, zero), -markOfKink(a),
                      a.number(-std::numeric_limits<double>::infinity()));
  Expr atZero = where(b.compare(Comparison::GT, b.number(1)), zero, atRoot);
  return where(isZero, atZero, derivative);
}

Share ingot::shareOfGreater(Expr greater, Expr other) {
  return {greater.compare(Comparison::GT, other),
          greater.compare(Comparison::EQ, other)};
}

namespace ingot {
Expr operator*(Seed seed, Share share) {
  Expr taken = where(share.isGreater, seed, seed.number(0));
  return where(share.areEqual, Expr(seed) * 0.5, taken);
}
} // namespace ingot

/// d(x/|x|) = (dx - y Re(conj(y) dx)) / |x| for complex numbers, 0 at 0.
LogicalResult SignOp::buildTangents(OpBuilder &builder,
                                    ArrayRef<Value> tangents,
                                    ValueList &results) {
  if (!isa<ComplexType>(getElementTypeOrSelf(getType()))) {
    results.push_back(nullptr);
    return success();
  }
  Expr y(builder, getLoc(), getResult()), dx = y.with(tangents[0]);
  Expr conjugate = y.with(ConjOp::create(builder, getLoc(), y.value));
  Value along = RealOp::create(builder, getLoc(), (conjugate * dx).value);
  Value part = ConvertOp::create(builder, getLoc(), getType(), along);
  Expr size = y.with(ConvertOp::create(
      builder, getLoc(), getType(),
      AbsOp::create(builder, getLoc(), getOperand()).getResult()));
  Expr isZero = size.compare(Comparison::EQ, size.number(0));
  Expr turn = (dx - y * y.with(part)) / where(isZero, y.number(1), size);
  results.push_back(where(isZero, y.number(0), turn));
  return success();
}

static Value asComplex(OpBuilder &builder, mlir::Location location, Value real,
                       Value imag) {
  Value zero = numberOf(builder, location, 0, (real ? real : imag).getType());
  return ComplexOp::create(builder, location, real ? real : zero,
                           imag ? imag : zero);
}

//===----------------------------------------------------------------------===//
// Complex numbers and their parts
//===----------------------------------------------------------------------===//

/// The phase of a complex number: 0 at 0, where it has no derivative.
static Expr phaseOf(Expr x) {
  Expr isZero = x.compare(Comparison::EQ, x.number(0));
  Expr mark =
      productByValue(x, x.number(std::numeric_limits<double>::infinity()));
  return where(isZero, mark, apply<SignOp>(x));
}

/// The real derivative of |x|: the sign of x, or of a complex x its phase.
LogicalResult AbsOp::buildTangents(OpBuilder &builder, ArrayRef<Value> tangents,
                                   ValueList &results) {
  Expr x(builder, getLoc(), getOperand());
  Seed t(builder, getLoc(), tangents[0]);
  if (!isa<ComplexType>(getOperand().getType().getElementType()))
    results.push_back(t * apply<SignOp>(x));
  else
    results.push_back(apply<RealOp>(t * apply<ConjOp>(phaseOf(x))));
  return success();
}

LogicalResult AbsOp::buildAdjoints(OpBuilder &builder,
                                   ArrayRef<Value> cotangents,
                                   ValueList &results) {
  Expr x(builder, getLoc(), getOperand());
  Value seed = cotangents[0];
  if (!isa<ComplexType>(getOperand().getType().getElementType())) {
    results.push_back(Seed(builder, getLoc(), seed) * apply<SignOp>(x));
    return success();
  }
  seed = asComplex(builder, getLoc(), seed, nullptr);
  Expr phase = apply<ConjOp>(phaseOf(x));
  results.push_back(Seed(builder, getLoc(), seed) * phase);
  return success();
}

LogicalResult RealOp::buildAdjoints(OpBuilder &builder,
                                    ArrayRef<Value> cotangents,
                                    ValueList &results) {
  results.push_back(asComplex(builder, getLoc(), cotangents[0], nullptr));
  return success();
}

LogicalResult ImagOp::buildAdjoints(OpBuilder &builder,
                                    ArrayRef<Value> cotangents,
                                    ValueList &results) {
  Value negative = NegOp::create(builder, getLoc(), cotangents[0]);
  results.push_back(asComplex(builder, getLoc(), nullptr, negative));
  return success();
}

LogicalResult ComplexOp::buildAdjoints(OpBuilder &builder,
                                       ArrayRef<Value> cotangents,
                                       ValueList &results) {
  Expr t(builder, getLoc(), cotangents[0]);
  results.push_back(
      unbroadcast(builder, getLoc(), apply<RealOp>(t), getReal().getType()));
  results.push_back(
      unbroadcast(builder, getLoc(), -apply<ImagOp>(t), getImag().getType()));
  return success();
}

/// A conversion from a type without tangents has no cotangent.
LogicalResult ConvertOp::buildAdjoints(OpBuilder &builder,
                                       ArrayRef<Value> cotangents,
                                       ValueList &results) {
  if (!isDifferentiable(getOperand().getType())) {
    results.push_back(nullptr);
    return success();
  }
  results.push_back(ConvertOp::create(builder, getLoc(), getOperand().getType(),
                                      cotangents[0]));
  return success();
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::buildAdjoints(OpBuilder &builder,
                                      ArrayRef<Value> cotangents,
                                      ValueList &results) {
  Expr t(builder, getLoc(), cotangents[0]);
  Expr condition = t.with(getCondition()), none = t.number(0);
  results.push_back(nullptr);
  results.push_back(unbroadcast(builder, getLoc(), where(condition, t, none),
                                getOnTrue().getType()));
  results.push_back(unbroadcast(builder, getLoc(), where(condition, none, t),
                                getOnFalse().getType()));
  return success();
}
