//===- AbsorbNegations.cpp - Subtract instead of adding negatives ---------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Erasure.h"
#include "Passes.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_ABSORBNEGATIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The array of which a value is the negative. Negatives that a loop takes from
/// outside are computed once, so they stay.
static Value negated(Value value, Operation *user) {
  auto op = value.getDefiningOp<NegOp>();
  return op && op->getBlock() == user->getBlock() ? op.getOperand() : Value();
}

/// Makes the negative of a constant whose elements are one float.
static Value negativeConstant(OpBuilder &builder, Value value) {
  auto number = floatOf(value);
  if (!number)
    return {};
  return constantOf(builder, value.getLoc(),
                    FloatAttr::get(elementOf(value), neg(*number)),
                    shapeOf(value));
}

/// The array whose negative `user` adds or subtracts. It is made from a pad of
/// a negative.
/// Pattern: pad(-x, k) -> -pad(x, -k)
static Value negatedTerm(OpBuilder &builder, Value value, Operation *user) {
  if (Value found = negated(value, user))
    return found;
  auto pad = value.getDefiningOp<PadOp>();
  Value operand = pad ? negatedTerm(builder, pad.getOperand(), user) : Value();
  Value padding = operand ? negativeConstant(builder, pad.getValue()) : Value();
  if (!padding)
    return {};
  return PadOp::create(builder, pad.getLoc(), operand, padding, pad.getLow(),
                       pad.getHigh(), pad.getInterior());
}

/// Pattern: a + -b -> a - b
/// Pattern: -a + b -> b - a
/// Pattern: a - -b -> a + b
static Operation *withoutNegative(Operation *op) {
  if (!isa<AddOp, SubOp>(op))
    return nullptr;
  OpBuilder builder(op);
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (Value term = negatedTerm(builder, rhs, op)) {
    if (isa<SubOp>(op))
      return AddOp::create(builder, op->getLoc(), lhs, term);
    return SubOp::create(builder, op->getLoc(), lhs, term);
  }
  Value term = isa<AddOp>(op) ? negatedTerm(builder, lhs, op) : Value();
  return term ? SubOp::create(builder, op->getLoc(), rhs, term) : SubOp();
}

/// Pattern: select(p, -x, k) -> -select(p, x, -k)
static bool becomesNegative(SelectOp op) {
  Value sides[] = {op.getOnTrue(), op.getOnFalse()};
  if (!negated(sides[0], op) && !negated(sides[1], op))
    return false;
  OpBuilder builder(op);
  for (Value &side : sides) {
    Value found = negated(side, op);
    side = found ? found : negativeConstant(builder, side);
    if (!side)
      return false;
  }
  op->setOperands(1, 2, sides);
  return true;
}

/// Replaces operands such that the result becomes its negative. Returns whether
/// there are such operands.
/// Pattern: -x * y -> -(x * y)
/// Pattern: slice(-x) -> -slice(x)
static bool becomesNegative(Operation *op) {
  if (auto select = dyn_cast<SelectOp>(op))
    return becomesNegative(select);
  bool isProduct = isa<MulOp, DivOp, MulNoNanOp, DivNoNanOp>(op);
  if (!isProduct &&
      !isa<SliceOp, DynamicSliceOp, ReshapeOp, TransposeOp, FlipOp>(op))
    return false;
  bool isNegative = false;
  for (unsigned i = 0; i < (isProduct ? 2 : 1); ++i) {
    Value operand = negated(op->getOperand(i), op);
    if (!operand)
      continue;
    op->setOperand(i, operand);
    isNegative = !isNegative;
  }
  return isNegative;
}

static void absorb(Operation *op) {
  if (isa<NegOp>(op)) {
    if (Value value = negated(op->getOperand(0), op))
      op->getResult(0).replaceAllUsesWith(value);
    return;
  }
  if (Operation *made = withoutNegative(op)) {
    op->replaceAllUsesWith(made);
    absorb(made);
    return;
  }
  if (!becomesNegative(op))
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  Value made = NegOp::create(builder, op->getLoc(), result);
  result.replaceAllUsesExcept(made, made.getDefiningOp());
}

namespace {
struct AbsorbNegations : ingot::impl::AbsorbNegationsBase<AbsorbNegations> {
  void runOnOperation() override {
    // Operands come before their users, so that negations move on.
    SmallVector<Operation *> found;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<IngotDialect>(op->getDialect()) && op->getNumResults() == 1 &&
          op->getNumRegions() == 0 &&
          isa<FloatType>(elementOf(op->getResult(0))))
        found.push_back(op);
    });
    for (Operation *op : found)
      absorb(op);
    eraseDeadInside(getOperation());
  }
};
} // namespace
