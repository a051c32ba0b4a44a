//===- Collective.td - What the lanes of a batch exchange --*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_COLLECTIVE_TD
#define INGOT_COLLECTIVE_TD

include "Base.td"

/// An operation on the lanes of the innermost `ingot.vmap` around it whose axis has the
/// name `axis`. `expand-vmap` replaces it by operations on the whole batch.
class Ingot_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Ingot_Op<mnemonic, !listconcat([Pure], traits)>;

def Ingot_AllGatherOp
    : Ingot_CollectiveOp<"all_gather", [Ingot_Linear, SameOperandsAndResultElementType]> {
  let summary = "the values of all lanes, in each lane";
  let description = [{
    Stacks the operand of every lane along a new first axis (C1: types).

    ```mlir
    %1 = ingot.all_gather %0 axis = "i" : (tensor<4xf64>) -> tensor<3x4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, StrAttr:$axis);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `axis` `=` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Ingot_AxisIndexOp : Ingot_CollectiveOp<"axis_index"> {
  let summary = "the number of the lane";
  let description = [{
    Counts the lanes from 0.

    ```mlir
    %0 = ingot.axis_index "i" : tensor<i64>
    ```
  }];
  let arguments = (ins StrAttr:$axis);
  let results = (outs Ingot_Index:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def Ingot_PpermuteOp
    : Ingot_CollectiveOp<"ppermute", [Ingot_Linear, SameOperandsAndResultType]> {
  let summary = "the value of another lane";
  let description = [{
    Lane `i` has the operand of lane `sources[i]`, or zeros if that is -1. There is a source
    for each lane, and no lane is the source of two (C1).

    ```mlir
    %1 = ingot.ppermute %0 axis = "i" sources = [2, 0, 1] : tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, StrAttr:$axis, DenseI64ArrayAttr:$sources);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `axis` `=` $axis `sources` `=` $sources attr-dict `:` type($operand)
  }];
  let hasVerifier = 1;
}

def Ingot_PsumOp : Ingot_CollectiveOp<"psum", [Ingot_Linear, SameOperandsAndResultType]> {
  let summary = "the sum over all lanes";
  let description = [{
    Adds the operands of all lanes; each lane has the sum.

    ```mlir
    %1 = ingot.psum %0 axis = "i" : tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[Ingot_Number]>:$operand, StrAttr:$axis);
  let results = (outs Ingot_TensorOf<[Ingot_Number]>:$result);
  let assemblyFormat = "$operand `axis` `=` $axis attr-dict `:` type($operand)";
}

#endif // INGOT_COLLECTIVE_TD
