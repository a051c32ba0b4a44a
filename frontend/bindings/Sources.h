//===- Sources.h - Text that Python compiles without a file -----*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_BINDINGS_SOURCES_H
#define INGOT_FRONTEND_BINDINGS_SOURCES_H

#include <nanobind/nanobind.h>

namespace ingot {

/// Adds two functions to the module: `recent_sources`, the texts passed to
/// `exec`, `eval` and `compile` since it was loaded, and `stdin_buffer`.
void bindSources(nanobind::module_ &m);

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_SOURCES_H
