//===- Creation.td - Operations without operands -----------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_CREATION_TD
#define INGOT_CREATION_TD

include "Base.td"

def Ingot_ConstantOp
    : Ingot_Op<"constant",
               [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant array";
  let description = [{
    ```mlir
    %0 = ingot.constant dense<[1, 2]> : tensor<2xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Ingot_IotaOp : Ingot_Op<"iota", [Pure]> {
  let summary = "indices along one axis";
  let description = [{
    Each element is its index along `axis` (C1: `axis` is an axis of the result).

    ```mlir
    %0 = ingot.iota axis = 1 : tensor<3x4xi64>
    ```
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs Ingot_TensorOf<[Ingot_Number]>:$result);
  let assemblyFormat = "`axis` `=` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ingot_SizeOp : Ingot_Op<"size", [Pure]> {
  let summary = "the size of a named dimension of an artifact";
  let description = [{
    `value` is the witness, a stand-in that the loader of the artifact replaces by the
    actual size. The operation never folds, so that arithmetic on the size stays in the
    program.

    ```mlir
    %0 = ingot.size 1000003 : tensor<i64>
    ```
  }];
  let arguments = (ins I64Attr:$value);
  let results = (outs Ingot_Index:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

#endif // INGOT_CREATION_TD
