//===- Collective.cpp - What the lanes of a batch exchange ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace ingot {

LogicalResult AllGatherOp::verify() {
  ArrayRef<int64_t> from = getOperand().getType().getShape(),
                    to = getResult().getType().getShape();
  if (!to.empty() && to.drop_front() == from)
    return success();
  return emitOpError("stacks arrays of shape ")
         << shapeText(from) << " to shape " << shapeText(to);
}

LogicalResult PpermuteOp::verify() {
  llvm::SmallSet<int64_t, 8> seen;
  auto count = static_cast<int64_t>(getSources().size());
  for (int64_t source : getSources()) {
    if (source < -1 || source >= count)
      return emitOpError("has the source ")
             << source << " for " << count << " lanes";
    if (source >= 0 && !seen.insert(source).second)
      return emitOpError("has the source ") << source << " twice";
  }
  return success();
}

} // namespace ingot
