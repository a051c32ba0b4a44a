//===- Reduction.cpp - Reductions, scans and sorts ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

namespace {

/// Sums of half-precision floats are made in f32, as NumPy does.
struct ReduceLowering : public OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    Type element = op.getType().getElementType();
    auto floating = dyn_cast<FloatType>(element);
    Value operand = op.getOperand();
    if (floating && floating.getWidth() < 32)
      operand = emitter.convert(operand, rewriter.getF32Type());
    Value result = emitter.reduce(op.getKind(), operand, op.getAxes());
    rewriter.replaceOp(op, emitter.convert(result, element));
    return success();
  }
};

/// Pattern: arg_reduce(x) -> min(select(x == m or x is NaN, i, n)), with m the
/// reduction of x, i the indices, n their number
struct ArgReduceLowering : public OpRewritePattern<ArgReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ArgReduceOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    Value x = op.getOperand();
    RankedTensorType type = tensorType(x);
    int64_t axis = op.getAxis();
    SmallVector<int64_t> kept;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (i != axis)
        kept.push_back(i);
    Value extremum = emitter.emit<stablehlo::BroadcastInDimOp>(
        type, emitter.reduce(op.getKind(), x, axis), kept);
    Value found = emitter.compare(ComparisonDirection::EQ, x, extremum);
    if (isa<FloatType>(type.getElementType()))
      found = emitter.emit<stablehlo::OrOp>(
          found, emitter.compare(ComparisonDirection::NE, x, x));
    RankedTensorType index = type.clone(rewriter.getI64Type());
    Value indices = emitter.emit<stablehlo::IotaOp>(
        index, rewriter.getI64IntegerAttr(axis));
    Value candidates = emitter.select(
        found, indices, emitter.splat(index, type.getDimSize(axis)));
    rewriter.replaceOp(op, emitter.reduce(ReduceKind::Min, candidates, axis));
    return success();
  }
};

/// Doubles the reach of each element's partial result until it covers the axis.
struct CumulativeLowering : public OpRewritePattern<CumulativeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CumulativeOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    RankedTensorType type = op.getType();
    int64_t axis = op.getAxis(), length = type.getDimSize(axis);
    Value identity =
        emitter.identity(op.getKind(), type.clone(ArrayRef<int64_t>()));
    SmallVector<int64_t> zeros(type.getRank(), 0), ones(type.getRank(), 1);
    Value value = op.getOperand();
    for (int64_t reach = 1; reach < length; reach *= 2) {
      SmallVector<int64_t> sizes(type.getShape()), low(zeros);
      sizes[axis] = length - reach;
      low[axis] = reach;
      Value head = emitter.slice(value, zeros, sizes, ones);
      Value shifted = emitter.pad(head, identity, low, zeros, zeros);
      value = emitter.combine(op.getKind(), shifted, value);
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Whether the key `a` comes before `b`, and whether they are equal; NaN is
/// equal to NaN and comes last.
std::pair<Value, Value> order(Emitter &emitter, Value a, Value b) {
  Value less = emitter.compare(ComparisonDirection::LT, a, b);
  Value equal = emitter.compare(ComparisonDirection::EQ, a, b);
  if (!isa<FloatType>(elementType(a)))
    return {less, equal};
  Value aIsNan = emitter.compare(ComparisonDirection::NE, a, a);
  Value bIsNan = emitter.compare(ComparisonDirection::NE, b, b);
  Value onlyB = emitter.emit<stablehlo::AndOp>(
      bIsNan, emitter.compare(ComparisonDirection::EQ, a, a));
  Value both = emitter.emit<stablehlo::AndOp>(aIsNan, bIsNan);
  return {emitter.emit<stablehlo::OrOp>(less, onlyB),
          emitter.emit<stablehlo::OrOp>(equal, both)};
}

/// Pattern: sort(x, y) -> stablehlo.sort, comparing the keys in turn
struct SortLowering : public OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SortOp op,
                                PatternRewriter &rewriter) const override {
    auto sort = stablehlo::SortOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), op.getOperands_(),
        op.getAxis(), /*is_stable=*/true);
    SmallVector<Type> scalars;
    for (Value operand : op.getOperands_())
      scalars.append(2, tensorType(operand).clone(ArrayRef<int64_t>()));
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *block = rewriter.createBlock(
          &sort.getComparator(), {}, scalars,
          SmallVector<Location>(scalars.size(), op.getLoc()));
      Emitter emitter(rewriter, op.getLoc());
      Value result;
      for (int64_t key = op.getNumKeys() - 1; key >= 0; --key) {
        auto [less, equal] = order(emitter, block->getArgument(2 * key),
                                   block->getArgument(2 * key + 1));
        if (result)
          less = emitter.emit<stablehlo::OrOp>(
              less, emitter.emit<stablehlo::AndOp>(equal, result));
        result = less;
      }
      stablehlo::ReturnOp::create(rewriter, op.getLoc(), result);
    }
    rewriter.replaceOp(op, sort);
    return success();
  }
};

} // namespace

void ingot::populateReductionLowering(RewritePatternSet &patterns) {
  patterns
      .add<ReduceLowering, ArgReduceLowering, CumulativeLowering, SortLowering>(
          patterns.getContext());
}
