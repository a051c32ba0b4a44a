//===- Erasure.h - Erasing what is dead -------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_ERASURE_H
#define INGOT_PASSES_ERASURE_H

#include "mlir/IR/Operation.h"

namespace ingot {

/// Erases those of some operations that are dead, then those that only the
/// erased ones used, each once.
///
/// \param isKept whether a dead operation stays nevertheless.
/// \param erasing is called with each operation before it is erased, for
/// callers that hold others by pointer.
void eraseDead(mlir::ArrayRef<mlir::Operation *> operations,
               mlir::function_ref<bool(mlir::Operation *)> isKept = nullptr,
               mlir::function_ref<void(mlir::Operation *)> erasing = nullptr);

/// Erases the dead operations in the regions of an operation, or of a block.
void eraseDeadInside(mlir::Operation *op);
void eraseDeadInside(
    mlir::Block &block,
    mlir::function_ref<bool(mlir::Operation *)> isKept = nullptr);

} // namespace ingot

#endif // INGOT_PASSES_ERASURE_H
