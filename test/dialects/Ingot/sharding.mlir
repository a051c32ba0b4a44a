// RUN: %roundtrip

// CHECK: module attributes {ingot.mesh = #ingot.mesh<["data"=4, "model"=2]>}
module attributes {ingot.mesh = #ingot.mesh<["data"=4, "model"=2]>} {
  // CHECK-LABEL: func.func @shard
  // CHECK-SAME: tensor<8x4xf64> {ingot.sharding = #ingot.sharding<[{"data", "model"}, {}]>}
  // CHECK-SAME: -> (tensor<8x4xf64> {ingot.sharding = #ingot.sharding<[{"data", ?}, {?}]>})
  func.func @shard(%x: tensor<8x4xf64> {ingot.sharding = #ingot.sharding<[{"data", "model"}, {}]>})
      -> (tensor<8x4xf64> {ingot.sharding = #ingot.sharding<[{"data", ?}, {?}]>}) {
    // CHECK: ingot.shard %{{.*}} <[{"data"}, {"model"}]> : tensor<8x4xf64>
    %0 = ingot.shard %x <[{"data"}, {"model"}]> : tensor<8x4xf64>
    // CHECK: ingot.shard %{{.*}} <[]> : tensor<i32>
    %c = ingot.constant dense<0> : tensor<i32>
    %1 = ingot.shard %c <[]> : tensor<i32>
    return %0 : tensor<8x4xf64>
  }
}

// -----

module attributes {ingot.mesh = #ingot.mesh<["data"=4]>} {
  func.func @shard_c1(%x: tensor<8x4xf64>) {
    // expected-error @+1 {{has a sharding of 1 axes for an array of 2}}
    %0 = ingot.shard %x <[{"data"}]> : tensor<8x4xf64>
    return
  }
}

// -----

module attributes {ingot.mesh = #ingot.mesh<["data"=4]>} {
  func.func @shard_c2(%x: tensor<8x4xf64>) {
    // expected-error @+1 {{is divided by the axis "data" twice}}
    %0 = ingot.shard %x <[{"data"}, {"data"}]> : tensor<8x4xf64>
    return
  }
}

// -----

module attributes {ingot.mesh = #ingot.mesh<["data"=4]>} {
  func.func @shard_c3(%x: tensor<8xf64>) {
    // expected-error @+1 {{is divided by "model", which is no axis of the mesh}}
    %0 = ingot.shard %x <[{"model"}]> : tensor<8xf64>
    return
  }
}

// -----

// expected-error @+1 {{`?` is not last}}
func.func private @open(tensor<8xf64> {ingot.sharding = #ingot.sharding<[{?, "data"}]>})

// -----

module attributes {ingot.mesh = #ingot.mesh<["data"=4]>} {
  // expected-error @+1 {{argument #0 has a sharding of 0 axes for an array of 1}}
  func.func private @argument(tensor<8xf64> {ingot.sharding = #ingot.sharding<[]>})
}

// -----

module attributes {ingot.mesh = #ingot.mesh<["data"=4]>} {
  // expected-error @+1 {{result #0 is divided by "model", which is no axis of the mesh}}
  func.func private @result() -> (tensor<8xf64> {ingot.sharding = #ingot.sharding<[{"model"}]>})
}

// -----

// expected-error @+1 {{argument #0 has an `ingot.sharding` that is no sharding}}
func.func private @other(tensor<8xf64> {ingot.sharding = 1 : i64})

// -----

// expected-error @+1 {{`ingot.mesh` has two axes "data"}}
module attributes {ingot.mesh = #ingot.mesh<["data"=4, "data"=2]>} {
}

// -----

// expected-error @+1 {{`ingot.mesh` has no devices along "data"}}
module attributes {ingot.mesh = #ingot.mesh<["data"=0]>} {
}

// -----

// expected-error @+1 {{`ingot.mesh` is a mesh, of a module}}
func.func private @mesh() attributes {ingot.mesh = 1 : i64}
