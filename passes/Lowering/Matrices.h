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

/// Orders the pairs of axes that a product sums over as they are in the memory
/// of the left operand: they may be adjacent there, and then in the right one,
/// too.
void sortPairs(llvm::SmallVector<int64_t> &left,
               llvm::SmallVector<int64_t> &right);

/// A product of matrices in memory. Operands whose axes can't be merged to
/// those of matrices are transposed; where only the strides of a transpose are
/// needed, the product reads what was transposed.
struct MatrixProduct {
  mlir::Value operands[2];
  llvm::SmallVector<int64_t> batching[2], contracting[2];
  Matrices matrices[2];

  MatrixProduct(mlir::OpBuilder &builder, DotGeneralOp op);
};

/// The parameters of NumPy's loop of `matmul`: the sizes of the batch, rows,
/// sums and columns.
llvm::SmallVector<int64_t> matmulSizes(const Matrices &left,
                                       const Matrices &right);
/// The distances in bytes, as NumPy passes them. The columns of the result are
/// its contracting axis.
llvm::SmallVector<int64_t> matmulSteps(const Matrices &left,
                                       const Matrices &right,
                                       const Matrices &result, int64_t bytes);

} // namespace ingot

#endif // INGOT_PASSES_LOWERING_MATRICES_H
