//===- InlineRules.cpp - Inline checkpoints and users' rules --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Identities.h"

namespace ingot {
#define GEN_PASS_DEF_INLINERULES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

void ingot::inlineBody(Operation *op) {
  Block &body = op->getRegion(0).front();
  Operation *end = body.getTerminator();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands()))
    argument.replaceAllUsesWith(operand);
  op->replaceAllUsesWith(end->getOperands());
  end->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->erase();
}

/// Whether an operation, or one in its regions, uses one of the values.
static bool usesAny(Operation *op, const DenseSet<Value> &values) {
  auto isOne = [&](Value value) { return values.contains(value); };
  WalkResult result = op->walk([&](Operation *each) {
    return llvm::any_of(each->getOperands(), isOne) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
/// What has no derivative in an operation, but a body that has.
class OpaqueOps {
public:
  explicit OpaqueOps(Operation *op) {
    for (Region &region : op->getRegions())
      visit(region);
  }

  SmallVector<Operation *> found;

private:
  void visit(Region &region) {
    region.walk<WalkOrder::PreOrder>([&](Operation *each) {
      if (auto custom = dyn_cast<CustomDerivativeOp>(each)) {
        visitRule(custom);
        return WalkResult::skip();
      }
      if (isa<CustomVmapOp, NumpyFunctionOp>(each))
        found.push_back(each);
      return WalkResult::advance();
    });
  }

  /// The body is not differentiated, and of a rule only what depends on
  /// tangents: the rest stays what NumPy computes.
  void visitRule(CustomDerivativeOp op) {
    if (op.getMode() == DerivativeMode::Vjp)
      return;
    auto tangents =
        op.getRule().getArguments().drop_front(op->getNumOperands());
    DenseSet<Value> dependent(tangents.begin(), tangents.end());
    for (Operation &each : op.getRule().front()) {
      if (!usesAny(&each, dependent))
        continue;
      dependent.insert_range(each.getResults());
      if (auto custom = dyn_cast<CustomDerivativeOp>(each)) {
        visitRule(custom);
        continue;
      }
      if (isa<CustomVmapOp, NumpyFunctionOp>(each))
        found.push_back(&each);
      for (Region &region : each.getRegions())
        visit(region);
    }
  }
};
} // namespace

void ingot::prepareForDerivative(Operation *op) {
  for (Operation *each : OpaqueOps(op).found)
    inlineBody(each);
  serialiseScatters(op);
  squarePlainly(op);
}

static void callNumpy(NumpyFunctionOp op) {
  OpBuilder builder(op);
  auto call = CallNumpyOp::create(builder, op.getLoc(), op->getResultTypes(),
                                  op.getNameAttr(), op.getOperands());
  op.replaceAllUsesWith(call);
  op.erase();
}

namespace {
struct InlineRules : public ingot::impl::InlineRulesBase<InlineRules> {
  using InlineRulesBase::InlineRulesBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (auto stop = dyn_cast<StopGradientOp>(op)) {
        stop->replaceAllUsesWith(stop->getOperands());
        stop.erase();
        return;
      }
      if (isa<CheckpointOp, FusionOp, CustomDerivativeOp, CustomVmapOp,
              NumpyFunctionOp>(op))
        found.push_back(op);
    });
    // Outer operations first: those in a region that goes are erased with it.
    while (!found.empty()) {
      Operation *op = found.pop_back_val();
      auto call = dyn_cast<NumpyFunctionOp>(op);
      if (call && !llvm::is_contained(functions, call.getName()))
        call = nullptr;
      bool hasRule = isa<CustomDerivativeOp, CustomVmapOp>(op);
      if (hasRule || call) {
        Region &erased = op->getRegion(hasRule ? 1 : 0);
        llvm::erase_if(found, [&](Operation *each) {
          return erased.isAncestor(each->getParentRegion());
        });
      }
      if (call)
        callNumpy(call);
      else
        inlineBody(op);
    }
  }
};
} // namespace
