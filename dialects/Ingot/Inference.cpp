//===- Inference.cpp - Helpers of type inference --------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace ingot {

LogicalResult checkAxes(Location location, ArrayRef<int64_t> axes,
                        int64_t rank) {
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      return emitOptionalError(location, "axis ", axis,
                               " is out of bounds for array of dimension ",
                               rank);
    if (!seen.insert(axis).second)
      return emitOptionalError(location, "duplicate axis ", axis);
  }
  return success();
}

LogicalResult checkLength(Location location, StringRef what, size_t length,
                          int64_t rank) {
  if (static_cast<int64_t>(length) == rank)
    return success();
  return emitOptionalError(location, what, " has ", length,
                           " entries for array of dimension ", rank);
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '(';
  llvm::interleave(shape, stream, ",");
  stream << (shape.size() == 1 ? ",)" : ")");
  return text;
}

std::optional<SmallVector<int64_t>>
broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes)
    rank = std::max(rank, shape.size());
  SmallVector<int64_t> result(rank, 1);
  for (ArrayRef<int64_t> shape : shapes) {
    size_t offset = rank - shape.size();
    for (auto [i, size] : llvm::enumerate(shape)) {
      int64_t &extent = result[offset + i];
      if (extent == 1)
        extent = size;
      else if (size != 1 && size != extent)
        return std::nullopt;
    }
  }
  return result;
}

LogicalResult checkSameElement(Location location, Value lhs, Value rhs) {
  Type a = elementOf(lhs), b = elementOf(rhs);
  if (a == b)
    return success();
  return emitOptionalError(location, "operands have different element types ",
                           a, " and ", b);
}

Type boolOf(ValueRange operands) {
  return IntegerType::get(operands[0].getContext(), 1);
}

} // namespace ingot
