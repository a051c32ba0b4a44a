//===- Passes.td - Every pass of Ingot ---------------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_TD
#define INGOT_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerAsserts : Pass<"lower-asserts", "::mlir::ModuleOp"> {
  let summary = "Turn run-time checks into a status result";
  let description = [{
    Each function that contains `ingot.assert` gets one more result, a 0-d `i32`
    that is 0 if every check held and otherwise the number, from 1, of the first
    one that failed. The status passes through `if`, `for` and `while` as one more
    carried value; a `while` ends once a check before or in it has failed. The function's `ingot.checks` attribute lists, for each number,
    the exception, its message and the source position.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def LowerToStablehlo : Pass<"lower-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "Lower the ingot dialect to StableHLO";
  let description = [{
    Makes NumPy's broadcasting explicit and replaces every operation by
    StableHLO's, one set of patterns for each family of operations. Run
    `lower-asserts` first: an `ingot.assert` that is left is an error.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect", "::chlo::ChloDialect"];
}

#endif // INGOT_PASSES_TD
