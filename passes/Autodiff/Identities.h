//===- Identities.h - Derivatives that algebra knows ------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_IDENTITIES_H
#define INGOT_PASSES_AUTODIFF_IDENTITIES_H

#include "Autodiff.h"

#include <functional>

namespace ingot {

/// A value's counterpart in the code that computes the derivative.
using Mapped = llvm::function_ref<mlir::Value(mlir::Value)>;

/// The derivative of an operation with one result by values that it is computed
/// from by way of others.
struct Identity {
  llvm::SmallVector<mlir::Value> arguments;
  /// The tangent of the result from those of the arguments, in linear
  /// operations. All but the first may be null, which stands for zero.
  std::function<mlir::Value(mlir::OpBuilder &, mlir::ArrayRef<mlir::Value>,
                            Mapped)>
      tangent;
};

/// A derivative that is known by algebra, where the rules of the operations
/// would multiply zero and infinity. The arguments are used in the operation's
/// block.
std::optional<Identity> identityOf(mlir::Operation *op);
/// That of a matrix product which computes a function of a matrix by its
/// eigenvalues or singular values.
std::optional<Identity> functionOfMatrix(mlir::Operation *op);

/// That of a quotient, a logarithm or a negative power of exponentials.
std::optional<Identity> byRelativeSlope(mlir::Operation *op);

/// Squares real numbers instead of their absolute values.
void squarePlainly(mlir::Operation *root);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_IDENTITIES_H
