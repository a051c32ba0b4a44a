//===- Loops.h - Trip counts of loops and their residuals -------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_LOOPS_H
#define INGOT_PASSES_AUTODIFF_LOOPS_H

#include "Regions.h"

namespace ingot {

/// A static upper bound of a loop's trip count, if one is known.
std::optional<int64_t> maxTripCount(ForOp loop);

/// If a loop counts down by one from a known index: what gives the place of an
/// iteration on a stack of `maxCount` values, if it is added to the index. Such
/// loops fill it from its end, so that reverse passes count up with both.
std::optional<int64_t> offsetOnStack(const Range &range, int64_t maxCount);

/// Saves values of a loop's body: adds a result for each that stacks its values
/// in all iterations, of which there are at most `maxCount`: at the iteration's
/// number, or as `offsetOnStack` says.
ForOp saveInLoop(ForOp loop, mlir::ArrayRef<mlir::Value> values,
                 int64_t maxCount);
/// Saves values of the regions of an `if`: adds a result for each, zero if the
/// other region runs. Those of the first region come first.
IfOp saveInIf(IfOp op, mlir::ArrayRef<mlir::Value> thenValues,
              mlir::ArrayRef<mlir::Value> elseValues);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_LOOPS_H
