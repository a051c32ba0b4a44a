//===- Effects.td - Operations with effects ----------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_EFFECTS_TD
#define INGOT_EFFECTS_TD

include "Base.td"

def Ingot_Effect : Resource<"::ingot::EffectResource">;

def Ingot_AssertOp : Ingot_Op<"assert", [MemoryEffects<[MemWrite<Ingot_Effect>]>]> {
  let summary = "a run-time check";
  let description = [{
    If the condition is false, the call of the program raises the Python exception
    `exception` with `message` and this operation's location. `lower-effects` turns
    the checks of a function into an additional result.

    ```mlir
    ingot.assert %c, "IndexError", "index is out of bounds"
    ```
  }];
  let arguments = (ins Ingot_ScalarPred:$condition, StrAttr:$exception, StrAttr:$message);
  let assemblyFormat = [{
    $condition `,` $exception `,` $message attr-dict `:` type($condition)
  }];
}

def Ingot_PrintOp : Ingot_Op<"print", [MemoryEffects<[MemWrite<Ingot_Effect>]>]> {
  let summary = "Python's print of run-time values";
  let description = [{
    Prints the values. `format` is a Python format string with one `{}` for each value
    (C1). With `callback`, the operation instead calls the Python function that is
    registered under that number in the process, and returns what that returns; a print
    has no results (C2). `lower-effects` puts the prints of a function in order.

    ```mlir
    ingot.print "x = {}"(%0) : tensor<f64>
    %1 = ingot.print "f" callback = 3(%0) : tensor<f64> gives tensor<4xf64>
    ```
  }];
  let arguments = (ins StrAttr:$format, OptionalAttr<I64Attr>:$callback,
                       Variadic<Ingot_Tensor>:$values);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let assemblyFormat = [{
    $format (`callback` `=` $callback^)? `(` $values `)` attr-dict (`:` type($values)^)?
    (`gives` type($results_)^)?
  }];
  let hasVerifier = 1;
}

def Ingot_OrderedPrintOp
    : Ingot_Op<"ordered_print", [AllTypesMatch<["status", "next"]>,
                                 MemoryEffects<[MemWrite<Ingot_Effect>]>]> {
  let summary = "a print that data dependences put in order";
  let description = [{
    Prints as `print` does (C1, C2), unless `status` says that a check has failed, and
    returns the status unchanged, then the results, which are zeros after a failed check.
    Later effects use the status, so they come after the print.

    ```mlir
    %2 = ingot.ordered_print "x = {}" after %1(%0) : tensor<i32>, tensor<f64>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[I32]>:$status, StrAttr:$format,
                       OptionalAttr<I64Attr>:$callback, Variadic<Ingot_Tensor>:$values);
  let results = (outs Ingot_TensorOf<[I32]>:$next, Variadic<Ingot_Tensor>:$results_);
  let assemblyFormat = [{
    $format (`callback` `=` $callback^)? `after` $status `(` $values `)` attr-dict
    `:` type($status) (`,` type($values)^)? (`gives` type($results_)^)?
  }];
  let hasVerifier = 1;
}

def Ingot_BarrierOp : Ingot_Op<"barrier", [Pure, Ingot_Linear,
                                           Ingot_Batchable<"pairedAxes(*this)">]> {
  let summary = "a point at which all operands are computed";
  let description = [{
    Returns its operands unchanged (C1: operands and results have the same types) once all
    of them are computed. So the users of one result come after the computation of every
    operand. Neither fusion nor common-subexpression elimination sees through the barrier.

    ```mlir
    %1:2 = ingot.barrier %a, %i : tensor<f64>, tensor<i64>
    ```
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$operands);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // INGOT_EFFECTS_TD
