// RUN: %roundtrip

// CHECK-LABEL: func.func @creation_and_shape
func.func @creation_and_shape(%x: tensor<3x4xf64>, %v: tensor<f64>) {
  // CHECK: ingot.constant dense<[1, 2]> : tensor<2xi64>
  %0 = ingot.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK-NEXT: ingot.iota axis = 1 : tensor<3x4xi64>
  %1 = ingot.iota axis = 1 : tensor<3x4xi64>
  // CHECK-NEXT: ingot.size 1000003 : tensor<i64>
  %open = ingot.size 1000003 : tensor<i64>
  // CHECK-NEXT: ingot.reshape %{{.*}} : (tensor<3x4xf64>) -> tensor<12xf64>
  %2 = ingot.reshape %x : (tensor<3x4xf64>) -> tensor<12xf64>
  // CHECK-NEXT: ingot.transpose %{{.*}} axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %3 = ingot.transpose %x axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  // CHECK-NEXT: ingot.broadcast_to %{{.*}} : (tensor<f64>) -> tensor<2x3xf64>
  %4 = ingot.broadcast_to %v : (tensor<f64>) -> tensor<2x3xf64>
  // CHECK-NEXT: ingot.concatenate %{{.*}}, %{{.*}} axis = 0 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<6x4xf64>
  %5 = ingot.concatenate %x, %x axis = 0 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<6x4xf64>
  // CHECK-NEXT: ingot.pad %{{.*}}, %{{.*}} low = [1, 0] high = [0, 2] interior = [1, 0] : (tensor<3x4xf64>, tensor<f64>) -> tensor<6x6xf64>
  %6 = ingot.pad %x, %v low = [1, 0] high = [0, 2] interior = [1, 0] : (tensor<3x4xf64>, tensor<f64>) -> tensor<6x6xf64>
  // CHECK-NEXT: ingot.flip %{{.*}} axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %7 = ingot.flip %x axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
  return
}

// CHECK-LABEL: func.func @indexing
func.func @indexing(%x: tensor<8x9xf64>, %u: tensor<2x3xf64>, %i: tensor<i64>, %k: tensor<5xi32>, %r: tensor<5x9xf64>) {
  // CHECK: ingot.slice %{{.*}} starts = [1, 0] sizes = [2, 3] strides = [3, 1] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  %0 = ingot.slice %x starts = [1, 0] sizes = [2, 3] strides = [3, 1] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  // CHECK-NEXT: ingot.dynamic_slice %{{.*}}[%{{.*}}, %{{.*}}] sizes = [1, 4] strides = [1, 2] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
  %1 = ingot.dynamic_slice %x[%i, %i] sizes = [1, 4] strides = [1, 2] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
  // CHECK-NEXT: ingot.update_slice %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] strides = [1, 2] : (tensor<8x9xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
  %2 = ingot.update_slice %x, %u[%i, %i] strides = [1, 2] : (tensor<8x9xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
  // CHECK-NEXT: ingot.gather %{{.*}}[%{{.*}}] : (tensor<8x9xf64>, tensor<5xi32>) -> tensor<5x9xf64>
  %3 = ingot.gather %x[%k] : (tensor<8x9xf64>, tensor<5xi32>) -> tensor<5x9xf64>
  // CHECK-NEXT: ingot.scatter add %{{.*}}, %{{.*}}[%{{.*}}] : (tensor<8x9xf64>, tensor<5x9xf64>, tensor<5xi32>) -> tensor<8x9xf64>
  %4 = ingot.scatter add %x, %r[%k] : (tensor<8x9xf64>, tensor<5x9xf64>, tensor<5xi32>) -> tensor<8x9xf64>
  // CHECK-NEXT: ingot.scatter set %{{.*}}, %{{.*}}[%{{.*}}] {unique} :
  %unique = ingot.scatter set %x, %r[%k] {unique} : (tensor<8x9xf64>, tensor<5x9xf64>, tensor<5xi32>) -> tensor<8x9xf64>
  return
}

// CHECK-LABEL: func.func @reduction_and_contraction
func.func @reduction_and_contraction(%x: tensor<3x4xf64>, %y: tensor<4x5xf64>) {
  // CHECK: ingot.reduce add %{{.*}} axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  %0 = ingot.reduce add %x axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  // CHECK-NEXT: ingot.arg_reduce max %{{.*}} axis = 0 : (tensor<3x4xf64>) -> tensor<4xi64>
  %1 = ingot.arg_reduce max %x axis = 0 : (tensor<3x4xf64>) -> tensor<4xi64>
  // CHECK-NEXT: ingot.cumulative mul %{{.*}} axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %2 = ingot.cumulative mul %x axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.dot_general %{{.*}}, %{{.*}} batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  %3 = ingot.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  return
}
