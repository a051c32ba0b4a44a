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

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

/// An operation without a rule stands in the way of a derivative.
mlir::LogicalResult emitNoDerivative(mlir::Operation *op);

/// The values of a function that depend, differentiably, on some of its
/// arguments.
class Activity {
public:
  Activity(mlir::Block &body, mlir::ArrayRef<int64_t> wrt);

  bool isActive(mlir::Value value) const { return active.contains(value); }
  /// Does nothing for a value that can't have a derivative.
  void set(mlir::Value value);
  void erase(mlir::Value value) { active.erase(value); }

private:
  void follow(mlir::Value from, mlir::Value to);
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> active;
  /// Integers that hold bits of active floats.
  llvm::DenseSet<mlir::Value> bits;
};

/// Makes loops of scatters of products and extrema, which combine one element
/// after the other: their derivatives are the loops'.
void serialiseScatters(mlir::Operation *function);

/// Puts the operations of the first region in the place of an operation.
void inlineBody(mlir::Operation *op);

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
      if (!hasAny<JvpOp, VjpOp, VmapOp>(callee))
        ready.push_back(op);
    }
    if (ready.empty())
      return mlir::success();
    for (Op op : ready) {
      // Derivatives are those of the body.
      auto callee =
          mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
              op, op.getCalleeAttr());
      llvm::SmallVector<CustomVmapOp> custom;
      callee.walk([&](CustomVmapOp inner) { custom.push_back(inner); });
      for (CustomVmapOp inner : custom)
        inlineBody(inner);
      serialiseScatters(callee);
      if (failed(expand(op)))
        return mlir::failure();
    }
  }
}

/// A rule of a user's sees its operands alone.
mlir::LogicalResult checkCaptures(CustomDerivativeOp op,
                                  const Activity &activity);

/// The values from outside of an operation's regions that have derivatives.
llvm::SetVector<mlir::Value> activeCaptures(mlir::Operation *op,
                                            const Activity &activity);

/// Copies a rule with values for its arguments; gives what it yields.
llvm::SmallVector<mlir::Value> inlineRule(mlir::OpBuilder &builder,
                                          mlir::Region &rule,
                                          mlir::ValueRange arguments,
                                          mlir::IRMapping mapping);

/// Expands the calls of a mode whose callees have no calls of either.
mlir::LogicalResult expandJvps(mlir::ModuleOp module);
mlir::LogicalResult expandVjps(mlir::ModuleOp module, bool areCountsKnown);

} // namespace ingot

#endif // INGOT_PASSES_AUTODIFF_AUTODIFF_H
