//===- ModuleParts.h - A module in parts for several threads ----*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_NATIVE_MODULEPARTS_H
#define INGOT_FRONTEND_NATIVE_MODULEPARTS_H

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace ingot {

/// Divides the functions of a module into parts of about the same size, which
/// depend on the module only, and whose objects can be linked.
///
/// A function that LLVM would inline stays with its caller.
///
/// \returns the parts as bitcode, which any context can read; none if the
/// module is too small to be divided, and is as it was.
std::vector<std::string> partsOf(llvm::Module &module);

} // namespace ingot

#endif // INGOT_FRONTEND_NATIVE_MODULEPARTS_H
