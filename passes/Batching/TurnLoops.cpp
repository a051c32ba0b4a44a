//===- TurnLoops.cpp - Count down where an index is subtracted ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

namespace ingot {
#define GEN_PASS_DEF_TURNLOOPS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The number from which the index of a loop is subtracted, if nothing else is
/// done with it; else null.
static Value subtractedFrom(ForOp loop) {
  Value index = loop.getBody().getArgument(0), found;
  for (OpOperand &use : index.getUses()) {
    auto difference = dyn_cast<SubOp>(use.getOwner());
    if (!difference || use.getOperandNumber() != 1)
      return nullptr;
    Value from = difference.getLhs();
    bool isSame = !found || from == found ||
                  (boundOf(from) && boundOf(from) == boundOf(found));
    if (!isSame || from.getType() != index.getType() ||
        !(boundOf(from) || loop.isDefinedOutsideOfLoop(from)))
      return nullptr;
    found = from;
  }
  return found;
}

static Value difference(OpBuilder &builder, Value from, Value number) {
  auto lhs = boundOf(from), rhs = boundOf(number);
  if (lhs && rhs)
    return integer(builder, from.getLoc(), *lhs - *rhs);
  return SubOp::create(builder, from.getLoc(), from, number);
}

/// Has the index be what the iterations have computed from it.
static void turn(ForOp loop, Value from) {
  OpBuilder builder(loop);
  if (auto number = boundOf(from))
    from = integer(builder, loop.getLoc(), *number);
  Value none = integer(builder, loop.getLoc(), 0);
  loop.getLowerMutable().assign(difference(builder, from, loop.getLower()));
  loop.getUpperMutable().assign(difference(builder, from, loop.getUpper()));
  loop.getStepMutable().assign(difference(builder, none, loop.getStep()));
  Value index = loop.getBody().getArgument(0);
  for (Operation *user : llvm::make_early_inc_range(index.getUsers())) {
    user->getResult(0).replaceAllUsesWith(index);
    user->erase();
  }
}

namespace {
struct TurnLoops : public ingot::impl::TurnLoopsBase<TurnLoops> {
  using TurnLoopsBase::TurnLoopsBase;

  void runOnOperation() override {
    getOperation().walk([](ForOp loop) {
      auto step = boundOf(loop.getStep());
      if (!step || *step == 0)
        return;
      // The reverse pass of a loop that counts down turns twice.
      while (Value from = subtractedFrom(loop))
        turn(loop, from);
    });
  }
};
} // namespace
