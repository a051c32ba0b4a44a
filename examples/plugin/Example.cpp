//===- Example.cpp - Passes of one's own ----------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes in a library that ingot-opt and Python load: `square-powers` makes
// x * x of x ** 2, `report-products` says where matrix products are.
//
//===----------------------------------------------------------------------===//

#include "Ingot/Ingot.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {

struct SquarePowers
    : public PassWrapper<SquarePowers, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SquarePowers)

  StringRef getArgument() const override { return "square-powers"; }
  StringRef getDescription() const override { return "x ** 2 as x * x"; }

  void runOnOperation() override {
    SmallVector<ingot::PowOp> powers;
    getOperation().walk([&](ingot::PowOp op) { powers.push_back(op); });
    for (ingot::PowOp op : powers) {
      auto exponent = op.getRhs().getDefiningOp<ingot::ConstantOp>();
      auto number = exponent
                        ? dyn_cast<DenseElementsAttr>(exponent.getValueAttr())
                        : DenseElementsAttr();
      bool isFloat = number && isa<FloatType>(number.getElementType());
      if (!isFloat || !number.isSplat() ||
          op.getLhs().getType() != op.getType())
        continue;
      if (number.getSplatValue<APFloat>().convertToDouble() != 2.0)
        continue;
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          ingot::MulOp::create(builder, op.getLoc(), op.getLhs(), op.getLhs())
              .getResult());
      op.erase();
    }
  }
};

struct ReportProducts
    : public PassWrapper<ReportProducts, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReportProducts)

  StringRef getArgument() const override { return "report-products"; }
  StringRef getDescription() const override {
    return "Remark on each matrix product";
  }

  void runOnOperation() override {
    getOperation().walk([](ingot::DotGeneralOp op) {
      op.emitRemark("a product of ")
          << op.getLhs().getType() << " and " << op.getRhs().getType();
    });
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "IngotExample", LLVM_VERSION_STRING, [] {
            PassRegistration<SquarePowers>();
            PassRegistration<ReportProducts>();
          }};
}
