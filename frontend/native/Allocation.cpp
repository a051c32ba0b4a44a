//===- Allocation.cpp - The memory of arrays in kernels -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

static void callByPointer(Module &module, StringRef function, StringRef name) {
  Function *found = module.getFunction(function);
  if (!found)
    return;
  SmallVector<User *> calls(found->users());
  // Each part of a module may define it.
  auto *pointer = new GlobalVariable(module, found->getType(),
                                     /*isConstant=*/false,
                                     GlobalValue::WeakAnyLinkage, found, name);
  for (User *user : calls) {
    auto *call = cast<CallInst>(user);
    IRBuilder<> b(call);
    call->setCalledOperand(b.CreateLoad(pointer->getValueType(), pointer));
  }
}

void ingot::allocateByPointers(Module &module) {
  callByPointer(module, "aligned_alloc", "ingot_allocate");
  callByPointer(module, "free", "ingot_release");
}
