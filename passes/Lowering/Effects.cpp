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

/// Pattern: ordered_print -> a call of `ingot.print`, which the runtime
/// provides
struct OrderedPrintLowering : public OpRewritePattern<OrderedPrintOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(OrderedPrintOp op,
                                PatternRewriter &rewriter) const override {
    NamedAttrList config;
    config.set("format", op.getFormatAttr());
    if (op.getCallbackAttr())
      config.set("callback", op.getCallbackAttr());
    // With a number other than 0, the values are those of the exception of a
    // check.
    Attribute check = op->getAttr("ingot.check");
    config.set("check", check ? check : rewriter.getI64IntegerAttr(0));
    rewriter.replaceOpWithNewOp<stablehlo::CustomCallOp>(
        op, op->getResultTypes(), op->getOperands(), "ingot.print",
        /*has_side_effect=*/true, config.getDictionary(getContext()),
        /*api_version=*/4, rowMajor(rewriter, op->getOperandTypes()),
        rowMajor(rewriter, op->getResultTypes()),
        /*output_operand_aliases=*/ArrayAttr());
    return success();
  }

  static ArrayAttr rowMajor(PatternRewriter &rewriter, TypeRange types) {
    SmallVector<Attribute> layouts;
    for (Type type : types) {
      int64_t rank = cast<RankedTensorType>(type).getRank();
      auto order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
      layouts.push_back(DenseIntElementsAttr::get(
          RankedTensorType::get(rank, rewriter.getIndexType()), order));
    }
    return rewriter.getArrayAttr(layouts);
  }
};

} // namespace

void ingot::populateEffectsLowering(RewritePatternSet &patterns) {
  patterns.add<OrderedPrintLowering>(patterns.getContext());
}
