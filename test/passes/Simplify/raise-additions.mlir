// RUN: ingot-opt --raise-additions --prune-carried --canonicalize --split-input-file %s | FileCheck %s

// Rows that are added to columns, from the last one to the first.
// CHECK-LABEL: @columns
// CHECK-NOT: ingot.for
// CHECK: %[[F:[a-z0-9_]+]] = ingot.flip %arg0 axes = [0] : (tensor<20x32xf64>)
// CHECK: %[[T:[a-z0-9_]+]] = ingot.transpose %[[F]] axes = [1, 0] : (tensor<20x32xf64>) -> tensor<32x20xf64>
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %arg1, %[[T]]
// CHECK: return %[[S]]
func.func @columns(%a: tensor<20x32xf64>, %x: tensor<32x20xf64>) -> tensor<32x20xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %19 = ingot.constant dense<19> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r = ingot.for %i = %0 to %20 step %1 carry (%h = %x) : tensor<32x20xf64> {
    %j = ingot.sub %19, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<20x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %3 = ingot.reshape %2 : (tensor<1x32xf64>) -> tensor<32xf64>
    %4 = ingot.reshape %3 : (tensor<32xf64>) -> tensor<32x1xf64>
    %5 = ingot.dynamic_slice %h[%0, %j] sizes = [32, 1] strides = [1, 1] : (tensor<32x20xf64>, tensor<i64>, tensor<i64>) -> tensor<32x1xf64>
    %6 = ingot.add %5, %4 : (tensor<32x1xf64>, tensor<32x1xf64>) -> tensor<32x1xf64>
    %7 = ingot.update_slice %h, %6[%0, %j] strides = [1, 1] : (tensor<32x20xf64>, tensor<32x1xf64>, tensor<i64>, tensor<i64>) -> tensor<32x20xf64>
    ingot.yield %7 : tensor<32x20xf64>
  }
  return %r : tensor<32x20xf64>
}

// -----

// A part of the rows, twice, to a part of the rows; each sum is reshaped before it is stored. The
// other array stays in the loop.
// CHECK-LABEL: @parts
// CHECK: %[[L:[a-z0-9_]+]] = ingot.for {{.*}} carry (%{{[a-z0-9_]+}} = %arg2) : tensor<4xf64> {
// CHECK-NOT: update_slice
// CHECK: }
// CHECK-DAG: %[[A:[a-z0-9_]+]] = ingot.slice %arg0 starts = [3, 0] sizes = [10, 4] strides = [1, 1]
// CHECK-DAG: %[[X:[a-z0-9_]+]] = ingot.slice %arg1 starts = [1, 0] sizes = [10, 4] strides = [1, 1]
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %[[X]], %[[A]]
// CHECK: %[[U:[a-z0-9_]+]] = ingot.update_slice %arg1, %[[S]]
// CHECK: %[[B:[a-z0-9_]+]] = ingot.slice %arg0 starts = [0, 0] sizes = [10, 4] strides = [1, 1]
// CHECK: %[[Y:[a-z0-9_]+]] = ingot.slice %[[U]] starts = [1, 0] sizes = [10, 4] strides = [1, 1]
// CHECK: %[[V:[a-z0-9_]+]] = ingot.add %[[Y]], %[[B]]
// CHECK: %[[W:[a-z0-9_]+]] = ingot.update_slice %[[U]], %[[V]]
// CHECK: return %[[W]], %[[L]]
func.func @parts(%a: tensor<20x4xf64>, %x: tensor<16x4xf64>, %y: tensor<4xf64>) -> (tensor<16x4xf64>, tensor<4xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %3 = ingot.constant dense<3> : tensor<i64>
  %10 = ingot.constant dense<10> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %10 step %1 carry (%h = %x, %g = %y) : tensor<16x4xf64>, tensor<4xf64> {
    %j = ingot.add %i, %3 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %k = ingot.add %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = ingot.dynamic_slice %a[%j, %0] sizes = [1, 4] strides = [1, 1] : (tensor<20x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %4 = ingot.reshape %2 : (tensor<1x4xf64>) -> tensor<4xf64>
    %5 = ingot.dynamic_slice %h[%k, %0] sizes = [1, 4] strides = [1, 1] : (tensor<16x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %6 = ingot.reshape %5 : (tensor<1x4xf64>) -> tensor<4xf64>
    %7 = ingot.add %6, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %8 = ingot.reshape %7 : (tensor<4xf64>) -> tensor<1x4xf64>
    %9 = ingot.update_slice %h, %8[%k, %0] strides = [1, 1] : (tensor<16x4xf64>, tensor<1x4xf64>, tensor<i64>, tensor<i64>) -> tensor<16x4xf64>
    %11 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 4] strides = [1, 1] : (tensor<20x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %12 = ingot.dynamic_slice %9[%k, %0] sizes = [1, 4] strides = [1, 1] : (tensor<16x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %13 = ingot.add %11, %12 : (tensor<1x4xf64>, tensor<1x4xf64>) -> tensor<1x4xf64>
    %14 = ingot.update_slice %9, %13[%k, %0] strides = [1, 1] : (tensor<16x4xf64>, tensor<1x4xf64>, tensor<i64>, tensor<i64>) -> tensor<16x4xf64>
    %15 = ingot.mul %g, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %14, %15 : tensor<16x4xf64>, tensor<4xf64>
  }
  return %r#0, %r#1 : tensor<16x4xf64>, tensor<4xf64>
}

// -----

// A part of zeros.
// CHECK-LABEL: @zeros
// CHECK: %[[P:[a-z0-9_]+]] = ingot.pad %arg0, %{{.+}} low = [1, 0] high = [3, 0] interior = [0, 0] : (tensor<4x3xf64>, tensor<f64>) -> tensor<8x3xf64>
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %[[P]], %{{.+}}
// CHECK: return %[[S]]
func.func @zeros(%a: tensor<4x3xf64>) -> tensor<8x3xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %4 = ingot.constant dense<4> : tensor<i64>
  %z = ingot.constant dense<0.0> : tensor<8x3xf64>
  %r = ingot.for %i = %0 to %4 step %1 carry (%h = %z) : tensor<8x3xf64> {
    %j = ingot.add %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 3] strides = [1, 1] : (tensor<4x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %3 = ingot.reshape %2 : (tensor<1x3xf64>) -> tensor<1x3xf64>
    %5 = ingot.dynamic_slice %h[%j, %0] sizes = [1, 3] strides = [1, 1] : (tensor<8x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %6 = ingot.add %5, %3 : (tensor<1x3xf64>, tensor<1x3xf64>) -> tensor<1x3xf64>
    %7 = ingot.update_slice %h, %6[%j, %0] strides = [1, 1] : (tensor<8x3xf64>, tensor<1x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x3xf64>
    ingot.yield %7 : tensor<8x3xf64>
  }
  return %r : tensor<8x3xf64>
}

// -----

// What else an iteration does with the array; a row that is not the same in each direction.
// CHECK-LABEL: @others
// CHECK-COUNT-3: ingot.update_slice
func.func @others(%a: tensor<20x20xf64>, %x: tensor<20x20xf64>, %y: tensor<20x20xf64>, %z: tensor<20xf64>, %w: tensor<20x20xf64>) -> (tensor<20x20xf64>, tensor<20x20xf64>, tensor<20xf64>, tensor<20x20xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r:4 = ingot.for %i = %0 to %20 step %1 carry (%h = %x, %g = %y, %s = %z, %f = %w) : tensor<20x20xf64>, tensor<20x20xf64>, tensor<20xf64>, tensor<20x20xf64> {
    // An element of it is read.
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 20] strides = [1, 1] : (tensor<20x20xf64>, tensor<i64>, tensor<i64>) -> tensor<1x20xf64>
    %3 = ingot.dynamic_slice %h[%i, %0] sizes = [1, 20] strides = [1, 1] : (tensor<20x20xf64>, tensor<i64>, tensor<i64>) -> tensor<1x20xf64>
    %4 = ingot.add %3, %2 : (tensor<1x20xf64>, tensor<1x20xf64>) -> tensor<1x20xf64>
    %5 = ingot.update_slice %h, %4[%i, %0] strides = [1, 1] : (tensor<20x20xf64>, tensor<1x20xf64>, tensor<i64>, tensor<i64>) -> tensor<20x20xf64>
    %6 = ingot.dynamic_slice %h[%0, %i] sizes = [20, 1] strides = [1, 1] : (tensor<20x20xf64>, tensor<i64>, tensor<i64>) -> tensor<20x1xf64>
    %7 = ingot.reshape %6 : (tensor<20x1xf64>) -> tensor<20xf64>
    %8 = ingot.add %s, %7 : (tensor<20xf64>, tensor<20xf64>) -> tensor<20xf64>
    // All iterations add to one row.
    %9 = ingot.dynamic_slice %g[%0, %0] sizes = [1, 20] strides = [1, 1] : (tensor<20x20xf64>, tensor<i64>, tensor<i64>) -> tensor<1x20xf64>
    %10 = ingot.add %9, %2 : (tensor<1x20xf64>, tensor<1x20xf64>) -> tensor<1x20xf64>
    %11 = ingot.update_slice %g, %10[%0, %0] strides = [1, 1] : (tensor<20x20xf64>, tensor<1x20xf64>, tensor<i64>, tensor<i64>) -> tensor<20x20xf64>
    // What is added is no row from outside.
    %12 = ingot.mul %2, %2 : (tensor<1x20xf64>, tensor<1x20xf64>) -> tensor<1x20xf64>
    %13 = ingot.dynamic_slice %f[%i, %0] sizes = [1, 20] strides = [1, 1] : (tensor<20x20xf64>, tensor<i64>, tensor<i64>) -> tensor<1x20xf64>
    %14 = ingot.add %13, %12 : (tensor<1x20xf64>, tensor<1x20xf64>) -> tensor<1x20xf64>
    %15 = ingot.update_slice %f, %14[%i, %0] strides = [1, 1] : (tensor<20x20xf64>, tensor<1x20xf64>, tensor<i64>, tensor<i64>) -> tensor<20x20xf64>
    ingot.yield %5, %11, %8, %15 : tensor<20x20xf64>, tensor<20x20xf64>, tensor<20xf64>, tensor<20x20xf64>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<20x20xf64>, tensor<20x20xf64>, tensor<20xf64>, tensor<20x20xf64>
}

// -----

// Almost all rows: what the others get does not change them.
// CHECK-LABEL: @almost_all
// CHECK: %[[K:[a-z0-9_]+]] = ingot.constant dense<-0.000000e+00> : tensor<f64>
// CHECK: %[[P:[a-z0-9_]+]] = ingot.pad %arg0, %[[K]] low = [0, 0] high = [1, 0] interior = [0, 0] : (tensor<8x3xf64>, tensor<f64>) -> tensor<9x3xf64>
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %arg1, %[[P]]
// CHECK: return %[[S]]
func.func @almost_all(%a: tensor<8x3xf64>, %x: tensor<9x3xf64>) -> tensor<9x3xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %8 = ingot.constant dense<8> : tensor<i64>
  %r = ingot.for %i = %0 to %8 step %1 carry (%h = %x) : tensor<9x3xf64> {
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 3] strides = [1, 1] : (tensor<8x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %3 = ingot.dynamic_slice %h[%i, %0] sizes = [1, 3] strides = [1, 1] : (tensor<9x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %4 = ingot.add %3, %2 : (tensor<1x3xf64>, tensor<1x3xf64>) -> tensor<1x3xf64>
    %5 = ingot.update_slice %h, %4[%i, %0] strides = [1, 1] : (tensor<9x3xf64>, tensor<1x3xf64>, tensor<i64>, tensor<i64>) -> tensor<9x3xf64>
    ingot.yield %5 : tensor<9x3xf64>
  }
  return %r : tensor<9x3xf64>
}
