//===- Barrier.td - What simplifiers do not see through ----*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef STABLEHLO_BARRIER_TD
#define STABLEHLO_BARRIER_TD

include "Ops.td"

def Shlo_OptimizationBarrierOp
    : Shlo_Op<"optimization_barrier", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Shlo_Tensor:$operand);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

#endif // STABLEHLO_BARRIER_TD
