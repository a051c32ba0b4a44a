//===- Materialised.h - What XLA computes on its own ------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_SIMPLIFY_MATERIALISED_H
#define INGOT_PASSES_SIMPLIFY_MATERIALISED_H

#include "Passes.h"

namespace ingot {

/// Whether XLA computes an operation on its own, and does not fuse it into its
/// users.
inline bool isMaterialised(mlir::Operation *op) {
  return op->getNumRegions() > 0 || mlir::isa<BarrierOp, DotGeneralOp>(op);
}

} // namespace ingot

#endif // INGOT_PASSES_SIMPLIFY_MATERIALISED_H
