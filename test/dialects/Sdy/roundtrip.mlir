// RUN: %roundtrip

// CHECK: sdy.mesh @mesh = <["data"=4, "model"=2]>
sdy.mesh @mesh = <["data"=4, "model"=2]>

// CHECK-LABEL: func.func @constraint
// CHECK-SAME: {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {?}]>}
func.func @constraint(%x: tensor<8x4xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {?}]>}) -> tensor<8x4xf64> {
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{}, {"data", "model"}]> : tensor<8x4xf64>
  %0 = sdy.sharding_constraint %x <@mesh, [{}, {"data", "model"}]> : tensor<8x4xf64>
  return %0 : tensor<8x4xf64>
}
