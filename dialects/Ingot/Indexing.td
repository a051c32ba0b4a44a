//===- Indexing.td - Reading and writing parts of arrays ---*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_INDEXING_TD
#define INGOT_INDEXING_TD

include "Base.td"

def Ingot_SliceOp
    : Ingot_InferredOp<"slice", [Ingot_Reads, Ingot_Batchable<"equalAxes(*this)">]> {
  let summary = "a basic slice with static bounds";
  let description = [{
    Element `i` along axis `k` of the result is element
    `starts[k] + i * strides[k]` of the operand, `sizes[k]` of them. Strides are
    positive and the slice lies inside the operand (C1).

    ```mlir
    %1 = ingot.slice %0 starts = [1] sizes = [2] strides = [3] : (tensor<8xf64>) -> tensor<2xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$strides);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `starts` `=` $starts `sizes` `=` $sizes `strides` `=` $strides
    attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Ingot_DynamicSliceOp
    : Ingot_InferredOp<"dynamic_slice", [Ingot_Reads, Ingot_Batchable<"equalAxes(*this)">]> {
  let summary = "a basic slice whose start is known at run time";
  let description = [{
    As `slice`, one 0-d start per axis (C1). A start that would reach outside
    the operand is moved inside; the frontend asserts where that may happen.

    ```mlir
    %1 = ingot.dynamic_slice %0[%i, %j] sizes = [1, 4] strides = [1, 1] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, Variadic<Ingot_Index>:$starts,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$strides);
  let results = (outs Ingot_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = [{
    $operand `[` $starts `]` `sizes` `=` $sizes `strides` `=` $strides
    attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_UpdateSliceOp
    : Ingot_InferredOp<"update_slice", [Ingot_Linear, Ingot_Batchable<"equalAxes(*this)">]> {
  let summary = "assignment to a basic slice";
  let description = [{
    The operand with the slice at `starts`, `strides` replaced by `update`, which
    has the operand's rank (C1) and fits inside it (C2).

    ```mlir
    %1 = ingot.update_slice %0, %u[%i] strides = [2] : (tensor<8xf64>, tensor<3xf64>, tensor<i64>) -> tensor<8xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, Ingot_Tensor:$update,
                       Variadic<Ingot_Index>:$starts, DenseI64ArrayAttr:$strides);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $update `[` $starts `]` `strides` `=` $strides
    attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_GatherOp : Ingot_InferredOp<"gather", [Ingot_Reads, Ingot_HasAxisRule]> {
  let summary = "indexing by integer arrays";
  let description = [{
    `operand[i0, i1, ...]`: the index arrays share one shape (C1) and select along
    the leading axes, at most all of them (C2). Indices are in range.

    ```mlir
    %1 = ingot.gather %0[%i] : (tensor<8x3xf64>, tensor<5xi64>) -> tensor<5x3xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, Variadic<Ingot_IntTensor>:$indices);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_ScatterKind
    : Ingot_I32Enum<"ScatterKind", "how an update meets the element it falls on", [
        I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">,
        I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Min", 3, "min">,
        I32EnumAttrCase<"Max", 4, "max">]>;
def Ingot_ScatterKindAttr : EnumAttr<IngotDialect, Ingot_ScatterKind, "scatter_kind">;

def Ingot_ScatterOp
    : Ingot_InferredOp<"scatter", [Ingot_Differentiable, Ingot_HasAxisRule]> {
  let summary = "assignment by integer arrays";
  let description = [{
    The operand with `update` combined into the places that `gather` with the
    same indices would read; `update` has that gather's shape (C1). Where indices
    are equal, the updates are combined one after the other, in C order, so the last
    one is what `set` leaves. `unique` says that no two of the indices are equal.

    ```mlir
    %1 = ingot.scatter add %0, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
    ```
  }];
  let arguments = (ins Ingot_ScatterKindAttr:$kind, Ingot_Tensor:$operand, Ingot_Tensor:$update,
                       Variadic<Ingot_IntTensor>:$indices, UnitAttr:$unique);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $operand `,` $update `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INGOT_INDEXING_TD
