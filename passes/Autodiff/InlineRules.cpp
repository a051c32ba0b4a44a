//===- InlineRules.cpp - Inline checkpoints and users' rules --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

namespace ingot {
#define GEN_PASS_DEF_INLINERULES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

void ingot::inlineBody(Operation *op) {
  Block &body = op->getRegion(0).front();
  Operation *end = body.getTerminator();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands()))
    argument.replaceAllUsesWith(operand);
  op->replaceAllUsesWith(end->getOperands());
  end->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->erase();
}

void ingot::prepareForDerivative(Operation *op) {
  SmallVector<CustomVmapOp> found;
  op->walk([&](CustomVmapOp custom) { found.push_back(custom); });
  for (CustomVmapOp custom : found)
    inlineBody(custom);
  serialiseScatters(op);
}

namespace {
struct InlineRules : public ingot::impl::InlineRulesBase<InlineRules> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (auto stop = dyn_cast<StopGradientOp>(op)) {
        stop->replaceAllUsesWith(stop->getOperands());
        stop.erase();
        return;
      }
      if (isa<CheckpointOp, FusionOp, CustomDerivativeOp, CustomVmapOp>(op))
        found.push_back(op);
    });
    // Outer operations first: those in a rule are erased with it.
    while (!found.empty()) {
      Operation *op = found.pop_back_val();
      if (!isa<CheckpointOp, FusionOp>(op))
        llvm::erase_if(found, [&](Operation *each) {
          return op->getRegion(1).isAncestor(each->getParentRegion());
        });
      inlineBody(op);
    }
  }
};
} // namespace
