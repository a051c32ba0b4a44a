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

namespace ingot {
#define GEN_PASS_DEF_RELAXPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// How many operations a search looks at.
constexpr size_t searchLimit = 64;

bool isReal(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// The number that a value is all of.
std::optional<APFloat> splatOf(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastToOp>())
    value = broadcast.getOperand();
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !isReal(value))
    return {};
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValueAttr());
  if (!elements || !elements.isSplat())
    return {};
  return elements.getSplatValue<APFloat>();
}

bool isFinite(Value value, unsigned depth = 8) {
  if (std::optional<APFloat> number = splatOf(value))
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
    return isa<IntegerType>(
               getElementTypeOrSelf(convert.getOperand().getType())) &&
           !getElementTypeOrSelf(value.getType()).isF16();
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
    // Infinite or NaN, lhs is not zero, and counts.
    if (isa<MulNoNanOp, DivNoNanOp>(op))
      return shows(op->getOperand(0));
    return false;
  }

private:
  Value cause;
  bool isDivisor;
  llvm::SmallDenseSet<Value> seen;
};

/// Whether the plain product or quotient is the same, but for the sign of zero.
bool isPlain(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (!isReal(lhs))
    return false;
  std::optional<APFloat> seed = splatOf(lhs), factor = splatOf(rhs);
  bool isDivisor = isa<DivNoNanOp>(op);
  if (seed && !seed->isZero())
    return true;
  if (isDivisor ? factor && !factor->isZero() && !factor->isNaN()
                : isFinite(rhs))
    return true;
  while (auto negative = rhs.getDefiningOp<NegOp>())
    rhs = negative.getOperand();
  return Search(rhs, isDivisor).shows(lhs);
}

struct RelaxProducts : public ingot::impl::RelaxProductsBase<RelaxProducts> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (!isa<MulNoNanOp, DivNoNanOp>(op) || !isPlain(op))
        return;
      OpBuilder builder(op);
      Value lhs = op->getOperand(0), rhs = op->getOperand(1);
      Value plain =
          isa<MulNoNanOp>(op)
              ? MulOp::create(builder, op->getLoc(), lhs, rhs).getResult()
              : DivOp::create(builder, op->getLoc(), lhs, rhs).getResult();
      op->getResult(0).replaceAllUsesWith(plain);
      op->erase();
    });
  }
};

} // namespace
