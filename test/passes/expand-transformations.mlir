// RUN: ingot-opt --split-input-file --verify-diagnostics --expand-transformations --symbol-dce --canonicalize %s | FileCheck %s

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

// -----

// The gradient of each item, of a function of a batch: all are expanded, the
// innermost first.
func.func private @total(%x: tensor<5x3xf64>) -> tensor<f64> {
  %0 = ingot.vmap "square"(%x) size = 5 shared = [] {
  ^bb0(%a: tensor<3xf64>):
    %2 = ingot.mul %a, %a : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    ingot.yield %2 : tensor<3xf64>
  } : (tensor<5x3xf64>) -> tensor<5x3xf64>
  %1 = ingot.reduce add %0 axes = [0, 1] : (tensor<5x3xf64>) -> tensor<f64>
  return %1 : tensor<f64>
}

// CHECK-LABEL: func.func @of_batches
// CHECK-SAME: (%[[X:.*]]: tensor<7x5x3xf64>, %[[T:.*]]: tensor<f64>)
// CHECK: %[[A:.*]] = ingot.mul_no_nan %{{.*}}, %[[X]] : (tensor<5x3xf64>, tensor<7x5x3xf64>)
// CHECK: %[[SUM:.*]] = ingot.add %[[A]],
// CHECK: return %[[SUM]] : tensor<7x5x3xf64>
func.func @of_batches(%x: tensor<7x5x3xf64>, %t: tensor<f64>) -> tensor<7x5x3xf64> {
  %0 = ingot.vmap "total"(%x) size = 7 shared = [] {
  ^bb0(%a: tensor<5x3xf64>):
    %1:2 = ingot.vjp @total(%a, %t) of = [0] wrt = [0] : (tensor<5x3xf64>, tensor<f64>) -> (tensor<f64>, tensor<5x3xf64>)
    ingot.yield %1#1 : tensor<5x3xf64>
  } : (tensor<7x5x3xf64>) -> tensor<7x5x3xf64>
  return %0 : tensor<7x5x3xf64>
}

// -----

func.func @not_outlined(%x: tensor<5xf64>, %t: tensor<f64>) -> tensor<5xf64> {
  // expected-error @below {{a transformation inside stands in the way; run outline-derivatives first}}
  %0 = ingot.vmap "f"(%x) size = 5 shared = [] {
  ^bb0(%a: tensor<f64>):
    %1:2 = ingot.derivative vjp "f"(%a, %t) of = [0] {
    ^bb0(%b: tensor<f64>):
      ingot.yield %b : tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    ingot.yield %1#1 : tensor<f64>
  } : (tensor<5xf64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}
