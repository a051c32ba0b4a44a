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
    Multiplies `lhs` by `rhs` and sums over the pairs of contracting axes, separately for
    each index along the pairs of batching axes. The axes of the result are the batching
    axes, then the remaining axes of `lhs`, then those of `rhs`. The paired axes are
    distinct (C1) and have equal sizes (C2); the operands have the same element type (C3).

    With `lhs_zeros`, a zero of `lhs` times any number is zero, even if that is infinite or
    NaN, as in `mul_no_nan`; `rhs_zeros` does the same for zeros of `rhs`. The sum of the
    other products may be NaN where one of them is infinite.

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
