//===- OrderReads.cpp - Read arrays before they are overwritten -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Materialised.h"
#include "Regions.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_ORDERREADS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// Whether an operand is an array that the operation changes; in place, if it
/// has no later use.
static bool isOverwritten(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<UpdateSliceOp>(op))
    return operand.getOperandNumber() == 0;
  if (!isa<ForOp, WhileOp>(op))
    return false;
  Region &body = op->getRegions().back();
  unsigned first = op->getNumOperands() - carriedOperands(op).size();
  if (operand.getOperandNumber() < first)
    return false;
  unsigned index = operand.getOperandNumber() - first;
  return body.front().getTerminator()->getOperand(index) !=
         carriedArguments(body)[index];
}

/// The backward slice of an operation: the operations of its block on which it
/// depends, up to a limit.
static DenseSet<Operation *> coneOf(Operation *target) {
  constexpr size_t limit = 512;
  DenseSet<Operation *> cone{target};
  SmallVector<Operation *> worklist{target};
  while (!worklist.empty() && cone.size() < limit) {
    Operation *op = worklist.pop_back_val();
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && def->getBlock() == target->getBlock() &&
          cone.insert(def).second)
        worklist.push_back(def);
    }
  }
  return cone;
}

/// Whether all uses of a value are computed before a writer anyway: the writer
/// depends on them, and they do not fuse with later operations.
static bool isBefore(Value value, Operation *writer,
                     const DenseSet<Operation *> &cone) {
  SmallVector<Value> worklist{value};
  DenseSet<Operation *> seen;
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (user == writer || !seen.insert(user).second)
        continue;
      if (!cone.contains(user))
        return false;
      if (!isMaterialised(user))
        worklist.append(user->result_begin(), user->result_end());
    }
  }
  return true;
}

static int64_t sizeOf(Value value) { return typeOf(value).getNumElements(); }

/// Inserts a barrier for values after an operation. Later uses of the values
/// become uses of its results.
static BarrierOp insertBarrier(Operation *after, ArrayRef<Value> values) {
  OpBuilder builder(after->getContext());
  builder.setInsertionPointAfter(after);
  Block *block = after->getBlock();
  auto barrier = BarrierOp::create(builder, after->getLoc(),
                                   TypeRange(ValueRange(values)), values);
  for (auto [from, to] :
       llvm::zip_equal(ValueRange(values), barrier.getResults()))
    from.replaceUsesWithIf(to, [&](OpOperand &use) {
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      return user && barrier->isBeforeInBlock(user);
    });
  return barrier;
}

/// The start of an update along the first axis that it does not span, or null.
/// Starts along the other axes are clamped to 0.
static OpOperand *startOf(Operation *writer) {
  auto update = dyn_cast<UpdateSliceOp>(writer);
  if (!update)
    return nullptr;
  ArrayRef<int64_t> whole = update.getType().getShape();
  ArrayRef<int64_t> part = update.getUpdate().getType().getShape();
  for (unsigned axis = 0; axis < whole.size(); ++axis)
    if (part[axis] < whole[axis])
      return &writer->getOpOperand(2 + axis);
  return nullptr;
}

/// Makes the overwriting of an array depend on a reader of it. Results of the
/// reader that are about as large as the array are left to fuse with their
/// uses.
static void order(Operation *reader, OpOperand &overwritten,
                  const DenseSet<Operation *> &cone) {
  Value array = overwritten.get();
  SmallVector<Value> values;
  for (Value result : reader->getResults())
    if (sizeOf(result) * 2 <= sizeOf(array) && !result.use_empty())
      values.push_back(result);
  bool isOrdered = llvm::all_of(values, [&](Value value) {
    return isBefore(value, overwritten.getOwner(), cone);
  });
  if (values.empty() || isOrdered)
    return;
  // XLA would fuse the read with an update of the array before, and read the
  // older array.
  if (Operation *update = array.getDefiningOp<UpdateSliceOp>())
    insertBarrier(update, array);
  // An update depends on the reader by its start, not by the array: other reads
  // of the array may fuse with the update's computation.
  Operation *writer = overwritten.getOwner();
  OpOperand *start = startOf(writer);
  if (!start) {
    values.push_back(overwritten.get());
    insertBarrier(reader, values);
    return;
  }
  OpBuilder builder(writer);
  builder.setInsertionPoint(reader);
  values.push_back(integer(builder, reader->getLoc(), 0));
  BarrierOp barrier = insertBarrier(reader, values);
  builder.setInsertionPoint(writer);
  start->set(AddOp::create(builder, writer->getLoc(), start->get(),
                           barrier.getResults().back()));
}

/// Orders the readers of an array before its writer in the same block.
static void orderReaders(OpOperand &operand) {
  Operation *writer = operand.getOwner();
  SetVector<Operation *> readers;
  for (Operation *user : operand.get().getUsers()) {
    Operation *reader = writer->getBlock()->findAncestorOpInBlock(*user);
    if (reader && reader != writer && reader->isBeforeInBlock(writer) &&
        isMemoryEffectFree(reader))
      readers.insert(reader);
  }
  SmallVector<Operation *> inOrder = readers.takeVector();
  llvm::sort(inOrder,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (inOrder.empty())
    return;
  DenseSet<Operation *> cone = coneOf(writer);
  for (Operation *reader : inOrder)
    order(reader, operand, cone);
}

namespace {
struct OrderReads : public ingot::impl::OrderReadsBase<OrderReads> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (isOverwritten(operand))
          orderReaders(operand);
    });
  }
};
} // namespace
