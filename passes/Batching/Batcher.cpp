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

Value Batcher::stackOf(Value value) {
  Value copy = copyOf(value);
  if (lanes.differ(value))
    return copy;
  return BroadcastToOp::create(builder, value.getLoc(), stacked(copy.getType()),
                               copy);
}

SmallVector<Value> Batcher::stacksOf(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value v) { return stackOf(v); });
}

Value Batcher::aligned(Value value, int64_t rank) {
  Value copy = copyOf(value);
  int64_t more = rank - typeOf(value).getRank();
  if (!lanes.differ(value) || more == 0)
    return copy;
  SmallVector<int64_t> shape{size};
  shape.append(more, 1);
  llvm::append_range(shape, shapeOf(value));
  return ReshapeOp::create(builder, value.getLoc(), typeOf(copy).clone(shape),
                           copy);
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

LogicalResult Batcher::copyBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(copy(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Families of operations
//===----------------------------------------------------------------------===//

void Batcher::copyElementwise(Operation *op) {
  int64_t rank = 0;
  for (Value operand : op->getOperands())
    rank = std::max(rank, typeOf(operand).getRank());
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(aligned(operand, rank));
  rebuild(op, operands);
}

/// Operations along axes that an attribute numbers; all operands have lanes.
void Batcher::shiftAxes(Operation *op, StringRef name) {
  NamedAttrList attributes(op->getAttrs());
  if (auto axis = dyn_cast<IntegerAttr>(op->getAttr(name))) {
    attributes.set(name, builder.getI64IntegerAttr(axis.getInt() + 1));
  } else {
    SmallVector<int64_t> axes;
    if (isa<TransposeOp>(op))
      axes.push_back(0);
    for (int64_t axis : cast<DenseI64ArrayAttr>(op->getAttr(name)).asArrayRef())
      axes.push_back(axis + 1);
    attributes.set(name, builder.getDenseI64ArrayAttr(axes));
  }
  rebuild(op, stacksOf(op->getOperands()), attributes);
}

/// Padding that differs is put where padding with `true` leaves `false`.
void Batcher::copyPad(PadOp op) {
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
  // Any number will do where it is replaced.
  SmallVector<int64_t> none(typeOf(value).getRank(), 0),
      ones(typeOf(value).getRank(), 1);
  Value first = SliceOp::create(builder, op.getLoc(), value, none, ones, ones);
  first = ReshapeOp::create(builder, op.getLoc(),
                            typeOf(value).clone(ArrayRef<int64_t>()), first);
  bind(op, SelectOp::create(builder, op.getLoc(), pad(inside, no),
                            pad(array, first), value));
}

/// Lanes of both operands are a pair of batching axes. Those of one are among
/// its other axes, and of the result, from where they move to the front.
void Batcher::copyDotGeneral(DotGeneralOp op) {
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
  int64_t place = 0;
  if (!isLeft || !isRight)
    place = leftBatching.size();
  if (!isLeft)
    place = typeOf(op.getLhs()).getRank() - op.getLhsContracting().size();
  if (place == 0)
    return bind(op, made);
  SmallVector<int64_t> axes{place};
  for (int64_t axis = 0, end = typeOf(made).getRank(); axis < end; ++axis)
    if (axis != place)
      axes.push_back(axis);
  bind(op, TransposeOp::create(builder, op.getLoc(), made, axes));
}

LogicalResult Batcher::copy(Operation *op) {
  bool isOurs =
      isa<IfOp, ForOp, WhileOp, CheckpointOp, CustomDerivativeOp, CustomVmapOp>(
          op);
  if (isOurs)
    return copyRegions(op);
  if (auto check = dyn_cast<AssertOp>(op))
    return copyAssert(check), success();
  if (auto print = dyn_cast<PrintOp>(op))
    return copyPrint(print), success();
  if (op->getNumRegions() == 0 && !lanes.anyDiffers(op->getOperands())) {
    builder.clone(*op, copies);
    return success();
  }
  if (op->hasTrait<ElementwiseTrait>()) {
    copyElementwise(op);
    return success();
  }
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<TransposeOp, FlipOp, ReduceOp>([&](auto each) {
        shiftAxes(each, "axes");
        return success();
      })
      .Case<ConcatenateOp, ArgReduceOp, CumulativeOp, SortOp>([&](auto each) {
        shiftAxes(each, "axis");
        return success();
      })
      .Case<ReshapeOp, FftOp, CholeskyOp, TriangularSolveOp, LuOp, QrOp, EighOp,
            SvdOp, EigOp, BarrierOp, StopGradientOp>([&](auto each) {
        rebuild(each, stacksOf(each->getOperands()));
        return success();
      })
      .Case([&](BroadcastToOp each) {
        rebuild(each, aligned(each.getOperand(), each.getType().getRank()));
        return success();
      })
      .Case([&](CallStablehloOp each) { return copyCall(each), success(); })
      .Case([&](PadOp each) { return copyPad(each), success(); })
      .Case([&](DotGeneralOp each) { return copyDotGeneral(each), success(); })
      .Case([&](SliceOp each) { return copySlice(each), success(); })
      .Case([&](DynamicSliceOp each) {
        return copyDynamicSlice(each), success();
      })
      .Case(
          [&](UpdateSliceOp each) { return copyUpdateSlice(each), success(); })
      .Case([&](GatherOp each) { return copyGather(each), success(); })
      .Case([&](ScatterOp each) { return copyScatter(each), success(); })
      .Default([](Operation *each) {
        return each->emitError()
               << "'" << each->getName() << "' has no rule for batches";
      });
}
