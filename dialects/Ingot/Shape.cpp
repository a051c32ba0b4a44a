//===- Shape.cpp - Rearranging whole arrays -------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace ingot {

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, Location location,
                                            Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  if (failed(checkLength(location, "axes", axes.size(), type.getRank())) ||
      failed(checkAxes(location, axes, type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t axis : axes)
    shape.push_back(type.getDimSize(axis));
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *, Location location,
                                              Adaptor adaptor, Types &results) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(location,
                             "need at least one array to concatenate");
  RankedTensorType first = typeOf(adaptor.getInputs()[0]);
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxes(location, axis, first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  for (auto [i, input] : llvm::enumerate(adaptor.getInputs().drop_front())) {
    RankedTensorType type = typeOf(input);
    if (failed(checkSameElement(location, adaptor.getInputs()[0], input)))
      return failure();
    if (type.getRank() != first.getRank())
      return emitOptionalError(
          location,
          "all the input array dimensions must match exactly, but the array at "
          "index 0 has ",
          first.getRank(), " dimension(s) and the array at index ", i + 1,
          " has ", type.getRank(), " dimension(s)");
    for (int64_t dim = 0; dim < first.getRank(); ++dim)
      if (dim != axis && type.getDimSize(dim) != shape[dim])
        return emitOptionalError(
            location,
            "all the input array dimensions except for the concatenation axis "
            "must match exactly, but along dimension ",
            dim, ", the array at index 0 has size ", shape[dim],
            " and the array at index ", i + 1, " has size ",
            type.getDimSize(dim));
    shape[axis] += type.getDimSize(axis);
  }
  results.push_back(first.clone(shape));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, Location location,
                                      Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh(),
                    interior = adaptor.getInterior();
  if (failed(checkSameElement(location, adaptor.getOperand(),
                              adaptor.getValue())) ||
      failed(checkLength(location, "low", low.size(), type.getRank())) ||
      failed(checkLength(location, "high", high.size(), type.getRank())) ||
      failed(
          checkLength(location, "interior", interior.size(), type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (low[i] < 0 || high[i] < 0 || interior[i] < 0)
      return emitOptionalError(location, "padding can't be negative");
    int64_t gaps = std::max<int64_t>(size - 1, 0) * interior[i];
    shape.push_back(low[i] + size + gaps + high[i]);
  }
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult FlipOp::inferReturnTypes(MLIRContext *, Location location,
                                       Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  results.push_back(type);
  return checkAxes(location, adaptor.getAxes(), type.getRank());
}

/// For each axis of a shape, the product of the sizes before it, and its size.
static SmallVector<std::pair<int64_t, int64_t>>
spansOf(ArrayRef<int64_t> shape) {
  SmallVector<std::pair<int64_t, int64_t>> spans;
  int64_t before = 1;
  for (int64_t extent : shape) {
    spans.push_back({before, extent});
    before *= extent;
  }
  return spans;
}

AxisRule ReshapeOp::getAxisRule() {
  AxisRule rule = axesBut(*this, {});
  auto from = spansOf(shapeOf(getOperand())), to = spansOf(shapeOf(*this));
  for (auto [axis, span] : llvm::zip_equal(rule.operands[0], from)) {
    auto *found = llvm::find(to, span);
    axis = found == to.end() ? AxisRule::whole : found - to.begin();
  }
  return rule;
}

AxisRule TransposeOp::getAxisRule() {
  AxisRule rule = axesBut(*this, {});
  rule.results[0] = AxisRule::Axes(getAxes());
  return rule;
}

void TransposeOp::addLeadingAxis(NamedAttrList &attributes) {
  shiftAxes(attributes);
  auto axes = cast<DenseI64ArrayAttr>(attributes.get("axes"));
  attributes.set("axes",
                 DenseI64ArrayAttr::get(getContext(), prefixed(0, axes)));
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getResult().getType();
  if (from.getNumElements() != to.getNumElements())
    return emitOpError("cannot reshape array of size ")
           << from.getNumElements() << " into shape "
           << shapeText(to.getShape());
  return success();
}

LogicalResult BroadcastToOp::verify() {
  ArrayRef<int64_t> from = getOperand().getType().getShape(),
                    to = getResult().getType().getShape();
  auto joint = broadcastShapes({from, to});
  if (!joint || ArrayRef(*joint) != to)
    return emitOpError("could not broadcast input array from shape ")
           << shapeText(from) << " into shape " << shapeText(to);
  return success();
}

/// Pattern: reshape(x : T) : T -> x, reshape(reshape(x)) -> reshape(x),
/// reshape(constant) -> constant
OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto value = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand()))
    return value.reshape(getType());
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    setOperand(inner.getOperand());
    return getResult();
  }
  return {};
}

/// Patterns:
///   transpose(x) -> x where no axis moves
///   transpose(transpose(x)) -> transpose(x)
OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::equal(getAxes(), llvm::seq<int64_t>(getAxes().size())))
    return getOperand();
  auto inner = getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> axes;
  for (int64_t axis : getAxes())
    axes.push_back(inner.getAxes()[axis]);
  setAxes(axes);
  setOperand(inner.getOperand());
  return getResult();
}

/// Pattern: transpose(dot_general(a, b)) -> dot_general(b, a), where the
/// transpose moves the axes of b before those of a, as the adjoint by the
/// second factor does
LogicalResult TransposeOp::canonicalize(TransposeOp op,
                                        PatternRewriter &rewriter) {
  auto dot = op.getOperand().getDefiningOp<DotGeneralOp>();
  if (!dot || !dot->hasOneUse())
    return failure();
  int64_t batching = dot.getLhsBatching().size();
  int64_t left = dot.getLhs().getType().getRank() - batching -
                 dot.getLhsContracting().size();
  int64_t rank = dot.getType().getRank();
  auto swapped = llvm::to_vector(llvm::seq<int64_t>(0, batching));
  llvm::append_range(swapped, llvm::seq(batching + left, rank));
  llvm::append_range(swapped, llvm::seq(batching, batching + left));
  if (ArrayRef(swapped) != op.getAxes())
    return failure();
  rewriter.replaceOpWithNewOp<DotGeneralOp>(
      op, dot.getRhs(), dot.getLhs(), dot.getRhsBatching(),
      dot.getLhsBatching(), dot.getRhsContracting(), dot.getLhsContracting(),
      dot.getRhsZeros(), dot.getLhsZeros());
  return success();
}

/// Pattern: broadcast_to(x : T) : T -> x
OpFoldResult BroadcastToOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}

} // namespace ingot
