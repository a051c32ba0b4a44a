//===- FloatOperations.h - Operations of StableHLO on floats ----*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_LOWERING_FLOATOPERATIONS_H
#define INGOT_PASSES_LOWERING_FLOATOPERATIONS_H

#include "Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {

/// Whether an operation may use values of the function around it. The bodies of
/// reductions and sorts may not.
inline bool seesFunction(mlir::Operation *op) {
  while (mlir::isa<stablehlo::WhileOp, stablehlo::IfOp>(op->getParentOp()))
    op = op->getParentOp();
  return mlir::isa<mlir::func::FuncOp>(op->getParentOp());
}

} // namespace ingot

#endif // INGOT_PASSES_LOWERING_FLOATOPERATIONS_H
