// RUN: ingot-opt %s --separate-compared | FileCheck %s

// `q == q.max()`, as the derivative of the maximum of rows computes it.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<3x4xf64>, %y: tensor<3x4xf64>) -> (tensor<3x4xi1>, tensor<3x4xf64>) {
  // CHECK: %[[Q:.*]] = ingot.add
  // CHECK-NEXT: %[[ONCE:.*]] = ingot.barrier %[[Q]] : tensor<3x4xf64>
  // CHECK: %[[ROWS:.*]] = ingot.reshape %[[ONCE]]
  // CHECK: ingot.reduce max %[[ROWS]]
  // CHECK: ingot.compare eq %[[ONCE]], %{{.*}}
  // CHECK: ingot.sin %[[ONCE]]
  %p = ingot.mul %x, %y : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %q = ingot.add %p, %y : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %flat = ingot.reshape %q : (tensor<3x4xf64>) -> tensor<12xf64>
  %m = ingot.reduce max %flat axes = [0] : (tensor<12xf64>) -> tensor<f64>
  %all = ingot.broadcast_to %m : (tensor<f64>) -> tensor<3x4xf64>
  %r = ingot.compare eq %q, %all : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xi1>
  %s = ingot.sin %q : tensor<3x4xf64>
  return %r, %s : tensor<3x4xi1>, tensor<3x4xf64>
}

// A running extremum, on the other side.
// CHECK-LABEL: func.func @running
func.func @running(%x: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: ingot.barrier
  %q = ingot.exp %x : tensor<4xf32>
  %m = ingot.cumulative min %q axis = 0 : (tensor<4xf32>) -> tensor<4xf32>
  %r = ingot.compare lt %m, %q : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// Arguments lie in memory, integers are exact, and a sum is no extremum.
// CHECK-LABEL: func.func @nothing_to_separate
func.func @nothing_to_separate(%x: tensor<4xf64>, %i: tensor<4xi64>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK-NOT: ingot.barrier
  %m = ingot.reduce max %x axes = [0] : (tensor<4xf64>) -> tensor<f64>
  %all = ingot.broadcast_to %m : (tensor<f64>) -> tensor<4xf64>
  %r = ingot.compare eq %x, %all : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  %j = ingot.mul %i, %i : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %n = ingot.reduce max %j axes = [0] : (tensor<4xi64>) -> tensor<i64>
  %each = ingot.broadcast_to %n : (tensor<i64>) -> tensor<4xi64>
  %s = ingot.compare eq %j, %each : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
  %q = ingot.sin %x : tensor<4xf64>
  %t = ingot.reduce add %q axes = [0] : (tensor<4xf64>) -> tensor<f64>
  %sums = ingot.broadcast_to %t : (tensor<f64>) -> tensor<4xf64>
  %u = ingot.compare gt %q, %sums : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  return %r, %s, %u : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// XLA computes a product once, whatever reads it.
// CHECK-LABEL: func.func @product
func.func @product(%x: tensor<3x4xf64>) -> tensor<3x3xi1> {
  // CHECK-NOT: ingot.barrier
  %p = ingot.dot_general %x, %x batching = [] x [] contracting = [1] x [1] : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x3xf64>
  %m = ingot.reduce max %p axes = [0, 1] : (tensor<3x3xf64>) -> tensor<f64>
  %all = ingot.broadcast_to %m : (tensor<f64>) -> tensor<3x3xf64>
  %r = ingot.compare eq %p, %all : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xi1>
  return %r : tensor<3x3xi1>
}

// The lowering of arg_reduce compares with the extremum.
// CHECK-LABEL: func.func @positions
func.func @positions(%x: tensor<4xf64>) -> (tensor<i64>, tensor<i64>) {
  // CHECK: ingot.arg_reduce max %arg0
  // CHECK: %[[Q:.*]] = ingot.exp
  // CHECK: %[[ONCE:.*]] = ingot.barrier %[[Q]]
  // CHECK: ingot.arg_reduce min %[[ONCE]]
  %a = ingot.arg_reduce max %x axis = 0 : (tensor<4xf64>) -> tensor<i64>
  %q = ingot.exp %x : tensor<4xf64>
  %b = ingot.arg_reduce min %q axis = 0 : (tensor<4xf64>) -> tensor<i64>
  return %a, %b : tensor<i64>, tensor<i64>
}
