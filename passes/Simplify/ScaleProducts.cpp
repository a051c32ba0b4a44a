//===- ScaleProducts.cpp - Scale the result of a matrix product -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace ingot {
#define GEN_PASS_DEF_SCALEPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
/// A multiplication or division of an array by a number.
struct Scaled {
  Operation *op;
  Value array, number;
};
} // namespace

/// Matches a scaled array with one use.
static std::optional<Scaled> scaledArray(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<MulOp, DivOp>(op) || !op->hasOneUse())
    return std::nullopt;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isa<MulOp>(op) && typeOf(lhs).getRank() == 0)
    std::swap(lhs, rhs);
  if (typeOf(lhs) != typeOf(value) || typeOf(rhs).getRank() != 0)
    return std::nullopt;
  return Scaled{op, lhs, rhs};
}

/// Pattern: dot_general(a * s, b) -> dot_general(a, b) * s
/// Pattern: dot_general(a / s, b) -> dot_general(a, b) / s
static void scaleResult(DotGeneralOp op) {
  RankedTensorType type = op.getType();
  if (!isa<FloatType>(type.getElementType()) || op.getLhsZeros() ||
      op.getRhsZeros())
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value last = op.getResult();
  for (OpOperand &operand : op->getOpOperands())
    while (auto scaled = scaledArray(operand.get())) {
      if (typeOf(scaled->array).getNumElements() < type.getNumElements())
        break;
      operand.set(scaled->array);
      Operation *result = builder.clone(*scaled->op);
      result->getResult(0).setType(type);
      last.replaceAllUsesWith(result->getResult(0));
      result->setOperands({last, scaled->number});
      last = result->getResult(0);
      scaled->op->erase();
    }
}

namespace {
struct ScaleProducts : public ingot::impl::ScaleProductsBase<ScaleProducts> {
  void runOnOperation() override { getOperation().walk(scaleResult); }
};
} // namespace
