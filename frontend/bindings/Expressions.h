//===- Expressions.h - The evaluator's most frequent steps ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_BINDINGS_EXPRESSIONS_H
#define INGOT_FRONTEND_BINDINGS_EXPRESSIONS_H

#include <nanobind/nanobind.h>

namespace ingot {

/// Adds the functions `expr`, `at` and `apply` to the module, which the
/// evaluator has as methods, and `set_evaluator`, which tells them the
/// evaluator's classes and tables.
void bindExpressions(nanobind::module_ &m);

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_EXPRESSIONS_H
