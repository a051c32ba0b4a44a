//===- Passes.td - Passes on operations of StableHLO -------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_LOWERING_PASSES_TD
#define INGOT_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def KeepRoundings : Pass<"keep-roundings", "::mlir::ModuleOp"> {
  let summary = "Hide operands for which XLA would exchange what rounds or overflows otherwise";
  let description = [{
    Runs on StableHLO. XLA's algebraic simplifier takes floats as real numbers: it adds the
    constants of `x + 1e16 - 1e16`, multiplies those of `x * 1e200 / 1e200`, and cancels
    `log(exp(x))`, which changes results by more than their last digits. It doesn't see through
    `optimization_barrier`, which a CPU's program has no trace of in the end. So these are hidden,
    where an operation beside them makes XLA merge them:

    - the constants of sums of sums with constants, and of products of products and quotients;
    - the operand of a `log`, `power`, `sqrt`, product or quotient that XLA would merge with the
      function that computed it: it is multiplied by a hidden 1, since a barrier on an array
      would part the kernels of an accelerator;
    - the constants of comparisons with `<=` and `>=`, since XLA forgets that squares may be NaN;
    - products of float16 that are added up, which a processor may round once, together with the sum.

    Quotients by constants remain products with reciprocals, unless these are subnormal, and so
    do quotients by a value that is broadcast, which is scaled if its reciprocal would be subnormal.
    Factors that are subnormal constants are split into two numbers, since the code that XLA makes
    takes them as zero.

    ```mlir
    %0 = stablehlo.add %x, %large : tensor<4xf64>
    %1 = stablehlo.subtract %0, %large : tensor<4xf64>
    // becomes, for both constants:
    %2 = stablehlo.optimization_barrier %number : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %4 = stablehlo.add %x, %3 : tensor<4xf64>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

#endif // INGOT_LOWERING_PASSES_TD
