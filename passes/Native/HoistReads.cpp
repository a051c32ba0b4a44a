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

/// Whether the elements of the result are those of the operand, and padding.
bool movesElements(Operation *op) {
  return isa<BroadcastToOp, DynamicSliceOp, FlipOp, PadOp, ReshapeOp, SliceOp,
             TransposeOp>(op);
}

/// Moves what is computed elementwise from an array, or from parts of it that
/// may be padded, to before the store that overwrites the array, as far as it
/// does not depend on the store.
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
        !(movesElements(user) || user->hasTrait<ElementwiseTrait>()) ||
        seen.contains(user))
      return;
    // If an operand is still to be moved, the user is visited again from there.
    bool isBefore = user->isBeforeInBlock(store);
    if (!isBefore && !isAvailable(user))
      return;
    seen.insert(user);
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
