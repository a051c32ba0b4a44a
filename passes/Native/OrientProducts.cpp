//===- OrientProducts.cpp - Operands of products as matrices --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Fusion/Fusion.h"
#include "Lowering/Matrices.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_ORIENTPRODUCTS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

static void orient(DotGeneralOp op) {
  OpBuilder builder(op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  SmallVector<int64_t> leftBatch(op.getLhsBatching()),
      rightBatch(op.getRhsBatching()), leftSums(op.getLhsContracting()),
      rightSums(op.getRhsContracting());
  takeMatrices(builder, lhs, leftBatch, leftSums);
  takeMatrices(builder, rhs, rightBatch, rightSums);
  if (lhs == op.getLhs() && rhs == op.getRhs())
    return;
  Value made =
      DotGeneralOp::create(builder, op.getLoc(), lhs, rhs, leftBatch,
                           rightBatch, leftSums, rightSums, false, false);
  // Axes of size 1 may be elsewhere.
  if (made.getType() != op.getType())
    made = ReshapeOp::create(builder, op.getLoc(), op.getType(), made);
  op.replaceAllUsesWith(made);
  op.erase();
}

namespace {
struct OrientProducts : ingot::impl::OrientProductsBase<OrientProducts> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> products;
    getOperation().walk([&](DotGeneralOp op) {
      if (isLibraryProduct(op))
        products.push_back(op);
    });
    for (DotGeneralOp op : products)
      orient(op);
  }
};
} // namespace
