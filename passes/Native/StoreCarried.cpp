//===- StoreCarried.cpp - Store what branches yield in carried arrays -----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Regions.h"

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {
#define GEN_PASS_DEF_STORECARRIED
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// An array that a branch yields as the next value of a carried array.
struct Next {
  OpOperand *yielded;
  Value carried;
};

/// Whether elements of `value` may be computed, within the loops of its user,
/// from those that the array has then.
bool readsLate(Value value, Value array, DenseSet<Value> &seen) {
  if (value == array)
    return true;
  if (!seen.insert(value).second)
    return false;
  Operation *op = value.getDefiningOp();
  bool isLate = op && (op->hasTrait<ElementwiseTrait>() ||
                       isa<SliceOp, DynamicSliceOp, ReshapeOp, BroadcastToOp,
                           TransposeOp, FlipOp, PadOp, GatherOp>(op));
  return isLate && llvm::any_of(op->getOperands(), [&](Value operand) {
           return readsLate(operand, array, seen);
         });
}

/// Whether the value is, on some path, the array or a version of it with
/// elements overwritten.
bool mayBeVersion(Value value, Value array, DenseSet<Value> &seen) {
  if (value == array)
    return true;
  if (!seen.insert(value).second)
    return false;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<UpdateSliceOp, ScatterOp>(op))
    return mayBeVersion(op->getOperand(0), array, seen);
  if (!isa_and_nonnull<ForOp, WhileOp, IfOp>(op))
    return false;
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (isa<ForOp, WhileOp>(op))
    return mayBeVersion(carriedOperands(op)[number], array, seen);
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    Operation *yield = region.front().getTerminator();
    return mayBeVersion(yield->getOperand(number), array, seen);
  });
}

/// The branch within the loop that yields a value for one use. One before the
/// loop runs when there is no carried array yet.
IfOp branchOf(Value value, Region &body) {
  auto branch = value.getDefiningOp<IfOp>();
  bool isWithin = branch && body.isAncestor(branch->getParentRegion());
  return isWithin && value.hasOneUse() ? branch : IfOp();
}

/// Finds what the branches of a chain of them yield; true if one of them
/// leaves the array as it is.
bool findNext(OpOperand &yielded, BlockArgument carried,
              SmallVector<Next> &found) {
  Value value = yielded.get();
  IfOp branch = branchOf(value, *carried.getParentRegion());
  DenseSet<Value> seen;
  // What may lie in the array's memory can't be copied there.
  if (!branch && mayBeVersion(value, carried, seen))
    return true;
  if (!branch) {
    found.push_back({&yielded, carried});
    return false;
  }
  bool isKept = false;
  for (Region &region : branch->getRegions()) {
    Operation *yield = region.front().getTerminator();
    unsigned number = cast<OpResult>(value).getResultNumber();
    isKept |= findNext(yield->getOpOperand(number), carried, found);
  }
  return isKept;
}

/// Whether nothing in the body of the loop reads the array after the branch.
bool isLastUse(Value carried, Operation *branch) {
  Block *body = branch->getBlock();
  return llvm::all_of(carried.getUsers(), [&](Operation *user) {
    return !branch->isBeforeInBlock(body->findAncestorOpInBlock(*user));
  });
}

void store(Next next) {
  Operation *yield = next.yielded->getOwner();
  OpBuilder builder(yield);
  Location location = yield->getLoc();
  RankedTensorType type = typeOf(next.carried);
  Value zero = ConstantOp::create(
      builder, location,
      DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()),
                             APInt(64, 0)));
  SmallVector<Value> starts(type.getRank(), zero);
  SmallVector<int64_t> strides(type.getRank(), 1);
  next.yielded->set(UpdateSliceOp::create(
      builder, location, type, next.carried, next.yielded->get(), starts,
      builder.getDenseI64ArrayAttr(strides)));
}

/// Stores the values that one terminator yields, each after what others read of
/// the array that it overwrites. Those that would have to be before each other
/// stay as they are.
void storeAll(SmallVector<Next> &all) {
  while (!all.empty()) {
    auto *first = llvm::find_if(all, [&](const Next &next) {
      return llvm::none_of(all, [&](const Next &other) {
        DenseSet<Value> seen;
        return other.yielded != next.yielded &&
               readsLate(other.yielded->get(), next.carried, seen);
      });
    });
    if (first == all.end())
      return;
    store(*first);
    all.erase(first);
  }
}

struct StoreCarried : ingot::impl::StoreCarriedBase<StoreCarried> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<ForOp, WhileOp>(op))
        storeCarried(op->getRegions().back());
    });
  }

private:
  static void storeCarried(Region &body) {
    Operation *yield = body.front().getTerminator();
    llvm::MapVector<Operation *, SmallVector<Next>> stores;
    for (auto [i, carried] : llvm::enumerate(carriedArguments(body))) {
      OpOperand &next = yield->getOpOperand(i);
      IfOp branch = branchOf(next.get(), body);
      SmallVector<Next> found;
      if (typeOf(carried).getNumElements() <= 1 || !branch ||
          !isLastUse(carried, branch) || !findNext(next, carried, found))
        continue;
      for (const Next &each : found)
        stores[each.yielded->getOwner()].push_back(each);
    }
    for (auto &[terminator, all] : stores)
      storeAll(all);
  }
};

} // namespace
