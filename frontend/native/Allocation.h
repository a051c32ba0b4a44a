//===- Allocation.h - The memory of arrays in kernels -----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_NATIVE_ALLOCATION_H
#define INGOT_NATIVE_ALLOCATION_H

#include "llvm/IR/Module.h"

namespace ingot {

/// Replaces calls of `aligned_alloc` and `free` by calls of the exported
/// pointers `ingot_allocate` and `ingot_release`, which the runtime sets; until
/// then, they are these functions. To be run last: LLVM knows what the C
/// library's functions do.
void allocateByPointers(llvm::Module &module);

} // namespace ingot

#endif // INGOT_NATIVE_ALLOCATION_H
