//===- Reductions.h - Combining values as reductions do ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_REDUCTIONS_H
#define INGOT_PASSES_REDUCTIONS_H

#include "Passes.h"

namespace ingot {

/// Two values combined by the operation of a reduction.
inline mlir::Value combine(mlir::OpBuilder &builder, mlir::Location location,
                           ReduceKind kind, mlir::Value lhs, mlir::Value rhs) {
  switch (kind) {
  case ReduceKind::Add:
    return AddOp::create(builder, location, lhs, rhs);
  case ReduceKind::Mul:
    return MulOp::create(builder, location, lhs, rhs);
  case ReduceKind::Min:
    return MinimumOp::create(builder, location, lhs, rhs);
  case ReduceKind::Max:
    return MaximumOp::create(builder, location, lhs, rhs);
  case ReduceKind::And:
    return AndOp::create(builder, location, lhs, rhs);
  case ReduceKind::Or:
    return OrOp::create(builder, location, lhs, rhs);
  }
  llvm_unreachable("covered switch");
}

} // namespace ingot

#endif // INGOT_PASSES_REDUCTIONS_H
