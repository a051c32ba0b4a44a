//===- Passes.h - Every pass of Ingot ---------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_PASSES_H
#define INGOT_PASSES_PASSES_H

#include "CHLO/CHLO.h"
#include "Ingot/Ingot.h"
#include "Ingot/Values.h"
#include "Sdy/Sdy.h"
#include "StableHLO/StableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ingot {

#define GEN_PASS_DECL
#include "Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Passes.h.inc"

/// Loads the dialects that Ingot's passes read and write.
void registerDialects(mlir::DialectRegistry &registry);

/// The range of source text of a location, if it has one.
mlir::FileLineColRange findRange(mlir::Location location);

/// Whether an operation is one of some kinds, or has one in its regions.
template <typename... Ops> bool hasAny(mlir::Operation *op) {
  return op
      ->walk([](mlir::Operation *each) {
        return mlir::isa<Ops...>(each) ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Registers Ingot's passes, the upstream ones that its driver runs, and the
/// pipelines that Python runs: `ingot-expand`, `ingot-to-stablehlo`,
/// `ingot-check-batch`.
void registerPasses();

} // namespace ingot

#endif // INGOT_PASSES_PASSES_H
