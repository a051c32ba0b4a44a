//===- Ops.td - The Shardy that Ingot emits ----------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shardy is the dialect by which StableHLO programs say where values lie; XLA's
// partitioner follows it.
//
//===----------------------------------------------------------------------===//

#ifndef SDY_OPS_TD
#define SDY_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def SdyDialect : Dialect {
  let name = "sdy";
  let summary = "the part of Shardy that Ingot emits";
  let cppNamespace = "::sdy";
  let useDefaultAttributePrinterParser = 1;
}

def Sdy_MeshAttr : AttrDef<SdyDialect, "Mesh"> {
  let mnemonic = "mesh";
  let parameters = (ins "::ingot::MeshAttr":$mesh);
  let assemblyFormat = "``$mesh";
}

def Sdy_ShardingAttr : AttrDef<SdyDialect, "TensorSharding"> {
  let mnemonic = "sharding";
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh, "::ingot::ShardingAttr":$sharding);
  let hasCustomAssemblyFormat = 1;
}

def Sdy_MeshOp : Op<SdyDialect, "mesh", [Symbol]> {
  let arguments = (ins SymbolNameAttr:$sym_name, Sdy_MeshAttr:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

def Sdy_ShardingConstraintOp
    : Op<SdyDialect, "sharding_constraint", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyRankedTensor:$input, Sdy_ShardingAttr:$sharding);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}

#endif // SDY_OPS_TD
