//===- PlainProducts.cpp - Products without a rule for zeros --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainProducts.h"
#include "Ingot/Values.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ingot;

std::optional<APFloat> ingot::numberBehindNegations(Value value) {
  auto negative = value.getDefiningOp<NegOp>();
  if (!negative)
    return floatOf(value);
  std::optional<APFloat> number = numberBehindNegations(negative.getOperand());
  return number ? std::optional(neg(*number)) : std::nullopt;
}

Value ingot::plainProduct(MulNoNanOp op) {
  OpBuilder builder(op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  std::optional<APFloat> number = numberBehindNegations(lhs);
  bool isRhs = number && rhs.getType() == op.getType();
  if (isRhs && number->isExactlyValue(1))
    return rhs;
  if (isRhs && number->isExactlyValue(-1))
    return NegOp::create(builder, op.getLoc(), rhs);
  return MulOp::create(builder, op.getLoc(), lhs, rhs);
}
