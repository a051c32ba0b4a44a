//===- Shape.cpp - Creation and shape operations to StableHLO -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;

namespace {

struct IotaLowering : public OpRewritePattern<IotaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IotaOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::IotaOp>(op, op.getType(),
                                                   op.getAxisAttr());
    return success();
  }
};

struct SizeLowering : public OpRewritePattern<SizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SizeOp op,
                                PatternRewriter &rewriter) const override {
    auto value = DenseElementsAttr::get(op.getType(), op.getValueAttr());
    rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(op, op.getType(), value);
    return success();
  }
};

struct ReshapeLowering : public OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::ReshapeOp>(op, op.getType(),
                                                      op.getOperand());
    return success();
  }
};

struct TransposeLowering : public OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::TransposeOp>(
        op, op.getType(), op.getOperand(), op.getAxes());
    return success();
  }
};

struct BroadcastToLowering : public OpRewritePattern<BroadcastToOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastToOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, emitter.broadcast(op.getOperand(), op.getType().getShape()));
    return success();
  }
};

struct ConcatenateLowering : public OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::ConcatenateOp>(
        op, op.getType(), op.getInputs(), op.getAxisAttr());
    return success();
  }
};

struct PadLowering : public OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::PadOp>(
        op, op.getType(), op.getOperand(), op.getValue(), op.getLow(),
        op.getHigh(), op.getInterior());
    return success();
  }
};

struct FlipLowering : public OpRewritePattern<FlipOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FlipOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::ReverseOp>(
        op, op.getType(), op.getOperand(), op.getAxes());
    return success();
  }
};

} // namespace

void ingot::populateShapeLowering(RewritePatternSet &patterns) {
  patterns
      .add<IotaLowering, SizeLowering, ReshapeLowering, TransposeLowering,
           BroadcastToLowering, ConcatenateLowering, PadLowering, FlipLowering>(
          patterns.getContext());
}
