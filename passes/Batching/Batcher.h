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

/// Copies code to a place, for all lanes at once: the copy of a value that
/// differs between lanes has one more axis, the first, with what it is in each.
class Batcher {
public:
  Batcher(mlir::OpBuilder &builder, const Lanes &lanes, int64_t size)
      : builder(builder), lanes(lanes), size(size) {}

  void bind(mlir::Value from, mlir::Value to) { copies.map(from, to); }
  void bindAll(mlir::ValueRange from, mlir::ValueRange to) {
    copies.map(from, to);
  }
  /// The copy of a value, of all lanes or of none.
  mlir::Value copyOf(mlir::Value value) {
    return copies.lookupOrDefault(value);
  }
  /// The copy with the axis of lanes, repeated along it if they do not differ.
  mlir::Value stackOf(mlir::Value value);
  mlir::LogicalResult copyBlock(mlir::Block &block);

private:
  mlir::LogicalResult copy(mlir::Operation *op);

  // Families of operations, in Batcher.cpp.
  mlir::Type stacked(mlir::Type type) const {
    return ingot::stacked(type, size);
  }
  llvm::SmallVector<mlir::Value> stacksOf(mlir::ValueRange values);
  /// The copy, with axes of extent 1 after that of lanes so that it broadcasts
  /// against copies of values of that rank.
  mlir::Value aligned(mlir::Value value, int64_t rank);
  /// A copy of the operation on other operands, whose results have lanes.
  void rebuild(mlir::Operation *op, mlir::ValueRange operands,
               mlir::NamedAttrList attributes);
  /// The same operation on one more axis, which corresponds to itself.
  void expand(BatchableOpInterface op);
  void expand(PadOp op);
  void expand(DotGeneralOp op);

  // Reading and writing parts of arrays, in BatchIndexing.cpp.
  mlir::Value integers(int64_t value);
  /// The numbers of the lanes, broadcast to a shape that begins with them.
  mlir::Value laneNumbers(llvm::ArrayRef<int64_t> shape);
  void expand(SliceOp op);
  void expand(DynamicSliceOp op);
  void expand(UpdateSliceOp op);
  void expand(GatherOp op);
  void expand(ScatterOp op);
  /// Reads a slice of a copy, at starts that may differ.
  mlir::Value readSlice(mlir::Value operand, bool hasLanes,
                        mlir::ValueRange starts, llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides);
  /// Integer arrays, one for each axis that is not taken whole, of the places
  /// of a slice.
  llvm::SmallVector<mlir::Value> placesOf(llvm::ArrayRef<int64_t> shape,
                                          bool hasLanes,
                                          mlir::ValueRange starts,
                                          llvm::ArrayRef<int64_t> sizes,
                                          llvm::ArrayRef<int64_t> strides);
  llvm::SmallVector<mlir::Value> stackedIndices(mlir::ValueRange indices,
                                                bool hasLanes);

  // Control flow, in BatchControlFlow.cpp.
  mlir::LogicalResult copySides(IfOp op);
  mlir::LogicalResult copyAlike(mlir::Operation *op);
  mlir::LogicalResult copyUnevenFor(ForOp op);
  mlir::LogicalResult copyUnevenWhile(WhileOp op);
  mlir::LogicalResult copyRegions(mlir::Operation *op);
  /// What a region yields, of all lanes at the places that have them.
  void yield(mlir::Operation *end, llvm::function_ref<bool(unsigned)> hasLanes);
  llvm::SmallVector<mlir::Value> advance(mlir::Operation *end,
                                         mlir::ValueRange carried);

  // Checks, prints and what users write, in BatchEffects.cpp.
  void expand(AssertOp op);
  void expand(PrintOp op);
  mlir::LogicalResult copyCustom(CustomVmapOp op);
  void expand(CallStablehloOp op);

  // Masks, in BatchControlFlow.cpp.
  /// The condition in the lanes that run.
  mlir::Value masked(mlir::Value condition);
  /// `then` in the lanes where the condition holds, else `otherwise`.
  mlir::Value choose(mlir::Value condition, mlir::Value then,
                     mlir::Value otherwise);
  mlir::Value anyOf(mlir::Value condition);
  /// Narrows the lanes that run.
  void setMask(mlir::Value narrower);
  /// Whether a value is another one but for updates of the lanes of a mask.
  bool isUpdateOf(mlir::Value value, mlir::Value base, mlir::Value lanes) const;

  mlir::OpBuilder &builder;
  const Lanes &lanes;
  int64_t size;
  mlir::IRMapping copies;
  /// The lanes that run, where not all do.
  mlir::Value mask;
  /// Each mask's wider one.
  llvm::DenseMap<mlir::Value, mlir::Value> wider;
  /// What copies were before the last update, and the mask of the lanes that it
  /// updated.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::Value>> updates;
};

} // namespace ingot

#endif // INGOT_PASSES_BATCHING_BATCHER_H
