//===- CancelTransposes.cpp - Compute elements in the order of memory -----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Erasure.h"
#include "Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {
#define GEN_PASS_DEF_CANCELTRANSPOSES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// How many elementwise operations are followed, one behind the other.
static constexpr unsigned mostDepth = 16;

static bool isElementwise(Operation *op) {
  return op && op->hasTrait<ElementwiseTrait>() && op->getNumResults() == 1;
}

/// Whether a transpose by these axes takes back the one that made a value.
static bool isInverse(Value value, ArrayRef<int64_t> axes) {
  auto inner = value.getDefiningOp<TransposeOp>();
  if (!inner || inner.getAxes().size() != axes.size())
    return false;
  return llvm::all_of(llvm::enumerate(axes), [&](auto axis) {
    return inner.getAxes()[axis.value()] == static_cast<int64_t>(axis.index());
  });
}

/// Whether a value, which is only used in its block, where it is transposed by
/// these axes, is computed elementwise from such transposes.
static bool cancels(Value value, Block *block, ArrayRef<int64_t> axes,
                    unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (depth == 0 || !value.hasOneUse() || !isElementwise(op) ||
      op->getBlock() != block)
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isInverse(operand, axes) || cancels(operand, block, axes, depth - 1);
  });
}

static RankedTensorType transposedType(RankedTensorType type,
                                       ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape;
  for (int64_t axis : axes)
    shape.push_back(type.getDimSize(axis));
  return type.clone(shape);
}

/// A value with its axes transposed, in a type that broadcasts as its own did.
static Value transposed(OpBuilder &builder, Value value, ArrayRef<int64_t> axes,
                        unsigned depth) {
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 0)
    return value;
  if (isInverse(value, axes))
    return value.getDefiningOp()->getOperand(0);
  mlir::Location location = value.getLoc();
  if (cancels(value, builder.getInsertionBlock(), axes, depth)) {
    Operation *op = value.getDefiningOp();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(transposed(builder, operand, axes, depth - 1));
    OperationState state(op->getLoc(), op->getName(), operands,
                         transposedType(type, axes), op->getAttrs());
    return builder.create(state)->getResult(0);
  }
  auto iota = value.getDefiningOp<IotaOp>();
  if (iota && type.getRank() == static_cast<int64_t>(axes.size())) {
    auto *place = llvm::find(axes, static_cast<int64_t>(iota.getAxis()));
    return IotaOp::create(builder, location, transposedType(type, axes),
                          std::distance(axes.begin(), place));
  }
  // Axes that broadcasting adds are in front.
  SmallVector<int64_t> shape(axes.size() - type.getRank(), 1);
  llvm::append_range(shape, type.getShape());
  if (type.getShape() != ArrayRef(shape))
    value = ReshapeOp::create(builder, location, type.clone(shape), value);
  return TransposeOp::create(builder, location, value, axes);
}

namespace {
struct CancelTransposes
    : public ingot::impl::CancelTransposesBase<CancelTransposes> {
  void runOnOperation() override {
    SmallVector<TransposeOp> transposes;
    getOperation().walk([&](TransposeOp op) { transposes.push_back(op); });
    for (TransposeOp op : transposes) {
      if (!cancels(op.getOperand(), op->getBlock(), op.getAxes(), mostDepth))
        continue;
      OpBuilder builder(op);
      SmallVector<int64_t> axes(op.getAxes());
      Operation *before = op.getOperand().getDefiningOp();
      op.replaceAllUsesWith(
          transposed(builder, op.getOperand(), axes, mostDepth));
      op.erase();
      // What it erases is before the transpose, and so has been visited.
      eraseDead(before);
    }
  }
};
} // namespace
