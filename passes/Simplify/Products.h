//===- Products.h - Products of matrices and vectors in loops ---*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which products of a loop are worth one product of matrices for all of its
// iterations: those that compute little with each element that they read or
// write. `distribute-loops` and `raise-products` must agree on that.
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_SIMPLIFY_PRODUCTS_H
#define INGOT_PASSES_SIMPLIFY_PRODUCTS_H

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {

/// Whether products of a matrix with vectors, or few of them, are worth one
/// product. `matrix` is the operand that all iterations share: 0 or 1.
inline bool isWorthHoisting(DotGeneralOp op, unsigned matrix) {
  bool isLeft = matrix == 0;
  mlir::Value vectors = op->getOperand(1 - matrix);
  auto contracting = isLeft ? op.getRhsContracting() : op.getLhsContracting(),
       batching = isLeft ? op.getRhsBatching() : op.getLhsBatching();
  int64_t count = 1;
  for (auto [axis, size] : llvm::enumerate(shapeOf(vectors)))
    if (!llvm::is_contained(contracting, axis) &&
        !llvm::is_contained(batching, axis))
      count *= size;
  return !contracting.empty() && count <= 32 &&
         typeOf(op->getOperand(matrix)).getNumElements() >= 1024;
}

/// Whether products that all iterations add up are worth one product: each has
/// a large result of few products per element.
inline bool isWorthSumming(DotGeneralOp op) {
  int64_t products = 1;
  for (int64_t axis : op.getLhsContracting())
    products *= shapeOf(op.getLhs())[axis];
  return products <= 32 && typeOf(op.getResult()).getNumElements() >= 1024;
}

} // namespace ingot

#endif // INGOT_PASSES_SIMPLIFY_PRODUCTS_H
