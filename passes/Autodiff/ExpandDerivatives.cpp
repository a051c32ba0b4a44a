//===- ExpandDerivatives.cpp - Both modes, the innermost first ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDDERIVATIVES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

static bool hasCalls(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<JvpOp, VjpOp>(op) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct ExpandDerivatives
    : public ingot::impl::ExpandDerivativesBase<ExpandDerivatives> {
  using ExpandDerivativesBase::ExpandDerivativesBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    while (hasCalls(module))
      if (failed(expandJvps(module)) || failed(expandVjps(module, countsKnown)))
        return signalPassFailure();
  }
};
} // namespace
