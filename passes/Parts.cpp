//===- Parts.cpp - Parts of arrays that operations access -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"

using namespace mlir;
using namespace ingot;

Part ingot::partOf(Operation *access) {
  Part part;
  part.array = typeOf(access->getOperand(0));
  if (auto read = dyn_cast<SliceOp>(access)) {
    for (int64_t start : read.getStarts())
      part.starts.push_back({Value(), start});
    part.sizes = read.getSizes(), part.strides = read.getStrides();
    return part;
  }
  auto starts = [&](auto op) {
    for (Value start : op.getStarts())
      part.starts.push_back(indexOf(start));
    part.strides = op.getStrides();
  };
  if (auto read = dyn_cast<DynamicSliceOp>(access)) {
    starts(read);
    part.sizes = read.getSizes();
    return part;
  }
  auto update = cast<UpdateSliceOp>(access);
  starts(update);
  part.sizes = shapeOf(update.getUpdate());
  return part;
}

std::optional<Index> Part::startWithin(int64_t axis) const {
  Index start = starts[axis];
  int64_t last = lastStart(axis);
  if (!start.base)
    return Index{Value(), std::clamp<int64_t>(start.offset, 0, last)};
  auto interval = intervalOf(start.base, /*steps=*/4);
  bool isInside = interval && interval->least + start.offset >= 0 &&
                  interval->most + start.offset <= last;
  return isInside ? std::optional(start) : std::nullopt;
}

bool ingot::areApart(const Part &lhs, Index lhsStart, const Part &rhs,
                     Index rhsStart, int64_t axis) {
  return lhsStart.base == rhsStart.base &&
         (lhsStart.offset + lhs.reach(axis) < rhsStart.offset ||
          rhsStart.offset + rhs.reach(axis) < lhsStart.offset);
}

Overlap ingot::overlapOf(const Part &lhs, const Part &rhs) {
  bool isSame = lhs.sizes == rhs.sizes && lhs.strides == rhs.strides;
  for (int64_t axis = 0, rank = lhs.starts.size(); axis < rank; ++axis) {
    if (lhs.starts[axis] == rhs.starts[axis])
      continue;
    std::optional<Index> start = lhs.startWithin(axis),
                         other = rhs.startWithin(axis);
    if (start && other && areApart(lhs, *start, rhs, *other, axis))
      return Overlap::None;
    isSame &= start && other && *start == *other;
  }
  return isSame ? Overlap::Same : Overlap::Unknown;
}
