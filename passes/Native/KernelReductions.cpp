//===- KernelReductions.cpp - Reductions in kernels -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ingot;

void KernelBody::apply(const Limit &limit, Loop &loop) {
  Scalars scalars = scalarsAt();
  Value bound = indexOf(limit.bound);
  if (limit.plus != 0) {
    // Bounds beyond the array could overflow.
    bound = scalars.emit<arith::MinSIOp>(bound, scalars.index(loop.size));
    bound = scalars.emit<arith::AddIOp>(bound, scalars.index(limit.plus));
  }
  Value &end = limit.isLeast ? loop.least : loop.most;
  if (!end)
    end = bound;
  else
    end = limit.isLeast ? scalars.emit<arith::MaxSIOp>(end, bound)
                        : scalars.emit<arith::MinSIOp>(end, bound);
}

/// The elements of a mask that are counted at once: their number is one of 8
/// bits, of which vectors have many.
static constexpr int64_t countBlock = 128;

/// The mask of which a reduction counts the true elements, if it does.
static Value countedMask(ReduceOp op) {
  auto convert = op.getOperand().getDefiningOp<stablehlo::ConvertOp>();
  bool isCount = convert && op.getKind() == ReduceKind::Add &&
                 isScalar(op.getType()) && !op.getAxes().empty() &&
                 elementOf(convert.getOperand()).isInteger(1) &&
                 op.getType().getElementType().isInteger(64) &&
                 op.getOperand().getType().getShape().back() >= countBlock &&
                 limitsOfElements(op).empty();
  return isCount ? convert.getOperand() : Value();
}

Value KernelBody::countTrue(Value mask) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  ArrayRef<int64_t> shape = shapeOf(mask);
  int64_t size = shape.back(), blocks = size / countBlock;
  SmallVector<Value> indices(shape.size());
  Position position = atLoops(typeOf(mask));
  auto add = [&](Type type, Value count) -> Value {
    Value holds = loops.elementsAt(indices)->at(mask, position);
    return scalars.emit<arith::AddIOp>(
        count, scalars.emit<arith::ExtUIOp>(type, holds));
  };
  auto addBlock = [&](Value number, Value count) -> Value {
    Value begin =
        scalars.emit<arith::MulIOp>(number, scalars.index(countBlock));
    Value inBlock;
    Value found =
        loops.nest(loopsOver(countBlock), scalars.number(0, b.getI8Type()),
                   inBlock, [&](ValueRange carried) {
                     indices.back() =
                         scalars.emit<arith::AddIOp>(begin, inBlock);
                     return SmallVector<Value>{add(b.getI8Type(), carried[0])};
                   })[0];
    return scalars.emit<arith::AddIOp>(
        count, scalars.emit<arith::ExtUIOp>(b.getI64Type(), found));
  };
  auto addRow = [&](ValueRange before) -> SmallVector<Value> {
    Value number;
    SmallVector<Value> count =
        loops.nest(loopsOver(blocks), before, number, [&](ValueRange carried) {
          return SmallVector<Value>{
              addBlock(number ? number : scalars.index(0), carried[0])};
        });
    if (blocks * countBlock == size)
      return count;
    Loop rest{size, false, scalars.index(blocks * countBlock)};
    return loops.nest(rest, count, MutableArrayRef(indices).take_back(1),
                      [&](ValueRange carried) {
                        return SmallVector<Value>{
                            add(b.getI64Type(), carried[0])};
                      });
  };
  return loops.nest(loopsOver(shape.drop_back()),
                    scalars.number(0, b.getI64Type()),
                    MutableArrayRef(indices).drop_back(1), addRow)[0];
}

/// The elements of a mask after which it is asked whether they decide if any,
/// or all, are true.
static constexpr int64_t decisionBlock = 4096;

/// Whether a reduction asks this of a mask in memory. If a mask is computed,
/// the threads that share the work are worth more than the work that is saved.
static bool isDecision(ReduceOp op, const InlinePlan &plan) {
  RankedTensorType type = op.getOperand().getType();
  return type.getElementType().isInteger(1) && isScalar(op.getType()) &&
         (op.getKind() == ReduceKind::Or || op.getKind() == ReduceKind::And) &&
         type.getNumElements() >= 2 * decisionBlock &&
         !plan.isInlined(op.getOperand()) && limitsOfElements(op).empty();
}

Value KernelBody::decide(ReduceOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  ArrayRef<int64_t> shape = shapeOf(op.getOperand());
  // The axis that is cut into blocks, with all of those behind it.
  int64_t axis = shape.size() - 1, behind = 1;
  while (axis > 0 && behind * shape[axis] < decisionBlock)
    behind *= shape[axis--];
  int64_t rows = std::max<int64_t>(decisionBlock / behind, 1);
  SmallVector<int64_t> outer(shape.take_front(axis));
  outer.push_back((shape[axis] + rows - 1) / rows);
  SmallVector<Value> places(outer.size()), indices(shape.size());
  Position position = atLoops(op.getOperand().getType());

  auto reduceBlock = [&](Value before) -> Value {
    llvm::copy(ArrayRef(places).drop_back(), indices.begin());
    Value number = places.back() ? places.back() : scalars.index(0);
    Value begin = scalars.emit<arith::MulIOp>(number, scalars.index(rows));
    Value end = scalars.emit<arith::MinSIOp>(
        scalars.emit<arith::AddIOp>(begin, scalars.index(rows)),
        scalars.index(shape[axis]));
    SmallVector<Loop> nest = loopsOver(shape.drop_front(axis));
    nest.front().least = begin;
    nest.front().most = end;
    return loops.nest(
        nest, before, MutableArrayRef(indices).drop_front(axis),
        [&](ValueRange carried) -> SmallVector<Value> {
          Value next = loops.elementsAt(indices)->at(op.getOperand(), position);
          return {
              scalars.combine(op.getKind(), b.getI1Type(), carried[0], next)};
        })[0];
  };
  Value identity = scalars.identity(op.getKind(), b.getI1Type());
  return loops.nest(
      loopsOver(outer), identity, places,
      [&](ValueRange carried) -> SmallVector<Value> {
        Value isOpen = scalars.emit<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                   carried[0], identity);
        auto branch = scf::IfOp::create(b, *location, b.getI1Type(), isOpen,
                                        /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(b, *location, carried);
        b.setInsertionPointToStart(branch.thenBlock());
        scf::YieldOp::create(b, *location, reduceBlock(carried[0]));
        return {branch.getResult(0)};
      })[0];
}

Value KernelBody::reduce(ReduceOp op) {
  if (Value mask = countedMask(op))
    return countTrue(mask);
  if (isDecision(op, plan))
    return decide(op);
  Scalars scalars = scalarsAt();
  SmallVector<Loop> nest;
  for (auto [axis, size] :
       llvm::enumerate(op.getOperand().getType().getShape()))
    nest.push_back({size, llvm::is_contained(op.getAxes(), axis)});
  for (const Limit &limit : limitsOfElements(op))
    apply(limit, nest[limit.axis]);
  Position position = atLoops(op.getOperand().getType());
  bool one = isScalar(op.getType());
  return loopsAt(scalars).reduce(
      nest, op.getType(), one ? Value() : empty(op.getResult()), op.getKind(),
      [&](Elements &elements) {
        return elements.at(op.getOperand(), position);
      });
}

/// What a running reduction starts with. Of additions it is -0.0: 0.0 would
/// change a first element of -0.0.
static Value startOf(Scalars &scalars, ReduceKind kind, Type element) {
  Value identity = scalars.identity(kind, element);
  if (kind != ReduceKind::Add)
    return identity;
  if (isa<FloatType>(identity.getType()))
    return scalars.number(-0.0, identity.getType());
  auto type = dyn_cast<ComplexType>(identity.getType());
  if (!type)
    return identity;
  Value part = scalars.number(-0.0, type.getElementType());
  return scalars.emit<complex::CreateOp>(type, part, part);
}

Value KernelBody::cumulate(CumulativeOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = op.getType();
  Type element = type.getElementType();
  int64_t axis = op.getAxis();
  Position position = atLoops(type);
  if (type.getDimSize(axis) == 1)
    return loops.fill(loopsOver(type.getShape()), type, empty(op.getResult()),
                      {}, [&](Elements &elements) {
                        return elements.at(op.getOperand(), position);
                      });
  SmallVector<Value> indices(type.getRank());
  MutableArrayRef<Value> all(indices);
  auto placesOf = [&](Value along) {
    SmallVector<Value> places;
    for (int64_t each : wideAxes(type))
      places.push_back(each == axis ? along : indices[each]);
    return places;
  };
  auto insert = [&](Value value, Value into) -> Value {
    return tensor::InsertOp::create(b, *location, scalars.store(value, element),
                                    into, placesOf(indices[axis]));
  };
  ArrayRef<int64_t> shape = type.getShape();
  // One times a complex number may have other signs of zeros than that.
  bool startsAnywhere =
      op.getKind() != ReduceKind::Mul || !isa<ComplexType>(element);
  bool isLast = wideAxes(type).back() == axis && startsAnywhere;
  return loops.nest(
      loopsOver(shape.take_front(axis)), empty(op.getResult()),
      all.take_front(axis), [&](ValueRange outer) -> SmallVector<Value> {
        if (isLast) {
          // The running value is kept in a register.
          SmallVector<Value> inits{outer[0],
                                   startOf(scalars, op.getKind(), element)};
          return {loops.nest(
              loopsOver(shape.drop_front(axis)), inits, all.drop_front(axis),
              [&](ValueRange carried) {
                Value next =
                    loops.elementsAt(indices)->at(op.getOperand(), position);
                Value sum =
                    scalars.combine(op.getKind(), element, carried[1], next);
                return SmallVector<Value>{insert(sum, carried[0]), sum};
              })[0]};
        }
        // The first row is that of the operand; each other one adds to the row
        // before it.
        return loops.nest(
            loopsOver(shape.drop_front(axis)), outer, all.drop_front(axis),
            [&](ValueRange carried) -> SmallVector<Value> {
              Value next =
                  loops.elementsAt(indices)->at(op.getOperand(), position);
              Value zero = scalars.index(0);
              Value isFirst = scalars.emit<arith::CmpIOp>(
                  arith::CmpIPredicate::eq, indices[axis], zero);
              Value before =
                  scalars.emit<arith::SubIOp>(indices[axis], scalars.index(1));
              Value place = scalars.emit<arith::MaxSIOp>(before, zero);
              Value last =
                  scalars.load(tensor::ExtractOp::create(
                                   b, *location, carried[0], placesOf(place)),
                               element);
              Value sum = scalars.combine(op.getKind(), element, last, next);
              Value found = scalars.emit<arith::SelectOp>(isFirst, next, sum);
              return {insert(found, carried[0])};
            });
      })[0];
}
