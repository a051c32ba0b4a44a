//===- Simplification.h - The passes that simplify code ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_SIMPLIFY_SIMPLIFICATION_H
#define INGOT_PASSES_SIMPLIFY_SIMPLIFICATION_H

#include "mlir/Pass/PassManager.h"

namespace ingot {

/// Adds `canonicalize` and `share-equal`.
void addSimplification(mlir::OpPassManager &manager);

} // namespace ingot

#endif // INGOT_PASSES_SIMPLIFY_SIMPLIFICATION_H
