//===- LoopCosts.cpp - How long loops take --------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

/// The iterations that a loop of unknown length is taken to have.
static constexpr int64_t unknownLength = 16;

int64_t ingot::lengthOf(scf::ForOp loop) {
  std::optional<llvm::APInt> length = loop.getStaticTripCount();
  return length ? length->getSExtValue() : unknownLength;
}

SmallVector<int64_t> ingot::mostOf(linalg::LinalgOp nest) {
  SmallVector<int64_t> lengths = nest.getStaticLoopRanges();
  for (OpOperand &operand : nest->getOpOperands()) {
    auto part = operand.get().getDefiningOp<memref::SubViewOp>();
    if (!part || part.getType().getRank() != part.getSourceType().getRank())
      continue;
    AffineMap map = nest.getMatchingIndexingMap(&operand);
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), part.getSourceType().getShape()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && ShapedType::isDynamic(lengths[loop.getPosition()]))
        lengths[loop.getPosition()] = size;
  }
  for (int64_t &length : lengths)
    if (ShapedType::isDynamic(length))
      length = unknownLength;
  return lengths;
}

static int64_t bodyCost(Region &region) {
  int64_t cost = 0;
  for (Block &block : region)
    for (Operation &op : block)
      cost += ingot::costOf(&op);
  return cost;
}

/// Whether an operation computes or compares positions, which a loop does not
/// do for each element.
static bool isPosition(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    return type.isIndex() || type.isInteger(1);
  });
}

int64_t ingot::costOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return lengthOf(loop) * bodyCost(loop.getRegion());
  if (auto nest = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t cost = bodyCost(op->getRegion(0)) + op->getNumOperands();
    for (int64_t length : mostOf(nest))
      cost *= length;
    return cost;
  }
  if (op->getNumRegions() > 0) {
    int64_t cost = 0;
    for (Region &region : op->getRegions())
      cost += bodyCost(region);
    return cost;
  }
  if (isa<arith::ConstantOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      isPosition(op))
    return 0;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp>(op))
    return 1;
  if (isa<math::MathDialect>(op->getDialect()))
    return 12;
  return isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
             arith::RemSIOp, arith::RemUIOp, complex::DivOp>(op)
             ? 4
             : 1;
}
