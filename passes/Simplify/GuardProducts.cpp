//===- GuardProducts.cpp - Plain products of finite operands --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion/Fusion.h"
#include "Simplify/Finite.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_GUARDPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// Whether surely no zero was multiplied by an infinite or NaN element. Checks
/// either the result, which would not be finite, or the operands that could
/// have caused it, whichever is smaller.
static Value isHarmless(OpBuilder &builder, DotGeneralOp op, Value plain) {
  mlir::Location location = op.getLoc();
  SmallVector<Value> causes;
  if (op.getLhsZeros())
    causes.push_back(op.getRhs());
  if (op.getRhsZeros())
    causes.push_back(op.getLhs());
  int64_t size = 0;
  for (Value cause : causes)
    size += typeOf(cause).getNumElements();
  if (size >= op.getType().getNumElements())
    return allFinite(builder, location, plain);
  Value found = allFinite(builder, location, causes.front());
  if (causes.size() == 2)
    found = AndOp::create(builder, location, found,
                          allFinite(builder, location, causes[1]));
  return found;
}

static void guard(DotGeneralOp op) {
  OpBuilder builder(op);
  auto plain = cast<DotGeneralOp>(builder.clone(*op));
  plain.setLhsZeros(false);
  plain.setRhsZeros(false);
  takeWhere(builder, isHarmless(builder, op, plain), plain, op);
}

namespace {
struct GuardProducts : public ingot::impl::GuardProductsBase<GuardProducts> {
  using GuardProductsBase::GuardProductsBase;

  void runOnOperation() override {
    SmallVector<DotGeneralOp> products;
    getOperation().walk([&](DotGeneralOp op) {
      bool isFloat = !isa<IntegerType>(elementOf(op.getResult()));
      if (isFloat && (op.getLhsZeros() || op.getRhsZeros()) &&
          !(large && isSmallProduct(op)))
        products.push_back(op);
    });
    for (DotGeneralOp op : products)
      guard(op);
  }
};
} // namespace
