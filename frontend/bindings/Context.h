//===- Context.h - One MLIR context and its errors --------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_BINDINGS_CONTEXT_H
#define INGOT_FRONTEND_BINDINGS_CONTEXT_H

#include "Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <vector>

namespace ingot {

/// A diagnostic and its position; lines and columns count from 1, 0 is unknown.
/// Its hint, what to write instead, is the diagnostic's note.
struct Problem {
  std::string message, filename;
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
  std::string hint;
};

/// A message at a location; without a file if the location has none.
Problem problemAt(mlir::Location location, std::string message);

/// The C++ side of `ingot._core.Diagnostic`.
struct DiagnosticError {
  Problem problem;
};

/// A context with Ingot's dialects, single-threaded.
class Context {
public:
  /// A context for exclusive use. Released contexts are reused a few times,
  /// since registering the dialects takes longer than a small function, and
  /// then destroyed, since types and attributes accumulate in them.
  static std::shared_ptr<Context> acquire();
  mlir::MLIRContext mlir;

  /// New passes of a textual pipeline.
  std::unique_ptr<mlir::PassManager> makePasses(llvm::StringRef pipeline);
  /// The same, kept: making them, and the patterns of the canonicalizer, takes
  /// longer than running them on a small function.
  mlir::PassManager &passesOf(llvm::StringRef pipeline);

private:
  Context();
  llvm::StringMap<std::unique_ptr<mlir::PassManager>> kept;
  unsigned uses = 0;
};

/// Records the first error that MLIR reports during its lifetime.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context);
  /// Throws the recorded error, or `fallback` if there is none.
  [[noreturn]] void raise(llvm::StringRef fallback);

private:
  Problem problem;
  bool hasProblem = false;
  mlir::ScopedDiagnosticHandler handler;
};

// Element types by their code in `ingot.dtypes`.
mlir::Type elementTypeOf(unsigned code, mlir::MLIRContext *context);
unsigned codeOf(mlir::Type element);

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_CONTEXT_H
