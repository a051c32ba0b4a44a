//===- Folding.cpp - Arithmetic on constants ------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

/// Whether a comparison holds for two elements, by whether each of LT, EQ and
/// GT does.
static bool holds(Comparison kind, bool isLess, bool isEqual, bool isGreater) {
  switch (kind) {
  case Comparison::EQ:
    return isEqual;
  case Comparison::NE:
    return !isEqual;
  case Comparison::LT:
    return isLess;
  case Comparison::LE:
    return isLess || isEqual;
  case Comparison::GT:
    return isGreater;
  case Comparison::GE:
    return isGreater || isEqual;
  }
  llvm_unreachable("covered switch");
}

static APInt bit(bool value) { return APInt(1, value); }

using Integer = std::optional<APInt>;

static Integer fold(Operation *op, ArrayRef<APInt> x, bool noSign) {
  auto isLess = [&](const APInt &a, const APInt &b) {
    return noSign ? a.ult(b) : a.slt(b);
  };
  return llvm::TypeSwitch<Operation *, Integer>(op)
      .Case([&](NegOp) { return -x[0]; })
      .Case([&](NotOp) { return ~x[0]; })
      .Case([&](AddOp) { return x[0] + x[1]; })
      .Case([&](SubOp) { return x[0] - x[1]; })
      .Case([&](MulOp) { return x[0] * x[1]; })
      .Case([&](AndOp) { return x[0] & x[1]; })
      .Case([&](OrOp) { return x[0] | x[1]; })
      .Case([&](XorOp) { return x[0] ^ x[1]; })
      .Case([&](MaximumOp) { return isLess(x[0], x[1]) ? x[1] : x[0]; })
      .Case([&](MinimumOp) { return isLess(x[1], x[0]) ? x[1] : x[0]; })
      .Case([&](CompareOp compare) {
        return bit(holds(compare.getComparison(), isLess(x[0], x[1]),
                         x[0] == x[1], isLess(x[1], x[0])));
      })
      .Default([](Operation *) { return Integer(); });
}

/// The result of an operation on numbers, if it is rounded in the usual way:
/// what overflows or is not a number is left for the program to find.
static std::optional<APFloat> fold(Operation *op, ArrayRef<APFloat> x) {
  APFloat result = x[0];
  auto status =
      llvm::TypeSwitch<Operation *, std::optional<APFloat::opStatus>>(op)
          .Case([&](NegOp) {
            result.changeSign();
            return APFloat::opOK;
          })
          .Case([&](AddOp) {
            return result.add(x[1], APFloat::rmNearestTiesToEven);
          })
          .Case([&](SubOp) {
            return result.subtract(x[1], APFloat::rmNearestTiesToEven);
          })
          .Case([&](MulOp) {
            return result.multiply(x[1], APFloat::rmNearestTiesToEven);
          })
          .Case([&](DivOp) {
            return result.divide(x[1], APFloat::rmNearestTiesToEven);
          })
          .Default([](Operation *) { return std::nullopt; });
  bool isUsual = status == APFloat::opOK || status == APFloat::opInexact;
  return isUsual ? std::optional(result) : std::nullopt;
}

/// The elements of operands that are all one known number, if they are of type
/// `Number`.
template <typename Number>
static SmallVector<Number> numbersOf(ArrayRef<DenseElementsAttr> operands) {
  return llvm::map_to_vector(operands, [](DenseElementsAttr operand) {
    return operand.getSplatValue<Number>();
  });
}

static std::optional<DenseElementsAttr>
fold(Operation *op, ArrayRef<DenseElementsAttr> operands) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = operands[0].getElementType();
  if (isa<IntegerType>(element)) {
    bool noSign = element.isUnsignedInteger() || element.isInteger(1);
    if (auto found = fold(op, numbersOf<APInt>(operands), noSign))
      return DenseElementsAttr::get(type, *found);
    return std::nullopt;
  }
  if (!isa<FloatType>(element))
    return std::nullopt;
  SmallVector<APFloat> x = numbersOf<APFloat>(operands);
  if (!llvm::all_of(x, [](const APFloat &each) { return each.isFinite(); }))
    return std::nullopt;
  if (auto compare = dyn_cast<CompareOp>(op)) {
    auto order = x[0].compare(x[1]);
    return DenseElementsAttr::get(
        type, bit(holds(compare.getComparison(), order == APFloat::cmpLessThan,
                        order == APFloat::cmpEqual,
                        order == APFloat::cmpGreaterThan)));
  }
  if (auto found = fold(op, x))
    return DenseElementsAttr::get(type, *found);
  return std::nullopt;
}

static bool isOne(Attribute number) {
  if (auto floating = dyn_cast<FloatAttr>(number))
    return floating.getValue().isExactlyValue(1);
  auto integer = dyn_cast<IntegerAttr>(number);
  return integer && integer.getValue().isOne();
}

static bool isIntegerZero(Attribute number) {
  auto integer = dyn_cast<IntegerAttr>(number);
  return integer && integer.getValue().isZero();
}

/// Patterns:
///   x + 0, x - 0 -> x of integers: floats keep the sign of zero by it
///   x * 1 -> x
/// The numbers may be broadcast.
static Value unchangedBy(Operation *op) {
  if (!isa<AddOp, SubOp, MulOp>(op))
    return nullptr;
  for (unsigned i : {0, 1}) {
    Value other = op->getOperand(1 - i);
    if (other.getType() != op->getResult(0).getType() ||
        (i == 0 && isa<SubOp>(op)))
      continue;
    Attribute number = splatOf(op->getOperand(i));
    if (!number)
      continue;
    if (isa<MulOp>(op) ? isOne(number) : isIntegerZero(number))
      return other;
  }
  return nullptr;
}

/// Pattern: op(constants) -> constant, where each operand has equal elements
LogicalResult ingot::foldElementwise(Operation *op,
                                     ArrayRef<Attribute> operands,
                                     SmallVectorImpl<OpFoldResult> &results) {
  if (Value other = unchangedBy(op)) {
    results.push_back(other);
    return success();
  }
  SmallVector<DenseElementsAttr> known;
  for (Attribute operand : operands) {
    auto elements = dyn_cast_or_null<DenseElementsAttr>(operand);
    if (!elements || !elements.isSplat())
      return failure();
    known.push_back(elements);
  }
  bool isSame =
      !known.empty() &&
      llvm::all_equal(llvm::map_range(
          known, [](DenseElementsAttr each) { return each.getElementType(); }));
  auto found = isSame ? fold(op, known) : std::nullopt;
  if (!found)
    return failure();
  results.push_back(*found);
  return success();
}
