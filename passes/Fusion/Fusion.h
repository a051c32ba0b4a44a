//===- Fusion.h - Which operations run in kernels ---------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_FUSION_FUSION_H
#define INGOT_PASSES_FUSION_FUSION_H

#include "Passes.h"

namespace ingot {

/// The attribute of a function's result which is as long, along its first axis,
/// as another result says: the number of that one.
inline constexpr llvm::StringLiteral lengthName = "ingot.length";

/// The attribute of a kernel that lists passes to leave out.
inline constexpr llvm::StringLiteral withoutName = "ingot.without";

/// The passes on kernels that only make them faster.
inline constexpr llvm::StringLiteral kernelSwitches[] = {
    "split-axes",    "merge-fills",    "orient-products",
    "fuse-products", "fuse-loops",     "store-carried",
    "hoist-reads",   "reload-updates", "jam-loops"};

/// Whether kernels have values of a type.
bool isNativeType(mlir::Type type);
/// Whether kernels call NumPy for a product: a large one of matrices, where
/// zeros are numbers like others.
bool isLibraryProduct(DotGeneralOp op);
/// Whether a product is so small, or uses each element so seldom, that a kernel
/// computes it as fast as a library.
bool isSmallProduct(DotGeneralOp op);
/// Whether `lower-to-linalg` lowers an operation, and a kernel computes it as
/// fast as XLA or a library.
bool isNativeAlone(mlir::Operation *op);
/// The same for an operation with all operations inside.
bool isNative(mlir::Operation *op);
/// The inputs of a concatenation in the pieces that a kernel stores: each input
/// by itself, except that many single elements in a row are one piece.
llvm::SmallVector<mlir::OperandRange> piecesOf(ConcatenateOp op);

} // namespace ingot

#endif // INGOT_PASSES_FUSION_FUSION_H
