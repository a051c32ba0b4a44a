//===- Batching.h - What other passes use of batching -----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_BATCHING_BATCHING_H
#define INGOT_PASSES_BATCHING_BATCHING_H

#include "Passes.h"

namespace ingot {

/// Expands each `ingot.vmap` that has no other transformation in it.
mlir::LogicalResult expandVmaps(mlir::ModuleOp module);

} // namespace ingot

#endif // INGOT_PASSES_BATCHING_BATCHING_H
