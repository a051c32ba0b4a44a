//===- Finite.h - Whether arrays have infinities or NaNs --------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_SIMPLIFY_FINITE_H
#define INGOT_PASSES_SIMPLIFY_FINITE_H

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

namespace ingot {

/// A 0-d i1: whether all elements are finite.
inline mlir::Value allFinite(mlir::OpBuilder &builder, mlir::Location location,
                             mlir::Value value) {
  auto type = typeOf(value);
  if (mlir::isa<mlir::ComplexType>(type.getElementType())) {
    mlir::Value real = RealOp::create(builder, location, value),
                imag = ImagOp::create(builder, location, value);
    return AndOp::create(builder, location, allFinite(builder, location, real),
                         allFinite(builder, location, imag));
  }
  mlir::Value finite = IsFiniteOp::create(builder, location, value);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  return ReduceOp::create(builder, location, ReduceKind::And, finite, axes);
}

/// Takes a value in the place of an operation's result where a condition holds;
/// elsewhere the operation runs.
inline IfOp takeWhere(mlir::OpBuilder &builder, mlir::Value condition,
                      mlir::Value value, mlir::Operation *op) {
  mlir::Location location = op->getLoc();
  auto branch =
      IfOp::create(builder, location, op->getResultTypes(), condition);
  op->replaceAllUsesWith(branch);
  builder.createBlock(&branch.getThenRegion());
  YieldOp::create(builder, location, value);
  mlir::Block *block = builder.createBlock(&branch.getElseRegion());
  auto end = YieldOp::create(builder, location, op->getResults());
  op->moveBefore(block, end->getIterator());
  return branch;
}

} // namespace ingot

#endif // INGOT_PASSES_SIMPLIFY_FINITE_H
