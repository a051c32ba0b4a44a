// RUN: %lower-and-verify

// CHECK-LABEL: func.func @slices
func.func @slices(%x: tensor<8x9xf64>, %i: tensor<i64>, %u: tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<1x4xf64>, tensor<8x9xf64>) {
  // CHECK: stablehlo.slice %arg0 [1:5:3, 0:3] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  %0 = ingot.slice %x starts = [1, 0] sizes = [2, 3] strides = [3, 1] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  // CHECK: %[[W:.*]] = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [1, 7]
  // CHECK-NEXT: stablehlo.slice %[[W]] [0:1, 0:7:2]
  %1 = ingot.dynamic_slice %x[%i, %i] sizes = [1, 4] strides = [1, 2] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
  // CHECK: stablehlo.dynamic_update_slice %arg0, %arg2, %arg1, %arg1
  %2 = ingot.update_slice %x, %u[%i, %i] strides = [1, 1] : (tensor<8x9xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
  return %0, %1, %2 : tensor<2x3xf64>, tensor<1x4xf64>, tensor<8x9xf64>
}

// The elements between those of a strided update stay as they are.
// CHECK-LABEL: func.func @strided_update
func.func @strided_update(%x: tensor<8xf64>, %u: tensor<3xf64>, %i: tensor<i64>) -> tensor<8xf64> {
  // CHECK: %[[OLD:.*]] = stablehlo.dynamic_slice %arg0, %arg2, sizes = [5]
  // CHECK: %[[NEW:.*]] = stablehlo.pad %arg1, %{{.*}}, low = [0], high = [0], interior = [1]
  // CHECK: %[[FILLED:.*]] = stablehlo.select %{{.*}}, %[[NEW]], %[[OLD]]
  // CHECK: stablehlo.dynamic_update_slice %arg0, %[[FILLED]], %arg2
  %0 = ingot.update_slice %x, %u[%i] strides = [2] : (tensor<8xf64>, tensor<3xf64>, tensor<i64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// CHECK-LABEL: func.func @empty_update
func.func @empty_update(%x: tensor<8xf64>, %u: tensor<0xf64>, %i: tensor<i64>) -> tensor<8xf64> {
  // CHECK-NEXT: return %arg0
  %0 = ingot.update_slice %x, %u[%i] strides = [1] : (tensor<8xf64>, tensor<0xf64>, tensor<i64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<8x9x3xf64>, %i: tensor<5xi32>, %j: tensor<5xi64>) -> tensor<5x3xf64> {
  // CHECK: %[[I:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<5x1xi64>, tensor<5x1xi64>) -> tensor<5x2xi64>
  // CHECK: "stablehlo.gather"(%arg0, %[[I]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>
  %0 = ingot.gather %x[%i, %j] : (tensor<8x9x3xf64>, tensor<5xi32>, tensor<5xi64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<8x3xf64>, %u: tensor<5x3xf64>, %i: tensor<5xi64>) -> (tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>) {
  // CHECK: "stablehlo.scatter"
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f64>, %[[NEW:.*]]: tensor<f64>):
  // CHECK-NEXT: stablehlo.return %[[NEW]]
  %0 = ingot.scatter set %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.add
  %1 = ingot.scatter add %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.multiply
  %2 = ingot.scatter mul %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.minimum
  %3 = ingot.scatter min %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.maximum
  %4 = ingot.scatter max %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  return %0, %1, %2, %3, %4 : tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>
}

// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<0x3xf64>, %i: tensor<0xi64>, %u: tensor<0x3xf64>) -> (tensor<0x3xf64>, tensor<0x3xf64>) {
  // CHECK-NOT: stablehlo.gather
  // CHECK-NOT: stablehlo.scatter
  // CHECK: return %{{.*}}, %arg0
  %0 = ingot.gather %x[%i] : (tensor<0x3xf64>, tensor<0xi64>) -> tensor<0x3xf64>
  %1 = ingot.scatter set %x, %u[%i] : (tensor<0x3xf64>, tensor<0x3xf64>, tensor<0xi64>) -> tensor<0x3xf64>
  return %0, %1 : tensor<0x3xf64>, tensor<0x3xf64>
}
