//===- Assembly.h - How StableHLO prints ------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_STABLEHLO_ASSEMBLY_H
#define INGOT_DIALECTS_STABLEHLO_ASSEMBLY_H

#include "StableHLO/StableHLO.h"

// The `custom<...>` directives of Ops.td. Each pair of functions parses and
// prints a part of StableHLO's syntax that the declarative format can't
// express.
namespace stablehlo {

using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::Operation;
using mlir::ParseResult;
using mlir::Type;

// One type if operand and result have the same, else a function type.
ParseResult parseSameOperandsAndResultType(OpAsmParser &, Type &operand,
                                           Type &result);
void printSameOperandsAndResultType(OpAsmPrinter &, Operation *, Type operand,
                                    Type result);

// Only the type of the result.
ParseResult parseComplexOpType(OpAsmParser &, Type &lhs, Type &rhs,
                               Type &result);
void printComplexOpType(OpAsmPrinter &, Operation *, Type lhs, Type rhs,
                        Type result);

// The types of the predicate and the result.
ParseResult parseSelectOpType(OpAsmParser &, Type &pred, Type &onTrue,
                              Type &onFalse, Type &result);
void printSelectOpType(OpAsmPrinter &, Operation *, Type pred, Type onTrue,
                       Type onFalse, Type result);

// Bare `LT`, `SIGNED`.
ParseResult parseComparisonDirection(OpAsmParser &,
                                     ComparisonDirectionAttr &direction);
void printComparisonDirection(OpAsmPrinter &, Operation *,
                              ComparisonDirectionAttr direction);
ParseResult parseComparisonType(OpAsmParser &, ComparisonTypeAttr &type);
void printComparisonType(OpAsmPrinter &, Operation *, ComparisonTypeAttr type);
ParseResult parseFftType(OpAsmParser &, FftTypeAttr &type);
void printFftType(OpAsmPrinter &, Operation *, FftTypeAttr type);

// `[start:limit:stride, ...]`, without strides of 1.
ParseResult parseSliceRanges(OpAsmParser &, mlir::DenseI64ArrayAttr &starts,
                             mlir::DenseI64ArrayAttr &limits,
                             mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(OpAsmPrinter &, Operation *,
                      mlir::DenseI64ArrayAttr starts,
                      mlir::DenseI64ArrayAttr limits,
                      mlir::DenseI64ArrayAttr strides);

// `%a, %b,` before a keyword.
ParseResult parseVariadicOperandWithAttribute(
    OpAsmParser &,
    llvm::SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands);
void printVariadicOperandWithAttribute(OpAsmPrinter &, Operation *,
                                       mlir::OperandRange operands);

// `batching_dims = [0] x [0], contracting_dims = [1] x [0]`.
ParseResult parseDotDimensionNumbers(OpAsmParser &,
                                     DotDimensionNumbersAttr &numbers);
void printDotDimensionNumbers(OpAsmPrinter &, Operation *,
                              DotDimensionNumbersAttr numbers);

// `, precision = [DEFAULT, DEFAULT]`.
ParseResult parsePrecisionConfig(OpAsmParser &, mlir::ArrayAttr &precision);
void printPrecisionConfig(OpAsmPrinter &, Operation *,
                          mlir::ArrayAttr precision);

// `dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad =
// [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]}`.
ParseResult parseWindow(OpAsmParser &, mlir::DenseI64ArrayAttr &strides,
                        mlir::DenseI64ArrayAttr &low,
                        mlir::DenseI64ArrayAttr &high,
                        mlir::DenseI64ArrayAttr &lhsDilation,
                        mlir::DenseI64ArrayAttr &rhsDilation);
void printWindow(OpAsmPrinter &, Operation *, mlir::DenseI64ArrayAttr strides,
                 mlir::DenseI64ArrayAttr low, mlir::DenseI64ArrayAttr high,
                 mlir::DenseI64ArrayAttr lhsDilation,
                 mlir::DenseI64ArrayAttr rhsDilation);

// `@target`.
ParseResult parseCustomCallTarget(OpAsmParser &, mlir::StringAttr &target);
void printCustomCallTarget(OpAsmPrinter &, Operation *,
                           mlir::StringAttr target);

} // namespace stablehlo

#endif // INGOT_DIALECTS_STABLEHLO_ASSEMBLY_H
