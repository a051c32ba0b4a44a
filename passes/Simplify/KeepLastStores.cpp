//===- KeepLastStores.cpp - Drop stores that later ones overwrite ---------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "Ingot/Derivatives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {
#define GEN_PASS_DEF_KEEPLASTSTORES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// Pattern: scatter set(x, u)[i, ...] ->
///          scatter set(x, u)[select(are last, i, n), ...] {unique}
static void keepLast(ScatterOp op) {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  Value isLast = areLast(op, builder);
  Value first = op.getIndices()[0];
  // The index behind the array may not fit in the type of the indices.
  Value wide = ConvertOp::create(
      builder, location, typeOf(first).clone(builder.getI64Type()), first);
  Value nowhere = integer(builder, location, op.getType().getDimSize(0));
  Value kept = SelectOp::create(builder, location, isLast, wide, nowhere);
  op.getIndicesMutable().slice(0, 1).assign(kept);
  op.setUnique(true);
}

namespace {
struct KeepLastStores : public ingot::impl::KeepLastStoresBase<KeepLastStores> {
  void runOnOperation() override {
    getOperation().walk([](ScatterOp op) {
      if (op.getKind() == ScatterKind::Set && !areUnique(op))
        keepLast(op);
    });
  }
};
} // namespace
