//===- Threads.h - Loops on several threads ---------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_THREADS_H
#define INGOT_RUNTIME_NATIVE_THREADS_H

#include <cstdint>

namespace ingot {

/// Runs the iterations of a loop from `begin` to `end`.
using Part = void (*)(void *context, int64_t begin, int64_t end);

/// Runs a loop whose iterations are independent on this thread and others that
/// are free, on one for each `iterationsOfThread` of them. The range is cut
/// into so many pieces for each: those that are done first take what others
/// have not begun. All have the floating-point environment of this thread.
/// While another thread uses the threads, or in a part of a loop, this one runs
/// the loop by itself.
void share(Part part, void *context, int64_t begin, int64_t end,
           int64_t iterationsOfThread, int64_t piecesOfThread);

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_THREADS_H
