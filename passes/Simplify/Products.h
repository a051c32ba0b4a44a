//===- Products.h - Products of matrices and vectors in loops ---*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a product multiplies, for passes that change that; and which products of
// a loop are worth one product of matrices for all of its iterations: those
// that compute little with each element that they read or write.
// `distribute-loops` and `raise-products` must agree on that.
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_SIMPLIFY_PRODUCTS_H
#define INGOT_PASSES_SIMPLIFY_PRODUCTS_H

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {

/// What a `dot_general` multiplies: one entry for each operand.
struct Product {
  mlir::Value operands[2];
  llvm::SmallVector<int64_t> batching[2], contracting[2];
  bool zeros[2];

  explicit Product(DotGeneralOp op)
      : operands{op.getLhs(), op.getRhs()},
        batching{llvm::to_vector(op.getLhsBatching()),
                 llvm::to_vector(op.getRhsBatching())},
        contracting{llvm::to_vector(op.getLhsContracting()),
                    llvm::to_vector(op.getRhsContracting())},
        zeros{op.getLhsZeros(), op.getRhsZeros()} {}

  void swap() {
    std::swap(operands[0], operands[1]);
    std::swap(batching[0], batching[1]);
    std::swap(contracting[0], contracting[1]);
    std::swap(zeros[0], zeros[1]);
  }
  DotGeneralOp create(mlir::OpBuilder &builder, mlir::Location location) const {
    return DotGeneralOp::create(builder, location, operands[0], operands[1],
                                batching[0], batching[1], contracting[0],
                                contracting[1], zeros[0], zeros[1]);
  }
  bool isFree(unsigned i, int64_t axis) const {
    return !llvm::is_contained(batching[i], axis) &&
           !llvm::is_contained(contracting[i], axis);
  }
  /// The free axes of an operand, in the order of the result.
  llvm::SmallVector<int64_t> freeAxes(unsigned i) const {
    return llvm::filter_to_vector(
        llvm::seq<int64_t>(typeOf(operands[i]).getRank()),
        [&](int64_t axis) { return isFree(i, axis); });
  }
  /// The axis of the result that an axis of an operand becomes.
  int64_t axisOfResult(unsigned i, int64_t axis) const {
    int64_t found = batching[0].size();
    for (unsigned of = 0; of <= i; ++of) {
      int64_t end = of == i ? axis : typeOf(operands[of]).getRank();
      for (int64_t each = 0; each < end; ++each)
        found += isFree(of, each);
    }
    return found;
  }
};

/// Whether an element type is a float, or complex, of which sums are as precise
/// in any order.
inline bool isPrecise(mlir::Type element) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element))
    element = complex.getElementType();
  auto number = mlir::dyn_cast<mlir::FloatType>(element);
  return number && number.getWidth() >= 32;
}

/// The number of terms of each sum of a product.
inline int64_t termsOf(DotGeneralOp op) {
  int64_t terms = 1;
  for (int64_t axis : op.getLhsContracting())
    terms *= shapeOf(op.getLhs())[axis];
  return terms;
}

/// The axes that two shapes have in common if one is the other with more axes
/// of size 1: for each axis of `to` that of `from`, or -1 for one of size 1.
inline std::optional<llvm::SmallVector<int64_t>>
sameAxes(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  llvm::SmallVector<int64_t> axes;
  size_t next = 0;
  auto skip = [&] {
    while (next < from.size() && from[next] == 1)
      ++next;
  };
  for (int64_t size : to) {
    skip();
    if (size != 1 && (next == from.size() || from[next] != size))
      return std::nullopt;
    axes.push_back(size == 1 ? -1 : next++);
  }
  skip();
  return next == from.size() ? std::optional(axes) : std::nullopt;
}

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
  return termsOf(op) <= 32 && typeOf(op.getResult()).getNumElements() >= 1024;
}

} // namespace ingot

#endif // INGOT_PASSES_SIMPLIFY_PRODUCTS_H
