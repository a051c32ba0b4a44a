// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_slice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<2xf64> {
// CHECK-NEXT: %[[SLICE:.*]] = ingot.slice %[[DX]] starts = [1] sizes = [2] strides = [1] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: return %[[SLICE]] : tensor<2xf64>
// CHECK-LABEL: func.func @vjp_slice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[PAD:.*]] = ingot.pad %[[R0]], %[[CONSTANT]] low = [1] high = [1] interior = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[PAD]] : tensor<4xf64>
func.func @jvp_slice(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<2xf64>) {
  %r:2 = ingot.jvp "slice"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.slice %xi starts = [1] sizes = [2] strides = [1] : (tensor<4xf64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
func.func @vjp_slice(%x: tensor<4xf64>, %r0: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "slice"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.slice %xi starts = [1] sizes = [2] strides = [1] : (tensor<4xf64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_dynamic_slice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[I:.*]]: tensor<i64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<2xf64> {
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[DX]][%[[I]]] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
// CHECK-NEXT: return %[[DYNAMIC_SLICE]] : tensor<2xf64>
// CHECK-LABEL: func.func @vjp_dynamic_slice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[I:.*]]: tensor<i64>, %[[R0:.*]]: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[UPDATE_SLICE:.*]] = ingot.update_slice %[[CONSTANT]], %[[R0]][%[[I]]] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[UPDATE_SLICE]] : tensor<4xf64>
func.func @jvp_dynamic_slice(%x: tensor<4xf64>, %i: tensor<i64>, %dx: tensor<4xf64>) -> (tensor<2xf64>) {
  %r:2 = ingot.jvp "dynamic_slice"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.dynamic_slice %xi[%i] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
func.func @vjp_dynamic_slice(%x: tensor<4xf64>, %i: tensor<i64>, %r0: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "dynamic_slice"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.dynamic_slice %xi[%i] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_update_slice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<i64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[UPDATE_SLICE:.*]] = ingot.update_slice %[[DX]], %[[DY]][%[[I]]] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[UPDATE_SLICE]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_update_slice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<i64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<2xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[R0]][%[[I]]] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
// CHECK-NEXT: %[[UPDATE_SLICE:.*]] = ingot.update_slice %[[R0]], %[[CONSTANT]][%[[I]]] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[UPDATE_SLICE]], %[[DYNAMIC_SLICE]] : tensor<4xf64>, tensor<2xf64>
func.func @jvp_update_slice(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<i64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "update_slice"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.update_slice %xi, %yi[%i] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_update_slice(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<i64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "update_slice"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.update_slice %xi, %yi[%i] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @jvp_gather(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[I:.*]]: tensor<2xi64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<2xf64> {
// CHECK-NEXT: %[[GATHER:.*]] = ingot.gather %[[DX]][%[[I]]] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
// CHECK-NEXT: return %[[GATHER]] : tensor<2xf64>
// CHECK-LABEL: func.func @vjp_gather(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[I:.*]]: tensor<2xi64>, %[[R0:.*]]: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[SCATTER:.*]] = ingot.scatter add %[[CONSTANT]], %[[R0]][%[[I]]] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SCATTER]] : tensor<4xf64>
func.func @jvp_gather(%x: tensor<4xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>) -> (tensor<2xf64>) {
  %r:2 = ingot.jvp "gather"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.gather %xi[%i] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
func.func @vjp_gather(%x: tensor<4xf64>, %i: tensor<2xi64>, %r0: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "gather"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.gather %xi[%i] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_scatter_set(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<2xi64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SCATTER:.*]] = ingot.scatter set %[[DX]], %[[DY]][%[[I]]] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SCATTER]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_scatter_set(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<2xi64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<4> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0.000000e+00> : tensor<2xf64>
// CHECK-NEXT: %[[GATHER:.*]] = ingot.gather %[[R0]][%[[I]]] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SCATTER:.*]] = ingot.scatter set %[[R0]], %[[CONSTANT_4]][%[[I]]] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ge %[[I]], %[[CONSTANT_3]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare lt %[[I]], %[[CONSTANT_2]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE]], %[[COMPARE_2]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<2xi64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[IOTA]] : (tensor<2xi64>) -> tensor<1x2xi64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[IOTA]] : (tensor<2xi64>) -> tensor<2x1xi64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare lt %[[RESHAPE_2]], %[[RESHAPE]] : (tensor<2x1xi64>, tensor<1x2xi64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[I]] : (tensor<2xi64>) -> tensor<1x2xi64>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[I]] : (tensor<2xi64>) -> tensor<2x1xi64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[RESHAPE_4]], %[[RESHAPE_3]] : (tensor<2x1xi64>, tensor<1x2xi64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[AND_2:.*]] = ingot.and %[[COMPARE_3]], %[[COMPARE_4]] : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce or %[[AND_2]] axes = [1] : (tensor<2x2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[NOT:.*]] = ingot.not %[[REDUCE]] : tensor<2xi1>
// CHECK-NEXT: %[[AND_3:.*]] = ingot.and %[[AND]], %[[NOT]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[AND_3]], %[[GATHER]], %[[CONSTANT]] : (tensor<2xi1>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: return %[[SCATTER]], %[[SELECT]] : tensor<4xf64>, tensor<2xf64>
func.func @jvp_scatter_set(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "scatter_set"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter set %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_scatter_set(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "scatter_set"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter set %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @jvp_scatter_add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<2xi64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SCATTER:.*]] = ingot.scatter add %[[DX]], %[[DY]][%[[I]]] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SCATTER]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_scatter_add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<2xi64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<4> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[GATHER:.*]] = ingot.gather %[[R0]][%[[I]]] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ge %[[I]], %[[CONSTANT_3]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare lt %[[I]], %[[CONSTANT_2]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE]], %[[COMPARE_2]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[AND]], %[[GATHER]], %[[CONSTANT]] : (tensor<2xi1>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: return %[[R0]], %[[SELECT]] : tensor<4xf64>, tensor<2xf64>
func.func @jvp_scatter_add(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "scatter_add"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter add %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_scatter_add(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "scatter_add"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter add %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @jvp_scatter_mul(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<2xi64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<4> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ge %[[I]], %[[CONSTANT_4]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare lt %[[I]], %[[CONSTANT_3]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE]], %[[COMPARE_2]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[FOR:.*]]:2 = ingot.for %[[ARG:.*]] = %[[CONSTANT_4]] to %[[CONSTANT_2]] step %[[CONSTANT]] carry (%[[ARG_2:.*]] = %[[X]], %[[ARG_3:.*]] = %[[DX]]) : tensor<4xf64>, tensor<4xf64> {
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[I]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[DYNAMIC_SLICE]] : (tensor<1xi64>) -> tensor<i64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_2:.*]] = ingot.dynamic_slice %[[ARG_2]][%[[RESHAPE]]] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_3:.*]] = ingot.dynamic_slice %[[ARG_3]][%[[RESHAPE]]] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_4:.*]] = ingot.dynamic_slice %[[Y]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_5:.*]] = ingot.dynamic_slice %[[DY]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DYNAMIC_SLICE_2]], %[[DYNAMIC_SLICE_4]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DYNAMIC_SLICE_3]], %[[DYNAMIC_SLICE_4]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DYNAMIC_SLICE_5]], %[[DYNAMIC_SLICE_2]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_6:.*]] = ingot.dynamic_slice %[[AND]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xi1>, tensor<i64>) -> tensor<1xi1>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[DYNAMIC_SLICE_6]] : (tensor<1xi1>) -> tensor<i1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[RESHAPE_2]], %[[MUL]], %[[DYNAMIC_SLICE_2]] : (tensor<i1>, tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[RESHAPE_2]], %[[ADD]], %[[DYNAMIC_SLICE_3]] : (tensor<i1>, tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[UPDATE_SLICE:.*]] = ingot.update_slice %[[ARG_2]], %[[SELECT]][%[[RESHAPE]]] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %[[UPDATE_SLICE_2:.*]] = ingot.update_slice %[[ARG_3]], %[[SELECT_2]][%[[RESHAPE]]] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: ingot.yield %[[UPDATE_SLICE]], %[[UPDATE_SLICE_2]] : tensor<4xf64>, tensor<4xf64>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[FOR]]#1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_scatter_mul(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<2xi64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<1xf64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<2xf64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0.000000e+00> : tensor<2x1xf64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_6:.*]] = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_7:.*]] = ingot.constant dense<4> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_8:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ge %[[I]], %[[CONSTANT_8]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare lt %[[I]], %[[CONSTANT_7]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE]], %[[COMPARE_2]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[FOR:.*]]:2 = ingot.for %[[ARG:.*]] = %[[CONSTANT_8]] to %[[CONSTANT_6]] step %[[CONSTANT_5]] carry (%[[ARG_2:.*]] = %[[X]], %[[ARG_3:.*]] = %[[CONSTANT_4]]) : tensor<4xf64>, tensor<2x1xf64> {
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[I]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[DYNAMIC_SLICE]] : (tensor<1xi64>) -> tensor<i64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_2:.*]] = ingot.dynamic_slice %[[ARG_2]][%[[RESHAPE]]] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_3:.*]] = ingot.dynamic_slice %[[Y]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DYNAMIC_SLICE_2]], %[[DYNAMIC_SLICE_3]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_4:.*]] = ingot.dynamic_slice %[[AND]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xi1>, tensor<i64>) -> tensor<1xi1>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[DYNAMIC_SLICE_4]] : (tensor<1xi1>) -> tensor<i1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[RESHAPE_2]], %[[MUL]], %[[DYNAMIC_SLICE_2]] : (tensor<i1>, tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[UPDATE_SLICE:.*]] = ingot.update_slice %[[ARG_2]], %[[SELECT]][%[[RESHAPE]]] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[DYNAMIC_SLICE_2]] : (tensor<1xf64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[UPDATE_SLICE_2:.*]] = ingot.update_slice %[[ARG_3]], %[[RESHAPE_3]][%[[ARG]], %[[CONSTANT_8]]] strides = [1, 1] : (tensor<2x1xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<2x1xf64>
// CHECK-NEXT: ingot.yield %[[UPDATE_SLICE]], %[[UPDATE_SLICE_2]] : tensor<4xf64>, tensor<2x1xf64>
// CHECK-NEXT: }
// CHECK-NEXT: %[[FOR_2:.*]]:3 = ingot.for %[[ARG_4:.*]] = %[[CONSTANT_8]] to %[[CONSTANT_6]] step %[[CONSTANT_5]] carry (%[[ARG_5:.*]] = %[[R0]], %[[ARG_6:.*]] = %[[CONSTANT_3]], %[[ARG_7:.*]] = %[[FOR]]#0) : tensor<4xf64>, tensor<2xf64>, tensor<4xf64> {
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT_5]], %[[ARG_4]] : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_5:.*]] = ingot.dynamic_slice %[[FOR]]#1[%[[SUB]], %[[CONSTANT_8]]] sizes = [1, 1] strides = [1, 1] : (tensor<2x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[DYNAMIC_SLICE_5]] : (tensor<1x1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_6:.*]] = ingot.dynamic_slice %[[Y]][%[[SUB]]] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_7:.*]] = ingot.dynamic_slice %[[I]][%[[SUB]]] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[RESHAPE_5:.*]] = ingot.reshape %[[DYNAMIC_SLICE_7]] : (tensor<1xi64>) -> tensor<i64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_8:.*]] = ingot.dynamic_slice %[[AND]][%[[SUB]]] sizes = [1] strides = [1] : (tensor<2xi1>, tensor<i64>) -> tensor<1xi1>
// CHECK-NEXT: %[[RESHAPE_6:.*]] = ingot.reshape %[[DYNAMIC_SLICE_8]] : (tensor<1xi1>) -> tensor<i1>
// CHECK-NEXT: %[[UPDATE_SLICE_3:.*]] = ingot.update_slice %[[ARG_7]], %[[RESHAPE_4]][%[[RESHAPE_5]]] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_9:.*]] = ingot.dynamic_slice %[[ARG_5]][%[[RESHAPE_5]]] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[UPDATE_SLICE_4:.*]] = ingot.update_slice %[[ARG_5]], %[[CONSTANT_2]][%[[RESHAPE_5]]] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[RESHAPE_6]], %[[DYNAMIC_SLICE_9]], %[[CONSTANT]] : (tensor<i1>, tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[RESHAPE_6]], %[[CONSTANT]], %[[DYNAMIC_SLICE_9]] : (tensor<i1>, tensor<f64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[SELECT_2]], %[[DYNAMIC_SLICE_6]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[SELECT_2]], %[[RESHAPE_4]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT_3]], %[[MUL_NO_NAN]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[DYNAMIC_SLICE_10:.*]] = ingot.dynamic_slice %[[ARG_6]][%[[SUB]]] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[DYNAMIC_SLICE_10]], %[[MUL_NO_NAN_2]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[UPDATE_SLICE_5:.*]] = ingot.update_slice %[[ARG_6]], %[[ADD_2]][%[[SUB]]] strides = [1] : (tensor<2xf64>, tensor<1xf64>, tensor<i64>) -> tensor<2xf64>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[ADD]], %[[CONSTANT_2]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[UPDATE_SLICE_6:.*]] = ingot.update_slice %[[UPDATE_SLICE_4]], %[[ADD_3]][%[[RESHAPE_5]]] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: ingot.yield %[[UPDATE_SLICE_6]], %[[UPDATE_SLICE_5]], %[[UPDATE_SLICE_3]] : tensor<4xf64>, tensor<2xf64>, tensor<4xf64>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[FOR_2]]#0, %[[FOR_2]]#1 : tensor<4xf64>, tensor<2xf64>
func.func @jvp_scatter_mul(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "scatter_mul"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter mul %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_scatter_mul(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "scatter_mul"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter mul %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}
