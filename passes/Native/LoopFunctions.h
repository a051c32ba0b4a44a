//===- LoopFunctions.h - Functions of loops ---------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_LOOPFUNCTIONS_H
#define INGOT_PASSES_NATIVE_LOOPFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

/// Whether a library computes a nest of loops, with threads of its own.
bool isCall(mlir::Operation *op);

/// What loops take from outside: values, and constants and views, of which a
/// function of the loops has copies.
class Captured {
public:
  explicit Captured(mlir::Operation *loops);

  /// Whether a function can take each value as one number or one pointer.
  bool arePassed() const;

  /// Whether each buffer is other memory than the others.
  bool areDistinct() const;

  llvm::SetVector<mlir::Value> values;
  llvm::SetVector<mlir::Operation *> copied;

private:
  void add(mlir::Value value);
};

/// Makes a function that contains a copy of loops, and calls it in front of
/// them.
///
/// \param suffix what its name ends with.
/// \param leading what it is called with besides what is captured, in front of
/// it.
/// \param map what becomes of the values and operations.
mlir::func::FuncOp makeFunction(mlir::SymbolTable &symbols,
                                mlir::Operation *loops, llvm::StringRef suffix,
                                const Captured &captured,
                                mlir::ArrayRef<mlir::Value> leading,
                                mlir::IRMapping &map);

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_LOOPFUNCTIONS_H
