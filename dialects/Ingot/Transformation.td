//===- Transformation.td - Derivatives of functions --------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_TRANSFORMATION_TD
#define INGOT_TRANSFORMATION_TD

include "Base.td"
include "mlir/IR/SymbolInterfaces.td"

/// A transformed call of a function of the module.
class Ingot_TransformedCall<string mnemonic>
    : Ingot_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Ingot_Tensor>:$operands,
                       DenseI64ArrayAttr:$wrt, DenseI64ArrayAttr:$of);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let assemblyFormat = [{
    $callee `(` $operands `)` `of` `=` $of `wrt` `=` $wrt attr-dict
    `:` functional-type(operands, results)
  }];
}

def Ingot_JvpOp : Ingot_TransformedCall<"jvp"> {
  let summary = "a call and its derivative in a direction";
  let description = [{
    Calls `callee` with the first operands; the operands after them are the
    tangents of its arguments `wrt`. The results are the callee's, then the
    tangents of those that `of` lists (C1: arguments and results that have
    tangents, floating or complex). `expand-jvp` replaces it.

    ```mlir
    %y, %dy = ingot.jvp @f(%x, %n, %dx) of = [0] wrt = [0] : (tensor<4xf64>, tensor<i64>, tensor<4xf64>) -> (tensor<f64>, tensor<f64>)
    ```
  }];
}

def Ingot_VjpOp : Ingot_TransformedCall<"vjp"> {
  let summary = "a call and its derivative backwards";
  let description = [{
    Calls `callee` with the first operands; the operands after them are the
    cotangents of its results `of`. The results are the callee's, then the
    cotangents of the arguments that `wrt` lists (C1: arguments and results that
    have cotangents, floating or complex). `expand-vjp` replaces it.

    ```mlir
    %y, %dx = ingot.vjp @f(%x, %n, %dy) of = [0] wrt = [0] : (tensor<4xf64>, tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<4xf64>)
    ```
  }];
}

#endif // INGOT_TRANSFORMATION_TD
