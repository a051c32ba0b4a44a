//===- KernelCalls.cpp - Functions of NumPy's in kernels ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "Lowering/Lowering.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ingot;

/// The type of a stack of matrices, vectors or numbers, with one batch axis.
static RankedTensorType stackType(RankedTensorType type, size_t coreRank) {
  SmallVector<int64_t> shape{
      llvm::product_of(type.getShape().drop_back(coreRank))};
  llvm::append_range(shape, type.getShape().take_back(coreRank));
  return RankedTensorType::get(shape, type.getElementType());
}

Value KernelBody::stackOf(Value operand, size_t coreRank) {
  Value found = values.lookup(operand);
  RankedTensorType type = stackType(typeOf(operand), coreRank);
  if (isScalar(operand.getType()))
    return tensor::FromElementsOp::create(b, *location, type, found);
  return reshaped(found, type);
}

Value KernelBody::emptyStack(Value result, size_t coreRank) {
  RankedTensorType type = stackType(typeOf(result), coreRank);
  if (isScalar(result.getType()))
    return bufferization::AllocTensorOp::create(b, *location, type,
                                                ValueRange());
  return reshaped(empty(result), type);
}

void KernelBody::unstack(Value made, Value result) {
  if (!isScalar(result.getType())) {
    values.map(result, reshaped(made, squeezed(typeOf(result))));
    return;
  }
  Scalars scalars = scalarsAt();
  SmallVector<Value> first(cast<RankedTensorType>(made.getType()).getRank(),
                           scalars.index(0));
  values.map(result, tensor::ExtractOp::create(b, *location, made, first));
}

/// `call-numpy` makes a call of it, whatever the region says: an element of a
/// result depends on all of the operands' in a stack. So each axis of an array
/// but that of the stack has a loop of its own. The latter is the first axis,
/// or the last one of those arrays whose cores `areFirst`.
ValueRange KernelBody::callNumpy(const NumpyFunction &function,
                                 ValueRange inputs, ValueRange outputs,
                                 ArrayRef<bool> areFirst) {
  SmallVector<utils::IteratorType> kinds{utils::IteratorType::parallel};
  SmallVector<SmallVector<AffineExpr>> axes;
  auto add = [&](Value array, size_t coreRank, utils::IteratorType kind) {
    SmallVector<AffineExpr> own;
    for (size_t axis = 0; axis < coreRank; ++axis) {
      own.push_back(b.getAffineDimExpr(kinds.size()));
      kinds.push_back(kind);
    }
    bool isFirst = axes.size() < areFirst.size() && areFirst[axes.size()];
    int64_t rank = cast<RankedTensorType>(array.getType()).getRank();
    if (rank > static_cast<int64_t>(coreRank))
      own.insert(isFirst ? own.end() : own.begin(), b.getAffineDimExpr(0));
    axes.push_back(own);
  };
  for (auto [array, core] : llvm::zip_equal(inputs, function.operandCores()))
    add(array, core.size(), utils::IteratorType::reduction);
  for (auto [array, core] : llvm::zip(outputs, function.resultCores()))
    add(array, core.size(), utils::IteratorType::parallel);
  if (function.fails)
    add(outputs.back(), 0, utils::IteratorType::parallel);
  auto maps = llvm::map_to_vector(axes, [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(kinds.size(), 0, exprs, b.getContext());
  });
  return linalg::GenericOp::create(
             b, *location, outputs.getTypes(), inputs, outputs, maps, kinds,
             /*doc=*/"", function.name,
             [&](OpBuilder &builder, mlir::Location here,
                 ValueRange arguments) {
               Scalars scalars(builder, here, isStrict);
               SmallVector<Value> zeros;
               for (Value each : arguments.drop_front(inputs.size()))
                 zeros.push_back(
                     scalars.identity(ReduceKind::Add, each.getType()));
               linalg::YieldOp::create(builder, here, zeros);
             })
      .getResults();
}

void KernelBody::callNumpy(CallNumpyOp op) {
  const NumpyFunction &function = *NumpyFunction::find(op.getName());
  SmallVector<Value> inputs, outputs;
  for (auto [operand, core] :
       llvm::zip_equal(op.getOperands(), function.operandCores()))
    inputs.push_back(stackOf(operand, core.size()));
  SmallVector<StringRef> cores = function.resultCores();
  cores.push_back("");
  ValueRange results = op.getResults();
  if (!function.fails)
    results = results.drop_back();
  for (auto [result, core] : llvm::zip(results, cores))
    outputs.push_back(emptyStack(result, core.size()));
  for (auto [made, result] :
       llvm::zip_equal(callNumpy(function, inputs, outputs), results))
    unstack(made, result);
  if (!function.fails)
    values.map(op.getResults().back(), noFailures(op.getResults().back()));
}

/// The numbers that tell of a function which never fails.
Value KernelBody::noFailures(Value result) {
  Scalars scalars = scalarsAt();
  Value zero = scalars.number(0, b.getI32Type());
  if (isScalar(result.getType()))
    return zero;
  return linalg::FillOp::create(b, *location, zero, empty(result)).getResult(0);
}

void KernelBody::callNumpy(FftOp op) {
  const NumpyFunction &function = *NumpyFunction::findTransform(numpyName(op));
  Scalars scalars = scalarsAt();
  Type real = realOf(elementOf(op.getOperand()));
  Value factor = tensor::FromElementsOp::create(
      b, *location, RankedTensorType::get({}, real),
      scalars.constant(b.getFloatAttr(real, numpyFactor(op)), real));
  TransposeOp from = lanesOf(op), to = lanesTo(op);
  Value input = from ? values.lookup(from.getOperand())
                     : stackOf(op.getOperand(), 1),
        output = to ? empty(to.getResult()) : emptyStack(op.getResult(), 1);
  Value made = callNumpy(function, {input, factor}, output,
                         /*areFirst=*/{from, false, to})
                   .front();
  if (to)
    values.map(to.getResult(), made);
  else
    unstack(made, op.getResult());
}

/// Whether an operation makes columns of the rows of a matrix.
static bool isMatrixTranspose(TransposeOp op) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  return op.getAxes() == ArrayRef<int64_t>{1, 0} && shape[0] > 1 &&
         shape[1] > 1;
}

TransposeOp KernelBody::lanesOf(FftOp op) const {
  auto from = op.getOperand().getDefiningOp<TransposeOp>();
  return from && isReadAsLanes(from) ? from : TransposeOp();
}

TransposeOp KernelBody::lanesTo(FftOp op) const {
  auto to = op->hasOneUse() ? dyn_cast<TransposeOp>(*op->user_begin())
                            : TransposeOp();
  return to && isStoredAsLanes(to) ? to : TransposeOp();
}

// Both follow each other: what is between them might overwrite the memory that
// the first one reads, or read the memory that the second one stores to.

bool KernelBody::isReadAsLanes(TransposeOp op) const {
  auto to = dyn_cast_or_null<FftOp>(op->getNextNode());
  return to && to.getOperand() == op.getResult() && op->hasOneUse() &&
         isMatrixTranspose(op) && !plan.isInlined(op.getOperand());
}

bool KernelBody::isStoredAsLanes(TransposeOp op) const {
  auto from = dyn_cast_or_null<FftOp>(op->getPrevNode());
  return from && op.getOperand() == from.getResult() && from->hasOneUse() &&
         isMatrixTranspose(op) && !isReadAsLanes(op) &&
         !plan.isInlined(op.getResult());
}
