//===- SelectBranches.cpp - Selections instead of small branches ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ingot {
#define GEN_PASS_DEF_SELECTBRANCHES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The most operations of a region, and the most elements of a value in it.
static constexpr unsigned mostOperations = 16;
static constexpr int64_t mostElements = 4;

static bool areSmall(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    return cast<RankedTensorType>(type).getNumElements() <= mostElements;
  });
}

/// Whether a region takes next to no time, and fails nowhere.
static bool isCheap(Region &region) {
  auto ops = region.front().without_terminator();
  return std::distance(ops.begin(), ops.end()) <= mostOperations &&
         llvm::all_of(ops, [](Operation &op) {
           return op.getNumRegions() == 0 && isPure(&op) &&
                  !op.hasTrait<CostlyTrait>() && areSmall(op.getResultTypes());
         });
}

/// Pattern: if(condition, a, b) -> select(condition, a, b)
static void selectResults(IfOp op) {
  if (!areSmall(op.getResultTypes()) || !isCheap(op.getThenRegion()) ||
      !isCheap(op.getElseRegion()))
    return;
  Operation *ends[2];
  for (auto [end, region] : llvm::zip_equal(ends, op->getRegions())) {
    end = region.front().getTerminator();
    for (Operation &each :
         llvm::make_early_inc_range(region.front().without_terminator()))
      each.moveBefore(op);
  }
  OpBuilder builder(op);
  for (auto [result, then, otherwise] : llvm::zip_equal(
           op.getResults(), ends[0]->getOperands(), ends[1]->getOperands()))
    result.replaceAllUsesWith(SelectOp::create(builder, op.getLoc(),
                                               op.getCondition(), then,
                                               otherwise)
                                  .getResult());
  op.erase();
}

namespace {
struct SelectBranches : public ingot::impl::SelectBranchesBase<SelectBranches> {
  // Inner branches come first.
  void runOnOperation() override { getOperation().walk(selectResults); }
};
} // namespace
