//===- Simplification.cpp - The passes that simplify code -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplification.h"
#include "Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ingot::addSimplification(OpPassManager &manager) {
  GreedyRewriteConfig config;
  // The default of the pass without a config: operands are simplified before
  // their users.
  config.setUseTopDownTraversal(true);
  // Regions have one block, so there are no blocks to merge or drop.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // What changes is simplified again at once; a second pass over all operations
  // finds nothing.
  config.setMaxIterations(1);
  manager.addPass(createCanonicalizerPass(config));
  manager.addPass(createShareEqual());
}
