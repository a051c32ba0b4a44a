//===- CallLinalg.cpp - Call NumPy for factorisations of matrices ---------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "llvm/ADT/TypeSwitch.h"

namespace ingot {
#define GEN_PASS_DEF_CALLLINALG
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
struct CallLinalg : public ingot::impl::CallLinalgBase<CallLinalg> {
  using CallLinalgBase::CallLinalgBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op).Case<CholeskyOp, EigOp, EighOp, SvdOp>(
          [&](auto each) {
            if (typeOf(each.getOperand()).getNumElements() > 0)
              visit(each);
          });
    });
  }

private:
  void visit(CholeskyOp op) { call(op, "cholesky_lo", op.getResult()); }

  void visit(EigOp op) {
    // NumPy has no function for single precision.
    auto element = cast<ComplexType>(elementOf(op.getOperand()));
    if (element.getElementType().isF32())
      return;
    if (op.getVectors().use_empty())
      return call(op, "eigvals", {op.getValues(), op.getInfo()});
    call(op, "eig", {op.getValues(), op.getVectors(), op.getInfo()});
  }

  void visit(EighOp op) {
    if (op.getVectors().use_empty())
      return call(op, op.getLower() ? "eigvalsh_lo" : "eigvalsh_up",
                  {op.getValues(), op.getInfo()});
    call(op, op.getLower() ? "eigh_lo" : "eigh_up",
         {op.getValues(), op.getVectors(), op.getInfo()});
  }

  void visit(SvdOp op) {
    if (op.getU().use_empty() && op.getVh().use_empty())
      return call(op, "svd", {op.getS(), op.getInfo()});
    call(op, op.getFull() ? "svd_f" : "svd_s",
         {op.getU(), op.getS(), op.getVh(), op.getInfo()});
  }

  /// Replaces results of an operation by those of a call, and erases it.
  void call(Operation *op, StringRef name, ArrayRef<Value> results) {
    if (!llvm::is_contained(functions, name))
      return;
    OpBuilder builder(op);
    Value operand = op->getOperand(0);
    SmallVector<Type> types(ValueRange(results).getTypes());
    // The Cholesky factorisation is the only one that does not tell if it
    // fails.
    if (isa<CholeskyOp>(op))
      types.push_back(RankedTensorType::get(shapeOf(operand).drop_back(2),
                                            builder.getI32Type()));
    auto made =
        CallNumpyOp::create(builder, op->getLoc(), types, name, operand);
    for (auto [from, to] : llvm::zip(results, made.getResults()))
      Value(from).replaceAllUsesWith(to);
    op->erase();
  }
};
} // namespace
