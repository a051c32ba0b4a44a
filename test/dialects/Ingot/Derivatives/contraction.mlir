// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_dot_general(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[Y:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x3xf64>, %[[DY:.*]]: tensor<3x4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[DX]], %[[Y]] batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[X]], %[[DY]] batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DOT_GENERAL]], %[[DOT_GENERAL_2]] : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_dot_general(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[Y:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[R0]], %[[Y]] batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[X]], %[[R0]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[DOT_GENERAL]], %[[DOT_GENERAL_2]] : tensor<3x3xf64>, tensor<3x4xf64>
func.func @jvp_dot_general(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %dx: tensor<3x3xf64>, %dy: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "dot_general"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_dot_general(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %r0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
  %r:3 = ingot.vjp "dot_general"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>)
  return %r#1, %r#2 : tensor<3x3xf64>, tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_dot_general_zeros(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[Y:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x3xf64>, %[[DY:.*]]: tensor<3x4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[DX]], %[[Y]] batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[X]], %[[DY]] batching = [] x [] contracting = [1] x [0] {lhs_zeros, rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DOT_GENERAL]], %[[DOT_GENERAL_2]] : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_dot_general_zeros(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[Y:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[R0]], %[[Y]] batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[X]], %[[R0]] batching = [] x [] contracting = [0] x [0] {lhs_zeros, rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[DOT_GENERAL]], %[[DOT_GENERAL_2]] : tensor<3x3xf64>, tensor<3x4xf64>
func.func @jvp_dot_general_zeros(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %dx: tensor<3x3xf64>, %dy: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "dot_general_zeros"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_dot_general_zeros(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %r0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
  %r:3 = ingot.vjp "dot_general_zeros"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>)
  return %r#1, %r#2 : tensor<3x3xf64>, tensor<3x4xf64>
}
