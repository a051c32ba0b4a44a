//===- PromoteElements.cpp - Carry elements instead of their arrays -------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedArrays.h"
#include "Regions.h"

namespace ingot {
#define GEN_PASS_DEF_PROMOTEELEMENTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

static bool isSame(const Part &lhs, const Part &rhs) {
  return lhs.starts == rhs.starts && lhs.sizes == rhs.sizes &&
         lhs.strides == rhs.strides;
}

/// Whether all updates are of one part, which is the same in all iterations,
/// and reads of it or of elements beside it.
static bool isOnePart(ForOp loop, const CarriedArray &array) {
  if (array.updates.empty() || !array.scatters.empty())
    return false;
  UpdateSliceOp first = array.updates.front();
  Part part = partOf(first);
  for (const Index &start : part.starts)
    if (start.base && !loop.isDefinedOutsideOfLoop(start.base))
      return false;
  return part.sizes != shapeOf(first.getOperand()) &&
         llvm::all_of(
             array.updates,
             [&](Operation *update) { return isSame(partOf(update), part); }) &&
         llvm::all_of(array.reads, [&](Operation *read) {
           return isSame(partOf(read), part) || areApart(loop, read, first);
         });
}

/// Replaces the carried array by the part that the iterations read and write.
static void carryPart(ForOp loop, BlockArgument carried,
                      const CarriedArray &array) {
  UpdateSliceOp first = array.updates.front();
  auto sizes = llvm::to_vector(shapeOf(first.getUpdate()));
  auto strides = llvm::to_vector(first.getStrides());
  Type type = first.getUpdate().getType();
  mlir::Location location = first.getLoc();
  SmallVector<Operation *> own, others;
  for (Operation *read : array.reads)
    (isSame(partOf(read), partOf(first)) ? own : others).push_back(read);

  OpBuilder builder(loop);
  SmallVector<Value> starts;
  for (const Index &start : partOf(first).starts) {
    Value made = start.base;
    if (!made || start.offset != 0) {
      Value offset = integer(builder, location, start.offset);
      made = made ? AddOp::create(builder, location, made, offset) : offset;
    }
    starts.push_back(made);
  }
  unsigned number = carried.getArgNumber() - 1;
  OpOperand &init = loop.getInitArgsMutable()[number];
  Value before = init.get(), result = loop.getResult(number);
  init.set(DynamicSliceOp::create(builder, location, before, starts, sizes,
                                  strides));
  for (Value value : array.values)
    value.setType(type);
  result.setType(type);
  builder.setInsertionPointAfter(loop);
  auto after =
      UpdateSliceOp::create(builder, location, before, result, starts, strides);
  result.replaceAllUsesExcept(after, after);

  for (Operation *read : others)
    read->setOperand(0, before);
  for (Operation *read : own) {
    read->getResult(0).replaceAllUsesWith(read->getOperand(0));
    read->erase();
  }
  for (UpdateSliceOp update : array.updates) {
    update.getResult().replaceAllUsesWith(update.getUpdate());
    update->erase();
  }
}

/// Whether the updates are of one element.
static bool isElement(const CarriedArray &array) {
  UpdateSliceOp first = array.updates.front();
  return first.getUpdate().getType().getNumElements() == 1;
}

namespace {
struct PromoteElements
    : public ingot::impl::PromoteElementsBase<PromoteElements> {
  using PromoteElementsBase::PromoteElementsBase;

  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops)
      for (BlockArgument carried :
           loop.getBody().front().getArguments().drop_front()) {
        auto array = carriedArrayOf(loop, carried);
        if (array && isOnePart(loop, *array) &&
            (!elements || isElement(*array)))
          carryPart(loop, carried, *array);
      }
  }
};
} // namespace
