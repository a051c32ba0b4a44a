//===- KernelLowering.h - From ingot to linalg ------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays of one element are scalars, and other arrays tensors without their
// axes of size 1. Most elementwise operations are computed within their user's
// loops; `InlinePlan` says which.
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_KERNELLOWERING_H
#define INGOT_PASSES_NATIVE_KERNELLOWERING_H

#include "Scalars.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IRMapping.h"

namespace ingot {

inline bool isScalar(mlir::Type type) {
  return mlir::cast<mlir::RankedTensorType>(type).getNumElements() == 1;
}
/// The axes whose size is not 1.
llvm::SmallVector<int64_t> wideAxes(mlir::RankedTensorType type);
/// The type without axes of size 1, with elements as in memory.
mlir::RankedTensorType squeezed(mlir::RankedTensorType type);
/// The type of a value in kernels: that of an element, or the tensor without
/// axes of size 1.
mlir::Type kernelType(mlir::Type type);

/// Whether an operation computes each element of its result from elements of
/// its operands at the same index; false for null.
bool isElementwise(mlir::Operation *op);

/// The index along one axis of an array: that of a loop, or a computed one.
/// Neither for an axis of size 1.
struct AxisIndex {
  int64_t loop = -1;
  mlir::Value index = {};
  bool operator==(const AxisIndex &other) const {
    return loop == other.loop && index == other.index;
  }
};
/// Where an element of an array is.
using Position = llvm::SmallVector<AxisIndex>;
/// The position at which the index along axis `i` is that of loop `i`.
Position atLoops(mlir::RankedTensorType type);

/// Which values are computed element by element within the loops of their
/// users.
class InlinePlan {
public:
  void add(mlir::Block &block);
  bool isInlined(mlir::Value value) const { return inlined.contains(value); }

private:
  bool isFree(mlir::Operation *op);
  bool isRead(mlir::Value operand);
  bool isMask(mlir::Value value) const;
  mlir::Operation *rootOf(mlir::OpOperand &use) const;
  bool usesAreInline(mlir::Value value) const;
  bool isSingle(mlir::Operation *op);
  using Places = llvm::SmallPtrSet<mlir::Operation *, 4>;
  Places placesOf(mlir::Value value) const;
  int64_t timesAt(const Places &where) const;

  llvm::DenseSet<mlir::Value> inlined;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> roots;
  /// Of inlined operations, how often each element is computed.
  llvm::DenseMap<mlir::Operation *, int64_t> times;
  /// Of inlined elementwise operations, at whose indices they are computed.
  llvm::DenseMap<mlir::Operation *, Places> places;
  /// What isFree has found.
  llvm::DenseMap<mlir::Operation *, bool> free;
};

/// Computes elements of values within loops.
class Elements {
public:
  Elements(const InlinePlan &plan, const mlir::IRMapping &values,
           Scalars &scalars)
      : scalars(scalars), plan(plan), values(values) {}
  virtual ~Elements() = default;

  mlir::Value at(mlir::Value value, const Position &position);
  /// An element of an operation's result, whether it is inlined or not.
  mlir::Value compute(mlir::Operation *op, const Position &position);
  /// An element that a gather reads; `isInside` says that its indices are known
  /// to be inside of the array.
  mlir::Value gather(GatherOp op, const Position &position, bool isInside);
  /// The index of a loop.
  virtual mlir::Value indexOf(int64_t loop) = 0;

protected:
  /// Reads an element of a tensor that has the elements of an array of `type`.
  virtual mlir::Value read(mlir::Value tensor, mlir::RankedTensorType type,
                           const Position &position);
  mlir::Value valueOf(const AxisIndex &index);

  Scalars &scalars;

private:
  mlir::Value pad(PadOp op, const Position &position);
  Position sliced(mlir::ArrayRef<mlir::OpFoldResult> starts,
                  mlir::ArrayRef<int64_t> strides, mlir::RankedTensorType type,
                  const Position &position);

  const InlinePlan &plan;
  const mlir::IRMapping &values;
  llvm::SmallVector<std::tuple<mlir::Value, Position, mlir::Value>> done;
};

/// The starts of a slice as indices, moved such that the slice is inside.
llvm::SmallVector<mlir::OpFoldResult>
insideStarts(Scalars &scalars, const mlir::IRMapping &values,
             DynamicSliceOp op);
llvm::SmallVector<mlir::OpFoldResult>
insideStarts(Scalars &scalars, const mlir::IRMapping &values, UpdateSliceOp op);

/// The product of the sizes of the axes of an operand that a product neither
/// sums over nor batches.
int64_t freeCount(mlir::Value operand, llvm::ArrayRef<int64_t> batch,
                  llvm::ArrayRef<int64_t> sums);

/// The value from outside that all regions of a branch yield as this result of
/// it; else the value itself.
mlir::Value unchanged(mlir::Value value);
/// Whether all elements of a carried array are stored before any is read: its
/// initial value is not needed.
bool isOverwritten(mlir::Operation *loop, unsigned number);
/// Whether all that the iterations of a loop leave is a row each of the carried
/// arrays, which they don't read.
bool areIndependent(ForOp loop);
/// The array of which a value is a version with elements overwritten; the value
/// itself if it is none.
mlir::Value originOf(mlir::Value value, const InlinePlan &plan);

/// Whether an operation runs repeatedly in a loop that a value is from outside
/// of: the value must stay as it is for the next iteration.
bool isFromOutsideLoop(mlir::Value value, mlir::Operation *op);

/// Whether a slice is read after elements of its array are overwritten: it is
/// copied, so that the array need not be.
bool isCopiedSlice(mlir::Operation *slice, const InlinePlan &plan);

/// Whether a value that a loop's body yields has the memory of the carried
/// array that it replaces: it is this array with elements overwritten, and no
/// version of it is read after it is overwritten.
bool isInPlace(mlir::Value value, mlir::Value carried, const InlinePlan &plan);

/// Whether the initial value of an array that a loop carries is copied, since
/// the loop overwrites it and it is needed besides.
bool isCopied(mlir::Operation *loop, unsigned number, const InlinePlan &plan);

/// The least and greatest value that an index can have.
struct IndexRange {
  int64_t least, most;
};
/// The range of a 0-d integer, if one is known.
std::optional<IndexRange> rangeOf(mlir::Value value);
/// The result of a comparison of such integers, if their ranges tell it.
std::optional<bool> knownComparison(mlir::Operation *op);

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_KERNELLOWERING_H
