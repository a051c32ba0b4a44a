//===- OutlineDerivatives.cpp - From regions to functions -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_OUTLINEDERIVATIVES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

static void outline(DerivativeOp op, SymbolTable &symbols) {
  Region &region = op.getBody();
  Block &body = region.front();
  mlir::Location location = op.getLoc();
  SetVector<Value> captures;
  getUsedValuesDefinedAbove(region, region, captures);
  unsigned count = body.getNumArguments();
  SmallVector<Type> inputs(body.getArgumentTypes());
  SmallVector<Value> operands(op.getOperands().take_front(count));
  OpBuilder inside = OpBuilder::atBlockBegin(&body);
  for (Value value : captures) {
    // Constants stay known in the function.
    if (matchPattern(value, m_Constant())) {
      Value copy = inside.clone(*value.getDefiningOp())->getResult(0);
      replaceAllUsesInRegionWith(value, copy, region);
      continue;
    }
    inputs.push_back(value.getType());
    operands.push_back(value);
    Value argument = body.addArgument(value.getType(), value.getLoc());
    replaceAllUsesInRegionWith(value, argument, region);
  }
  llvm::append_range(operands, op.getOperands().drop_front(count));

  Operation *end = body.getTerminator();
  OpBuilder builder(op);
  auto type = builder.getFunctionType(inputs, end->getOperandTypes());
  auto function = func::FuncOp::create(location, op.getName(), type);
  function.setPrivate();
  function.getBody().takeBody(region);
  builder.setInsertionPoint(end);
  func::ReturnOp::create(builder, location, end->getOperands());
  end->erase();
  symbols.insert(function);

  builder.setInsertionPoint(op);
  auto wrt = llvm::to_vector(llvm::seq<int64_t>(0, count));
  Operation *call;
  if (op.getMode() == DerivativeMode::Jvp)
    call = JvpOp::create(builder, location, op.getResultTypes(),
                         function.getSymName(), operands, wrt, op.getOf());
  else
    call = VjpOp::create(builder, location, op.getResultTypes(),
                         function.getSymName(), operands, wrt, op.getOf());
  op->replaceAllUsesWith(call);
  op->erase();
}

namespace {
struct OutlineDerivatives
    : public ingot::impl::OutlineDerivativesBase<OutlineDerivatives> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<DerivativeOp> found;
    // Those inside come first.
    getOperation().walk([&](DerivativeOp op) { found.push_back(op); });
    for (DerivativeOp op : found)
      outline(op, symbols);
  }
};
} // namespace
