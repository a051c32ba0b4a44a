//===- Indexing.cpp - Reading and writing parts of arrays -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

using namespace mlir;

namespace ingot {

/// Checks that a slice is within the bounds of the shape.
static LogicalResult checkWindow(Location location, ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> starts,
                                 ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> strides) {
  int64_t rank = shape.size();
  if (failed(checkLength(location, "starts", starts.size(), rank)) ||
      failed(checkLength(location, "sizes", sizes.size(), rank)) ||
      failed(checkLength(location, "strides", strides.size(), rank)))
    return failure();
  for (int64_t i = 0; i < rank; ++i) {
    if (strides[i] < 1)
      return emitOptionalError(location, "stride ", strides[i], " along axis ",
                               i, " is not positive");
    if (starts[i] < 0 || sizes[i] < 0)
      return emitOptionalError(location, "negative start or size along axis ",
                               i);
    int64_t end = starts[i] + (sizes[i] - 1) * strides[i] + 1;
    if (sizes[i] > 0 && end > shape[i])
      return emitOptionalError(location, "slice [", starts[i], ":", end,
                               "] is out of bounds for axis ", i, " with size ",
                               shape[i]);
    if (starts[i] > shape[i])
      return emitOptionalError(location, "start ", starts[i],
                               " is out of bounds for axis ", i, " with size ",
                               shape[i]);
  }
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, Location location,
                                        Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  if (failed(checkWindow(location, type.getShape(), adaptor.getStarts(),
                         adaptor.getSizes(), adaptor.getStrides())))
    return failure();
  results.push_back(type.clone(adaptor.getSizes()));
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *, Location location,
                                               Adaptor adaptor,
                                               Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  SmallVector<int64_t> zeros(adaptor.getStarts().size(), 0);
  if (failed(checkWindow(location, type.getShape(), zeros, adaptor.getSizes(),
                         adaptor.getStrides())))
    return failure();
  results.push_back(type.clone(adaptor.getSizes()));
  return success();
}

LogicalResult UpdateSliceOp::inferReturnTypes(MLIRContext *, Location location,
                                              Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  SmallVector<int64_t> zeros(adaptor.getStarts().size(), 0);
  if (failed(checkSameElement(location, adaptor.getOperand(),
                              adaptor.getUpdate())) ||
      failed(checkWindow(location, type.getShape(), zeros,
                         shapeOf(adaptor.getUpdate()), adaptor.getStrides())))
    return failure();
  results.push_back(type);
  return success();
}

/// The shape of `operand[indices...]`.
static FailureOr<SmallVector<int64_t>>
gatherShape(Location location, Value operand, ValueRange indices) {
  if (indices.empty())
    return emitOptionalError(location, "no index array");
  ArrayRef<int64_t> shape = shapeOf(operand), index = shapeOf(indices[0]);
  for (Value each : indices)
    if (shapeOf(each) != index)
      return emitOptionalError(location, "index arrays have different shapes ",
                               shapeText(index), " and ",
                               shapeText(shapeOf(each)));
  if (indices.size() > shape.size())
    return emitOptionalError(location, "too many indices for array: array is ",
                             shape.size(), "-dimensional, but ", indices.size(),
                             " were indexed");
  SmallVector<int64_t> result(index);
  llvm::append_range(result, shape.drop_front(indices.size()));
  return result;
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, Location location,
                                         Adaptor adaptor, Types &results) {
  auto shape =
      gatherShape(location, adaptor.getOperand(), adaptor.getIndices());
  if (failed(shape))
    return failure();
  results.push_back(typeOf(adaptor.getOperand()).clone(*shape));
  return success();
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, Location location,
                                          Adaptor adaptor, Types &results) {
  Value operand = adaptor.getOperand(), update = adaptor.getUpdate();
  auto shape = gatherShape(location, operand, adaptor.getIndices());
  if (failed(shape) || failed(checkSameElement(location, operand, update)))
    return failure();
  if (shapeOf(update) != ArrayRef(*shape))
    return emitOptionalError(
        location, "shape mismatch: value array of shape ",
        shapeText(shapeOf(update)),
        " could not be broadcast to indexing result of shape ",
        shapeText(*shape));
  results.push_back(operand.getType());
  return success();
}

/// The number of an axis is its position in the result.
AxisRule GatherOp::getAxisRule() {
  AxisRule rule = axesBut(*this, {});
  int64_t count = getIndices().size();
  int64_t shift = shapeOf(getIndices()[0]).size() - count;
  for (auto [i, axis] : llvm::enumerate(rule.operands[0]))
    axis = static_cast<int64_t>(i) < count ? AxisRule::whole : axis + shift;
  return rule;
}

/// The number of an axis is its position in the result; the axes of the indices
/// have the numbers after these.
AxisRule ScatterOp::getAxisRule() {
  int64_t count = getIndices().size(), rank = getType().getRank();
  AxisRule rule = axesBut(*this, llvm::to_vector(llvm::seq(count)));
  AxisRule::Axes places = llvm::to_vector(
      llvm::seq(rank, rank + typeOf(getIndices()[0]).getRank()));
  for (AxisRule::Axes &index : MutableArrayRef(rule.operands).drop_front(2))
    index = places;
  rule.operands[1] = places;
  llvm::append_range(rule.operands[1], llvm::seq(count, rank));
  return rule;
}

static bool areAll(ArrayRef<int64_t> list, int64_t value) {
  return llvm::all_of(list, [&](int64_t each) { return each == value; });
}

/// Pattern: dynamic_slice(x) of all elements of x -> x,
/// dynamic_slice(update_slice(x, u, i), i) : T -> u : T
OpFoldResult DynamicSliceOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType() && areAll(getStrides(), 1))
    return getOperand();
  auto update = getOperand().getDefiningOp<UpdateSliceOp>();
  bool isSame = update && update.getUpdate().getType() == getType() &&
                update.getStarts() == getStarts() &&
                update.getStrides() == getStrides();
  return isSame ? update.getUpdate() : OpFoldResult();
}

/// Pattern: update_slice(x, u) of all elements of x -> u
OpFoldResult UpdateSliceOp::fold(FoldAdaptor) {
  bool isAll = getUpdate().getType() == getType() && areAll(getStrides(), 1);
  return isAll ? getUpdate() : OpFoldResult();
}

/// Takes the elements of a slice from the operand of a concatenation that has
/// all of them, if one does.
static bool takeFromPart(SliceOp op, ConcatenateOp join) {
  int64_t axis = join.getAxis(), size = op.getSizes()[axis],
          first = op.getStarts()[axis],
          last = first + (size - 1) * op.getStrides()[axis], begin = 0;
  for (Value part : join.getInputs()) {
    int64_t end = begin + typeOf(part).getDimSize(axis);
    if (size > 0 && begin <= first && last < end) {
      SmallVector<int64_t> starts(op.getStarts());
      starts[axis] -= begin;
      op.setStarts(starts);
      op.setOperand(part);
      return true;
    }
    begin = end;
  }
  return false;
}

/// Patterns: slice(x) of all elements of x -> x,
/// slice(concatenate(..., x, ...)) of elements of x -> slice(x)
OpFoldResult SliceOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType() && areAll(getStrides(), 1))
    return getOperand();
  auto join = getOperand().getDefiningOp<ConcatenateOp>();
  return join && takeFromPart(*this, join) ? getResult() : OpFoldResult();
}

/// Whether a slice leaves exactly what a padding has been added to.
static bool undoes(SliceOp slice, PadOp pad) {
  return slice.getStarts() == pad.getLow() && areAll(pad.getInterior(), 0) &&
         areAll(slice.getStrides(), 1) &&
         slice.getType() == pad.getOperand().getType();
}

/// Pattern: slice(scatter(pad(x), u, i)) -> scatter(x, u, i), where the slice
/// cuts off the padding, which is behind x along axes with indices: updates out
/// of bounds are dropped
static LogicalResult dropPadding(SliceOp op, PatternRewriter &rewriter) {
  auto scatter = op.getOperand().getDefiningOp<ScatterOp>();
  auto pad = scatter ? scatter.getOperand().getDefiningOp<PadOp>() : nullptr;
  if (!pad || !scatter->hasOneUse() || !undoes(op, pad))
    return failure();
  for (auto [axis, low, high] : llvm::enumerate(pad.getLow(), pad.getHigh()))
    if (low != 0 || (high != 0 && axis >= scatter.getIndices().size()))
      return failure();
  rewriter.replaceOpWithNewOp<ScatterOp>(
      op, scatter.getKind(), pad.getOperand(), scatter.getUpdate(),
      scatter.getIndices(), scatter.getUnique());
  return success();
}

namespace {
/// The bounds of a slice.
struct Bounds {
  SmallVector<int64_t> starts, sizes, strides;

  void add(int64_t start, int64_t size, int64_t stride) {
    starts.push_back(start);
    sizes.push_back(size);
    strides.push_back(stride);
  }
  void addOf(const Bounds &other, size_t axis) {
    add(other.starts[axis], other.sizes[axis], other.strides[axis]);
  }
};
} // namespace

/// The bounds of the same elements before a reshape that adds and removes axes
/// of size 1 only.
static std::optional<Bounds> boundsBefore(ReshapeOp reshape,
                                          const Bounds &bounds) {
  Bounds found;
  ArrayRef<int64_t> shape = reshape.getType().getShape();
  size_t axis = 0;
  auto skipOnes = [&] {
    while (axis < shape.size() && shape[axis] == 1 && bounds.sizes[axis] == 1)
      ++axis;
  };
  for (int64_t size : shapeOf(reshape.getOperand())) {
    if (size == 1) {
      found.add(0, 1, 1);
      continue;
    }
    skipOnes();
    if (axis == shape.size() || shape[axis] != size)
      return std::nullopt;
    found.addOf(bounds, axis++);
  }
  skipOnes();
  return axis == shape.size() ? std::optional(found) : std::nullopt;
}

/// A slice of an array that is an iota or a broadcast, by itself or with more
/// axes of size 1, computed without the other elements of the array. The null
/// value for other arrays.
static Value computedSlice(OpBuilder &b, mlir::Location location, Value value,
                           const Bounds &bounds) {
  Operation *op = value.getDefiningOp();
  RankedTensorType type = typeOf(value).clone(bounds.sizes);
  if (auto iota = dyn_cast_or_null<IotaOp>(op)) {
    uint64_t axis = iota.getAxis();
    bool isFirst = bounds.starts[axis] == 0 && bounds.strides[axis] == 1;
    return isFirst ? IotaOp::create(b, location, type, axis) : Value();
  }
  if (auto broadcast = dyn_cast_or_null<BroadcastToOp>(op)) {
    Value operand = broadcast.getOperand();
    size_t axis = typeOf(value).getRank() - typeOf(operand).getRank();
    Bounds inner;
    for (auto [i, size] : llvm::enumerate(shapeOf(operand)))
      size == 1 ? inner.add(0, 1, 1) : inner.addOf(bounds, axis + i);
    Value slice = b.createOrFold<SliceOp>(location, operand, inner.starts,
                                          inner.sizes, inner.strides);
    return b.createOrFold<BroadcastToOp>(location, type, slice);
  }
  auto reshape = dyn_cast_or_null<ReshapeOp>(op);
  std::optional<Bounds> inner =
      reshape ? boundsBefore(reshape, bounds) : std::nullopt;
  Value slice = inner ? computedSlice(b, location, reshape.getOperand(), *inner)
                      : Value();
  return slice ? b.createOrFold<ReshapeOp>(location, type, slice) : Value();
}

/// Patterns:
///   slice(broadcast_to(x)) -> broadcast_to(slice(x))
///   slice(iota) of the first elements -> iota
static LogicalResult sliceFirst(SliceOp op, PatternRewriter &rewriter) {
  Bounds bounds{SmallVector<int64_t>(op.getStarts()),
                SmallVector<int64_t>(op.getSizes()),
                SmallVector<int64_t>(op.getStrides())};
  Value made = computedSlice(rewriter, op.getLoc(), op.getOperand(), bounds);
  if (!made)
    return failure();
  rewriter.replaceOp(op, made);
  return success();
}

LogicalResult SliceOp::canonicalize(SliceOp op, PatternRewriter &rewriter) {
  return success(succeeded(dropPadding(op, rewriter)) ||
                 succeeded(sliceFirst(op, rewriter)));
}

/// Pattern: gather(iota)[i] -> i
OpFoldResult GatherOp::fold(FoldAdaptor) {
  auto iota = getOperand().getDefiningOp<IotaOp>();
  int64_t rank = getOperand().getType().getRank(), count = getIndices().size();
  if (!iota || count != rank)
    return {};
  Value index = getIndices()[iota.getAxis()];
  return index.getType() == getType() ? index : OpFoldResult();
}

} // namespace ingot
