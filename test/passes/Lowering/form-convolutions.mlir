// RUN: ingot-opt --form-convolutions --split-input-file %s | FileCheck %s

// x[i:i + 3] @ w for each i, as lanes gather the windows. What is not finite is computed by the product,
// and only there are windows gathered.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[X:.*]]: tensor<12xf64>, %[[W:.*]]: tensor<3x5xf64>)
// CHECK: %[[C:.*]] = stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = {{\[}}[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x1x12xf64>, tensor<1x5x3xf64>) -> tensor<1x5x10xf64>
// CHECK: %[[R:.*]] = ingot.reshape %[[C]] : (tensor<1x5x10xf64>) -> tensor<5x10xf64>
// CHECK: %[[T:.*]] = ingot.transpose %[[R]] axes = [1, 0]
// CHECK: %[[F:.*]] = ingot.is_finite
// CHECK: ingot.reduce and %[[F]]
// CHECK-NOT: ingot.gather
// CHECK: ingot.if
// CHECK-NEXT: ingot.yield
// CHECK: else
// CHECK: %[[G:.*]] = ingot.gather %[[X]]
// CHECK: ingot.dot_general %[[G]], %[[W]]
func.func @product(%x: tensor<12xf64>, %w: tensor<3x5xf64>) -> tensor<10x5xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %last = ingot.constant dense<9> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<10xi64>
  %r = ingot.reshape %i : (tensor<10xi64>) -> tensor<10x1xi64>
  %a = ingot.maximum %r, %zero : (tensor<10x1xi64>, tensor<i64>) -> tensor<10x1xi64>
  %b = ingot.minimum %a, %last : (tensor<10x1xi64>, tensor<i64>) -> tensor<10x1xi64>
  %k = ingot.iota axis = 1 : tensor<10x3xi64>
  %j = ingot.add %k, %b : (tensor<10x3xi64>, tensor<10x1xi64>) -> tensor<10x3xi64>
  %g = ingot.gather %x[%j] : (tensor<12xf64>, tensor<10x3xi64>) -> tensor<10x3xf64>
  %d = ingot.dot_general %g, %w batching = [] x [] contracting = [1] x [0] : (tensor<10x3xf64>, tensor<3x5xf64>) -> tensor<10x5xf64>
  return %d : tensor<10x5xf64>
}

// -----

// Every second position, every third index from the end of the window on; the first two of the array
// are in no window. The channels are summed, the other axis is a batch.
// CHECK-LABEL: func.func @strides
// CHECK: %[[W:.*]] = ingot.flip %arg1 axes = [0]
// CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [2], pad = {{\[}}[-2, -1]], lhs_dilate = [1], rhs_dilate = [3], reverse = [false]} {{.*}} : (tensor<7x4x18xf32>, tensor<4x5x3xf32>) -> tensor<7x5x5xf32>
func.func @strides(%x: tensor<18x7x4xf32>, %w: tensor<3x4x5xf32>) -> tensor<5x7x5xf32> {
  %two = ingot.constant dense<2> : tensor<i64>
  %three = ingot.constant dense<3> : tensor<i64>
  %eight = ingot.constant dense<8> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<5x3xi64>
  %s = ingot.mul %i, %two : (tensor<5x3xi64>, tensor<i64>) -> tensor<5x3xi64>
  %k = ingot.iota axis = 1 : tensor<5x3xi64>
  %t = ingot.mul %k, %three : (tensor<5x3xi64>, tensor<i64>) -> tensor<5x3xi64>
  %b = ingot.sub %s, %t : (tensor<5x3xi64>, tensor<5x3xi64>) -> tensor<5x3xi64>
  %j = ingot.add %b, %eight : (tensor<5x3xi64>, tensor<i64>) -> tensor<5x3xi64>
  %g = ingot.gather %x[%j] : (tensor<18x7x4xf32>, tensor<5x3xi64>) -> tensor<5x3x7x4xf32>
  %d = ingot.dot_general %g, %w batching = [] x [] contracting = [1, 3] x [0, 1] : (tensor<5x3x7x4xf32>, tensor<3x4x5xf32>) -> tensor<5x7x5xf32>
  return %d : tensor<5x7x5xf32>
}

// -----

// The derivative by the weights: sums over positions.
// CHECK-LABEL: func.func @weights
// CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = {{\[}}[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {{.*}} : (tensor<1x1x12xf64>, tensor<1x5x10xf64>) -> tensor<1x5x3xf64>
func.func @weights(%x: tensor<12xf64>, %dy: tensor<10x5xf64>) -> tensor<3x5xf64> {
  %i = ingot.iota axis = 0 : tensor<10x3xi64>
  %k = ingot.iota axis = 1 : tensor<10x3xi64>
  %j = ingot.add %k, %i : (tensor<10x3xi64>, tensor<10x3xi64>) -> tensor<10x3xi64>
  %g = ingot.gather %x[%j] : (tensor<12xf64>, tensor<10x3xi64>) -> tensor<10x3xf64>
  %d = ingot.dot_general %g, %dy batching = [] x [] contracting = [0] x [0] : (tensor<10x3xf64>, tensor<10x5xf64>) -> tensor<3x5xf64>
  return %d : tensor<3x5xf64>
}

// -----

// The derivative by the array: products that are added to windows, here to every second one.
// CHECK-LABEL: func.func @added
// CHECK: %[[W:.*]] = ingot.flip %arg2 axes = [0]
// CHECK: %[[C:.*]] = stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = {{\[}}[2, 3]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {{.*}} : (tensor<1x5x5xf64>, tensor<5x1x3xf64>) -> tensor<1x1x12xf64>
// CHECK: %[[R:.*]] = ingot.reshape %[[C]] : (tensor<1x1x12xf64>) -> tensor<12xf64>
// CHECK: ingot.add %arg0, %[[R]] : (tensor<12xf64>, tensor<12xf64>) -> tensor<12xf64>
// CHECK: ingot.if
// CHECK: else
// CHECK: ingot.scatter add
func.func @added(%dx: tensor<12xf64>, %dy: tensor<5x5xf64>, %w: tensor<3x5xf64>) -> tensor<12xf64> {
  %two = ingot.constant dense<2> : tensor<i64>
  %d = ingot.dot_general %dy, %w batching = [] x [] contracting = [1] x [1] : (tensor<5x5xf64>, tensor<3x5xf64>) -> tensor<5x3xf64>
  %i = ingot.iota axis = 0 : tensor<5x3xi64>
  %s = ingot.mul %two, %i : (tensor<i64>, tensor<5x3xi64>) -> tensor<5x3xi64>
  %k = ingot.iota axis = 1 : tensor<5x3xi64>
  %j = ingot.add %k, %s : (tensor<5x3xi64>, tensor<5x3xi64>) -> tensor<5x3xi64>
  %r = ingot.scatter add %dx, %d[%j] : (tensor<12xf64>, tensor<5x3xf64>, tensor<5x3xi64>) -> tensor<12xf64>
  return %r : tensor<12xf64>
}

// -----

// Windows that begin anywhere, integers, windows of the diagonal, and products for each index of a batch.
// CHECK-NOT: stablehlo.convolution
func.func @anywhere(%x: tensor<12xf64>, %first: tensor<10x1xi64>, %w: tensor<3x5xf64>) -> tensor<10x5xf64> {
  %k = ingot.iota axis = 1 : tensor<10x3xi64>
  %j = ingot.add %k, %first : (tensor<10x3xi64>, tensor<10x1xi64>) -> tensor<10x3xi64>
  %g = ingot.gather %x[%j] : (tensor<12xf64>, tensor<10x3xi64>) -> tensor<10x3xf64>
  %d = ingot.dot_general %g, %w batching = [] x [] contracting = [1] x [0] : (tensor<10x3xf64>, tensor<3x5xf64>) -> tensor<10x5xf64>
  return %d : tensor<10x5xf64>
}
func.func @integers(%x: tensor<12xi64>, %w: tensor<3x5xi64>) -> tensor<10x5xi64> {
  %i = ingot.iota axis = 0 : tensor<10x3xi64>
  %k = ingot.iota axis = 1 : tensor<10x3xi64>
  %j = ingot.add %k, %i : (tensor<10x3xi64>, tensor<10x3xi64>) -> tensor<10x3xi64>
  %g = ingot.gather %x[%j] : (tensor<12xi64>, tensor<10x3xi64>) -> tensor<10x3xi64>
  %d = ingot.dot_general %g, %w batching = [] x [] contracting = [1] x [0] : (tensor<10x3xi64>, tensor<3x5xi64>) -> tensor<10x5xi64>
  return %d : tensor<10x5xi64>
}
func.func @diagonal(%x: tensor<12x12xf64>, %w: tensor<3x5xf64>) -> tensor<10x5xf64> {
  %i = ingot.iota axis = 0 : tensor<10x3xi64>
  %k = ingot.iota axis = 1 : tensor<10x3xi64>
  %j = ingot.add %k, %i : (tensor<10x3xi64>, tensor<10x3xi64>) -> tensor<10x3xi64>
  %g = ingot.gather %x[%j, %i] : (tensor<12x12xf64>, tensor<10x3xi64>, tensor<10x3xi64>) -> tensor<10x3xf64>
  %d = ingot.dot_general %g, %w batching = [] x [] contracting = [1] x [0] : (tensor<10x3xf64>, tensor<3x5xf64>) -> tensor<10x5xf64>
  return %d : tensor<10x5xf64>
}
func.func @each(%x: tensor<12x7xf64>, %w: tensor<3x5x7xf64>) -> tensor<7x10x5xf64> {
  %i = ingot.iota axis = 0 : tensor<10x3xi64>
  %k = ingot.iota axis = 1 : tensor<10x3xi64>
  %j = ingot.add %k, %i : (tensor<10x3xi64>, tensor<10x3xi64>) -> tensor<10x3xi64>
  %g = ingot.gather %x[%j] : (tensor<12x7xf64>, tensor<10x3xi64>) -> tensor<10x3x7xf64>
  %d = ingot.dot_general %g, %w batching = [2] x [2] contracting = [1] x [0] : (tensor<10x3x7xf64>, tensor<3x5x7xf64>) -> tensor<7x10x5xf64>
  return %d : tensor<7x10x5xf64>
}
func.func @empty(%x: tensor<12xf64>, %w: tensor<0x5xf64>) -> tensor<10x5xf64> {
  %i = ingot.iota axis = 0 : tensor<10x0xi64>
  %k = ingot.iota axis = 1 : tensor<10x0xi64>
  %j = ingot.add %k, %i : (tensor<10x0xi64>, tensor<10x0xi64>) -> tensor<10x0xi64>
  %g = ingot.gather %x[%j] : (tensor<12xf64>, tensor<10x0xi64>) -> tensor<10x0xf64>
  %d = ingot.dot_general %g, %w batching = [] x [] contracting = [1] x [0] : (tensor<10x0xf64>, tensor<0x5xf64>) -> tensor<10x5xf64>
  return %d : tensor<10x5xf64>
}
// Neither slides: windows side by side are one reshape away.
func.func @plain(%x: tensor<12x7xf64>, %w: tensor<7x5xf64>) -> tensor<10x5xf64> {
  %i = ingot.iota axis = 0 : tensor<10xi64>
  %g = ingot.gather %x[%i] : (tensor<12x7xf64>, tensor<10xi64>) -> tensor<10x7xf64>
  %d = ingot.dot_general %g, %w batching = [] x [] contracting = [1] x [0] : (tensor<10x7xf64>, tensor<7x5xf64>) -> tensor<10x5xf64>
  return %d : tensor<10x5xf64>
}
