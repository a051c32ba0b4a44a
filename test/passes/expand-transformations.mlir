// RUN: ingot-opt %s --expand-transformations --symbol-dce --canonicalize | FileCheck %s

// Reverse over forward over reverse: the third derivative of x * x * x.
func.func private @cube(%x: tensor<f64>) -> tensor<f64> {
  %0 = ingot.mul %x, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %1 = ingot.mul %0, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
func.func private @slope(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp @cube(%x, %one) of = [0] wrt = [0] : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}
func.func private @curvature(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.jvp @slope(%x, %one) of = [0] wrt = [0] : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}
// CHECK-NOT: @cube
// CHECK-LABEL: func.func @third
func.func @third(%x: tensor<f64>) -> tensor<f64> {
  // CHECK-NOT: ingot.jvp
  // CHECK-NOT: ingot.vjp
  // CHECK: return
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp @curvature(%x, %one) of = [0] wrt = [0] : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}
