//===- Unrolling.h - Which loops LLVM unrolls in full -----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_NATIVE_UNROLLING_H
#define INGOT_FRONTEND_NATIVE_UNROLLING_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace ingot {

/// Keeps loops of more than a few iterations, and of long ones: unrolled in
/// full, they are not vectorised as loops, and a thousand statements take
/// seconds to compile. The limits are options of LLVM, which belong to the
/// process.
void limitUnrolling();

/// Adds a pass, before those of \p builder, that keeps loops around ones that
/// aren't unrolled in full: each copy of a loop takes as long to vectorise and
/// to compile, and is no faster.
void keepOuterLoops(llvm::PassBuilder &builder);

} // namespace ingot

#endif // INGOT_FRONTEND_NATIVE_UNROLLING_H
