//===- LoopRoles.cpp - What iterations do to carried values ---------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRoles.h"
#include "Bytes.h"
#include "Intervals.h"
#include "Regions.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

/// Fewer steps of a recurrence take less time than finding all together.
static constexpr int64_t leastSteps = 8;

//===----------------------------------------------------------------------===//
// What the iterations do to a carried value
//===----------------------------------------------------------------------===//

/// Finds the indices that the iterations may have.
bool LoopRoles::findIndex() {
  auto step = boundOf(loop.getStep());
  if (!step || *step == 0)
    return false;
  isDescending = *step < 0;
  if (auto count = rangeOf(loop).knownCount()) {
    int64_t first = *boundOf(loop.getLower());
    if (isDescending)
      first += *step * (*count - 1);
    index = {first, std::abs(*step), *count};
    return true;
  }
  if (std::abs(*step) != 1)
    return false;
  hasOthers = true;
  auto interval = intervalOf(body.getArgument(0));
  isCut = !interval;
  // Without bounds, the axes of the updated arrays are what limits it.
  if (!interval)
    interval = {-largestBound, largestBound};
  index = {interval->least, 1, interval->most - interval->least + 1};
  return true;
}

/// Limits the lanes to those whose index, plus an offset, is one of an axis.
bool LoopRoles::limitTo(int64_t size, int64_t offset) {
  Steps own = index;
  own.first += offset;
  if (own.isWithin(size))
    return true;
  if (!hasOthers)
    return false;
  isCut = true;
  int64_t first = std::max<int64_t>(own.first, 0),
          last = std::min<int64_t>(own.last(), size - 1);
  index = {first - offset, 1, last - first + 1};
  return true;
}

/// Whether a part has one element along an axis, that of the iteration.
bool LoopRoles::isOwn(const Part &part, int64_t axis, int64_t offset) {
  return part.starts[axis] == Index{body.getArgument(0), offset} &&
         part.sizes[axis] == 1;
}

/// Whether all elements of a part come after that of the iteration along an
/// axis, so that no iteration before has stored them.
bool LoopRoles::isEarly(const Part &part, int64_t axis, int64_t offset) {
  Index first = part.starts[axis];
  return first.base == body.getArgument(0) &&
         (isDescending ? first.offset + part.reach(axis) < offset
                       : first.offset > offset);
}

/// Whether each iteration has elements of its own along one axis.
bool LoopRoles::hasOwnParts(const CarriedArray &array, Value init) {
  if (array.updates.empty() || !array.scatters.empty())
    return false;
  UpdateSliceOp first = array.updates.front();
  SmallVector<Index> starts = partOf(first).starts;
  for (auto [axis, start] : llvm::enumerate(starts)) {
    if (start.base != body.getArgument(0))
      continue;
    SmallVector<Operation *> ahead;
    bool isOnly = llvm::all_of(array.updates, [&](Operation *update) {
      return isOwn(partOf(update), axis, start.offset);
    });
    isOnly = isOnly && llvm::all_of(array.reads, [&](Operation *read) {
               if (isEarly(partOf(read), axis, start.offset)) {
                 ahead.push_back(read);
                 return true;
               }
               return isOwn(partOf(read), axis, start.offset) ||
                      llvm::all_of(array.updates, [&](Operation *update) {
                        return areApart(loop, read, update);
                      });
             });
    int64_t size = shapeOf(first.getOperand())[axis];
    if (!isOnly || !limitTo(size, start.offset))
      continue;
    for (Operation *read : ahead)
      early.emplace_back(read, init);
    return true;
  }
  return false;
}

/// Whether a loop rounds each of its sums more than a reduction does, which
/// computes in f32.
static bool isHalf(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && type.getWidth() < 32;
}

/// How an operation of two values of one type combines them.
static std::optional<ReduceKind> kindOf(Operation *op) {
  Type element = elementOf(op->getResult(0));
  bool isPred = element.isInteger(1), isSummed = !isPred && !isHalf(element);
  return TypeSwitch<Operation *, std::optional<ReduceKind>>(op)
      .Case<AddOp, SubOp>([&](auto) {
        return isSummed ? std::optional(ReduceKind::Add) : std::nullopt;
      })
      .Case([&](MulOp) {
        return isSummed ? std::optional(ReduceKind::Mul) : std::nullopt;
      })
      .Case([](MaximumOp) { return ReduceKind::Max; })
      .Case([](MinimumOp) { return ReduceKind::Min; })
      .Case([&](AndOp) {
        return isPred ? std::optional(ReduceKind::And) : std::nullopt;
      })
      .Case([&](OrOp) {
        return isPred ? std::optional(ReduceKind::Or) : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// How the iterations combine values with a carried one, if none does anything
/// else with what it is before or after that.
std::optional<ReduceKind> LoopRoles::reductionOf(BlockArgument argument) {
  llvm::SetVector<Value> values;
  values.insert(argument);
  std::optional<ReduceKind> found;
  SmallVector<Operation *> combined;
  for (unsigned i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      auto select = dyn_cast<SelectOp>(user);
      if (isa<ReshapeOp>(user) || (select && use.getOperandNumber() != 0)) {
        values.insert(user->getResult(0));
        continue;
      }
      if (addPassedOn(loop, argument, use, values))
        continue;
      auto kind = user->getNumResults() == 1 ? kindOf(user) : std::nullopt;
      bool isSame = kind && (!found || *kind == *found) &&
                    user->getResult(0).getType() == values[i].getType() &&
                    !(isa<SubOp>(user) && use.getOperandNumber() == 1);
      if (!isSame)
        return std::nullopt;
      found = kind;
      combined.push_back(user);
      values.insert(user->getResult(0));
    }
  for (Operation *op : combined)
    if (values.contains(op->getOperand(0)) &&
        values.contains(op->getOperand(1)))
      return std::nullopt;
  for (Value value : values)
    for (unsigned i : {1, 2})
      if (auto select = value.getDefiningOp<SelectOp>();
          select && (select->getOperand(i).getType() != select.getType() ||
                     !values.contains(select->getOperand(i))))
        return std::nullopt;
  Value next = body.getTerminator()->getOperand(argument.getArgNumber() - 1);
  return values.contains(next) && isClosed(values) ? found : std::nullopt;
}

bool LoopRoles::findRole(BlockArgument argument) {
  if (argument.use_empty()) {
    carried.push_back({argument, Role::Last});
    return !hasOthers ||
           loop.getResult(argument.getArgNumber() - 1).use_empty();
  }
  auto array = carriedArrayOf(loop, argument);
  Value init = loop.getInits()[argument.getArgNumber() - 1];
  bool hasParts = array && hasOwnParts(*array, init);
  auto added = array && !hasParts ? additionsTo(*array) : std::nullopt;
  if (added)
    llvm::append_range(additions, *added);
  if (hasParts || added) {
    carried.push_back({argument, Role::Common});
    return true;
  }
  if (auto kind = reductionOf(argument)) {
    carried.push_back({argument, Role::Reduced, *kind});
    return true;
  }
  return isRunning(argument) || isExtremum(argument) || isChosen(argument) ||
         isRecurrent(argument);
}

/// The operation of the body that computes the next value, or null.
Operation *LoopRoles::lastStep(BlockArgument argument) {
  Operation *step = body.getTerminator()
                        ->getOperand(argument.getArgNumber() - 1)
                        .getDefiningOp();
  bool isInBody = step && step->getBlock() == &body &&
                  step->getNumResults() == 1 &&
                  step->getResult(0).getType() == argument.getType();
  return isInBody ? step : nullptr;
}

/// Whether a step of the body combines the value with another one.
bool LoopRoles::isRunning(BlockArgument argument) {
  Operation *step = lastStep(argument);
  auto kind = step && !isa<SubOp>(step) ? kindOf(step) : std::nullopt;
  if (!kind || *kind == ReduceKind::And || *kind == ReduceKind::Or)
    return false;
  bool isRight = step->getOperand(1) == argument;
  Value value = step->getOperand(isRight ? 0 : 1);
  if (step->getOperand(isRight ? 1 : 0) != argument || value == argument ||
      value.getType() != argument.getType())
    return false;
  carried.push_back({argument, Role::Running, *kind, step, {value}});
  return true;
}

/// Pattern: value > carried ? value : carried
bool LoopRoles::isExtremum(BlockArgument argument) {
  auto step = dyn_cast_or_null<SelectOp>(lastStep(argument));
  auto compare =
      step ? step->getOperand(0).getDefiningOp<CompareOp>() : CompareOp();
  if (!compare || isa<ComplexType>(elementOf(argument)))
    return false;
  Value lhs = compare->getOperand(0), rhs = compare->getOperand(1),
        then = step->getOperand(1), otherwise = step->getOperand(2);
  bool isGreater = compare.getComparison() == Comparison::GT ||
                   compare.getComparison() == Comparison::GE,
       isLess = compare.getComparison() == Comparison::LT ||
                compare.getComparison() == Comparison::LE;
  bool isLeft = then == lhs && otherwise == rhs,
       isRight = then == rhs && otherwise == lhs;
  Value value = then == argument ? otherwise : then;
  if ((!isGreater && !isLess) || (!isLeft && !isRight) ||
      !llvm::is_contained({then, otherwise}, Value(argument)) ||
      value == argument || value.getType() != argument.getType())
    return false;
  // NaN replaces the value where it is not on the left.
  if (otherwise != argument && isa<FloatType>(elementOf(argument)))
    return false;
  ReduceKind kind = isGreater == isLeft ? ReduceKind::Max : ReduceKind::Min;
  carried.push_back({argument, Role::Running, kind, step, {value}});
  return true;
}

/// Pattern: condition ? value : carried, where nothing else reads it
bool LoopRoles::isChosen(BlockArgument argument) {
  auto step = dyn_cast_or_null<SelectOp>(lastStep(argument));
  if (!step || !argument.hasOneUse() || !step->hasOneUse() ||
      typeOf(step->getOperand(0)).getRank() != 0)
    return false;
  bool isSecond = step->getOperand(1) == argument;
  Value value = step->getOperand(isSecond ? 2 : 1);
  if (step->getOperand(isSecond ? 1 : 2) != argument ||
      value.getType() != argument.getType())
    return false;
  carried.push_back({argument, Role::Chosen, ReduceKind::Add, step, {value}});
  return true;
}

bool LoopRoles::isRecurrent(BlockArgument argument) {
  if (!limits.recurrences || index.count < leastSteps ||
      isHalf(elementOf(argument)))
    return false;
  auto found = recurrenceOf(loop, argument);
  if (!found)
    return false;
  Carried made{argument, Role::Recurrent, ReduceKind::Add, found->path.back(),
               found->others};
  made.recurrence = std::move(*found);
  carried.push_back(std::move(made));
  return true;
}

bool LoopRoles::findOrder() {
  order.clear();
  known.clear();
  SmallVector<const Carried *> open;
  for (const Carried &each : carried)
    if (each.role == Role::Running || each.role == Role::Recurrent)
      open.push_back(&each);
  SmallVector<Operation *> rest;
  for (Operation &op : body.without_terminator())
    if (llvm::none_of(carried, [&](auto &each) { return each.step == &op; }))
      rest.push_back(&op);
  while (true) {
    DenseSet<Value> unknown;
    for (const Carried *each : open) {
      unknown.insert(each->argument);
      unknown.insert(each->step->getResult(0));
    }
    llvm::erase_if(rest, [&](Operation *op) {
      bool isKnown = true;
      op->walk([&](Operation *inner) {
        isKnown &= llvm::none_of(inner->getOperands(), [&](Value operand) {
          return unknown.contains(operand);
        });
      });
      if (isKnown)
        order.push_back(op);
      else
        unknown.insert(op->result_begin(), op->result_end());
      return isKnown;
    });
    auto next = llvm::find_if(open, [&](const Carried *each) {
      return llvm::none_of(
          each->values, [&](Value value) { return unknown.contains(value); });
    });
    if (next == open.end())
      return open.empty();
    known.emplace_back(order.size(), *next);
    open.erase(next);
  }
}

Lanes LoopRoles::lanesOf() {
  SmallVector<Value> differing{body.getArgument(0)};
  DenseSet<Value> common;
  for (const Carried &each : carried) {
    if (each.role != Role::Common) {
      differing.push_back(each.argument);
      continue;
    }
    auto array = carriedArrayOf(loop, each.argument);
    common.insert(array->values.begin(), array->values.end());
  }
  return Lanes(loop.getBody(), differing, std::move(common));
}

/// Whether the lanes read slices of more than one element, from other indices
/// than one each.
bool LoopRoles::isGather(DynamicSliceOp read, const Lanes &lanes) {
  Part part = partOf(read);
  int64_t differing = 0;
  for (auto [axis, start] : llvm::enumerate(read.getStarts()))
    if (lanes.differ(start)) {
      bool isOne = part.starts[axis].base == body.getArgument(0) &&
                   part.sizes[axis] == 1;
      differing += isOne ? 1 : 2;
    }
  return differing > 1 && typeOf(read.getResult()).getNumElements() > 1;
}

/// Whether the values of all lanes take little memory.
bool LoopRoles::isSmall() {
  Lanes lanes = lanesOf();
  int64_t most = 0;
  loop.getBody().walk([&](Operation *op) {
    auto read = dyn_cast<DynamicSliceOp>(op);
    int64_t cost = read && isGather(read, lanes) ? limits.gatherCost : 1;
    for (Value result : op->getResults())
      if (lanes.differ(result))
        most = std::max(most, cost * bytesOf(result.getType()));
  });
  for (const Addition &each : additions)
    if (each.isWindow())
      most = std::max(most, limits.gatherCost *
                                bytesOf(each.sum->getResult(0).getType()));
  return index.count <= limits.mostBytes / std::max<int64_t>(most, 1);
}

/// Whether lanes can run an operation at the same time.
static bool canRunTogether(Operation *op) {
  if (isa<IfOp, ForOp, WhileOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (isa<AllGatherOp, AxisIndexOp, PpermuteOp, PsumOp, ShardOp>(op))
    return false;
  return op->getNumRegions() == 0 && (isPure(op) || isa<AssertOp>(op)) &&
         (op->hasTrait<ElementwiseTrait>() ||
          isa<AssertOp, BroadcastToOp, ConstantOp, DotGeneralOp, DynamicSliceOp,
              GatherOp, IotaOp, PadOp, ScatterOp, SliceOp, UpdateSliceOp,
              BatchableOpInterface>(op));
}

const char *LoopRoles::find() {
  if (!findIndex())
    return "its range is not known";
  bool canRun = true, hasChecks = false;
  loop.getBody().walk([&](Operation *op) {
    canRun &= canRunTogether(op);
    hasChecks |= isa<AssertOp>(op);
  });
  if (!canRun)
    return "it has operations that run one after the other";
  for (BlockArgument argument : body.getArguments().drop_front())
    if (!findRole(argument))
      return "an iteration depends on earlier ones";
  if (index.count < 2)
    return "it has one iteration";
  if (!findOrder())
    return "an iteration depends on earlier ones";
  if (isCut && hasChecks)
    return "it has checks, and its range is not known";
  if (!isSmall())
    return "the values of all iterations would take much memory";
  return nullptr;
}
