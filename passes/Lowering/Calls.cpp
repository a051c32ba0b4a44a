//===- Calls.cpp - Barriers and StableHLO modules as calls ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ingot;

/// A function that returns its arguments.
static func::FuncOp createIdentity(ModuleOp module, FunctionType type,
                                   unsigned number) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, module.getLoc(), "barrier_" + std::to_string(number), type);
  function.setPrivate();
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, module.getLoc(), block->getArguments());
  return function;
}

void ingot::keepCall(func::CallOp call) {
  Builder builder(call.getContext());
  NamedAttribute stays =
      builder.getNamedAttr("inlineable", builder.getStringAttr("false"));
  call->setAttr("mhlo.frontend_attributes", builder.getDictionaryAttr({stays}));
}

func::CallOp ingot::replaceByCall(Operation *op, func::FuncOp function) {
  OpBuilder builder(op);
  auto call =
      func::CallOp::create(builder, op->getLoc(), function, op->getOperands());
  op->replaceAllUsesWith(call);
  op->erase();
  return call;
}

/// XLA removes `optimization_barrier` before fusion, but keeps calls that are
/// not inlined.
void ingot::lowerBarriers(ModuleOp module) {
  DenseMap<Type, func::FuncOp> identities;
  SmallVector<BarrierOp> barriers;
  module.walk([&](BarrierOp op) { barriers.push_back(op); });
  for (BarrierOp op : barriers) {
    TypeRange types = op->getResultTypes();
    auto type = FunctionType::get(op->getContext(), types, types);
    func::FuncOp &identity = identities[type];
    if (!identity)
      identity = createIdentity(module, type, identities.size());
    keepCall(replaceByCall(op, identity));
  }
}

/// Declares a function for each module; the driver defines it.
void ingot::lowerStablehloCalls(ModuleOp module) {
  SymbolTable symbols(module);
  DenseMap<Attribute, func::FuncOp> declared;
  SmallVector<CallStablehloOp> calls;
  module.walk([&](CallStablehloOp op) { calls.push_back(op); });
  for (CallStablehloOp op : calls) {
    bool hasText = op.getText().has_value();
    Attribute module =
        hasText ? Attribute(op.getTextAttr()) : op.getSourceAttr();
    func::FuncOp &function = declared[module];
    if (!function) {
      auto type = FunctionType::get(op->getContext(), op->getOperandTypes(),
                                    op->getResultTypes());
      function = func::FuncOp::create(op.getLoc(), op.getName(), type);
      function.setPrivate();
      function->setAttr("ingot.stablehlo", module);
      symbols.insert(function);
    }
    replaceByCall(op, function);
  }
}
