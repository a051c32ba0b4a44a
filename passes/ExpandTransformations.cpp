//===- ExpandTransformations.cpp - All of them, the innermost first -------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Autodiff.h"
#include "Batching/Batching.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDTRANSFORMATIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

static SmallVector<Operation *> transformationsOf(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isa<JvpOp, VjpOp, VmapOp>(op))
      found.push_back(op);
  });
  return found;
}

namespace {
struct ExpandTransformations
    : public ingot::impl::ExpandTransformationsBase<ExpandTransformations> {
  using ExpandTransformationsBase::ExpandTransformationsBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> found = transformationsOf(module);
    while (!found.empty()) {
      size_t count = found.size();
      if (failed(expandJvps(module)) ||
          failed(expandVjps(module, countsKnown)) ||
          failed(expandVmaps(module)))
        return signalPassFailure();
      found = transformationsOf(module);
      if (found.size() == count) {
        found.front()->emitError("a transformation inside stands in the way; "
                                 "run outline-derivatives first");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
