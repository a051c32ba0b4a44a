//===- OutlineNests.cpp - Functions of the nests of large ones ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "LoopCosts.h"
#include "LoopFunctions.h"

namespace ingot {
#define GEN_PASS_DEF_OUTLINENESTS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// The least cost, in units of 0.25 ns, of what a call is worth.
constexpr int64_t leastCost = 400;

/// Whether an operation is loops that do nothing but compute, load and store.
bool isNest(Operation *op) {
  if (auto nest = dyn_cast<linalg::LinalgOp>(op))
    return nest.hasPureBufferSemantics() && !isCall(op);
  if (!isa<scf::ForOp>(op) || !op->use_empty())
    return false;
  WalkResult result = op->walk([](Operation *each) {
    bool isKnown = isa<scf::ForOp, scf::IfOp, scf::YieldOp, memref::LoadOp,
                       memref::StoreOp>(each) ||
                   (each->getNumRegions() == 0 && isMemoryEffectFree(each));
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

struct OutlineNests : ingot::impl::OutlineNestsBase<OutlineNests> {
  using OutlineNestsBase::OutlineNestsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<Operation *> nests;
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isNest(op))
          return WalkResult::advance();
        nests.push_back(op);
        return WalkResult::skip();
      });
      if (static_cast<int64_t>(nests.size()) <= most)
        continue;
      for (Operation *nest : nests)
        if (costOf(nest) >= leastCost)
          outline(nest, symbols);
    }
  }

private:
  void outline(Operation *nest, SymbolTable &symbols) {
    Captured captured(nest);
    // Within its function, LLVM may know more of memory.
    if (!captured.arePassed() || !captured.areDistinct())
      return;
    IRMapping map;
    func::FuncOp function =
        makeFunction(symbols, nest, "nest", captured, {}, map);
    Builder b(&getContext());
    // LLVM would inline the only call.
    function->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
    nest->erase();
  }
};

} // namespace
