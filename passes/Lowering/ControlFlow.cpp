//===- ControlFlow.cpp - Control flow to StableHLO ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

namespace {

/// Pattern: yield, condition -> stablehlo.return
template <typename From>
struct TerminatorLowering : public OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::ReturnOp>(op, op->getOperands());
    return success();
  }
};

/// Pattern: stop_gradient(x) -> x
struct StopGradientLowering : public OpRewritePattern<StopGradientOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(StopGradientOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

struct IfLowering : public OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    auto lowered = stablehlo::IfOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), op.getCondition());
    rewriter.inlineRegionBefore(op.getThenRegion(), lowered.getTrueBranch(),
                                lowered.getTrueBranch().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), lowered.getFalseBranch(),
                                lowered.getFalseBranch().end());
    rewriter.replaceOp(op, lowered);
    return success();
  }
};

struct WhileLowering : public OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op,
                                PatternRewriter &rewriter) const override {
    auto lowered = stablehlo::WhileOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), op.getInitArgs());
    rewriter.inlineRegionBefore(op.getCond(), lowered.getCond(),
                                lowered.getCond().end());
    rewriter.inlineRegionBefore(op.getBody(), lowered.getBody(),
                                lowered.getBody().end());
    rewriter.replaceOp(op, lowered);
    return success();
  }
};

/// The counter of a loop. It runs from `start` while it is less (or greater)
/// than `limit`.
struct Counting {
  Value start, limit, step;
  ComparisonDirection direction;
};

/// The trip count of a loop between static bounds.
static std::optional<int64_t> knownTripCount(ForOp op) {
  auto lower = integerOf(op.getLower()), upper = integerOf(op.getUpper()),
       step = integerOf(op.getStep());
  int64_t span;
  if (!lower || !upper || !step || *step == 0 ||
      (*step > 0 ? llvm::SubOverflow(*upper, *lower, span)
                 : llvm::SubOverflow(*lower, *upper, span)))
    return {};
  return span <= 0 ? 0 : (span - 1) / std::abs(*step) + 1;
}

/// The counter is the induction variable where this counts upwards, or where
/// the trip count would have to be computed; else it is the iteration's number.
struct ForLowering : public OpRewritePattern<ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ForOp op,
                                PatternRewriter &rewriter) const override {
    mlir::Location location = op.getLoc();
    Emitter emitter(rewriter, location);
    std::optional<int64_t> step = integerOf(op.getStep());
    // XLA finds the trip count of loops that count upwards alone. Where it is
    // known, the host does not wait for the condition of each iteration.
    std::optional<int64_t> trips = knownTripCount(op);
    bool countsTrips = !step || (*step < 0 && trips);
    Counting counting =
        countsTrips ? Counting{emitter.splatLike(op.getLower(), 0),
                               trips ? emitter.splatLike(op.getLower(), *trips)
                                     : tripCount(emitter, op),
                               emitter.splatLike(op.getLower(), 1),
                               ComparisonDirection::LT}
                    : Counting{op.getLower(), op.getUpper(), op.getStep(),
                               *step < 0 ? ComparisonDirection::GT
                                         : ComparisonDirection::LT};

    SmallVector<Value> inits = {counting.start};
    llvm::append_range(inits, op.getInitArgs());
    auto loop = stablehlo::WhileOp::create(rewriter, location,
                                           TypeRange(ValueRange(inits)), inits);
    SmallVector<mlir::Location> locations(inits.size(), location);
    OpBuilder::InsertionGuard guard(rewriter);
    Block *cond = rewriter.createBlock(&loop.getCond(), {},
                                       TypeRange(ValueRange(inits)), locations);
    Value goesOn = emitter.compare(counting.direction, cond->getArgument(0),
                                   counting.limit);
    stablehlo::ReturnOp::create(rewriter, location, goesOn);

    rewriter.inlineRegionBefore(op.getBody(), loop.getBody(),
                                loop.getBody().end());
    Block &body = loop.getBody().front();
    Operation *terminator = body.getTerminator();
    Value counter = body.getArgument(0);
    if (countsTrips) {
      rewriter.setInsertionPointToStart(&body);
      Value offset = emitter.emit<stablehlo::MulOp>(counter, op.getStep());
      Value index = emitter.emit<stablehlo::AddOp>(op.getLower(), offset);
      rewriter.replaceAllUsesExcept(counter, index, offset.getDefiningOp());
    }
    rewriter.setInsertionPoint(terminator);
    Value next = emitter.emit<stablehlo::AddOp>(counter, counting.step);
    rewriter.modifyOpInPlace(terminator,
                             [&] { terminator->insertOperands(0, next); });
    rewriter.replaceOp(op, loop.getResults().drop_front());
    return success();
  }

  /// The trip count, the length of range(lower, upper, step).
  static Value tripCount(Emitter &emitter, ForOp op) {
    auto add = [&](Value a, Value b) {
      return emitter.emit<stablehlo::AddOp>(a, b);
    };
    Value step = op.getStep(), one = emitter.splatLike(step, 1);
    Value span =
        emitter.emit<stablehlo::SubtractOp>(op.getUpper(), op.getLower());
    Value isDown = emitter.compare(ComparisonDirection::LT, step,
                                   emitter.splatLike(step, 0));
    // Round the quotient up: one less than a whole step more in the step's
    // direction.
    Value minusOne = emitter.splatLike(step, -1);
    Value unit = emitter.select(isDown, one, minusOne);
    Value quotient =
        emitter.emit<stablehlo::DivOp>(add(span, add(step, unit)), step);
    Value isEmpty =
        emitter.select(isDown,
                       emitter.compare(ComparisonDirection::GE, span,
                                       emitter.splatLike(step, 0)),
                       emitter.compare(ComparisonDirection::LE, span,
                                       emitter.splatLike(step, 0)));
    return emitter.select(isEmpty, emitter.splatLike(step, 0), quotient);
  }
};

} // namespace

void ingot::populateControlFlowLowering(RewritePatternSet &patterns) {
  patterns.add<StopGradientLowering, TerminatorLowering<YieldOp>,
               TerminatorLowering<ConditionOp>, IfLowering, WhileLowering,
               ForLowering>(patterns.getContext());
}
