//===- Transformation.cpp - Verifying derivatives and batches -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"
#include "Ingot/Inference.h"

using namespace mlir;
using namespace ingot;

/// Verifies the operands and results of `jvp` and `vjp`. In forward mode, the
/// tangents of the region's arguments are operands and those of the yielded
/// values are results; in reverse mode, the cotangents are the other way round.
static LogicalResult verifyDerivative(Operation *op, Block &body,
                                      ArrayRef<int64_t> of, bool isForward) {
  Operation *end = body.getTerminator();
  if (!isa<YieldOp>(end))
    return op->emitOpError("the region does not end in ingot.yield");
  for (BlockArgument argument : body.getArguments())
    if (!isDifferentiable(argument.getType()))
      return op->emitOpError("differentiates by a ")
             << argument.getType() << ", which has no derivative";
  SmallVector<Type> inputs(body.getArgumentTypes()), outputs;
  for (int64_t i : of) {
    if (i < 0 || i >= static_cast<int64_t>(end->getNumOperands()))
      return op->emitOpError("`of` lists ")
             << i << " of " << end->getNumOperands();
    outputs.push_back(end->getOperand(i).getType());
    if (!isDifferentiable(outputs.back()))
      return op->emitOpError("`of` lists ")
             << i << ", a " << outputs.back() << ", which has no derivative";
  }
  SmallVector<Type> operands(inputs), results(end->getOperandTypes());
  llvm::append_range(operands, isForward ? inputs : outputs);
  llvm::append_range(results, isForward ? outputs : inputs);
  if (op->getOperandTypes() != TypeRange(operands))
    return op->emitOpError("the operands are not the region's arguments and ")
           << (isForward ? "their tangents" : "the cotangents of `of`");
  if (op->getResultTypes() != TypeRange(results))
    return op->emitOpError("the results are not what the region yields and ")
           << (isForward ? "the tangents of `of`"
                         : "the cotangents of its arguments");
  return success();
}

LogicalResult JvpOp::verifyRegions() {
  return verifyDerivative(*this, getBody().front(), getOf(), true);
}

LogicalResult VjpOp::verifyRegions() {
  return verifyDerivative(*this, getBody().front(), getOf(), false);
}

/// The types of batches of `size`; those at the indices `shared` stay as they
/// are.
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

LogicalResult ingot::verifyRegion(Operation *op, Region &region,
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

LogicalResult CallStablehloOp::verify() {
  if (getText().has_value() == getSource().has_value())
    return emitOpError("needs either a text or a source");
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
