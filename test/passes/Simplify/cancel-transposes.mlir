// RUN: ingot-opt %s --cancel-transposes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @unary
// CHECK-NEXT: %[[R:.*]] = ingot.sin %arg0 : tensor<2x3x4xf64>
// CHECK-NEXT: return %[[R]]
func.func @unary(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = ingot.transpose %x axes = [1, 2, 0] : (tensor<2x3x4xf64>) -> tensor<3x4x2xf64>
  %1 = ingot.sin %0 : tensor<3x4x2xf64>
  %2 = ingot.transpose %1 axes = [2, 0, 1] : (tensor<3x4x2xf64>) -> tensor<2x3x4xf64>
  return %2 : tensor<2x3x4xf64>
}

// -----

// Other operands are transposed; those with fewer axes get axes of size 1, and numbers stay. What
// broadcasts still does.
// CHECK-LABEL: func.func @operands
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf64>, %[[Y:.*]]: tensor<3x2xf64>, %[[Z:.*]]: tensor<2xf64>, %[[S:.*]]: tensor<f64>)
// CHECK-DAG: %[[ROW:.*]] = ingot.reshape %[[Z]] : (tensor<2xf64>) -> tensor<1x2xf64>
// CHECK-DAG: %[[COLUMN:.*]] = ingot.transpose %[[ROW]] axes = [1, 0] : (tensor<1x2xf64>) -> tensor<2x1xf64>
// CHECK-DAG: %[[A:.*]] = ingot.mul %[[X]], %[[COLUMN]] : (tensor<2x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
// CHECK-DAG: %[[B:.*]] = ingot.add %[[A]], %[[S]] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>
// CHECK-DAG: %[[YT:.*]] = ingot.transpose %[[Y]] axes = [1, 0] : (tensor<3x2xf64>) -> tensor<2x3xf64>
// CHECK: %[[C:.*]] = ingot.compare lt %[[YT]], %[[B]] : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xi1>
// CHECK-NEXT: return %[[C]]
func.func @operands(%x: tensor<2x3xf64>, %y: tensor<3x2xf64>, %z: tensor<2xf64>, %s: tensor<f64>) -> tensor<2x3xi1> {
  %0 = ingot.transpose %x axes = [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %1 = ingot.mul %0, %z : (tensor<3x2xf64>, tensor<2xf64>) -> tensor<3x2xf64>
  %2 = ingot.add %1, %s : (tensor<3x2xf64>, tensor<f64>) -> tensor<3x2xf64>
  %3 = ingot.compare lt %y, %2 : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xi1>
  %4 = ingot.transpose %3 axes = [1, 0] : (tensor<3x2xi1>) -> tensor<2x3xi1>
  return %4 : tensor<2x3xi1>
}

// -----

// Indices are those along another axis.
// CHECK-LABEL: func.func @iota
// CHECK: %[[I:.*]] = ingot.iota axis = 1 : tensor<2x3xi64>
// CHECK-NEXT: ingot.mul %arg0, %[[I]]
func.func @iota(%x: tensor<2x3xi64>) -> tensor<2x3xi64> {
  %0 = ingot.transpose %x axes = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  %1 = ingot.iota axis = 0 : tensor<3x2xi64>
  %2 = ingot.mul %0, %1 : (tensor<3x2xi64>, tensor<3x2xi64>) -> tensor<3x2xi64>
  %3 = ingot.transpose %2 axes = [1, 0] : (tensor<3x2xi64>) -> tensor<2x3xi64>
  return %3 : tensor<2x3xi64>
}

// -----

// The sum is also used as it is, no operand is transposed back, and the operation is outside of the
// loop.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-5: ingot.transpose
// CHECK-NOT: ingot.transpose
func.func @others(%x: tensor<2x2xf64>, %y: tensor<2x2x2xf64>, %n: tensor<i64>) -> (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2x2xf64>, tensor<2x2xf64>) {
  %0 = ingot.transpose %x axes = [1, 0] : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %1 = ingot.sin %0 : tensor<2x2xf64>
  %2 = ingot.transpose %1 axes = [1, 0] : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %3 = ingot.transpose %y axes = [1, 2, 0] : (tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  %4 = ingot.sin %3 : tensor<2x2x2xf64>
  %5 = ingot.transpose %4 axes = [1, 2, 0] : (tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  %c = ingot.constant dense<1> : tensor<i64>
  %6 = ingot.cos %0 : tensor<2x2xf64>
  %7 = ingot.for %i = %c to %n step %c carry (%a = %x) : tensor<2x2xf64> {
    %8 = ingot.transpose %6 axes = [1, 0] : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %9 = ingot.add %a, %8 : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    ingot.yield %9 : tensor<2x2xf64>
  }
  return %1, %2, %5, %7 : tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2x2xf64>, tensor<2x2xf64>
}

// -----

// What is erased is erased once: the transpose is an operand of the sine, and of the product of both,
// in either order.
// CHECK-LABEL: func.func @shared
// CHECK-NEXT: %[[S:.*]] = ingot.sin %arg0 : tensor<2x3xf64>
// CHECK-NEXT: %[[R:.*]] = ingot.mul %[[S]], %arg0
// CHECK-NEXT: return %[[R]]
func.func @shared(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = ingot.transpose %x axes = [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %1 = ingot.sin %0 : tensor<3x2xf64>
  %2 = ingot.mul %1, %0 : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %3 = ingot.transpose %2 axes = [1, 0] : (tensor<3x2xf64>) -> tensor<2x3xf64>
  return %3 : tensor<2x3xf64>
}

// -----

// CHECK-LABEL: func.func @shared_in_other_order
// CHECK-NEXT: %[[S:.*]] = ingot.sin %arg0 : tensor<2x3xf64>
// CHECK-NEXT: %[[R:.*]] = ingot.mul %arg0, %[[S]]
// CHECK-NEXT: return %[[R]]
func.func @shared_in_other_order(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = ingot.transpose %x axes = [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %1 = ingot.sin %0 : tensor<3x2xf64>
  %2 = ingot.mul %0, %1 : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %3 = ingot.transpose %2 axes = [1, 0] : (tensor<3x2xf64>) -> tensor<2x3xf64>
  return %3 : tensor<2x3xf64>
}
