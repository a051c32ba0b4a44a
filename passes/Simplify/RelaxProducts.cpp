//===- RelaxProducts.cpp - Multiply plainly where zero meets no infinity --===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ingot {
#define GEN_PASS_DEF_RELAXPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// How many operations a search looks at.
constexpr size_t searchLimit = 64;

bool isReal(Value value) { return isa<FloatType>(elementOf(value)); }

bool isFinite(Value value, unsigned depth = 8) {
  if (std::optional<APFloat> number = floatOf(value))
    return number->isFinite();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (auto constant = dyn_cast<ConstantOp>(op))
    if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValueAttr()))
      return llvm::all_of(elements.getValues<APFloat>(),
                          [](const APFloat &x) { return x.isFinite(); });
  if (isa<IotaOp>(op))
    return true;
  if (auto convert = dyn_cast<ConvertOp>(op))
    return isa<IntegerType>(elementOf(convert.getOperand())) &&
           !elementOf(value).isF16();
  if (auto select = dyn_cast<SelectOp>(op))
    return isFinite(select.getOnTrue(), depth - 1) &&
           isFinite(select.getOnFalse(), depth - 1);
  if (isa<NegOp, AbsOp, BroadcastToOp, ReshapeOp, TransposeOp, MaximumOp,
          MinimumOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isReal(operand) && isFinite(operand, depth - 1);
    });
  return false;
}

/// Whether elements of a product show which elements of `cause` are infinite or
/// NaN: they are so themselves there. By way of a divisor zeros show, too.
class Search {
public:
  Search(Value cause, bool isDivisor) : cause(cause), isDivisor(isDivisor) {}

  bool shows(Value value) {
    if (value == cause && !isDivisor)
      return true;
    if (seen.size() == searchLimit || !seen.insert(value).second)
      return false;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<AddOp, SubOp, MulOp, NegOp>(op))
      return llvm::any_of(op->getOperands(),
                          [&](Value operand) { return shows(operand); });
    if (auto quotient = dyn_cast<DivOp>(op))
      return shows(quotient.getLhs()) ||
             (isDivisor && quotient.getRhs() == cause);
    // Infinite or NaN, lhs is not zero, and counts, but for a zero of rhs.
    auto product = dyn_cast<MulNoNanOp>(op);
    if (isa<DivNoNanOp>(op) || (product && !product.getBoth()))
      return shows(op->getOperand(0));
    return false;
  }

private:
  Value cause;
  bool isDivisor;
  llvm::SmallDenseSet<Value> seen;
};

/// Whether a product is the same, but for the sign of zero, if zeros of `lhs`
/// don't rule.
bool isPlain(Value lhs, Value rhs, bool isDivisor) {
  if (!isReal(lhs))
    return false;
  std::optional<APFloat> seed = floatOf(lhs), factor = floatOf(rhs);
  if (seed && !seed->isZero())
    return true;
  if (isDivisor ? factor && !factor->isZero() && !factor->isNaN()
                : isFinite(rhs))
    return true;
  while (auto negative = rhs.getDefiningOp<NegOp>())
    rhs = negative.getOperand();
  return Search(rhs, isDivisor).shows(lhs);
}

/// Of a sum of products nothing shows: other products may.
bool isPlainSummed(Value lhs, Value rhs) {
  std::optional<APFloat> seed = floatOf(lhs);
  return (seed && !seed->isZero()) || isFinite(rhs);
}

// Pattern: div_no_nan(a, b) -> div(a, b)
void relax(DivNoNanOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (!isPlain(lhs, rhs, /*isDivisor=*/true))
    return;
  OpBuilder builder(op);
  op.replaceAllUsesWith(
      DivOp::create(builder, op.getLoc(), lhs, rhs).getResult());
  op->erase();
}

// Pattern: mul_no_nan(a, b) -> mul(a, b)
// Pattern: mul_no_nan(a, b) {both} -> mul_no_nan(a, b), mul_no_nan(b, a)
void relax(MulNoNanOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs(), made;
  bool isLeft = !isPlain(lhs, rhs, /*isDivisor=*/false);
  bool isRight = op.getBoth() && !isPlain(rhs, lhs, /*isDivisor=*/false);
  if (isLeft && isRight == op.getBoth())
    return;
  OpBuilder builder(op);
  if (isLeft)
    made = MulNoNanOp::create(builder, op.getLoc(), lhs, rhs);
  else if (isRight)
    made = MulNoNanOp::create(builder, op.getLoc(), rhs, lhs);
  else
    made = MulOp::create(builder, op.getLoc(), lhs, rhs);
  op.replaceAllUsesWith(made);
  op->erase();
}

void relax(DotGeneralOp op) {
  if (!isReal(op.getLhs()))
    return;
  if (op.getLhsZeros() && isPlainSummed(op.getLhs(), op.getRhs()))
    op.setLhsZeros(false);
  if (op.getRhsZeros() && isPlainSummed(op.getRhs(), op.getLhs()))
    op.setRhsZeros(false);
}

struct RelaxProducts : public ingot::impl::RelaxProductsBase<RelaxProducts> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<DivNoNanOp, MulNoNanOp, DotGeneralOp>(
              [](auto each) { relax(each); });
    });
  }
};

} // namespace
