//===- InPlace.cpp - Which carried arrays are overwritten in place --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Simplify/Rows.h"
#include "Windows.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

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

/// The rows of a carried array of which each iteration stores one, if it does
/// nothing else with the array.
static std::optional<std::pair<Row, Span>> storedRows(ForOp loop,
                                                      unsigned number) {
  BlockArgument carried = loop.getBody().front().getArgument(number + 1);
  auto update = carried.hasOneUse()
                    ? dyn_cast<UpdateSliceOp>(*carried.user_begin())
                    : UpdateSliceOp();
  if (!update || update.getOperand() != carried ||
      update->getBlock() != carried.getOwner() || !update->hasOneUse())
    return std::nullopt;
  OpOperand &use = *update->use_begin();
  if (use.getOwner() != carried.getOwner()->getTerminator() ||
      use.getOperandNumber() != number)
    return std::nullopt;
  auto row = rowOf(carried, shapeOf(update.getUpdate()), update.getStarts());
  auto span = row ? spanOf(*row, loop) : std::nullopt;
  if (!span)
    return std::nullopt;
  return std::make_pair(*row, *span);
}

/// Whether the iterations store to all rows of a carried array and do nothing
/// else with it, as those do that stack values.
static bool isStacked(ForOp loop, unsigned number) {
  auto stored = storedRows(loop, number);
  return stored && stored->second.count == stored->first.count();
}

bool ingot::areIndependent(ForOp loop) {
  auto numbers = llvm::seq<unsigned>(loop.getNumResults());
  return !numbers.empty() && llvm::all_of(numbers, [&](unsigned number) {
    return storedRows(loop, number).has_value();
  });
}

bool ingot::isOverwritten(Operation *loop, unsigned number) {
  auto numbers = loop->getAttrOfType<DenseI64ArrayAttr>("ingot.overwritten");
  if (numbers && llvm::is_contained(numbers.asArrayRef(), number))
    return true;
  auto counted = dyn_cast<ForOp>(loop);
  // Others may be carried by the loop around, whose memory they must keep.
  return counted && splatOf(counted.getInits()[number]) &&
         isStacked(counted, number);
}

/// The array in whose memory an operation stores its result, if there is one.
static Value overwrittenArray(Operation *op, const InlinePlan &plan) {
  if (isa<UpdateSliceOp, ScatterOp>(op))
    return op->getOperand(0);
  return overwrittenBy(op, plan);
}

static Value originOf(Value value, const InlinePlan &plan, Known &known) {
  while (Operation *op = (value = unchanged(value)).getDefiningOp()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (Value overwritten = overwrittenArray(op, plan)) {
      value = overwritten;
    } else if (isa<ForOp, WhileOp>(op)) {
      if (isOverwritten(op, number))
        break;
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

/// The same as `isReadLater` below, for values that are not in `seen`: what is
/// computed within loops may be reached on many paths.
static bool isReadLater(Value value, Operation *writer, const InlinePlan &plan,
                        DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    bool isOverwritten = user == writer && use.get() == value &&
                         (isa<ForOp, WhileOp>(writer)
                              ? llvm::count(writer->getOperands(), value) == 1
                              : use.getOperandNumber() == 0);
    // What the update reads of other elements of the array is copied first.
    bool isOwnUpdate =
        user == writer && (isa<UpdateSliceOp>(writer) || isElementwise(writer));
    if (isOverwritten || isOwnUpdate)
      continue;
    bool isRead = isSlice(user, plan) && isCopiedSlice(user, plan);
    if (!isRead && isView(user, plan) &&
        !isScalar(user->getResult(0).getType())) {
      if (isReadLater(user->getResult(0), writer, plan, seen))
        return true;
      continue;
    }
    if (mayRunAfter(user, writer))
      return true;
  }
  return false;
}

/// Whether `value`, or what is computed from it as a view, is read when or
/// after `writer` overwrites it.
static bool isReadLater(Value value, Operation *writer,
                        const InlinePlan &plan) {
  DenseSet<Value> seen;
  return isReadLater(value, writer, plan, seen);
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

static bool isLargePart(Value part, Value array) {
  return typeOf(part).getNumElements() * 2 > typeOf(array).getNumElements();
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
  // Copies of two such parts would cost more than one of the array.
  bool isLarge = isLargePart(part, array);
  if (isLarge && llvm::any_of(array.getUsers(), [&](Operation *user) {
        return user != slice && isSlice(user, plan) &&
               isLargePart(user->getResult(0), array);
      }))
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

namespace {

/// What an elementwise operation reads of an array in whose memory it could
/// store its result.
class OwnReads {
public:
  OwnReads(Value array, const InlinePlan &plan) : array(array), plan(plan) {}

  /// Whether `value`, computed within the loops of the store, needs other
  /// elements of the array than the one which is stored, besides those of
  /// `parts`, which it adds. `atSame`: it is needed at the index of the store.
  bool isElsewhere(Value value, bool atSame) {
    if (value == array)
      return !atSame;
    if (!seen.insert(llvm::PointerIntPair<Value, 1, bool>(value, atSame))
             .second)
      return false;
    if (!plan.isInlined(value))
      return readsLargePart(value);
    return isElsewhere(value.getDefiningOp(), atSame);
  }

  bool isElsewhere(Operation *op, bool atSame) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      bool isSame = atSame && isElementwise(op) &&
                    shapeOf(operand) == shapeOf(op->getResult(0));
      return isElsewhere(operand, isSame);
    });
  }

  SmallVector<Value> parts;

private:
  /// Whether a value in memory is a slice of the array that is too large to be
  /// copied.
  bool readsLargePart(Value value) {
    Value source = value;
    while (isa_and_nonnull<SliceOp, DynamicSliceOp, ReshapeOp>(
        source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    if (source != array || isScalar(value.getType()))
      return false;
    parts.push_back(value);
    return isLargePart(value, array);
  }

  Value array;
  const InlinePlan &plan;
  DenseSet<llvm::PointerIntPair<Value, 1, bool>> seen;
};

} // namespace

/// Finds the arrays in memory, in the block of an operation, from which `value`
/// is computed elementwise.
static void findSources(Value value, Operation *op, const InlinePlan &plan,
                        DenseSet<Value> &seen, SmallVector<Value> &found) {
  if (value.getType() != op->getResult(0).getType() ||
      !seen.insert(value).second)
    return;
  if (!plan.isInlined(value)) {
    if (value.getParentBlock() == op->getBlock())
      found.push_back(value);
    return;
  }
  Operation *source = value.getDefiningOp();
  if (isElementwise(source))
    for (Value operand : source->getOperands())
      findSources(operand, op, plan, seen, found);
}

/// Whether a version of the value may be what a loop's body yields as the
/// result of this number.
static bool leadsTo(Value value, unsigned number, DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->hasTrait<OpTrait::IsTerminator>())
      return use.getOperandNumber() == number;
    bool isVersion =
        isElementwise(user) ||
        (isa<UpdateSliceOp, ScatterOp>(user) && use.getOperandNumber() == 0);
    return isVersion && leadsTo(user->getResult(0), number, seen);
  });
}

/// Whether an array is not carried by the loop around an operation, or its next
/// version may be one of the operation's result: a loop that carries several
/// arrays should not have to exchange their memory.
static bool staysInSlot(Value array, Operation *op) {
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument || !isa<ForOp, WhileOp>(op->getParentOp()))
    return true;
  ArrayRef<BlockArgument> carried = carriedArguments(*op->getParentRegion());
  auto *place = llvm::find(carried, argument);
  DenseSet<Value> seen;
  return place != carried.end() &&
         leadsTo(op->getResult(0), place - carried.begin(), seen);
}

static bool isStoredOver(Operation *op, Value array, const InlinePlan &plan) {
  return !plan.isInlined(array) &&
         !OwnReads(array, plan).isElsewhere(op, /*atSame=*/true) &&
         canBeOverwritten(array, op, plan);
}

/// Bufferization takes quadratic time for a chain of stores to one array: four
/// seconds for 600 of them. Results get memory of their own in such a block.
constexpr unsigned longBlock = 512;

Value ingot::overwrittenBy(Operation *op, const InlinePlan &plan) {
  if (!isElementwise(op) || isScalar(op->getResult(0).getType()) ||
      plan.isInlined(op->getResult(0)))
    return {};
  if (isWindowStore(op, plan))
    return op->getOperand(2);
  if (llvm::hasNItemsOrMore(*op->getBlock(), longBlock))
    return {};
  DenseSet<Value> seen;
  SmallVector<Value> sources;
  for (Value operand : op->getOperands())
    findSources(operand, op, plan, seen, sources);
  auto *found = llvm::find_if(sources, [&](Value array) {
    return staysInSlot(array, op) && isStoredOver(op, array, plan);
  });
  return found == sources.end() ? Value() : *found;
}

SmallVector<Value> ingot::partsRead(Operation *store, Value array,
                                    const InlinePlan &plan) {
  OwnReads reads(array, plan);
  reads.isElsewhere(store, /*atSame=*/true);
  return reads.parts;
}

bool ingot::isWindowStore(Operation *op, const InlinePlan &plan) {
  return isa<stablehlo::SelectOp>(op) &&
         !isScalar(op->getResult(0).getType()) &&
         !plan.isInlined(op->getResult(0)) &&
         !limitsOf(op->getOperand(0)).empty() &&
         isStoredOver(op, op->getOperand(2), plan);
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
    Value overwritten = overwrittenArray(op, plan);
    if (!overwritten || isReadLater(overwritten, op, plan))
      return false;
    value = overwritten;
  }
  return true;
}

bool ingot::isInPlace(Value value, Value carried, const InlinePlan &plan) {
  DenseSet<Value> shown;
  return ::isInPlace(value, carried, plan, shown);
}
