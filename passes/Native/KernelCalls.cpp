//===- KernelCalls.cpp - Functions of NumPy's in kernels ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/NumpyFunctions.h"
#include "KernelBody.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ingot;

/// The type of a stack of matrices, vectors or numbers, with one batch axis.
static RankedTensorType stackOf(RankedTensorType type, size_t coreRank) {
  SmallVector<int64_t> shape{
      llvm::product_of(type.getShape().drop_back(coreRank))};
  llvm::append_range(shape, type.getShape().take_back(coreRank));
  return RankedTensorType::get(shape, type.getElementType());
}

/// `call-numpy` makes a call of it, whatever the region says: an element of a
/// result depends on all of the operands' in a stack. So each axis of an array
/// but that of the stack has a loop of its own.
void KernelBody::callNumpy(CallNumpyOp op) {
  const NumpyFunction &function = *NumpyFunction::find(op.getName());
  SmallVector<size_t> coreRanks;
  for (StringRef core : function.operandCores())
    coreRanks.push_back(core.size());
  for (StringRef core : function.resultCores())
    coreRanks.push_back(core.size());
  coreRanks.push_back(0);

  SmallVector<Value> arrays;
  for (Value operand : op.getOperands()) {
    Value found = values.lookup(operand);
    RankedTensorType type = stackOf(typeOf(operand), coreRanks[arrays.size()]);
    arrays.push_back(
        isScalar(operand.getType())
            ? tensor::FromElementsOp::create(b, *location, type, found)
            : reshaped(found, type));
  }
  size_t inputs = arrays.size();
  for (Value result : op.getResults()) {
    RankedTensorType type = stackOf(typeOf(result), coreRanks[arrays.size()]);
    arrays.push_back(isScalar(result.getType())
                         ? bufferization::AllocTensorOp::create(
                               b, *location, type, ValueRange())
                         : reshaped(empty(result), type));
  }

  SmallVector<utils::IteratorType> kinds{utils::IteratorType::parallel};
  SmallVector<SmallVector<AffineExpr>> axes;
  for (auto [i, rank] : llvm::enumerate(coreRanks)) {
    axes.push_back({b.getAffineDimExpr(0)});
    for (size_t axis = 0; axis < rank; ++axis) {
      axes.back().push_back(b.getAffineDimExpr(kinds.size()));
      kinds.push_back(i < inputs ? utils::IteratorType::reduction
                                 : utils::IteratorType::parallel);
    }
  }
  auto maps = llvm::map_to_vector(axes, [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(kinds.size(), 0, exprs, b.getContext());
  });
  ValueRange outputs = ValueRange(arrays).drop_front(inputs);
  auto call = linalg::GenericOp::create(
      b, *location, outputs.getTypes(), ValueRange(arrays).take_front(inputs),
      outputs, maps, kinds, /*doc=*/"", function.name,
      [&](OpBuilder &builder, mlir::Location here, ValueRange arguments) {
        Scalars scalars(builder, here, isStrict);
        SmallVector<Value> zeros;
        for (Value each : arguments.drop_front(inputs))
          zeros.push_back(scalars.identity(ReduceKind::Add, each.getType()));
        linalg::YieldOp::create(builder, here, zeros);
      });

  Scalars scalars = scalarsAt();
  for (auto [result, made] :
       llvm::zip_equal(op.getResults(), call.getResults())) {
    if (!isScalar(result.getType())) {
      values.map(result, reshaped(made, squeezed(typeOf(result))));
      continue;
    }
    SmallVector<Value> first(cast<RankedTensorType>(made.getType()).getRank(),
                             scalars.index(0));
    values.map(result, tensor::ExtractOp::create(b, *location, made, first));
  }
}
