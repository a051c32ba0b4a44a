//===- LowerToStablehlo.cpp - From NumPy to StableHLO ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion/Fusion.h"
#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ingot {
#define GEN_PASS_DEF_LOWERTOSTABLEHLO
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
struct LowerToStablehlo
    : public ingot::impl::LowerToStablehloBase<LowerToStablehlo> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateElementwiseLowering(set);
    populateComplexLowering(set);
    populateShapeLowering(set);
    populateIndexingLowering(set);
    populateReductionLowering(set);
    populateContractionLowering(set);
    populateLinearAlgebraLowering(set);
    populateFftLowering(set);
    populateControlFlowLowering(set);
    populateEffectsLowering(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    lowerBarriers(getOperation());
    lowerStablehloCalls(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(lower(function)))
        return signalPassFailure();
  }

  /// Kernels are in modules of their own, and stay as they are.
  LogicalResult lower(func::FuncOp function) {
    // It is for kernels.
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.removeResultAttr(i, lengthName);
    walkAndApplyPatterns(function, patterns);
    WalkResult result = function.walk([](Operation *op) {
      if (!isa_and_nonnull<IngotDialect>(op->getDialect()) || isa<ShardOp>(op))
        return WalkResult::advance();
      op->emitOpError("has no lowering to StableHLO");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
