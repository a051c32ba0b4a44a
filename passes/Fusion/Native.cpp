//===- Native.cpp - Which operations run in kernels -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "Lowering/Lowering.h"

using namespace mlir;
using namespace ingot;

/// The multiplications of the largest product of two matrices for which a
/// kernel is as fast as a library.
static constexpr int64_t mostProducts = 4096;

/// The most uses of an element that are few.
static constexpr int64_t fewUses = 4;

bool ingot::isNativeType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 0)
    return false;
  Type element = tensor.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return isa<IntegerType>(element) || element.isF32() || element.isF64();
}

static bool isComplex(Value value) {
  return isa<ComplexType>(elementOf(value));
}

static bool isInteger(Value value) {
  return isa<IntegerType>(elementOf(value));
}

// Products that use each element of an operand only a few times, as those of a
// matrix and a vector do, take as long as reading the operands.
bool ingot::isSmallProduct(DotGeneralOp op) {
  auto sizeOf = [](Value value, ArrayRef<int64_t> axes) {
    int64_t size = 1;
    for (int64_t axis : axes)
      size *= shapeOf(value)[axis];
    return size;
  };
  int64_t batch = sizeOf(op.getLhs(), op.getLhsBatching());
  int64_t sums = sizeOf(op.getLhs(), op.getLhsContracting());
  if (batch == 0 || sums == 0)
    return true;
  int64_t rows = typeOf(op.getLhs()).getNumElements() / batch / sums;
  int64_t columns = typeOf(op.getRhs()).getNumElements() / batch / sums;
  return std::min({rows, columns, sums}) <= fewUses ||
         rows * columns * sums <= mostProducts;
}

bool ingot::isLibraryProduct(DotGeneralOp op) {
  return !isInteger(op.getResult()) && !op.getLhsZeros() && !op.getRhsZeros() &&
         !isSmallProduct(op);
}

/// Elementwise operations that `lower-to-linalg` has no scalar code for.
static bool isNativeElementwise(Operation *op) {
  if (isa<LgammaOp, DigammaOp, PolygammaOp, ErfInvOp>(op))
    return false;
  auto isComplexValue = [](Value value) { return isComplex(value); };
  bool hasComplex = llvm::any_of(op->getOperands(), isComplexValue);
  if (auto power = dyn_cast<PowOp>(op);
      power && (hasComplex || isInteger(power.getResult())))
    return multipliedExponent(power.getRhs()).has_value();
  return !hasComplex || !isa<LogOp, Log1pOp>(op);
}

bool ingot::isNativeAlone(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isNativeType) ||
      !llvm::all_of(op->getResultTypes(), isNativeType))
    return false;
  if (op->hasTrait<ElementwiseTrait>())
    return isNativeElementwise(op);
  if (auto dot = dyn_cast<DotGeneralOp>(op))
    return !isInteger(dot.getResult()) || isSmallProduct(dot);
  if (auto iota = dyn_cast<IotaOp>(op))
    return !isComplex(iota.getResult());
  return isa<ReduceOp, ArgReduceOp, CumulativeOp, NonzeroOp, ReshapeOp,
             TransposeOp, BroadcastToOp, ConcatenateOp, PadOp, FlipOp, SliceOp,
             DynamicSliceOp, UpdateSliceOp, GatherOp, ScatterOp, ConstantOp,
             CallNumpyOp, FftOp, IfOp, ForOp, WhileOp, YieldOp, ConditionOp>(
      op);
}

bool ingot::isNative(Operation *op) {
  WalkResult result = op->walk([](Operation *each) {
    return isNativeAlone(each) ? WalkResult::advance()
                               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// From so many on, bufferization would take longer for stores of elements than
/// for the memory of an array of its own.
static constexpr unsigned manyElements = 16;

SmallVector<OperandRange> ingot::piecesOf(ConcatenateOp op) {
  OperandRange inputs = op.getInputs();
  auto isElement = [](Value input) {
    return cast<RankedTensorType>(input.getType()).getNumElements() == 1;
  };
  SmallVector<OperandRange> pieces;
  for (unsigned i = 0, size = inputs.size(); i < size;) {
    OperandRange rest = inputs.drop_front(i);
    unsigned count = llvm::find_if_not(rest, isElement) - rest.begin();
    count = count < manyElements ? 1 : count;
    pieces.push_back(rest.take_front(count));
    i += count;
  }
  return pieces;
}
