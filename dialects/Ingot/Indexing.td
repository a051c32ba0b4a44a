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
    The result has `sizes[k]` elements along axis `k`. Element `i` along it is element
    `starts[k] + i * strides[k]` of the operand. Strides are positive and the slice is
    within the operand's bounds (C1).

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
  let hasCanonicalizeMethod = 1;
}

def Ingot_DynamicSliceOp
    : Ingot_InferredOp<"dynamic_slice", [Ingot_Reads, Ingot_Batchable<"equalAxes(*this)">]> {
  let summary = "a basic slice whose start is known at run time";
  let description = [{
    Like `slice`, but `starts` are values, one for each axis (C1). A start for which the
    slice would be out of bounds is clamped; where that may happen, the frontend emits an
    `assert`.

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
    Returns the operand with the slice at `starts` with `strides` replaced by `update`.
    `update` has the operand's rank (C1) and fits into it (C2).

    ```mlir
    %1 = ingot.update_slice %0, %u[%i] strides = [2] : (tensor<8xf64>, tensor<3xf64>, tensor<i64>) -> tensor<8xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, Ingot_Tensor:$update,
                       Variadic<Ingot_Index>:$starts, DenseI64ArrayAttr:$strides);
  let results = (outs Ingot_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = [{
    $operand `,` $update `[` $starts `]` `strides` `=` $strides
    attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizeMethod = 1;
}

def Ingot_GatherOp : Ingot_InferredOp<"gather", [Ingot_Reads, Ingot_HasAxisRule]> {
  let summary = "indexing by integer arrays";
  let description = [{
    Computes `operand[i0, i1, ...]`. The index arrays have the same shape (C1) and select
    along the leading axes, at most as many as the operand has (C2). Indices are in bounds.

    ```mlir
    %1 = ingot.gather %0[%i] : (tensor<8x3xf64>, tensor<5xi64>) -> tensor<5x3xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, Variadic<Ingot_IntTensor>:$indices);
  let results = (outs Ingot_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = [{
    $operand `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_ScatterKind
    : Ingot_I32Enum<"ScatterKind", "how a scatter combines an update with an element", [
        I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">,
        I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Min", 3, "min">,
        I32EnumAttrCase<"Max", 4, "max">]>;
def Ingot_ScatterKindAttr : EnumAttr<IngotDialect, Ingot_ScatterKind, "scatter_kind">;

def Ingot_ScatterOp
    : Ingot_InferredOp<"scatter", [Ingot_Differentiable, Ingot_HasAxisRule]> {
  let summary = "assignment by integer arrays";
  let description = [{
    Returns the operand with `update` combined into the elements that `gather` reads for
    the same indices; `update` has the shape of that gather's result (C1). Updates of the
    same element are combined one after the other in C order, so `set` leaves the last
    one. Updates whose indices are out of bounds are dropped. `unique` asserts that no
    element is updated twice.

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
