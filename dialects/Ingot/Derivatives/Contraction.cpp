//===- Contraction.cpp - The derivative of matrix products ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

/// The axes of an operand that are neither batching nor contracting.
static SmallVector<int64_t> freeAxes(int64_t rank, ArrayRef<int64_t> batching,
                                     ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(batching, axis) &&
        !llvm::is_contained(contracting, axis))
      axes.push_back(axis);
  return axes;
}

/// The cotangent of one operand: the cotangent of the result contracted with
/// the other operand over the free axes of that.
static Value adjoint(DotGeneralOp op, OpBuilder &builder, Value cotangent,
                     bool isLhs) {
  Value other = isLhs ? op.getRhs() : op.getLhs();
  ArrayRef<int64_t> mine = isLhs ? op.getLhsBatching() : op.getRhsBatching();
  ArrayRef<int64_t> theirs = isLhs ? op.getRhsBatching() : op.getLhsBatching();
  ArrayRef<int64_t> myPairs =
      isLhs ? op.getLhsContracting() : op.getRhsContracting();
  ArrayRef<int64_t> theirPairs =
      isLhs ? op.getRhsContracting() : op.getLhsContracting();
  auto rankOf = [](Value value) { return typeOf(value).getRank(); };
  int64_t rank = rankOf(isLhs ? op.getLhs() : op.getRhs());
  SmallVector<int64_t> myFree = freeAxes(rank, mine, myPairs);
  SmallVector<int64_t> theirFree = freeAxes(rankOf(other), theirs, theirPairs);

  // The result's axes: batching, free of lhs, free of rhs.
  int64_t batching = mine.size(),
          first = batching + (isLhs ? myFree.size() : 0);
  auto batches = llvm::to_vector(llvm::seq<int64_t>(0, batching));
  auto contracted =
      llvm::to_vector(llvm::seq<int64_t>(first, first + theirFree.size()));
  // A zero of the cotangent makes products zero, and so does a zero of the
  // other operand if it did in `op`.
  bool rhsZeros = isLhs ? op.getRhsZeros() : op.getLhsZeros();
  Value product = DotGeneralOp::create(builder, op.getLoc(), cotangent, other,
                                       batches, theirs, contracted, theirFree,
                                       /*lhs_zeros=*/true, rhsZeros);

  // The axes of the product: batching, my free axes, then the contracting axes
  // of the other operand in its order. The transpose puts them in the order of
  // the operand.
  SmallVector<int64_t> positions(mine);
  llvm::append_range(positions, myFree);
  auto order = llvm::to_vector(llvm::seq<size_t>(0, theirPairs.size()));
  llvm::sort(order,
             [&](size_t a, size_t b) { return theirPairs[a] < theirPairs[b]; });
  for (size_t i : order)
    positions.push_back(myPairs[i]);
  SmallVector<int64_t> axes(rank);
  for (auto [i, position] : llvm::enumerate(positions))
    axes[position] = i;
  return TransposeOp::create(builder, op.getLoc(), product, axes);
}

LogicalResult DotGeneralOp::buildTangents(OpBuilder &builder,
                                          ArrayRef<Value> tangents,
                                          ValueList &results) {
  Value sum;
  for (unsigned i : {0u, 1u}) {
    if (!tangents[i])
      continue;
    auto part = cast<DotGeneralOp>(builder.clone(*getOperation()));
    part->setOperand(i, tangents[i]);
    i == 0 ? part.setLhsZeros(true) : part.setRhsZeros(true);
    sum = accumulated(builder, getLoc(), sum, part);
  }
  results.push_back(sum);
  return success();
}

LogicalResult DotGeneralOp::buildAdjoints(OpBuilder &builder,
                                          ArrayRef<Value> cotangents,
                                          ValueList &results) {
  results.push_back(adjoint(*this, builder, cotangents[0], true));
  results.push_back(adjoint(*this, builder, cotangents[0], false));
  return success();
}
