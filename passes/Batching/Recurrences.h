//===- Recurrences.h - Linear recurrences in loops --------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_BATCHING_RECURRENCES_H
#define INGOT_PASSES_BATCHING_RECURRENCES_H

#include "Passes.h"

namespace ingot {

/// Steps of a loop of the form next = factor * value + term, where factor and
/// term do not depend on the value.
struct Recurrence {
  /// The operations that compute the next value from the carried one, in the
  /// order of the body.
  llvm::SmallVector<mlir::Operation *> path;
  /// What these use besides.
  llvm::SmallVector<mlir::Value> others;
};

/// The recurrence by which a carried value changes, or null.
std::optional<Recurrence> recurrenceOf(ForOp loop, mlir::BlockArgument carried);

struct FactorAndTerm {
  mlir::Value factor, term;
};
/// Computes both before the last operation of the path. They have the type of
/// the carried value.
FactorAndTerm makeFactorAndTerm(mlir::BlockArgument carried,
                                const Recurrence &recurrence);

/// The value before the first step, which is `init`, and after each one.
/// Factors and terms are stacked by step. `step` emits one step, with its
/// number and the value before it: the steps are run one after the other where
/// the factors and terms are such that it makes a difference.
mlir::Value
valuesOf(mlir::OpBuilder &builder, mlir::Value init,
         const FactorAndTerm &stacks,
         llvm::function_ref<mlir::Value(mlir::Value number, mlir::Value value)>
             step);

} // namespace ingot

#endif // INGOT_PASSES_BATCHING_RECURRENCES_H
