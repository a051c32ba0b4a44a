//===- Target.h - The processor that code is generated for ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_NATIVE_TARGET_H
#define INGOT_FRONTEND_NATIVE_TARGET_H

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace ingot {

/// LLVM's generator of code.
///
/// \param processor a name that LLVM knows for this architecture, for example
/// "x86-64-v3"; if empty, the processor of this machine with all its features.
/// \param strict whether each operation rounds by itself.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
targetMachine(llvm::StringRef processor, bool strict);

} // namespace ingot

#endif // INGOT_FRONTEND_NATIVE_TARGET_H
