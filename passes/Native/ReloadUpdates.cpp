//===- ReloadUpdates.cpp - Read stored values from their arrays -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {
#define GEN_PASS_DEF_RELOADUPDATES
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Whether an operation may reuse the memory of an operand for a result.
bool mayOverwrite(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<UpdateSliceOp, ScatterOp>(user))
    return use.getOperandNumber() == 0;
  // It may store within a run-time length of the array.
  return isa<SelectOp>(user) || user->getNumRegions() > 0 ||
         user->hasTrait<OpTrait::IsTerminator>();
}

/// The uses of a stored value besides the store, if all of them can read it
/// from the array instead.
SmallVector<OpOperand *> otherUses(UpdateSliceOp store) {
  Block *block = store->getBlock();
  SmallVector<OpOperand *> uses;
  Operation *last = store;
  for (OpOperand &use : store.getUpdate().getUses()) {
    if (use.getOwner() == store && use.getOperandNumber() == 1)
      continue;
    Operation *place = block->findAncestorOpInBlock(*use.getOwner());
    if (!place || !store->isBeforeInBlock(place) ||
        place->hasTrait<OpTrait::IsTerminator>())
      return {};
    if (last->isBeforeInBlock(place))
      last = place;
    uses.push_back(&use);
  }
  bool isOverwritten =
      llvm::any_of(store.getResult().getUses(), [&](OpOperand &use) {
        Operation *place = block->findAncestorOpInBlock(*use.getOwner());
        return mayOverwrite(use) && !last->isBeforeInBlock(place);
      });
  return isOverwritten ? SmallVector<OpOperand *>() : uses;
}

/// Where a slice starts along an axis, if that is known.
std::optional<int64_t> startAlong(Operation *slice, unsigned axis) {
  if (auto fixed = dyn_cast<SliceOp>(slice))
    return fixed.getStarts()[axis];
  ValueRange starts = isa<DynamicSliceOp>(slice)
                          ? cast<DynamicSliceOp>(slice).getStarts()
                          : cast<UpdateSliceOp>(slice).getStarts();
  return integerOf(starts[axis]);
}

ArrayRef<int64_t> stridesOf(Operation *slice) {
  return slice->getAttrOfType<DenseI64ArrayAttr>("strides").asArrayRef();
}

/// Whether a slice has no element that the store overwrites.
bool isDisjoint(Operation *slice, UpdateSliceOp store) {
  ArrayRef<int64_t> array = store.getType().getShape(),
                    read = shapeOf(slice->getResult(0)),
                    written = shapeOf(store.getUpdate());
  return llvm::any_of(llvm::seq<unsigned>(array.size()), [&](unsigned axis) {
    auto first = startAlong(slice, axis), other = startAlong(store, axis);
    int64_t stride = stridesOf(slice)[axis],
            otherStride = stridesOf(store)[axis];
    if (!first || !other)
      return false;
    // Slices begin inside of the array such that they end inside.
    auto clamped = [&](int64_t start, int64_t extent) {
      return std::clamp<int64_t>(start, 0, array[axis] - extent);
    };
    int64_t extent = (read[axis] - 1) * stride + 1,
            otherExtent = (written[axis] - 1) * otherStride + 1;
    int64_t from = clamped(*first, extent), to = clamped(*other, otherExtent);
    return from + extent <= to || to + otherExtent <= from ||
           (stride == otherStride && (from - to) % stride != 0);
  });
}

/// Has what reads a slice of the array after the store read it of the result,
/// if the slice is the same there: the store can overwrite the array then.
void readResult(UpdateSliceOp store) {
  Block *block = store->getBlock();
  for (Operation *slice : llvm::to_vector(store.getOperand().getUsers())) {
    if (!isa<SliceOp, DynamicSliceOp>(slice) || slice->getBlock() != block ||
        !slice->isBeforeInBlock(store) || !isDisjoint(slice, store))
      continue;
    auto isLater = [&](OpOperand &use) {
      Operation *place = block->findAncestorOpInBlock(*use.getOwner());
      return place && store->isBeforeInBlock(place);
    };
    if (llvm::none_of(slice->getUses(), isLater))
      continue;
    OpBuilder builder(store);
    builder.setInsertionPointAfter(store);
    Operation *moved = builder.clone(*slice);
    moved->setOperand(0, store.getResult());
    slice->getResult(0).replaceUsesWithIf(moved->getResult(0), isLater);
  }
}

struct ReloadUpdates : ingot::impl::ReloadUpdatesBase<ReloadUpdates> {
  void runOnOperation() override {
    getOperation().walk([](UpdateSliceOp store) {
      if (store.getUpdate().getType().getNumElements() > 0)
        readResult(store);
      Operation *made = store.getUpdate().getDefiningOp();
      if (!made || !made->hasTrait<ElementwiseTrait>() ||
          store.getUpdate().getType().getNumElements() == 1)
        return;
      SmallVector<OpOperand *> uses = otherUses(store);
      if (uses.empty())
        return;
      OpBuilder builder(store);
      builder.setInsertionPointAfter(store);
      Value read = DynamicSliceOp::create(
          builder, store.getLoc(), store.getUpdate().getType(),
          store.getResult(), store.getStarts(),
          builder.getDenseI64ArrayAttr(store.getUpdate().getType().getShape()),
          store.getStridesAttr());
      for (OpOperand *use : uses)
        use->set(read);
    });
  }
};

} // namespace
