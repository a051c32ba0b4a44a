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
  auto [operands, batching, contracting, matrices] = MatrixProduct(builder, op);
  if (operands[0] == op.getLhs() && operands[1] == op.getRhs())
    return;
  Value made = DotGeneralOp::create(
      builder, op.getLoc(), operands[0], operands[1], batching[0], batching[1],
      contracting[0], contracting[1], false, false);
  // Axes of size 1 may be elsewhere.
  if (made.getType() != op.getType())
    made = ReshapeOp::create(builder, op.getLoc(), op.getType(), made);
  op.replaceAllUsesWith(made);
  op.erase();
}

/// From so many elements on, threads share the work of a product of vectors.
static constexpr int64_t manyElements = 1 << 17;

/// Whether a product is of two long vectors.
static bool isOfVectors(DotGeneralOp op) {
  return op.getType().getRank() == 0 && typeOf(op.getLhs()).getRank() == 1 &&
         shapeOf(op.getLhs())[0] >= manyElements && !op.getLhsZeros() &&
         !op.getRhsZeros();
}

/// Pattern: dot_general(x, y) of vectors -> reduce add(mul(x, y))
static void sumProducts(DotGeneralOp op) {
  OpBuilder builder(op);
  Value terms = MulOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs());
  Value made = ReduceOp::create(builder, op.getLoc(), ReduceKind::Add, terms,
                                ArrayRef<int64_t>{0});
  op.replaceAllUsesWith(made);
  op.erase();
}

namespace {
struct OrientProducts : ingot::impl::OrientProductsBase<OrientProducts> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> products, ofVectors;
    bool isStrict = getOperation()->hasAttr("ingot.strict");
    getOperation().walk([&](DotGeneralOp op) {
      if (isLibraryProduct(op))
        products.push_back(op);
      else if (!isStrict && isOfVectors(op))
        ofVectors.push_back(op);
    });
    for (DotGeneralOp op : ofVectors)
      sumProducts(op);
    for (DotGeneralOp op : products)
      orient(op);
  }
};
} // namespace
