//===- KernelPlaces.cpp - Places of extrema in kernels --------------------===//
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

/// The elements that are reduced at once.
static constexpr int64_t blockSize = 64;

namespace {

/// Searches the elements along an axis for the first extremum. Its state are
/// the best element so far and the index of that one.
class PlaceSearch {
public:
  /// \param indices those of the loops around, of which the axis has none.
  PlaceSearch(OpBuilder &b, mlir::Location location, Scalars &scalars,
              Loops &loops, ArgReduceOp op, MutableArrayRef<Value> indices)
      : b(b), location(location), scalars(scalars), loops(loops), op(op),
        indices(indices), position(atLoops(op.getOperand().getType())),
        element(elementOf(op.getOperand())), axis(op.getAxis()),
        size(op.getOperand().getType().getDimSize(axis)) {}

  /// The index, after loops over all elements.
  Value find() {
    SmallVector<Value> best{scalars.identity(op.getKind(), element),
                            scalars.index(0)};
    int64_t blocks = size >= 2 * blockSize ? size / blockSize : 0;
    Value number;
    if (blocks > 0)
      best =
          loops.nest(loopsOver(blocks), best, number, [&](ValueRange carried) {
            return searchBlock(number, carried);
          });
    if (blocks * blockSize < size)
      best = searchFrom(blocks * blockSize, best);
    return scalars.fromIndex(best[1], b.getI64Type());
  }

private:
  Value elementHere() {
    return loops.elementsAt(indices)->at(op.getOperand(), position);
  }

  Value isBetter(Value next, Value best) {
    bool isMax = op.getKind() == ReduceKind::Max;
    if (auto integer = dyn_cast<IntegerType>(element)) {
      bool noSign = integer.isUnsigned() || integer.getWidth() == 1;
      auto how = isMax ? (noSign ? arith::CmpIPredicate::ugt
                                 : arith::CmpIPredicate::sgt)
                       : (noSign ? arith::CmpIPredicate::ult
                                 : arith::CmpIPredicate::slt);
      return scalars.emit<arith::CmpIOp>(how, next, best);
    }
    // The comparison holds for NaN, unless the best one is NaN already.
    auto how = isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
    Value isNumber =
        scalars.emit<arith::CmpFOp>(arith::CmpFPredicate::ORD, best, best);
    return scalars.emit<arith::AndIOp>(
        isNumber, scalars.emit<arith::CmpFOp>(how, next, best));
  }

  /// Whether an element is the best one of its block, which is NaN if one of
  /// the block is.
  Value isBest(Value next, Value best) {
    if (isa<IntegerType>(element))
      return scalars.emit<arith::CmpIOp>(arith::CmpIPredicate::eq, next, best);
    return scalars.emit<arith::OrIOp>(
        scalars.emit<arith::CmpFOp>(arith::CmpFPredicate::OEQ, next, best),
        scalars.emit<arith::CmpFOp>(arith::CmpFPredicate::UNO, next, next));
  }

  /// Compares the elements from an index on with the best one, one by one.
  SmallVector<Value> searchFrom(int64_t first, ValueRange best) {
    return loops.nest(
        Loop{size, false, scalars.index(first)}, best, indices.slice(axis, 1),
        [&](ValueRange carried) {
          Value next = elementHere(), better = isBetter(next, carried[0]);
          return SmallVector<Value>{
              scalars.emit<arith::SelectOp>(better, next, carried[0]),
              scalars.emit<arith::SelectOp>(better, indices[axis], carried[1])};
        });
  }

  /// Combines the elements of a block, several at a time.
  Value reduceBlock(Value begin, Value init,
                    function_ref<Value(Value, Value, Value)> step) {
    Value inBlock;
    return loops.nest(
        loopsOver(blockSize), init, inBlock, [&](ValueRange carried) {
          indices[axis] = scalars.emit<arith::AddIOp>(begin, inBlock);
          return SmallVector<Value>{step(carried[0], elementHere(), inBlock)};
        })[0];
  }

  /// Few of the blocks have an element that is better than all before, for
  /// which only these are searched.
  SmallVector<Value> searchBlock(Value number, ValueRange best) {
    Value begin = scalars.emit<arith::MulIOp>(number, scalars.index(blockSize));
    Value one = reduceBlock(begin, scalars.identity(op.getKind(), element),
                            [&](Value found, Value next, Value) {
                              return scalars.combine(op.getKind(), element,
                                                     found, next);
                            });
    auto branch =
        scf::IfOp::create(b, location, best.getTypes(), isBetter(one, best[0]),
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value none = scalars.index(blockSize);
    Value first =
        reduceBlock(begin, none, [&](Value found, Value next, Value place) {
          Value here =
              scalars.emit<arith::SelectOp>(isBest(next, one), place, none);
          return scalars.emit<arith::MinSIOp>(found, here);
        });
    Value index = scalars.emit<arith::AddIOp>(begin, first);
    scf::YieldOp::create(b, location, ValueRange{one, index});
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, location, best);
    return SmallVector<Value>(branch.getResults());
  }

  OpBuilder &b;
  mlir::Location location;
  Scalars &scalars;
  Loops &loops;
  ArgReduceOp op;
  MutableArrayRef<Value> indices;
  Position position;
  Type element;
  int64_t axis, size;
};

} // namespace

Value KernelBody::argReduce(ArgReduceOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = op.getOperand().getType();
  if (type.getDimSize(op.getAxis()) == 1)
    return isScalar(op.getType())
               ? scalars.number(0, b.getI64Type())
               : linalg::FillOp::create(b, *location,
                                        scalars.number(0, b.getI64Type()),
                                        empty(op.getResult()))
                     .getResult(0);
  SmallVector<Value> indices(type.getRank());
  PlaceSearch search(b, *location, scalars, loops, op, indices);
  if (isScalar(op.getType()))
    return search.find();
  SmallVector<Loop> outer = loopsOver(type.getShape());
  outer[op.getAxis()].size = 1;
  SmallVector<Value> rest(type.getRank());
  return loops.nest(outer, empty(op.getResult()), rest,
                    [&](ValueRange carried) {
                      SmallVector<Value> places;
                      for (auto [i, index] : llvm::enumerate(rest)) {
                        indices[i] = index;
                        if (index)
                          places.push_back(index);
                      }
                      return SmallVector<Value>{tensor::InsertOp::create(
                          b, *location, search.find(), carried[0], places)};
                    })[0];
}
