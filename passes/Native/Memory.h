//===- Memory.h - Which buffers are other memory ----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_MEMORY_H
#define INGOT_PASSES_NATIVE_MEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace ingot {

/// The buffer that a value is a view of.
inline mlir::Value bufferOf(mlir::Value value) {
  while (auto view = value.getDefiningOp<mlir::ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Whether a buffer is other memory than all others of which this is true.
inline bool isDistinct(mlir::Value buffer) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(buffer)) {
    auto function =
        mlir::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
    return function &&
           function.getArgAttr(argument.getArgNumber(), "llvm.noalias");
  }
  return buffer.getDefiningOp<mlir::memref::AllocOp>() ||
         buffer.getDefiningOp<mlir::memref::AllocaOp>();
}

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_MEMORY_H
