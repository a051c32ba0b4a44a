//===- NumpyFunctions.h - Functions of np.linalg ----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_NUMPYFUNCTIONS_H
#define INGOT_DIALECTS_INGOT_NUMPYFUNCTIONS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

namespace ingot {

/// A generalised ufunc of NumPy's: for stacks of matrices, or a Fourier
/// transform of stacks of vectors.
struct NumpyFunction {
  llvm::StringLiteral name;
  /// The core dimensions of each operand, then, behind ">", of each result: a
  /// letter for each. `p` is the lesser of `m` and `n`.
  llvm::StringLiteral signature;
  /// A letter for each result: its elements are of the type of the operands'
  /// ones ("t"), of the real ("r") or the complex one ("c") for it, or 32-bit
  /// integers ("i").
  llvm::StringLiteral elements;
  bool fails = false;

  /// The function of np.linalg with this name, or null.
  static const NumpyFunction *find(llvm::StringRef name);
  /// The Fourier transform with this name, or null.
  static const NumpyFunction *findTransform(llvm::StringRef name);

  llvm::SmallVector<llvm::StringRef> operandCores() const;
  llvm::SmallVector<llvm::StringRef> resultCores() const;
  /// Those of the operands, then those of the results.
  llvm::SmallVector<llvm::StringRef> cores() const;
  /// The letters of the signature, in the order in which they first occur:
  /// NumPy passes the sizes of the dimensions in this order.
  llvm::SmallVector<char> dimensions() const;
};

/// The types of the results of a function, and behind them that of the numbers
/// which tell whether it failed. Reports operands that don't fit.
mlir::FailureOr<llvm::SmallVector<mlir::Type>>
resultTypesOf(const NumpyFunction &function, mlir::TypeRange operands,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_NUMPYFUNCTIONS_H
