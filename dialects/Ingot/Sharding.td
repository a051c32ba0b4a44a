//===- Sharding.td - Where values lie on a mesh ------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_SHARDING_TD
#define INGOT_SHARDING_TD

include "Base.td"
include "mlir/IR/AttrTypeBase.td"

def Ingot_MeshAttr : AttrDef<IngotDialect, "Mesh"> {
  let mnemonic = "mesh";
  let summary = "the named axes of a mesh of devices";
  let description = [{
    The module's attribute `ingot.mesh` says for how many devices the program is.

    ```mlir
    #ingot.mesh<["data"=4, "model"=2]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
                        ArrayRefParameter<"int64_t">:$sizes);
  let hasCustomAssemblyFormat = 1;
}

def Ingot_ShardingAttr : AttrDef<IngotDialect, "Sharding"> {
  let mnemonic = "sharding";
  let summary = "for each axis of an array, the axes of the mesh that divide it";
  let description = [{
    An axis with no axes of the mesh is not divided. One that is open, which `?` marks, may
    be divided by any axis that is left. Arguments and results of a function have the
    attribute `ingot.sharding`.

    ```mlir
    #ingot.sharding<[{"data"}, {}, {"model", ?} ]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::ArrayAttr">:$axes,
                        ArrayRefParameter<"bool">:$open);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Parses and prints the list in brackets.
    static ::mlir::FailureOr<ShardingAttr> parseAxes(::mlir::AsmParser &parser);
    void printAxes(::llvm::raw_ostream &stream) const;
    /// The sharding of an array with one more leading axis: it is open, or
    /// divided by an axis of the mesh.
    ShardingAttr withLeadingAxis(::mlir::StringAttr axis = nullptr) const;
    bool uses(::mlir::StringAttr axis) const;
  }];
}

def Ingot_ShardOp
    : Ingot_Op<"shard", [Pure, SameOperandsAndResultType, Ingot_Linear,
                         DeclareOpInterfaceMethods<Ingot_BatchableOpInterface,
                                                   ["addLeadingAxis"]>]> {
  let summary = "a value of which a program says where it lies";
  let description = [{
    Returns its operand, divided among the devices of the module's mesh. The sharding has
    an entry for each axis of the operand (C1), has no axis of the mesh twice (C2), and all
    of its axes are the mesh's (C3). `lower-shardings` prints it as Shardy's.

    ```mlir
    %1 = ingot.shard %0 <[{"data"}, {} ]> : tensor<8x4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand, Ingot_ShardingAttr:$sharding);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand $sharding attr-dict `:` type($operand)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // INGOT_SHARDING_TD
