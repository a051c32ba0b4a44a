//===- HoistReads.cpp - Read arrays before they are overwritten -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Ingot/Ingot.h"

namespace ingot {
#define GEN_PASS_DEF_HOISTREADS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

bool isView(Operation *op) {
  return isa<SliceOp, DynamicSliceOp, ReshapeOp>(op);
}

/// Moves what is computed elementwise from an array, or from slices of it, to
/// before the store that overwrites the array, as far as it does not depend on
/// the store.
class Hoisting {
public:
  explicit Hoisting(Operation *store) : store(store) {}

  void moveUsersOf(Value value) {
    // A move changes the list of uses of no value, only their order in blocks.
    for (Operation *user : value.getUsers())
      visit(user);
  }

private:
  void visit(Operation *user) {
    if (user == store || user->getBlock() != store->getBlock() ||
        !(isView(user) || user->hasTrait<ElementwiseTrait>()) ||
        !seen.insert(user).second)
      return;
    bool isBefore = user->isBeforeInBlock(store);
    if (!isBefore && !isAvailable(user))
      return;
    if (!isBefore)
      user->moveBefore(store);
    moveUsersOf(user->getResult(0));
  }

  /// Whether the operands are computed before the store.
  bool isAvailable(Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return !source || source->getBlock() != store->getBlock() ||
             source->isBeforeInBlock(store);
    });
  }

  Operation *store;
  llvm::SmallPtrSet<Operation *, 16> seen;
};

struct HoistReads : ingot::impl::HoistReadsBase<HoistReads> {
  void runOnOperation() override {
    SmallVector<Operation *> stores;
    getOperation().walk([&](Operation *op) {
      if (isa<UpdateSliceOp, ScatterOp>(op))
        stores.push_back(op);
    });
    for (Operation *store : stores)
      Hoisting(store).moveUsersOf(store->getOperand(0));
  }
};

} // namespace
