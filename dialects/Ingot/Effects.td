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
    If the condition is false, the call raises the Python exception `exception`
    with `message` and this operation's location. `lower-asserts` turns the
    checks of a function into one more result.

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
    Prints the values by `format`, a Python format string with one `{}` for each (C1).

    ```mlir
    ingot.print "x = {}"(%0) : tensor<f64>
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<Ingot_Tensor>:$values);
  let assemblyFormat = "$format `(` $values `)` attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

#endif // INGOT_EFFECTS_TD
