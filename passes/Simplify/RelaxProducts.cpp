//===- RelaxProducts.cpp - Use plain products and quotients ---------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "PlainProducts.h"

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

/// The largest number of operations that a search visits.
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

/// Whether the result of an operation is infinite or NaN at least where this
/// operand is.
bool decides(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<AddOp, SubOp, MulOp, NegOp>(op))
    return true;
  // An infinite or NaN lhs is not zero, so it decides the result. With `both`,
  // a zero of rhs might.
  auto product = dyn_cast<MulNoNanOp>(op);
  return operand.getOperandNumber() == 0 &&
         (isa<DivOp, DivNoNanOp>(op) || (product && !product.getBoth()));
}

/// Searches a product's computation for `cause`: finds out whether the product
/// is infinite or NaN at least where `cause` is. If `cause` is a divisor, the
/// product must also be so where `cause` is zero.
class Search {
public:
  Search(Value cause, bool isDivisor) : cause(cause), isDivisor(isDivisor) {}

  bool shows(Value value) {
    if (value == cause && !isDivisor)
      return true;
    // Most values are used as factors only, and need no search.
    return llvm::any_of(
               cause.getUses(),
               [&](OpOperand &use) { return decides(use) || divides(use); }) &&
           follows(value);
  }

private:
  /// Whether the operand is `cause`, as a divisor whose zeros count.
  bool divides(OpOperand &operand) {
    return isDivisor && operand.get() == cause &&
           operand.getOperandNumber() == 1 && isa<DivOp>(operand.getOwner());
  }
  bool follows(Value value) {
    if (value == cause && !isDivisor)
      return true;
    if (seen.size() == searchLimit || !seen.insert(value).second)
      return false;
    Operation *op = value.getDefiningOp();
    if (!op || isBeforeCause(op))
      return false;
    return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      return divides(operand) || (decides(operand) && follows(operand.get()));
    });
  }
  /// Whether the operation can't depend on `cause`.
  bool isBeforeCause(Operation *op) {
    Operation *made = cause.getDefiningOp();
    return made && made->getBlock() == op->getBlock() &&
           op->isBeforeInBlock(made);
  }

  Value cause;
  bool isDivisor;
  llvm::SmallDenseSet<Value> seen;
};

bool isNonzero(Value value) {
  std::optional<APFloat> number = numberBehindNegations(value);
  return number && !number->isZero();
}

/// Whether the plain product or quotient gives the same result, except for the
/// sign of zero.
bool isPlain(Value lhs, Value rhs, bool isDivisor) {
  if (!isReal(lhs))
    return false;
  if (isNonzero(lhs))
    return true;
  std::optional<APFloat> factor = floatOf(rhs);
  if (isDivisor ? factor && !factor->isZero() && !factor->isNaN()
                : isFinite(rhs))
    return true;
  while (auto negative = rhs.getDefiningOp<NegOp>())
    rhs = negative.getOperand();
  return Search(rhs, isDivisor).shows(lhs);
}

/// `isPlain` for a sum of products. A search finds nothing there: other
/// products may be the infinite ones.
bool isPlainSummed(Value lhs, Value rhs) {
  return isNonzero(lhs) || isFinite(rhs);
}

// Pattern: div_no_nan(a, b) -> div(a, b)
Value relaxed(DivNoNanOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (!isPlain(lhs, rhs, /*isDivisor=*/true))
    return {};
  OpBuilder builder(op);
  return DivOp::create(builder, op.getLoc(), lhs, rhs);
}

// Pattern: mul_no_nan(a, b) -> mul(a, b)
// Pattern: mul_no_nan(a, b) {both} -> mul_no_nan(a, b), mul_no_nan(b, a)
Value relaxed(MulNoNanOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  bool isLeft = !isPlain(lhs, rhs, /*isDivisor=*/false);
  bool isRight = op.getBoth() && !isPlain(rhs, lhs, /*isDivisor=*/false);
  if (isLeft && isRight == op.getBoth())
    return {};
  OpBuilder builder(op);
  if (isLeft)
    return MulNoNanOp::create(builder, op.getLoc(), lhs, rhs);
  if (isRight)
    return MulNoNanOp::create(builder, op.getLoc(), rhs, lhs);
  return plainProduct(op);
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
    // Erased at the end: MLIR numbers the operations of a block again after new
    // ones have become neighbours, and searches ask for their order.
    SmallVector<Operation *> replaced;
    auto replace = [&](Operation *op, Value made) {
      if (!made)
        return;
      op->getResult(0).replaceAllUsesWith(made);
      replaced.push_back(op);
    };
    getOperation().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<DivNoNanOp, MulNoNanOp>(
              [&](auto each) { replace(op, relaxed(each)); })
          .Case([](DotGeneralOp product) { relax(product); });
    });
    for (Operation *op : replaced)
      op->erase();
  }
};

} // namespace
