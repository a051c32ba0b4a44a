//===- InlinePlan.cpp - What is computed within loops of users ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ingot;

static int64_t countOf(Value value) { return typeOf(value).getNumElements(); }

bool ingot::isElementwise(Operation *op) {
  return op && op->getNumResults() == 1 &&
         isa<stablehlo::StablehloDialect, chlo::ChloDialect>(
             op->getDialect()) &&
         !isa<stablehlo::ConstantOp, stablehlo::BroadcastInDimOp>(op);
}

/// Whether each operand dimension of a reshape is a dimension of the result,
/// besides those of size 1.
static bool keepsAxes(ReshapeOp op) {
  return squeezed(op.getOperand().getType()) == squeezed(op.getType());
}

static bool isSplat(Operation *op) {
  DenseElementsAttr value;
  return matchPattern(op, m_Constant(&value)) && value.isSplat();
}

static bool isPadding(Operation *op) {
  auto pad = dyn_cast_or_null<PadOp>(op);
  return pad && llvm::all_of(pad.getInterior(),
                             [](int64_t interior) { return interior == 0; });
}

/// Whether the values compare indices along an axis with one number, as the
/// masks of arrays of dynamic length do.
bool InlinePlan::isMask(Value value) const {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<stablehlo::AndOp>(op))
    return isMask(op->getOperand(0)) && isMask(op->getOperand(1));
  if (!isa_and_nonnull<stablehlo::CompareOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    while (Operation *source = operand.getDefiningOp()) {
      if (!isa<stablehlo::BroadcastInDimOp, BroadcastToOp, ReshapeOp>(source))
        break;
      operand = source->getOperand(0);
    }
    return isScalar(operand.getType()) || operand.getDefiningOp<IotaOp>();
  });
}

/// Whether an element is read, or costs little more than that.
bool InlinePlan::isRead(Value operand) {
  Operation *source = operand.getDefiningOp();
  if (!source || !(isElementwise(source) || isa<GatherOp>(source)))
    return true;
  auto [known, isNew] = free.try_emplace(source, false);
  if (!isNew)
    return known->second;
  bool found = isFree(source);
  return free[source] = found;
}

/// Whether an element of the result costs little more than the element of the
/// operand that it is.
bool InlinePlan::isFree(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return keepsAxes(reshape);
  // Other slices are views of memory.
  if (isa<SliceOp, DynamicSliceOp>(op))
    return isPadding(op->getOperand(0).getDefiningOp());
  if (isa<stablehlo::ConvertOp>(op))
    return isRead(op->getOperand(0));
  if (isa<stablehlo::SelectOp>(op))
    return isMask(op->getOperand(0)) && isRead(op->getOperand(1)) &&
           isRead(op->getOperand(2));
  return isa<stablehlo::BroadcastInDimOp, BroadcastToOp, TransposeOp, FlipOp,
             IotaOp>(op) ||
         isSplat(op) || isPadding(op) ||
         (op->getNumResults() == 1 && isMask(op->getResult(0)));
}

int64_t ingot::freeCount(Value operand, ArrayRef<int64_t> batch,
                         ArrayRef<int64_t> sums) {
  int64_t count = 1;
  for (auto [axis, size] : llvm::enumerate(shapeOf(operand)))
    if (!llvm::is_contained(batch, axis) && !llvm::is_contained(sums, axis))
      count *= size;
  return count;
}

/// Whether the user computes the operand's elements within its loops, each as
/// often as it has elements.
static bool takesElements(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isElementwise(user) ||
      isa<ReduceOp, ArgReduceOp, CumulativeOp, ConcatenateOp>(user))
    return true;
  if (isa<UpdateSliceOp>(user))
    return use.getOperandNumber() == 1;
  // An index is needed for each element of the row that it selects.
  if (auto scatter = dyn_cast<ScatterOp>(user))
    return use.getOperandNumber() > 0 &&
           countOf(use.get()) == countOf(scatter.getUpdate());
  if (isa<GatherOp>(user))
    return use.getOperandNumber() > 0;
  // Each row is multiplied by all columns, so its elements are taken once if
  // there is one column.
  if (auto dot = dyn_cast<DotGeneralOp>(user))
    return use.getOperandNumber() == 0
               ? freeCount(dot.getRhs(), dot.getRhsBatching(),
                           dot.getRhsContracting()) == 1
               : freeCount(dot.getLhs(), dot.getLhsBatching(),
                           dot.getLhsContracting()) == 1;
  return false;
}

/// Whether all users of a value take its elements, by way of operations that
/// are free.
bool InlinePlan::usesAreInline(Value value) const {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    return takesElements(use) || (use.getOwner()->getNumResults() == 1 &&
                                  isInlined(use.getOwner()->getResult(0)));
  });
}

/// The operation in whose loops the operand is computed, if each of its
/// elements is computed once there.
Operation *InlinePlan::rootOf(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (user->getNumResults() != 1)
    return nullptr;
  Value result = user->getResult(0);
  bool isSame = countOf(result) == countOf(use.get());
  if (!isInlined(result))
    return takesElements(use) && (isSame || !isa<GatherOp>(user)) ? user
                                                                  : nullptr;
  // A part of an array has fewer elements, and padding has none to compute.
  if (!isSame && !isa<SliceOp, DynamicSliceOp, PadOp>(user))
    return nullptr;
  return roots.lookup(user);
}

/// The operations at whose indices a value is computed if it is inlined: roots,
/// and inlined ones between it and a root that move indices.
InlinePlan::Places InlinePlan::placesOf(Value value) const {
  Places found;
  for (Operation *user : value.getUsers()) {
    auto known = places.find(user);
    if (known == places.end())
      found.insert(user);
    else
      found.insert_range(known->second);
  }
  return found;
}

/// How often each element is computed at these places.
int64_t InlinePlan::timesAt(const Places &where) const {
  int64_t sum = 0;
  for (Operation *place : where) {
    auto known = times.find(place);
    sum += known == times.end() ? 1 : known->second;
  }
  return sum;
}

/// Whether an operation computes with elements that are in memory, as far as
/// that is known before its operands are looked at.
bool InlinePlan::isSingle(Operation *op) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isRead(operand) || !operand.hasOneUse();
  });
}

void InlinePlan::add(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        add(inner);
    if (op.getNumResults() != 1 || isScalar(op.getResult(0).getType()))
      continue;
    Value result = op.getResult(0);
    bool free = isFree(&op);
    if ((!free && !isElementwise(&op) && !isa<GatherOp>(op)) ||
        !usesAreInline(result))
      continue;
    Operation *root = nullptr;
    bool isOne = true;
    for (OpOperand &use : result.getUses()) {
      Operation *found = rootOf(use);
      isOne &= found && found->getBlock() == &block && (!root || root == found);
      root = found;
    }
    if (!free && !isOne)
      continue;
    Places where = placesOf(result);
    int64_t count = timesAt(where);
    if (!free && count > 1 && !isSingle(&op))
      continue;
    inlined.insert(result);
    times[&op] = count;
    if (isElementwise(&op))
      places[&op] = std::move(where);
    if (isOne)
      roots[&op] = root;
  }
}
