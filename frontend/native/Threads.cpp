//===- Threads.cpp - Loops that threads share -----------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// `void part(void *context, int64_t begin, int64_t end)`
FunctionType *partType(LLVMContext &context) {
  Type *number = Type::getInt64Ty(context);
  return FunctionType::get(Type::getVoidTy(context),
                           {PointerType::get(context, 0), number, number},
                           false);
}

/// `void share(Part *, void *context, int64_t begin, int64_t end,
/// int64_t iterationsOfThread, int64_t piecesOfThread)`
FunctionType *shareType(LLVMContext &context) {
  Type *pointer = PointerType::get(context, 0),
       *number = Type::getInt64Ty(context);
  return FunctionType::get(Type::getVoidTy(context),
                           {pointer, pointer, number, number, number, number},
                           false);
}

Function *addFunction(Module &module, FunctionType *type, const Twine &name,
                      IRBuilder<> &b) {
  auto *made =
      Function::Create(type, GlobalValue::InternalLinkage, name, module);
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "", made));
  return made;
}

/// The pointer to the runtime's function, at first to one that runs the whole.
GlobalVariable *sharePointer(Module &module) {
  constexpr const char *name = "ingot_share";
  if (GlobalVariable *found = module.getNamedGlobal(name))
    return found;
  IRBuilder<> b(module.getContext());
  Function *whole =
      addFunction(module, shareType(module.getContext()), "ingot_run_whole", b);
  b.CreateCall(partType(module.getContext()), whole->getArg(0),
               {whole->getArg(1), whole->getArg(2), whole->getArg(3)});
  b.CreateRetVoid();
  return new GlobalVariable(module, b.getPtrTy(), /*isConstant=*/false,
                            GlobalValue::ExternalLinkage, whole, name);
}

/// A function that takes all arguments but the range from a structure.
Function *unpacked(Function &part, StructType *packed) {
  Module &module = *part.getParent();
  IRBuilder<> b(module.getContext());
  Function *made = addFunction(module, partType(module.getContext()),
                               part.getName() + ".unpacked", b);
  SmallVector<Value *> arguments{made->getArg(1), made->getArg(2)};
  for (auto [i, type] : enumerate(packed->elements()))
    arguments.push_back(
        b.CreateLoad(type, b.CreateStructGEP(packed, made->getArg(0), i)));
  b.CreateCall(&part, arguments);
  b.CreateRetVoid();
  return made;
}

} // namespace

void ingot::shareCalls(Function &part, int64_t iterationsOfThread,
                       int64_t piecesOfThread) {
  LLVMContext &context = part.getContext();
  part.setLinkage(GlobalValue::InternalLinkage);
  auto *packed =
      StructType::get(context, part.getFunctionType()->params().drop_front(2));
  GlobalVariable *share = sharePointer(*part.getParent());
  SmallVector<User *> calls(part.users());
  Function *body = unpacked(part, packed);
  for (User *user : calls) {
    auto *call = cast<CallInst>(user);
    BasicBlock &entry = call->getFunction()->getEntryBlock();
    IRBuilder<> b(&entry, entry.begin());
    Value *memory = b.CreateAlloca(packed);
    b.SetInsertPoint(call);
    for (unsigned i : seq(packed->getNumElements()))
      b.CreateStore(call->getArgOperand(i + 2),
                    b.CreateStructGEP(packed, memory, i));
    b.CreateCall(shareType(context), b.CreateLoad(b.getPtrTy(), share),
                 {body, memory, call->getArgOperand(0), call->getArgOperand(1),
                  b.getInt64(iterationsOfThread), b.getInt64(piecesOfThread)});
    call->eraseFromParent();
  }
}
