//===- CallDerivative.cpp - From a function to its derivative -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

using namespace mlir;
using namespace ingot;

void ingot::callDerivative(ModuleOp module, bool isForward,
                           ArrayRef<int64_t> wrt, ArrayRef<int64_t> of,
                           ArrayRef<int64_t> keep) {
  func::FuncOp callee;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      callee = function;
  std::string name = callee.getName().str();
  SymbolTable symbols(module);
  callee.setPrivate();
  (void)symbols.rename(callee, name + "_primal");

  mlir::Location location = callee.getLoc();
  FunctionType type = callee.getFunctionType();
  SmallVector<Type> inputs(type.getInputs()), results(type.getResults());
  for (int64_t i : wrt)
    (isForward ? inputs : results).push_back(type.getInput(i));
  if (isForward)
    for (int64_t i : of)
      results.push_back(type.getResult(i));

  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, location, name,
                                       builder.getFunctionType(inputs, {}));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  SmallVector<Value> operands(block->getArguments());
  if (!isForward)
    for (int64_t i : of)
      operands.push_back(numberOf(builder, location, 1, type.getResult(i)));
  StringRef symbol = callee.getName();
  Operation *call;
  if (isForward)
    call = JvpOp::create(builder, location, results, symbol, operands, wrt, of);
  else
    call = VjpOp::create(builder, location, results, symbol, operands, wrt, of);
  SmallVector<Value> returned;
  for (int64_t i : keep)
    returned.push_back(call->getResult(i));
  llvm::append_range(returned,
                     call->getResults().drop_front(type.getNumResults()));
  func::ReturnOp::create(builder, location, returned);
  function.setFunctionType(builder.getFunctionType(
      inputs, block->getTerminator()->getOperandTypes()));
}
