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
