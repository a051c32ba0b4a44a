//===- Reduction.cpp - Reductions, scans and sorts to StableHLO -----------===//
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

/// Half-precision floats are summed in f32, as NumPy does.
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
    RankedTensorType type = typeOf(x);
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

/// Running reductions along one axis.
class Scan {
public:
  Scan(Emitter &emitter, ReduceKind kind, int64_t axis)
      : emitter(emitter), kind(kind), axis(axis) {}

  Value run(Value value) const {
    return lengthOf(value) <= leastLength ? runShort(value) : runLong(value);
  }

private:
  static constexpr int64_t leastLength = 32;

  int64_t lengthOf(Value value) const { return typeOf(value).getDimSize(axis); }
  Value part(Value value, int64_t start, int64_t size, int64_t stride) const;
  Value pad(Value value, Value filler, int64_t low, int64_t high,
            int64_t interior) const;
  Value neutral(Value value) const;
  Value runShort(Value value) const;
  Value runLong(Value value) const;

  Emitter &emitter;
  ReduceKind kind;
  int64_t axis;
};

Value Scan::part(Value value, int64_t start, int64_t size,
                 int64_t stride) const {
  SmallVector<int64_t> sizes(shapeOf(value));
  SmallVector<int64_t> starts(sizes.size(), 0), strides(sizes.size(), 1);
  starts[axis] = start;
  sizes[axis] = size;
  strides[axis] = stride;
  return emitter.slice(value, starts, sizes, strides);
}

Value Scan::pad(Value value, Value filler, int64_t low, int64_t high,
                int64_t interior) const {
  SmallVector<int64_t> lows(typeOf(value).getRank(), 0), highs(lows),
      interiors(lows);
  lows[axis] = low;
  highs[axis] = high;
  interiors[axis] = interior;
  return emitter.pad(value, filler, lows, highs, interiors);
}

/// Hillis and Steele, Data parallel algorithms, 1986: log(n) steps, each of
/// which combines elements twice as far apart as the one before.
Value Scan::runShort(Value value) const {
  int64_t length = lengthOf(value);
  // One times a complex number may have other signs of zeros than that.
  bool isExact = kind != ReduceKind::Mul || !isa<ComplexType>(elementOf(value));
  for (int64_t reach = 1; reach < length; reach *= 2) {
    Value head = part(value, 0, length - reach, 1);
    if (isExact) {
      value =
          emitter.combine(kind, pad(head, neutral(value), reach, 0, 0), value);
      continue;
    }
    Value tail =
        emitter.combine(kind, head, part(value, reach, length - reach, 1));
    value = emitter.emit<stablehlo::ConcatenateOp>(
        value.getType(), ValueRange{part(value, 0, reach, 1), tail}, axis);
  }
  return value;
}

/// The neutral element. Of additions it is -0.0: 0.0 would change -0.0.
Value Scan::neutral(Value value) const {
  Value found =
      emitter.identity(kind, typeOf(value).clone(ArrayRef<int64_t>()));
  if (kind != ReduceKind::Add || isa<IntegerType>(elementOf(value)))
    return found;
  return emitter.emit<stablehlo::NegOp>(found);
}

/// Blelloch, Prefix sums and their applications, 1990: a scan over pairs gives
/// the elements at odd indices, and one step from their neighbours those at
/// even indices, so the work is linear.
Value Scan::runLong(Value value) const {
  int64_t length = lengthOf(value), odd = length / 2, even = length - odd;
  Value evens = part(value, 0, even, 2), odds = part(value, 1, odd, 2);
  Value ends = run(emitter.combine(kind, part(evens, 0, odd, 1), odds));
  Value later = emitter.combine(kind, part(ends, 0, even - 1, 1),
                                part(evens, 1, even - 1, 1));
  Value starts = emitter.emit<stablehlo::ConcatenateOp>(
      evens.getType(), ValueRange{part(value, 0, 1, 1), later}, axis);
  // The neutral element of addition is -0.0: 0.0 would change -0.0.
  Type element = elementOf(value);
  bool isPred = element.isInteger(1);
  Value filler = emitter.splat(typeOf(value).clone(ArrayRef<int64_t>()), 0);
  if (!isPred && !isa<IntegerType>(element))
    filler = emitter.emit<stablehlo::NegOp>(filler);
  Value atEven = pad(starts, filler, 0, length - (2 * even - 1), 1);
  Value atOdd = pad(ends, filler, 1, length - 2 * odd, 1);
  return emitter.combine(isPred ? ReduceKind::Or : ReduceKind::Add, atEven,
                         atOdd);
}

/// Pattern: cumulative(x) -> log(n) steps that combine elements
struct CumulativeLowering : public OpRewritePattern<CumulativeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CumulativeOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    Scan scan(emitter, op.getKind(), op.getAxis());
    rewriter.replaceOp(op, scan.run(op.getOperand()));
    return success();
  }
};

/// Whether the key `a` comes before `b`, and whether they are equal; NaN is
/// equal to NaN and comes last.
std::pair<Value, Value> order(Emitter &emitter, Value a, Value b) {
  Value less = emitter.compare(ComparisonDirection::LT, a, b);
  Value equal = emitter.compare(ComparisonDirection::EQ, a, b);
  if (!isa<FloatType>(elementOf(a)))
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
/// It is always stable: a sort and its derivative, which has an operand more,
/// must find the same order.
struct SortLowering : public OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SortOp op,
                                PatternRewriter &rewriter) const override {
    auto sort = stablehlo::SortOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), op.getOperands_(),
        op.getAxis(), /*is_stable=*/true);
    SmallVector<Type> scalars;
    for (Value operand : op.getOperands_())
      scalars.append(2, typeOf(operand).clone(ArrayRef<int64_t>()));
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
