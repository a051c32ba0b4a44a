//===- Calls.cpp - Derivatives of calls of StableHLO ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

static CallSources *sources = nullptr;

void ingot::setCallSources(CallSources *given) { sources = given; }

CallStablehloOp ingot::derivedCall(OpBuilder &builder, CallStablehloOp op,
                                   StringRef kind, ArrayRef<int64_t> which,
                                   ValueRange operands, TypeRange types) {
  std::optional<int64_t> found;
  if (sources && op.getSource())
    found = sources->derive(*op.getSource(), kind, which);
  bool isBatch = kind == "vmap";
  if (!found) {
    InFlightDiagnostic error = op.emitError()
                               << "`" << op.getName() << "` has no ";
    error << (isBatch ? "rule for batches" : "derivative");
    if (!isBatch)
      error.attachNote() << "set one with its defjvp or defvjp";
    return nullptr;
  }
  std::string name = (op.getName() + "_" + kind).str();
  return CallStablehloOp::create(
      builder, op.getLoc(), types, builder.getStringAttr(name), operands,
      /*text=*/nullptr, builder.getI64IntegerAttr(*found));
}

static SmallVector<Type> differentiable(TypeRange types) {
  SmallVector<Type> found;
  llvm::copy_if(types, std::back_inserter(found), isDifferentiable);
  return found;
}

/// Emits the call that takes the operands and those of `seeds` that are not
/// null, and gives a value for each of `types` that has a derivative.
static LogicalResult seeded(OpBuilder &builder, CallStablehloOp op,
                            StringRef kind, ArrayRef<Value> seeds,
                            TypeRange types, ValueList &results) {
  SmallVector<int64_t> which;
  SmallVector<Value> operands(op->getOperands());
  for (auto [i, seed] : llvm::enumerate(seeds)) {
    if (!seed)
      continue;
    which.push_back(i);
    operands.push_back(seed);
  }
  CallStablehloOp call =
      derivedCall(builder, op, kind, which, operands, differentiable(types));
  if (!call)
    return failure();
  unsigned next = 0;
  for (Type type : types)
    results.push_back(isDifferentiable(type) ? call->getResult(next++)
                                             : Value());
  return success();
}

LogicalResult CallStablehloOp::buildTangents(OpBuilder &builder,
                                             ArrayRef<Value> tangents,
                                             ValueList &results) {
  return seeded(builder, *this, "jvp", tangents, getResultTypes(), results);
}

LogicalResult CallStablehloOp::buildAdjoints(OpBuilder &builder,
                                             ArrayRef<Value> cotangents,
                                             ValueList &results) {
  return seeded(builder, *this, "vjp", cotangents, getOperandTypes(), results);
}
