// RUN: %lower-and-verify

// CHECK-LABEL: func.func @shape
func.func @shape(%x: tensor<3x4xf64>, %v: tensor<f64>) -> (tensor<3x4xui16>, tensor<12xf64>, tensor<4x3xf64>, tensor<2x3x4xf64>, tensor<6x4xf64>, tensor<4x6xf64>, tensor<3x4xf64>, tensor<2xi64>) {
  // CHECK: stablehlo.iota dim = 1 : tensor<3x4xui16>
  %0 = ingot.iota axis = 1 : tensor<3x4xui16>
  // CHECK: stablehlo.constant dense<1000003> : tensor<i64>
  %open = ingot.size 1000003 : tensor<i64>
  // CHECK: stablehlo.reshape %arg0 : (tensor<3x4xf64>) -> tensor<12xf64>
  %1 = ingot.reshape %x : (tensor<3x4xf64>) -> tensor<12xf64>
  // CHECK: stablehlo.transpose %arg0, dims = [1, 0]
  %2 = ingot.transpose %x axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  // CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1, 2]
  %3 = ingot.broadcast_to %x : (tensor<3x4xf64>) -> tensor<2x3x4xf64>
  // CHECK: stablehlo.concatenate %arg0, %arg0, dim = 0
  %4 = ingot.concatenate %x, %x axis = 0 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<6x4xf64>
  // CHECK: stablehlo.pad %arg0, %arg1, low = [1, 0], high = [0, 2], interior = [0, 0]
  %5 = ingot.pad %x, %v low = [1, 0] high = [0, 2] interior = [0, 0] : (tensor<3x4xf64>, tensor<f64>) -> tensor<4x6xf64>
  // CHECK: stablehlo.reverse %arg0, dims = [0, 1]
  %6 = ingot.flip %x axes = [0, 1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %7 = ingot.constant dense<[1, 2]> : tensor<2xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3x4xui16>, tensor<12xf64>, tensor<4x3xf64>, tensor<2x3x4xf64>, tensor<6x4xf64>, tensor<4x6xf64>, tensor<3x4xf64>, tensor<2xi64>
}
