//===- Joining.cpp - Arrays that are put together from parts --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace ingot {

/// Whether a slice begins behind the last element of another one, and is like
/// it otherwise, so that both are one slice.
static bool follows(SliceOp next, SliceOp slice, int64_t axis) {
  if (!slice || !next || next.getOperand() != slice.getOperand())
    return false;
  int64_t end = slice.getStarts()[axis] + slice.getSizes()[axis];
  for (int64_t i : llvm::seq(slice.getType().getRank())) {
    bool isNext =
        next.getStrides()[i] == slice.getStrides()[i] &&
        (i == axis ? next.getStrides()[i] == 1 && next.getStarts()[i] == end
                   : next.getStarts()[i] == slice.getStarts()[i]);
    if (!isNext)
      return false;
  }
  return true;
}

/// The first operands of a concatenation, if they are one constant or slices
/// that follow each other.
static ValueRange firstRun(ValueRange inputs, int64_t axis) {
  size_t count = 1;
  Attribute splat = splatOf(inputs[0]);
  while (count < inputs.size() &&
         (splat ? splatOf(inputs[count]) == splat
                : follows(inputs[count].getDefiningOp<SliceOp>(),
                          inputs[count - 1].getDefiningOp<SliceOp>(), axis)))
    ++count;
  return inputs.take_front(count);
}

/// What the concatenation of such operands is.
static Value merged(ValueRange run, int64_t axis, OpBuilder &builder,
                    mlir::Location location) {
  if (run.size() == 1)
    return run[0];
  SmallVector<int64_t> shape(shapeOf(run[0]));
  for (Value each : run.drop_front())
    shape[axis] += shapeOf(each)[axis];
  if (TypedAttr splat = splatOf(run[0]))
    return constantOf(builder, location, splat, shape);
  auto first = run[0].getDefiningOp<SliceOp>();
  return SliceOp::create(builder, location, first.getOperand(),
                         first.getStarts(), shape, first.getStrides());
}

/// Patterns: concatenate(x) -> x,
/// concatenate(..., x[i:j], x[j:k], ...) -> concatenate(..., x[i:k], ...), and
/// the same of constants whose elements are all equal
LogicalResult ConcatenateOp::canonicalize(ConcatenateOp op,
                                          PatternRewriter &rewriter) {
  SmallVector<ValueRange> runs;
  for (ValueRange rest = op.getInputs(); !rest.empty();) {
    runs.push_back(firstRun(rest, op.getAxis()));
    rest = rest.drop_front(runs.back().size());
  }
  if (runs.size() == op.getInputs().size() && runs.size() > 1)
    return failure();
  SmallVector<Value> parts;
  for (ValueRange run : runs)
    parts.push_back(merged(run, op.getAxis(), rewriter, op.getLoc()));
  if (parts.size() == 1)
    rewriter.replaceOp(op, parts[0]);
  else
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, parts, op.getAxis());
  return success();
}

/// The least elements of an array of which stores become a concatenation. A
/// store to one of a few is cheap, and done in place.
static constexpr int64_t leastElements = 16;

/// The axis along which an array has all of its elements.
static std::optional<int64_t> onlyAxis(ArrayRef<int64_t> shape) {
  std::optional<int64_t> found;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    if (size == 1)
      continue;
    if (found)
      return std::nullopt;
    found = axis;
  }
  return found;
}

/// The position of the single element that a store overwrites, if it is known.
static std::optional<int64_t> placeOf(UpdateSliceOp op, int64_t axis) {
  if (op.getUpdate().getType().getNumElements() != 1)
    return std::nullopt;
  std::optional<int64_t> place = integerOf(op.getStarts()[axis]);
  bool isInside =
      place && *place >= 0 && *place < op.getType().getDimSize(axis);
  return isInside ? place : std::nullopt;
}

/// Pattern: stores, each to the result of the one before, to known elements,
/// together most ones of the array -> concatenate
LogicalResult UpdateSliceOp::canonicalize(UpdateSliceOp op,
                                          PatternRewriter &rewriter) {
  RankedTensorType type = op.getType();
  std::optional<int64_t> axis = onlyAxis(type.getShape());
  if (!axis || type.getNumElements() < leastElements || !placeOf(op, *axis))
    return failure();
  bool isLast = llvm::none_of(op->getUsers(), [&](Operation *user) {
    auto next = dyn_cast<UpdateSliceOp>(user);
    return next && next.getOperand() == op.getResult() && placeOf(next, *axis);
  });
  if (!isLast)
    return failure();

  SmallVector<Value> elements(type.getNumElements());
  Value base = op;
  for (UpdateSliceOp each = op; each && (each == op || each->hasOneUse());
       each = base.getDefiningOp<UpdateSliceOp>()) {
    std::optional<int64_t> place = placeOf(each, *axis);
    if (!place)
      break;
    if (!elements[*place])
      elements[*place] = each.getUpdate();
    base = each.getOperand();
  }
  if (2 * llvm::count(elements, Value()) > type.getNumElements())
    return failure();

  SmallVector<int64_t> ones(type.getRank(), 1), starts(type.getRank(), 0);
  for (auto [place, element] : llvm::enumerate(elements)) {
    starts[*axis] = place;
    if (!element)
      element =
          SliceOp::create(rewriter, op.getLoc(), base, starts, ones, ones);
  }
  rewriter.replaceOpWithNewOp<ConcatenateOp>(op, elements, *axis);
  return success();
}

} // namespace ingot
