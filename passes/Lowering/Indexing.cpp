//===- Indexing.cpp - Indexing operations to StableHLO --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;

/// The span of `sizes` elements with `strides` along each axis.
static SmallVector<int64_t> windowOf(ArrayRef<int64_t> sizes,
                                     ArrayRef<int64_t> strides) {
  SmallVector<int64_t> window;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    window.push_back(size == 0 ? 0 : (size - 1) * stride + 1);
  return window;
}

static bool isContiguous(ArrayRef<int64_t> strides) {
  return llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
}

/// Where a rearranging operation has the axis `from` of its operand, if it
/// keeps it whole.
static std::optional<int64_t> axisBehind(Operation *op, int64_t from) {
  ArrayRef<int64_t> given = shapeOf(op->getOperand(0)),
                    made = shapeOf(op->getResult(0));
  if (isa<stablehlo::ConvertOp>(op))
    return from;
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
    return llvm::find(transpose.getPermutation(), from) -
           transpose.getPermutation().begin();
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    int64_t axis = broadcast.getBroadcastDimensions()[from];
    return made[axis] == given[from] ? std::optional(axis) : std::nullopt;
  }
  // A reshape keeps an axis with as many elements before it.
  int64_t before = llvm::product_of(given.take_front(from));
  for (int64_t axis : llvm::seq<int64_t>(0, made.size()))
    if (made[axis] == given[from] &&
        llvm::product_of(made.take_front(axis)) == before)
      return axis;
  return {};
}

/// The axis along which each element of an array is its own position, if the
/// operations that make the array say so.
static std::optional<int64_t> countedAxis(Value value) {
  Operation *op = value.getDefiningOp();
  std::optional<int64_t> axis;
  if (auto iota = dyn_cast_or_null<stablehlo::IotaOp>(op))
    axis = iota.getIotaDimension();
  else if (isa_and_nonnull<stablehlo::ConvertOp, stablehlo::TransposeOp,
                           stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp>(
               op))
    if (auto from = countedAxis(op->getOperand(0)))
      axis = axisBehind(op, *from);
  auto element = dyn_cast<IntegerType>(elementOf(value));
  // Larger positions wrap around.
  bool fits = axis && element &&
              llvm::isUIntN(element.getWidth() - 1, shapeOf(value)[*axis] - 1);
  return fits ? axis : std::nullopt;
}

namespace {

/// Where a gather reads, or a scatter writes. An index array that counts along
/// one of its axes, as np.arange(n) and the numbers of lanes do, pairs this
/// axis with a whole axis of the operand. As batching axes, XLA's partitioner
/// divides both alike, instead of gathering the operand on each device.
struct Places {
  Places(ValueRange indices, ArrayRef<int64_t> shape) {
    for (auto [axis, index] : llvm::enumerate(indices)) {
      auto along = countedAxis(index);
      // StableHLO wants an index besides the batching axes.
      bool isLast = axis + 1 == indices.size() && arrays.empty();
      if (along && shapeOf(index)[*along] == shape[axis] && !isLast &&
          !llvm::is_contained(indexBatching, *along)) {
        batching.push_back(axis);
        indexBatching.push_back(*along);
        continue;
      }
      axes.push_back(axis);
      arrays.push_back(index);
    }
  }

  /// Axes of the operand, and those of the index arrays that are paired with
  /// them.
  SmallVector<int64_t> batching, indexBatching;
  /// The other axes that are indexed, and their index arrays.
  SmallVector<int64_t> axes;
  SmallVector<Value> arrays;
};

} // namespace

/// Stacks the index arrays along a new last axis, as StableHLO takes them.
static Value stackIndices(Emitter &emitter, ValueRange indices) {
  SmallVector<int64_t> shape(shapeOf(indices[0]));
  int64_t axis = shape.size();
  shape.push_back(1);
  Type i64 = emitter.builder.getI64Type();
  SmallVector<Value> columns;
  for (Value index : indices)
    columns.push_back(emitter.emit<stablehlo::ReshapeOp>(
        RankedTensorType::get(shape, i64), emitter.convert(index, i64)));
  if (columns.size() == 1)
    return columns[0];
  shape.back() = columns.size();
  return emitter.emit<stablehlo::ConcatenateOp>(
      RankedTensorType::get(shape, i64), columns,
      emitter.builder.getI64IntegerAttr(axis));
}

static SmallVector<int64_t> iota(int64_t begin, int64_t end) {
  return llvm::to_vector(llvm::seq(begin, end));
}

namespace {

struct SliceLowering : public OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(op, emitter.slice(op.getOperand(), op.getStarts(),
                                         op.getSizes(), op.getStrides()));
    return success();
  }
};

struct DynamicSliceLowering : public OpRewritePattern<DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicSliceOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    SmallVector<int64_t> window = windowOf(op.getSizes(), op.getStrides());
    Value value = op.getOperand();
    if (!op.getStarts().empty())
      value = emitter.emit<stablehlo::DynamicSliceOp>(
          op.getType().clone(window), value, op.getStarts(), window);
    if (!isContiguous(op.getStrides()))
      value = emitter.slice(value, SmallVector<int64_t>(window.size(), 0),
                            op.getSizes(), op.getStrides());
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct UpdateSliceLowering : public OpRewritePattern<UpdateSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(UpdateSliceOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    if (op.getUpdate().getType().getNumElements() == 0) {
      rewriter.replaceOp(op, op.getOperand());
      return success();
    }
    Value update = op.getUpdate();
    if (!isContiguous(op.getStrides()))
      update = fillWindow(emitter, op);
    rewriter.replaceOpWithNewOp<stablehlo::DynamicUpdateSliceOp>(
        op, op.getType(), op.getOperand(), update, op.getStarts());
    return success();
  }

  /// The window that the update spans, with the array's elements between those
  /// of the update.
  static Value fillWindow(Emitter &emitter, UpdateSliceOp op) {
    RankedTensorType type = op.getUpdate().getType();
    SmallVector<int64_t> window = windowOf(type.getShape(), op.getStrides());
    SmallVector<int64_t> zeros(window.size(), 0), interior;
    for (int64_t stride : op.getStrides())
      interior.push_back(stride - 1);
    auto spread = [&](Value value) {
      Type scalar = typeOf(value).clone(ArrayRef<int64_t>());
      return emitter.pad(value, emitter.splat(scalar, 0), zeros, zeros,
                         interior);
    };
    Type pred = type.clone(emitter.builder.getI1Type());
    Value old = emitter.emit<stablehlo::DynamicSliceOp>(
        type.clone(window), op.getOperand(), op.getStarts(), window);
    return emitter.select(spread(emitter.splat(pred, 1)),
                          spread(op.getUpdate()), old);
  }
};

struct GatherLowering : public OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    ArrayRef<int64_t> shape = op.getOperand().getType().getShape();
    // StableHLO refuses to gather from an empty array, even no elements.
    if (op.getOperand().getType().getNumElements() == 0) {
      rewriter.replaceOp(op, emitter.splat(op.getType(), 0));
      return success();
    }
    int64_t count = op.getIndices().size();
    int64_t rank = typeOf(op.getIndices()[0]).getRank();
    SmallVector<int64_t> sizes(count, 1);
    llvm::append_range(sizes, shape.drop_front(count));
    Places places(op.getIndices(), shape);
    auto numbers = stablehlo::GatherDimensionNumbersAttr::get(
        getContext(), iota(rank, op.getType().getRank()), places.axes,
        places.batching, places.indexBatching, places.axes, rank);
    rewriter.replaceOpWithNewOp<stablehlo::GatherOp>(
        op, op.getType(), op.getOperand(), stackIndices(emitter, places.arrays),
        numbers, rewriter.getDenseI64ArrayAttr(sizes),
        rewriter.getBoolAttr(false));
    return success();
  }
};

struct ScatterLowering : public OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op.getLoc());
    if (op.getType().getNumElements() == 0 ||
        op.getUpdate().getType().getNumElements() == 0) {
      rewriter.replaceOp(op, op.getOperand());
      return success();
    }
    int64_t rank = typeOf(op.getIndices()[0]).getRank();
    Places places(op.getIndices(), op.getType().getShape());
    auto numbers = stablehlo::ScatterDimensionNumbersAttr::get(
        getContext(), iota(rank, op.getUpdate().getType().getRank()),
        places.axes, places.batching, places.indexBatching, places.axes, rank);
    auto scatter = stablehlo::ScatterOp::create(
        rewriter, op.getLoc(), op.getType(), op.getOperand(),
        stackIndices(emitter, places.arrays), op.getUpdate(), numbers,
        rewriter.getBoolAttr(false), rewriter.getBoolAttr(op.getUnique()));
    Type scalar = op.getType().clone(ArrayRef<int64_t>());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *block =
          rewriter.createBlock(&scatter.getUpdateComputation(), {},
                               {scalar, scalar}, {op.getLoc(), op.getLoc()});
      Value result = combine(emitter, op.getKind(), block->getArgument(0),
                             block->getArgument(1));
      stablehlo::ReturnOp::create(rewriter, op.getLoc(), result);
    }
    rewriter.replaceOp(op, scatter);
    return success();
  }

  static Value combine(Emitter &emitter, ScatterKind kind, Value old,
                       Value update) {
    switch (kind) {
    case ScatterKind::Set:
      return update;
    case ScatterKind::Add:
      return emitter.combine(ReduceKind::Add, old, update);
    case ScatterKind::Mul:
      return emitter.combine(ReduceKind::Mul, old, update);
    case ScatterKind::Min:
      return emitter.combine(ReduceKind::Min, old, update);
    case ScatterKind::Max:
      return emitter.combine(ReduceKind::Max, old, update);
    }
    llvm_unreachable("covered switch");
  }
};

} // namespace

void ingot::populateIndexingLowering(RewritePatternSet &patterns) {
  patterns.add<SliceLowering, DynamicSliceLowering, UpdateSliceLowering,
               GatherLowering, ScatterLowering>(patterns.getContext());
}
