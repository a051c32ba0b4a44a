//===- ExpandVmap.cpp - Expand vmap to code for all lanes -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
#include "Transformations.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDVMAP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

LogicalResult ingot::expandVmap(VmapOp op) {
  Lanes lanes(op);
  OpBuilder builder(op);
  Batcher batcher(builder, lanes, op);
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

namespace {
struct ExpandVmap : public ingot::impl::ExpandVmapBase<ExpandVmap> {
  void runOnOperation() override {
    auto expand = [](Operation *op) { return expandVmap(cast<VmapOp>(op)); };
    if (failed(expandAll<VmapOp>(getOperation(), expand)))
      signalPassFailure();
  }
};
} // namespace
