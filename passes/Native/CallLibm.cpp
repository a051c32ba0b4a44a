//===- CallLibm.cpp - Accurate functions of the C library -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace ingot {
#define GEN_PASS_DEF_CALLLIBM
#include "Native/Passes.h.inc"
} // namespace ingot

namespace {

struct CallLibm : ingot::impl::CallLibmBase<CallLibm> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::ExpM1Op, math::Log1pOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    getOperation().walk([&](arith::RemFOp op) { callRemainder(op); });
  }

private:
  void callRemainder(arith::RemFOp op) {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return;
    StringRef name = type.isF64() ? "fmod" : "fmodf";
    if (!getOperation().lookupSymbol(name)) {
      OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
      func::FuncOp::create(builder, op.getLoc(), name,
                           builder.getFunctionType({type, type}, type))
          .setPrivate();
    }
    OpBuilder builder(op);
    auto call = func::CallOp::create(builder, op.getLoc(), name, type,
                                     op->getOperands());
    op.replaceAllUsesWith(call.getResult(0));
    op.erase();
  }
};

} // namespace
