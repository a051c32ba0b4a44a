//===- InPlace.cpp - Which carried arrays are overwritten in place --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Windows.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ingot;

/// What is known of the results of branches. Each of them is reached by two
/// paths from the next one, so without it a row of branches would take
/// exponential time.
using Known = DenseMap<Value, Value>;

static Value unchanged(Value value, Known &known) {
  auto branch = value.getDefiningOp<IfOp>();
  if (!branch)
    return value;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  unsigned number = cast<OpResult>(value).getResultNumber();
  auto yielded = [&](Region &region) {
    Operation *yield = region.front().getTerminator();
    return unchanged(yield->getOperand(number), known);
  };
  Value then = yielded(branch.getThenRegion());
  bool isOutside =
      !branch->isProperAncestor(then.getParentBlock()->getParentOp()) &&
      then.getParentBlock()->getParentOp() != branch;
  bool isOne = isOutside && then == yielded(branch.getElseRegion());
  return known[value] = isOne ? then : value;
}

Value ingot::unchanged(Value value) {
  Known known;
  return ::unchanged(value, known);
}

/// The operand that an operation overwrites in part, if it does.
static OpOperand *overwrittenOperand(Operation *op, const InlinePlan &plan) {
  if (isa<UpdateSliceOp, ScatterOp>(op))
    return &op->getOpOperand(0);
  return isWindowStore(op, plan) ? &op->getOpOperand(2) : nullptr;
}

static Value originOf(Value value, const InlinePlan &plan, Known &known) {
  while (Operation *op = (value = unchanged(value)).getDefiningOp()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (OpOperand *overwritten = overwrittenOperand(op, plan)) {
      value = overwritten->get();
    } else if (isa<ForOp, WhileOp>(op)) {
      value = carriedOperands(op)[number];
    } else if (auto branch = dyn_cast<IfOp>(op)) {
      if (auto found = known.find(value); found != known.end())
        return found->second;
      auto origin = [&](Region &region) {
        Operation *yield = region.front().getTerminator();
        return originOf(yield->getOperand(number), plan, known);
      };
      Value then = origin(branch.getThenRegion());
      bool isOne = then == origin(branch.getElseRegion());
      return known[value] = isOne ? then : value;
    } else {
      break;
    }
  }
  return value;
}

Value ingot::originOf(Value value, const InlinePlan &plan) {
  Known known;
  return ::originOf(value, plan, known);
}

/// Whether the result has no elements of its own in memory: it is a view of the
/// operand, or computed within the loops of its users.
static bool isView(Operation *op, const InlinePlan &plan) {
  return isa<SliceOp, DynamicSliceOp, ReshapeOp>(op) ||
         (op->getNumResults() == 1 && plan.isInlined(op->getResult(0)));
}

/// Whether an operation may run after, or as a part of, another one that is
/// within the same iteration of the loops around both.
static bool mayRunAfter(Operation *op, Operation *other) {
  for (Operation *around = other; around; around = around->getParentOp()) {
    Operation *place = around->getBlock()->findAncestorOpInBlock(*op);
    if (!place)
      continue;
    // Only one branch runs.
    if (place == around)
      return around == other || !isa<IfOp>(around);
    return !place->isBeforeInBlock(around);
  }
  return true;
}

static bool isSlice(Operation *op, const InlinePlan &plan) {
  return isa_and_nonnull<SliceOp, DynamicSliceOp>(op) &&
         !isScalar(op->getResult(0).getType()) &&
         !plan.isInlined(op->getResult(0));
}

/// Whether `value`, or what is computed from it as a view, is read when or
/// after `writer` overwrites it.
static bool isReadLater(Value value, Operation *writer,
                        const InlinePlan &plan) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    bool isOverwritten = user == writer && use.get() == value &&
                         (isa<ForOp, WhileOp>(writer)
                              ? llvm::count(writer->getOperands(), value) == 1
                              : use.getOperandNumber() == 0);
    // What the update reads of the array is copied first.
    bool isOwnUpdate =
        user == writer && isa<UpdateSliceOp, stablehlo::SelectOp>(writer);
    if (isOverwritten || isOwnUpdate)
      continue;
    bool isRead = isSlice(user, plan) && isCopiedSlice(user, plan);
    if (!isRead && isView(user, plan) &&
        !isScalar(user->getResult(0).getType())) {
      if (isReadLater(user->getResult(0), writer, plan))
        return true;
      continue;
    }
    if (mayRunAfter(user, writer))
      return true;
  }
  return false;
}

/// Whether an operation overwrites the array in a part, or would if no slice of
/// it were read later.
static bool mayOverwrite(OpOperand &array, const InlinePlan &plan) {
  Operation *op = array.getOwner();
  if (isa<UpdateSliceOp, ScatterOp>(op))
    return array.getOperandNumber() == 0;
  return isa<stablehlo::SelectOp>(op) && array.getOperandNumber() == 2 &&
         !plan.isInlined(op->getResult(0)) &&
         !limitsOf(op->getOperand(0)).empty();
}

bool ingot::isCopiedSlice(Operation *slice, const InlinePlan &plan) {
  if (!isSlice(slice, plan))
    return false;
  Value array = slice->getOperand(0);
  while (array.getDefiningOp<ReshapeOp>() && !plan.isInlined(array))
    array = array.getDefiningOp()->getOperand(0);
  // Slices of slices are views of a copy then.
  if (Operation *op = array.getDefiningOp(); op && isSlice(op, plan))
    return false;
  Value part = slice->getResult(0);
  if (typeOf(part).getNumElements() * 2 > typeOf(array).getNumElements())
    return false;
  return llvm::any_of(array.getUses(), [&](OpOperand &use) {
    return mayOverwrite(use, plan) && isReadLater(part, use.getOwner(), plan);
  });
}

bool ingot::isFromOutsideLoop(Value value, Operation *op) {
  Operation *loop = op->getParentOp();
  while (loop && !isa<ForOp, WhileOp>(loop))
    loop = loop->getParentOp();
  return loop && !loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// Whether a loop may overwrite the memory of an initial value.
static bool canBeOverwritten(Value init, Operation *loop,
                             const InlinePlan &plan) {
  Operation *op = init.getDefiningOp();
  DenseElementsAttr constant;
  if (op && (isa<SliceOp, DynamicSliceOp, ReshapeOp, IfOp>(op) ||
             (matchPattern(op, m_Constant(&constant)) && !constant.isSplat())))
    return false;
  auto argument = dyn_cast<BlockArgument>(init);
  auto kernel = argument
                    ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                    : func::FuncOp();
  if (kernel) {
    auto updates = kernel->getAttrOfType<DenseI64ArrayAttr>("ingot.updates");
    if (!updates ||
        !llvm::is_contained(updates.asArrayRef(), argument.getArgNumber()))
      return false;
  }
  return !isFromOutsideLoop(init, loop) && !isReadLater(init, loop, plan);
}

/// Whether `value`, computed within the loops of a store to `array`, needs
/// other elements of the array than the one which is stored, besides those of
/// `parts`, which it adds. `atSame`: it is needed at the index of the store.
static bool readsElsewhere(Value value, Value array, bool atSame,
                           const InlinePlan &plan,
                           SmallVectorImpl<Value> &parts) {
  if (value == array)
    return !atSame;
  Operation *op = value.getDefiningOp();
  if (!plan.isInlined(value)) {
    Value source = value;
    while (isa_and_nonnull<SliceOp, DynamicSliceOp, ReshapeOp>(
        source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    if (source != array || isScalar(value.getType()))
      return false;
    parts.push_back(value);
    return typeOf(value).getNumElements() * 2 > typeOf(array).getNumElements();
  }
  bool isElementwise = isa<stablehlo::StablehloDialect>(op->getDialect()) &&
                       !isa<stablehlo::BroadcastInDimOp>(op);
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    bool isSame = atSame && isElementwise && shapeOf(operand) == shapeOf(value);
    return readsElsewhere(operand, array, isSame, plan, parts);
  });
}

static bool readsElsewhere(Operation *store, const InlinePlan &plan,
                           SmallVectorImpl<Value> &parts) {
  return llvm::any_of(store->getOperands().drop_back(), [&](Value operand) {
    bool isSame = shapeOf(operand) == shapeOf(store->getResult(0));
    return readsElsewhere(operand, store->getOperand(2), isSame, plan, parts);
  });
}

SmallVector<Value> ingot::partsRead(Operation *store, const InlinePlan &plan) {
  SmallVector<Value> parts;
  readsElsewhere(store, plan, parts);
  return parts;
}

bool ingot::isWindowStore(Operation *op, const InlinePlan &plan) {
  if (!isa<stablehlo::SelectOp>(op) || isScalar(op->getResult(0).getType()) ||
      plan.isInlined(op->getResult(0)) || plan.isInlined(op->getOperand(2)))
    return false;
  SmallVector<Value> parts;
  return !limitsOf(op->getOperand(0)).empty() &&
         !readsElsewhere(op, plan, parts) &&
         canBeOverwritten(op->getOperand(2), op, plan);
}

bool ingot::isCopied(Operation *loop, unsigned number, const InlinePlan &plan) {
  Region &body = loop->getRegions().back();
  Value next = body.front().getTerminator()->getOperand(number);
  return next != carriedArguments(body)[number] &&
         !canBeOverwritten(carriedOperands(loop)[number], loop, plan);
}

/// The same as `isInPlace`; `shown` has the results of branches that are.
static bool isInPlace(Value value, Value carried, const InlinePlan &plan,
                      DenseSet<Value> &shown) {
  while ((value = unchanged(value)) != carried) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto branch = dyn_cast<IfOp>(op)) {
      if (!shown.insert(value).second)
        return true;
      // Where one of them is not, nothing around it is.
      return llvm::all_of(branch->getRegions(), [&](Region &region) {
        return isInPlace(region.front().getTerminator()->getOperand(number),
                         carried, plan, shown);
      });
    }
    if (isa<ForOp, WhileOp>(op)) {
      if (isCopied(op, number, plan))
        return false;
      value = carriedOperands(op)[number];
      continue;
    }
    OpOperand *overwritten = overwrittenOperand(op, plan);
    if (!overwritten || isReadLater(overwritten->get(), op, plan))
      return false;
    value = overwritten->get();
  }
  return true;
}

bool ingot::isInPlace(Value value, Value carried, const InlinePlan &plan) {
  DenseSet<Value> shown;
  return ::isInPlace(value, carried, plan, shown);
}
