// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_barrier(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[BARRIER:.*]] = ingot.barrier %[[DX]] : tensor<4xf64>
// CHECK-NEXT: return %[[BARRIER]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_barrier(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: return %[[R0]] : tensor<4xf64>
func.func @jvp_barrier(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "barrier"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.barrier %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_barrier(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "barrier"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.barrier %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
