//===- Elementwise.cpp - Elementwise operations to StableHLO --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

namespace {

/// Pattern: op(x) -> stablehlo.op(x)
template <typename From, typename To>
struct UnaryLowering : public OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getType(), op.getOperand());
    return success();
  }
};

/// Pattern: op(x, y) -> stablehlo.op(broadcast(x), broadcast(y))
template <typename From, typename To>
struct BinaryLowering : public OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    ArrayRef<int64_t> shape = op.getType().getShape();
    Value lhs = emitter.broadcast(op.getOperation()->getOperand(0), shape);
    Value rhs = emitter.broadcast(op.getOperation()->getOperand(1), shape);
    rewriter.replaceOpWithNewOp<To>(op, op.getType(), lhs, rhs);
    return success();
  }
};

/// Pattern: convert(x) -> x != 0, from complex numbers to booleans
/// Pattern: convert(x) -> x ? 1 : 0, from booleans to floats: XLA rewrites a
/// product with a conversion to a select, which is 0 for False * NaN
/// Pattern: convert(x) -> stablehlo.convert(real(x)), from complex numbers to
/// real ones, which XLA can't fold by itself
/// Pattern: convert(x) -> stablehlo.convert(stablehlo.convert(x)), from signed
/// integers to narrower ones through unsigned ones: XLA's compiler for CPUs
/// crashes on `and` and `or` of two such conversions
/// Pattern: convert(x) -> stablehlo.convert(x)
struct ConvertLowering : public OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    Value x = op.getOperand();
    auto complex = dyn_cast<ComplexType>(elementOf(x));
    Type element = op.getType().getElementType();
    if (complex && element.isInteger(1)) {
      rewriter.replaceOp(op, emitter.compare(ComparisonDirection::NE, x,
                                             emitter.splatLike(x, 0)));
      return success();
    }
    if (elementOf(x).isInteger(1) && isa<FloatType, ComplexType>(element)) {
      Value one = emitter.splat(op.getType(), 1),
            zero = emitter.splat(op.getType(), 0);
      rewriter.replaceOp(op, emitter.select(x, one, zero));
      return success();
    }
    if (complex && !isa<ComplexType>(element))
      x = emitter.emit<stablehlo::RealOp>(
          typeOf(x).clone(complex.getElementType()), x);
    if (Type narrow = unsignedNarrow(elementOf(x), element))
      x = emitter.emit<stablehlo::ConvertOp>(typeOf(x).clone(narrow), x);
    rewriter.replaceOpWithNewOp<stablehlo::ConvertOp>(op, op.getType(), x);
    return success();
  }

  /// The unsigned type of a narrower signed integer.
  static Type unsignedNarrow(Type from, Type to) {
    auto wide = dyn_cast<IntegerType>(from), narrow = dyn_cast<IntegerType>(to);
    if (!wide || !narrow || wide.isUnsigned() || narrow.isUnsigned() ||
        narrow.getWidth() >= wide.getWidth() || narrow.getWidth() == 1)
      return {};
    return IntegerType::get(to.getContext(), narrow.getWidth(),
                            IntegerType::Unsigned);
  }
};

using Unary = Value (*)(Emitter &, Value);
using Binary = Value (*)(Emitter &, Value, Value);

/// Pattern: op(x) -> a formula, computed in f32 for narrower floats
template <typename From, Unary formula>
struct UnaryFormula : public OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    Type element = op.getType().getElementType();
    auto floating = dyn_cast<FloatType>(element);
    bool isNarrow = floating && floating.getWidth() < 32;
    Value operand = op.getOperand();
    if (isNarrow)
      operand = emitter.convert(operand, rewriter.getF32Type());
    rewriter.replaceOp(op, emitter.convert(formula(emitter, operand), element));
    return success();
  }
};

/// Pattern: op(x, y) -> a formula on the broadcast operands
template <typename From, Binary formula>
struct BinaryFormula : public OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    ArrayRef<int64_t> shape = op.getType().getShape();
    rewriter.replaceOp(op,
                       formula(emitter, emitter.broadcast(op.getLhs(), shape),
                               emitter.broadcast(op.getRhs(), shape)));
    return success();
  }
};

bool isUnsigned(Value value) {
  auto integer = dyn_cast<IntegerType>(elementOf(value));
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}

bool isFloat(Value value) { return isa<FloatType>(elementOf(value)); }

} // namespace

//===----------------------------------------------------------------------===//
// Formulas of one operand
//===----------------------------------------------------------------------===//

static Value add(Emitter &e, Value a, Value b) {
  return e.emit<stablehlo::AddOp>(a, b);
}
static Value sub(Emitter &e, Value a, Value b) {
  return e.emit<stablehlo::SubtractOp>(a, b);
}
/// The value before its broadcast, since operands of formulas are broadcast.
static Value broadcastOf(Value value) {
  while (auto op = value.getDefiningOp<stablehlo::BroadcastInDimOp>())
    value = op.getOperand();
  return value;
}

static bool isZero(Value value, bool isNegative) {
  std::optional<APFloat> number = floatOf(broadcastOf(value));
  return number && number->isZero() && number->isNegative() == isNegative;
}

/// x + 0.0. XLA would simplify the sum to x, which is wrong for -0.0.
static Value addZero(Emitter &e, Value x) {
  Value zero = e.splatLike(x, 0);
  return e.select(e.compare(ComparisonDirection::EQ, x, zero), zero, x);
}

/// The value of a splat of complex zeros of any signs.
static std::optional<std::complex<APFloat>> complexZeroOf(Value value) {
  DenseElementsAttr splat;
  if (!isa<ComplexType>(elementOf(value)) ||
      !matchPattern(broadcastOf(value), m_Constant(&splat)) || !splat.isSplat())
    return std::nullopt;
  auto number = splat.getSplatValue<std::complex<APFloat>>();
  return number.real().isZero() && number.imag().isZero()
             ? std::optional(number)
             : std::nullopt;
}

/// Applies a formula to the real parts and to the imaginary parts.
static Value byParts(Emitter &e, Value a, Value b,
                     function_ref<Value(Emitter &, Value, Value)> formula) {
  RankedTensorType type = typeOf(a);
  Type part =
      type.clone(cast<ComplexType>(type.getElementType()).getElementType());
  auto real = [&](Value value) -> Value {
    Value found = e.emit<stablehlo::RealOp>(part, value);
    auto zero = complexZeroOf(value);
    return zero ? e.splatLike(found, zero->real().convertToDouble()) : found;
  };
  auto imag = [&](Value value) -> Value {
    Value found = e.emit<stablehlo::ImagOp>(part, value);
    auto zero = complexZeroOf(value);
    return zero ? e.splatLike(found, zero->imag().convertToDouble()) : found;
  };
  return e.emit<stablehlo::ComplexOp>(type, formula(e, real(a), real(b)),
                                      formula(e, imag(a), imag(b)));
}

// Pattern: add(x, 0.0) -> select(x == 0, 0, x)
static Value lowerAdd(Emitter &e, Value a, Value b) {
  if (complexZeroOf(a) || complexZeroOf(b))
    return byParts(e, a, b, lowerAdd);
  if (isZero(a, /*isNegative=*/false))
    return addZero(e, b);
  return isZero(b, /*isNegative=*/false) ? addZero(e, a) : add(e, a, b);
}

// Pattern: sub(x, -0.0) -> select(x == 0, 0, x)
static Value lowerSub(Emitter &e, Value a, Value b) {
  if (complexZeroOf(b))
    return byParts(e, a, b, lowerSub);
  return isZero(b, /*isNegative=*/true) ? addZero(e, a) : sub(e, a, b);
}

static Value mul(Emitter &e, Value a, Value b) {
  return e.emit<stablehlo::MulOp>(a, b);
}
static Value div(Emitter &e, Value a, Value b) {
  if (isa<ComplexType>(elementOf(a)))
    return lowerComplexDivide(e, a, b);
  return e.emit<stablehlo::DivOp>(a, b);
}

// Pattern: abs(x) -> x, for unsigned integers
static Value lowerAbs(Emitter &e, Value x) {
  if (isUnsigned(x))
    return x;
  return e.emit<stablehlo::AbsOp>(x.getType(), x);
}

// Pattern: sign(x) -> min(x, 1), for unsigned integers
static Value lowerSign(Emitter &e, Value x) {
  if (isUnsigned(x))
    return e.emit<stablehlo::MinOp>(x, e.splatLike(x, 1));
  return e.emit<stablehlo::SignOp>(x.getType(), x);
}

// Pattern: conj(x) -> complex(real(x), -imag(x))
static Value lowerConj(Emitter &e, Value x) {
  auto complex = cast<ComplexType>(elementOf(x));
  Type part = typeOf(x).clone(complex.getElementType());
  Value imag = e.emit<stablehlo::ImagOp>(part, x);
  return e.emit<stablehlo::ComplexOp>(x.getType(),
                                      e.emit<stablehlo::RealOp>(part, x),
                                      e.emit<stablehlo::NegOp>(part, imag));
}

// Pattern: trunc(x) -> select(x < 0, ceil(x), floor(x))
static Value lowerTrunc(Emitter &e, Value x) {
  Type type = x.getType();
  return e.select(e.compare(ComparisonDirection::LT, x, e.splatLike(x, 0)),
                  e.emit<stablehlo::CeilOp>(type, x),
                  e.emit<stablehlo::FloorOp>(type, x));
}

// Pattern: asin(x) -> 2 atan2(x, 1 + sqrt((1 - x) (1 + x)))
static Value lowerAsin(Emitter &e, Value x) {
  Value one = e.splatLike(x, 1);
  Value root = e.emit<stablehlo::SqrtOp>(
      x.getType(), mul(e, sub(e, one, x), add(e, one, x)));
  return mul(e, e.splatLike(x, 2),
             e.emit<stablehlo::Atan2Op>(x, add(e, one, root)));
}

// Pattern: acos(x) -> 2 atan2(sqrt(1 - x), sqrt(1 + x))
static Value lowerAcos(Emitter &e, Value x) {
  Value one = e.splatLike(x, 1);
  Value low = e.emit<stablehlo::SqrtOp>(x.getType(), sub(e, one, x));
  Value high = e.emit<stablehlo::SqrtOp>(x.getType(), add(e, one, x));
  return mul(e, e.splatLike(x, 2), e.emit<stablehlo::Atan2Op>(low, high));
}

// Pattern: atan(x) -> atan2(x, 1)
static Value lowerAtan(Emitter &e, Value x) {
  return e.emit<stablehlo::Atan2Op>(x, e.splatLike(x, 1));
}

static const double ln2 = 0.69314718055994530942;

/// exp(x) / 2 and exp(-x) / 2, without overflow before the result overflows.
static std::pair<Value, Value> halfExponentials(Emitter &e, Value x) {
  Value shift = e.splatLike(x, -ln2);
  Type type = x.getType();
  Value negated = e.emit<stablehlo::NegOp>(type, x);
  return {e.emit<stablehlo::ExponentialOp>(type, add(e, x, shift)),
          e.emit<stablehlo::ExponentialOp>(type, add(e, negated, shift))};
}

// Pattern: sinh(x) -> (m + m / (m + 1)) / 2 with m = expm1(x) where |x| < 1,
// exp(x) / 2 - exp(-x) / 2 elsewhere
Value ingot::lowerSinh(Emitter &e, Value x) {
  auto [up, down] = halfExponentials(e, x);
  Value one = e.splatLike(x, 1);
  Value m = e.emit<stablehlo::ExponentialMinusOneOp>(x.getType(), x);
  Value small =
      mul(e, e.splatLike(x, 0.5), add(e, m, div(e, m, add(e, m, one))));
  Value isSmall = e.compare(ComparisonDirection::LT, lowerAbs(e, x), one);
  return e.select(isSmall, small, sub(e, up, down));
}

// Pattern: cosh(x) -> exp(x) / 2 + exp(-x) / 2
Value ingot::lowerCosh(Emitter &e, Value x) {
  auto [up, down] = halfExponentials(e, x);
  return add(e, up, down);
}

/// log1p(t + sqrt-like term), or log(a) + log(2) where a is too large to
/// square.
static Value logOfSum(Emitter &e, Value a, Value argument) {
  Type type = a.getType();
  Value large = e.compare(ComparisonDirection::GT, a, e.splatLike(a, 1e8));
  return e.select(
      large, add(e, e.emit<stablehlo::LogOp>(type, a), e.splatLike(a, ln2)),
      e.emit<stablehlo::LogPlusOneOp>(type, argument));
}

// Pattern: asinh(x) -> sign(x) log1p(a + a^2 / (1 + sqrt(a^2 + 1))), a = |x|
Value ingot::lowerAsinh(Emitter &e, Value x) {
  Value a = lowerAbs(e, x), one = e.splatLike(x, 1), square = mul(e, a, a);
  Value root = e.emit<stablehlo::SqrtOp>(x.getType(), add(e, square, one));
  Value value = logOfSum(e, a, add(e, a, div(e, square, add(e, one, root))));
  return mul(e, e.emit<stablehlo::SignOp>(x.getType(), x), value);
}

// Pattern: acosh(x) -> log1p(t + sqrt(t) sqrt(t + 2)), t = x - 1
static Value lowerAcosh(Emitter &e, Value x) {
  Type type = x.getType();
  Value t = sub(e, x, e.splatLike(x, 1));
  // One root of the product would be real again below -1.
  Value root =
      mul(e, e.emit<stablehlo::SqrtOp>(type, t),
          e.emit<stablehlo::SqrtOp>(type, add(e, t, e.splatLike(x, 2))));
  return logOfSum(e, x, add(e, t, root));
}

// Pattern: atanh(x) -> (log1p(x) - log1p(-x)) / 2
static Value lowerAtanh(Emitter &e, Value x) {
  Type type = x.getType();
  Value negated = e.emit<stablehlo::NegOp>(type, x);
  return mul(e, e.splatLike(x, 0.5),
             sub(e, e.emit<stablehlo::LogPlusOneOp>(type, x),
                 e.emit<stablehlo::LogPlusOneOp>(type, negated)));
}

//===----------------------------------------------------------------------===//
// Formulas of two operands
//===----------------------------------------------------------------------===//

/// Whether a remainder is not zero and its sign is not the divisor's.
static Value signsDiffer(Emitter &e, Value remainder, Value divisor) {
  Value zero = e.splatLike(divisor, 0);
  Value isNonZero = e.compare(ComparisonDirection::NE, remainder, zero);
  Value differ = e.compare(ComparisonDirection::NE,
                           e.compare(ComparisonDirection::LT, remainder, zero),
                           e.compare(ComparisonDirection::LT, divisor, zero));
  return e.emit<stablehlo::AndOp>(isNonZero, differ);
}

/// The exponent of a constant divisor that is a power of two.
static std::optional<unsigned> powerOf(Value divisor) {
  auto known = dyn_cast_or_null<IntegerAttr>(splatOf(broadcastOf(divisor)));
  APInt number = known ? known.getValue() : APInt();
  bool isPower =
      number.isPowerOf2() && (isUnsigned(divisor) || !number.isNegative());
  return isPower ? std::optional(number.logBase2()) : std::nullopt;
}

/// The bits of an integer below its divisor, a power of two. XLA computes them
/// from the absolute value, which is slower and which LLVM miscompiles.
static Value lowBits(Emitter &e, Value a, Value divisor) {
  return e.emit<stablehlo::AndOp>(a, sub(e, divisor, e.splatLike(divisor, 1)));
}

/// An integer operation with NumPy's result 0 where the divisor is 0.
template <typename Operation>
static Value divideInteger(Emitter &e, Value a, Value b, Operation operation) {
  if (integerOf(broadcastOf(b)).value_or(0) != 0)
    return operation(b);
  Value zero = e.splatLike(b, 0);
  Value isZero = e.compare(ComparisonDirection::EQ, b, zero);
  Value safe = e.select(isZero, e.splatLike(b, 1), b);
  return e.select(isZero, zero, operation(safe));
}

// As npy_floor_divide: the quotient is computed from the exact remainder, and
// rounded to the nearest integer.
static Value floorDivideFloat(Emitter &e, Value a, Value b) {
  Value zero = e.splatLike(b, 0), one = e.splatLike(b, 1);
  Value remainder = e.emit<stablehlo::RemOp>(a, b);
  Value exact = div(e, sub(e, a, remainder), b);
  Value quotient =
      e.select(signsDiffer(e, remainder, b), sub(e, exact, one), exact);
  Value floored = e.emit<stablehlo::FloorOp>(a.getType(), quotient);
  Value isFar = e.compare(ComparisonDirection::GT, sub(e, quotient, floored),
                          e.splatLike(b, 0.5));
  Value snapped = e.select(isFar, add(e, floored, one), floored);
  Value plain = div(e, a, b);
  Value isNone = e.compare(ComparisonDirection::EQ, quotient, zero);
  Value result = e.select(isNone, mul(e, plain, zero), snapped);
  return e.select(e.compare(ComparisonDirection::EQ, b, zero), plain, result);
}

static Value equalsZero(Emitter &e, Value x) {
  return e.compare(ComparisonDirection::EQ, x, e.splatLike(x, 0));
}

// Pattern: div_no_nan(a, b) -> select(a == 0, 0, div(a, b))
static Value lowerDivNoNan(Emitter &e, Value a, Value b) {
  return e.select(equalsZero(e, a), e.splatLike(a, 0), div(e, a, b));
}

static Value lowerShiftRight(Emitter &e, Value a, Value b) {
  if (isUnsigned(a))
    return e.emit<stablehlo::ShiftRightLogicalOp>(a, b);
  return e.emit<stablehlo::ShiftRightArithmeticOp>(a, b);
}

static Value lowerFloorDiv(Emitter &e, Value a, Value b) {
  if (isFloat(a))
    return floorDivideFloat(e, a, b);
  // Pattern: floor_div(a, 2^k) -> shift_right(a, k)
  if (std::optional<unsigned> power = powerOf(b))
    return lowerShiftRight(e, a, e.splatLike(a, *power));
  return divideInteger(e, a, b, [&](Value safe) {
    Value quotient = div(e, a, safe);
    if (isUnsigned(a))
      return quotient;
    Value remainder = sub(e, a, mul(e, quotient, safe));
    return e.select(signsDiffer(e, remainder, safe),
                    sub(e, quotient, e.splatLike(a, 1)), quotient);
  });
}

static Value lowerMod(Emitter &e, Value a, Value b) {
  // Pattern: mod(a, 2^k) -> and(a, 2^k - 1)
  if (powerOf(b))
    return lowBits(e, a, b);
  auto remainder = [&](Value divisor) -> Value {
    Value raw = e.emit<stablehlo::RemOp>(a, divisor);
    if (isUnsigned(a))
      return raw;
    return e.select(signsDiffer(e, raw, divisor), add(e, raw, divisor), raw);
  };
  if (!isFloat(a))
    return divideInteger(e, a, b, remainder);
  // A zero remainder takes the divisor's sign.
  Value value = remainder(b), zero = e.splatLike(b, 0);
  Value isNegative = e.compare(ComparisonDirection::LT, b, zero);
  Value signedZero = e.select(isNegative, e.splatLike(b, -0.0), zero);
  return e.select(e.compare(ComparisonDirection::EQ, value, zero), signedZero,
                  value);
}

static Value lowerFmod(Emitter &e, Value a, Value b) {
  // Pattern: fmod(a, 2^k) -> mod(a, 2^k), minus 2^k for negative numbers
  if (powerOf(b)) {
    Value low = lowBits(e, a, b);
    if (isUnsigned(a))
      return low;
    Value zero = e.splatLike(a, 0);
    Value isLess =
        e.emit<stablehlo::AndOp>(e.compare(ComparisonDirection::LT, a, zero),
                                 e.compare(ComparisonDirection::NE, low, zero));
    return e.select(isLess, sub(e, low, b), low);
  }
  auto remainder = [&](Value divisor) {
    return e.emit<stablehlo::RemOp>(a, divisor);
  };
  return isFloat(a) ? remainder(b) : divideInteger(e, a, b, remainder);
}

//===----------------------------------------------------------------------===//
// Comparison, selection and no-NaN products
//===----------------------------------------------------------------------===//

static ComparisonDirection direction(Comparison comparison) {
  switch (comparison) {
  case Comparison::EQ:
    return ComparisonDirection::EQ;
  case Comparison::NE:
    return ComparisonDirection::NE;
  case Comparison::LT:
    return ComparisonDirection::LT;
  case Comparison::LE:
    return ComparisonDirection::LE;
  case Comparison::GT:
    return ComparisonDirection::GT;
  case Comparison::GE:
    return ComparisonDirection::GE;
  }
  llvm_unreachable("covered switch");
}

namespace {

struct CompareLowering : public OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    ArrayRef<int64_t> shape = op.getType().getShape();
    rewriter.replaceOp(op,
                       emitter.compare(direction(op.getComparison()),
                                       emitter.broadcast(op.getLhs(), shape),
                                       emitter.broadcast(op.getRhs(), shape)));
    return success();
  }
};

struct SelectLowering : public OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    ArrayRef<int64_t> shape = op.getType().getShape();
    // StableHLO's select takes a 0-d predicate.
    Value condition = op.getCondition();
    if (typeOf(condition).getRank() > 0)
      condition = emitter.broadcast(condition, shape);
    rewriter.replaceOp(
        op, emitter.select(condition, emitter.broadcast(op.getOnTrue(), shape),
                           emitter.broadcast(op.getOnFalse(), shape)));
    return success();
  }
};

/// Pattern: mul_no_nan(a, b) -> select(a == 0, 0, mul(a, b))
/// Pattern: mul_no_nan(a, b) {both} ->
/// select(a == 0 or b == 0, 0, mul(a, b))
struct MulNoNanLowering : public OpRewritePattern<MulNoNanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulNoNanOp op,
                                PatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    ArrayRef<int64_t> shape = shapeOf(op.getResult());
    Value a = e.broadcast(op.getLhs(), shape);
    Value b = e.broadcast(op.getRhs(), shape);
    Value none = equalsZero(e, a);
    if (op.getBoth())
      none = e.emit<stablehlo::OrOp>(none, equalsZero(e, b));
    rewriter.replaceOp(op, e.select(none, e.splatLike(a, 0), mul(e, a, b)));
    return success();
  }
};

struct ComplexLowering : public OpRewritePattern<ComplexOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ComplexOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    ArrayRef<int64_t> shape = op.getType().getShape();
    rewriter.replaceOpWithNewOp<stablehlo::ComplexOp>(
        op, op.getType(), emitter.broadcast(op.getReal(), shape),
        emitter.broadcast(op.getImag(), shape));
    return success();
  }
};

struct ConstantLowering : public OpRewritePattern<ingot::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ingot::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(op, op.getType(),
                                                       op.getValueAttr());
    return success();
  }
};

} // namespace

void ingot::populateElementwiseLowering(RewritePatternSet &patterns) {
  patterns.add<UnaryLowering<DigammaOp, chlo::DigammaOp>,
               UnaryLowering<ErfOp, chlo::ErfOp>,
               UnaryLowering<ErfcOp, chlo::ErfcOp>,
               UnaryLowering<ErfInvOp, chlo::ErfInvOp>,
               UnaryLowering<LgammaOp, chlo::LgammaOp>>(patterns.getContext());
  patterns.add<UnaryLowering<NegOp, stablehlo::NegOp>,
               UnaryLowering<NotOp, stablehlo::NotOp>,
               UnaryLowering<ExpOp, stablehlo::ExponentialOp>,
               UnaryLowering<Expm1Op, stablehlo::ExponentialMinusOneOp>,
               UnaryLowering<LogOp, stablehlo::LogOp>,
               UnaryLowering<Log1pOp, stablehlo::LogPlusOneOp>,
               UnaryLowering<SqrtOp, stablehlo::SqrtOp>,
               UnaryLowering<CbrtOp, stablehlo::CbrtOp>,
               UnaryLowering<SinOp, stablehlo::SineOp>,
               UnaryLowering<CosOp, stablehlo::CosineOp>,
               UnaryLowering<TanOp, stablehlo::TanOp>,
               UnaryLowering<TanhOp, stablehlo::TanhOp>,
               UnaryLowering<FloorOp, stablehlo::FloorOp>,
               UnaryLowering<CeilOp, stablehlo::CeilOp>,
               UnaryLowering<RintOp, stablehlo::RoundNearestEvenOp>,
               UnaryLowering<RealOp, stablehlo::RealOp>,
               UnaryLowering<ImagOp, stablehlo::ImagOp>,
               UnaryLowering<IsFiniteOp, stablehlo::IsFiniteOp>,
               UnaryLowering<BitcastOp, stablehlo::BitcastConvertOp>,
               ConvertLowering>(patterns.getContext());
  patterns
      .add<UnaryFormula<AbsOp, lowerAbs>, UnaryFormula<SignOp, lowerSign>,
           UnaryFormula<ConjOp, lowerConj>, UnaryFormula<TruncOp, lowerTrunc>,
           UnaryFormula<AsinOp, lowerAsin>, UnaryFormula<AcosOp, lowerAcos>,
           UnaryFormula<AtanOp, lowerAtan>, UnaryFormula<SinhOp, lowerSinh>,
           UnaryFormula<CoshOp, lowerCosh>, UnaryFormula<AsinhOp, lowerAsinh>,
           UnaryFormula<AcoshOp, lowerAcosh>,
           UnaryFormula<AtanhOp, lowerAtanh>>(patterns.getContext());
  patterns.add<BinaryLowering<MulOp, stablehlo::MulOp>,
               BinaryLowering<MaximumOp, stablehlo::MaxOp>,
               BinaryLowering<MinimumOp, stablehlo::MinOp>,
               BinaryLowering<PolygammaOp, chlo::PolygammaOp>,
               BinaryLowering<Atan2Op, stablehlo::Atan2Op>,
               BinaryLowering<AndOp, stablehlo::AndOp>,
               BinaryLowering<OrOp, stablehlo::OrOp>,
               BinaryLowering<XorOp, stablehlo::XorOp>,
               BinaryLowering<ShiftLeftOp, stablehlo::ShiftLeftOp>>(
      patterns.getContext());
  patterns.add<BinaryFormula<AddOp, lowerAdd>, BinaryFormula<SubOp, lowerSub>,
               BinaryFormula<PowOp, lowerPow>, BinaryFormula<DivOp, div>,
               BinaryFormula<FloorDivOp, lowerFloorDiv>, MulNoNanLowering,
               BinaryFormula<DivNoNanOp, lowerDivNoNan>,
               BinaryFormula<ModOp, lowerMod>, BinaryFormula<FmodOp, lowerFmod>,
               BinaryFormula<ShiftRightOp, lowerShiftRight>, CompareLowering,
               SelectLowering, ComplexLowering, ConstantLowering>(
      patterns.getContext());
}
