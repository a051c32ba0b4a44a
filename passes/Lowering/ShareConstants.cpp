//===- ShareConstants.cpp - Make equal constants one operation ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {
#define GEN_PASS_DEF_SHARECONSTANTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;

namespace {

/// The constants and broadcasts that a block has had so far.
class Shared {
public:
  /// Replaces an operation by an equal one before it.
  void visit(Operation *op) {
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
      share(op, constants[constant.getValue()]);
    else if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
      share(op, broadcasts[{broadcast.getOperand(), broadcast.getType(),
                            broadcast.getBroadcastDimensionsAttr()}]);
  }

private:
  static void share(Operation *op, Operation *&first) {
    if (!first) {
      first = op;
      return;
    }
    op->replaceAllUsesWith(first);
    op->erase();
  }

  DenseMap<Attribute, Operation *> constants;
  DenseMap<std::tuple<Value, Type, Attribute>, Operation *> broadcasts;
};

struct ShareConstants : public ingot::impl::ShareConstantsBase<ShareConstants> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      Shared shared;
      for (Operation &op : llvm::make_early_inc_range(*block))
        shared.visit(&op);
    });
  }
};

} // namespace
