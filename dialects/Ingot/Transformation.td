//===- Transformation.td - Derivatives and batches ---------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_TRANSFORMATION_TD
#define INGOT_TRANSFORMATION_TD

include "Base.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

/// The derivative of the values that a region yields by its arguments. Values from
/// outside are constants.
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
  let summary = "a region and its Jacobian-vector product (forward mode)";
  let description = [{
    Differentiates the values that its region yields by the region's arguments, which are
    floating or complex (C1). Values from outside are constants. The operands are the
    values of the arguments, then their tangents. The results are the yielded values, then
    the tangents of those with the indices `of` (C2: types). `name` is the name of the
    function in the source. `expand-jvp` replaces the operation.

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
  let summary = "a region and its vector-Jacobian product (reverse mode)";
  let description = [{
    Differentiates the values that its region yields by the region's arguments, which are
    floating or complex (C1). Values from outside are constants. The operands are the
    values of the arguments, then the cotangents of the yielded values with the indices
    `of`. The results are the yielded values, then the cotangents of the arguments (C2:
    types). `name` is the name of the function in the source. `expand-vjp` replaces the
    operation.

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
    : Ingot_I32Enum<"DerivativeMode", "the mode of a derivative", [
        I32EnumAttrCase<"Jvp", 0, "jvp">, I32EnumAttrCase<"Vjp", 1, "vjp">]>;
def Ingot_DerivativeModeAttr
    : EnumAttr<IngotDialect, Ingot_DerivativeMode, "derivative_mode">;

def Ingot_VmapOp : Ingot_Op<"vmap", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a region that runs for each lane of a batch";
  let description = [{
    Runs its region for each of `size` lanes; there is at least one (C3). The lanes are
    along the first axis of each operand, and the region's arguments are the operands'
    items for one lane (C1). Values from outside are the same in all lanes. The lanes are
    also along the first axis of each result (C2), except for the results with the indices
    `shared`: these are the values that the region yields in every lane, and have no such
    axis. `name` is the name of the function in the source. `axis` names the lanes for the
    operations that exchange values between them; if it is an axis of the mesh, values with
    a sharding are divided by it. `expand-vmap` replaces the operation.

    ```mlir
    %y = ingot.vmap "f"(%x) size = 3 shared = [] {
    ^bb0(%a: tensor<4xf64>):
      %b = ingot.sin %a : tensor<4xf64>
      ingot.yield %b : tensor<4xf64>
    } : (tensor<3x4xf64>) -> tensor<3x4xf64>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Ingot_Tensor>:$operands, I64Attr:$size,
                       DenseI64ArrayAttr:$shared, OptionalAttr<StrAttr>:$axis);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `(` $operands `)` `size` `=` $size `shared` `=` $shared (`axis` `=` $axis^)? $body
    attr-dict `:` functional-type(operands, results)
  }];
  let hasRegionVerifier = 1;
}

def Ingot_CheckpointOp
    : Ingot_Op<"checkpoint", [SingleBlock, NoRegionArguments, RecursiveMemoryEffects,
                              DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a region of which reverse mode saves no residuals";
  let description = [{
    Returns what its region yields (C1: types). `expand-vjp` recomputes the region in the
    backward code from the values that it uses from outside. `inline-rules` replaces the
    operation by its region.

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
    Returns what `body` yields; the operands are its arguments. `rule` computes the
    derivative. In mode `jvp` it takes the operands and the tangents of those that are
    floating or complex, and yields the tangents of such results. In mode `vjp` it takes
    the operands and the cotangents of such results, and yields the cotangents of such
    operands (C1: types). `inline-rules` replaces the operation by `body`.

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
  let summary = "code whose batching rule the user has written";
  let description = [{
    Returns what `body` yields; the operands are its arguments. `expand-vmap` uses `rule`
    instead of `body` for a batch of `size` lanes: the arguments and yielded values of
    `rule` have an additional first axis of that size (C1: types), which is positive (C2).
    Derivatives are those of `body`. `inline-rules` replaces the operation by `body`.

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

def Ingot_CallStablehloOp
    : Ingot_Op<"call_stablehlo", [Pure, Ingot_Differentiable, Ingot_Costly]> {
  let summary = "a call of a StableHLO module";
  let description = [{
    Calls the function `main` of a StableHLO module, whose types are those of the operands
    and results. The module is `text`, or a function of the process that has the number
    `source` makes it (C1). With `text`, the operation has no derivative, and in a batch it
    runs once for each lane. With `source`, derivatives and batches are calls of other
    functions of the process, which `CallSources` gives. The lowering declares a function
    `name`; the driver links the module's function to that declaration.

    ```mlir
    %1 = ingot.call_stablehlo "f"(%0) text = "..." : (tensor<4xf64>) -> tensor<4xf64>
    %2 = ingot.call_stablehlo "g"(%1) source = 3 : (tensor<4xf64>) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Ingot_Tensor>:$operands,
                       OptionalAttr<StrAttr>:$text, OptionalAttr<I64Attr>:$source);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let assemblyFormat = [{
    $name `(` $operands `)` (`text` `=` $text^)? (`source` `=` $source^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Ingot_StopGradientOp
    : Ingot_Op<"stop_gradient", [Pure, SameOperandsAndResultType,
                                 Ingot_Batchable<"broadcastAxes(*this)">]> {
  let summary = "a value that derivatives treat as a constant";
  let description = [{
    Returns its operand. `expand-jvp` and `expand-vjp` propagate no tangents or cotangents
    through it. The lowering removes it.

    ```mlir
    %1 = ingot.stop_gradient %0 : tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

#endif // INGOT_TRANSFORMATION_TD
