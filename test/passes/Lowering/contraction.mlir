// RUN: %lower-and-verify

// CHECK-LABEL: func.func @dot
func.func @dot(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>, %z: tensor<4x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  // CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST]
  %0 = ingot.dot_general %x, %y batching = [0] x [0] contracting = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0]
  %1 = ingot.dot_general %x, %z batching = [] x [] contracting = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  return %0, %1 : tensor<2x3x5xf32>, tensor<2x3x5xf32>
}

// Infinite and NaN elements of one operand count only where the other one is not zero.
// CHECK-LABEL: func.func @zeros
func.func @zeros(%a: tensor<4x5xf64>, %x: tensor<5xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4x5xf64>) {
  // CHECK: %[[PLAIN:.*]] = stablehlo.dot_general %arg0, %arg1
  // CHECK: stablehlo.is_finite %arg0
  // CHECK: %[[FINITE:.*]] = stablehlo.select
  // CHECK: %[[SUMS:.*]] = stablehlo.dot_general %[[FINITE]], %arg1
  // CHECK: %[[COUNT:.*]] = stablehlo.dot_general
  // CHECK: %[[MEETS:.*]] = stablehlo.compare GT, %[[COUNT]]
  // CHECK: stablehlo.select %[[MEETS]], %[[PLAIN]], %[[SUMS]]
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<4x5xf64>, tensor<5xf64>) -> tensor<4xf64>
  // CHECK: stablehlo.dot_general %arg2, %arg1
  %1 = ingot.dot_general %y, %x batching = [] x [] contracting = [] x [] {lhs_zeros, rhs_zeros} : (tensor<4xf64>, tensor<5xf64>) -> tensor<4x5xf64>
  return %0, %1 : tensor<4xf64>, tensor<4x5xf64>
}
