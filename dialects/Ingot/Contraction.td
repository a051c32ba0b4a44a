//===- Contraction.td - Products summed over axes ----------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_CONTRACTION_TD
#define INGOT_CONTRACTION_TD

include "Base.td"

def Ingot_DotGeneralOp
    : Ingot_InferredOp<"dot_general", [Ingot_Differentiable, Ingot_Costly, Ingot_HasAxisRule]> {
  let summary = "matrix products of every kind";
  let description = [{
    Multiplies and sums over pairs of contracting axes, for each index of the
    pairs of batching axes. The result's axes are the batching ones, the rest of
    `lhs`, the rest of `rhs`. The pairs name distinct axes (C1) of equal size (C2);
    the operands have one element type (C3).

    With `lhs_zeros` a product with a zero of `lhs` is zero, even if its other factor is
    infinite or NaN, as that of `mul_no_nan`; with `rhs_zeros` one with a zero of `rhs`.
    A sum of others may be NaN where one of them is infinite.

    ```mlir
    %2 = ingot.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[Ingot_Number]>:$lhs, Ingot_TensorOf<[Ingot_Number]>:$rhs,
                       DenseI64ArrayAttr:$lhs_batching, DenseI64ArrayAttr:$rhs_batching,
                       DenseI64ArrayAttr:$lhs_contracting, DenseI64ArrayAttr:$rhs_contracting,
                       UnitAttr:$lhs_zeros, UnitAttr:$rhs_zeros);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `batching` `=` $lhs_batching `x` $rhs_batching
    `contracting` `=` $lhs_contracting `x` $rhs_contracting
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INGOT_CONTRACTION_TD
