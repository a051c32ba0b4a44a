//===- ExpandProducts.cpp - Short sums of products, term by term ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Simplify/Products.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDPRODUCTS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The most terms of a sum that is written out.
static constexpr int64_t mostTerms = 4;

/// From so many sums on, those of a product are worth code of their own.
static constexpr int64_t fewSums = 32;

static bool isExpanded(DotGeneralOp op) {
  int64_t terms = termsOf(op);
  return terms > 0 && terms <= mostTerms &&
         op.getType().getNumElements() >= fewSums &&
         !elementOf(op.getResult()).isInteger(1);
}

/// The elements of an operand that are in term `term` of each sum, along the
/// axes of the result.
static Value factorOf(OpBuilder &builder, DotGeneralOp op, unsigned i,
                      int64_t term) {
  mlir::Location location = op.getLoc();
  Product product(op);
  Value operand = product.operands[i];
  SmallVector<int64_t> starts(typeOf(operand).getRank(), 0),
      sizes(shapeOf(operand)), ones(sizes.size(), 1);
  for (int64_t axis : llvm::reverse(product.contracting[i])) {
    starts[axis] = term % sizes[axis];
    term /= sizes[axis];
    sizes[axis] = 1;
  }
  Value part = SliceOp::create(builder, location, operand, starts, sizes, ones);

  // First the batching axes, in the order of both operands. The contracting
  // ones have one element by now, so these may be anywhere.
  SmallVector<int64_t> axes(product.batching[i]), free(product.freeAxes(i));
  llvm::append_range(axes, free);
  if (!llvm::is_sorted(axes)) {
    llvm::append_range(axes, product.contracting[i]);
    part = TransposeOp::create(builder, location, part, axes);
  }
  SmallVector<int64_t> shape(op.getType().getRank(), 1);
  for (auto [at, axis] : llvm::enumerate(product.batching[i]))
    shape[at] = sizes[axis];
  for (int64_t axis : free)
    shape[product.axisOfResult(i, axis)] = sizes[axis];
  auto type = RankedTensorType::get(shape, elementOf(operand));
  return ReshapeOp::create(builder, location, type, part);
}

static Value termOf(OpBuilder &builder, DotGeneralOp op, int64_t term) {
  mlir::Location location = op.getLoc();
  Value x = factorOf(builder, op, 0, term), y = factorOf(builder, op, 1, term);
  bool isLeft = op.getLhsZeros(), isRight = op.getRhsZeros();
  if (!isLeft && !isRight)
    return MulOp::create(builder, location, x, y);
  return MulNoNanOp::create(builder, location, isLeft ? x : y, isLeft ? y : x,
                            isLeft && isRight);
}

/// Pattern: dot_general(x, y) -> x[:, 0] * y[0, :] + x[:, 1] * y[1, :] + ...
static void expand(DotGeneralOp op) {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  Value sum = termOf(builder, op, 0);
  if (!isa<IntegerType>(elementOf(sum))) {
    // A sum begins with 0, so it is never -0. What adds 0 would be compared.
    auto scalar = RankedTensorType::get({}, elementOf(sum));
    Value zero =
        NegOp::create(builder, location, zerosOf(builder, location, scalar));
    sum = SubOp::create(builder, location, sum, zero);
  }
  for (int64_t term = 1, end = termsOf(op); term < end; ++term)
    sum = AddOp::create(builder, location, sum, termOf(builder, op, term));
  op.replaceAllUsesWith(sum);
  op.erase();
}

namespace {
struct ExpandProducts : ingot::impl::ExpandProductsBase<ExpandProducts> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> products;
    getOperation().walk([&](DotGeneralOp op) {
      if (isExpanded(op))
        products.push_back(op);
    });
    for (DotGeneralOp op : products)
      expand(op);
  }
};
} // namespace
