//===- SplitComplexStores.cpp - Store complex numbers part by part --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {
#define GEN_PASS_DEF_SPLITCOMPLEXSTORES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// Whether the parts of the elements are stored or added independently: of two
/// stores to one element, the parts could be those of different ones.
static bool isSeparable(ScatterOp op) {
  auto type = dyn_cast<ComplexType>(op.getType().getElementType());
  if (!type || !type.getElementType().isF64() ||
      typeOf(op.getIndices()[0]).getNumElements() == 1)
    return false;
  return op.getKind() == ScatterKind::Add ||
         (op.getKind() == ScatterKind::Set && op.getUnique());
}

/// Pattern: scatter(x, u)[i] -> complex(scatter(real(x), real(u))[i],
///                                      scatter(imag(x), imag(u))[i])
static Value partsOf(ScatterOp op) {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  auto stored = [&](Value operand, Value update) -> Value {
    auto part = ScatterOp::create(builder, location, op.getKind(), operand,
                                  update, op.getIndices());
    part.setUnique(op.getUnique());
    return part;
  };
  auto real = [&](Value value) -> Value {
    return RealOp::create(builder, location, value);
  };
  auto imag = [&](Value value) -> Value {
    return ImagOp::create(builder, location, value);
  };
  return ComplexOp::create(builder, location,
                           stored(real(op.getOperand()), real(op.getUpdate())),
                           stored(imag(op.getOperand()), imag(op.getUpdate())));
}

namespace {
struct SplitComplexStores
    : public ingot::impl::SplitComplexStoresBase<SplitComplexStores> {
  void runOnOperation() override {
    getOperation().walk([](ScatterOp op) {
      if (!isSeparable(op))
        return;
      op.replaceAllUsesWith(partsOf(op));
      op.erase();
    });
  }
};
} // namespace
