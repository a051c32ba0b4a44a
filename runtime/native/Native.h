//===- Native.h - What the runtime needs besides Python ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_NATIVE_H
#define INGOT_RUNTIME_NATIVE_NATIVE_H

#include <nanobind/nanobind.h>

namespace ingot {

/// Adds `begin_strict_fp` to the module.
void bindStrictFp(nanobind::module_ &module);

/// Adds `leave_threads` and `park_threads` to the module.
void bindExit(nanobind::module_ &module);

/// Adds `numpy_calls` to the module.
void bindNumpyCalls(nanobind::module_ &module);

/// Adds the classes `DirectCall` and `Caller` to the module, and the functions
/// `epoch` and `forget`.
void bindDirectCalls(nanobind::module_ &module);

/// Adds `watch_errors` and `check_errors`.
void bindErrorState(nanobind::module_ &module);

/// Adds the class `Kernel` to the module.
void bindKernels(nanobind::module_ &module);

/// Adds `allocation`, the addresses of the functions, and `idle_bytes`.
void bindBlocks(nanobind::module_ &module);

/// Adds `staged_copy`, `within` and `copy_to`.
void bindStaging(nanobind::module_ &module);

/// Adds `numpy_functions` to the module.
void bindNumpyFunctions(nanobind::module_ &module);

/// Adds `share` to the module, the address of the function.
void bindThreads(nanobind::module_ &module);

/// Adds `align_arrays` and `set_array_handler`.
void bindAlignment(nanobind::module_ &module);

/// Adds `begin_writing`, which returns what ends with its last reference, and
/// `forget_writers`.
void bindWriters(nanobind::module_ &module);

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_NATIVE_H
