//===- OutlineProducts.cpp - Call one function for many products ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace ingot {
#define GEN_PASS_DEF_OUTLINEPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;

namespace {

/// What two operations share that one function can compute.
using Signature = std::tuple<OperationName, FunctionType, DictionaryAttr>;

Signature signatureOf(Operation *op) {
  auto type = FunctionType::get(op->getContext(), op->getOperandTypes(),
                                op->getResultTypes());
  return {op->getName(), type, op->getAttrDictionary()};
}

/// The fewest products like this one that are worth a function, or none if it
/// is a plain one.
std::optional<size_t> fewestLike(Operation *op, size_t least) {
  if (isa<ingot::MulNoNanOp, ingot::DivNoNanOp>(op))
    return least;
  auto product = dyn_cast<ingot::DotGeneralOp>(op);
  bool isGuarded = product &&
                   (product.getLhsZeros() || product.getRhsZeros()) &&
                   !isa<IntegerType>(ingot::elementOf(product.getResult()));
  return isGuarded ? std::optional<size_t>(2) : std::nullopt;
}

/// A private function that computes an operation on its arguments.
func::FuncOp outline(Operation *op, FunctionType type, SymbolTable &symbols) {
  StringRef name = op->getName().stripDialect();
  auto function = func::FuncOp::create(op->getLoc(), name, type);
  function.setPrivate();
  symbols.insert(function);
  Block *block = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  Operation *inner = builder.clone(*op);
  inner->setOperands(block->getArguments());
  func::ReturnOp::create(builder, op->getLoc(), inner->getResults());
  return function;
}

struct OutlineProducts
    : public ingot::impl::OutlineProductsBase<OutlineProducts> {
  using OutlineProductsBase::OutlineProductsBase;

  void runOnOperation() override {
    llvm::MapVector<Signature, SmallVector<Operation *>> products;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        if (fewestLike(op, least))
          products[signatureOf(op)].push_back(op);
      });
    SymbolTable symbols(getOperation());
    for (auto &[signature, equal] : products) {
      if (equal.size() < fewestLike(equal.front(), least))
        continue;
      auto type = std::get<FunctionType>(signature);
      func::FuncOp function = outline(equal.front(), type, symbols);
      for (Operation *op : equal)
        ingot::replaceByCall(op, function);
    }
  }
};

} // namespace
