//===- CastReshapes.cpp - Flat views of arrays ----------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

using namespace mlir;

namespace ingot {
#define GEN_PASS_DEF_CASTRESHAPES
#include "Native/Passes.h.inc"
} // namespace ingot

namespace {

bool isContiguous(MemRefType type) {
  return type.hasStaticShape() && type.getLayout().isIdentity();
}

struct CastReshapes : ingot::impl::CastReshapesBase<CastReshapes> {
  void runOnOperation() override {
    getOperation().walk([](memref::CollapseShapeOp op) {
      MemRefType type = op.getType();
      if (!isContiguous(type) || !isContiguous(op.getSrcType()))
        return;
      OpBuilder builder(op);
      auto [strides, offset] = type.getStridesAndOffset();
      auto cast = memref::ReinterpretCastOp::create(builder, op.getLoc(), type,
                                                    op.getSrc(), offset,
                                                    type.getShape(), strides);
      op.replaceAllUsesWith(cast.getResult());
      op.erase();
    });
  }
};

} // namespace
