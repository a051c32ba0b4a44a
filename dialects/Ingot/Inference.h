//===- Inference.h - Result types from operands -----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_INFERENCE_H
#define INGOT_DIALECTS_INGOT_INFERENCE_H

#include "Ingot/Ingot.h"

namespace ingot {

using Location = std::optional<mlir::Location>;
using Types = llvm::SmallVectorImpl<mlir::Type>;

/// A shape as NumPy prints it: `(3,4)`, `(5,)`, `()`.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// The shape that all of `shapes` broadcast to, or nothing.
std::optional<llvm::SmallVector<int64_t>>
broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

// One function for each way in which result types follow from operands. On
// failure each reports at `location` in NumPy's words.
mlir::LogicalResult inferSameType(mlir::ValueRange operands, Types &results);
mlir::LogicalResult inferRealType(mlir::ValueRange operands, Types &results);
mlir::LogicalResult inferPredicate(mlir::ValueRange operands, Types &results);
mlir::LogicalResult inferBroadcast(Location location, mlir::ValueRange operands,
                                   Types &results);
mlir::LogicalResult inferComparison(Location location,
                                    mlir::ValueRange operands, Types &results);
mlir::LogicalResult inferComplex(Location location, mlir::ValueRange operands,
                                 Types &results);
mlir::LogicalResult inferSelect(Location location, mlir::ValueRange operands,
                                Types &results);
mlir::LogicalResult
inferTranspose(Location location, TransposeOp::Adaptor adaptor, Types &results);
mlir::LogicalResult inferConcatenate(Location location,
                                     ConcatenateOp::Adaptor adaptor,
                                     Types &results);
mlir::LogicalResult inferPad(Location location, PadOp::Adaptor adaptor,
                             Types &results);
mlir::LogicalResult inferFlip(Location location, FlipOp::Adaptor adaptor,
                              Types &results);
mlir::LogicalResult inferSlice(Location location, SliceOp::Adaptor adaptor,
                               Types &results);
mlir::LogicalResult inferDynamicSlice(Location location,
                                      DynamicSliceOp::Adaptor adaptor,
                                      Types &results);
mlir::LogicalResult inferUpdateSlice(Location location,
                                     UpdateSliceOp::Adaptor adaptor,
                                     Types &results);
mlir::LogicalResult inferGather(Location location, mlir::ValueRange operands,
                                Types &results);
mlir::LogicalResult inferScatter(Location location, mlir::ValueRange operands,
                                 Types &results);
mlir::LogicalResult inferReduce(Location location, ReduceOp::Adaptor adaptor,
                                Types &results);
mlir::LogicalResult
inferArgReduce(Location location, ArgReduceOp::Adaptor adaptor, Types &results);
mlir::LogicalResult inferCumulative(Location location,
                                    CumulativeOp::Adaptor adaptor,
                                    Types &results);
mlir::LogicalResult inferSort(Location location, SortOp::Adaptor adaptor,
                              Types &results);
mlir::LogicalResult inferFft(Location location, FftOp::Adaptor adaptor,
                             Types &results);
mlir::LogicalResult inferCholesky(Location location,
                                  CholeskyOp::Adaptor adaptor, Types &results);
mlir::LogicalResult inferTriangularSolve(Location location,
                                         TriangularSolveOp::Adaptor adaptor,
                                         Types &results);
mlir::LogicalResult inferLu(Location location, LuOp::Adaptor adaptor,
                            Types &results);
mlir::LogicalResult inferQr(Location location, QrOp::Adaptor adaptor,
                            Types &results);
mlir::LogicalResult inferEigh(Location location, EighOp::Adaptor adaptor,
                              Types &results);
mlir::LogicalResult inferSvd(Location location, SvdOp::Adaptor adaptor,
                             Types &results);
mlir::LogicalResult inferEig(Location location, EigOp::Adaptor adaptor,
                             Types &results);
mlir::LogicalResult inferDotGeneral(Location location,
                                    DotGeneralOp::Adaptor adaptor,
                                    Types &results);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_INFERENCE_H
