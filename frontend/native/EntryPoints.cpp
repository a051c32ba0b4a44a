//===- EntryPoints.cpp - The functions that call a kernel -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoints.h"

#include "xla/ffi/api/c_api.h"
#include "llvm/IR/IRBuilder.h"

#include <cstddef>

using namespace llvm;

namespace {

using Builder = IRBuilder<>;

Value *addressOf(Builder &b, Value *structure, uint64_t offset) {
  return b.CreateConstGEP1_64(b.getInt8Ty(), structure, offset);
}

Value *loadPointer(Builder &b, Value *structure, uint64_t offset) {
  return b.CreateLoad(b.getPtrTy(), addressOf(b, structure, offset));
}

/// Adds an exported function of one pointer, and starts its first block.
Function *addFunction(Builder &b, Module &module, StringRef name,
                      Type *result) {
  auto *type = FunctionType::get(result, {b.getPtrTy()}, false);
  auto *function =
      Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  b.SetInsertPoint(BasicBlock::Create(b.getContext(), "entry", function));
  return function;
}

/// Branches to one of two new blocks, of which the second is started.
BasicBlock *branchIf(Builder &b, Value *condition) {
  Function *function = b.GetInsertBlock()->getParent();
  auto *then = BasicBlock::Create(b.getContext(), "", function);
  auto *otherwise = BasicBlock::Create(b.getContext(), "", function);
  b.CreateCondBr(condition, then, otherwise);
  b.SetInsertPoint(otherwise);
  return then;
}

/// Answers XLA's question for the version of the interface.
void answerQuery(Builder &b, Value *extension) {
  Value *metadata =
      loadPointer(b, extension, offsetof(XLA_FFI_Metadata_Extension, metadata));
  auto store = [&](Constant *value, uint64_t offset) {
    b.CreateStore(value, addressOf(b, metadata, offset));
  };
  constexpr uint64_t version = offsetof(XLA_FFI_Metadata, api_version);
  store(b.getInt32(XLA_FFI_API_MAJOR),
        version + offsetof(XLA_FFI_Api_Version, major_version));
  store(b.getInt32(XLA_FFI_API_MINOR),
        version + offsetof(XLA_FFI_Api_Version, minor_version));
  store(b.getInt32(0), offsetof(XLA_FFI_Metadata, traits));
  store(b.getInt64(XLA_FFI_UNKNOWN_TYPE_ID.type_id),
        offsetof(XLA_FFI_Metadata, state_type_id));
  b.CreateRet(ConstantPointerNull::get(b.getPtrTy()));
}

void addHandler(Builder &b, Function &kernel, ArrayRef<int64_t> frame) {
  PointerType *pointer = b.getPtrTy();
  auto *null = ConstantPointerNull::get(pointer);
  Value *call =
      addFunction(b, *kernel.getParent(), "ingot_ffi", pointer)->getArg(0);
  Value *extension =
      loadPointer(b, call, offsetof(XLA_FFI_CallFrame, extension_start));
  BasicBlock *run = branchIf(b, b.CreateICmpEQ(extension, null));
  answerQuery(b, extension);

  b.SetInsertPoint(run);
  Value *operands = loadPointer(b, call,
                                offsetof(XLA_FFI_CallFrame, args) +
                                    offsetof(XLA_FFI_Args, args));
  Value *results = loadPointer(b, call,
                               offsetof(XLA_FFI_CallFrame, rets) +
                                   offsetof(XLA_FFI_Rets, rets));
  SmallVector<Value *> data;
  for (int64_t place : frame) {
    Value *buffer = place < 0
                        ? loadPointer(b, results, (-1 - place) * sizeof(void *))
                        : loadPointer(b, operands, place * sizeof(void *));
    data.push_back(loadPointer(b, buffer, offsetof(XLA_FFI_Buffer, data)));
  }
  b.CreateCall(&kernel, data);
  b.CreateRet(null);
}

void addCall(Builder &b, Function &kernel) {
  Value *pointers =
      addFunction(b, *kernel.getParent(), "ingot_call", b.getVoidTy())
          ->getArg(0);
  SmallVector<Value *> data;
  for (unsigned i = 0; i < kernel.arg_size(); ++i)
    data.push_back(loadPointer(b, pointers, i * sizeof(void *)));
  b.CreateCall(&kernel, data);
  b.CreateRetVoid();
}

} // namespace

void ingot::addEntryPoints(Function &kernel, ArrayRef<int64_t> frame) {
  // Two functions call it, and inlining would compile it twice.
  kernel.setLinkage(GlobalValue::InternalLinkage);
  kernel.addFnAttr(Attribute::NoInline);
  Builder builder(kernel.getContext());
  addHandler(builder, kernel, frame);
  addCall(builder, kernel);
}
