// RUN: split-file %s %t
// RUN: ingot-opt %t/mesh.mlir --lower-to-stablehlo --lower-shardings | %verify-stablehlo | FileCheck %t/mesh.mlir
// RUN: ingot-opt %t/none.mlir --lower-to-stablehlo --lower-shardings | %verify-stablehlo | FileCheck %t/none.mlir

//--- mesh.mlir

// CHECK: module {
// CHECK-NEXT: sdy.mesh @mesh_0 = <["data"=4, "model"=2]>
module attributes {ingot.mesh = #ingot.mesh<["data"=4, "model"=2]>} {
  // CHECK-LABEL: func.func @f
  // CHECK-SAME: %[[X:.*]]: tensor<8x4xui8> {sdy.sharding = #sdy.sharding<@mesh_0, [{"data", "model"}, {}]>}
  // CHECK-SAME: %[[Y:.*]]: tensor<4xf64>)
  // CHECK-SAME: -> (tensor<8x4xui8> {sdy.sharding = #sdy.sharding<@mesh_0, [{"data"}, {?}]>}, tensor<4xf64>)
  func.func @f(%x: tensor<8x4xui8> {ingot.sharding = #ingot.sharding<[{"data", "model"}, {}]>}, %y: tensor<4xf64>)
      -> (tensor<8x4xui8> {ingot.sharding = #ingot.sharding<[{"data"}, {?}]>}, tensor<4xf64>) {
    // CHECK: %[[S:.*]] = sdy.sharding_constraint %[[X]] <@mesh_0, [{?}, {"model"}]> : tensor<8x4xui8>
    %0 = ingot.shard %x <[{?}, {"model"}]> : tensor<8x4xui8>
    // CHECK: stablehlo.add %[[S]]
    %1 = ingot.add %0, %x : (tensor<8x4xui8>, tensor<8x4xui8>) -> tensor<8x4xui8>
    %2 = func.call @mesh(%y) : (tensor<4xf64>) -> tensor<4xf64>
    return %1, %2 : tensor<8x4xui8>, tensor<4xf64>
  }

  // The name of the mesh is one that no function has.
  func.func private @mesh(%y: tensor<4xf64>) -> tensor<4xf64> {
    return %y : tensor<4xf64>
  }
}

//--- none.mlir

// Without a mesh, shardings say nothing.
// CHECK-LABEL: func.func @none
// CHECK-SAME: %[[X:.*]]: tensor<8xf64>) -> tensor<8xf64>
func.func @none(%x: tensor<8xf64> {ingot.sharding = #ingot.sharding<[{"i"}]>}) -> (tensor<8xf64> {ingot.sharding = #ingot.sharding<[{"i"}]>}) {
  // CHECK-NEXT: return %[[X]]
  %0 = ingot.shard %x <[{"i"}]> : tensor<8xf64>
  return %0 : tensor<8xf64>
}
