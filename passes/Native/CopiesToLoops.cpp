//===- CopiesToLoops.cpp - Copies of memory with strides ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;

namespace ingot {
#define GEN_PASS_DEF_COPIESTOLOOPS
#include "Native/Passes.h.inc"
} // namespace ingot

namespace {

bool isContiguous(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
}

struct CopiesToLoops : ingot::impl::CopiesToLoopsBase<CopiesToLoops> {
  void runOnOperation() override {
    getOperation().walk([](memref::CopyOp copy) {
      Value source = copy.getSource(), target = copy.getTarget();
      if (isContiguous(source) && isContiguous(target))
        return;
      OpBuilder builder(copy);
      linalg::makeMemRefCopyOp(builder, copy.getLoc(), source, target);
      copy.erase();
    });
  }
};

} // namespace
