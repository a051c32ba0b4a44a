//===- SeparateCompared.cpp - Compute once what is compared with its extremum //
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Materialised.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_SEPARATECOMPARED
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The value whose elements a value has, in another shape or several times.
static Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ReshapeOp, TransposeOp, BroadcastToOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static bool isExtremum(ReduceKind kind) {
  return kind == ReduceKind::Max || kind == ReduceKind::Min;
}

/// The value of which another one is the extremum, or the running one.
static Value reducedBy(Value extremum) {
  Operation *op = rootOf(extremum).getDefiningOp();
  if (auto reduce = dyn_cast_or_null<ReduceOp>(op))
    return isExtremum(reduce.getKind()) ? rootOf(reduce.getOperand()) : Value();
  if (auto running = dyn_cast_or_null<CumulativeOp>(op))
    return isExtremum(running.getKind()) ? rootOf(running.getOperand())
                                         : Value();
  return nullptr;
}

/// Whether XLA may compute a value again in each of its users, and round it in
/// another way there.
static bool mayBeRepeated(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isa<FloatType>(elementOf(value)) && !isMaterialised(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() && !isa<SortOp>(op);
}

static Value barrierAfter(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  return BarrierOp::create(builder, value.getLoc(), value.getType(), value)
      .getResult(0);
}

namespace {
class SeparateComparedPass
    : public ingot::impl::SeparateComparedBase<SeparateComparedPass> {
  void runOnOperation() override {
    SetVector<Value> compared;
    SmallVector<ArgReduceOp> positions;
    getOperation().walk([&](Operation *op) {
      if (auto position = dyn_cast<ArgReduceOp>(op))
        positions.push_back(position);
      if (!isa<CompareOp>(op))
        return;
      Value a = op->getOperand(0), b = op->getOperand(1);
      for (auto [value, other] : {std::pair(a, b), std::pair(b, a)})
        if (Value root = rootOf(value); root == reducedBy(other))
          compared.insert(root);
    });
    for (Value value : compared) {
      if (!mayBeRepeated(value))
        continue;
      Value barrier = barrierAfter(value);
      value.replaceAllUsesExcept(barrier, barrier.getDefiningOp());
    }
    // It is lowered to a comparison of its operand with the extremum.
    for (ArgReduceOp op : positions)
      if (mayBeRepeated(rootOf(op.getOperand())))
        op.getOperandMutable().assign(barrierAfter(op.getOperand()));
  }
};
} // namespace
