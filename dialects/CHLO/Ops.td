//===- Ops.td - The CHLO operations that Ingot emits -------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CHLO is a layer above StableHLO that XLA expands. It has the special functions,
// for which each backend has an accurate implementation.
//
//===----------------------------------------------------------------------===//

#ifndef CHLO_OPS_TD
#define CHLO_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def ChloDialect : Dialect {
  let name = "chlo";
  let summary = "the part of CHLO that Ingot emits";
  let cppNamespace = "::chlo";
}

class Chlo_Unary<string mnemonic>
    : Op<ChloDialect, mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins StaticShapeTensorOf<[F16, F32, F64]>:$operand);
  let results = (outs StaticShapeTensorOf<[F16, F32, F64]>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

class Chlo_Binary<string mnemonic>
    : Op<ChloDialect, mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins StaticShapeTensorOf<[F16, F32, F64]>:$lhs,
                       StaticShapeTensorOf<[F16, F32, F64]>:$rhs);
  let results = (outs StaticShapeTensorOf<[F16, F32, F64]>:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

def Chlo_DigammaOp : Chlo_Unary<"digamma">;
def Chlo_ErfOp : Chlo_Unary<"erf">;
def Chlo_ErfcOp : Chlo_Unary<"erfc">;
def Chlo_ErfInvOp : Chlo_Unary<"erf_inv">;
def Chlo_LgammaOp : Chlo_Unary<"lgamma">;
def Chlo_PolygammaOp : Chlo_Binary<"polygamma">;

#endif // CHLO_OPS_TD
