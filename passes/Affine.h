//===- Affine.h - Arrays of affine indices ----------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AFFINE_H
#define INGOT_PASSES_AFFINE_H

#include "Intervals.h"

namespace ingot {

/// An array of integers, of which each is `offset` plus, for each axis, a
/// multiple of the index along it.
struct Affine {
  int64_t offset = 0;
  /// The factors; 0 for axes of size 1.
  llvm::SmallVector<int64_t> steps;

  Interval intervalFor(llvm::ArrayRef<int64_t> shape) const;
};

/// Looks back at most `most` operations in a row.
std::optional<Affine> affineOf(mlir::Value value, unsigned most = 12);

} // namespace ingot

#endif // INGOT_PASSES_AFFINE_H
