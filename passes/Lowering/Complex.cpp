//===- Complex.cpp - Functions of complex numbers to StableHLO ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XLA's own functions of complex numbers lose the signs of zeros, and return
// NaN where C99 (annex G), and so NumPy, returns infinities. Here each function
// is computed from the real and imaginary parts. Trigonometric functions reduce
// to hyperbolic ones: with z' for z with its parts swapped, sin(z) = sinh(z')',
// for example.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

namespace {

/// Arithmetic on real or boolean tensors of the same shape.
class Real {
public:
  Real(Emitter &e, Value value) : e(&e), value(value) {}

  Real with(Value other) const { return {*e, other}; }
  Real number(double x) const { return with(e->splatLike(value, x)); }
  template <typename Op> Real apply() const {
    return with(e->emit<Op>(value.getType(), value));
  }
  Real compare(ComparisonDirection direction, Real other) const {
    return with(e->compare(direction, value, other.value));
  }

  friend Real operator+(Real a, Real b) {
    return a.with(a.e->emit<stablehlo::AddOp>(a.value, b.value));
  }
  friend Real operator-(Real a, Real b) {
    return a.with(a.e->emit<stablehlo::SubtractOp>(a.value, b.value));
  }
  friend Real operator*(Real a, Real b) {
    return a.with(a.e->emit<stablehlo::MulOp>(a.value, b.value));
  }
  friend Real operator/(Real a, Real b) {
    return a.with(a.e->emit<stablehlo::DivOp>(a.value, b.value));
  }
  friend Real operator&(Real a, Real b) {
    return a.with(a.e->emit<stablehlo::AndOp>(a.value, b.value));
  }
  friend Real operator|(Real a, Real b) {
    return a.with(a.e->emit<stablehlo::OrOp>(a.value, b.value));
  }
  friend Real operator+(Real a, double b) { return a + a.number(b); }
  friend Real operator-(double a, Real b) { return b.number(a) - b; }
  friend Real operator*(Real a, double b) { return a * a.number(b); }
  friend Real operator/(double a, Real b) { return b.number(a) / b; }
  friend Real operator<(Real a, double b) {
    return a.compare(ComparisonDirection::LT, a.number(b));
  }
  friend Real operator>(Real a, double b) {
    return a.compare(ComparisonDirection::GT, a.number(b));
  }
  friend Real operator==(Real a, double b) {
    return a.compare(ComparisonDirection::EQ, a.number(b));
  }
  friend Real operator-(Real a) { return a.apply<stablehlo::NegOp>(); }
  friend Real operator!(Real a) { return a.apply<stablehlo::NotOp>(); }

  Emitter *e;
  Value value;
};

Real abs(Real x) { return x.apply<stablehlo::AbsOp>(); }
Real sqrt(Real x) { return x.apply<stablehlo::SqrtOp>(); }
Real exp(Real x) { return x.apply<stablehlo::ExponentialOp>(); }
Real log(Real x) { return x.apply<stablehlo::LogOp>(); }
Real log1p(Real x) { return x.apply<stablehlo::LogPlusOneOp>(); }
Real sin(Real x) { return x.apply<stablehlo::SineOp>(); }
Real cos(Real x) { return x.apply<stablehlo::CosineOp>(); }
Real sinh(Real x) { return x.with(lowerSinh(*x.e, x.value)); }
Real cosh(Real x) { return x.with(lowerCosh(*x.e, x.value)); }
Real asinh(Real x) { return x.with(lowerAsinh(*x.e, x.value)); }
Real atan2(Real y, Real x) {
  return x.with(x.e->emit<stablehlo::Atan2Op>(y.value, x.value));
}
Real where(Real condition, Real then, Real otherwise) {
  return then.with(
      then.e->select(condition.value, then.value, otherwise.value));
}
Real where(Real condition, double then, Real otherwise) {
  return where(condition, otherwise.number(then), otherwise);
}
Real isFinite(Real x) {
  auto type = typeOf(x.value).clone(x.e->builder.getI1Type());
  return x.with(x.e->emit<stablehlo::IsFiniteOp>(type, x.value));
}
Real isNan(Real x) { return x.compare(ComparisonDirection::NE, x); }
Real isInf(Real x) { return abs(x) == std::numeric_limits<double>::infinity(); }
/// Whether the sign bit is set, also for zeros.
Real isNegative(Real x) {
  auto type = typeOf(x.value);
  Type bits = type.clone(
      IntegerType::get(type.getContext(), type.getElementTypeBitWidth()));
  return x.with(x.e->emit<stablehlo::BitcastConvertOp>(bits, x.value)) < 0;
}
/// A magnitude (not negative, or NaN) with the sign of `sign`.
Real copysign(Real size, Real sign) {
  return where(isNegative(sign), -size, size);
}

constexpr double pi = 3.14159265358979323846, ln2 = 0.69314718055994530942;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Complex {
  Real re, im;

  static Complex of(Emitter &e, Value z) {
    auto element = cast<ComplexType>(elementOf(z)).getElementType();
    auto part = typeOf(z).clone(element);
    return {{e, e.emit<stablehlo::RealOp>(part, z)},
            {e, e.emit<stablehlo::ImagOp>(part, z)}};
  }
  /// XLA's own function; the caller handles the arguments for which it is
  /// wrong.
  template <typename Op> Complex apply() const {
    Value z = make();
    return of(*re.e, re.e->emit<Op>(z.getType(), z));
  }
  Value make() const {
    auto type = typeOf(re.value);
    return re.e->emit<stablehlo::ComplexOp>(
        type.clone(ComplexType::get(type.getElementType())), re.value,
        im.value);
  }
  Complex swapped() const { return {im, re}; }
};

/// XLA's function, but infinite if one part is infinite and the other NaN.
Real hypot(Real x, Real y) {
  Value z = Complex{x, y}.make();
  Real size = x.with(x.e->emit<stablehlo::AbsOp>(x.value.getType(), z));
  return where(isInf(x) | isInf(y), infinity, size);
}

//===----------------------------------------------------------------------===//
// Exponential and hyperbolic functions
//===----------------------------------------------------------------------===//

/// e**x times the cosine and the sine of y. It overflows only where the
/// products do, which may be beyond where e**x does.
Complex expTimes(Real x, Real cosine, Real sine) {
  Real half = exp(x * 0.5);
  return {half * cosine * half, half * sine * half};
}

// Pattern: exp(x + iy) -> e**x (cos(y) + i sin(y))
Complex exp(Complex z) {
  auto [x, y] = z;
  auto [re, im] = expTimes(x, cos(y), sin(y));
  Real isLimit = isInf(x) & !isFinite(y);
  return {
      where(isLimit, exp(x), re),
      where(isLimit & (x < 0), copysign(x.number(0), y), where(y == 0, y, im))};
}

// The formula is NumPy's.
// Pattern: expm1(x + iy) -> expm1(x) cos(y) - 2 sin(y / 2)**2 + i e**x sin(y)
Complex expm1(Complex z) {
  auto [x, y] = z;
  Real half = sin(y * 0.5);
  Real m = x.apply<stablehlo::ExponentialMinusOneOp>();
  return {m * cos(y) - half * half * 2, exp(x) * sin(y)};
}

/// Whether e**-x is negligible beside e**x.
Real isLarge(Real size) { return size > 20; }

// Pattern: sinh(x + iy) -> sinh(x) cos(y) + i cosh(x) sin(y)
Complex sinh(Complex z) {
  auto [x, y] = z;
  Real size = abs(x), cosine = cos(y), sine = sin(y);
  Complex large = expTimes(size, cosine * 0.5, sine * 0.5);
  Real re = where(isLarge(size), large.re, sinh(size) * cosine);
  Real im = where(isLarge(size), large.im, cosh(size) * sine);
  Real limit = where(size == 0, x, where(isInf(x), size, sine));
  return {where(isFinite(y), where(isNegative(x), -re, re), limit),
          where(y == 0, y, im)};
}

// Pattern: cosh(x + iy) -> cosh(x) cos(y) + i sinh(x) sin(y)
Complex cosh(Complex z) {
  auto [x, y] = z;
  Real size = abs(x), cosine = cos(y), sine = sin(y);
  Complex large = expTimes(size, cosine * 0.5, sine * 0.5);
  Real re = where(isLarge(size), large.re, cosh(size) * cosine);
  Real im = where(isLarge(size), large.im, sinh(size) * sine);
  im = where(y == 0, y, im);
  im = where(isNegative(x) & !isNan(x), -im, im);
  im = where((x == 0) & !isFinite(y), 0, im);
  return {where(isInf(x) & !isFinite(y), size, re), im};
}

// Pattern: tanh(x + iy) -> (sinh(x) cosh(x) + i sin(y) cos(y)) /
// (sinh(x)**2 + cos(y)**2)
Complex tanh(Complex z) {
  auto [x, y] = z;
  Real size = abs(x), cosine = cos(y), sine = sin(y), s = sinh(size);
  Real divisor = s * s + cosine * cosine, shrink = exp(-size);
  Real isOne = isLarge(size) & (isFinite(y) | isInf(x));
  Real re = where(isOne, 1, s * cosh(size) / divisor);
  Real im = where(isLarge(size), sine * cosine * 4 * shrink * shrink,
                  sine * cosine / divisor);
  im = where(isInf(x) & !isFinite(y), copysign(x.number(0), y), im);
  return {copysign(where(x == 0, 0, re), x), where(y == 0, y, im)};
}

//===----------------------------------------------------------------------===//
// Roots and logarithms
//===----------------------------------------------------------------------===//

/// The square root of p + iy for y >= 0.
Complex rootAbove(Real p, Real y) {
  // sqrt((hypot(p, y) + |p|) / 2), scaled by 1/8 so that nothing overflows.
  Real large = sqrt(hypot(p * 0.125, y * 0.125) + abs(p) * 0.125) * 2;
  large = where(isInf(p) | isInf(y), infinity, large);
  Real small = where(large == 0, 0, y / (large * 2));
  small = where(isInf(y), infinity, small);
  return {where(p < 0, small, large), where(p < 0, large, small)};
}

Complex sqrt(Complex z) {
  Complex root = rootAbove(z.re, abs(z.im));
  return {root.re, copysign(root.im, z.im)};
}

/// XLA's logarithm, but infinite if one part is infinite and the other NaN.
template <typename Op> Complex logarithm(Complex z) {
  Complex made = z.apply<Op>();
  return {where(isInf(z.re) | isInf(z.im), infinity, made.re), made.im};
}

//===----------------------------------------------------------------------===//
// Inverse functions: W. Kahan, Branch cuts for complex elementary functions,
// 1987
//===----------------------------------------------------------------------===//

struct Arc {
  Complex sine;
  /// The real part of the arc cosine; its imaginary part is that of the arc
  /// sine, negated.
  Real cosine;
};

Arc arc(Complex z) {
  Real x = abs(z.re), y = abs(z.im);
  // The roots of 1 - x - iy (conjugated) and 1 + x + iy.
  auto [a, b] = rootAbove(1 - x, y);
  auto [c, d] = rootAbove(x + 1, y);
  Real isLeft = z.re < 0;
  Real re = atan2(x, a * c + b * d), im = asinh(a * d + b * c);
  Real cosine = atan2(where(isLeft, c, a), where(isLeft, a, c)) * 2;
  Real isFar = (x > 1e9) | (y > 1e9);
  re = where(isFar, atan2(x, y), re);
  im = where(isFar, log(hypot(x * 0.25, y * 0.25)) + 3 * ln2, im);
  cosine = where(isFar, atan2(y, z.re), cosine);
  Real hasNan = isNan(x) | isNan(y), nan = x + y;
  im = where(hasNan, where(isInf(x) | isInf(y), infinity, nan), im);
  re = where(hasNan, where(x == 0, 0, nan), re);
  cosine = where(hasNan, where(x == 0, pi / 2, nan), cosine);
  return {{copysign(re, z.re), copysign(im, z.im)}, cosine};
}

Complex asin(Complex z) { return arc(z).sine; }

Complex acos(Complex z) {
  Arc made = arc(z);
  return {made.cosine, -made.sine.im};
}

// Pattern: acosh(z) -> |imag(acos(z))| + i copysign(real(acos(z)), imag(z))
Complex acosh(Complex z) {
  Arc made = arc(z);
  return {abs(made.sine.im), copysign(made.cosine, z.im)};
}

// Pattern: atanh(z) -> log1p(4 x / ((1 - x)**2 + y**2)) / 4 +
// i atan2(2 y, (1 - x) (1 + x) - y**2) / 2
Complex atanh(Complex z) {
  Real x = abs(z.re), y = abs(z.im), less = 1 - x;
  Real re = log1p(x * 4 / (less * less + y * y)) * 0.25;
  Real im = atan2(y * 2, less * (x + 1) - y * y) * 0.5;
  Real isPole = (x == 1) & (y < 1e-9);
  re = where(isPole, (ln2 - log(y)) * 0.5, re);
  Real isFar = (x > 1e18) | (y > 1e18);
  re = where(isFar, 1 / (x + y * (y / x)), re);
  re = where(isInf(x) | isInf(y) | (x == 0), 0, re);
  im = where(isInf(y) | ((y > 1e18) & !isNan(x)), pi / 2, im);
  return {copysign(re, z.re), copysign(im, z.im)};
}

//===----------------------------------------------------------------------===//
// Algebra, by NumPy's formulas
//===----------------------------------------------------------------------===//

Complex sign(Complex z) {
  auto [x, y] = z;
  Real size = hypot(x, y), isZero = size == 0, isInfinite = isInf(size);
  auto part = [&](Real mine, Real other) {
    Real limit = where(isInf(mine), copysign(x.number(1), mine), x.number(0));
    limit = where(isInf(mine) & isInf(other), size - size, limit);
    return where(isZero, 0, where(isInfinite, limit, mine / size));
  };
  return {part(x, y), part(y, x)};
}

/// R. L. Smith, Algorithm 116: complex division, 1962. It first divides by the
/// larger part of the divisor.
Complex divide(Complex a, Complex b) {
  Real isReal = abs(b.re).compare(ComparisonDirection::GE, abs(b.im));
  Real large = where(isReal, b.re, b.im), small = where(isReal, b.im, b.re);
  Real ratio = small / large, scale = 1 / (large + small * ratio);
  Real re = where(isReal, a.re + a.im * ratio, a.re * ratio + a.im);
  Real im = where(isReal, a.im - a.re * ratio, a.im * ratio - a.re);
  Real isZero = (b.re == 0) & (b.im == 0), zero = abs(b.re);
  return {where(isZero, a.re / zero, re * scale),
          where(isZero, a.im / zero, im * scale)};
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// f(z')', which is -i f(iz) for an odd f.
template <Complex (*formula)(Complex)> Complex turned(Complex z) {
  return formula(z.swapped()).swapped();
}

Complex cosine(Complex z) { return cosh(Complex{-z.im, z.re}); }

/// Pattern: op(z) -> a formula of z's parts, for complex numbers
template <typename From, Complex (*formula)(Complex)>
struct ComplexFormula : public OpRewritePattern<From> {
  explicit ComplexFormula(MLIRContext *context)
      : OpRewritePattern<From>(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    if (!isa<ComplexType>(elementOf(op.getOperand())))
      return failure();
    Emitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(op,
                       formula(Complex::of(emitter, op.getOperand())).make());
    return success();
  }
};

/// Pattern: abs(z) -> hypot(real(z), imag(z)), for complex numbers
struct ComplexAbs : public OpRewritePattern<AbsOp> {
  explicit ComplexAbs(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(AbsOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<ComplexType>(elementOf(op.getOperand())))
      return failure();
    Emitter emitter(rewriter, op.getLoc());
    Complex z = Complex::of(emitter, op.getOperand());
    rewriter.replaceOp(op, hypot(z.re, z.im).value);
    return success();
  }
};

} // namespace

Value ingot::lowerComplexDivide(Emitter &e, Value a, Value b) {
  return divide(Complex::of(e, a), Complex::of(e, b)).make();
}

void ingot::populateComplexLowering(RewritePatternSet &patterns) {
  patterns
      .add<ComplexAbs, ComplexFormula<ExpOp, exp>,
           ComplexFormula<Expm1Op, expm1>, ComplexFormula<SqrtOp, sqrt>,
           ComplexFormula<LogOp, logarithm<stablehlo::LogOp>>,
           ComplexFormula<Log1pOp, logarithm<stablehlo::LogPlusOneOp>>,
           ComplexFormula<SinhOp, sinh>, ComplexFormula<SinOp, turned<sinh>>,
           ComplexFormula<CoshOp, cosh>, ComplexFormula<CosOp, cosine>,
           ComplexFormula<TanhOp, tanh>, ComplexFormula<TanOp, turned<tanh>>,
           ComplexFormula<AsinOp, asin>, ComplexFormula<AsinhOp, turned<asin>>,
           ComplexFormula<AcosOp, acos>, ComplexFormula<AcoshOp, acosh>,
           ComplexFormula<AtanhOp, atanh>,
           ComplexFormula<AtanOp, turned<atanh>>, ComplexFormula<SignOp, sign>>(
          patterns.getContext());
}
