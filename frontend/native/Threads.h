//===- Threads.h - Loops that threads share ---------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_NATIVE_THREADS_H
#define INGOT_NATIVE_THREADS_H

#include "llvm/IR/Function.h"

namespace ingot {

/// Replaces the calls of a function that `outline-parallel-loops` made by calls
/// of the runtime, which calls it for pieces of its range: on one thread for
/// each `iterationsOfThread` of its iterations, so many pieces for each thread.
/// The runtime sets the exported pointer `ingot_share`; until then, one thread
/// runs the whole range.
void shareCalls(llvm::Function &part, int64_t iterationsOfThread,
                int64_t piecesOfThread);

} // namespace ingot

#endif // INGOT_NATIVE_THREADS_H
