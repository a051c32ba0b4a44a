//===- BroadcastProducts.cpp - Products without sums are elementwise ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_BROADCASTPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// An operand with the axes of the result: first those along which both
/// operands have the same index, then `before` axes of size 1, its own, and
/// `after` axes of size 1.
static Value spread(OpBuilder &builder, Value operand, ArrayRef<int64_t> shared,
                    int64_t before, int64_t after) {
  mlir::Location location = operand.getLoc();
  SmallVector<int64_t> order(shared);
  for (int64_t axis = 0, rank = typeOf(operand).getRank(); axis < rank; ++axis)
    if (!llvm::is_contained(shared, axis))
      order.push_back(axis);
  if (!llvm::is_sorted(order))
    operand = TransposeOp::create(builder, location, operand, order);
  SmallVector<int64_t> shape(shapeOf(operand));
  shape.insert(shape.begin() + shared.size(), before, 1);
  shape.append(after, 1);
  RankedTensorType type = typeOf(operand).clone(shape);
  return type == operand.getType()
             ? operand
             : ReshapeOp::create(builder, location, type, operand).getResult();
}

static void rewrite(DotGeneralOp op) {
  OpBuilder builder(op);
  int64_t batch = op.getLhsBatching().size();
  int64_t rows = shapeOf(op.getLhs()).size() - batch,
          columns = shapeOf(op.getRhs()).size() - batch;
  Value lhs = spread(builder, op.getLhs(), op.getLhsBatching(), 0, columns),
        rhs = spread(builder, op.getRhs(), op.getRhsBatching(), rows, 0);
  bool isFloat = !isa<IntegerType>(elementOf(lhs));
  if (op.getRhsZeros() && !op.getLhsZeros())
    std::swap(lhs, rhs);
  Value made;
  if (isFloat && (op.getLhsZeros() || op.getRhsZeros()))
    made = MulNoNanOp::create(builder, op.getLoc(), lhs, rhs,
                              op.getLhsZeros() && op.getRhsZeros());
  else
    made = MulOp::create(builder, op.getLoc(), lhs, rhs);
  op.replaceAllUsesWith(made);
  op.erase();
}

namespace {
struct BroadcastProducts
    : public ingot::impl::BroadcastProductsBase<BroadcastProducts> {
  void runOnOperation() override {
    getOperation().walk([](DotGeneralOp op) {
      if (op.getLhsContracting().empty())
        rewrite(op);
    });
  }
};
} // namespace
