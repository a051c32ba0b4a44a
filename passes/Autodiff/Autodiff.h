//===- Autodiff.h - What both modes of differentiation use ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_AUTODIFF_AUTODIFF_H
#define INGOT_PASSES_AUTODIFF_AUTODIFF_H

#include "Ingot/Derivatives.h"
#include "Passes.h"

#include "llvm/ADT/DenseSet.h"

namespace ingot {

/// An operation without a rule stands in the way of a derivative.
mlir::LogicalResult emitNoDerivative(mlir::Operation *op);

/// The values that depend, differentiably, on active ones.
class Activity {
public:
  Activity(llvm::function_ref<bool(mlir::Value)> isOutsideActive)
      : isOutsideActive(isOutsideActive) {}

  bool isActive(mlir::Value value) {
    return active.contains(value) || isOutsideActive(value);
  }
  /// Does nothing for a value that can't have a derivative.
  void set(mlir::Value value);
  /// Follows the operations of a block, and those of the `if`s in it.
  void visitBlock(mlir::Block &block);

private:
  void visit(mlir::Operation *op);

  llvm::function_ref<bool(mlir::Value)> isOutsideActive;
  llvm::DenseSet<mlir::Value> active;
  /// Integers that hold bits of active floats.
  llvm::DenseSet<mlir::Value> bits;
};

/// Marks the values that a region yields to which a derivative can flow from
/// those outside for which `isActive` holds.
void markActive(mlir::Region &region,
                llvm::function_ref<bool(mlir::Value)> isActive,
                llvm::MutableArrayRef<bool> yielded);

/// The same for the values that a loop carries, which may make each other so;
/// on entry those are marked whose initial values are active.
void activateLoop(mlir::Operation *loop,
                  llvm::function_ref<bool(mlir::Value)> isActive,
                  llvm::MutableArrayRef<bool> carried);

/// Expands all calls of a kind, those in the functions that are called first,
/// and removes private functions that nobody calls any more.
template <typename Op>
mlir::LogicalResult
expandCalls(mlir::ModuleOp module,
            llvm::function_ref<mlir::LogicalResult(Op)> expand) {
  // A callee with calls in it waits until they are expanded.
  while (true) {
    llvm::SmallVector<Op> found, ready;
    module.walk([&](Op op) { found.push_back(op); });
    for (Op op : found) {
      auto callee =
          mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
              op, op.getCalleeAttr());
      if (callee.isExternal())
        return op.emitError("its callee has no body");
      bool isReady = !callee
                          .walk([](mlir::Operation *inner) {
                            return mlir::isa<JvpOp, VjpOp>(inner)
                                       ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
                          })
                          .wasInterrupted();
      if (isReady)
        ready.push_back(op);
    }
    if (ready.empty())
      return mlir::success();
    for (Op op : ready)
      if (failed(expand(op)))
        return mlir::failure();
  }
}

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_AUTODIFF_H
