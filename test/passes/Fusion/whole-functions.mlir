// RUN: ingot-opt --split-input-file --form-fusions %s | FileCheck %s

// A function that is native as a whole is one fusion, however small it is.

// CHECK-LABEL: @whole
func.func @whole(%x: tensor<3xf64>, %y: tensor<f64>) -> (tensor<3xf64>, tensor<f64>, tensor<3xf64>) {
  // CHECK-NEXT: %[[R:.*]]:2 = ingot.fusion
  // CHECK-NEXT: ingot.add
  // CHECK-NEXT: ingot.mul
  // CHECK-NEXT: ingot.yield
  // CHECK: return %[[R]]#0, %[[R]]#1, %arg0
  %0 = ingot.add %x, %y : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  %1 = ingot.mul %y, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0, %1, %x : tensor<3xf64>, tensor<f64>, tensor<3xf64>
}

// -----

// Beside what stays with XLA, small operations do too.

// CHECK-LABEL: @part
// CHECK-NOT: ingot.fusion
func.func @part(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = ingot.sort %x axis = 0 keys = 1 : (tensor<3xf64>) -> tensor<3xf64>
  %1 = ingot.add %0, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %1 : tensor<3xf64>
}

// -----

// The branches of others are no functions.

// CHECK-LABEL: @branch
// CHECK-NOT: ingot.fusion
func.func @branch(%p: tensor<i1>, %x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = ingot.if %p : tensor<3xf64> {
    %1 = ingot.sort %x axis = 0 keys = 1 : (tensor<3xf64>) -> tensor<3xf64>
    ingot.yield %1 : tensor<3xf64>
  } else {
    %2 = ingot.add %x, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    ingot.yield %2 : tensor<3xf64>
  }
  return %0 : tensor<3xf64>
}
