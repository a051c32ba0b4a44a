//===- Contraction.cpp - Contractions to StableHLO ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;

static bool isComplex(Value value) {
  return isa<ComplexType>(elementOf(value));
}

/// Whether each element is neither infinite nor NaN.
static Value isFinite(Emitter &e, Value value) {
  auto pred = typeOf(value).clone(e.builder.getI1Type());
  if (!isComplex(value))
    return e.emit<stablehlo::IsFiniteOp>(pred, value);
  auto part =
      typeOf(value).clone(cast<ComplexType>(elementOf(value)).getElementType());
  Value real = e.emit<stablehlo::RealOp>(part, value);
  Value imag = e.emit<stablehlo::ImagOp>(part, value);
  return e.emit<stablehlo::AndOp>(isFinite(e, real), isFinite(e, imag));
}

/// Asks for full precision: accelerators may otherwise round f32 operands.
static Value product(Emitter &e, DotGeneralOp op, Value lhs, Value rhs) {
  MLIRContext *context = op.getContext();
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      context, op.getLhsBatching(), op.getRhsBatching(), op.getLhsContracting(),
      op.getRhsContracting());
  Attribute highest =
      stablehlo::PrecisionAttr::get(context, stablehlo::Precision::HIGHEST);
  return e.emit<stablehlo::DotGeneralOp>(
      op.getType().clone(elementOf(lhs)), lhs, rhs, numbers,
      e.builder.getArrayAttr({highest, highest}));
}

/// Whether a sum has a product of a nonzero element of one operand (of `lhs` if
/// `isLhs`) and an infinite or NaN element of the other.
static Value meetsInfinity(Emitter &e, DotGeneralOp op, bool isLhs) {
  Type f32 = e.builder.getF32Type();
  auto nonZero = [&](Value value) {
    Value zero = e.splatLike(value, 0);
    return e.convert(e.compare(stablehlo::ComparisonDirection::NE, value, zero),
                     f32);
  };
  auto nonFinite = [&](Value value) {
    Value is = isFinite(e, value);
    return e.convert(e.emit<stablehlo::NotOp>(is), f32);
  };
  Value lhs = isLhs ? nonZero(op.getLhs()) : nonFinite(op.getLhs());
  Value rhs = isLhs ? nonFinite(op.getRhs()) : nonZero(op.getRhs());
  Value count = product(e, op, lhs, rhs);
  return e.compare(stablehlo::ComparisonDirection::GT, count,
                   e.splatLike(count, 0));
}

/// The sums without products by infinite or NaN elements, but those of `plain`
/// where such a product has a nonzero factor.
static Value withoutInfinities(Emitter &e, DotGeneralOp op, Value plain) {
  auto finite = [&](Value value) {
    return e.select(isFinite(e, value), value, e.splatLike(value, 0));
  };
  Value lhs = op.getRhsZeros() ? finite(op.getLhs()) : op.getLhs();
  Value rhs = op.getLhsZeros() ? finite(op.getRhs()) : op.getRhs();
  Value made = product(e, op, lhs, rhs);
  if (op.getLhsZeros())
    made = e.select(meetsInfinity(e, op, true), plain, made);
  if (op.getRhsZeros())
    made = e.select(meetsInfinity(e, op, false), plain, made);
  return made;
}

namespace {

/// Pattern: dot_general(a, b) -> stablehlo.dot_general(a, b); with `lhs_zeros`
/// or `rhs_zeros` also a product of the finite elements
struct DotGeneralLowering : public OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    Value plain = product(emitter, op, op.getLhs(), op.getRhs());
    bool hasZeros = op.getLhsZeros() || op.getRhsZeros();
    rewriter.replaceOp(op, hasZeros ? withoutInfinities(emitter, op, plain)
                                    : plain);
    return success();
  }
};

} // namespace

void ingot::populateContractionLowering(RewritePatternSet &patterns) {
  patterns.add<DotGeneralLowering>(patterns.getContext());
}
