//===- CarriedArrays.cpp - Arrays that loops update in parts --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedArrays.h"
#include "Regions.h"

using namespace mlir;
using namespace ingot;

bool ingot::addPassedOn(ForOp loop, BlockArgument carried, OpOperand &use,
                        llvm::SetVector<Value> &values) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (user == loop.getBody().front().getTerminator())
    return number + 1 == carried.getArgNumber();
  Operation *around = isa<YieldOp>(user) ? user->getParentOp() : user;
  if (!isa<IfOp, ForOp, WhileOp>(around))
    return false;
  if (!isa<YieldOp>(user)) {
    unsigned fixed = user->getNumOperands() - carriedOperands(user).size();
    if (isa<IfOp>(user) || number < fixed)
      return false;
    number -= fixed;
  }
  auto carriers = carriersOf(around->getResult(number));
  values.insert(carriers.begin(), carriers.end());
  return true;
}

bool ingot::isClosed(const llvm::SetVector<Value> &values) {
  return llvm::all_of(values, [&](Value value) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !isa<IfOp, ForOp, WhileOp>(result.getOwner()))
      return true;
    return llvm::all_of(sourcesOf(result),
                        [&](Value source) { return values.contains(source); });
  });
}

Value ingot::arrayBefore(IfOp branch, Value value) {
  while (branch->isAncestor(value.getParentBlock()->getParentOp())) {
    auto result = cast<OpResult>(value);
    Operation *op = result.getOwner();
    if (isa<ScatterOp, UpdateSliceOp>(op))
      value = op->getOperand(0);
    else
      value = sourcesOf(result).front();
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Which indices are used
//===----------------------------------------------------------------------===//

namespace {
/// The indices along an axis from `first` to before `end`.
struct Span {
  Index first, end;

  /// Whether it is known that no index is in both.
  bool isApartFrom(const Span &other) const;
};
} // namespace

static bool isAtMost(const Index &lhs, const Index &rhs) {
  return lhs.base == rhs.base && lhs.offset <= rhs.offset;
}

bool Span::isApartFrom(const Span &other) const {
  return isAtMost(end, other.first) || isAtMost(other.end, first);
}

/// Narrows a span from index `start` on to the positions for which a mask
/// holds.
static void narrow(Span &span, Value mask, int64_t start) {
  if (auto both = mask.getDefiningOp<AndOp>()) {
    narrow(span, both->getOperand(0), start);
    return narrow(span, both->getOperand(1), start);
  }
  auto compare = mask.getDefiningOp<CompareOp>();
  if (!compare || !compare->getOperand(0).getDefiningOp<IotaOp>() ||
      typeOf(compare->getOperand(1)).getRank() != 0)
    return;
  Index bound = indexOf(compare->getOperand(1));
  bound.offset += start;
  switch (compare.getComparison()) {
  case Comparison::LT:
    span.end = bound;
    return;
  case Comparison::LE:
    span.end = {bound.base, bound.offset + 1};
    return;
  case Comparison::GE:
    span.first = bound;
    return;
  case Comparison::GT:
    span.first = {bound.base, bound.offset + 1};
    return;
  default:
    return;
  }
}

/// Narrows the span of a vector whose other elements a `select` replaces by a
/// number.
static void narrowToMask(Span &span, Operation *read) {
  Value vector = reshapedOnce(read->getResult(0));
  auto select = vector.hasOneUse() ? dyn_cast<SelectOp>(*vector.user_begin())
                                   : SelectOp();
  if (select && typeOf(vector).getRank() == 1 && !span.first.base &&
      select->getOperand(1) == vector && splatOf(select->getOperand(2)))
    narrow(span, select->getOperand(0), span.first.offset);
}

/// Replaces the index of a loop, or of one in it, by the least or the greatest
/// one, as long as the index follows from one.
static void extend(Index &index, ForOp around, bool isFirst) {
  auto argument = dyn_cast_or_null<BlockArgument>(index.base);
  auto loop =
      argument ? dyn_cast<ForOp>(argument.getOwner()->getParentOp()) : ForOp();
  auto step = loop ? boundOf(loop.getStep()) : std::nullopt;
  if (!step || *step == 0 || argument.getArgNumber() != 0 ||
      !around->isAncestor(loop))
    return;
  bool isDescending = *step < 0, isLower = isFirst != isDescending;
  // The last index is less than the upper bound, or more if it descends.
  int64_t beside = isLower ? 0 : isDescending ? 1 : -1;
  Index limit = indexOf(isLower ? loop.getLower() : loop.getUpper());
  index = {limit.base, limit.offset + index.offset + beside};
  extend(index, around, isFirst);
}

/// Those that all iterations of a loop may use of what an access reads or
/// writes. What a mask takes from a read part is not counted.
static Span spanOf(ForOp loop, Operation *access, int64_t axis) {
  Part part = partOf(access);
  Span span{part.starts[axis], part.starts[axis]};
  span.end.offset += part.reach(axis) + 1;
  bool isVector = !isa<UpdateSliceOp>(access) && part.strides[axis] == 1;
  for (auto [each, size] : llvm::enumerate(part.sizes))
    isVector &= size == 1 || int64_t(each) == axis;
  if (isVector)
    narrowToMask(span, access);

  extend(span.first, loop, /*isFirst=*/true);
  extend(span.end, loop, /*isFirst=*/false);
  return span;
}

bool ingot::areApart(ForOp loop, Operation *read, Operation *update) {
  for (int64_t axis = 0, rank = partOf(update).sizes.size(); axis < rank;
       ++axis)
    if (spanOf(loop, read, axis).isApartFrom(spanOf(loop, update, axis)))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Carried arrays
//===----------------------------------------------------------------------===//

/// Whether each branch among these values returns one of them, and its regions
/// update the same array.
static bool haveOneRoot(const llvm::SetVector<Value> &values) {
  DenseSet<Operation *> branches;
  return llvm::all_of(values, [&](Value value) {
    auto branch = value.getDefiningOp<IfOp>();
    if (!branch)
      return true;
    if (!branches.insert(branch).second)
      return false;
    auto sources = sourcesOf(cast<OpResult>(value));
    return arrayBefore(branch, sources[0]) == arrayBefore(branch, sources[1]);
  });
}

std::optional<CarriedArray> ingot::carriedArrayOf(ForOp loop,
                                                  BlockArgument carried) {
  CarriedArray array;
  array.values.insert(carried);
  for (unsigned i = 0; i < array.values.size(); ++i)
    for (OpOperand &use : array.values[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<SliceOp, DynamicSliceOp>(user)) {
        array.reads.push_back(user);
        continue;
      }
      if (!isa<UpdateSliceOp, ScatterOp>(user)) {
        if (!addPassedOn(loop, carried, use, array.values))
          return std::nullopt;
        continue;
      }
      if (use.getOperandNumber() != 0)
        return std::nullopt;
      if (auto update = dyn_cast<UpdateSliceOp>(user))
        array.updates.push_back(update);
      else
        array.scatters.push_back(cast<ScatterOp>(user));
      array.values.insert(user->getResult(0));
    }
  Value next = loop.getBody().front().getTerminator()->getOperand(
      carried.getArgNumber() - 1);
  if (!array.values.contains(next) || !isClosed(array.values) ||
      !haveOneRoot(array.values))
    return std::nullopt;
  return array;
}

std::optional<SmallVector<Addition>>
ingot::additionsTo(const CarriedArray &array) {
  SmallVector<Addition> found;
  for (UpdateSliceOp update : array.updates) {
    auto addition = additionOf(update);
    bool isWhole = shapeOf(update.getUpdate()) == shapeOf(update.getOperand());
    if (!addition || addition->mask || isWhole)
      return std::nullopt;
    found.push_back(*addition);
  }
  bool isAll = found.size() == array.reads.size() &&
               llvm::all_of(array.scatters, [](ScatterOp scatter) {
                 return scatter.getKind() == ScatterKind::Add;
               });
  return isAll ? std::optional(found) : std::nullopt;
}
