//===- LoopCandidates.h - What one loop can compute -------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_LOOPCANDIDATES_H
#define INGOT_PASSES_NATIVE_LOOPCANDIDATES_H

#include "Bytes.h"
#include "Tiles.h"

#include "llvm/ADT/MapVector.h"

namespace ingot {

/// Whether an operation only says where the elements of its operand are.
bool isView(mlir::Operation *op);

/// Whether computing an element takes about as long as loading it.
bool isCheap(mlir::Operation *op);

/// The operations of a block that loops over parts of an axis can compute.
class LoopCandidates {
public:
  /// \param isStrict whether sums keep their order.
  /// \param leastBytes what is computed again, instead of stored, is at least
  /// as large.
  LoopCandidates(mlir::Block &block, bool isStrict, int64_t leastBytes);

  /// Null if no loop can compute the operation.
  const Tiling *tilingOf(mlir::Operation *op) const {
    auto found = tilings.find(op);
    return found == tilings.end() ? nullptr : &found->second;
  }

  /// Those that one loop can compute, and that have parts of an array in
  /// common, in the order of the block.
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> groups() const;

private:
  bool isJoint(mlir::OpOperand &use) const;
  void findStages(mlir::Block &block);
  void computeAgain(mlir::Block &block, int64_t leastBytes);
  bool isStored(mlir::Value value) const;
  void leaveToPads(mlir::Block &block);
  unsigned costOf(mlir::Value value, unsigned stage) const;
  mlir::Value inStage(mlir::Value value, unsigned stage);
  llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::Operation *>>
  connectedOf(llvm::ArrayRef<mlir::Operation *> operations) const;

  llvm::DenseMap<mlir::Operation *, Tiling> tilings;
  llvm::DenseMap<mlir::Operation *, unsigned> stages;
  /// By stage and by the length of the axis.
  llvm::MapVector<std::pair<unsigned, int64_t>,
                  llvm::SmallVector<mlir::Operation *>>
      byStage;
  /// What is computed again in later stages.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> copies;
};

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_LOOPCANDIDATES_H
