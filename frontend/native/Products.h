//===- Products.h - Calls of NumPy's products -------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_NATIVE_PRODUCTS_H
#define INGOT_NATIVE_PRODUCTS_H

#include "llvm/IR/Module.h"

namespace ingot {

/// Defines the function `ingot.multiply`, if the module calls it: it calls
/// what the pointer `ingot_multiply` points to, which the runtime sets.
void defineMultiply(llvm::Module &module);

} // namespace ingot

#endif // INGOT_NATIVE_PRODUCTS_H
