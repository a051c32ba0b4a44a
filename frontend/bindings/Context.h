//===- Context.h - One MLIR context and its errors --------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_BINDINGS_CONTEXT_H
#define INGOT_FRONTEND_BINDINGS_CONTEXT_H

#include "Passes.h"

#include <memory>
#include <string>
#include <vector>

namespace ingot {

/// What a diagnostic says and where; columns and lines are 1-based, 0 unknown.
struct Problem {
  std::string message, filename;
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};

/// The C++ side of `ingot._core.Diagnostic`.
struct DiagnosticError {
  Problem problem;
};

/// A context with Ingot's dialects, single-threaded.
class Context {
public:
  /// A context that nobody else uses. One that was given back is used again a
  /// few times, since registering the dialects takes longer than a small
  /// function; then it goes, with all that its modules left in it.
  static std::shared_ptr<Context> acquire();
  mlir::MLIRContext mlir;

private:
  Context();
  unsigned uses = 0;
};

/// Keeps the first error that MLIR reports while it lives.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context);
  /// Throws the error kept, or `fallback` where there is none.
  [[noreturn]] void raise(llvm::StringRef fallback);

private:
  Problem problem;
  bool hasProblem = false;
  mlir::ScopedDiagnosticHandler handler;
};

// Element types by their number in `ingot.dtypes`.
mlir::Type elementTypeOf(unsigned code, mlir::MLIRContext *context);
unsigned codeOf(mlir::Type element);

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_CONTEXT_H
