//===- KernelProducts.cpp - Products of matrices in kernels ---------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "Fusion/Fusion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ingot;

/// Whether a value is computed before an operation.
static bool isDefinedBefore(Value value, Operation *op) {
  Operation *source = value.getDefiningOp();
  if (!source)
    return value.getParentRegion()->isAncestor(op->getParentRegion());
  Operation *place = source->getBlock()->findAncestorOpInBlock(*op);
  return place && source->isBeforeInBlock(place);
}

/// Whether elements along an axis follow each other in memory.
static bool isContiguous(Value value, int64_t axis) {
  while (auto transpose = value.getDefiningOp<TransposeOp>()) {
    axis = transpose.getAxes()[axis];
    value = transpose.getOperand();
  }
  SmallVector<int64_t> wide = wideAxes(typeOf(value));
  return !wide.empty() && wide.back() == axis;
}

/// The loops of a product. Innermost is the sum, or the rows or columns of an
/// operand, whichever reads the larger operand in the order of its memory.
Value KernelBody::contract(DotGeneralOp op) {
  if (isLibraryProduct(op))
    return callLibrary(op);
  Scalars scalars = scalarsAt();
  RankedTensorType left = op.getLhs().getType(), right = op.getRhs().getType();
  Position inLeft(left.getRank()), inRight(right.getRank());
  SmallVector<Loop> nest;
  auto addLoop = [&](int64_t size, bool isReduced) {
    nest.push_back({size, isReduced});
    return size == 1 ? -1 : static_cast<int64_t>(nest.size()) - 1;
  };
  auto addFree = [&](RankedTensorType type, Position &position,
                     ArrayRef<int64_t> batch, ArrayRef<int64_t> sums) {
    for (int64_t axis : llvm::seq(type.getRank()))
      if (!llvm::is_contained(batch, axis) && !llvm::is_contained(sums, axis))
        position[axis].loop = addLoop(type.getDimSize(axis), false);
  };
  auto addSums = [&]() {
    for (auto [i, j] :
         llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting()))
      inLeft[i].loop = inRight[j].loop = addLoop(left.getDimSize(i), true);
  };
  for (auto [i, j] : llvm::zip_equal(op.getLhsBatching(), op.getRhsBatching()))
    inLeft[i].loop = inRight[j].loop = addLoop(left.getDimSize(i), false);
  bool hasColumns =
      freeCount(op.getRhs(), op.getRhsBatching(), op.getRhsContracting()) > 1;
  bool hasSums = !op.getLhsContracting().empty();
  bool sumsLast =
      hasSums &&
      (hasColumns ? isContiguous(op.getRhs(), op.getRhsContracting().back())
                  : isContiguous(op.getLhs(), op.getLhsContracting().back()));
  if (!sumsLast && !hasColumns)
    addSums();
  addFree(left, inLeft, op.getLhsBatching(), op.getLhsContracting());
  if (!sumsLast && hasColumns)
    addSums();
  addFree(right, inRight, op.getRhsBatching(), op.getRhsContracting());
  if (sumsLast)
    addSums();
  limit(op, nest, inLeft);
  bool one = isScalar(op.getType());
  return loopsAt(scalars).reduce(
      nest, op.getType(), one ? Value() : empty(op.getResult()),
      ReduceKind::Add, [&](Elements &elements) {
        Value x = elements.at(op.getLhs(), inLeft),
              y = elements.at(op.getRhs(), inRight);
        Value found =
            scalars.combine(ReduceKind::Mul, left.getElementType(), x, y);
        if (op.getLhsZeros())
          found = scalars.unlessZero(x, found);
        return op.getRhsZeros() ? scalars.unlessZero(y, found) : found;
      });
}

void KernelBody::limit(DotGeneralOp op, MutableArrayRef<Loop> nest,
                       const Position &inLeft) {
  // What is zero in both operands adds nothing.
  for (auto [i, j] :
       llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting())) {
    for (Limit limit : limitsWithin(op.getLhs())) {
      Limit other = limit;
      other.axis = j;
      if (limit.axis == i && inLeft[i].loop >= 0 &&
          valueOutside(op.getLhs(), limit) == 0.0 &&
          (op.getLhsZeros() || valueOutside(op.getRhs(), other) == 0.0))
        apply(limit, nest[inLeft[i].loop]);
    }
  }
  // The loops over the result, in the order of its axes.
  SmallVector<Loop *> axes;
  for (Loop &loop : nest)
    if (!loop.isReduced)
      axes.push_back(&loop);
  for (const Limit &limit : limitsOfUses(op.getResult()))
    if (isDefinedBefore(limit.bound, op))
      apply(limit, *axes[limit.axis]);
}

/// An operand of a call in memory where axes of one role are adjacent: not a
/// part of an array, as it may also be in a branch.
Value KernelBody::operandOfCall(Value operand) {
  Value found = values.lookup(operand);
  Operation *source = found.getDefiningOp();
  return isa_and_nonnull<tensor::ExtractSliceOp, scf::IfOp>(source)
             ? copyOf(found)
             : found;
}

/// `call-products` makes a call of it.
Value KernelBody::callLibrary(DotGeneralOp op) {
  using utils::IteratorType;
  MLIRContext *context = b.getContext();
  RankedTensorType left = op.getLhs().getType(), right = op.getRhs().getType();
  SmallVector<IteratorType> kinds;
  // The loop along each axis, or -1.
  SmallVector<int64_t> ofLeft(left.getRank(), -1), ofRight(right.getRank(), -1),
      ofResult;
  auto addLoop = [&](int64_t size, IteratorType kind) -> int64_t {
    if (size == 1)
      return -1;
    int64_t loop = kinds.size();
    kinds.push_back(kind);
    if (kind == IteratorType::parallel)
      ofResult.push_back(loop);
    return loop;
  };
  auto addFree = [&](RankedTensorType type, SmallVector<int64_t> &loops,
                     ArrayRef<int64_t> batch, ArrayRef<int64_t> sums) {
    for (int64_t axis : llvm::seq(type.getRank()))
      if (!llvm::is_contained(batch, axis) && !llvm::is_contained(sums, axis))
        loops[axis] = addLoop(type.getDimSize(axis), IteratorType::parallel);
  };
  for (auto [i, j] : llvm::zip_equal(op.getLhsBatching(), op.getRhsBatching()))
    ofLeft[i] = ofRight[j] =
        addLoop(left.getDimSize(i), IteratorType::parallel);
  addFree(left, ofLeft, op.getLhsBatching(), op.getLhsContracting());
  addFree(right, ofRight, op.getRhsBatching(), op.getRhsContracting());
  for (auto [i, j] :
       llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting()))
    ofLeft[i] = ofRight[j] =
        addLoop(left.getDimSize(i), IteratorType::reduction);

  auto mapOf = [&](ArrayRef<int64_t> loops) {
    SmallVector<AffineExpr> axes;
    for (int64_t loop : loops)
      if (loop >= 0)
        axes.push_back(getAffineDimExpr(loop, context));
    return AffineMap::get(kinds.size(), 0, axes, context);
  };
  Value operands[] = {operandOfCall(op.getLhs()), operandOfCall(op.getRhs())},
        result = empty(op.getResult());
  Type element = op.getType().getElementType();
  auto call = linalg::GenericOp::create(
      b, *location, result.getType(), operands, result,
      {mapOf(ofLeft), mapOf(ofRight), mapOf(ofResult)}, kinds, /*doc=*/"",
      /*libraryCall=*/"ingot_multiply",
      [&](OpBuilder &builder, mlir::Location here, ValueRange arguments) {
        Scalars scalars(builder, here, isStrict);
        Value product = scalars.combine(ReduceKind::Mul, element, arguments[0],
                                        arguments[1]);
        linalg::YieldOp::create(
            builder, here,
            scalars.combine(ReduceKind::Add, element, arguments[2], product));
      });
  return call.getResult(0);
}
