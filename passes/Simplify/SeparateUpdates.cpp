//===- SeparateUpdates.cpp - Compute updates before they are written ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Materialised.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_SEPARATEUPDATES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The operand of an operation that only changes its shape or element type.
static Value reshapedBy(Operation *op) {
  return isa_and_nonnull<ReshapeOp, TransposeOp, BitcastOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// The array behind reshapes, transposes and bitcasts.
static Value rootOf(Value value) {
  while (Value operand = reshapedBy(value.getDefiningOp()))
    value = operand;
  return value;
}

static bool isSame(Value start, int64_t number) {
  return integerOf(start) == number;
}

static bool isSame(Value start, Value other) {
  std::optional<int64_t> known = integerOf(other);
  return start == other || (known && isSame(start, *known));
}

/// Whether a slice reads exactly the elements that the update overwrites.
template <typename Slice>
static bool isWritten(Slice slice, UpdateSliceOp update) {
  return slice && slice.getOperand() == update.getOperand() &&
         slice.getType() == update.getUpdate().getType() &&
         slice.getStrides() == update.getStrides() &&
         llvm::equal(
             update.getStarts(), slice.getStarts(),
             [](Value start, auto other) { return isSame(start, other); });
}

static bool isWritten(Operation *op, UpdateSliceOp update) {
  return isWritten(dyn_cast<SliceOp>(op), update) ||
         isWritten(dyn_cast<DynamicSliceOp>(op), update);
}

namespace {
/// A value on which an update depends, and whether each element of the update
/// depends only on the element of the value at the same index.
using Source = llvm::PointerIntPair<Value, 1, bool>;
} // namespace

/// Whether an element of the update depends on another element of the array
/// than the one that it overwrites.
static bool readsElsewhere(UpdateSliceOp update) {
  Value root = rootOf(update.getOperand());
  SmallVector<Source> worklist{{update.getUpdate(), true}};
  DenseSet<Source> seen;
  while (!worklist.empty()) {
    Source source = worklist.pop_back_val();
    if (!seen.insert(source).second)
      continue;
    auto [value, isAligned] = std::pair(source.getPointer(), source.getInt());
    if (rootOf(value) == root)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != update->getBlock() || isMaterialised(op) ||
        (isAligned && isWritten(op, update)))
      continue;
    bool isElementwise = isAligned && op->hasTrait<ElementwiseTrait>();
    for (Value operand : op->getOperands())
      worklist.emplace_back(operand, isElementwise &&
                                         shapeOf(operand) == shapeOf(value));
  }
  return false;
}

namespace {
struct SeparateUpdates
    : public ingot::impl::SeparateUpdatesBase<SeparateUpdates> {
  void runOnOperation() override {
    getOperation().walk([](UpdateSliceOp update) {
      // A single element is computed before it is written.
      if (update.getUpdate().getType().getNumElements() <= 1 ||
          !readsElsewhere(update))
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
