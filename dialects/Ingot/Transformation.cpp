//===- Transformation.cpp - Verifying derivatives of
// calls------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ingot;

/// Fails unless `places` number values of these types that have tangents.
static LogicalResult verifyPlaces(Operation *op, StringRef what,
                                  ArrayRef<int64_t> places, TypeRange types) {
  for (int64_t place : places) {
    if (place < 0 || place >= static_cast<int64_t>(types.size()))
      return op->emitOpError()
             << "`" << what << "` lists " << place << " of " << types.size();
    if (!isDifferentiable(types[place]))
      return op->emitOpError() << "`" << what << "` lists " << place << ", a "
                               << types[place] << ", which has no derivative";
  }
  return success();
}

/// The types of the extra operands and results follow from two lists.
static LogicalResult verifyTypes(Operation *op, TypeRange inputs,
                                 TypeRange outputs, ArrayRef<int64_t> wrt,
                                 ArrayRef<int64_t> of, bool isForward) {
  if (failed(verifyPlaces(op, "wrt", wrt, inputs)) ||
      failed(verifyPlaces(op, "of", of, outputs)))
    return failure();
  SmallVector<Type> operands(inputs), results(outputs);
  for (int64_t i : wrt)
    (isForward ? operands : results).push_back(inputs[i]);
  for (int64_t i : of)
    (isForward ? results : operands).push_back(outputs[i]);
  if (op->getOperandTypes() != TypeRange(operands))
    return op->emitOpError(
        "operands are not the callee's and those of the lists");
  if (op->getResultTypes() != TypeRange(results))
    return op->emitOpError(
        "results are not the callee's and those of the lists");
  return success();
}

static LogicalResult verifyCall(Operation *op, SymbolTableCollection &symbols,
                                FlatSymbolRefAttr callee, ArrayRef<int64_t> wrt,
                                ArrayRef<int64_t> of, bool isForward) {
  auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, callee);
  if (!function)
    return op->emitOpError() << "there is no function " << callee;
  FunctionType type = function.getFunctionType();
  return verifyTypes(op, type.getInputs(), type.getResults(), wrt, of,
                     isForward);
}

LogicalResult JvpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyCall(*this, symbols, getCalleeAttr(), getWrt(), getOf(), true);
}

LogicalResult VjpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyCall(*this, symbols, getCalleeAttr(), getWrt(), getOf(), false);
}

LogicalResult DerivativeOp::verifyRegions() {
  Block &body = getBody().front();
  if (!isa<YieldOp>(body.getTerminator()))
    return emitOpError("the region does not end in ingot.yield");
  auto wrt = llvm::to_vector(llvm::seq<int64_t>(0, body.getNumArguments()));
  return verifyTypes(*this, body.getArgumentTypes(),
                     body.getTerminator()->getOperandTypes(), wrt, getOf(),
                     getMode() == DerivativeMode::Jvp);
}

/// The types of batches, but for what is shared.
static SmallVector<Type> stackedAll(TypeRange types, int64_t size,
                                    ArrayRef<int64_t> shared = {}) {
  SmallVector<Type> found(types);
  for (auto [i, type] : llvm::enumerate(found))
    if (!llvm::is_contained(shared, static_cast<int64_t>(i)))
      type = stacked(type, size);
  return found;
}

LogicalResult VmapOp::verifyRegions() {
  Operation *end = getBody().front().getTerminator();
  if (!isa<YieldOp>(end))
    return emitOpError("the region does not end in ingot.yield");
  if (static_cast<int64_t>(getSize()) <= 0)
    return emitOpError("the size is not positive");
  auto operands = stackedAll(getBody().getArgumentTypes(), getSize());
  auto results = stackedAll(end->getOperandTypes(), getSize(), getShared());
  if (getOperandTypes() != TypeRange(operands))
    return emitOpError("the region takes (")
           << getBody().getArgumentTypes() << "), which are not " << getSize()
           << " lanes of (" << getOperandTypes() << ")";
  if (getResultTypes() != TypeRange(results))
    return emitOpError("the region yields (")
           << end->getOperandTypes() << "), of which " << getSize()
           << " lanes are not (" << getResultTypes() << ")";
  return success();
}

/// What a region takes and yields, by type.
static LogicalResult verifyRegion(Operation *op, Region &region,
                                  TypeRange arguments, TypeRange yielded) {
  Operation *end = region.front().getTerminator();
  if (!isa<YieldOp>(end))
    return op->emitOpError("a region does not end in ingot.yield");
  if (TypeRange(region.getArgumentTypes()) != arguments)
    return op->emitOpError("a region takes (")
           << region.getArgumentTypes() << ") and not (" << arguments << ")";
  if (TypeRange(end->getOperandTypes()) != yielded)
    return op->emitOpError("a region yields (")
           << end->getOperandTypes() << ") and not (" << yielded << ")";
  return success();
}

LogicalResult CheckpointOp::verify() {
  return verifyRegion(*this, getBody(), {}, getResultTypes());
}

void CheckpointOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&getBody());
  else
    successors.emplace_back(getOperation(), getResults());
}

LogicalResult CustomDerivativeOp::verifyRegions() {
  SmallVector<Type> inputs, outputs;
  llvm::copy_if(getOperandTypes(), std::back_inserter(inputs),
                isDifferentiable);
  llvm::copy_if(getResultTypes(), std::back_inserter(outputs),
                isDifferentiable);
  bool isForward = getMode() == DerivativeMode::Jvp;
  SmallVector<Type> taken(getOperandTypes());
  llvm::append_range(taken, isForward ? inputs : outputs);
  return failure(failed(verifyRegion(*this, getBody(), getOperandTypes(),
                                     getResultTypes())) ||
                 failed(verifyRegion(*this, getRule(), taken,
                                     isForward ? outputs : inputs)));
}

LogicalResult CustomVmapOp::verifyRegions() {
  if (static_cast<int64_t>(getSize()) <= 0)
    return emitOpError("the size is not positive");
  return failure(failed(verifyRegion(*this, getBody(), getOperandTypes(),
                                     getResultTypes())) ||
                 failed(verifyRegion(*this, getRule(),
                                     stackedAll(getOperandTypes(), getSize()),
                                     stackedAll(getResultTypes(), getSize()))));
}
