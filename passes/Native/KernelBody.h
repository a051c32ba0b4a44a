//===- KernelBody.h - Operations of kernels ---------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_KERNELBODY_H
#define INGOT_PASSES_NATIVE_KERNELBODY_H

#include "Ingot/NumpyFunctions.h"
#include "Loops.h"
#include "Needed.h"
#include "Windows.h"

namespace ingot {

/// Lowers the operations of a block, with those in its regions.
class KernelBody {
public:
  /// \param destinations memory, as tensors, for some of the results of
  /// operations.
  KernelBody(mlir::OpBuilder &builder, const InlinePlan &plan,
             const NeededElements &needed, mlir::IRMapping &values,
             const mlir::IRMapping &destinations, bool isStrict)
      : b(builder), plan(plan), needed(needed), values(values),
        destinations(destinations), isStrict(isStrict) {}

  /// What a mask selects.
  struct Selected {
    /// What belongs to the element of the mask at a position, as in memory;
    /// `into` is the array in which it will be stored.
    llvm::function_ref<mlir::Value(mlir::Value position, mlir::Value into)> at;
    /// Stores it.
    llvm::function_ref<mlir::Value(mlir::Value element, mlir::Value into,
                                   mlir::Value place)>
        insert;
  };

  /// Emits code for all operations but the terminator, at the builder's place.
  llvm::LogicalResult lower(mlir::Block &block);

private:
  llvm::LogicalResult lowerOp(mlir::Operation *op);
  /// Lowers an operation whose result has one element.
  mlir::Value lowerScalar(mlir::Operation *op);
  /// Lowers an operation whose result is a tensor.
  mlir::Value lowerTensor(mlir::Operation *op);

  // Control flow.
  llvm::LogicalResult lowerFor(ForOp op);
  llvm::LogicalResult lowerWhile(WhileOp op);
  llvm::LogicalResult lowerIf(IfOp op);
  /// The initial values of a loop, in memory that it may overwrite.
  mlir::SmallVector<mlir::Value> initials(mlir::Operation *loop);
  void bind(mlir::ArrayRef<mlir::BlockArgument> arguments,
            mlir::ValueRange given);
  mlir::SmallVector<mlir::Value>
  yielded(mlir::Block &block, mlir::ArrayRef<mlir::BlockArgument> arguments);
  /// Copies what is needed of an array that a loop's body yields to the memory
  /// of what it carries.
  mlir::Value copyNext(mlir::OpOperand &operand, mlir::Value from,
                       mlir::Value to);

  // Arrays.
  /// Has a loop run over the indices within a limit only.
  void apply(const Limit &limit, Loop &loop);
  /// Has the loops of a product skip what adds nothing, or is not used.
  void limit(DotGeneralOp op, llvm::MutableArrayRef<Loop> nest,
             const Position &inLeft);
  mlir::Value reduce(ReduceOp op);
  /// The number of true elements of a mask.
  mlir::Value countTrue(mlir::Value mask);
  /// Whether any, or all, elements of a mask are true: what follows a block
  /// that decides it is not read.
  mlir::Value decide(ReduceOp op);
  mlir::Value contract(DotGeneralOp op);
  mlir::Value callLibrary(DotGeneralOp op);
  mlir::Value operandOfCall(mlir::Value operand);
  void callNumpy(CallNumpyOp op);
  void callNumpy(FftOp op);
  mlir::ValueRange callNumpy(const NumpyFunction &function,
                             mlir::ValueRange inputs, mlir::ValueRange outputs,
                             mlir::ArrayRef<bool> areFirst = {});
  /// The transpose of a matrix whose columns a transform reads, and that by
  /// which it stores columns.
  TransposeOp lanesOf(FftOp op) const;
  TransposeOp lanesTo(FftOp op) const;
  bool isReadAsLanes(TransposeOp op) const;
  bool isStoredAsLanes(TransposeOp op) const;
  mlir::Value noFailures(mlir::Value result);
  /// An operand as a stack of arrays with so many axes each, memory for a
  /// result that is one, and the result that a call has made.
  mlir::Value stackOf(mlir::Value operand, size_t coreRank);
  mlir::Value emptyStack(mlir::Value result, size_t coreRank);
  void unstack(mlir::Value made, mlir::Value result);
  mlir::Value argReduce(ArgReduceOp op);
  mlir::Value cumulate(CumulativeOp op);
  mlir::Value nonzero(NonzeroOp op);
  bool arePositionsNeeded(NonzeroOp op) const;
  /// Whether a gather takes the elements of an array at a mask's true elements,
  /// which needs no array of their positions.
  bool isSelection(GatherOp op) const;
  /// Takes these elements, and the array's first one behind them, up to
  /// `count`; `isInPlace` says that `destination` is the array itself.
  mlir::Value select(GatherOp op, mlir::Value destination, mlir::Value count,
                     bool isInPlace);
  /// Stores what belongs to the true elements along the last axis of a mask,
  /// one behind the other, and what belongs to the first element behind these,
  /// up to `count` of the destination.
  mlir::Value storeFound(mlir::Value mask, mlir::Value destination,
                         mlir::Value count,
                         mlir::MutableArrayRef<mlir::Value> indices,
                         const Selected &selected);
  /// The first operand, which the operation overwrites in part.
  mlir::Value overwritten(mlir::Operation *op);
  void copyParts(UpdateSliceOp op);
  mlir::Value updateSlice(UpdateSliceOp op);
  /// Stores the result of an elementwise operation in the memory of an array.
  mlir::Value storeOver(mlir::Operation *op, mlir::Value array);
  mlir::Value scatter(ScatterOp op);
  /// An array of single elements.
  mlir::Value ofElements(mlir::ValueRange elements,
                         mlir::RankedTensorType type);
  mlir::Value concatenate(ConcatenateOp op);
  mlir::Value pad(PadOp op);
  /// An array with other axes.
  mlir::Value reshaped(mlir::Value array, mlir::RankedTensorType type);
  mlir::Value constant(mlir::Operation *op, mlir::DenseElementsAttr value);
  mlir::Value take(mlir::Value operand, mlir::RankedTensorType result,
                   mlir::ArrayRef<mlir::OpFoldResult> starts,
                   mlir::ArrayRef<int64_t> sizes,
                   mlir::ArrayRef<int64_t> strides);
  mlir::Value put(mlir::Value value, mlir::RankedTensorType type,
                  mlir::Value into, mlir::RankedTensorType intoType,
                  mlir::ArrayRef<mlir::OpFoldResult> starts,
                  mlir::ArrayRef<int64_t> strides);
  /// Computes the elements of a result within limits into `destination`.
  mlir::Value elementwise(mlir::Operation *op, mlir::Value destination,
                          mlir::Value same, mlir::ArrayRef<Limit> limits = {});
  /// Memory for a result: where a result of the kernel goes, or new.
  mlir::Value empty(mlir::Value result);
  /// The elements of an array in memory of their own.
  mlir::Value copyOf(mlir::Value array);
  mlir::Value indexOf(mlir::Value value);
  Scalars scalarsAt() { return Scalars(b, *location, isStrict); }
  Loops loopsAt(Scalars &scalars) {
    return Loops(b, *location, plan, values, scalars);
  }

  mlir::OpBuilder &b;
  const InlinePlan &plan;
  const NeededElements &needed;
  mlir::IRMapping &values;
  const mlir::IRMapping &destinations;
  bool isStrict;
  /// That of the operation which is lowered.
  std::optional<mlir::Location> location;
};

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_KERNELBODY_H
