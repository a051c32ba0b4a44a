//===- KeepRoundings.cpp - Keep XLA from exchanging what rounds otherwise -===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatOperations.h"
#include "Fusion/KernelCall.h"
#include "Lowering.h"
#include "StableHLO/Barrier.h"

namespace ingot {
#define GEN_PASS_DEF_KEEPROUNDINGS
#include "Lowering/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

//===----------------------------------------------------------------------===//
// What XLA sees
//===----------------------------------------------------------------------===//

/// XLA moves these past elementwise operations.
static bool changesShape(Operation *op) {
  return isa_and_nonnull<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp,
                         stablehlo::TransposeOp>(op);
}

static Value beforeShape(Value value) {
  while (changesShape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// The operation that computes a value, before changes of its shape and sign.
static Operation *sourceOf(Value value) {
  value = beforeShape(value);
  while (auto negation = value.getDefiningOp<stablehlo::NegOp>())
    value = beforeShape(negation.getOperand());
  return value.getDefiningOp();
}

static stablehlo::ConstantOp constantBehind(Value value) {
  return beforeShape(value).getDefiningOp<stablehlo::ConstantOp>();
}

static bool hasConstant(Operation *op) {
  return llvm::any_of(op->getOperands(), constantBehind);
}

static bool isSum(Operation *op) {
  return isa_and_nonnull<stablehlo::AddOp, stablehlo::SubtractOp>(op);
}

static bool isProduct(Operation *op) {
  return isa_and_nonnull<stablehlo::MulOp, stablehlo::DivOp>(op);
}

static bool isSumWithConstant(Operation *op) {
  return isSum(op) && hasConstant(op);
}

/// Whether XLA may take a factor out of a sum: a * c + b * c.
static bool addsMultiples(Operation *op) {
  return isa_and_nonnull<stablehlo::AddOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value term) {
           Operation *source = sourceOf(term);
           return isProduct(source) && hasConstant(source);
         });
}

/// Whether an operand or a user is one of these operations, before or after
/// changes of its shape and sign.
static bool hasNeighbour(Operation *op, function_ref<bool(Operation *)> isOne) {
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return isOne(sourceOf(operand)); }))
    return true;
  SmallVector<Operation *> seen = {op};
  while (!seen.empty())
    for (Operation *user : seen.pop_back_val()->getUsers()) {
      if (changesShape(user) || isa<stablehlo::NegOp>(user))
        seen.push_back(user);
      else if (isOne(user))
        return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static APFloat reciprocal(const APFloat &number) {
  APFloat found = APFloat::getOne(number.getSemantics());
  found.divide(number, APFloat::rmNearestTiesToEven);
  return found;
}

/// The numbers of a constant of floats, unless they are stored elsewhere.
static DenseFPElementsAttr numbersOf(stablehlo::ConstantOp constant) {
  return dyn_cast<DenseFPElementsAttr>(constant.getValue());
}

static APFloat powerOfTwo(const llvm::fltSemantics &semantics, int exponent) {
  return scalbn(APFloat::getOne(semantics), exponent,
                APFloat::rmNearestTiesToEven);
}

/// A power of 2 by which a divisor and its dividend are multiplied so that
/// neither the divisor nor its reciprocal is subnormal.
static APFloat scaleOf(const APFloat &divisor) {
  const llvm::fltSemantics &semantics = divisor.getSemantics();
  int exponent = 0;
  if (divisor.isDenormal())
    exponent = APFloat::semanticsPrecision(semantics);
  else if (divisor.isFiniteNonZero() && reciprocal(divisor).isDenormal())
    exponent = -4;
  return powerOfTwo(semantics, exponent);
}

/// Whether quotients by these numbers may be products with reciprocals.
static bool haveReciprocals(stablehlo::ConstantOp constant) {
  DenseFPElementsAttr numbers = numbersOf(constant);
  return numbers && llvm::all_of(numbers, [](const APFloat &each) {
           return scaleOf(each).isExactlyValue(1);
         });
}

/// The number that a constant is all of, if XLA's code takes it as zero.
static std::optional<APFloat> flushed(stablehlo::ConstantOp constant) {
  DenseFPElementsAttr numbers = numbersOf(constant);
  if (!numbers || !numbers.isSplat() ||
      numbers.getElementType().getIntOrFloatBitWidth() < 32)
    return std::nullopt;
  auto number = numbers.getSplatValue<APFloat>();
  return number.isDenormal() ? std::optional(number) : std::nullopt;
}

/// Whether an operation is a division after XLA's first simplifications.
static bool staysDivision(Operation *op) {
  auto division = dyn_cast_or_null<stablehlo::DivOp>(op);
  if (!division)
    return false;
  stablehlo::ConstantOp divisor = constantBehind(division.getRhs());
  return !divisor || !haveReciprocals(divisor);
}

//===----------------------------------------------------------------------===//
// What is hidden
//===----------------------------------------------------------------------===//

static bool isSquare(Operation *op) {
  auto product = dyn_cast_or_null<stablehlo::MulOp>(op);
  return product &&
         beforeShape(product.getLhs()) == beforeShape(product.getRhs());
}

/// The operand that XLA would see through to a function with which the
/// operation cancels or merges.
static OpOperand *mergedOperand(Operation *op) {
  auto among = [&](unsigned number, auto... isOne) -> OpOperand * {
    Operation *source = sourceOf(op->getOperand(number));
    return (isOne(source) || ...) ? &op->getOpOperand(number) : nullptr;
  };
  auto isExp = [](Operation *op) {
    return isa_and_nonnull<stablehlo::ExponentialOp>(op);
  };
  auto isPower = [](Operation *op) {
    return isa_and_nonnull<stablehlo::PowOp>(op);
  };
  if (isa<stablehlo::LogOp>(op) || isa<stablehlo::PowOp>(op))
    return among(0, isExp, isPower);
  if (isa<stablehlo::SqrtOp>(op))
    return among(0, isSquare, isPower);
  if (isa<stablehlo::MulOp>(op) && among(1, isExp))
    return among(0, isExp);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// How it is hidden
//===----------------------------------------------------------------------===//

static Value barrier(Emitter &e, Value value) {
  return e.emit<stablehlo::OptimizationBarrierOp>(value);
}

/// A hidden number in the shape of a value.
static Value hidden(Emitter &e, Value like, DenseElementsAttr number) {
  auto scalar = number.resizeSplat(number.getType().clone(ArrayRef<int64_t>()));
  Value constant = e.emit<stablehlo::ConstantOp>(scalar);
  return e.broadcast(barrier(e, constant), shapeOf(like));
}

static Value hidden(Emitter &e, Value like, const APFloat &number) {
  auto type = RankedTensorType::get({}, elementOf(like));
  return hidden(e, like, DenseElementsAttr::get(type, number));
}

/// Pattern: x -> x * number, where the number is hidden
static Value times(Emitter &e, Value x, const APFloat &number) {
  return e.emit<stablehlo::MulOp>(x, hidden(e, x, number));
}

/// Pattern: x -> x * 1, where the 1 is hidden. A barrier on an array would part
/// the kernels of an accelerator.
/// Pattern: x -> barrier(x), of complex numbers
static void hideValue(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Emitter emitter(builder, operand.getOwner()->getLoc());
  Value value = operand.get();
  auto real = dyn_cast<FloatType>(elementOf(value));
  operand.set(
      real ? times(emitter, value, APFloat::getOne(real.getFloatSemantics()))
           : barrier(emitter, value));
}

/// Pattern: x -> select(x != x, NaN, x), which LLVM does not see through, as it
/// does through a product with 1
static void choose(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Emitter emitter(builder, operand.getOwner()->getLoc());
  Value value = operand.get();
  const auto &semantics = cast<FloatType>(elementOf(value)).getFloatSemantics();
  Value nan = emitter.emit<stablehlo::ConstantOp>(
      DenseElementsAttr::get(typeOf(value), APFloat::getNaN(semantics)));
  Value isNan = emitter.compare(ComparisonDirection::NE, value, value);
  operand.set(emitter.select(isNan, nan, value));
}

/// Pattern: constant -> broadcast(barrier(number))
/// Pattern: constant -> barrier(constant), of different numbers
static void hideConstant(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Emitter emitter(builder, operand.getOwner()->getLoc());
  Value value = operand.get();
  auto numbers = dyn_cast<DenseElementsAttr>(constantBehind(value).getValue());
  bool isOne = numbers && numbers.isSplat();
  operand.set(isOne ? hidden(emitter, value, numbers)
                    : barrier(emitter, value));
}

static void replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

/// Pattern: x * c -> (x * (c * 2^n)) * 2^-n, for a subnormal c
/// Pattern: c / x -> ((c * 2^n) / x) * 2^-n
static void scaleConstant(Operation *op) {
  OpBuilder builder(op);
  Emitter emitter(builder, op->getLoc());
  unsigned position = constantBehind(op->getOperand(1)) ? 1 : 0;
  Value other = op->getOperand(1 - position);
  APFloat number = *flushed(constantBehind(op->getOperand(position)));
  const llvm::fltSemantics &semantics = number.getSemantics();
  int exponent = APFloat::semanticsPrecision(semantics);
  number = scalbn(number, exponent, APFloat::rmNearestTiesToEven);
  Value scaled = isa<stablehlo::MulOp>(op)
                     ? times(emitter, other, number)
                     : emitter.emit<stablehlo::DivOp>(
                           hidden(emitter, other, number), other);
  replace(op, times(emitter, scaled, powerOfTwo(semantics, -exponent)));
}

/// A hidden constant of what a function gives for each divisor.
static Value mapDivisors(Emitter &e, stablehlo::DivOp op,
                         function_ref<APFloat(const APFloat &)> function) {
  DenseFPElementsAttr divisors = numbersOf(constantBehind(op.getRhs()));
  if (divisors.isSplat())
    return hidden(e, op, function(divisors.getSplatValue<APFloat>()));
  SmallVector<APFloat> found;
  for (const APFloat &each : divisors)
    found.push_back(function(each));
  auto type = typeOf(op.getRhs());
  Value made =
      e.emit<stablehlo::ConstantOp>(DenseElementsAttr::get(type, found));
  return barrier(e, made);
}

/// Pattern: x / c -> x * (1 / c), as XLA has it
/// Pattern: x / c -> (x * k) * (1 / (c * k)), for the scales k of all divisors
static void invert(stablehlo::DivOp op) {
  OpBuilder builder(op);
  Emitter emitter(builder, op.getLoc());
  Value dividend = op.getLhs();
  if (!haveReciprocals(constantBehind(op.getRhs())))
    dividend = emitter.emit<stablehlo::MulOp>(
        dividend, mapDivisors(emitter, op, scaleOf));
  Value inverse = mapDivisors(emitter, op, [](const APFloat &divisor) {
    return reciprocal(divisor * scaleOf(divisor));
  });
  replace(op, emitter.emit<stablehlo::MulOp>(dividend, inverse));
}

/// Pattern: x / broadcast(y) -> (x * broadcast(k)) * broadcast(1 / (y * k)),
/// where k is 1, or a smaller power of 2 if 1 / y is subnormal
static void divideByFew(stablehlo::DivOp op) {
  OpBuilder builder(op);
  Emitter emitter(builder, op.getLoc());
  auto spread = op.getRhs().getDefiningOp<stablehlo::BroadcastInDimOp>();
  Value y = spread.getOperand();
  const auto &semantics = cast<FloatType>(elementOf(y)).getFloatSemantics();
  auto splat = [&](const APFloat &number) {
    return emitter.emit<stablehlo::ConstantOp>(
        DenseElementsAttr::get(typeOf(y), number));
  };
  auto spreadToAll = [&](Value few) {
    return emitter.emit<stablehlo::BroadcastInDimOp>(
        op.getType(), few, spread.getBroadcastDimensions());
  };
  Value largest =
      splat(powerOfTwo(semantics, -APFloat::semanticsMinExponent(semantics)));
  Value isLarge =
      emitter.compare(ComparisonDirection::GE,
                      emitter.emit<stablehlo::AbsOp>(y.getType(), y), largest);
  Value one = splat(APFloat::getOne(semantics));
  Value k = emitter.select(isLarge, splat(powerOfTwo(semantics, -4)), one);
  Value inverse =
      emitter.emit<stablehlo::DivOp>(one, emitter.emit<stablehlo::MulOp>(y, k));
  Value scaled = emitter.emit<stablehlo::MulOp>(op.getLhs(), spreadToAll(k));
  replace(op, emitter.emit<stablehlo::MulOp>(scaled, spreadToAll(inverse)));
}

namespace {

/// What is to be hidden in one function, decided before anything changes.
class Hiding {
public:
  explicit Hiding(func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (op->getNumResults() == 1 && isOnFloats(op) && seesFunction(op) &&
          !isOfConstants(op))
        visit(op);
    });
  }

  void apply() {
    llvm::for_each(values, [](OpOperand *each) { hideValue(*each); });
    llvm::for_each(products, [](OpOperand *each) { choose(*each); });
    llvm::for_each(constants, [](OpOperand *each) { hideConstant(*each); });
    llvm::for_each(scaled, scaleConstant);
    llvm::for_each(inverted, invert);
    llvm::for_each(byFew, divideByFew);
  }

private:
  static bool isOnFloats(Operation *op) {
    if (op->getNumOperands() == 0)
      return false;
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    return type && isa<FloatType, ComplexType>(type.getElementType());
  }

  static bool isOfConstants(Operation *op) {
    return llvm::all_of(op->getOperands(), constantBehind);
  }

  /// Whether XLA may merge a constant factor with that of another product.
  static bool isChained(Operation *op) {
    return hasNeighbour(op, isProduct) || hasNeighbour(op, addsMultiples);
  }

  void visit(Operation *op) {
    if (OpOperand *merged = mergedOperand(op))
      values.push_back(merged);
    bool isSummand =
        isSumWithConstant(op) && hasNeighbour(op, isSumWithConstant);
    if (isSummand || comparesOrder(op))
      hideConstants(op);
    if (isSum(op) && elementOf(op->getResult(0)).isF16())
      hideProducts(op);
    if (auto product = dyn_cast<stablehlo::MulOp>(op))
      visitProduct(product);
    if (auto division = dyn_cast<stablehlo::DivOp>(op))
      visitDivision(division);
  }

  /// XLA knows squares, for example, to be 0 or greater, also if they are NaN.
  static bool comparesOrder(Operation *op) {
    auto compare = dyn_cast<stablehlo::CompareOp>(op);
    return compare &&
           (compare.getComparisonDirection() == ComparisonDirection::GE ||
            compare.getComparisonDirection() == ComparisonDirection::LE);
  }

  /// Processors with float16 multiply and add in one operation, which rounds
  /// once.
  void hideProducts(Operation *sum) {
    for (OpOperand &term : sum->getOpOperands())
      if (isProduct(sourceOf(term.get())))
        products.push_back(&term);
  }

  void visitProduct(stablehlo::MulOp op) {
    if (!hasConstant(op))
      return;
    unsigned position = constantBehind(op.getRhs()) ? 1 : 0;
    if (flushed(constantBehind(op->getOperand(position))))
      scaled.push_back(op);
    else if (isChained(op))
      hideConstants(op);
  }

  void visitDivision(stablehlo::DivOp op) {
    if (stablehlo::ConstantOp divisor = constantBehind(op.getRhs()))
      return visitDivisor(op, divisor);
    if (isByFew(op)) {
      byFew.push_back(op);
      return;
    }
    stablehlo::ConstantOp numerator = constantBehind(op.getLhs());
    if (numerator && flushed(numerator))
      scaled.push_back(op);
    else if (isChained(op))
      hideConstants(op);
    Operation *dividend = sourceOf(op.getLhs());
    Operation *divisor = sourceOf(op.getRhs());
    auto isPower = [](Operation *op) {
      return isa_and_nonnull<stablehlo::PowOp>(op);
    };
    if (staysDivision(dividend) || isPower(dividend))
      values.push_back(&op.getLhsMutable());
    if (staysDivision(divisor) || isPower(divisor) ||
        isa_and_nonnull<stablehlo::ExponentialOp>(divisor))
      values.push_back(&op.getRhsMutable());
  }

  void visitDivisor(stablehlo::DivOp op, stablehlo::ConstantOp divisor) {
    if (haveReciprocals(divisor) && !isChained(op))
      return;
    bool isSpread = op.getRhs().getDefiningOp() != divisor;
    DenseFPElementsAttr numbers = numbersOf(divisor);
    if (numbers && (numbers.isSplat() || !isSpread))
      inverted.push_back(op);
    else if (isByFew(op))
      byFew.push_back(op);
    else
      hideConstants(op);
  }

  /// Whether XLA multiplies by the reciprocals of the divisors, of which there
  /// are fewer than results.
  static bool isByFew(stablehlo::DivOp op) {
    auto spread = op.getRhs().getDefiningOp<stablehlo::BroadcastInDimOp>();
    return spread && isa<FloatType>(elementOf(op)) &&
           spread.getOperand().hasOneUse() &&
           typeOf(spread.getOperand()).getNumElements() <
               op.getType().getNumElements();
  }

  void hideConstants(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (constantBehind(operand.get()))
        constants.push_back(&operand);
  }

  SmallVector<OpOperand *> values, constants, products;
  SmallVector<Operation *> scaled;
  SmallVector<stablehlo::DivOp> inverted, byFew;
};

struct KeepRoundings : public ingot::impl::KeepRoundingsBase<KeepRoundings> {
  void runOnOperation() override {
    // XLA compiles no such program.
    if (kernelCallOf(getOperation()))
      return;
    for (auto function : getOperation().getOps<func::FuncOp>())
      Hiding(function).apply();
  }
};

} // namespace
