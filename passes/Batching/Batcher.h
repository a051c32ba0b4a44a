//===- Batcher.h - Code for all lanes of a batch ----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_BATCHING_BATCHER_H
#define INGOT_PASSES_BATCHING_BATCHER_H

#include "Lanes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace ingot {

/// An index of each lane: `first` in the first one, `stride` more in each next
/// one.
struct Steps {
  int64_t first, stride, count;

  int64_t last() const { return first + stride * (count - 1); }
  /// Whether all are indices of an axis with `size` elements.
  bool isWithin(int64_t size) const { return first >= 0 && last() < size; }
};

/// Copies code to the insertion point, for all lanes at once. The copy of a
/// value that differs between lanes is stacked: its first axis counts the
/// lanes. The copy of any other value has the value's own type.
///
/// Where an operation of the transformation's own block needs only other
/// operands and types, it is moved and not copied. So the type of an original
/// value may already be the stacked one; `laneShape` gives its shape.
class Batcher {
public:
  Batcher(mlir::OpBuilder &builder, const Lanes &lanes, VmapOp op);
  /// For the iterations of a loop, whose numbers are `index`.
  Batcher(mlir::OpBuilder &builder, const Lanes &lanes, ForOp loop,
          const Steps &index);

  void bind(mlir::Value from, mlir::Value to) { copies.map(from, to); }
  void bindAll(mlir::ValueRange from, mlir::ValueRange to) {
    copies.map(from, to);
  }
  /// The copy of a value, which is stacked if the value differs between lanes.
  mlir::Value copyOf(mlir::Value value) {
    return copies.lookupOrDefault(value);
  }
  /// The stacked copy of a value, repeated along the first axis if the value
  /// does not differ between lanes.
  mlir::Value stackOf(mlir::Value value);
  /// The shape that a value has in one lane.
  llvm::ArrayRef<int64_t> laneShape(mlir::Value value) {
    return shapeOf(copyOf(value)).drop_front(lanes.differ(value));
  }
  mlir::LogicalResult copyBlock(mlir::Block &block);
  mlir::LogicalResult copy(mlir::Operation *op);
  /// Lets only those lanes run that also have true in `runs`.
  void limit(mlir::Value runs) { setMask(masked(runs)); }
  /// `then` in the lanes where the condition holds, else `otherwise`.
  mlir::Value choose(mlir::Value condition, mlir::Value then,
                     mlir::Value otherwise);

private:
  // Families of operations, in Batcher.cpp.
  bool isUpdateOfCommon(mlir::Operation *op) const;
  mlir::Type stacked(mlir::Type type) {
    mlir::Type &found = stackedTypes[type];
    return found ? found : found = ingot::stacked(type, size);
  }
  llvm::SmallVector<mlir::Value> stacksOf(mlir::ValueRange values);
  /// The copy, with axes of size 1 after that of the lanes, so that it
  /// broadcasts against stacked copies of values of `rank`.
  mlir::Value aligned(mlir::Value value, int64_t rank);
  /// Moves an operation of the transformation's block to the insertion point.
  void move(mlir::Operation *op, mlir::ValueRange operands);
  /// Copies an operation that is the same in all lanes.
  void copyShared(mlir::Operation *op);
  /// Copies an operation with other operands, and attributes if they are given;
  /// the results are stacked.
  void rebuild(mlir::Operation *op, mlir::ValueRange operands);
  void rebuild(mlir::Operation *op, mlir::ValueRange operands,
               mlir::NamedAttrList attributes);
  /// Copies an operation with a leading batch axis, by its axis rule.
  void expand(BatchableOpInterface op);
  void expandBroadcasting(mlir::Operation *op);
  void expand(PadOp op);
  void expand(DotGeneralOp op);

  // Reading and writing parts of arrays, in BatchIndexing.cpp.
  mlir::Value integers(int64_t value);
  /// The number of the lane at each index of a shape whose first axis counts
  /// the lanes.
  mlir::Value laneNumbers(llvm::ArrayRef<int64_t> shape);
  void expand(SliceOp op);
  void expand(DynamicSliceOp op);
  void expand(UpdateSliceOp op);
  void expand(GatherOp op);
  void expand(ScatterOp op);
  /// Reads a slice of a copy. The starts may differ between lanes.
  mlir::Value readSlice(mlir::Value operand, bool hasLanes,
                        mlir::ValueRange starts, llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides);
  /// If of a slice of an array that all lanes share, the start along one axis
  /// is known for each lane and the others are the same: this axis.
  std::optional<int64_t> axisOfLanes(llvm::ArrayRef<int64_t> shape,
                                     mlir::ValueRange starts,
                                     llvm::ArrayRef<int64_t> sizes);
  std::optional<Steps> stepsOf(mlir::Value value);
  mlir::Value writeSlice(UpdateSliceOp op, mlir::Value operand, bool hasLanes,
                         mlir::Value update);
  /// The index arrays by which a gather reads, or a scatter writes, a slice:
  /// one for each axis, except the last axes if the slice takes all of them.
  llvm::SmallVector<mlir::Value> indicesOf(llvm::ArrayRef<int64_t> shape,
                                           bool hasLanes,
                                           mlir::ValueRange starts,
                                           llvm::ArrayRef<int64_t> sizes,
                                           llvm::ArrayRef<int64_t> strides);
  llvm::SmallVector<mlir::Value> stackedIndices(mlir::ValueRange indices,
                                                bool hasLanes);

  // Control flow, in BatchControlFlow.cpp.
  mlir::LogicalResult copyDivergentIf(IfOp op);
  mlir::LogicalResult copyUniform(mlir::Operation *op);
  mlir::LogicalResult copyDivergentFor(ForOp op);
  mlir::LogicalResult copyDivergentWhile(WhileOp op);
  mlir::LogicalResult copyRegions(mlir::Operation *op);
  /// Yields copies of the values that `end` yields; those at the indices for
  /// which `hasLanes` holds are stacked.
  void yield(mlir::Operation *end, llvm::function_ref<bool(unsigned)> hasLanes);
  llvm::SmallVector<mlir::Value> advance(mlir::Operation *end,
                                         mlir::ValueRange carried);

  // Checks, prints and users' rules, in BatchEffects.cpp.
  void expand(AssertOp op);
  void expand(PrintOp op);
  mlir::LogicalResult copyCustom(CustomVmapOp op);
  mlir::LogicalResult copyCall(CallStablehloOp op);
  void callLanes(CallStablehloOp op);
  ForOp beginLanes(mlir::Operation *op);
  llvm::SmallVector<mlir::Value> runLane(mlir::Operation *op, mlir::Value lane,
                                         mlir::ValueRange stacks);

  // Collectives and shardings, in BatchCollectives.cpp.
  mlir::LogicalResult copyCollective(mlir::Operation *op);
  mlir::LogicalResult copyPermuted(PpermuteOp op);
  void expand(AllGatherOp op);
  mlir::LogicalResult copyShard(ShardOp op);

  // Masks, in BatchControlFlow.cpp.
  /// The condition, and false in lanes that do not run.
  mlir::Value masked(mlir::Value condition);
  /// Whether the condition holds in any lane.
  mlir::Value anyOf(mlir::Value condition);
  /// Sets the mask to a subset of the lanes that run.
  void setMask(mlir::Value narrower);
  /// Whether `value` is `base` after updates in lanes of a mask only.
  bool isUpdateOf(mlir::Value value, mlir::Value base,
                  mlir::Value within) const;

  mlir::OpBuilder &builder;
  const Lanes &lanes;
  /// The block of the transformation, whose operations can be moved.
  mlir::Block &whole;
  int64_t size;
  /// The number of an iteration, where the lanes are those of a loop.
  mlir::Value induction;
  Steps index;
  /// The name of the lanes, or null.
  mlir::StringAttr axis;
  /// The axis of the mesh along which the lanes lie, or null.
  mlir::StringAttr meshAxis;
  mlir::IRMapping copies;
  llvm::DenseMap<mlir::Type, mlir::Type> stackedTypes;
  /// What `aligned` has reshaped, by copy and rank.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> reshaped;
  /// The lanes that run, or null if all do.
  mlir::Value mask;
  /// For each mask, the one of which it is a subset.
  llvm::DenseMap<mlir::Value, mlir::Value> wider;
  /// For each copy that is an update of an array, the array before the update
  /// and the mask of the updated lanes.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::Value>> updates;
};

} // namespace ingot

#endif // INGOT_PASSES_BATCHING_BATCHER_H
