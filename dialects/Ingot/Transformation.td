//===- Transformation.td - Derivatives of functions --------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_TRANSFORMATION_TD
#define INGOT_TRANSFORMATION_TD

include "Base.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

/// The derivative of a region's results by its arguments; values from outside
/// are constant.
class Ingot_DerivativeOp<string mnemonic>
    : Ingot_Op<mnemonic, [SingleBlock, RecursiveMemoryEffects]> {
  let arguments = (ins StrAttr:$name, Variadic<Ingot_Tensor>:$operands,
                       DenseI64ArrayAttr:$of);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `(` $operands `)` `of` `=` $of $body attr-dict
    `:` functional-type(operands, results)
  }];
  let hasRegionVerifier = 1;
}

def Ingot_JvpOp : Ingot_DerivativeOp<"jvp"> {
  let summary = "what a region yields, and its derivative in a direction";
  let description = [{
    Differentiates what its region yields by the region's arguments, which are
    floating or complex (C1); values from outside are constant. The first operands
    are the arguments' values, and those after them their tangents. The results are
    the yielded values, then the tangents of those that `of` lists (C2: types).
    `expand-jvp` replaces it. `name` is that of the function in the source.

    ```mlir
    %y, %dy = ingot.jvp "f"(%x, %dx) of = [0] {
    ^bb0(%a: tensor<f64>):
      %b = ingot.sin %a : tensor<f64>
      ingot.yield %b : tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    ```
  }];
}

def Ingot_VjpOp : Ingot_DerivativeOp<"vjp"> {
  let summary = "what a region yields, and its derivative backwards";
  let description = [{
    Differentiates what its region yields by the region's arguments, which are
    floating or complex (C1); values from outside are constant. The first operands
    are the arguments' values, and those after them the cotangents of the yielded
    values that `of` lists. The results are the yielded values, then the cotangents
    of the arguments (C2: types). `expand-vjp` replaces it. `name` is that of the
    function in the source.

    ```mlir
    %y, %dx = ingot.vjp "f"(%x, %one) of = [0] {
    ^bb0(%a: tensor<f64>):
      %b = ingot.sin %a : tensor<f64>
      ingot.yield %b : tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    ```
  }];
}

def Ingot_DerivativeMode
    : Ingot_I32Enum<"DerivativeMode", "the direction in which a derivative goes", [
        I32EnumAttrCase<"Jvp", 0, "jvp">, I32EnumAttrCase<"Vjp", 1, "vjp">]>;
def Ingot_DerivativeModeAttr
    : EnumAttr<IngotDialect, Ingot_DerivativeMode, "derivative_mode">;

def Ingot_VmapOp : Ingot_Op<"vmap", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "code in place, for each item of a batch";
  let description = [{
    Does what its region does for each of `size` lanes, of which there is one at least
    (C3). The first axis of each operand
    counts the lanes, and the region's arguments are what they hold for one (C1);
    values from outside are the same for all. The first axis of each result counts them,
    too (C2), except that results which `shared` lists are what the region yields in every
    lane. `expand-vmap` replaces it. `name` is that of the function in the source.

    ```mlir
    %y = ingot.vmap "f"(%x) size = 3 shared = [] {
    ^bb0(%a: tensor<4xf64>):
      %b = ingot.sin %a : tensor<4xf64>
      ingot.yield %b : tensor<4xf64>
    } : (tensor<3x4xf64>) -> tensor<3x4xf64>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Ingot_Tensor>:$operands, I64Attr:$size,
                       DenseI64ArrayAttr:$shared);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `(` $operands `)` `size` `=` $size `shared` `=` $shared $body attr-dict
    `:` functional-type(operands, results)
  }];
  let hasRegionVerifier = 1;
}

def Ingot_CheckpointOp
    : Ingot_Op<"checkpoint", [SingleBlock, NoRegionArguments, RecursiveMemoryEffects,
                              DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "code of which reverse mode keeps nothing";
  let description = [{
    Gives what its region yields (C1: types). `expand-vjp` computes it again, from the
    values that it takes from outside; `inline-rules` replaces it by its region.

    ```mlir
    %1 = ingot.checkpoint {
      %2 = ingot.sin %0 : tensor<4xf64>
      ingot.yield %2 : tensor<4xf64>
    } : tensor<4xf64>
    ```
  }];
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict (`:` type($results_)^)?";
  let hasVerifier = 1;
}

def Ingot_CustomDerivativeOp
    : Ingot_Op<"custom_derivative", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "code whose derivative the user has written";
  let description = [{
    Gives what `body` yields for the operands, which are its arguments. `rule` is its
    derivative: for `jvp`, it takes the operands and the tangents of those that are
    floating or complex, and yields the tangents of such results; for `vjp`, it takes
    the operands and the cotangents of such results, and yields the cotangents of such
    operands (C1: types). `inline-rules` replaces it by `body`.

    ```mlir
    %1 = ingot.custom_derivative jvp(%0) {
    ^bb0(%x: tensor<f64>):
      %2 = ingot.sin %x : tensor<f64>
      ingot.yield %2 : tensor<f64>
    } rule {
    ^bb0(%x: tensor<f64>, %dx: tensor<f64>):
      ingot.yield %dx : tensor<f64>
    } : (tensor<f64>) -> tensor<f64>
    ```
  }];
  let arguments = (ins Ingot_DerivativeModeAttr:$mode, Variadic<Ingot_Tensor>:$operands);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$rule);
  let assemblyFormat = [{
    $mode `(` $operands `)` $body `rule` $rule attr-dict `:` functional-type(operands, results)
  }];
  let hasRegionVerifier = 1;
}

def Ingot_CustomVmapOp
    : Ingot_Op<"custom_vmap", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "code whose form for a batch the user has written";
  let description = [{
    Gives what `body` yields for the operands, which are its arguments. For a batch of
    `size`, `rule` takes its place: its arguments and what it yields have one more axis,
    the first, of that size (C1: types), which is positive (C2). Derivatives are those of `body`. `inline-rules`
    replaces it by `body`.

    ```mlir
    %1 = ingot.custom_vmap(%0) size = 3 {
    ^bb0(%x: tensor<f64>):
      %2 = ingot.sin %x : tensor<f64>
      ingot.yield %2 : tensor<f64>
    } rule {
    ^bb0(%x: tensor<3xf64>):
      %2 = ingot.sin %x : tensor<3xf64>
      ingot.yield %2 : tensor<3xf64>
    } : (tensor<f64>) -> tensor<f64>
    ```
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$operands, I64Attr:$size);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$rule);
  let assemblyFormat = [{
    `(` $operands `)` `size` `=` $size $body `rule` $rule attr-dict
    `:` functional-type(operands, results)
  }];
  let hasRegionVerifier = 1;
}

def Ingot_CallStablehloOp : Ingot_Op<"call_stablehlo", [Pure]> {
  let summary = "code that is given as StableHLO";
  let description = [{
    Calls `main` of the StableHLO module `text`, whose types are those of the operands
    and results. It has no derivative; for a batch it is called once for each item. The
    lowering declares a function of the name `name`, which the driver puts in its place.

    ```mlir
    %1 = ingot.call_stablehlo "f"(%0) text = "..." : (tensor<4xf64>) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Ingot_Tensor>:$operands, StrAttr:$text);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let assemblyFormat = [{
    $name `(` $operands `)` `text` `=` $text attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_StopGradientOp
    : Ingot_Op<"stop_gradient", [Pure, SameOperandsAndResultType,
                                 Ingot_Batchable<"broadcastAxes(*this)">]> {
  let summary = "a value that derivatives take as constant";
  let description = [{
    Gives its operand. `expand-jvp` and `expand-vjp` let no derivative through; the
    lowering drops it.

    ```mlir
    %1 = ingot.stop_gradient %0 : tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

#endif // INGOT_TRANSFORMATION_TD
