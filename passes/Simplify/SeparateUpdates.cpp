//===- SeparateUpdates.cpp - Compute updates before they are written ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_SEPARATEUPDATES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The operand of an operation that gives the same elements in another shape.
static Value reshapedBy(Operation *op) {
  return isa_and_nonnull<ReshapeOp, TransposeOp, BitcastOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// The array that a value is another shape of.
static Value rootOf(Value value) {
  while (Value operand = reshapedBy(value.getDefiningOp()))
    value = operand;
  return value;
}

/// Whether an operation is computed by itself, not as a part of what needs it.
static bool isMaterialised(Operation *op) {
  return op->getNumRegions() > 0 || isa<BarrierOp, DotGeneralOp>(op);
}

/// Whether what is written reads the array under a shape that the update does
/// not have for it.
static bool readsReshaped(UpdateSliceOp update) {
  Value array = update.getOperand(), root = rootOf(array);
  SmallVector<Value> worklist{update.getUpdate()};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (rootOf(value) == root && (array != root || value != root))
      return true;
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == update->getBlock() && !isMaterialised(op))
      worklist.append(op->operand_begin(), op->operand_end());
  }
  return false;
}

namespace {
struct SeparateUpdates
    : public ingot::impl::SeparateUpdatesBase<SeparateUpdates> {
  void runOnOperation() override {
    getOperation().walk([](UpdateSliceOp update) {
      // One element is read whole before it is written.
      if (update.getUpdate().getType().getNumElements() <= 1 ||
          !readsReshaped(update))
        return;
      OpBuilder builder(update);
      auto barrier = BarrierOp::create(builder, update.getLoc(),
                                       TypeRange(update.getUpdate().getType()),
                                       ValueRange(update.getUpdate()));
      update.getUpdateMutable().assign(barrier.getResult(0));
    });
  }
};
} // namespace
