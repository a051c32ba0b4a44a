//===- Recurrence.cpp - Linear recurrences along an axis ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Recurrence.h"

using namespace mlir;
using namespace ingot;

Value Along::slice(Value value, int64_t start, int64_t size,
                   int64_t stride) const {
  auto type = typeOf(value);
  SmallVector<int64_t> starts(type.getRank(), 0), sizes(type.getShape()),
      strides(type.getRank(), 1);
  starts[axis] = start, sizes[axis] = size, strides[axis] = stride;
  return SliceOp::create(builder, location, value, starts, sizes, strides);
}

Value Along::pad(Value value, double fill, int64_t low, int64_t high,
                 int64_t interior) const {
  auto type = typeOf(value);
  SmallVector<int64_t> lows(type.getRank(), 0), highs(lows), interiors(lows);
  lows[axis] = low, highs[axis] = high, interiors[axis] = interior;
  Value number = numberOf(builder, location, fill, type);
  return PadOp::create(builder, location, value, number, lows, highs,
                       interiors);
}

Value ingot::solveRecurrence(const Along &along, Value x, Value b,
                             llvm::function_ref<Expr(Expr, Expr)> times) {
  int64_t length = along.length(x), half = length / 2;
  if (length <= 1)
    return b;
  auto part = [&](Value value, int64_t start, int64_t size) {
    return Expr(along.builder, along.location,
                along.slice(value, start, size, 2));
  };
  Expr odd = part(x, 1, half);
  Value pairs = part(x, 0, half) * odd;
  Value sums = times(part(b, 0, half), odd) + part(b, 1, half);
  Value atOdd = solveRecurrence(along, pairs, sums, times);
  int64_t evens = length - half;
  // x + -0.0 is x, with its sign also if it is zero.
  auto pad = [&](Value value, int64_t low, int64_t high, int64_t interior) {
    return odd.with(along.pad(value, -0.0, low, high, interior));
  };
  Expr before = pad(along.slice(atOdd, 0, evens - 1, 1), 1, 0, 0);
  Expr atEven = times(before, part(x, 0, evens)) + part(b, 0, evens);
  return pad(atEven, 0, half + 1 - evens, 1) + pad(atOdd, 1, evens - half, 1);
}
