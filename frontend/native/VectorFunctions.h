//===- VectorFunctions.h - libmvec ------------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_NATIVE_VECTORFUNCTIONS_H
#define INGOT_FRONTEND_NATIVE_VECTORFUNCTIONS_H

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace ingot {

/// Tells LLVM which vector functions the C library of this process has, for the
/// processor that code is generated for.
void addVectorFunctions(llvm::TargetLibraryInfoImpl &library,
                        const llvm::TargetMachine &machine);

} // namespace ingot

#endif // INGOT_FRONTEND_NATIVE_VECTORFUNCTIONS_H
