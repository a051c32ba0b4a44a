//===- SplitAxes.cpp - Elementwise code on the axes that reshapes merge ---===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Erasure.h"
#include "KernelLowering.h"
#include "NativePasses.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace ingot {
#define GEN_PASS_DEF_SPLITAXES
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// From so many elements on, the innermost loop is as fast as one over merged
/// axes.
constexpr int64_t longAxis = 16;

/// For each axis of an array, the axes that it is split into; those of size 1
/// do not count.
using Splits = SmallVector<SmallVector<int64_t>>;

bool broadcasts(Operation *op) {
  return op->hasTrait<ElementwiseTrait>() && op->getNumResults() == 1;
}

bool isStatic(Value value) { return typeOf(value).hasStaticShape(); }

/// How a reshape from one shape to another merges axes, if it does nothing
/// else.
std::optional<Splits> mergedBy(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  Splits splits;
  const auto *next = from.begin();
  for (int64_t size : to) {
    SmallVector<int64_t> &axes = splits.emplace_back();
    int64_t product = 1;
    while (next != from.end() && (product < size || *next == 1)) {
      product *= *next;
      if (*next != 1)
        axes.push_back(*next);
      ++next;
    }
    if (product != size)
      return std::nullopt;
  }
  return next == from.end() ? std::optional(splits) : std::nullopt;
}

class Splitter {
public:
  void visit(Operation *op) {
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      skipReshape(reshape);
    else if (auto slice = dyn_cast<SliceOp>(op))
      splitSlice(slice);
    else if (broadcasts(op))
      splitElementwise(op);
  }

private:
  /// The source of a reshape that merges axes, if its elements would have to be
  /// stored only for that.
  Value sourceOf(Value value) const {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (!reshape || !isStatic(reshape.getOperand()) || !isStatic(value))
      return {};
    Operation *source = reshape.getOperand().getDefiningOp();
    bool isKnown = isa_and_nonnull<TransposeOp, BroadcastToOp>(source) ||
                   split.contains(source);
    return isKnown ? reshape.getOperand() : Value();
  }

  std::optional<Splits> splitsOf(Value value) const {
    Value source = sourceOf(value);
    return source ? mergedBy(shapeOf(source), shapeOf(value)) : std::nullopt;
  }

  static void skipReshape(ReshapeOp op) {
    if (auto before = op.getOperand().getDefiningOp<ReshapeOp>())
      op->setOperand(0, before.getOperand());
  }

  /// The shape of an operand on the split axes of the result.
  static SmallVector<int64_t> splitShape(ArrayRef<int64_t> shape,
                                         const Splits &splits) {
    SmallVector<int64_t> found;
    for (auto [size, axes] :
         llvm::zip_equal(shape, ArrayRef(splits).take_back(shape.size())))
      for (int64_t axis : axes)
        found.push_back(size == 1 ? 1 : axis);
    return found;
  }

  static Value reshaped(OpBuilder &b, Value value, ArrayRef<int64_t> shape) {
    if (shapeOf(value) == shape)
      return value;
    auto type = RankedTensorType::get(shape, elementOf(value));
    return ReshapeOp::create(b, value.getLoc(), type, value);
  }

  /// Adds what an operand needs, unless it contradicts what others do.
  static void add(Splits &splits, const Splits &own) {
    for (auto [all, axes] :
         llvm::zip_equal(MutableArrayRef(splits).take_back(own.size()), own))
      if (all.size() < 2 && axes.size() > 1)
        all = axes;
  }

  /// An operand on split axes.
  Value operandOn(OpBuilder &b, Value value, const Splits &splits) {
    SmallVector<int64_t> shape = splitShape(shapeOf(value), splits);
    auto type = RankedTensorType::get(shape, elementOf(value));
    Value source = sourceOf(value);
    if (source && squeezed(typeOf(source)) == squeezed(type))
      return reshaped(b, source, shape);
    // What is computed for this use only stays part of its loops.
    Operation *op = value.getDefiningOp();
    if (op && broadcasts(op) && value.hasOneUse() &&
        op->getBlock() == b.getInsertionBlock() &&
        llvm::all_of(op->getOperands(), isStatic))
      return elementwiseOn(b, op, splits);
    return reshaped(b, value, shape);
  }

  /// The same operation on split axes.
  Value elementwiseOn(OpBuilder &b, Operation *op, const Splits &splits) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operandOn(b, operand, splits));
    SmallVector<int64_t> shape = splitShape(shapeOf(op->getResult(0)), splits);
    Operation *made = b.clone(*op);
    made->setOperands(operands);
    made->getResult(0).setType(
        RankedTensorType::get(shape, elementOf(op->getResult(0))));
    split.insert(made);
    return made->getResult(0);
  }

  void replace(OpBuilder &b, Operation *op, Value made) {
    op->getResult(0).replaceAllUsesWith(
        reshaped(b, made, shapeOf(op->getResult(0))));
  }

  void splitElementwise(Operation *op) {
    if (!llvm::all_of(op->getOperands(), isStatic))
      return;
    Splits splits;
    for (int64_t size : shapeOf(op->getResult(0)))
      splits.push_back({size});
    for (Value operand : op->getOperands())
      if (std::optional<Splits> own = splitsOf(operand))
        add(splits, *own);
    if (llvm::all_of(splits, [](auto &axes) { return axes.size() == 1; }))
      return;
    bool isCheap = isa<AddOp, SubOp, MulOp, MulNoNanOp, NegOp>(op);
    if (!isCheap && splits.back().back() < longAxis)
      return;
    OpBuilder b(op);
    replace(b, op, elementwiseOn(b, op, splits));
  }

  /// A slice of whole merged axes is one of the axes that they are.
  void splitSlice(SliceOp op) {
    std::optional<Splits> splits = splitsOf(op.getOperand());
    if (!splits)
      return;
    SmallVector<int64_t> starts, sizes, strides, whole;
    ArrayRef<int64_t> shape = shapeOf(op.getOperand());
    for (auto [i, axes] : llvm::enumerate(*splits)) {
      if (axes.size() < 2) {
        starts.push_back(op.getStarts()[i]);
        sizes.push_back(op.getSizes()[i]);
        strides.push_back(op.getStrides()[i]);
        whole.push_back(shape[i]);
        continue;
      }
      if (op.getSizes()[i] != shape[i] || op.getStrides()[i] != 1)
        return;
      starts.append(axes.size(), 0);
      sizes.append(axes);
      strides.append(axes.size(), 1);
      whole.append(axes);
    }
    OpBuilder b(op);
    Value source = reshaped(b, sourceOf(op.getOperand()), whole);
    auto made = SliceOp::create(b, op.getLoc(), source, starts, sizes, strides);
    split.insert(made);
    replace(b, op, made);
  }

  /// What was made here, with axes that the program has merged.
  DenseSet<Operation *> split;
};

struct SplitAxes : ingot::impl::SplitAxesBase<SplitAxes> {
  void runOnOperation() override {
    Splitter splitter;
    for (Operation *op : operations())
      splitter.visit(op);
    // What has been replaced.
    eraseDead(llvm::filter_to_vector(operations(), [](Operation *op) {
      return broadcasts(op) || isa<ReshapeOp, SliceOp>(op);
    }));
  }

private:
  SmallVector<Operation *> operations() {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) { found.push_back(op); });
    return found;
  }
};

} // namespace
