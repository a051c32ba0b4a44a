//===- ExpandVmap.cpp - Code for each item of a batch ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
#include "Batching.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDVMAP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

static bool isReady(VmapOp op) {
  return llvm::none_of(op.getBody().front(), [](Operation &inner) {
    return hasAny<VmapOp, JvpOp, VjpOp, DerivativeOp>(&inner);
  });
}

static LogicalResult expand(VmapOp op) {
  Lanes lanes(op);
  OpBuilder builder(op);
  Batcher batcher(builder, lanes, op.getSize());
  Block &body = op.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), op.getOperands()))
    batcher.bind(argument, operand);
  if (failed(batcher.copyBlock(body)))
    return failure();
  SmallVector<Value> results;
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    bool isShared = llvm::is_contained(op.getShared(), static_cast<int64_t>(i));
    if (isShared && lanes.differ(value))
      return op.emitError("a result of `")
             << op.getName()
             << "` with out_axes None differs between the items; give it an "
                "axis";
    results.push_back(isShared ? batcher.copyOf(value)
                               : batcher.stackOf(value));
  }
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}

LogicalResult ingot::expandVmaps(ModuleOp module) {
  while (true) {
    SmallVector<VmapOp> ready;
    module.walk([&](VmapOp op) {
      if (isReady(op))
        ready.push_back(op);
    });
    if (ready.empty())
      return success();
    for (VmapOp op : ready)
      if (failed(expand(op)))
        return failure();
  }
}

namespace {
struct ExpandVmap : public ingot::impl::ExpandVmapBase<ExpandVmap> {
  void runOnOperation() override {
    if (failed(expandVmaps(getOperation())))
      signalPassFailure();
  }
};
} // namespace
