//===- Recurrence.h - Linear recurrences along an axis ----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_RECURRENCE_H
#define INGOT_DIALECTS_INGOT_RECURRENCE_H

#include "Ingot/Derivatives.h"

namespace ingot {

/// Slices and paddings along one axis.
struct Along {
  mlir::OpBuilder &builder;
  mlir::Location location;
  int64_t axis;

  int64_t length(mlir::Value value) const {
    return typeOf(value).getDimSize(axis);
  }
  mlir::Value slice(mlir::Value value, int64_t start, int64_t size,
                    int64_t stride) const;
  mlir::Value pad(mlir::Value value, double fill, int64_t low, int64_t high,
                  int64_t interior) const;
};

/// Solves t_i = x_i t_(i-1) + b_i with t_(-1) = 0 by cyclic reduction: two
/// steps are one step of a recurrence of half the length, which gives every
/// second t. `times` multiplies a t or b by an x.
mlir::Value solveRecurrence(const Along &along, mlir::Value x, mlir::Value b,
                            llvm::function_ref<Expr(Expr, Expr)> times);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_RECURRENCE_H
