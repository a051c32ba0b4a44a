//===- Pipeline.cpp - Registration and the default pipeline ---------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ingot::registerDialects(DialectRegistry &registry) {
  registry.insert<IngotDialect, stablehlo::StablehloDialect, chlo::ChloDialect,
                  func::FuncDialect>();
}

void ingot::registerPasses() {
  registerIngotPasses();
  registerTransformsPasses();
  PassPipelineRegistration<>(
      "ingot-to-stablehlo", "Ingot's default order of passes",
      [](OpPassManager &manager) {
        GreedyRewriteConfig config;
        config.setRegionSimplificationLevel(
            GreedySimplifyRegionLevel::Disabled);
        manager.addNestedPass<func::FuncOp>(createInlineRules());
        manager.addPass(createCanonicalizerPass(config));
        manager.addPass(createCSEPass());
        manager.addNestedPass<func::FuncOp>(createRelaxProducts());
        manager.addNestedPass<func::FuncOp>(createScaleProducts());
        manager.addNestedPass<func::FuncOp>(createSinkUpdates());
        manager.addNestedPass<func::FuncOp>(createForwardUpdates());
        manager.addNestedPass<func::FuncOp>(createPruneCarried());
        manager.addPass(createLoopInvariantCodeMotionPass());
        manager.addNestedPass<func::FuncOp>(createHoistChecks());
        manager.addNestedPass<func::FuncOp>(createOrderReads());
        manager.addNestedPass<func::FuncOp>(createSeparateUpdates());
        manager.addPass(createLowerEffects());
        manager.addPass(createLowerToStablehlo());
      });
}
