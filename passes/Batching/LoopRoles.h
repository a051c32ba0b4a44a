//===- LoopRoles.h - What iterations do to carried values -------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_BATCHING_LOOPROLES_H
#define INGOT_PASSES_BATCHING_LOOPROLES_H

#include "Batcher.h"
#include "CarriedArrays.h"
#include "Recurrences.h"

namespace ingot {

enum class Role {
  /// Each iteration reads and updates elements of its own, or adds to any.
  Common,
  /// Each iteration combines a value with it, and does nothing else to it.
  Reduced,
  /// Each iteration combines a value with it that does not depend on it.
  Running,
  /// Each iteration makes a multiple of it, plus a value. Neither the factor
  /// nor that value depends on it.
  Recurrent,
  /// Some iterations replace it, and none reads it.
  Chosen,
  /// No iteration reads it.
  Last
};

struct Carried {
  mlir::BlockArgument argument;
  Role role;
  ReduceKind kind = ReduceKind::Add;
  /// What combines or chooses it or makes the next one, and with what or from
  /// what.
  mlir::Operation *step = nullptr;
  llvm::SmallVector<mlir::Value> values;
  /// Of a recurrence.
  Recurrence recurrence = {};
  FactorAndTerm form = {};
};

/// As the options of `raise-loops`.
struct RaisingLimits {
  int64_t mostBytes, gatherCost;
  bool recurrences;
};

/// Finds whether and how the iterations of a loop can run as the lanes of a
/// batch.
class LoopRoles {
public:
  LoopRoles(ForOp loop, RaisingLimits limits)
      : loop(loop), body(loop.getBody().front()), limits(limits) {}

  /// Returns why the loop stays, or null.
  const char *find();
  /// The values that differ between the lanes.
  Lanes lanesOf();
  /// Orders the operations so that those come first which compute what running
  /// values are combined with. False if that depends on the running values.
  bool findOrder();

  ForOp loop;
  mlir::Block &body;
  /// The index of each lane, in ascending order.
  Steps index;
  bool isDescending;
  /// Whether a lane may be no iteration.
  bool hasOthers = false;
  llvm::SmallVector<Carried> carried;
  llvm::SmallVector<Addition> additions;
  /// Reads of elements that no iteration has stored before, and the arrays of
  /// before the loop.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Value>> early;
  /// The operations of the body in an order in which the lanes can run them,
  /// and after each number of them the running values that are known then.
  llvm::SmallVector<mlir::Operation *> order;
  llvm::SmallVector<std::pair<size_t, const Carried *>> known;

private:
  bool findIndex();
  bool findRole(mlir::BlockArgument argument);
  bool hasOwnParts(const CarriedArray &array, mlir::Value init);
  bool isOwn(const Part &part, int64_t axis, int64_t offset);
  bool isEarly(const Part &part, int64_t axis, int64_t offset);
  bool limitTo(int64_t size, int64_t offset);
  std::optional<ReduceKind> reductionOf(mlir::BlockArgument argument);
  bool isRunning(mlir::BlockArgument argument);
  bool isRecurrent(mlir::BlockArgument argument);
  bool isExtremum(mlir::BlockArgument argument);
  bool isChosen(mlir::BlockArgument argument);
  bool isGather(DynamicSliceOp read, const Lanes &lanes);
  bool isSmall();
  mlir::Operation *lastStep(mlir::BlockArgument argument);

  RaisingLimits limits;
  /// Whether an iteration may be no lane.
  bool isCut = false;
};

} // namespace ingot

#endif // INGOT_PASSES_BATCHING_LOOPROLES_H
