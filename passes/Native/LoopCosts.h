//===- LoopCosts.h - How long loops take ------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_LOOPCOSTS_H
#define INGOT_PASSES_NATIVE_LOOPCOSTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ingot {

/// The trip count of a loop, or what it is taken to be.
int64_t lengthOf(mlir::scf::ForOp loop);

/// The lengths of the loops. Those that run time knows are at most as long as
/// the arrays of which an operand is a part.
mlir::SmallVector<int64_t> mostOf(mlir::linalg::LinalgOp nest);

/// About how often 0.25 ns an operation takes in vectorised code.
int64_t costOf(mlir::Operation *op);

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_LOOPCOSTS_H
