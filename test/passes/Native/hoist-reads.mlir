// RUN: ingot-opt %s --hoist-reads | FileCheck %s

// CHECK-LABEL: func.func @cotangents
// CHECK-SAME: (%[[A:.*]]: tensor<8xf64>, %[[B:.*]]: tensor<4xf64>)
func.func @cotangents(%a: tensor<8xf64>, %b: tensor<4xf64>) -> (tensor<8xf64>, tensor<4xf64>, tensor<4xf64>) {
  %zeros = ingot.constant dense<0.0> : tensor<4xf64>
  %0 = ingot.slice %a starts = [0] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
  %i = ingot.constant dense<0> : tensor<i64>
  // CHECK: %[[S:.*]] = ingot.slice %[[A]]
  // CHECK: %[[P:.*]] = ingot.mul %[[S]], %[[B]]
  // CHECK: %[[E:.*]] = ingot.exp %[[P]]
  // CHECK: %[[U:.*]] = ingot.update_slice %[[A]]
  // What depends on the store stays.
  // CHECK: %[[T:.*]] = ingot.slice %[[U]]
  // CHECK: ingot.add %[[S]], %[[T]]
  %1 = ingot.update_slice %a, %zeros[%i] strides = [1] : (tensor<8xf64>, tensor<4xf64>, tensor<i64>) -> tensor<8xf64>
  %2 = ingot.mul %0, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %3 = ingot.exp %2 : tensor<4xf64>
  %4 = ingot.slice %1 starts = [1] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
  %5 = ingot.add %0, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %1, %3, %5 : tensor<8xf64>, tensor<4xf64>, tensor<4xf64>
}

// The adjoint of a stencil: all that adds parts of the array moves, whatever the order of the uses.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: (%[[A:.*]]: tensor<8xf64>, %[[B:.*]]: tensor<8xf64>)
func.func @padded(%a: tensor<8xf64>, %b: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %zeros = ingot.constant dense<0.0> : tensor<6xf64>
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %i = ingot.constant dense<1> : tensor<i64>
  // CHECK: %[[S:.*]] = ingot.slice %[[A]]
  // CHECK-COUNT-2: ingot.pad %[[S]]
  // CHECK: %[[X:.*]] = ingot.add %[[B]]
  // CHECK: ingot.add %[[X]]
  // CHECK: ingot.update_slice %[[A]]
  %0 = ingot.slice %a starts = [1] sizes = [6] strides = [1] : (tensor<8xf64>) -> tensor<6xf64>
  %1 = ingot.update_slice %a, %zeros[%i] strides = [1] : (tensor<8xf64>, tensor<6xf64>, tensor<i64>) -> tensor<8xf64>
  %2 = ingot.pad %0, %zero low = [0] high = [2] interior = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<8xf64>
  %3 = ingot.add %b, %2 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %4 = ingot.pad %0, %zero low = [2] high = [0] interior = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<8xf64>
  %5 = ingot.add %3, %4 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %1, %5 : tensor<8xf64>, tensor<8xf64>
}
