// RUN: ingot-opt --guard-products %s | FileCheck %s
// RUN: ingot-opt --guard-products=large %s | FileCheck %s --check-prefix=LARGE

// Kernels compute small products themselves.
// LARGE-LABEL: @large
// LARGE: ingot.if
// LARGE-LABEL: @zeros
// LARGE-NOT: ingot.if
// CHECK-LABEL: @large
// CHECK: ingot.if
func.func @large(%a: tensor<40x50xf64>, %b: tensor<50x60xf64>) -> tensor<40x60xf64> {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<40x50xf64>, tensor<50x60xf64>) -> tensor<40x60xf64>
  return %0 : tensor<40x60xf64>
}

// Infinite and NaN elements are searched in the smaller arrays: in the result of a matrix-vector
// product, in the operands of an outer product.
// CHECK-LABEL: @zeros
func.func @zeros(%a: tensor<4x5xf64>, %x: tensor<5xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4x5xf64>) {
  // CHECK: %[[PLAIN:.+]] = ingot.dot_general %arg0, %arg1 batching = [] x [] contracting = [1] x [0] :
  // CHECK: %[[FINITE:.+]] = ingot.is_finite %[[PLAIN]]
  // CHECK: %[[ALL:.+]] = ingot.reduce and %[[FINITE]] axes = [0]
  // CHECK: %[[R:.+]] = ingot.if %[[ALL]]
  // CHECK: ingot.yield %[[PLAIN]]
  // CHECK: } else {
  // CHECK: %[[SLOW:.+]] = ingot.dot_general %arg0, %arg1 {{.*}}{rhs_zeros}
  // CHECK: ingot.yield %[[SLOW]]
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<4x5xf64>, tensor<5xf64>) -> tensor<4xf64>
  // CHECK: ingot.dot_general %arg2, %arg1
  // CHECK: ingot.is_finite %arg1
  // CHECK: ingot.is_finite %arg2
  // CHECK: %[[BOTH:.+]] = ingot.and
  // CHECK: ingot.if %[[BOTH]]
  %1 = ingot.dot_general %y, %x batching = [] x [] contracting = [] x [] {lhs_zeros, rhs_zeros} : (tensor<4xf64>, tensor<5xf64>) -> tensor<4x5xf64>
  // CHECK: return %[[R]]
  return %0, %1 : tensor<4xf64>, tensor<4x5xf64>
}

// CHECK-LABEL: @complex
// CHECK: ingot.dot_general
// CHECK-DAG: %[[RE:.+]] = ingot.real
// CHECK-DAG: %[[IM:.+]] = ingot.imag
// CHECK-DAG: ingot.is_finite %[[RE]]
// CHECK-DAG: ingot.is_finite %[[IM]]
// CHECK: ingot.if
func.func @complex(%a: tensor<4x5xcomplex<f64>>, %x: tensor<5xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<4x5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// Other products are plain already.
// CHECK-LABEL: @plain
// CHECK-NOT: ingot.if
func.func @plain(%a: tensor<4x5xf64>, %x: tensor<5xf64>) -> tensor<4xf64> {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<4x5xf64>, tensor<5xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
