// RUN: ingot-opt --scale-products %s | FileCheck %s

// CHECK-LABEL: @scaled
// CHECK-NEXT:  %[[P:.+]] = ingot.dot_general %arg0, %arg1
// CHECK-NEXT:  %[[Q:.+]] = ingot.div %[[P]], %arg3 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT:  %[[R:.+]] = ingot.mul %[[Q]], %arg2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT:  return %[[R]]
func.func @scaled(%a: tensor<4x5xf64>, %v: tensor<5xf64>, %s: tensor<f64>, %t: tensor<f64>) -> tensor<4xf64> {
  %0 = ingot.mul %s, %a : (tensor<f64>, tensor<4x5xf64>) -> tensor<4x5xf64>
  %1 = ingot.div %0, %t : (tensor<4x5xf64>, tensor<f64>) -> tensor<4x5xf64>
  %2 = ingot.dot_general %1, %v batching = [] x [] contracting = [1] x [0] : (tensor<4x5xf64>, tensor<5xf64>) -> tensor<4xf64>
  return %2 : tensor<4xf64>
}

// Both operands are scaled.
// CHECK-LABEL: @squared
// CHECK-NEXT:  ingot.dot_general %arg0, %arg0
// CHECK-NEXT:  ingot.mul
// CHECK-NEXT:  ingot.mul
func.func @squared(%a: tensor<4x5xf64>, %s: tensor<f64>) -> tensor<4x4xf64> {
  %0 = ingot.mul %a, %s : (tensor<4x5xf64>, tensor<f64>) -> tensor<4x5xf64>
  %1 = ingot.mul %a, %s : (tensor<4x5xf64>, tensor<f64>) -> tensor<4x5xf64>
  %2 = ingot.dot_general %0, %1 batching = [] x [] contracting = [1] x [1] : (tensor<4x5xf64>, tensor<4x5xf64>) -> tensor<4x4xf64>
  return %2 : tensor<4x4xf64>
}

// Not if the result is larger, the scaled array has other uses, the factor is an array, a number is
// divided by the array, or the elements are integers, which wrap around.
// CHECK-LABEL: @others
// CHECK-NEXT:  %[[A:.+]] = ingot.mul %arg0, %arg2
// CHECK-NEXT:  ingot.dot_general %[[A]], %arg0
// CHECK-NEXT:  %[[B:.+]] = ingot.mul %arg1, %arg2
// CHECK-NEXT:  ingot.dot_general %[[B]], %[[B]]
// CHECK-NEXT:  %[[C:.+]] = ingot.mul %arg1, %arg0
// CHECK-NEXT:  ingot.dot_general %[[C]], %arg0
// CHECK-NEXT:  %[[D:.+]] = ingot.div %arg2, %arg1
// CHECK-NEXT:  ingot.dot_general %[[D]], %arg0
// CHECK-NEXT:  %[[E:.+]] = ingot.mul %arg3, %arg4
// CHECK-NEXT:  ingot.dot_general %[[E]], %arg3
func.func @others(%v: tensor<5xf64>, %a: tensor<5x5xf64>, %s: tensor<f64>, %i: tensor<5xi64>, %n: tensor<i64>) -> (tensor<5x5xf64>, tensor<5x5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<i64>) {
  %0 = ingot.mul %v, %s : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
  %1 = ingot.dot_general %0, %v batching = [] x [] contracting = [] x [] : (tensor<5xf64>, tensor<5xf64>) -> tensor<5x5xf64>
  %2 = ingot.mul %a, %s : (tensor<5x5xf64>, tensor<f64>) -> tensor<5x5xf64>
  %3 = ingot.dot_general %2, %2 batching = [] x [] contracting = [1] x [0] : (tensor<5x5xf64>, tensor<5x5xf64>) -> tensor<5x5xf64>
  %4 = ingot.mul %a, %v : (tensor<5x5xf64>, tensor<5xf64>) -> tensor<5x5xf64>
  %5 = ingot.dot_general %4, %v batching = [] x [] contracting = [1] x [0] : (tensor<5x5xf64>, tensor<5xf64>) -> tensor<5xf64>
  %6 = ingot.div %s, %a : (tensor<f64>, tensor<5x5xf64>) -> tensor<5x5xf64>
  %7 = ingot.dot_general %6, %v batching = [] x [] contracting = [1] x [0] : (tensor<5x5xf64>, tensor<5xf64>) -> tensor<5xf64>
  %8 = ingot.mul %i, %n : (tensor<5xi64>, tensor<i64>) -> tensor<5xi64>
  %9 = ingot.dot_general %8, %i batching = [] x [] contracting = [0] x [0] : (tensor<5xi64>, tensor<5xi64>) -> tensor<i64>
  return %1, %3, %5, %7, %9 : tensor<5x5xf64>, tensor<5x5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<i64>
}
