//===- TrapNans.cpp - Check that finite operands give finite results ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Simplify/Finite.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace ingot {
#define GEN_PASS_DEF_TRAPNANS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

static bool hasFloats(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType, ComplexType>(type.getElementType());
}

/// Inserts a check after the operation that fails if its operands are finite
/// but its results are not.
static void trap(Operation *op) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  mlir::Location location = op->getLoc();
  Value fine;
  for (Value result : op->getResults())
    if (hasFloats(result)) {
      Value finite = allFinite(builder, location, result);
      fine = fine ? AndOp::create(builder, location, fine, finite) : finite;
    }
  for (Value operand : op->getOperands())
    if (hasFloats(operand)) {
      Value not_ = NotOp::create(builder, location,
                                 allFinite(builder, location, operand));
      fine = OrOp::create(builder, location, fine, not_);
    }
  AssertOp::create(builder, location, fine, "FloatingPointError",
                   "a value is infinite or NaN here first");
}

namespace {
struct TrapNans : public ingot::impl::TrapNansBase<TrapNans> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // Checks may not be in regions of other dialects.
      bool isPlain = isa_and_present<IngotDialect>(op->getDialect()) &&
                     op->getNumRegions() == 0 && !isa<ConstantOp>(op) &&
                     !op->hasTrait<OpTrait::IsTerminator>();
      // The condition of a `while` holds no checks.
      auto loop = dyn_cast<WhileOp>(op->getParentOp());
      bool isCondition = loop && op->getParentRegion() == &loop.getCond();
      if (isPlain && !isCondition && llvm::any_of(op->getResults(), hasFloats))
        found.push_back(op);
    });
    for (Operation *op : found)
      trap(op);
  }
};
} // namespace
