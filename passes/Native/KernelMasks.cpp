//===- KernelMasks.cpp - What masks select in kernels ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ingot;

/// So many elements are counted at once: a block without true elements is
/// passed over, and one that has no others is stored as a run.
static constexpr int64_t blockSize = 32;
/// So many elements are handled by the body of a loop over a block.
static constexpr int64_t together = 8;

namespace {
/// Looks for the true elements along the last axis of a mask.
class Finder {
public:
  /// `holds` is the element at the last axis' index.
  using Holds = function_ref<Value(Value index)>;

  Finder(OpBuilder &builder, mlir::Location location, Scalars &scalars,
         Loops &loops, Holds holds, const KernelBody::Selected &selected)
      : b(builder), location(location), scalars(scalars), loops(loops),
        holds(holds), selected(selected) {}

  /// What is carried: the array that is stored to, and how many were found.
  using Found = SmallVector<Value>;

  /// Finds those from `begin` up to `end`, which is at most `size`.
  Found find(int64_t size, Value begin, Value end, ValueRange found);

private:
  Found take(Value position, ValueRange found);
  Found search(Loop range, Value first, ValueRange found);
  Found searchMixed(Value first, ValueRange found);
  using Step = function_ref<Found(ValueRange positions, Found next)>;
  Found overBlock(Value first, ValueRange found, Step step);
  Found searchBlock(Value first, ValueRange found);
  Found takeBlock(Value first, ValueRange found);
  Value countIn(Value first);

  OpBuilder &b;
  mlir::Location location;
  Scalars &scalars;
  Loops &loops;
  Holds holds;
  const KernelBody::Selected &selected;
};
} // namespace

/// What belongs to an element is stored behind that of those found before, and
/// counts if the element is true: there is no branch to mispredict.
Finder::Found Finder::take(Value position, ValueRange found) {
  Value one = scalars.toIndex(holds(position), /*isUnsigned=*/true);
  Value element = selected.at(position, found[0]);
  return {selected.insert(element, found[0], found[1]),
          scalars.emit<arith::AddIOp>(found[1], one)};
}

Finder::Found Finder::search(Loop range, Value first, ValueRange found) {
  Value index;
  return loops.nest(range, found, index, [&](ValueRange carried) {
    return take(scalars.emit<arith::AddIOp>(first, index), carried);
  });
}

Finder::Found Finder::searchMixed(Value first, ValueRange found) {
  return overBlock(first, found, [&](ValueRange positions, Found next) {
    for (Value position : positions)
      next = take(position, next);
    return next;
  });
}

/// Elements are read before others are stored where they were, so that neither
/// has to wait for the other.
Finder::Found Finder::takeBlock(Value first, ValueRange found) {
  Value place = scalars.emit<arith::SubIOp>(found[1], first);
  return overBlock(first, found, [&](ValueRange positions, Found next) {
    SmallVector<Value> elements;
    for (Value position : positions)
      elements.push_back(selected.at(position, next[0]));
    for (auto [position, element] : llvm::zip_equal(positions, elements))
      next[0] = selected.insert(element, next[0],
                                scalars.emit<arith::AddIOp>(position, place));
    next[1] = scalars.emit<arith::AddIOp>(next[1], scalars.index(together));
    return next;
  });
}

Finder::Found Finder::overBlock(Value first, ValueRange found, Step step) {
  Value number, size = scalars.index(together);
  return loops.nest(
      Loop{blockSize / together}, found, number, [&](ValueRange carried) {
        Value next = scalars.emit<arith::AddIOp>(
            first, scalars.emit<arith::MulIOp>(number, size));
        SmallVector<Value> positions;
        for (int64_t i : llvm::seq(together))
          positions.push_back(
              scalars.emit<arith::AddIOp>(next, scalars.index(i)));
        return step(positions, llvm::to_vector(carried));
      });
}

/// In a byte, so that as many as possible are added at once.
Value Finder::countIn(Value first) {
  Value index, zero = scalars.number(0, b.getI8Type());
  return loops.nest(
      Loop{blockSize}, zero, index, [&](ValueRange carried) -> Found {
        Value position = scalars.emit<arith::AddIOp>(first, index);
        Value one =
            scalars.emit<arith::ExtUIOp>(b.getI8Type(), holds(position));
        return {scalars.emit<arith::AddIOp>(carried[0], one)};
      })[0];
}

Finder::Found Finder::searchBlock(Value first, ValueRange found) {
  Value count = countIn(first);
  auto branch = [&](arith::CmpIPredicate how, int64_t number,
                    function_ref<Found()> then, function_ref<Found()> other) {
    Value bound = scalars.number(number, b.getI8Type());
    Value condition = scalars.emit<arith::CmpIOp>(how, count, bound);
    auto op = scf::IfOp::create(b, location, found.getTypes(), condition,
                                /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(op.thenBlock());
    scf::YieldOp::create(b, location, then());
    b.setInsertionPointToStart(op.elseBlock());
    scf::YieldOp::create(b, location, other());
    return llvm::to_vector_of<Value>(op.getResults());
  };
  return branch(
      arith::CmpIPredicate::eq, 0, [&] { return llvm::to_vector(found); },
      [&] {
        return branch(
            arith::CmpIPredicate::eq, blockSize,
            [&] { return takeBlock(first, found); },
            [&] { return searchMixed(first, found); });
      });
}

Finder::Found Finder::find(int64_t size, Value begin, Value end,
                           ValueRange found) {
  Value length = scalars.emit<arith::SubIOp>(end, begin);
  if (size < 2 * blockSize)
    return search({size, false, {}, length}, begin, found);
  Value block = scalars.index(blockSize);
  length = scalars.emit<arith::MaxSIOp>(length, scalars.index(0));
  Value blocks = scalars.emit<arith::DivUIOp>(length, block), number;
  Found whole = loops.nest(
      Loop{size / blockSize, false, {}, blocks}, found, number,
      [&](ValueRange carried) {
        Value before = scalars.emit<arith::MulIOp>(number, block);
        return searchBlock(scalars.emit<arith::AddIOp>(begin, before), carried);
      });
  Value rest = scalars.emit<arith::MulIOp>(blocks, block);
  return search({size, false, rest, length}, begin, whole);
}

Value KernelBody::storeFound(Value mask, Value destination, Value count,
                             MutableArrayRef<Value> indices,
                             const Selected &selected) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = typeOf(mask);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t last = type.getRank() - 1;
  Position position = atLoops(type);
  auto holds = [&](Value index) {
    indices[last] = index;
    return loops.elementsAt(indices)->at(mask, position);
  };
  Finder finder(b, *location, scalars, loops, holds, selected);
  Loop elements{shape[last]}, rest{shape[last]};
  for (const Limit &limit : limitsOf(mask))
    if (limit.axis == last)
      apply(limit, elements);
  auto [begin, end] = loops.boundsOf(elements);
  if (count && last == 0)
    apply({0, count, 0, /*isLeast=*/false}, rest);
  return loops.nest(
      loopsOver(shape.drop_back()), destination, indices.drop_back(),
      [&](ValueRange outer) -> SmallVector<Value> {
        SmallVector<Value> inits{outer[0], scalars.index(0)};
        SmallVector<Value> found = finder.find(shape[last], begin, end, inits);
        Loop behind = rest;
        behind.least = found[1];
        return loops.nest(
            behind, found[0], indices.take_back(),
            [&](ValueRange carried) -> SmallVector<Value> {
              Value first = selected.at(scalars.index(0), carried[0]);
              return {selected.insert(first, carried[0], indices[last])};
            });
      })[0];
}

Value KernelBody::nonzero(NonzeroOp op) {
  Scalars scalars = scalarsAt();
  RankedTensorType type = op.getType();
  int64_t last = type.getRank() - 1;
  Type integer = type.getElementType();
  if (type.getDimSize(last) == 1)
    return linalg::FillOp::create(b, *location, scalars.number(0, integer),
                                  empty(op.getResult()))
        .getResult(0);
  SmallVector<Value> indices(type.getRank());
  auto at = [&](Value position, Value) {
    return scalars.fromIndex(position, integer);
  };
  auto insert = [&](Value element, Value into, Value place) -> Value {
    SmallVector<Value> places;
    for (int64_t each : wideAxes(type))
      places.push_back(each == last ? place : indices[each]);
    return tensor::InsertOp::create(b, *location, element, into, places);
  };
  return storeFound(op.getOperand(), empty(op.getResult()),
                    needed.countBefore(op), indices, {at, insert});
}

/// Whether elements of an array, and not rows, are gathered at the positions of
/// a mask's true elements.
static bool gathersElements(GatherOp op, NonzeroOp positions) {
  RankedTensorType type = op.getOperand().getType();
  int64_t count = positions.getType().getNumElements();
  return positions.getType().getRank() == 1 && count > 1 &&
         count <= type.getDimSize(0) &&
         type.getNumElements() == type.getDimSize(0);
}

bool KernelBody::isSelection(GatherOp op) const {
  NonzeroOp positions = positionsOf(op);
  if (!positions || !gathersElements(op, positions))
    return false;
  if (!plan.isInlined(op.getResult()))
    return true;
  auto update = dyn_cast<UpdateSliceOp>(*op->user_begin());
  return update && op->hasOneUse() && needed.countOfSelected(update);
}

bool KernelBody::arePositionsNeeded(NonzeroOp op) const {
  return !llvm::all_of(op->getUsers(), [&](Operation *user) {
    auto gather = dyn_cast<GatherOp>(user);
    return gather && positionsOf(gather) == op && isSelection(gather);
  });
}

Value KernelBody::select(GatherOp op, Value destination, Value count,
                         bool isInPlace) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  Value array = op.getOperand(), before = values.lookupOrNull(array);
  RankedTensorType type = op.getType();
  SmallVector<Value> indices(1);
  auto at = [&](Value position, Value into) {
    // No element moves backwards, so none is overwritten before it is read.
    if (isInPlace)
      values.map(array, into);
    Position from(typeOf(array).getRank());
    from[0].index = position;
    Value element = loops.elementsAt({})->at(array, from);
    return scalars.store(element, type.getElementType());
  };
  auto insert = [&](Value element, Value into, Value place) -> Value {
    return tensor::InsertOp::create(b, *location, element, into, place);
  };
  Value found = storeFound(positionsOf(op).getOperand(), destination, count,
                           indices, {at, insert});
  if (before)
    values.map(array, before);
  return found;
}
