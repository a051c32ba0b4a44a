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

/// Defines the functions that calls of `call-numpy` are of. They use pointers
/// which the runtime sets: `ingot.multiply` calls what `ingot_multiply` points
/// to. Others, as `ingot.solve`, call what `ingot_gufunc` points to, and pass
/// it the pointer of their own name, as `ingot_solve`.
void defineNumpyFunctions(llvm::Module &module);

} // namespace ingot

#endif // INGOT_NATIVE_NUMPYFUNCTIONS_H
