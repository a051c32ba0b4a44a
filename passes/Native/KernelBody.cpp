//===- KernelBody.cpp - Operations and control flow of kernels ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "Regions.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

LogicalResult KernelBody::lower(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

LogicalResult KernelBody::lowerOp(Operation *op) {
  location = op->getLoc();
  if (auto loop = dyn_cast<ForOp>(op))
    return lowerFor(loop);
  if (auto loop = dyn_cast<WhileOp>(op))
    return lowerWhile(loop);
  if (auto branch = dyn_cast<IfOp>(op))
    return lowerIf(branch);
  if (auto call = dyn_cast<CallNumpyOp>(op))
    return callNumpy(call), success();
  if (auto transform = dyn_cast<FftOp>(op))
    return callNumpy(transform), success();
  if (auto columns = dyn_cast<TransposeOp>(op);
      columns && (isReadAsLanes(columns) || isStoredAsLanes(columns)))
    return success();
  Value result = op->getResult(0);
  auto positions = dyn_cast<NonzeroOp>(op);
  if (plan.isInlined(result) || (positions && !arePositionsNeeded(positions)))
    return success();
  Value found = isScalar(result.getType()) ? lowerScalar(op) : lowerTensor(op);
  if (!found)
    return op->emitOpError("has no lowering to linalg");
  values.map(result, found);
  return success();
}

Value KernelBody::empty(Value result) {
  if (Value destination = destinations.lookupOrNull(result))
    return destination;
  // Two of `tensor.empty` are one after CSE, so that results of both would be
  // taken to be versions of one array.
  return bufferization::AllocTensorOp::create(
      b, *location, squeezed(typeOf(result)), ValueRange());
}

Value KernelBody::copyOf(Value array) {
  return bufferization::AllocTensorOp::create(
      b, *location, cast<RankedTensorType>(array.getType()), ValueRange(),
      array);
}

Value KernelBody::lowerScalar(Operation *op) {
  Scalars scalars = scalarsAt();
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return scalars.constant(*constant.value_begin<Attribute>(),
                            constant.getElementType());
  if (isa<stablehlo::BroadcastInDimOp, BroadcastToOp, TransposeOp, FlipOp,
          ReshapeOp, CumulativeOp, PadOp, ConcatenateOp>(op))
    return values.lookup(op->getOperand(0));
  if (auto iota = dyn_cast<IotaOp>(op))
    return scalars.number(0, scalarType(iota.getType().getElementType()));
  if (auto slice = dyn_cast<SliceOp>(op))
    return take(slice.getOperand(), slice.getType(),
                getAsIndexOpFoldResult(b.getContext(), slice.getStarts()),
                slice.getSizes(), slice.getStrides());
  if (auto slice = dyn_cast<DynamicSliceOp>(op))
    return take(slice.getOperand(), slice.getType(),
                insideStarts(scalars, values, slice), slice.getSizes(),
                slice.getStrides());
  if (auto update = dyn_cast<UpdateSliceOp>(op))
    return values.lookup(update.getUpdate());
  if (auto each = dyn_cast<ReduceOp>(op))
    return reduce(each);
  if (auto each = dyn_cast<DotGeneralOp>(op))
    return contract(each);
  if (auto each = dyn_cast<ArgReduceOp>(op))
    return argReduce(each);
  if (auto each = dyn_cast<ScatterOp>(op))
    return scatter(each);
  if (isa<NonzeroOp>(op))
    return scalars.number(0, b.getI64Type());
  if (isa<GatherOp>(op))
    return loopsAt(scalars).elementsAt({})->compute(
        op, atLoops(typeOf(op->getResult(0))));
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!isScalar(operand.getType()))
      return {};
    operands.push_back(values.lookup(operand));
  }
  if (operands.empty())
    return {};
  if (auto known = knownComparison(op))
    return scalars.number(*known, b.getI1Type());
  return scalars.elementwise(op, operands);
}

Value KernelBody::elementwise(Operation *op, Value destination, Value same,
                              ArrayRef<Limit> limits) {
  Scalars scalars = scalarsAt();
  RankedTensorType type = typeOf(op->getResult(0));
  SmallVector<Loop> loops = loopsOver(type.getShape());
  for (const Limit &limit : limits)
    apply(limit, loops[limit.axis]);
  if (Value count = needed.countBefore(op))
    apply({0, count, 0, /*isLeast=*/false}, loops[0]);
  Position position = atLoops(type);
  auto select = dyn_cast<stablehlo::SelectOp>(op);
  bool isWithin =
      select && !limits.empty() && consistsOfLimits(select.getPred());
  return loopsAt(scalars).fill(
      loops, type, destination, same, [&](Elements &elements) {
        if (isWithin)
          return elements.at(select.getOnTrue(), position);
        auto gather = dyn_cast<GatherOp>(op);
        return gather
                   ? elements.gather(gather, position, needed.isInside(gather))
                   : elements.compute(op, position);
      });
}

Value KernelBody::lowerTensor(Operation *op) {
  Scalars scalars = scalarsAt();
  auto taken = [&](Value view) {
    return isCopiedSlice(op, plan) ? copyOf(view) : view;
  };
  DenseElementsAttr value;
  if (matchPattern(op, m_Constant(&value)))
    return constant(op, value);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ReduceOp each) { return reduce(each); })
      .Case([&](DotGeneralOp each) { return contract(each); })
      .Case([&](ArgReduceOp each) { return argReduce(each); })
      .Case([&](CumulativeOp each) { return cumulate(each); })
      .Case([&](NonzeroOp each) { return nonzero(each); })
      .Case([&](GatherOp each) {
        Value to = empty(each.getResult());
        return isSelection(each) ? select(each, to, needed.countBefore(each),
                                          /*isInPlace=*/false)
                                 : elementwise(each, to, {});
      })
      .Case([&](UpdateSliceOp each) { return updateSlice(each); })
      .Case([&](ScatterOp each) { return scatter(each); })
      .Case([&](ConcatenateOp each) { return concatenate(each); })
      .Case([&](PadOp each) { return pad(each); })
      .Case([&](ReshapeOp each) {
        return reshaped(values.lookup(each.getOperand()),
                        squeezed(each.getType()));
      })
      .Case([&](SliceOp each) {
        return taken(
            take(each.getOperand(), each.getType(),
                 getAsIndexOpFoldResult(b.getContext(), each.getStarts()),
                 each.getSizes(), each.getStrides()));
      })
      .Case([&](DynamicSliceOp each) {
        return taken(take(each.getOperand(), each.getType(),
                          insideStarts(scalars, values, each), each.getSizes(),
                          each.getStrides()));
      })
      .Default([&](Operation *each) {
        Value array = overwrittenBy(each, plan);
        return array ? storeOver(each, array)
                     : elementwise(each, empty(each->getResult(0)), {});
      });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Value KernelBody::indexOf(Value value) {
  Scalars scalars = scalarsAt();
  if (auto known = integerOf(value))
    return scalars.index(*known);
  return scalars.toIndex(values.lookup(value), /*isUnsigned=*/false);
}

void KernelBody::bind(ArrayRef<BlockArgument> arguments, ValueRange given) {
  for (auto [argument, value] : llvm::zip_equal(arguments, given))
    values.map(argument, value);
}

/// Whether an array may lie in memory that another one has, too.
static bool isShared(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || isa<SliceOp, DynamicSliceOp, ReshapeOp, UpdateSliceOp,
                    ScatterOp, ForOp, WhileOp, IfOp>(op);
}

/// The values that a body yields. Arrays are in the memory of the carried ones,
/// so that no memory passes from one iteration to the next.
SmallVector<Value> KernelBody::yielded(Block &block,
                                       ArrayRef<BlockArgument> arguments) {
  OperandRange operands = block.getTerminator()->getOperands();
  SmallVector<Value> found;
  SmallVector<unsigned> moved;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    found.push_back(values.lookup(operand));
    if (!isScalar(operand.getType()) && !isInPlace(operand, arguments[i], plan))
      moved.push_back(i);
  }
  // One of them may be another one from before.
  auto mayBeCarried = [&](Value value) {
    return isShared(value) ||
           (moved.size() > 1 && overwrittenBy(value.getDefiningOp(), plan));
  };
  for (unsigned i : moved)
    if (mayBeCarried(operands[i]))
      found[i] = copyOf(found[i]);
  // Before the copies: an argument that is yielded is taken from another place.
  auto memory = llvm::map_to_vector(
      moved, [&](unsigned i) { return values.lookup(arguments[i]); });
  for (auto [i, to] : llvm::zip_equal(moved, memory))
    found[i] = copyNext(block.getTerminator()->getOpOperand(i), found[i], to);
  return found;
}

Value KernelBody::copyNext(OpOperand &operand, Value from, Value to) {
  Value count = needed.countAt(operand);
  if (!count)
    return linalg::CopyOp::create(b, *location, from, to).getResult(0);
  Scalars scalars = scalarsAt();
  RankedTensorType type = typeOf(operand.get());
  SmallVector<Loop> loops = loopsOver(type.getShape());
  apply({0, count, 0, /*isLeast=*/false}, loops[0]);
  values.map(operand.get(), from);
  return loopsAt(scalars).fill(loops, type, to, {}, [&](Elements &elements) {
    return elements.at(operand.get(), atLoops(type));
  });
}

SmallVector<Value> KernelBody::initials(Operation *loop) {
  SmallVector<Value> found;
  for (auto [i, init] : llvm::enumerate(carriedOperands(loop))) {
    Value value = values.lookup(init);
    if (isOverwritten(loop, i))
      value = empty(loop->getResult(i));
    else if (!isScalar(init.getType()) && isCopied(loop, i, plan))
      value = copyOf(value);
    found.push_back(value);
  }
  return found;
}

LogicalResult KernelBody::lowerFor(ForOp op) {
  mlir::Location here = op.getLoc();
  Scalars scalars(b, here, isStrict);
  Value begin = indexOf(op.getLower()), upper = indexOf(op.getUpper()),
        step = indexOf(op.getStep());
  std::optional<int64_t> known = integerOf(op.getStep());
  bool isPlain = known && *known > 0;
  Value first = begin, end = upper, by = step;
  if (!isPlain) {
    // The number of iterations, for a step of any sign.
    Value zero = scalars.index(0);
    Value isUp =
        scalars.emit<arith::CmpIOp>(arith::CmpIPredicate::sgt, step, zero);
    Value up = scalars.emit<arith::SubIOp>(upper, begin),
          down = scalars.emit<arith::SubIOp>(begin, upper);
    Value distance = scalars.emit<arith::SelectOp>(isUp, up, down);
    Value size = scalars.emit<arith::MaxSIOp>(
        scalars.emit<arith::SelectOp>(isUp, step,
                                      scalars.emit<arith::SubIOp>(zero, step)),
        scalars.index(1));
    first = zero;
    end = scalars.emit<arith::CeilDivSIOp>(
        scalars.emit<arith::MaxSIOp>(distance, zero), size);
    by = scalars.index(1);
  }
  SmallVector<Value> inits = initials(op);
  auto loop = scf::ForOp::create(b, here, first, end, by, inits);
  if (Attribute isParallel = op->getAttr("ingot.parallel"))
    loop->setAttr("ingot.parallel", isParallel);
  else if (areIndependent(op))
    loop->setAttr("ingot.parallel", b.getI64IntegerAttr(op.getNumResults()));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value index = loop.getInductionVar();
    if (!isPlain)
      index = scalars.emit<arith::AddIOp>(
          begin, scalars.emit<arith::MulIOp>(index, step));
    Block &body = op.getBody().front();
    values.map(body.getArgument(0), scalars.fromIndex(index, b.getI64Type()));
    bind(body.getArguments().drop_front(),
         ValueRange(loop.getRegionIterArgs()));
    if (failed(lower(body)))
      return failure();
    location = here;
    SmallVector<Value> next = yielded(body, body.getArguments().drop_front());
    if (inits.empty())
      b.setInsertionPoint(loop.getBody()->getTerminator());
    else
      scf::YieldOp::create(b, here, next);
  }
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), loop.getResults()))
    values.map(result, value);
  return success();
}

LogicalResult KernelBody::lowerWhile(WhileOp op) {
  mlir::Location here = op.getLoc();
  SmallVector<Value> inits = initials(op);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loop = scf::WhileOp::create(b, here, types, inits);
  SmallVector<mlir::Location> locations(types.size(), here);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
    Block &condition = op.getCond().front();
    bind(condition.getArguments(), before->getArguments());
    if (failed(lower(condition)))
      return failure();
    Value holds = values.lookup(condition.getTerminator()->getOperand(0));
    scf::ConditionOp::create(b, here, holds, before->getArguments());

    Block *after = b.createBlock(&loop.getAfter(), {}, types, locations);
    Block &body = op.getBody().front();
    bind(body.getArguments(), after->getArguments());
    if (failed(lower(body)))
      return failure();
    location = here;
    SmallVector<Value> next = yielded(body, body.getArguments());
    scf::YieldOp::create(b, here, next);
  }
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), loop.getResults()))
    values.map(result, value);
  return success();
}

LogicalResult KernelBody::lowerIf(IfOp op) {
  mlir::Location here = op.getLoc();
  Region *regions[] = {&op.getThenRegion(), &op.getElseRegion()};
  auto yieldedBy = [](Region &region) {
    return region.front().getTerminator()->getOperands();
  };
  // Arrays that both regions leave unchanged don't pass through the branch:
  // bufferization would not know that they are in the memory from before.
  SmallVector<unsigned> passed;
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    Value before = unchanged(result);
    if (before != result && !isScalar(result.getType())) {
      values.map(result, values.lookup(before));
      continue;
    }
    passed.push_back(cast<OpResult>(result).getResultNumber());
    types.push_back(kernelType(result.getType()));
  }
  auto branch =
      scf::IfOp::create(b, here, types, values.lookup(op.getCondition()),
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  Block *blocks[] = {branch.thenBlock(), branch.elseBlock()};
  for (auto [region, block] : llvm::zip_equal(regions, blocks)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    if (failed(lower(region->front())))
      return failure();
    location = here;
    SmallVector<Value> results;
    for (unsigned i : passed) {
      Value operand = yieldedBy(*region)[i], value = values.lookup(operand);
      bool isOne = originOf(yieldedBy(*regions[0])[i], plan) ==
                   originOf(yieldedBy(*regions[1])[i], plan);
      // Otherwise the memory of the result would be that of different arrays,
      // none of which could be overwritten.
      bool isOfOther =
          isShared(operand) || (operand.getParentRegion() != region &&
                                overwrittenBy(operand.getDefiningOp(), plan));
      if (!isScalar(operand.getType()) && !isOne && isOfOther)
        value = copyOf(value);
      results.push_back(value);
    }
    if (types.empty() && !block->empty() &&
        block->back().hasTrait<OpTrait::IsTerminator>())
      continue;
    scf::YieldOp::create(b, here, results);
  }
  for (auto [i, value] : llvm::zip_equal(passed, branch.getResults()))
    values.map(op.getResult(i), value);
  return success();
}
