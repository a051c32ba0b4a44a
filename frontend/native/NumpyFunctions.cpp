//===- NumpyFunctions.cpp - Calls of NumPy's loops ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumpyFunctions.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

static void define(Module &module, StringRef name) {
  Function *function = module.getFunction(("ingot." + name).str());
  if (!function)
    return;
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", function));
  auto *pointer = new GlobalVariable(
      module, b.getPtrTy(), /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantPointerNull::get(b.getPtrTy()), "ingot_" + name);
  SmallVector<Value *> arguments;
  for (Argument &each : function->args())
    arguments.push_back(&each);
  b.CreateCall(function->getFunctionType(), b.CreateLoad(b.getPtrTy(), pointer),
               arguments);
  b.CreateRetVoid();
  function->setLinkage(GlobalValue::InternalLinkage);
}

void ingot::defineNumpyFunctions(Module &module) {
  for (StringRef name : {"multiply", "cholesky"})
    define(module, name);
}
