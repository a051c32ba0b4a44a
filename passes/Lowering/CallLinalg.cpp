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

/// Replaces results of an operation by those of a call, and erases it.
static void callNumpy(Operation *op, StringRef name, Value operand,
                      ArrayRef<Value> results) {
  OpBuilder builder(op);
  SmallVector<Type> types(ValueRange(results).getTypes());
  // The Cholesky factorisation is the only one that does not tell if it fails.
  if (isa<CholeskyOp>(op))
    types.push_back(RankedTensorType::get(shapeOf(operand).drop_back(2),
                                          builder.getI32Type()));
  auto call = CallNumpyOp::create(builder, op->getLoc(), types, name, operand);
  for (auto [from, to] : llvm::zip(results, call.getResults()))
    Value(from).replaceAllUsesWith(to);
  op->erase();
}

static void callCholesky(CholeskyOp op) {
  callNumpy(op, "cholesky_lo", op.getOperand(), op.getResult());
}

static void callEigh(EighOp op) {
  if (op.getVectors().use_empty())
    return callNumpy(op, op.getLower() ? "eigvalsh_lo" : "eigvalsh_up",
                     op.getOperand(), {op.getValues(), op.getInfo()});
  callNumpy(op, op.getLower() ? "eigh_lo" : "eigh_up", op.getOperand(),
            {op.getValues(), op.getVectors(), op.getInfo()});
}

static void callSvd(SvdOp op) {
  if (op.getU().use_empty() && op.getVh().use_empty())
    return callNumpy(op, "svd", op.getOperand(), {op.getS(), op.getInfo()});
  callNumpy(op, op.getFull() ? "svd_f" : "svd_s", op.getOperand(),
            {op.getU(), op.getS(), op.getVh(), op.getInfo()});
}

/// NumPy has no function for single precision.
static void callEig(EigOp op) {
  Value operand = op.getOperand();
  if (cast<ComplexType>(elementOf(operand)).getElementType().isF32())
    return;
  if (op.getVectors().use_empty())
    return callNumpy(op, "eigvals", operand, {op.getValues(), op.getInfo()});
  callNumpy(op, "eig", operand,
            {op.getValues(), op.getVectors(), op.getInfo()});
}

namespace {
struct CallLinalg : public ingot::impl::CallLinalgBase<CallLinalg> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (op->getNumOperands() != 1 ||
          typeOf(op->getOperand(0)).getNumElements() == 0)
        return;
      llvm::TypeSwitch<Operation *>(op)
          .Case(callCholesky)
          .Case(callEigh)
          .Case(callSvd)
          .Case(callEig);
    });
  }
};
} // namespace
