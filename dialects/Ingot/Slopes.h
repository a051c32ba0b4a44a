//===- Slopes.h - Slopes that are infinite or undefined ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_SLOPES_H
#define INGOT_DIALECTS_INGOT_SLOPES_H

#include "Ingot/Derivatives.h"

namespace ingot {

/// On a `mul_no_nan` whose first operand is no tangent: its zeros make the
/// product zero wherever they come from.
constexpr llvm::StringLiteral byValue("ingot.by_value");
/// The product; zero where `a` is zero, which is no tangent.
Expr productByValue(Expr a, Expr b);
/// The derivative of `mul_no_nan` by its second operand.
Expr slopeOfFactor(MulNoNanOp op, Expr t, Expr a);

/// Zero, for the places where `x` is zero and a slope is infinite that counts
/// as zero. Its own derivative is infinite or NaN there: where the function
/// around is flat, the two together may be smooth, as in `norm(x)**2`.
Expr markOfKink(Expr x);
/// The seed times the derivative of the square root y of x; that is 0 at 0.
Expr timesSlopeOfRoot(Seed t, Expr x, Expr y);
/// The seed times d(a**b)/da, see `powerByBase`.
Expr timesPowerByBase(Seed t, Expr a, Expr b);

/// The tangent of the function V diag(f) V^H or U diag(f) V^H of a matrix whose
/// eigenvalues or singular values and their vectors `op` computes. It exists
/// where some of these are equal, too.
/// `df`: the tangent of f; `slopes`: how each f changes with its own
/// eigenvalue.
mlir::Value tangentOfFunction(mlir::OpBuilder &builder, mlir::Operation *op,
                              mlir::Value tangent, mlir::Value f,
                              mlir::Value df, mlir::Value slopes);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_SLOPES_H
