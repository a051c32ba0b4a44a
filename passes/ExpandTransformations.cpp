//===- ExpandTransformations.cpp - Expand jvp, vjp and vmap, inner first --===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformations.h"

#include "llvm/ADT/DenseSet.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDTRANSFORMATIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The transformation around an operation, or null.
static Operation *transformationAround(Operation *op) {
  do
    op = op->getParentOp();
  while (op && !isa<JvpOp, VjpOp, VmapOp>(op));
  return op;
}

LogicalResult
ingot::expandAll(ModuleOp module,
                 llvm::function_ref<bool(Operation *)> isOfKind,
                 llvm::function_ref<LogicalResult(Operation *)> expand) {
  SmallVector<Operation *> found;
  DenseSet<Operation *> nested;
  auto collect = [&](Operation *op) -> WalkResult {
    if (!isa<JvpOp, VjpOp, VmapOp>(op))
      return WalkResult::advance();
    Operation *around = transformationAround(op);
    nested.insert(around);
    if (isOfKind(op))
      found.push_back(op);
    else if (around && isOfKind(around))
      return around->emitError("a transformation of another kind is inside; "
                               "expand-transformations expands all kinds");
    return WalkResult::advance();
  };
  if (module.walk<WalkOrder::PostOrder>(collect).wasInterrupted())
    return failure();
  for (Operation *op : found) {
    // The rules for derivatives compute what others compute, too: the sine of
    // an angle for its cosine. Each would have derivatives of its own.
    if (nested.contains(op) && isa<JvpOp, VjpOp>(op))
      shareEqual(op);
    if (failed(expand(op)))
      return failure();
  }
  return success();
}

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
