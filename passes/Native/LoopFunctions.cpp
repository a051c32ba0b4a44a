//===- LoopFunctions.cpp - Functions of loops -----------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopFunctions.h"

#include "Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ingot;

static bool isMemory(Value value) { return isa<MemRefType>(value.getType()); }

bool ingot::isCall(Operation *op) {
  auto nest = dyn_cast<linalg::GenericOp>(op);
  return nest && nest.getLibraryCallAttr();
}

Captured::Captured(Operation *loops) {
  llvm::SetVector<Value> found;
  getUsedValuesDefinedAbove(loops->getRegions(), found);
  found.insert_range(loops->getOperands());
  for (Value value : found)
    add(value);
}

void Captured::add(Value value) {
  Operation *source = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ConstantOp, ViewLikeOpInterface>(source)) {
    values.insert(value);
    return;
  }
  for (Value operand : source->getOperands())
    add(operand);
  copied.insert(source);
}

bool Captured::arePassed() const {
  return llvm::all_of(values, [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return !type || (type.hasStaticShape() && type.getLayout().isIdentity());
  });
}

bool Captured::areDistinct() const {
  return llvm::all_of(values, [](Value value) {
    return !isMemory(value) || isDistinct(value);
  });
}

func::FuncOp ingot::makeFunction(SymbolTable &symbols, Operation *loops,
                                 StringRef suffix, const Captured &captured,
                                 ArrayRef<Value> leading, IRMapping &map) {
  auto kernel = loops->getParentOfType<func::FuncOp>();
  Location location = loops->getLoc();
  OpBuilder builder(loops);
  SmallVector<Value> operands(leading);
  llvm::append_range(operands, captured.values);

  auto type = builder.getFunctionType(TypeRange(ValueRange(operands)), {});
  auto function = func::FuncOp::create(
      location, (kernel.getName() + "." + suffix).str(), type);
  function.setPrivate();
  symbols.insert(function);
  Block *block = function.addEntryBlock();
  func::CallOp::create(builder, location, function, operands);

  map.map(captured.values.getArrayRef(),
          block->getArguments().drop_front(leading.size()));
  builder.setInsertionPointToStart(block);
  for (Operation *op : captured.copied)
    builder.clone(*op, map);
  builder.clone(*loops, map);
  func::ReturnOp::create(builder, location);
  if (!captured.areDistinct())
    return function;
  for (auto [i, value] : llvm::enumerate(captured.values))
    if (isMemory(value))
      function.setArgAttr(leading.size() + i,
                          LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
  return function;
}
