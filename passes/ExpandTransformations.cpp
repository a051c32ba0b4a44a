//===- ExpandTransformations.cpp - Expand jvp, vjp and vmap, inner first --===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformations.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDTRANSFORMATIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
struct ExpandTransformations
    : public ingot::impl::ExpandTransformationsBase<ExpandTransformations> {
  using ExpandTransformationsBase::ExpandTransformationsBase;
  void runOnOperation() override {
    auto expand = [&](Operation *op) {
      if (auto jvp = dyn_cast<JvpOp>(op))
        return expandJvp(jvp);
      if (auto vjp = dyn_cast<VjpOp>(op))
        return expandVjp(vjp, countsKnown);
      return expandVmap(cast<VmapOp>(op));
    };
    if (failed(expandAll<JvpOp, VjpOp, VmapOp>(getOperation(), expand)))
      signalPassFailure();
  }
};
} // namespace
