//===- Reduction.td - Reductions, scans and sorts ----------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_REDUCTION_TD
#define INGOT_REDUCTION_TD

include "Base.td"

def Ingot_ReduceKind
    : Ingot_I32Enum<"ReduceKind", "the operation of a reduction", [
        I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
        I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
        I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">]>;
def Ingot_ReduceKindAttr : EnumAttr<IngotDialect, Ingot_ReduceKind, "reduce_kind">;

def Ingot_ReduceOp
    : Ingot_InferredOp<"reduce", [Ingot_Differentiable, Ingot_Costly, Ingot_HasAxisRule]> {
  let summary = "np.sum, prod, min, max, all, any";
  let description = [{
    Reduces the operand along `axes` (C1: distinct axes of the operand), which the result
    lacks. `add` and `mul` take numbers, `and` and `or` take `i1`, `min` and `max` take
    any ordered type (C2). `min` and `max` have no identity, so the reduced axes are not
    empty (C3).

    ```mlir
    %1 = ingot.reduce add %0 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ```
  }];
  let arguments = (ins Ingot_ReduceKindAttr:$kind, Ingot_Tensor:$operand,
                       DenseI64ArrayAttr:$axes);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $operand `axes` `=` $axes attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_ArgReduceOp
    : Ingot_InferredOp<"arg_reduce", [Ingot_Costly,
                                      Ingot_Batchable<"axesWithout(*this, getAxis())">]> {
  let summary = "np.argmin, argmax";
  let description = [{
    Returns the first index of the `min` or `max` (C2) along `axis` (C1). A NaN counts as
    the extremum.

    ```mlir
    %1 = ingot.arg_reduce max %0 axis = 1 : (tensor<3x4xf64>) -> tensor<3xi64>
    ```
  }];
  let arguments = (ins Ingot_ReduceKindAttr:$kind, Ingot_Tensor:$operand, I64Attr:$axis);
  let results = (outs Ingot_TensorOf<[I64]>:$result);
  let assemblyFormat = [{
    `` $kind $operand `axis` `=` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_CumulativeOp
    : Ingot_InferredOp<"cumulative", [Ingot_Differentiable, Ingot_Costly,
                                      Ingot_Batchable<"axesBut(*this, getAxis())">]> {
  let summary = "np.cumsum, cumprod, ufunc.accumulate";
  let description = [{
    Computes running reductions along `axis` (C1). The kinds are those of `reduce` (C2).

    ```mlir
    %1 = ingot.cumulative add %0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_ReduceKindAttr:$kind, Ingot_Tensor:$operand, I64Attr:$axis);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $operand `axis` `=` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_NonzeroOp
    : Ingot_InferredOp<"nonzero", [Ingot_Costly, Ingot_Batchable<"axesButLast(*this, 1)">]> {
  let summary = "np.flatnonzero, with as many positions as elements";
  let description = [{
    Returns the positions of the true elements along the last axis, in order, followed by
    zeros. The operand has an axis (C1).

    ```mlir
    %1 = ingot.nonzero %0 : (tensor<4xi1>) -> tensor<4xi64>
    ```
  }];
  let arguments = (ins Ingot_Pred:$operand);
  let results = (outs Ingot_TensorOf<[I64]>:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

def Ingot_SortOp
    : Ingot_InferredOp<"sort", [Ingot_Differentiable, Ingot_Costly,
                                Ingot_Batchable<"axesBut(*this, getAxis())">]> {
  let summary = "np.sort, argsort, lexsort";
  let description = [{
    Sorts all operands along `axis` (C1) by the first `num_keys` of them (C2: at least
    one); of these, earlier keys take precedence. The operands have the same shape (C3) and
    the keys are not complex (C4). The sort is ascending, with NaNs last. Elements with equal
    keys keep their order if `is_stable`, else they come in any order.

    ```mlir
    %2:2 = ingot.sort %0, %1 axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
    ```
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$operands_, I64Attr:$axis, I64Attr:$num_keys,
                       DefaultValuedAttr<BoolAttr, "true">:$is_stable);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let assemblyFormat = [{
    $operands_ `axis` `=` $axis `keys` `=` $num_keys attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INGOT_REDUCTION_TD
