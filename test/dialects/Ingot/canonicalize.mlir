// RUN: ingot-opt --canonicalize %s | FileCheck %s

// The factors are exchanged where the transpose exchanges their axes.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.*]]: tensor<5x3xf64>, %[[B:.*]]: tensor<5x4xf64>)
// CHECK-NEXT: %[[C:.*]] = ingot.dot_general %[[B]], %[[A]] batching = [0] x [0] contracting = [] x [] : (tensor<5x4xf64>, tensor<5x3xf64>) -> tensor<5x4x3xf64>
// CHECK-NEXT: return %[[C]]
func.func @product(%a: tensor<5x3xf64>, %b: tensor<5x4xf64>) -> tensor<5x4x3xf64> {
  %0 = ingot.dot_general %a, %b batching = [0] x [0] contracting = [] x [] : (tensor<5x3xf64>, tensor<5x4xf64>) -> tensor<5x3x4xf64>
  %1 = ingot.transpose %0 axes = [0, 2, 1] : (tensor<5x3x4xf64>) -> tensor<5x4x3xf64>
  return %1 : tensor<5x4x3xf64>
}

// CHECK-LABEL: func.func @several_axes
// CHECK: ingot.dot_general %arg1, %arg0 batching = [] x [] contracting = [0] x [1] : (tensor<4x6x7xf64>, tensor<3x4xf64>) -> tensor<6x7x3xf64>
// CHECK-NOT: ingot.transpose
func.func @several_axes(%a: tensor<3x4xf64>, %b: tensor<4x6x7xf64>) -> tensor<6x7x3xf64> {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x6x7xf64>) -> tensor<3x6x7xf64>
  %1 = ingot.transpose %0 axes = [1, 2, 0] : (tensor<3x6x7xf64>) -> tensor<6x7x3xf64>
  return %1 : tensor<6x7x3xf64>
}

// Not where the axes of one factor are permuted, or the product has other uses.
// CHECK-LABEL: func.func @kept
// CHECK: ingot.transpose %{{.*}} axes = [2, 1, 0]
// CHECK: ingot.transpose %{{.*}} axes = [1, 2, 0]
func.func @kept(%a: tensor<3x4xf64>, %b: tensor<4x6x7xf64>) -> (tensor<7x6x3xf64>, tensor<6x7x3xf64>, tensor<3x6x7xf64>) {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x6x7xf64>) -> tensor<3x6x7xf64>
  %1 = ingot.transpose %0 axes = [2, 1, 0] : (tensor<3x6x7xf64>) -> tensor<7x6x3xf64>
  %2 = ingot.sin %0 : tensor<3x6x7xf64>
  %3 = ingot.transpose %0 axes = [1, 2, 0] : (tensor<3x6x7xf64>) -> tensor<6x7x3xf64>
  return %1, %3, %2 : tensor<7x6x3xf64>, tensor<6x7x3xf64>, tensor<3x6x7xf64>
}
