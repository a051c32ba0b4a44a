//===- EntryPoints.h - The functions that call a kernel ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_NATIVE_ENTRYPOINTS_H
#define INGOT_FRONTEND_NATIVE_ENTRYPOINTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace ingot {

/// Adds the functions that a shared object exports:
///
/// - `XLA_FFI_Error *ingot_ffi(XLA_FFI_CallFrame *)`, a handler of XLA's;
/// - `void ingot_call(void **pointers)`, with the kernel's parameters in order.
///
/// \param frame where each parameter is in XLA's call frame: `k` is operand
///   `k`, and `-1 - k` is result `k`.
void addEntryPoints(llvm::Function &kernel, llvm::ArrayRef<int64_t> frame);

} // namespace ingot

#endif // INGOT_FRONTEND_NATIVE_ENTRYPOINTS_H
