//===- Contraction.cpp - Products summed over axes ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

using namespace mlir;

namespace ingot {

LogicalResult DotGeneralOp::inferReturnTypes(MLIRContext *, Location location,
                                             Adaptor adaptor, Types &results) {
  RankedTensorType lhs = typeOf(adaptor.getLhs()),
                   rhs = typeOf(adaptor.getRhs());
  ArrayRef<int64_t> lhsBatch = adaptor.getLhsBatching(),
                    rhsBatch = adaptor.getRhsBatching(),
                    lhsSum = adaptor.getLhsContracting(),
                    rhsSum = adaptor.getRhsContracting();
  if (failed(checkSameElement(location, adaptor.getLhs(), adaptor.getRhs())))
    return failure();
  if (lhsBatch.size() != rhsBatch.size() || lhsSum.size() != rhsSum.size())
    return emitOptionalError(location, "axes do not come in pairs");
  SmallVector<int64_t> lhsAxes(lhsBatch), rhsAxes(rhsBatch);
  llvm::append_range(lhsAxes, lhsSum);
  llvm::append_range(rhsAxes, rhsSum);
  if (failed(checkAxes(location, lhsAxes, lhs.getRank())) ||
      failed(checkAxes(location, rhsAxes, rhs.getRank())))
    return failure();
  for (auto [l, r] : llvm::zip_equal(lhsAxes, rhsAxes))
    if (lhs.getDimSize(l) != rhs.getDimSize(r))
      return emitOptionalError(location, "shapes ", shapeText(lhs.getShape()),
                               " and ", shapeText(rhs.getShape()),
                               " not aligned: ", lhs.getDimSize(l), " (dim ", l,
                               ") != ", rhs.getDimSize(r), " (dim ", r, ")");

  SmallVector<int64_t> shape;
  for (int64_t axis : lhsBatch)
    shape.push_back(lhs.getDimSize(axis));
  for (int64_t axis = 0; axis < lhs.getRank(); ++axis)
    if (!llvm::is_contained(lhsAxes, axis))
      shape.push_back(lhs.getDimSize(axis));
  for (int64_t axis = 0; axis < rhs.getRank(); ++axis)
    if (!llvm::is_contained(rhsAxes, axis))
      shape.push_back(rhs.getDimSize(axis));
  results.push_back(lhs.clone(shape));
  return success();
}

/// The number of an axis is its position in the result; contracting axes have
/// the numbers after these.
AxisRule DotGeneralOp::getAxisRule() {
  AxisRule rule = axesBut(*this, {});
  int64_t rank = getType().getRank(), next = getLhsBatching().size();
  auto number = [&](AxisRule::Axes &axes, ArrayRef<int64_t> batching,
                    ArrayRef<int64_t> contracting) {
    llvm::fill(axes, AxisRule::whole);
    for (auto [i, axis] : llvm::enumerate(batching))
      axes[axis] = i;
    for (auto [i, axis] : llvm::enumerate(contracting))
      axes[axis] = rank + i;
    for (int64_t &axis : axes)
      axis = axis == AxisRule::whole ? next++ : axis;
  };
  number(rule.operands[0], getLhsBatching(), getLhsContracting());
  number(rule.operands[1], getRhsBatching(), getRhsContracting());
  return rule;
}

} // namespace ingot
