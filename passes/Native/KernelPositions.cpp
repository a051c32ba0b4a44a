//===- KernelPositions.cpp - Positions of true elements in kernels --------===//
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
/// passed over, and one that has no others is a run of positions.
static constexpr int64_t blockSize = 32;

namespace {
/// Looks for the true elements along the last axis of a mask.
class Finder {
public:
  /// `holds` is the element at the last axis' index, `insert` stores a position
  /// at a place.
  using Holds = function_ref<Value(Value index)>;
  using Insert = function_ref<Value(Value position, Value into, Value place)>;

  Finder(OpBuilder &builder, mlir::Location location, Scalars &scalars,
         Loops &loops, Holds holds, Insert insert)
      : b(builder), location(location), scalars(scalars), loops(loops),
        holds(holds), insert(insert) {}

  /// What is carried: the array of positions, and how many it has.
  using Found = SmallVector<Value>;

  /// Finds those from `begin` up to `end`, which is at most `size`.
  Found find(int64_t size, Value begin, Value end, ValueRange found);

private:
  Found take(Value position, ValueRange found);
  Found search(Loop range, Value first, ValueRange found);
  Found searchMixed(Value first, ValueRange found);
  Found searchBlock(Value first, ValueRange found);
  Found takeBlock(Value first, ValueRange found);
  Value countIn(Value first);

  OpBuilder &b;
  mlir::Location location;
  Scalars &scalars;
  Loops &loops;
  Holds holds;
  Insert insert;
};
} // namespace

/// Each position is written behind those found before, and counts if its
/// element is true: there is no branch to mispredict.
Finder::Found Finder::take(Value position, ValueRange found) {
  Value one = scalars.toIndex(holds(position), /*isUnsigned=*/true);
  return {insert(position, found[0], found[1]),
          scalars.emit<arith::AddIOp>(found[1], one)};
}

Finder::Found Finder::search(Loop range, Value first, ValueRange found) {
  Value index;
  return loops.nest(range, found, index, [&](ValueRange carried) {
    return take(scalars.emit<arith::AddIOp>(first, index), carried);
  });
}

Finder::Found Finder::searchMixed(Value first, ValueRange found) {
  constexpr int64_t together = 8;
  Value step, size = scalars.index(together);
  return loops.nest(
      Loop{blockSize / together}, found, step, [&](ValueRange carried) {
        Value next = scalars.emit<arith::AddIOp>(
            first, scalars.emit<arith::MulIOp>(step, size));
        Found taken(carried);
        for (int64_t i : llvm::seq(together))
          taken =
              take(scalars.emit<arith::AddIOp>(next, scalars.index(i)), taken);
        return taken;
      });
}

Finder::Found Finder::takeBlock(Value first, ValueRange found) {
  Value index;
  Value filled = loops.nest(
      Loop{blockSize}, found[0], index, [&](ValueRange carried) -> Found {
        Value position = scalars.emit<arith::AddIOp>(first, index);
        Value place = scalars.emit<arith::AddIOp>(found[1], index);
        return {insert(position, carried[0], place)};
      })[0];
  return {filled,
          scalars.emit<arith::AddIOp>(found[1], scalars.index(blockSize))};
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

Value KernelBody::nonzero(NonzeroOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = op.getType();
  ArrayRef<int64_t> shape = type.getShape();
  int64_t last = type.getRank() - 1;
  Type integer = type.getElementType();
  Value zero = scalars.number(0, integer);
  if (shape[last] == 1)
    return linalg::FillOp::create(b, *location, zero, empty(op.getResult()))
        .getResult(0);
  Position position = atLoops(type);
  SmallVector<Value> indices(type.getRank());
  MutableArrayRef<Value> all(indices);
  auto insert = [&](Value value, Value into, Value place) -> Value {
    SmallVector<Value> places;
    for (int64_t each : wideAxes(type))
      places.push_back(each == last ? place : indices[each]);
    return tensor::InsertOp::create(b, *location, value, into, places);
  };
  auto holds = [&](Value index) {
    indices[last] = index;
    return loops.elementsAt(indices)->at(op.getOperand(), position);
  };
  auto insertPosition = [&](Value index, Value into, Value place) {
    return insert(scalars.fromIndex(index, integer), into, place);
  };
  Finder finder(b, *location, scalars, loops, holds, insertPosition);
  Loop elements{shape[last]}, rest{shape[last]};
  for (const Limit &limit : limitsOf(op.getOperand()))
    if (limit.axis == last)
      apply(limit, elements);
  auto [begin, end] = loops.boundsOf(elements);
  // Zeros behind the positions.
  if (Value count = needed.countBefore(op); count && last == 0)
    apply({0, count, 0, /*isLeast=*/false}, rest);
  return loops.nest(
      loopsOver(shape.drop_back()), empty(op.getResult()), all.drop_back(),
      [&](ValueRange outer) -> SmallVector<Value> {
        SmallVector<Value> inits{outer[0], scalars.index(0)};
        SmallVector<Value> found = finder.find(shape[last], begin, end, inits);
        Loop behind = rest;
        behind.least = found[1];
        return loops.nest(behind, found[0], all.take_back(),
                          [&](ValueRange carried) -> SmallVector<Value> {
                            return {insert(zero, carried[0], indices[last])};
                          });
      })[0];
}
