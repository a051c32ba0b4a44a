//===- Codegen.h - From a kernel's text to a shared object ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_NATIVE_CODEGEN_H
#define INGOT_FRONTEND_NATIVE_CODEGEN_H

#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace ingot {

/// A kernel after each step, by the step's name.
using Steps = std::map<std::string, std::string>;

/// Compiles the function `kernel` of a module into a shared object that exports
/// `ingot_ffi` and `ingot_call`. Any thread may call it.
///
/// Of a kernel with the attribute `ingot.strict`, each operation rounds by
/// itself, and functions are the C library's own.
///
/// \param processor the one that code is generated for, see `targetMachine`.
/// \param steps where to keep texts, or null.
llvm::Expected<std::string> compileKernel(llvm::StringRef text,
                                          llvm::StringRef processor = "",
                                          Steps *steps = nullptr);

} // namespace ingot

#endif // INGOT_FRONTEND_NATIVE_CODEGEN_H
