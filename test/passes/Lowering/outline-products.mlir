// RUN: ingot-opt %s --outline-products=least=2 --split-input-file | FileCheck %s
// RUN: ingot-opt %s --outline-products --split-input-file | FileCheck %s --check-prefix=FEW
// FEW-NOT: call @{{mul|div}}_no_nan

// CHECK-LABEL: func.func @equal
// CHECK-SAME: (%[[X:.*]]: tensor<3xf64>, %[[Y:.*]]: tensor<f64>)
func.func @equal(%x: tensor<3xf64>, %y: tensor<f64>) -> tensor<3xf64> {
  // CHECK-NEXT: %[[P:.*]] = call @mul_no_nan(%[[X]], %[[Y]]) : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  // CHECK-NEXT: %[[Q:.*]] = call @mul_no_nan(%[[P]], %[[Y]])
  // CHECK-NEXT: return %[[Q]]
  %0 = ingot.mul_no_nan %x, %y : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  %1 = ingot.mul_no_nan %0, %y : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %1 : tensor<3xf64>
}
// CHECK: func.func private @mul_no_nan(%[[A:.*]]: tensor<3xf64>, %[[B:.*]]: tensor<f64>) -> tensor<3xf64> {
// CHECK-NEXT: %[[R:.*]] = ingot.mul_no_nan %[[A]], %[[B]]
// CHECK-NEXT: return %[[R]]

// -----

// Products of several functions and regions call the same function.
// CHECK-LABEL: func.func @mul_no_nan
func.func @mul_no_nan(%x: tensor<f64>, %p: tensor<i1>) -> tensor<f64> {
  // CHECK: ingot.if
  // CHECK: call @[[F:mul_no_nan_[0-9]+]](
  %0 = ingot.if %p : tensor<f64> {
    %1 = ingot.mul_no_nan %x, %x {both} : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %1 : tensor<f64>
  } else {
    ingot.yield %x : tensor<f64>
  }
  return %0 : tensor<f64>
}
// CHECK-LABEL: func.func @other
func.func @other(%x: tensor<f64>) -> tensor<f64> {
  // CHECK-NEXT: call @[[F]](
  %0 = ingot.mul_no_nan %x, %x {both} : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// CHECK: func.func private @[[F]](
// CHECK-NEXT: ingot.mul_no_nan {{.*}} {both}

// -----

// Types, attributes and operations have to be equal.
// CHECK-LABEL: func.func @different
// CHECK-NOT: call
func.func @different(%x: tensor<3xf64>, %y: tensor<f64>) -> tensor<3xf64> {
  %0 = ingot.mul_no_nan %x, %y : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  %1 = ingot.mul_no_nan %0, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %2 = ingot.mul_no_nan %1, %x {both} : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %3 = ingot.div_no_nan %2, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %3 : tensor<3xf64>
}

// -----

// Two products of matrices are enough. One is not, and plain ones stay.
// CHECK-LABEL: func.func @matrices
func.func @matrices(%x: tensor<3x3xf64>, %y: tensor<3x3xf64>) -> tensor<3x3xf64> {
  // CHECK-NEXT: %[[P:.*]] = call @dot_general(%{{.*}}, %{{.*}})
  // CHECK-NEXT: %[[Q:.*]] = call @dot_general(%[[P]], %{{.*}})
  // CHECK-NEXT: %[[R:.*]] = ingot.dot_general %[[Q]]
  // CHECK-NEXT: %[[S:.*]] = ingot.dot_general %[[R]]
  // CHECK-NEXT: %[[T:.*]] = ingot.dot_general %[[S]]
  // CHECK-NEXT: return %[[T]]
  %0 = ingot.dot_general %x, %y batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %1 = ingot.dot_general %0, %y batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %2 = ingot.dot_general %1, %y batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %3 = ingot.dot_general %2, %y batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %4 = ingot.dot_general %3, %y batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  return %4 : tensor<3x3xf64>
}
// CHECK: func.func private @dot_general(
// CHECK-NEXT: ingot.dot_general {{.*}}lhs_zeros
