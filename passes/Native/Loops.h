//===- Loops.h - Loops over elements ----------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_LOOPS_H
#define INGOT_PASSES_NATIVE_LOOPS_H

#include "KernelLowering.h"

namespace ingot {

/// One loop of a nest.
struct Loop {
  int64_t size;
  bool isReduced = false;
  /// The indices that it runs over if these are not all: those that are at
  /// least `least` and below `most`.
  mlir::Value least = {}, most = {};
};

/// Loops over all indices of the axes.
llvm::SmallVector<Loop> loopsOver(llvm::ArrayRef<int64_t> shape);

/// Emits loops that compute elements of arrays.
class Loops {
public:
  using ElementOf = llvm::function_ref<mlir::Value(Elements &)>;
  using StepOf = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::ValueRange carried)>;

  Loops(mlir::OpBuilder &builder, mlir::Location location,
        const InlinePlan &plan, const mlir::IRMapping &values, Scalars &scalars)
      : b(builder), location(location), plan(plan), values(values),
        scalars(scalars) {}

  /// Computes the elements of an array of `type`, one loop for each axis, into
  /// `destination`. `same` is a tensor with the elements that `destination` has
  /// before.
  mlir::Value fill(llvm::ArrayRef<Loop> loops, mlir::RankedTensorType type,
                   mlir::Value destination, mlir::Value same,
                   ElementOf element);
  /// Combines elements along the loops that are reduced; the others are the
  /// axes of the result, an array of `type`. The outermost loop comes first.
  mlir::Value reduce(llvm::ArrayRef<Loop> loops, mlir::RankedTensorType type,
                     mlir::Value destination, ReduceKind kind,
                     ElementOf element);
  /// Runs loops, one inside the other, that take and return the carried values,
  /// and sets `indices` to theirs.
  llvm::SmallVector<mlir::Value>
  nest(llvm::ArrayRef<Loop> loops, mlir::ValueRange inits,
       llvm::MutableArrayRef<mlir::Value> indices, StepOf step);
  /// The first index of a loop, and the one after its last.
  std::pair<mlir::Value, mlir::Value> boundsOf(const Loop &loop);
  /// Elements at the indices of such loops.
  std::unique_ptr<Elements> elementsAt(llvm::ArrayRef<mlir::Value> indices);

private:
  /// The first index of a loop, and how many it runs over.
  std::pair<mlir::OpFoldResult, mlir::OpFoldResult> rangeOf(const Loop &loop);
  mlir::Value accumulate(llvm::ArrayRef<Loop> loops, mlir::Type of,
                         mlir::Value init, ReduceKind kind, ElementOf element);
  mlir::Value
  generic(llvm::ArrayRef<Loop> loops, mlir::Value destination, mlir::Value same,
          llvm::function_ref<mlir::Value(Elements &, mlir::Value)> element);

  mlir::OpBuilder &b;
  mlir::Location location;
  const InlinePlan &plan;
  const mlir::IRMapping &values;
  Scalars &scalars;
};

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_LOOPS_H
