//===- Powers.cpp - Powers to StableHLO -----------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APSInt.h"

#include <complex>

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

/// NumPy multiplies complex numbers for whole exponents of less magnitude.
static constexpr int64_t leastComputed = 100;

/// The value before its broadcast and reshapes, if these are of one constant.
static DenseElementsAttr splatFrom(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<stablehlo::BroadcastInDimOp, BroadcastToOp, ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  DenseElementsAttr constant;
  matchPattern(value, m_Constant(&constant));
  return constant && constant.isSplat() ? constant : DenseElementsAttr();
}

static std::optional<int64_t> wholeOf(const APFloat &number) {
  APSInt whole(64, /*isUnsigned=*/false);
  bool isExact = false;
  number.convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  return isExact ? std::optional(whole.getExtValue()) : std::nullopt;
}

std::optional<int64_t> ingot::multipliedExponent(Value exponent) {
  DenseElementsAttr constant = splatFrom(exponent);
  if (!constant)
    return std::nullopt;
  Type type = constant.getElementType();
  if (isa<IntegerType>(type)) {
    auto number = constant.getSplatValue<APInt>();
    // More multiplications than there are bits shift all of them out, or not:
    // these are left to a loop.
    return number.ult(64) ? std::optional<int64_t>(number.getZExtValue())
                          : std::nullopt;
  }
  if (isa<FloatType>(type)) {
    auto number = constant.getSplatValue<APFloat>();
    // The derivative of a square has the exponent 1.
    return number.isExactlyValue(1)   ? std::optional(1)
           : number.isExactlyValue(2) ? std::optional(2)
                                      : std::nullopt;
  }
  auto number = constant.getSplatValue<std::complex<APFloat>>();
  std::optional<int64_t> whole = wholeOf(number.real());
  bool isSmall = whole && *whole > -leastComputed && *whole < leastComputed;
  return number.imag().isZero() && isSmall ? whole : std::nullopt;
}

/// The product of `count` factors that are equal, in NumPy's order.
static Value product(Emitter &e, Value factor, int64_t count) {
  if (count == 0)
    return e.splatLike(factor, 1);
  auto times = [&](Value a, Value b) -> Value {
    return e.emit<stablehlo::MulOp>(a, b);
  };
  if (count == 3)
    return times(factor, times(factor, factor));
  Value found;
  for (;; factor = times(factor, factor)) {
    if (count % 2)
      found = found ? times(found, factor) : factor;
    count /= 2;
    if (count == 0)
      return found;
  }
}

/// Whether a complex number is zero.
static Value isZero(Emitter &e, Value a) {
  return e.compare(ComparisonDirection::EQ, a, e.splatLike(a, 0));
}

// Pattern: pow(x, n) -> x * x ..., for whole numbers n; of floats only the
// square
// Pattern: pow(x, y) -> select(x == 0 and real(y) > 0, 0, pow(x, y)), of
// complex numbers, for which XLA gives NaN
Value ingot::lowerPow(Emitter &e, Value a, Value b) {
  auto complex = dyn_cast<ComplexType>(elementOf(a));
  if (std::optional<int64_t> exponent = multipliedExponent(b)) {
    Value found = product(e, a, std::abs(*exponent));
    if (*exponent >= 0)
      return found;
    Value nan = e.splatLike(a, std::numeric_limits<double>::quiet_NaN());
    return e.select(isZero(e, a), nan,
                    lowerComplexDivide(e, e.splatLike(a, 1), found));
  }
  Value power = e.emit<stablehlo::PowOp>(a, b);
  if (!complex)
    return power;
  Value real =
      e.emit<stablehlo::RealOp>(typeOf(b).clone(complex.getElementType()), b);
  Value zero = isZero(e, a);
  Value isPositive =
      e.compare(ComparisonDirection::GT, real, e.splatLike(real, 0));
  return e.select(e.emit<stablehlo::AndOp>(zero, isPositive),
                  e.splatLike(power, 0), power);
}
