//===- Matrices.h - Operands of products as matrices ------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_LOWERING_MATRICES_H
#define INGOT_PASSES_LOWERING_MATRICES_H

#include "Passes.h"

namespace ingot {

/// Axes of an operand merged to one: its size, and the stride of elements along
/// it. No axes have size 1.
struct Extent {
  int64_t size = 1, stride = 0;
};

/// Merges axes to one, if they are adjacent in memory.
std::optional<Extent> merged(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<int64_t> strides,
                             llvm::ArrayRef<int64_t> axes);

/// An operand of a product as batched matrices.
struct Matrices {
  Extent batch, free, contracting;

  /// Whether the elements of a row, or of a column, are contiguous.
  bool isDense() const;
};

/// The matrices of an operand. Transposes the operand if its axes can't be
/// merged to these, and looks through a transpose of which it only needs the
/// strides. Changes the axes to those of the new operand.
Matrices takeMatrices(mlir::OpBuilder &builder, mlir::Value &operand,
                      llvm::SmallVector<int64_t> &batching,
                      llvm::SmallVector<int64_t> &contracting);

} // namespace ingot

#endif // INGOT_PASSES_LOWERING_MATRICES_H
