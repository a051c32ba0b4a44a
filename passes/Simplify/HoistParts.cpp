//===- HoistParts.cpp - Hoist parts of arrays out of loops ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace ingot {
#define GEN_PASS_DEF_HOISTPARTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
struct HoistParts : ingot::impl::HoistPartsBase<HoistParts> {
  void runOnOperation() override {
    // Inner loops first: what leaves them may leave the outer ones, too.
    getOperation().walk([](LoopLikeOpInterface loop) {
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [](Operation *op, Region *) {
            return isa<BroadcastToOp, ConcatenateOp, FlipOp, ImagOp, PadOp,
                       RealOp, ReshapeOp, SliceOp, TransposeOp>(op);
          },
          [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    });
  }
};
} // namespace
