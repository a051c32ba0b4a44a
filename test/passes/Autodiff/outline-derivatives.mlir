// RUN: ingot-opt %s --outline-derivatives | FileCheck %s

// What the region takes from outside becomes arguments, constants stay constants; the inner one
// comes first.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[K:.*]]: tensor<f64>)
func.func @twice(%x: tensor<f64>, %k: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[ONE:.*]] = ingot.constant
  // CHECK: %[[R:.*]]:2 = ingot.vjp @f_0(%[[X]], %[[K]], %[[ONE]]) of = [0] wrt = [0]
  // CHECK: return %[[R]]#1
  %one = ingot.constant dense<1.0> : tensor<f64>
  %r:2 = ingot.derivative vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %s:2 = ingot.derivative jvp "f"(%a, %one) of = [0] {
    ^bb0(%b: tensor<f64>):
      %p = ingot.mul %b, %k : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %p : tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    ingot.yield %s#1 : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}
// CHECK: func.func private @f(%[[B:.*]]: tensor<f64>, %[[L:.*]]: tensor<f64>) -> tensor<f64> {
// CHECK: %[[P:.*]] = ingot.mul %[[B]], %[[L]]
// CHECK: return %[[P]]
// CHECK: func.func private @f_0(%[[A:.*]]: tensor<f64>, %[[M:.*]]: tensor<f64>) -> tensor<f64> {
// CHECK: %[[C:.*]] = ingot.constant dense<1.0
// CHECK: %[[S:.*]]:2 = ingot.jvp @f(%[[A]], %[[M]], %[[C]]) of = [0] wrt = [0]
// CHECK: return %[[S]]#1
