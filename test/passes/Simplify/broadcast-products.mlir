// RUN: ingot-opt --broadcast-products %s | FileCheck %s

// CHECK-LABEL: @outer
// CHECK-NEXT: %[[X:.+]] = ingot.reshape %arg0 : (tensor<4xf64>) -> tensor<4x1xf64>
// CHECK-NEXT: %[[Y:.+]] = ingot.reshape %arg1 : (tensor<5xf64>) -> tensor<1x5xf64>
// CHECK-NEXT: %[[R:.+]] = ingot.mul %[[X]], %[[Y]] : (tensor<4x1xf64>, tensor<1x5xf64>) -> tensor<4x5xf64>
// CHECK-NEXT: return %[[R]]
func.func @outer(%x: tensor<4xf64>, %y: tensor<5xf64>) -> tensor<4x5xf64> {
  %0 = ingot.dot_general %x, %y batching = [] x [] contracting = [] x [] : (tensor<4xf64>, tensor<5xf64>) -> tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}

// The batching axes come first.
// CHECK-LABEL: @batches
// CHECK-NEXT: %[[X:.+]] = ingot.transpose %arg0 axes = [1, 0] : (tensor<4x2xf64>) -> tensor<2x4xf64>
// CHECK-NEXT: %[[S:.+]] = ingot.reshape %[[X]] : (tensor<2x4xf64>) -> tensor<2x4x1x1xf64>
// CHECK-NEXT: %[[Y:.+]] = ingot.reshape %arg1 : (tensor<2x5x3xf64>) -> tensor<2x1x5x3xf64>
// CHECK-NEXT: ingot.mul %[[S]], %[[Y]] : (tensor<2x4x1x1xf64>, tensor<2x1x5x3xf64>) -> tensor<2x4x5x3xf64>
func.func @batches(%x: tensor<4x2xf64>, %y: tensor<2x5x3xf64>) -> tensor<2x4x5x3xf64> {
  %0 = ingot.dot_general %x, %y batching = [1] x [0] contracting = [] x [] : (tensor<4x2xf64>, tensor<2x5x3xf64>) -> tensor<2x4x5x3xf64>
  return %0 : tensor<2x4x5x3xf64>
}

// Zeros of an operand rule if they did before; integers have no other numbers to rule over.
// CHECK-LABEL: @zeros
// CHECK: ingot.mul_no_nan {{.*}} : (tensor<4x1xf64>, tensor<1x5xf64>)
// CHECK: ingot.mul_no_nan {{.*}} : (tensor<1x5xf64>, tensor<4x1xf64>)
// CHECK: ingot.mul_no_nan {{.*}}both{{.*}} : (tensor<4x1xf64>, tensor<1x5xf64>)
// CHECK: ingot.mul {{.*}} : (tensor<4x1xi64>, tensor<1x4xi64>)
func.func @zeros(%x: tensor<4xf64>, %y: tensor<5xf64>, %i: tensor<4xi64>) -> (tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x4xi64>) {
  %0 = ingot.dot_general %x, %y batching = [] x [] contracting = [] x [] {lhs_zeros} : (tensor<4xf64>, tensor<5xf64>) -> tensor<4x5xf64>
  %1 = ingot.dot_general %x, %y batching = [] x [] contracting = [] x [] {rhs_zeros} : (tensor<4xf64>, tensor<5xf64>) -> tensor<4x5xf64>
  %2 = ingot.dot_general %x, %y batching = [] x [] contracting = [] x [] {lhs_zeros, rhs_zeros} : (tensor<4xf64>, tensor<5xf64>) -> tensor<4x5xf64>
  %3 = ingot.dot_general %i, %i batching = [] x [] contracting = [] x [] {lhs_zeros} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4x4xi64>
  return %0, %1, %2, %3 : tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x4xi64>
}

// CHECK-LABEL: @sum
// CHECK: ingot.dot_general
func.func @sum(%x: tensor<4xf64>) -> tensor<f64> {
  %0 = ingot.dot_general %x, %x batching = [] x [] contracting = [0] x [0] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
