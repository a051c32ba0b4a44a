// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_all_gather(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[ALL_GATHER:.*]] = ingot.all_gather %[[DX]] axis = "i" : (tensor<4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[ALL_GATHER]] : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_all_gather(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<3x4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[PSUM:.*]] = ingot.psum %[[R0]] axis = "i" : tensor<3x4xf64>
// CHECK-NEXT: %[[AXIS_INDEX:.*]] = ingot.axis_index "i" : tensor<i64>
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[PSUM]][%[[AXIS_INDEX]], %[[CONSTANT]]] sizes = [1, 4] strides = [1, 1] : (tensor<3x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[DYNAMIC_SLICE]] : (tensor<1x4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[RESHAPE]] : tensor<4xf64>
func.func @jvp_all_gather(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "all_gather"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.all_gather %xi axis = "i" : (tensor<4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_all_gather(%x: tensor<4xf64>, %r0: tensor<3x4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "all_gather"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.all_gather %xi axis = "i" : (tensor<4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_ppermute(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[PPERMUTE:.*]] = ingot.ppermute %[[DX]] axis = "i" sources = [2, 0, -1] : tensor<4xf64>
// CHECK-NEXT: return %[[PPERMUTE]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_ppermute(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[PPERMUTE:.*]] = ingot.ppermute %[[R0]] axis = "i" sources = [1, -1, 0] : tensor<4xf64>
// CHECK-NEXT: return %[[PPERMUTE]] : tensor<4xf64>
func.func @jvp_ppermute(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "ppermute"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.ppermute %xi axis = "i" sources = [2, 0, -1] : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_ppermute(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "ppermute"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.ppermute %xi axis = "i" sources = [2, 0, -1] : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_psum(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[PSUM:.*]] = ingot.psum %[[DX]] axis = "i" : tensor<4xf64>
// CHECK-NEXT: return %[[PSUM]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_psum(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[PSUM:.*]] = ingot.psum %[[R0]] axis = "i" : tensor<4xf64>
// CHECK-NEXT: return %[[PSUM]] : tensor<4xf64>
func.func @jvp_psum(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "psum"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.psum %xi axis = "i" : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_psum(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "psum"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.psum %xi axis = "i" : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
