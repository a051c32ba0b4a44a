//===- Windows.h - The parts of arrays that masks leave ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays of dynamic length have static shapes in the ingot dialect: masks,
// which compare indices with the length, select their elements. A kernel's
// loops run over the elements that a mask leaves only.
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_WINDOWS_H
#define INGOT_PASSES_NATIVE_WINDOWS_H

#include "KernelLowering.h"

namespace ingot {

/// A condition on the index along one axis: at least, or below, a 0-d integer
/// plus a number.
struct Limit {
  int64_t axis;
  mlir::Value bound;
  int64_t plus;
  bool isLeast;
  bool operator==(const Limit &other) const {
    return axis == other.axis && bound == other.bound && plus == other.plus &&
           isLeast == other.isLeast;
  }
};

/// The limits outside of which a mask is false.
llvm::SmallVector<Limit> limitsOf(mlir::Value mask);
/// Whether a mask is true within these limits.
bool consistsOfLimits(mlir::Value mask);
/// The limits of the masks with which elementwise operations compute a value.
llvm::SmallVector<Limit> limitsWithin(mlir::Value value);
/// The value that all elements outside of a limit have, if that is known.
std::optional<double> valueOutside(mlir::Value value, const Limit &limit);
/// The limits outside of which a reduction adds nothing, and those outside of
/// which a scatter drops the elements. Their loops run within these.
llvm::SmallVector<Limit> limitsOfElements(ReduceOp op);
llvm::SmallVector<Limit> limitsOfElements(ScatterOp op);
/// Whether an operation adds its operand of this number to the other one, or
/// subtracts it.
bool isTermOf(unsigned number, mlir::Operation *op);
/// The limits outside of which a term of a sum is zero.
llvm::SmallVector<Limit> limitsOfTerm(mlir::Value term);

/// Has loops that add terms to a carried array which are zero outside of limits
/// choose the array there, so that only the elements within are stored.
void chooseWithinLimits(mlir::func::FuncOp function);

/// The limits outside of which no user of a value needs its elements.
llvm::SmallVector<Limit> limitsOfUses(mlir::Value value);

/// The array in whose memory an elementwise operation stores its result: each
/// element is computed from the array's element at the same index at most, and
/// nothing else reads the array later. Null if there is none.
mlir::Value overwrittenBy(mlir::Operation *op, const InlinePlan &plan);
/// Whether such an operation stores elements within limits only: it chooses
/// between new and old elements by a mask.
bool isWindowStore(mlir::Operation *op, const InlinePlan &plan);
/// The parts of the array that such an operation reads at other places than
/// where it stores: what it takes from them has to be copied first.
llvm::SmallVector<mlir::Value>
partsRead(mlir::Operation *store, mlir::Value array, const InlinePlan &plan);

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_WINDOWS_H
