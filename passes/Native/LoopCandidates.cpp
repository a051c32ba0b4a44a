//===- LoopCandidates.cpp - What one loop can compute ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopCandidates.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ingot;

/// The most operations for an element that take less time than storing and
/// loading it.
static constexpr unsigned mostAgain = 3;

bool ingot::isView(Operation *op) {
  return isa<BroadcastToOp, ReshapeOp, SliceOp, TransposeOp>(op);
}

bool ingot::isCheap(Operation *op) {
  return isa<AbsOp, AddOp, AndOp, CompareOp, ConvertOp, MaximumOp, MinimumOp,
             MulOp, MulNoNanOp, NegOp, NotOp, OrOp, SelectOp, SubOp>(op);
}

LoopCandidates::LoopCandidates(Block &block, bool isStrict,
                               int64_t leastBytes) {
  for (Operation &op : block.without_terminator()) {
    std::optional<Tiling> tiling = ingot::tilingOf(&op);
    // Partial sums would be added in another order.
    if (tiling && !(isStrict && tiling->axis == Tiling::whole))
      tilings[&op] = *tiling;
  }
  findStages(block);
  computeAgain(block, leastBytes);
  leaveToPads(block);
  for (Operation &op : block.without_terminator())
    if (const Tiling *tiling = tilingOf(&op))
      byStage[{stages[&op], tiling->length}].push_back(&op);
}

/// Whether the user takes the part of the operand that the same loop computes.
bool LoopCandidates::isJoint(OpOperand &use) const {
  const Tiling *source = tilingOf(use.get().getDefiningOp()),
               *user = tilingOf(use.getOwner());
  if (!source || !user)
    return false;
  int64_t axis = user->operands[use.getOperandNumber()];
  return axis != Tiling::whole && axis == source->axis &&
         user->length == source->length;
}

/// The stage of an operation is how often the path to it leaves a loop. So
/// nothing else is on a path between two that have the same.
void LoopCandidates::findStages(Block &block) {
  auto after = [&](Value value, bool isJoint) {
    Operation *source = value.getDefiningOp();
    return stages.lookup(source) + (tilings.contains(source) && !isJoint);
  };
  for (Operation &op : block.without_terminator()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    unsigned stage = 0;
    for (OpOperand &operand : op.getOpOperands())
      stage = std::max(stage, after(operand.get(), isJoint(operand)));
    for (Value value : captured)
      stage = std::max(stage, after(value, /*isJoint=*/false));
    stages[&op] = stage;
  }
  // What only a later loop uses is computed there.
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (op.use_empty() || !llvm::all_of(op.getUses(), [&](OpOperand &use) {
          return isJoint(use);
        }))
      continue;
    unsigned first = ~0u;
    for (Operation *user : op.getUsers())
      first = std::min(first, stages.lookup(user));
    stages[&op] = first;
  }
}

/// How many operations compute an element of a value again, of what is known
/// before a stage. More than `mostAgain` if it is better stored.
unsigned LoopCandidates::costOf(Value value, unsigned stage) const {
  Operation *op = value.getDefiningOp();
  if (!tilings.contains(op) || stages.lookup(op) >= stage)
    return 0;
  unsigned cost = isView(op) ? 0 : isCheap(op) ? 1 : mostAgain + 1;
  for (OpOperand &operand : op->getOpOperands())
    if (cost <= mostAgain && isJoint(operand))
      cost += costOf(operand.get(), stage);
  return cost;
}

Value LoopCandidates::inStage(Value value, unsigned stage) {
  Operation *op = value.getDefiningOp();
  if (!tilings.contains(op) || stages.lookup(op) >= stage)
    return value;
  if (Value known = copies.lookup({value, stage}))
    return known;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(isJoint(operand) ? inStage(operand.get(), stage)
                                        : operand.get());
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *copy = createLike(builder, op, operands, op->getResultTypes());
  tilings[copy] = Tiling(tilings[op]);
  stages[copy] = stage;
  return copies[{value, stage}] = copy->getResult(0);
}

/// What is computed quickly is computed in each loop that uses it, and is no
/// array.
void LoopCandidates::computeAgain(Block &block, int64_t leastBytes) {
  // Backwards, so that what only this uses can be left out, too.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(block.without_terminator()))) {
    if (!tilings.contains(&op) || op.use_empty() ||
        bytesOf(op.getResult(0).getType()) < leastBytes)
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(op.getUses())) {
      unsigned stage = stages.lookup(use.getOwner());
      if (isJoint(use) && stage > stages.lookup(&op) &&
          costOf(use.get(), stage) <= mostAgain)
        use.set(inStage(use.get(), stage));
    }
    if (!op.use_empty())
      continue;
    tilings.erase(&op);
    stages.erase(&op);
    op.erase();
  }
}

/// Whether an array is in memory, whatever a loop computes.
bool LoopCandidates::isStored(Value value) const {
  return !tilings.contains(value.getDefiningOp()) ||
         llvm::any_of(value.getUses(),
                      [&](OpOperand &use) { return !isJoint(use); });
}

/// What is only padded, and computed quickly of arrays that are in memory, is
/// computed where the padded array is used, and is no array.
void LoopCandidates::leaveToPads(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (!tilings.contains(&op) || !isCheap(&op) || op.use_empty() ||
        !llvm::all_of(op.getUsers(), llvm::IsaPred<PadOp>) ||
        !llvm::all_of(op.getOperands(), [&](Value operand) {
          return splatOf(operand) || isStored(operand);
        }))
      continue;
    tilings.erase(&op);
    stages.erase(&op);
  }
}

llvm::MapVector<Value, SmallVector<Operation *>>
LoopCandidates::connectedOf(ArrayRef<Operation *> operations) const {
  llvm::EquivalenceClasses<Value> classes;
  for (Operation *op : operations)
    for (auto [operand, axis] :
         llvm::zip_equal(op->getOperands(), tilingOf(op)->operands))
      if (axis != Tiling::whole && !splatOf(operand))
        classes.unionSets(op->getResult(0), operand);
  llvm::MapVector<Value, SmallVector<Operation *>> found;
  for (Operation *op : operations)
    found[classes.getOrInsertLeaderValue(op->getResult(0))].push_back(op);
  return found;
}

SmallVector<SmallVector<Operation *>> LoopCandidates::groups() const {
  SmallVector<SmallVector<Operation *>> found;
  for (auto &[key, operations] : byStage)
    for (auto &[leader, connected] : connectedOf(operations))
      found.push_back(connected);
  return found;
}
