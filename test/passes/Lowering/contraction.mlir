// RUN: %lower-and-verify

// CHECK-LABEL: func.func @dot
func.func @dot(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>, %z: tensor<4x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  // CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST]
  %0 = ingot.dot_general %x, %y batching = [0] x [0] contracting = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0]
  %1 = ingot.dot_general %x, %z batching = [] x [] contracting = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  return %0, %1 : tensor<2x3x5xf32>, tensor<2x3x5xf32>
}
