//===- Loops.h - Counted loops and what they keep ---------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_LOOPS_H
#define INGOT_PASSES_AUTODIFF_LOOPS_H

#include "Regions.h"

namespace ingot {

/// The most iterations that a loop can have, if that is known.
std::optional<int64_t> mostIterations(ForOp loop);

/// Makes a loop of at most `most` iterations give also, for each of some values
/// of its body, what it was in every iteration.
ForOp keepInLoop(ForOp loop, mlir::ArrayRef<mlir::Value> values, int64_t most);
/// The same of the two sides of an `if`; the sides' values are results one
/// after the other.
IfOp keepInIf(IfOp op, mlir::ArrayRef<mlir::Value> thenValues,
              mlir::ArrayRef<mlir::Value> elseValues);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_LOOPS_H
