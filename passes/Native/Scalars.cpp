//===- Scalars.cpp - Operations on single elements ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the result of an LLVM instruction is undefined (division by zero,
// shifts by the width, conversions out of range), the code has the result that
// XLA defines, on which the patterns of `lower-to-stablehlo` rely.
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"
#include "Lowering/Lowering.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ingot;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using arith::FastMathFlags;
using stablehlo::ComparisonDirection;

Type ingot::scalarType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer ? IntegerType::get(element.getContext(), integer.getWidth())
                 : element;
}

Type ingot::storedType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return scalarType(element);
}

static bool isUnsigned(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}

arith::FastMathFlagsAttr Scalars::flags(FastMathFlags wanted) {
  return arith::FastMathFlagsAttr::get(b.getContext(),
                                       isStrict ? FastMathFlags::none : wanted);
}

/// Whether a float is a product, or a negated one.
static bool isProduct(Value value) {
  if (auto negated = value.getDefiningOp<arith::NegFOp>())
    value = negated.getOperand();
  return value.getDefiningOp<arith::MulFOp>() != nullptr;
}

arith::FastMathFlagsAttr Scalars::flagsOfSum(Value x, Value y) {
  return flags(isProduct(x) && isProduct(y) ? FastMathFlags::none
                                            : FastMathFlags::contract);
}

//===----------------------------------------------------------------------===//
// Constants and indices
//===----------------------------------------------------------------------===//

Value Scalars::constant(Attribute value, Type element) {
  Type type = scalarType(element);
  if (isa<ComplexType>(type))
    return emit<complex::ConstantOp>(type, cast<ArrayAttr>(value));
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return emit<arith::ConstantOp>(IntegerAttr::get(type, integer.getValue()));
  return emit<arith::ConstantOp>(cast<FloatAttr>(value));
}

Value Scalars::number(double value, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complexOf(number(value, complex.getElementType()),
                     number(0, complex.getElementType()));
  if (isa<FloatType>(type))
    return emit<arith::ConstantOp>(b.getFloatAttr(type, value));
  return emit<arith::ConstantOp>(
      b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

Value Scalars::index(int64_t value) {
  return emit<arith::ConstantIndexOp>(value);
}

Value Scalars::toIndex(Value value, bool isUnsigned) {
  if (value.getType().isIndex())
    return value;
  if (isUnsigned)
    return emit<arith::IndexCastUIOp>(b.getIndexType(), value);
  return emit<arith::IndexCastOp>(b.getIndexType(), value);
}

Value Scalars::fromIndex(Value index, Type type) {
  Value wide = emit<arith::IndexCastOp>(b.getI64Type(), index);
  return convert(wide, b.getI64Type(), type);
}

Value Scalars::load(Value stored, Type element) {
  if (!element.isInteger(1))
    return stored;
  return emit<arith::CmpIOp>(CmpIPredicate::ne, stored,
                             number(0, stored.getType()));
}

Value Scalars::store(Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  return emit<arith::ExtUIOp>(storedType(element), value);
}

Value Scalars::clamp(Value value, int64_t last) {
  Value low = emit<arith::MaxSIOp>(value, index(0));
  return emit<arith::MinSIOp>(low, index(last));
}

Value Scalars::choose(Value condition, function_ref<Value()> then,
                      Value other) {
  OpBuilder::InsertionGuard guard(b);
  auto branch = scf::IfOp::create(b, location, other.getType(), condition,
                                  /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, location, then());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, location, other);
  return branch.getResult(0);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value Scalars::unlessZero(Value factor, Value product) {
  Type type = product.getType();
  if (isa<IntegerType>(type))
    return product;
  auto isZero = [&](Value part) {
    Value zero = number(0, part.getType());
    return emit<arith::CmpFOp>(arith::CmpFPredicate::OEQ, part, zero);
  };
  if (isa<FloatType>(type))
    return emit<arith::SelectOp>(isZero(factor), number(0, type), product);
  auto [real, imag] = partsOf(factor);
  Value both = emit<arith::AndIOp>(isZero(real), isZero(imag));
  Value zero = number(0, real.getType());
  return emit<arith::SelectOp>(both, complexOf(zero, zero), product);
}

Value Scalars::combine(ReduceKind kind, Type element, Value x, Value y) {
  if (isa<ComplexType>(element)) {
    auto [a, c] = partsOf(x);
    auto [d, e] = partsOf(y);
    Type part = a.getType();
    auto sum = [&](Value m, Value n) {
      return combine(ReduceKind::Add, part, m, n);
    };
    if (kind == ReduceKind::Add)
      return complexOf(sum(a, d), sum(c, e));
    Value real = emit<arith::SubFOp>(emit<arith::MulFOp>(a, d),
                                     emit<arith::MulFOp>(c, e));
    Value imag = emit<arith::AddFOp>(emit<arith::MulFOp>(a, e),
                                     emit<arith::MulFOp>(c, d));
    return complexOf(real, imag);
  }
  bool isFloat = isa<FloatType>(element), noSign = isUnsigned(element);
  auto anyOrder = flags(FastMathFlags::reassoc | FastMathFlags::contract);
  auto anyExtremum = flags(FastMathFlags::reassoc | FastMathFlags::nsz);
  switch (kind) {
  case ReduceKind::Add:
    return isFloat ? emit<arith::AddFOp>(x, y, anyOrder)
                   : emit<arith::AddIOp>(x, y);
  case ReduceKind::Mul:
    return isFloat ? emit<arith::MulFOp>(x, y, anyOrder)
                   : emit<arith::MulIOp>(x, y);
  case ReduceKind::Min:
    return isFloat  ? emit<arith::MinimumFOp>(x, y, anyExtremum)
           : noSign ? emit<arith::MinUIOp>(x, y)
                    : emit<arith::MinSIOp>(x, y);
  case ReduceKind::Max:
    return isFloat  ? emit<arith::MaximumFOp>(x, y, anyExtremum)
           : noSign ? emit<arith::MaxUIOp>(x, y)
                    : emit<arith::MaxSIOp>(x, y);
  case ReduceKind::And:
    return emit<arith::AndIOp>(x, y);
  case ReduceKind::Or:
    return emit<arith::OrIOp>(x, y);
  }
  llvm_unreachable("covered switch");
}

Value Scalars::identity(ReduceKind kind, Type element) {
  Type type = scalarType(element);
  if (kind != ReduceKind::Min && kind != ReduceKind::Max)
    return number(kind == ReduceKind::Mul || kind == ReduceKind::And, type);
  return constant(extremum(element, kind == ReduceKind::Min), element);
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

Value Scalars::elementwise(Operation *op, ValueRange operands) {
  Type from = elementOf(op->getOperand(0)), to = elementOf(op->getResult(0));
  if (auto comparison = dyn_cast<stablehlo::CompareOp>(op))
    return compare(comparison, operands);
  if (isa<stablehlo::SelectOp>(op))
    return emit<arith::SelectOp>(operands[0], operands[1], operands[2]);
  if (isa<stablehlo::ConvertOp>(op))
    return convert(operands[0], from, to);
  if (isa<stablehlo::BitcastConvertOp>(op))
    return scalarType(from) == scalarType(to)
               ? operands[0]
               : emit<arith::BitcastOp>(scalarType(to), operands[0]);
  if (isa<ComplexType>(from) || isa<ComplexType>(to))
    return onComplex(op, operands);
  if (isa<FloatType>(from))
    return onFloats(op, operands);
  return onIntegers(op, operands, isUnsigned(from));
}

Value Scalars::compare(stablehlo::CompareOp op, ValueRange operands) {
  Type element = elementOf(op.getLhs());
  auto direction = op.getComparisonDirection();
  if (isa<ComplexType>(element)) {
    bool isEqual = direction == ComparisonDirection::EQ;
    auto [a, c] = partsOf(operands[0]);
    auto [d, e] = partsOf(operands[1]);
    auto how = isEqual ? CmpFPredicate::OEQ : CmpFPredicate::UNE;
    Value re = emit<arith::CmpFOp>(how, a, d),
          im = emit<arith::CmpFOp>(how, c, e);
    return isEqual ? emit<arith::AndIOp>(re, im) : emit<arith::OrIOp>(re, im);
  }
  struct Row {
    CmpFPredicate onFloats;
    CmpIPredicate onSigned, onUnsigned;
  };
  // In the order of ComparisonDirection.
  static constexpr Row rows[] = {
      {CmpFPredicate::OEQ, CmpIPredicate::eq, CmpIPredicate::eq},
      {CmpFPredicate::UNE, CmpIPredicate::ne, CmpIPredicate::ne},
      {CmpFPredicate::OGE, CmpIPredicate::sge, CmpIPredicate::uge},
      {CmpFPredicate::OGT, CmpIPredicate::sgt, CmpIPredicate::ugt},
      {CmpFPredicate::OLE, CmpIPredicate::sle, CmpIPredicate::ule},
      {CmpFPredicate::OLT, CmpIPredicate::slt, CmpIPredicate::ult}};
  const Row &row = rows[static_cast<unsigned>(direction)];
  if (isa<FloatType>(element))
    return emit<arith::CmpFOp>(row.onFloats, operands[0], operands[1]);
  return emit<arith::CmpIOp>(isUnsigned(element) ? row.onUnsigned
                                                 : row.onSigned,
                             operands[0], operands[1]);
}

Value Scalars::chosen(CmpFPredicate how, Value x, Value y) {
  Value isNan = emit<arith::CmpFOp>(CmpFPredicate::UNO, x, x);
  Value isFirst = emit<arith::OrIOp>(emit<arith::CmpFOp>(how, x, y), isNan);
  return emit<arith::SelectOp>(isFirst, x, y);
}

/// C's `fmod`, which is exact. If the quotient has no more digits than the
/// type, it is rounded to the next whole number at most, and what is left of x
/// is exact with one rounding.
Value Scalars::remainder(Value x, Value y) {
  Type type = x.getType();
  Value zero = number(0, type);
  Value quotient = emit<math::TruncOp>(emit<arith::DivFOp>(x, y));
  Value rest = emit<math::FmaOp>(emit<arith::NegFOp>(quotient), y, x);
  Value isBeyond = emit<arith::CmpFOp>(
      CmpFPredicate::OLT,
      emit<arith::MulFOp>(rest, emit<math::CopySignOp>(number(1, type), x)),
      zero);
  Value back = emit<math::CopySignOp>(emit<math::AbsFOp>(y), x);
  rest = emit<arith::SelectOp>(isBeyond, emit<arith::AddFOp>(rest, back), rest);
  // A zero has the sign of x.
  Value found = emit<math::CopySignOp>(rest, x);
  int64_t digits =
      APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  Value isShort =
      emit<arith::CmpFOp>(CmpFPredicate::OLT, emit<math::AbsFOp>(quotient),
                          number(int64_t(1) << digits, type));
  Value isFinite =
      emit<arith::CmpFOp>(CmpFPredicate::OLT, emit<math::AbsFOp>(y),
                          identity(ReduceKind::Min, type));
  Value isOther = emit<arith::XOrIOp>(emit<arith::AndIOp>(isShort, isFinite),
                                      number(1, b.getI1Type()));
  return choose(isOther, [&] { return emit<arith::RemFOp>(x, y); }, found);
}

Value Scalars::angle(Value y, Value x) {
  Type type = x.getType();
  auto contract = flags(FastMathFlags::contract);
  Value found = emit<math::Atan2Op>(y, x, contract.getValue());
  // MLIR folds the angle of two zeros, which is 0 or pi with the sign of y, to
  // NaN.
  Value zero = number(0, type);
  Value isZero =
      emit<arith::AndIOp>(emit<arith::CmpFOp>(CmpFPredicate::OEQ, x, zero),
                          emit<arith::CmpFOp>(CmpFPredicate::OEQ, y, zero));
  Value side = emit<math::CopySignOp>(number(1, type), x);
  Value isLeft = emit<arith::CmpFOp>(CmpFPredicate::OLT, side, zero);
  Value turn =
      emit<arith::SelectOp>(isLeft, number(llvm::numbers::pi, type), zero);
  return emit<arith::SelectOp>(isZero, emit<math::CopySignOp>(turn, y), found);
}

Value Scalars::onFloats(Operation *op, ValueRange operands) {
  auto contract = flags(FastMathFlags::contract);
  Value x = operands[0], y = operands.size() > 1 ? operands[1] : Value();
  Type type = x.getType();
  auto unary = [&](auto tag) {
    return emit<decltype(tag)>(x, contract.getValue());
  };
  auto binary = [&](auto tag) {
    return emit<decltype(tag)>(x, y, contract.getValue());
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](stablehlo::AddOp) {
        return emit<arith::AddFOp>(x, y, flagsOfSum(x, y));
      })
      .Case([&](stablehlo::SubtractOp) {
        return emit<arith::SubFOp>(x, y, flagsOfSum(x, y));
      })
      .Case([&](stablehlo::MulOp) { return binary(arith::MulFOp()); })
      .Case([&](stablehlo::DivOp) { return binary(arith::DivFOp()); })
      .Case([&](stablehlo::RemOp) { return remainder(x, y); })
      .Case([&](stablehlo::PowOp) { return binary(math::PowFOp()); })
      .Case([&](stablehlo::Atan2Op) { return angle(x, y); })
      .Case([&](stablehlo::MinOp) {
        return isStrict ? chosen(CmpFPredicate::OLT, x, y)
                        : emit<arith::MinimumFOp>(x, y);
      })
      .Case([&](stablehlo::MaxOp) {
        return isStrict ? chosen(CmpFPredicate::OGT, x, y)
                        : emit<arith::MaximumFOp>(x, y);
      })
      .Case([&](stablehlo::NegOp) { return emit<arith::NegFOp>(x); })
      .Case([&](stablehlo::AbsOp) { return emit<math::AbsFOp>(x); })
      .Case([&](stablehlo::SqrtOp) { return unary(math::SqrtOp()); })
      .Case([&](stablehlo::CbrtOp) { return unary(math::CbrtOp()); })
      .Case([&](stablehlo::ExponentialOp) { return unary(math::ExpOp()); })
      .Case([&](stablehlo::ExponentialMinusOneOp) {
        return unary(math::ExpM1Op());
      })
      .Case([&](stablehlo::LogOp) { return unary(math::LogOp()); })
      .Case([&](stablehlo::LogPlusOneOp) { return unary(math::Log1pOp()); })
      .Case([&](stablehlo::SineOp) { return unary(math::SinOp()); })
      .Case([&](stablehlo::CosineOp) { return unary(math::CosOp()); })
      .Case([&](stablehlo::TanOp) { return unary(math::TanOp()); })
      .Case([&](stablehlo::TanhOp) { return unary(math::TanhOp()); })
      .Case([&](chlo::ErfOp) { return unary(math::ErfOp()); })
      .Case([&](chlo::ErfcOp) { return unary(math::ErfcOp()); })
      .Case([&](stablehlo::FloorOp) { return emit<math::FloorOp>(x); })
      .Case([&](stablehlo::CeilOp) { return emit<math::CeilOp>(x); })
      .Case([&](stablehlo::RoundNearestEvenOp) {
        return emit<math::RoundEvenOp>(x);
      })
      .Case([&](stablehlo::IsFiniteOp) {
        Value infinity = identity(ReduceKind::Min, type);
        return emit<arith::CmpFOp>(CmpFPredicate::OLT, emit<math::AbsFOp>(x),
                                   infinity);
      })
      .Case([&](stablehlo::SignOp) {
        // Zeros and NaN are their own signs.
        Value sign = emit<math::CopySignOp>(number(1, type), x);
        Value isOther =
            emit<arith::CmpFOp>(CmpFPredicate::UEQ, x, number(0, type));
        return emit<arith::SelectOp>(isOther, x, sign);
      })
      .Default([](Operation *) { return Value(); });
}

Value Scalars::divide(Value x, Value y, bool isUnsigned, bool remainder) {
  Type type = x.getType();
  Value zero = number(0, type), one = number(1, type);
  Value isZero = emit<arith::CmpIOp>(CmpIPredicate::eq, y, zero);
  Value divisor = emit<arith::SelectOp>(isZero, one, y);
  Value forZero = remainder ? x : number(-1, type);
  if (isUnsigned) {
    Value found = remainder ? emit<arith::RemUIOp>(x, divisor)
                            : emit<arith::DivUIOp>(x, divisor);
    return emit<arith::SelectOp>(isZero, forZero, found);
  }
  auto integer = cast<IntegerType>(type);
  Value least = emit<arith::ConstantOp>(
      IntegerAttr::get(type, APInt::getSignedMinValue(integer.getWidth())));
  Value overflows = emit<arith::AndIOp>(
      emit<arith::CmpIOp>(CmpIPredicate::eq, x, least),
      emit<arith::CmpIOp>(CmpIPredicate::eq, y, number(-1, type)));
  divisor = emit<arith::SelectOp>(overflows, one, divisor);
  Value found = remainder ? emit<arith::RemSIOp>(x, divisor)
                          : emit<arith::DivSIOp>(x, divisor);
  return emit<arith::SelectOp>(isZero, forZero, found);
}

Value Scalars::shift(Operation *op, Value x, Value y) {
  Type type = x.getType();
  unsigned width = cast<IntegerType>(type).getWidth();
  Value isInside =
      emit<arith::CmpIOp>(CmpIPredicate::ult, y, number(width, type));
  bool isArithmetic = isa<stablehlo::ShiftRightArithmeticOp>(op);
  Value outside = isArithmetic
                      ? emit<arith::ShRSIOp>(x, number(width - 1, type))
                      : number(0, type);
  Value count = emit<arith::SelectOp>(isInside, y, number(0, type));
  Value found = isArithmetic ? emit<arith::ShRSIOp>(x, count)
                : isa<stablehlo::ShiftLeftOp>(op)
                    ? emit<arith::ShLIOp>(x, count)
                    : emit<arith::ShRUIOp>(x, count);
  return emit<arith::SelectOp>(isInside, found, outside);
}

Value Scalars::onIntegers(Operation *op, ValueRange operands, bool noSign) {
  Value x = operands[0], y = operands.size() > 1 ? operands[1] : Value();
  Type type = x.getType();
  Value zero = number(0, type);
  bool isBool = type.isInteger(1);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](stablehlo::AddOp) {
        return isBool ? emit<arith::OrIOp>(x, y) : emit<arith::AddIOp>(x, y);
      })
      .Case([&](stablehlo::MulOp) {
        return isBool ? emit<arith::AndIOp>(x, y) : emit<arith::MulIOp>(x, y);
      })
      .Case([&](stablehlo::SubtractOp) { return emit<arith::SubIOp>(x, y); })
      .Case([&](stablehlo::DivOp) { return divide(x, y, noSign, false); })
      .Case([&](stablehlo::RemOp) { return divide(x, y, noSign, true); })
      .Case([&](stablehlo::MinOp) {
        return noSign ? emit<arith::MinUIOp>(x, y) : emit<arith::MinSIOp>(x, y);
      })
      .Case([&](stablehlo::MaxOp) {
        return noSign ? emit<arith::MaxUIOp>(x, y) : emit<arith::MaxSIOp>(x, y);
      })
      .Case([&](stablehlo::AndOp) { return emit<arith::AndIOp>(x, y); })
      .Case([&](stablehlo::OrOp) { return emit<arith::OrIOp>(x, y); })
      .Case([&](stablehlo::XorOp) { return emit<arith::XOrIOp>(x, y); })
      .Case([&](stablehlo::NotOp) {
        return emit<arith::XOrIOp>(x,
                                   isBool ? number(1, type) : number(-1, type));
      })
      .Case([&](stablehlo::NegOp) { return emit<arith::SubIOp>(zero, x); })
      .Case([&](stablehlo::AbsOp) { return emit<math::AbsIOp>(x); })
      .Case([&](stablehlo::SignOp) {
        Value isLess = emit<arith::CmpIOp>(CmpIPredicate::slt, x, zero);
        Value isMore = emit<arith::CmpIOp>(CmpIPredicate::sgt, x, zero);
        return emit<arith::SubIOp>(emit<arith::ExtUIOp>(type, isMore),
                                   emit<arith::ExtUIOp>(type, isLess));
      })
      .Case<stablehlo::ShiftLeftOp, stablehlo::ShiftRightArithmeticOp,
            stablehlo::ShiftRightLogicalOp>(
          [&](auto each) { return shift(each, x, y); })
      .Default([](Operation *) { return Value(); });
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

Value Scalars::complexOf(Value re, Value im) {
  return emit<complex::CreateOp>(ComplexType::get(re.getType()), re, im);
}

std::pair<Value, Value> Scalars::partsOf(Value value) {
  Type part = cast<ComplexType>(value.getType()).getElementType();
  return {emit<complex::ReOp>(part, value), emit<complex::ImOp>(part, value)};
}

Value Scalars::onComplex(Operation *op, ValueRange operands) {
  if (isa<stablehlo::ComplexOp>(op))
    return complexOf(operands[0], operands[1]);
  auto [a, c] = partsOf(operands[0]);
  if (isa<stablehlo::RealOp>(op))
    return a;
  if (isa<stablehlo::ImagOp>(op))
    return c;
  // NumPy contracts the parts of products, too.
  auto contract = flags(FastMathFlags::contract);
  auto sum = [&](Value x, Value y) {
    return emit<arith::AddFOp>(x, y, contract);
  };
  auto difference = [&](Value x, Value y) {
    return emit<arith::SubFOp>(x, y, contract);
  };
  auto product = [&](Value x, Value y) {
    return emit<arith::MulFOp>(x, y, contract);
  };
  if (isa<stablehlo::NegOp>(op))
    return complexOf(emit<arith::NegFOp>(a), emit<arith::NegFOp>(c));
  if (isa<stablehlo::AbsOp>(op)) {
    // The larger part times the root of 1 plus the square of the quotient does
    // not overflow.
    Type type = a.getType();
    Value x = emit<math::AbsFOp>(a), y = emit<math::AbsFOp>(c);
    Value large = emit<arith::MaximumFOp>(x, y),
          small = emit<arith::MinimumFOp>(x, y);
    Value isZero =
        emit<arith::CmpFOp>(CmpFPredicate::OEQ, large, number(0, type));
    Value isInfinite = emit<arith::CmpFOp>(CmpFPredicate::OEQ, large,
                                           identity(ReduceKind::Min, type));
    Value ratio = emit<arith::DivFOp>(small, large);
    Value root =
        emit<math::SqrtOp>(sum(number(1, type), product(ratio, ratio)));
    Value found = product(large, root);
    Value isPlain = emit<arith::OrIOp>(isZero, isInfinite);
    return emit<arith::SelectOp>(isPlain, large, found);
  }
  if (operands.size() < 2)
    return {};
  auto [d, e] = partsOf(operands[1]);
  if (isa<stablehlo::AddOp>(op))
    return complexOf(sum(a, d), sum(c, e));
  if (isa<stablehlo::SubtractOp>(op))
    return complexOf(difference(a, d), difference(c, e));
  if (isa<stablehlo::MulOp>(op))
    return complexOf(difference(product(a, d), product(c, e)),
                     sum(product(a, e), product(c, d)));
  return {};
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Truncates towards zero. NaN becomes 0, and what is out of range the nearest
/// integer.
Value Scalars::toInteger(Value value, Type to) {
  bool noSign = isUnsigned(to);
  Type type = scalarType(to), from = value.getType();
  auto bound = [&](bool isLargest) {
    return cast<IntegerAttr>(extremum(to, isLargest)).getValue();
  };
  APInt least = bound(false), most = bound(true);
  auto asFloat = [&](const APInt &bound) {
    return number(bound.roundToDouble(/*isSigned=*/!noSign), from);
  };
  auto asInteger = [&](const APInt &bound) -> Value {
    return emit<arith::ConstantOp>(IntegerAttr::get(type, bound));
  };
  Value isLow = emit<arith::CmpFOp>(CmpFPredicate::OLE, value, asFloat(least));
  Value isHigh = emit<arith::CmpFOp>(CmpFPredicate::OGE, value, asFloat(most));
  Value isNan = emit<arith::CmpFOp>(CmpFPredicate::UNO, value, value);
  Value isOther = emit<arith::OrIOp>(emit<arith::OrIOp>(isLow, isHigh), isNan);
  Value inside = emit<arith::SelectOp>(isOther, number(0, from), value);
  Value found = noSign ? emit<arith::FPToUIOp>(type, inside)
                       : emit<arith::FPToSIOp>(type, inside);
  found = emit<arith::SelectOp>(isLow, asInteger(least), found);
  return emit<arith::SelectOp>(isHigh, asInteger(most), found);
}

Value Scalars::convert(Value value, Type from, Type to) {
  if (from == to)
    return value;
  if (auto complex = dyn_cast<ComplexType>(to)) {
    Type part = complex.getElementType();
    if (auto source = dyn_cast<ComplexType>(from)) {
      auto [re, im] = partsOf(value);
      return complexOf(convert(re, source.getElementType(), part),
                       convert(im, source.getElementType(), part));
    }
    return complexOf(convert(value, from, part), number(0, part));
  }
  Type type = scalarType(to);
  if (isa<FloatType>(from) && isa<FloatType>(to))
    return from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth()
               ? emit<arith::ExtFOp>(type, value)
               : emit<arith::TruncFOp>(type, value);
  if (isa<FloatType>(from)) {
    if (to.isInteger(1))
      return emit<arith::CmpFOp>(CmpFPredicate::UNE, value, number(0, from));
    return toInteger(value, to);
  }
  if (isa<FloatType>(to))
    return isUnsigned(from) ? emit<arith::UIToFPOp>(type, value)
                            : emit<arith::SIToFPOp>(type, value);
  if (to.isInteger(1))
    return emit<arith::CmpIOp>(CmpIPredicate::ne, value,
                               number(0, value.getType()));
  unsigned width = from.getIntOrFloatBitWidth(),
           wanted = to.getIntOrFloatBitWidth();
  if (width == wanted)
    return value;
  if (width > wanted)
    return emit<arith::TruncIOp>(type, value);
  return isUnsigned(from) ? emit<arith::ExtUIOp>(type, value)
                          : emit<arith::ExtSIOp>(type, value);
}
