//===- ExpandNonzero.cpp - Positions of true elements by a scatter --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDNONZERO
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// Pattern: nonzero(m) ->
///          scatter set(0, iota)[..., select(m, cumulative add(m) - 1, n)][:n]
static Value scatterOf(NonzeroOp op) {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  RankedTensorType type = op.getType();
  int64_t rank = type.getRank(), last = rank - 1, size = type.getDimSize(last);
  SmallVector<Value> places;
  for (int64_t axis : llvm::seq(rank))
    places.push_back(IotaOp::create(builder, location, type, axis));
  Value positions = places.back();
  Value mask = op.getOperand();
  Value count = CumulativeOp::create(
      builder, location, ReduceKind::Add,
      ConvertOp::create(builder, location, type, mask), last);
  Value place =
      SubOp::create(builder, location, count, integer(builder, location, 1));
  // Dropped for their index, the others would be mispredicted branches.
  places.back() = SelectOp::create(builder, location, mask, place,
                                   integer(builder, location, size));
  SmallVector<int64_t> longer(type.getShape());
  ++longer[last];
  Value found = ScatterOp::create(
      builder, location, ScatterKind::Set,
      zerosOf(builder, location, type.clone(longer)), positions, places);
  return SliceOp::create(builder, location, found,
                         SmallVector<int64_t>(rank, 0), type.getShape(),
                         SmallVector<int64_t>(rank, 1));
}

namespace {
struct ExpandNonzero : public ingot::impl::ExpandNonzeroBase<ExpandNonzero> {
  void runOnOperation() override {
    getOperation()->walk([](NonzeroOp op) {
      op.replaceAllUsesWith(scatterOf(op));
      op->erase();
    });
  }
};
} // namespace
