//===- SharedObject.h - Linking in this process -----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_NATIVE_SHAREDOBJECT_H
#define INGOT_FRONTEND_NATIVE_SHAREDOBJECT_H

#include "llvm/Support/Error.h"

#include <string>

namespace ingot {

/// Links object files with the C library's parts that they use, to a shared
/// object that any process can load.
llvm::Expected<std::string>
linkSharedObject(llvm::ArrayRef<std::string> objects);

} // namespace ingot

#endif // INGOT_FRONTEND_NATIVE_SHAREDOBJECT_H
