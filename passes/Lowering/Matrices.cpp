//===- Matrices.cpp - Operands of products as matrices --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matrices.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace ingot;

bool Matrices::isDense() const {
  return free.size == 1 || contracting.size == 1 || free.stride == 1 ||
         contracting.stride == 1;
}

std::optional<Extent> ingot::merged(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> strides,
                                    ArrayRef<int64_t> axes) {
  Extent found;
  for (int64_t axis : llvm::reverse(axes)) {
    int64_t size = shape[axis];
    if (size == 1)
      continue;
    if (found.size == 1)
      found.stride = strides[axis];
    else if (strides[axis] != found.stride * found.size)
      return std::nullopt;
    found.size *= size;
  }
  return found;
}

static SmallVector<int64_t> axesBesides(int64_t rank, ArrayRef<int64_t> first,
                                        ArrayRef<int64_t> second) {
  SmallVector<int64_t> rest;
  for (int64_t axis : llvm::seq(rank))
    if (!llvm::is_contained(first, axis) && !llvm::is_contained(second, axis))
      rest.push_back(axis);
  return rest;
}

static std::optional<Matrices> matricesOf(RankedTensorType type,
                                          ArrayRef<int64_t> batching,
                                          ArrayRef<int64_t> free,
                                          ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t axis = type.getRank() - 1; axis > 0; --axis)
    strides[axis - 1] = strides[axis] * type.getDimSize(axis);
  auto items = merged(type.getShape(), strides, batching),
       rows = merged(type.getShape(), strides, free),
       sums = merged(type.getShape(), strides, contracting);
  if (!items || !rows || !sums)
    return std::nullopt;
  Matrices found{*items, *rows, *sums};
  return found.isDense() ? std::optional(found) : std::nullopt;
}

/// Replaces a transposed operand by what is transposed, and axes by its axes.
static void untranspose(Value &operand,
                        ArrayRef<SmallVector<int64_t> *> axesOfRoles) {
  while (auto transpose = operand.getDefiningOp<TransposeOp>()) {
    operand = transpose.getOperand();
    for (SmallVector<int64_t> *axes : axesOfRoles)
      for (int64_t &axis : *axes)
        axis = transpose.getAxes()[axis];
  }
}

void ingot::sortPairs(SmallVector<int64_t> &left, SmallVector<int64_t> &right) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [i, j] : llvm::zip_equal(left, right))
    pairs.emplace_back(i, j);
  llvm::sort(pairs);
  for (auto [pair, i, j] : llvm::zip_equal(pairs, left, right))
    std::tie(i, j) = pair;
}

/// The matrices of an operand, which is transposed if need be; then the axes
/// are those of the new operand.
static Matrices takeMatrices(OpBuilder &builder, Value &operand,
                             SmallVector<int64_t> &batch,
                             SmallVector<int64_t> &rows,
                             SmallVector<int64_t> &sums) {
  if (auto found = matricesOf(typeOf(operand), batch, rows, sums))
    return *found;
  SmallVector<int64_t> order;
  for (SmallVector<int64_t> *axes : {&batch, &rows, &sums})
    for (int64_t &axis : *axes) {
      order.push_back(axis);
      axis = order.size() - 1;
    }
  operand = TransposeOp::create(builder, operand.getLoc(), operand, order);
  return *matricesOf(typeOf(operand), batch, rows, sums);
}

MatrixProduct::MatrixProduct(OpBuilder &builder, DotGeneralOp op)
    : operands{op.getLhs(), op.getRhs()},
      batching{SmallVector<int64_t>(op.getLhsBatching()),
               SmallVector<int64_t>(op.getRhsBatching())},
      contracting{SmallVector<int64_t>(op.getLhsContracting()),
                  SmallVector<int64_t>(op.getRhsContracting())} {
  SmallVector<int64_t> free[2];
  for (int i : {0, 1}) {
    free[i] =
        axesBesides(typeOf(operands[i]).getRank(), batching[i], contracting[i]);
    untranspose(operands[i], {&batching[i], &free[i], &contracting[i]});
  }
  sortPairs(contracting[0], contracting[1]);
  for (int i : {0, 1})
    matrices[i] = takeMatrices(builder, operands[i], batching[i], free[i],
                               contracting[i]);
}

SmallVector<int64_t> ingot::matmulSizes(const Matrices &left,
                                        const Matrices &right) {
  return {left.batch.size, left.free.size, left.contracting.size,
          right.free.size};
}

SmallVector<int64_t> ingot::matmulSteps(const Matrices &left,
                                        const Matrices &right,
                                        const Matrices &result, int64_t bytes) {
  int64_t sums = left.contracting.size, columns = right.free.size;
  // The stride along an axis of size 1 is arbitrary; a dense one is faster.
  auto step = [](const Extent &extent, int64_t dense) {
    return extent.size == 1 ? dense : extent.stride;
  };
  SmallVector<int64_t> steps{
      left.batch.stride,          right.batch.stride,
      result.batch.stride,        step(left.free, sums),
      step(left.contracting, 1),  step(right.contracting, columns),
      step(right.free, 1),        step(result.free, columns),
      step(result.contracting, 1)};
  for (int64_t &each : steps)
    each *= bytes;
  return steps;
}
