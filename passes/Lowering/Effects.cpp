//===- Effects.cpp - Effects to StableHLO ---------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;

namespace {

/// Pattern: print -> a call of `ingot.print`, which the runtime provides
struct PrintLowering : public OpRewritePattern<PrintOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PrintOp op,
                                PatternRewriter &rewriter) const override {
    auto config = rewriter.getDictionaryAttr(
        rewriter.getNamedAttr("format", op.getFormatAttr()));
    rewriter.replaceOpWithNewOp<stablehlo::CustomCallOp>(
        op, TypeRange(), op.getValues(), "ingot.print",
        /*has_side_effect=*/true, config, /*api_version=*/4,
        /*operand_layouts=*/ArrayAttr(), /*result_layouts=*/ArrayAttr());
    return success();
  }
};

} // namespace

void ingot::populateEffectsLowering(RewritePatternSet &patterns) {
  patterns.add<PrintLowering>(patterns.getContext());
}
