// RUN: ingot-opt %s --orient-products | FileCheck %s

// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[A:.*]]: tensor<30x40xf64>, %[[B:.*]]: tensor<50x30xf64>)
// CHECK: ingot.dot_general %[[A]], %[[B]] batching = [] x [] contracting = [0] x [1] : (tensor<30x40xf64>, tensor<50x30xf64>) -> tensor<40x50xf64>
func.func @transposed(%a: tensor<30x40xf64>, %b: tensor<50x30xf64>) -> tensor<40x50xf64> {
  %0 = ingot.transpose %a axes = [1, 0] : (tensor<30x40xf64>) -> tensor<40x30xf64>
  %1 = ingot.transpose %b axes = [1, 0] : (tensor<50x30xf64>) -> tensor<30x50xf64>
  %2 = ingot.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<40x30xf64>, tensor<30x50xf64>) -> tensor<40x50xf64>
  return %2 : tensor<40x50xf64>
}

// The rows of the left operand have no common stride, so they are copied.
// CHECK-LABEL: func.func @apart
// CHECK-SAME: (%[[A:.*]]: tensor<5x30x8xf64>, %[[B:.*]]: tensor<30x50xf64>)
// CHECK: %[[COPY:.*]] = ingot.transpose %[[A]] axes = [0, 2, 1]
// CHECK: ingot.dot_general %[[COPY]], %[[B]] batching = [] x [] contracting = [2] x [0]
func.func @apart(%a: tensor<5x30x8xf64>, %b: tensor<30x50xf64>) -> tensor<5x8x50xf64> {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<5x30x8xf64>, tensor<30x50xf64>) -> tensor<5x8x50xf64>
  return %0 : tensor<5x8x50xf64>
}

// An axis of size 1 is elsewhere in what is not transposed.
// CHECK-LABEL: func.func @axis_of_one
// CHECK-SAME: (%[[A:.*]]: tensor<40x1x30xf64>, %[[B:.*]]: tensor<30x50xf64>)
// CHECK: %[[PRODUCT:.*]] = ingot.dot_general %[[A]], %[[B]] batching = [] x [] contracting = [2] x [0] {{.*}} -> tensor<40x1x50xf64>
// CHECK: ingot.reshape %[[PRODUCT]] : (tensor<40x1x50xf64>) -> tensor<1x40x50xf64>
func.func @axis_of_one(%a: tensor<40x1x30xf64>, %b: tensor<30x50xf64>) -> tensor<1x40x50xf64> {
  %0 = ingot.transpose %a axes = [1, 0, 2] : (tensor<40x1x30xf64>) -> tensor<1x40x30xf64>
  %1 = ingot.dot_general %0, %b batching = [] x [] contracting = [2] x [0] : (tensor<1x40x30xf64>, tensor<30x50xf64>) -> tensor<1x40x50xf64>
  return %1 : tensor<1x40x50xf64>
}

// Kernels compute small products and those with a vector themselves.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: ingot.transpose
// CHECK: return
func.func @others(%a: tensor<3x4xf64>, %b: tensor<400x300xf64>, %x: tensor<400xf64>)
    -> (tensor<4x4xf64>, tensor<300xf64>) {
  %0 = ingot.transpose %a axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %1 = ingot.dot_general %0, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x3xf64>, tensor<3x4xf64>) -> tensor<4x4xf64>
  %2 = ingot.transpose %b axes = [1, 0] : (tensor<400x300xf64>) -> tensor<300x400xf64>
  %3 = ingot.dot_general %2, %x batching = [] x [] contracting = [1] x [0] : (tensor<300x400xf64>, tensor<400xf64>) -> tensor<300xf64>
  return %1, %3 : tensor<4x4xf64>, tensor<300xf64>
}

// Products of long vectors are sums, which threads share; others are computed in one loop.
// CHECK-LABEL: func.func @vectors
// CHECK-SAME: (%[[X:.*]]: tensor<200000xf32>, %[[Y:.*]]: tensor<200000xf32>
// CHECK: %[[TERMS:.*]] = ingot.mul %[[X]], %[[Y]]
// CHECK: %[[SUM:.*]] = ingot.reduce add %[[TERMS]] axes = [0]
// CHECK: %[[SHORT:.*]] = ingot.dot_general
// CHECK: return %[[SUM]], %[[SHORT]]
func.func @vectors(%x: tensor<200000xf32>, %y: tensor<200000xf32>, %a: tensor<300xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = ingot.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<200000xf32>, tensor<200000xf32>) -> tensor<f32>
  %1 = ingot.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : (tensor<300xf32>, tensor<300xf32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @strict_vectors
// CHECK: ingot.dot_general
func.func @strict_vectors(%x: tensor<200000xf64>) -> tensor<f64> attributes {ingot.strict} {
  %0 = ingot.dot_general %x, %x batching = [] x [] contracting = [0] x [0] : (tensor<200000xf64>, tensor<200000xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
