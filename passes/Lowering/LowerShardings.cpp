//===- LowerShardings.cpp - Meshes and shardings as Shardy's --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_LOWERSHARDINGS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
struct LowerShardings : public ingot::impl::LowerShardingsBase<LowerShardings> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (auto mesh = module->getAttrOfType<MeshAttr>("ingot.mesh"))
      name = createMesh(mesh);
    module->removeAttr("ingot.mesh");
    for (auto function : module.getOps<func::FuncOp>())
      lowerSignature(function);
    module.walk([&](ShardOp op) {
      OpBuilder builder(op);
      Value value = op.getOperand();
      if (name)
        value = sdy::ShardingConstraintOp::create(builder, op.getLoc(),
                                                  op.getType(), value,
                                                  lowered(op.getSharding()));
      op.replaceAllUsesWith(value);
      op.erase();
    });
  }

  FlatSymbolRefAttr createMesh(MeshAttr mesh) {
    ModuleOp module = getOperation();
    OpBuilder builder(module.getContext());
    auto made = sdy::MeshOp::create(builder, module.getLoc(), "mesh",
                                    sdy::MeshAttr::get(&getContext(), mesh));
    // Renames it if a function has this name.
    SymbolTable(module).insert(made, module.getBody()->begin());
    return FlatSymbolRefAttr::get(made.getSymNameAttr());
  }

  sdy::TensorShardingAttr lowered(ShardingAttr sharding) {
    return sdy::TensorShardingAttr::get(&getContext(), name, sharding);
  }

  void lowerSignature(func::FuncOp function) {
    auto from = StringAttr::get(&getContext(), "ingot.sharding");
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto sharding = function.getArgAttrOfType<ShardingAttr>(i, from);
      function.removeArgAttr(i, from);
      if (sharding && name)
        function.setArgAttr(i, "sdy.sharding", lowered(sharding));
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      auto sharding = function.getResultAttrOfType<ShardingAttr>(i, from);
      function.removeResultAttr(i, from);
      if (sharding && name)
        function.setResultAttr(i, "sdy.sharding", lowered(sharding));
    }
  }

  /// The symbol of the mesh, or null if there is none.
  FlatSymbolRefAttr name;
};
} // namespace
