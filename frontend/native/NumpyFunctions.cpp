//===- NumpyFunctions.cpp - Calls of NumPy's loops ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumpyFunctions.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

/// A pointer that the runtime sets.
static Value *pointer(IRBuilder<> &b, Module &module, const Twine &name) {
  std::string symbol = ("ingot_" + name).str();
  GlobalVariable *found = module.getNamedGlobal(symbol);
  if (!found)
    found = new GlobalVariable(module, b.getPtrTy(), /*isConstant=*/false,
                               GlobalValue::ExternalLinkage,
                               ConstantPointerNull::get(b.getPtrTy()), symbol);
  return b.CreateLoad(b.getPtrTy(), found);
}

static void define(Function &function, StringRef name) {
  Module &module = *function.getParent();
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", &function));
  SmallVector<Value *> arguments;
  for (Argument &each : function.args())
    arguments.push_back(&each);
  FunctionType *type = function.getFunctionType();
  Value *called = pointer(b, module, name);
  if (name != "multiply") {
    SmallVector<Type *> types(type->params());
    types.insert(types.begin(), b.getPtrTy());
    arguments.insert(arguments.begin(), called);
    type = FunctionType::get(type->getReturnType(), types, /*isVarArg=*/false);
    called = pointer(b, module, "gufunc");
  }
  b.CreateCall(type, called, arguments);
  b.CreateRetVoid();
  function.setLinkage(GlobalValue::InternalLinkage);
}

void ingot::defineNumpyFunctions(Module &module) {
  SmallVector<Function *> found;
  for (Function &each : module)
    if (each.isDeclaration() && each.getName().starts_with("ingot."))
      found.push_back(&each);
  for (Function *each : found)
    define(*each, each->getName().drop_front(StringRef("ingot.").size()));
}
