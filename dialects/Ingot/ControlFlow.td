//===- ControlFlow.td - if, for, while ---------------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_CONTROLFLOW_TD
#define INGOT_CONTROLFLOW_TD

include "Base.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"

def Ingot_YieldOp
    : Ingot_Op<"yield", [Pure, ReturnLike, Terminator,
                         ParentOneOf<["IfOp", "ForOp", "WhileOp", "JvpOp", "VjpOp", "VmapOp",
                                      "CheckpointOp", "CustomDerivativeOp", "CustomVmapOp", "FusionOp",
                                      "NumpyFunctionOp"]>]> {
  let summary = "ends a region with the values that it yields";
  let description = [{
    ```mlir
    ingot.yield %0, %1 : tensor<f64>, tensor<4xi64>
    ```
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def Ingot_ConditionOp
    : Ingot_Op<"condition",
               [Pure, Terminator, HasParent<"WhileOp">,
                DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>]> {
  let summary = "ends the `cond` region of a `while`";
  let description = [{
    If the condition holds, the body runs with the carried values, else they are the
    results of the loop.

    ```mlir
    ingot.condition %0 : tensor<i1>
    ```
  }];
  let arguments = (ins Ingot_ScalarPred:$condition);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
}

class Ingot_RegionOp<string mnemonic, list<Trait> traits>
    : Ingot_Op<mnemonic, !listconcat(traits, [RecursiveMemoryEffects,
                                              RecursivelySpeculatable])> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Ingot_IfOp
    : Ingot_RegionOp<"if", [DeclareOpInterfaceMethods<RegionBranchOpInterface>,
                            SingleBlock, NoRegionArguments]> {
  let summary = "runs one of two regions";
  let description = [{
    Runs the first region if the condition holds, else the second one. Both yield values
    of the results' types (C1).

    ```mlir
    %0 = ingot.if %c : tensor<f64> {
      ingot.yield %a : tensor<f64>
    } else {
      ingot.yield %b : tensor<f64>
    }
    ```
  }];
  let arguments = (ins Ingot_ScalarPred:$condition);
  let results = (outs Variadic<Ingot_Tensor>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let hasCanonicalizer = 1;
}

def Ingot_LoopLike
    : DeclareOpInterfaceMethods<LoopLikeOpInterface,
                                ["getInitsMutable", "getRegionIterArgs",
                                 "getYieldedValuesMutable", "getLoopResults"]>;

def Ingot_ForOp
    : Ingot_RegionOp<"for", [Ingot_LoopLike,
                             DeclareOpInterfaceMethods<RegionBranchOpInterface,
                                                       ["getEntrySuccessorOperands"]>,
                             SingleBlock]> {
  let summary = "a counted loop over Python's range";
  let description = [{
    Runs the body for each index of `range(lower, upper, step)`; `step` may be negative
    but not zero. The body takes the index and the loop-carried values, and yields their
    next values. The results are the last values (C1: initial values, arguments, yielded
    values and results have the same types).

    ```mlir
    %r = ingot.for %i = %lo to %hi step %s carry (%a = %x) : tensor<f64> {
      ingot.yield %a : tensor<f64>
    }
    ```
  }];
  let arguments = (ins Ingot_Index:$lower, Ingot_Index:$upper, Ingot_Index:$step,
                       Variadic<Ingot_Tensor>:$init_args);
  let results = (outs Variadic<Ingot_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def Ingot_WhileOp
    : Ingot_RegionOp<"while", [Ingot_LoopLike,
                               DeclareOpInterfaceMethods<RegionBranchOpInterface,
                                                         ["getEntrySuccessorOperands"]>,
                               SingleBlock]> {
  let summary = "a loop that runs while a condition holds";
  let description = [{
    `cond` takes the loop-carried values and ends with `condition`. While that holds,
    `body` takes them too and yields their next values (C1, as for `for`).

    ```mlir
    %r = ingot.while (%a = %x) : tensor<f64> cond {
      ingot.condition %c : tensor<i1>
    } do {
      ingot.yield %a : tensor<f64>
    }
    ```
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$init_args);
  let results = (outs Variadic<Ingot_Tensor>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
}

def Ingot_FusionOp
    : Ingot_Op<"fusion", [SingleBlock, NoRegionArguments, RecursiveMemoryEffects,
                          RecursivelySpeculatable,
                          DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a region that runs as one kernel";
  let description = [{
    Returns what its region yields (C1: types). `form-fusions` makes fusions, once
    transformations are expanded; `outline-fusions` makes each of them a kernel for the
    CPU. `inline-rules` replaces the operation by its region.

    ```mlir
    %1 = ingot.fusion {
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

#endif // INGOT_CONTROLFLOW_TD
