//===- CarriedArrays.h - Arrays that loops update in parts ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_BATCHING_CARRIEDARRAYS_H
#define INGOT_PASSES_BATCHING_CARRIEDARRAYS_H

#include "Additions.h"

#include "llvm/ADT/SetVector.h"

namespace ingot {

/// An array that a loop carries, reads and updates in slices, and scatters to.
struct CarriedArray {
  /// The argument, what updates return, and the arguments and results by which
  /// branches and loops of the body pass the array on.
  llvm::SetVector<mlir::Value> values;
  llvm::SmallVector<mlir::Operation *> reads;
  llvm::SmallVector<UpdateSliceOp> updates;
  llvm::SmallVector<ScatterOp> scatters;
};

/// Whether a read and an update have no element in common, in whatever
/// iterations.
bool areApart(ForOp loop, mlir::Operation *read, mlir::Operation *update);

/// The array, or null if the loop does something else with it.
std::optional<CarriedArray> carriedArrayOf(ForOp loop,
                                           mlir::BlockArgument carried);

/// The additions to an array, if a loop does nothing to it but add to parts.
std::optional<llvm::SmallVector<Addition>>
additionsTo(const CarriedArray &array);

/// Adds the values to which a branch or loop passes on an operand of it or of
/// the end of one of its regions. False if there are none, or if the use is
/// another one.
bool addPassedOn(ForOp loop, mlir::BlockArgument carried, mlir::OpOperand &use,
                 llvm::SetVector<mlir::Value> &values);
/// Whether all that branches and loops pass on as one of these values is one of
/// them.
bool isClosed(const llvm::SetVector<mlir::Value> &values);

/// The array before a branch of which a value in the branch is an update.
mlir::Value arrayBefore(IfOp branch, mlir::Value value);

} // namespace ingot

#endif // INGOT_PASSES_BATCHING_CARRIEDARRAYS_H
