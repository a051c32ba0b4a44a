//===- NumpyFunctions.h - Calls of NumPy's loops ----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_NATIVE_NUMPYFUNCTIONS_H
#define INGOT_NATIVE_NUMPYFUNCTIONS_H

#include "llvm/IR/Module.h"

namespace ingot {

/// Defines those of the functions `ingot.multiply` and `ingot.cholesky` that
/// the module calls. Each calls what a pointer points to (`ingot_multiply`,
/// `ingot_cholesky`), which the runtime sets.
void defineNumpyFunctions(llvm::Module &module);

} // namespace ingot

#endif // INGOT_NATIVE_NUMPYFUNCTIONS_H
