//===- Shape.td - Rearranging whole arrays -----------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_SHAPE_TD
#define INGOT_SHAPE_TD

include "Base.td"

def Ingot_ReshapeOp
    : Ingot_Op<"reshape", [Pure, Ingot_Linear, Ingot_HasAxisRule,
                           SameOperandsAndResultElementType]> {
  let summary = "np.reshape in C order";
  let description = [{
    Operand and result have the same number of elements (C1).

    ```mlir
    %1 = ingot.reshape %0 : (tensor<4xf64>) -> tensor<2x2xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ingot_TransposeOp
    : Ingot_InferredOp<"transpose", [Ingot_Linear,
                                     DeclareOpInterfaceMethods<Ingot_BatchableOpInterface,
                                                               ["addLeadingAxis"]>]> {
  let summary = "np.transpose";
  let description = [{
    Axis `i` of the result is axis `axes[i]` of the operand (C1: `axes` is a
    permutation).

    ```mlir
    %1 = ingot.transpose %0 axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, DenseI64ArrayAttr:$axes);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `axes` `=` $axes attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Ingot_BroadcastToOp
    : Ingot_Op<"broadcast_to", [Pure, Ingot_Linear, Ingot_Batchable<"broadcastAxes(*this)">,
                                SameOperandsAndResultElementType]> {
  let summary = "np.broadcast_to";
  let description = [{
    The operand's shape broadcasts to the result's (C1).

    ```mlir
    %1 = ingot.broadcast_to %0 : (tensor<3x1xf64>) -> tensor<2x3x4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ingot_ConcatenateOp
    : Ingot_InferredOp<"concatenate", [Ingot_Linear, Ingot_Batchable<"axesBut(*this, getAxis())">]> {
  let summary = "np.concatenate";
  let description = [{
    Joins arrays that have the same element type, and the same sizes along all axes but
    `axis` (C1).

    ```mlir
    %2 = ingot.concatenate %0, %1 axis = 0 : (tensor<2xf64>, tensor<3xf64>) -> tensor<5xf64>
    ```
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizeMethod = 1;
}

def Ingot_PadOp
    : Ingot_InferredOp<"pad", [Ingot_Linear, Ingot_Batchable<"equalAxes(*this)">]> {
  let summary = "padding with one value";
  let description = [{
    For each axis, adds `low` copies of the 0-d `value` before the operand, `high` copies
    after it, and `interior` copies between neighbours. None of them is negative (C1).

    ```mlir
    %1 = ingot.pad %0, %v low = [1] high = [2] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<7xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, Ingot_Scalar:$value, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $value `low` `=` $low `high` `=` $high `interior` `=` $interior
    attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_FlipOp
    : Ingot_InferredOp<"flip", [Ingot_Linear, Ingot_Batchable<"axesBut(*this, getAxes())">]> {
  let summary = "np.flip";
  let description = [{
    Reverses the order along each of `axes` (C1: distinct axes of the operand).

    ```mlir
    %1 = ingot.flip %0 axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, DenseI64ArrayAttr:$axes);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $operand `axes` `=` $axes attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INGOT_SHAPE_TD
