// RUN: ingot-opt --trap-nans %s | FileCheck %s

// A check after each operation on floats: it fails if the operands are finite and
// the result is not.
// CHECK-LABEL: func.func @traps
// CHECK-SAME: (%[[X:.*]]: tensor<4xf64>, %[[N:.*]]: tensor<i64>)
// CHECK: %[[Y:.*]] = ingot.log %[[X]]
// CHECK-NEXT: %[[IS:.*]] = ingot.is_finite %[[Y]]
// CHECK-NEXT: %[[ALL:.*]] = ingot.reduce and %[[IS]] axes = [0]
// CHECK-NEXT: %[[WAS:.*]] = ingot.is_finite %[[X]]
// CHECK-NEXT: %[[BEFORE:.*]] = ingot.reduce and %[[WAS]] axes = [0]
// CHECK-NEXT: %[[NOT:.*]] = ingot.not %[[BEFORE]]
// CHECK-NEXT: %[[FINE:.*]] = ingot.or %[[ALL]], %[[NOT]]
// CHECK-NEXT: ingot.assert %[[FINE]], "FloatingPointError"
// CHECK: ingot.while
// CHECK-NOT: ingot.assert
// CHECK: do {
// CHECK: ingot.mul
// CHECK: ingot.assert
func.func @traps(%x: tensor<4xf64>, %n: tensor<i64>) -> (tensor<4xf64>, tensor<i64>) {
  %0 = ingot.log %x : tensor<4xf64>
  %1 = ingot.add %n, %n : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %2 = ingot.while (%a = %0) : tensor<4xf64> cond {
    %3 = ingot.neg %a : tensor<4xf64>
    %4 = ingot.compare lt %3, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
    %5 = ingot.reduce and %4 axes = [0] : (tensor<4xi1>) -> tensor<i1>
    ingot.condition %5 : tensor<i1>
  } do {
    %3 = ingot.mul %a, %a : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %3 : tensor<4xf64>
  }
  return %2, %1 : tensor<4xf64>, tensor<i64>
}

// The body of another dialect's operation holds no checks.
// CHECK-LABEL: func.func @lowered
// CHECK-NOT: ingot.assert
func.func @lowered(%x: tensor<4xf64>) -> tensor<f64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
