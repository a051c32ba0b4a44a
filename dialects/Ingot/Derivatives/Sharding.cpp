//===- Sharding.cpp - Derivatives of shardings --------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

/// A cotangent lies where its primal does.
LogicalResult ShardOp::buildAdjoints(OpBuilder &builder,
                                     ArrayRef<Value> cotangents,
                                     ValueList &results) {
  results.push_back(
      ShardOp::create(builder, getLoc(), cotangents[0], getShardingAttr()));
  return success();
}
