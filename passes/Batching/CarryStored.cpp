//===- CarryStored.cpp - Carry what the iteration before has stored -------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedArrays.h"
#include "Regions.h"

namespace ingot {
#define GEN_PASS_DEF_CARRYSTORED
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// Whether a part is that of an update one step before.
static bool isStoredBefore(ForOp loop, const Part &part, const Part &stored,
                           int64_t step) {
  if (part.sizes != stored.sizes || part.strides != stored.strides)
    return false;
  Value index = loop.getBody().getArgument(0);
  bool hasMoved = false;
  for (auto [start, other] : llvm::zip_equal(part.starts, stored.starts)) {
    bool isMoved =
        other.base == index && start == Index{index, other.offset - step};
    bool isFixed = start == other &&
                   (!other.base || loop.isDefinedOutsideOfLoop(other.base));
    if (!isMoved && !isFixed)
      return false;
    hasMoved |= isMoved;
  }
  return hasMoved;
}

/// Whether two parts have no element in common in an iteration.
static bool areApartNow(const Part &lhs, const Part &rhs) {
  auto axes = llvm::seq<int64_t>(lhs.starts.size());
  return llvm::any_of(axes, [&](int64_t axis) {
    return areApart(lhs, lhs.starts[axis], rhs, rhs.starts[axis], axis);
  });
}

namespace {
/// What the next iteration reads of what one stores last.
struct Stored {
  UpdateSliceOp update;
  SmallVector<DynamicSliceOp> reads;
  /// Whether the next iteration stores there, too.
  bool isOverwritten;
};
} // namespace

/// The updates of an array to which an iteration does nothing else but read it,
/// the last one first; none if there are more than two.
static SmallVector<UpdateSliceOp> updatesOf(ForOp loop, BlockArgument carried,
                                            const CarriedArray &array) {
  Value value = loop.getBody().front().getTerminator()->getOperand(
      carried.getArgNumber() - 1);
  SmallVector<UpdateSliceOp> found;
  for (unsigned i = 0; i < 2 && value != carried; ++i) {
    auto update = value.getDefiningOp<UpdateSliceOp>();
    if (!update || update->getBlock() != carried.getOwner())
      return {};
    found.push_back(update);
    value = update.getOperand();
  }
  bool areAll = value == carried && found.size() == array.updates.size() &&
                array.scatters.empty();
  return areAll ? found : SmallVector<UpdateSliceOp>();
}

/// Whether the update can leave the loop: another one stores what the next
/// iteration would read there, and nothing else reads it.
static bool isOverwritten(ForOp loop, BlockArgument carried,
                          const CarriedArray &array, UpdateSliceOp update,
                          UpdateSliceOp other, int64_t step) {
  Part stored = partOf(update), now = partOf(other);
  return isStoredBefore(loop, now, stored, step) &&
         update.getResult().hasOneUse() && other.getResult().hasOneUse() &&
         llvm::all_of(array.reads, [&](Operation *read) {
           return read->getOperand(0) == carried &&
                  (isStoredBefore(loop, partOf(read), stored, step) ||
                   areApartNow(partOf(read), now));
         });
}

static std::optional<Stored> storedOf(ForOp loop, BlockArgument carried) {
  auto step = boundOf(loop.getStep());
  auto array = carriedArrayOf(loop, carried);
  if (!step || !array)
    return std::nullopt;
  auto updates = updatesOf(loop, carried, *array);
  for (auto [i, update] : llvm::enumerate(updates)) {
    Stored found{update, {}, updates.size() == 2};
    for (Operation *read : array->reads)
      if (isStoredBefore(loop, partOf(read), partOf(update), *step))
        found.reads.push_back(cast<DynamicSliceOp>(read));
    if (!found.reads.empty() &&
        (!found.isOverwritten ||
         isOverwritten(loop, carried, *array, update, updates[1 - i], *step)))
      return found;
  }
  return std::nullopt;
}

/// The starts of an access, before or after the loop, for another index.
static SmallVector<Value> startsAt(OpBuilder &builder, ForOp loop,
                                   ValueRange starts, Value index) {
  SmallVector<Value> made;
  for (Value start : starts) {
    Index found = indexOf(start);
    Value number = integer(builder, start.getLoc(), found.offset);
    if (found.base) {
      bool isIndex = found.base == loop.getBody().getArgument(0);
      number = AddOp::create(builder, start.getLoc(),
                             isIndex ? index : found.base, number);
    }
    made.push_back(number);
  }
  return made;
}

/// Carries the part beside the array.
static ForOp carryStored(ForOp loop, unsigned number, Stored stored) {
  OpBuilder builder(loop);
  DynamicSliceOp read = stored.reads.front();
  mlir::Location location = stored.update.getLoc();
  SmallVector<Value> places(read.getStarts());
  Value first =
      DynamicSliceOp::create(builder, read.getLoc(), loop.getInits()[number],
                             startsAt(builder, loop, places, loop.getLower()),
                             read.getSizes(), read.getStrides());
  auto made = cast<ForOp>(rebuildWith(loop, first));
  loop->replaceAllUsesWith(made->getResults().drop_back());
  loop->erase();
  yieldMore(made.getBody(), stored.update.getUpdate());

  if (stored.isOverwritten) {
    builder.setInsertionPointAfter(made);
    Range range = rangeOf(made);
    Value next = range.index(builder, range.count(builder, location));
    Value array = made->getResult(number);
    auto last = UpdateSliceOp::create(
        builder, location, array, made->getResults().back(),
        startsAt(builder, made, places, next), stored.update.getStrides());
    array.replaceAllUsesExcept(last, last);
    stored.update.getResult().replaceAllUsesWith(stored.update.getOperand());
    stored.update->erase();
  }
  for (DynamicSliceOp each : stored.reads) {
    each.getResult().replaceAllUsesWith(made.getBody().getArguments().back());
    each->erase();
  }
  return made;
}

namespace {
struct CarryStored : public ingot::impl::CarryStoredBase<CarryStored> {
  using CarryStoredBase::CarryStoredBase;

  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops)
      for (unsigned i = 0, count = loop.getInits().size(); i < count; ++i)
        if (auto stored = storedOf(loop, loop.getBody().getArgument(i + 1)))
          loop = carryStored(loop, i, *stored);
  }
};
} // namespace
