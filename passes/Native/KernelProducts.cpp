//===- KernelProducts.cpp - Products and factors of matrices in kernels ---===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "Fusion/Fusion.h"
#include "Lowering/Matrices.h"
#include "NativePasses.h"

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

namespace {
/// The loops of a product, and which of them is along each axis of an operand.
struct ProductLoops {
  enum Place { First, Middle, Last };

  SmallVector<Loop> nest;
  Position inLeft, inRight;

  /// \param sums where the sums are among the rows and the columns.
  ProductLoops(DotGeneralOp op, Place sums)
      : inLeft(typeOf(op.getLhs()).getRank()),
        inRight(typeOf(op.getRhs()).getRank()) {
    addPairs(op.getLhs(), op.getLhsBatching(), op.getRhsBatching(), false);
    SmallVector<int64_t> left(op.getLhsContracting()),
        right(op.getRhsContracting());
    sortPairs(left, right);
    auto addSums = [&](Place place) {
      if (place == sums)
        addPairs(op.getLhs(), left, right, true);
    };
    addSums(First);
    addFree(op.getLhs(), inLeft, op.getLhsBatching(), op.getLhsContracting());
    addSums(Middle);
    addFree(op.getRhs(), inRight, op.getRhsBatching(), op.getRhsContracting());
    addSums(Last);
  }

private:
  int64_t add(int64_t size, bool isReduced) {
    nest.push_back({size, isReduced});
    return size == 1 ? -1 : static_cast<int64_t>(nest.size()) - 1;
  }

  void addPairs(Value lhs, ArrayRef<int64_t> left, ArrayRef<int64_t> right,
                bool isReduced) {
    for (auto [i, j] : llvm::zip_equal(left, right))
      inLeft[i].loop = inRight[j].loop = add(shapeOf(lhs)[i], isReduced);
  }

  void addFree(Value operand, Position &position, ArrayRef<int64_t> batch,
               ArrayRef<int64_t> sums) {
    for (auto [axis, size] : llvm::enumerate(shapeOf(operand)))
      if (!llvm::is_contained(batch, axis) && !llvm::is_contained(sums, axis))
        position[axis].loop = add(size, false);
  }
};
} // namespace

/// Innermost is the sum, or the rows or columns of an operand, whichever reads
/// the larger operand in the order of its memory.
Value KernelBody::contract(DotGeneralOp op) {
  if (isLibraryProduct(op))
    return callLibrary(op);
  Scalars scalars = scalarsAt();
  bool hasColumns =
      freeCount(op.getRhs(), op.getRhsBatching(), op.getRhsContracting()) > 1;
  bool sumsLast =
      !op.getLhsContracting().empty() &&
      (hasColumns ? isContiguous(op.getRhs(), op.getRhsContracting().back())
                  : isContiguous(op.getLhs(), op.getLhsContracting().back()));
  auto [nest, inLeft, inRight] =
      ProductLoops(op, sumsLast     ? ProductLoops::Last
                       : hasColumns ? ProductLoops::Middle
                                    : ProductLoops::First);
  limit(op, nest, inLeft);
  bool one = isScalar(op.getType());
  return loopsAt(scalars).reduce(
      nest, op.getType(), one ? Value() : empty(op.getResult()),
      ReduceKind::Add,
      [&, &inLeft = inLeft, &inRight = inRight](Elements &elements) {
        Value x = elements.at(op.getLhs(), inLeft),
              y = elements.at(op.getRhs(), inRight);
        Value found =
            scalars.combine(ReduceKind::Mul, elementOf(op.getLhs()), x, y);
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

/// `call-numpy` makes a call of it.
Value KernelBody::callLibrary(DotGeneralOp op) {
  ProductLoops loops(op, ProductLoops::Last);
  // Loops over axes of size 1 are left out.
  SmallVector<utils::IteratorType> kinds;
  SmallVector<AffineExpr> dims(loops.nest.size()), ofResult;
  for (auto [loop, dim] : llvm::zip_equal(loops.nest, dims)) {
    if (loop.size == 1)
      continue;
    dim = b.getAffineDimExpr(kinds.size());
    kinds.push_back(loop.isReduced ? utils::IteratorType::reduction
                                   : utils::IteratorType::parallel);
    if (!loop.isReduced)
      ofResult.push_back(dim);
  }
  auto mapOf = [&](ArrayRef<AffineExpr> axes) {
    return AffineMap::get(kinds.size(), 0, axes, b.getContext());
  };
  auto mapAt = [&](const Position &position) {
    SmallVector<AffineExpr> axes;
    for (const AxisIndex &index : position)
      if (index.loop >= 0)
        axes.push_back(dims[index.loop]);
    return mapOf(axes);
  };
  Value operands[] = {operandOfCall(op.getLhs()), operandOfCall(op.getRhs())},
        result = empty(op.getResult());
  Type element = op.getType().getElementType();
  auto call = linalg::GenericOp::create(
      b, *location, result.getType(), operands, result,
      {mapAt(loops.inLeft), mapAt(loops.inRight), mapOf(ofResult)}, kinds,
      /*doc=*/"", multiplyCall,
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
