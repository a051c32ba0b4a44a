//===- Products.cpp - Calls of NumPy's products ---------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

void ingot::defineMultiply(Module &module) {
  Function *function = module.getFunction("ingot.multiply");
  if (!function)
    return;
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", function));
  auto *pointer = new GlobalVariable(
      module, b.getPtrTy(), /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantPointerNull::get(b.getPtrTy()), "ingot_multiply");
  SmallVector<Value *> arguments;
  for (Argument &each : function->args())
    arguments.push_back(&each);
  b.CreateCall(function->getFunctionType(), b.CreateLoad(b.getPtrTy(), pointer),
               arguments);
  b.CreateRetVoid();
  function->setLinkage(GlobalValue::InternalLinkage);
}
