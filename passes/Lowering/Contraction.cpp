//===- Contraction.cpp - Contractions to StableHLO ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;

namespace {

/// At full precision: accelerators may otherwise round f32 operands, and NumPy
/// does not.
struct DotGeneralLowering : public OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op,
                                PatternRewriter &rewriter) const override {
    auto numbers = stablehlo::DotDimensionNumbersAttr::get(
        getContext(), op.getLhsBatching(), op.getRhsBatching(),
        op.getLhsContracting(), op.getRhsContracting());
    Attribute highest = stablehlo::PrecisionAttr::get(
        getContext(), stablehlo::Precision::HIGHEST);
    rewriter.replaceOpWithNewOp<stablehlo::DotGeneralOp>(
        op, op.getType(), op.getLhs(), op.getRhs(), numbers,
        rewriter.getArrayAttr({highest, highest}));
    return success();
  }
};

} // namespace

void ingot::populateContractionLowering(RewritePatternSet &patterns) {
  patterns.add<DotGeneralLowering>(patterns.getContext());
}
