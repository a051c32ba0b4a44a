//===- ShareEqual.cpp - Compute equal values once -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformations.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_SHAREEQUAL
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The hash of what equal operations have in common. It leaves the values free
/// that stand for empty entries of a map.
static size_t hashOf(Operation *op) {
  size_t hash = OperationEquivalence::computeHash(
      op, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  return hash >> 1;
}

namespace {
/// What has been computed before an operation, in its block or around it.
class Sharing {
public:
  void visitRegions(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        visitBlock(block);
  }

private:
  void visitBlock(Block &block) {
    size_t around = added.size(), checkedAround = checked.size();
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
    while (added.size() > around)
      computed.erase(added.pop_back_val());
    while (checked.size() > checkedAround)
      checked.pop_back();
  }

  void visit(Operation *op) {
    if (isOpTriviallyDead(op))
      return op->erase();
    if (auto check = dyn_cast<AssertOp>(op))
      return visitCheck(check);
    if (op->getNumRegions())
      visitNested(op);
    if (op->getNumResults() && isMemoryEffectFree(op))
      share(op);
  }

  void visitNested(Operation *op) {
    // Nothing from around an isolated operation can be used inside.
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return Sharing().visitRegions(op);
    visitRegions(op);
  }

  /// A condition that has been checked holds.
  void visitCheck(AssertOp check) {
    if (!checked.insert(check.getCondition()))
      check.erase();
  }

  void share(Operation *op) {
    size_t hash = hashOf(op);
    auto [entry, isFirst] = computed.try_emplace(hash, op);
    if (isFirst)
      return added.push_back(hash);
    Operation *first = entry->second;
    if (!OperationEquivalence::isEquivalentTo(
            first, op, OperationEquivalence::IgnoreLocations))
      return;
    if (isa<UnknownLoc>(first->getLoc()))
      first->setLoc(op->getLoc());
    op->replaceAllUsesWith(first);
    op->erase();
  }

  /// Operations by their hashes. Of two that differ and have the same hash,
  /// only the first one is shared.
  llvm::DenseMap<size_t, Operation *> computed;
  SmallVector<size_t> added;
  /// The conditions of checks before an operation.
  llvm::SmallSetVector<Value, 8> checked;
};

struct ShareEqual : public ingot::impl::ShareEqualBase<ShareEqual> {
  void runOnOperation() override { shareEqual(getOperation()); }
};
} // namespace

void ingot::shareEqual(Operation *op) { Sharing().visitRegions(op); }
