//===- Inference.h - Helpers of type inference ------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_INFERENCE_H
#define INGOT_DIALECTS_INGOT_INFERENCE_H

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {

using Location = std::optional<mlir::Location>;
using Types = llvm::SmallVectorImpl<mlir::Type>;

/// A shape as NumPy prints it: `(3,4)`, `(5,)`, `()`.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// The shape to which all of `shapes` broadcast, if there is one.
std::optional<llvm::SmallVector<int64_t>>
broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

// Checks that report errors at `location`, worded as NumPy's.

/// Checks that the axes are distinct axes of an array of this rank.
mlir::LogicalResult checkAxes(Location location, llvm::ArrayRef<int64_t> axes,
                              int64_t rank);
/// Checks that `what`, a list of `length` entries, has one entry for each axis.
mlir::LogicalResult checkLength(Location location, llvm::StringRef what,
                                size_t length, int64_t rank);
mlir::LogicalResult checkSameElement(Location location, mlir::Value lhs,
                                     mlir::Value rhs);

/// Infers the type of an elementwise operation from the broadcast shape of all
/// operands. Checks that the last two operands have the same element type.
mlir::LogicalResult inferBroadcast(Location location, mlir::ValueRange operands,
                                   mlir::Type element, Types &results);
mlir::Type boolOf(mlir::ValueRange operands);

/// Verifies the types of a region's arguments and yielded values.
mlir::LogicalResult verifyRegion(mlir::Operation *op, mlir::Region &region,
                                 mlir::TypeRange arguments,
                                 mlir::TypeRange yielded);

/// Verifies the `ingot.sharding` of a function's argument or result.
mlir::LogicalResult verifyShardingOf(mlir::Operation *op,
                                     mlir::NamedAttribute attribute,
                                     llvm::StringRef kind, unsigned index,
                                     bool isArgument);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_INFERENCE_H
