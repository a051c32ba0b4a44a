//===- Erasure.cpp - Erasing what is dead ---------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Erasure.h"

#include "mlir/IR/Visitors.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

void ingot::eraseDead(ArrayRef<Operation *> operations,
                      function_ref<bool(Operation *)> isKept,
                      function_ref<void(Operation *)> erasing) {
  SmallVector<Operation *> candidates(operations);
  // Each is a candidate once at a time. What is erased leaves the set: it has
  // no users left, of whose operands it could become a candidate again.
  llvm::SmallPtrSet<Operation *, 16> pending(operations.begin(),
                                             operations.end());
  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val();
    if (!pending.erase(op) || !isOpTriviallyDead(op) || (isKept && isKept(op)))
      continue;
    op->walk([&](Operation *inner) {
      pending.erase(inner);
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && !op->isAncestor(source) && pending.insert(source).second)
          candidates.push_back(source);
      if (erasing)
        erasing(inner);
    });
    op->erase();
  }
}

void ingot::eraseDeadInside(Block &block,
                            function_ref<bool(Operation *)> isKept) {
  SmallVector<Operation *> operations;
  for (Operation &op : block)
    operations.push_back(&op);
  // What computes the operands may be around the block, where others hold it.
  eraseDead(operations, [&](Operation *op) {
    return !block.findAncestorOpInBlock(*op) || (isKept && isKept(op));
  });
}

void ingot::eraseDeadInside(Operation *op) {
  SmallVector<Operation *> operations;
  op->walk([&](Operation *inner) {
    if (inner != op)
      operations.push_back(inner);
  });
  eraseDead(operations);
}
