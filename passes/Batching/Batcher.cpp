//===- Batcher.cpp - Code for all lanes of a batch ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

Batcher::Batcher(OpBuilder &builder, const Lanes &lanes, ForOp loop,
                 const Steps &index)
    : builder(builder), lanes(lanes), whole(loop.getBody().front()),
      size(index.count), induction(whole.getArgument(0)), index(index) {
  mlir::Location location = loop.getLoc();
  Value numbers =
      IotaOp::create(builder, location,
                     cast<RankedTensorType>(stacked(induction.getType())), 0);
  if (index.stride != 1)
    numbers = MulOp::create(builder, location, numbers, integers(index.stride));
  if (index.first != 0)
    numbers = AddOp::create(builder, location, numbers, integers(index.first));
  bind(induction, numbers);
}

Value Batcher::stackOf(Value value) {
  Value copy = copyOf(value);
  if (lanes.differ(value) || lanes.isCommon(value))
    return copy;
  return BroadcastToOp::create(builder, value.getLoc(), stacked(copy.getType()),
                               copy);
}

SmallVector<Value> Batcher::stacksOf(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value v) { return stackOf(v); });
}

Value Batcher::aligned(Value value, int64_t rank) {
  Value copy = copyOf(value);
  ArrayRef<int64_t> shapeOfLane = laneShape(value);
  int64_t more = rank - shapeOfLane.size();
  if (!lanes.differ(value) || more == 0)
    return copy;
  Value &made = reshaped[{copy, rank}];
  if (made && made.getParentBlock() == builder.getInsertionBlock())
    return made;
  SmallVector<int64_t> shape{size};
  shape.append(more, 1);
  llvm::append_range(shape, shapeOfLane);
  made = ReshapeOp::create(builder, value.getLoc(), typeOf(copy).clone(shape),
                           copy);
  return made;
}

void Batcher::rebuild(Operation *op, ValueRange operands) {
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(stacked(type));
  Operation *made = Operation::create(
      op->getLoc(), op->getName(), types, operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      /*successors=*/{}, /*numRegions=*/0);
  bindAll(op->getResults(), builder.insert(made)->getResults());
}

void Batcher::rebuild(Operation *op, ValueRange operands,
                      NamedAttrList attributes) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  for (Type type : op->getResultTypes())
    state.addTypes(stacked(type));
  state.addAttributes(attributes);
  Operation *made = builder.create(state);
  bindAll(op->getResults(), made->getResults());
}

void Batcher::move(Operation *op, ValueRange operands) {
  op->setOperands(operands);
  op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
}

void Batcher::copyShared(Operation *op) {
  if (op->getBlock() != &whole)
    return static_cast<void>(builder.clone(*op, copies));
  move(op, llvm::map_to_vector(op->getOperands(),
                               [&](Value v) { return copyOf(v); }));
}

LogicalResult Batcher::copyBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(copy(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Families of operations
//===----------------------------------------------------------------------===//

void Batcher::expand(BatchableOpInterface op) {
  NamedAttrList attributes(op->getAttrs());
  op.addLeadingAxis(attributes);
  rebuild(op, stacksOf(op->getOperands()), attributes);
}

/// These operations know no axes, so they only get other types.
void Batcher::expandBroadcasting(Operation *op) {
  int64_t rank = typeOf(op->getResult(0)).getRank();
  auto operands = llvm::map_to_vector(
      op->getOperands(), [&](Value v) { return aligned(v, rank); });
  if (op->getBlock() != &whole)
    return rebuild(op, operands);
  for (Value result : op->getResults())
    result.setType(stacked(result.getType()));
  move(op, operands);
}

/// If the padding value differs between lanes, the array is padded with any
/// value, and a padded mask selects where to replace it.
void Batcher::expand(PadOp op) {
  auto low = prefixed(0, op.getLow()), high = prefixed(0, op.getHigh()),
       interior = prefixed(0, op.getInterior());
  auto pad = [&](Value array, Value value) -> Value {
    return PadOp::create(builder, op.getLoc(), array, value, low, high,
                         interior);
  };
  Value array = stackOf(op.getOperand());
  if (!lanes.differ(op.getValue()))
    return bind(op, pad(array, copyOf(op.getValue())));
  Value value = aligned(op.getValue(), op.getType().getRank());
  Value no = constantOf(builder, op.getLoc(), builder.getBoolAttr(false)),
        yes = constantOf(builder, op.getLoc(), builder.getBoolAttr(true));
  auto pred = typeOf(array).clone(builder.getI1Type());
  Value inside = BroadcastToOp::create(builder, op.getLoc(), pred, yes);
  // The value of the first lane, which the select replaces.
  SmallVector<int64_t> none(typeOf(value).getRank(), 0),
      ones(typeOf(value).getRank(), 1);
  Value first = SliceOp::create(builder, op.getLoc(), value, none, ones, ones);
  first = ReshapeOp::create(builder, op.getLoc(),
                            typeOf(value).clone(ArrayRef<int64_t>()), first);
  bind(op, SelectOp::create(builder, op.getLoc(), pad(inside, no),
                            pad(array, first), value));
}

/// If both operands differ between lanes, the lanes are a pair of batching
/// axes. If one does, they are among its free axes; a transpose moves that axis
/// to the front of the result.
void Batcher::expand(DotGeneralOp op) {
  bool isLeft = lanes.differ(op.getLhs()), isRight = lanes.differ(op.getRhs());
  auto shifted = [&](ArrayRef<int64_t> axes, bool hasLanes) {
    SmallVector<int64_t> all(axes);
    for (int64_t &axis : all)
      axis += hasLanes;
    return all;
  };
  auto leftBatching = shifted(op.getLhsBatching(), isLeft),
       rightBatching = shifted(op.getRhsBatching(), isRight);
  if (isLeft && isRight) {
    leftBatching.insert(leftBatching.begin(), 0);
    rightBatching.insert(rightBatching.begin(), 0);
  }
  Value made = DotGeneralOp::create(
      builder, op.getLoc(), copyOf(op.getLhs()), copyOf(op.getRhs()),
      leftBatching, rightBatching, shifted(op.getLhsContracting(), isLeft),
      shifted(op.getRhsContracting(), isRight), op.getLhsZeros(),
      op.getRhsZeros());
  int64_t laneAxis = 0;
  if (!isLeft || !isRight)
    laneAxis = leftBatching.size();
  if (!isLeft)
    laneAxis = laneShape(op.getLhs()).size() - op.getLhsContracting().size();
  if (laneAxis == 0)
    return bind(op, made);
  SmallVector<int64_t> axes{laneAxis};
  for (int64_t axis = 0, end = typeOf(made).getRank(); axis < end; ++axis)
    if (axis != laneAxis)
      axes.push_back(axis);
  bind(op, TransposeOp::create(builder, op.getLoc(), made, axes));
}

/// Each lane updates an array that all share, even if all do the same.
bool Batcher::isUpdateOfCommon(Operation *op) const {
  return op->getNumResults() == 1 && lanes.isCommon(op->getResult(0));
}

LogicalResult Batcher::copy(Operation *op) {
  bool hasKnownRegions =
      isa<IfOp, ForOp, WhileOp, CheckpointOp, CustomDerivativeOp, CustomVmapOp,
          NumpyFunctionOp>(op);
  if (hasKnownRegions)
    return copyRegions(op);
  if (isCollectiveOf(op, axis))
    return copyCollective(op);
  bool isUniform = op->getNumRegions() == 0 && !isa<AssertOp, PrintOp>(op) &&
                   !lanes.anyDiffers(op->getOperands()) &&
                   !isUpdateOfCommon(op);
  if (isUniform)
    return copyShared(op), success();
  if (op->hasTrait<ElementwiseTrait>() || isa<BroadcastToOp>(op))
    return expandBroadcasting(op), success();
  if (auto shard = dyn_cast<ShardOp>(op))
    return copyShard(shard);
  // Of a batch around this one.
  if (isa<PpermuteOp, PsumOp>(op))
    return rebuild(op, stacksOf(op->getOperands())), success();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](CallStablehloOp call) { return copyCall(call); })
      .Case<AllGatherOp, AssertOp, PrintOp, PadOp, DotGeneralOp, SliceOp,
            DynamicSliceOp, UpdateSliceOp, GatherOp, ScatterOp,
            BatchableOpInterface>(
          [&](auto each) { return expand(each), success(); })
      .Default([](Operation *each) {
        return each->emitError()
               << "'" << each->getName() << "' has no rule for batches";
      });
}
