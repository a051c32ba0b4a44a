// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_cholesky(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[DX:.*]]: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CHOLESKY:.*]] = ingot.cholesky %[[X]] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[CHOLESKY]], %[[CHOLESKY]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce or %[[COMPARE]] axes = [0, 1] : (tensor<3x3xi1>) -> tensor<i1>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<i1>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_4]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_2]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<f64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[RESHAPE]], %[[SELECT]], %[[CHOLESKY]] : (tensor<1x1xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT_4]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[DX]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_2]], %[[DX]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[SELECT_3]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT_3]], %[[TRANSPOSE]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[ADD]], %[[SELECT_4]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[SELECT_2]], %[[ADD_2]] lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[SELECT_2]], %[[TRANSPOSE_2]] lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_2]], %[[TRIANGULAR_SOLVE_2]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[SELECT_5]], %[[CONSTANT]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_3]], %[[TRIANGULAR_SOLVE_2]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[SELECT_6]], %[[MUL]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[SELECT_2]], %[[ADD_3]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[DOT_GENERAL]] : tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_cholesky(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[R0:.*]]: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CHOLESKY:.*]] = ingot.cholesky %[[X]] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[CHOLESKY]], %[[CHOLESKY]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce or %[[COMPARE]] axes = [0, 1] : (tensor<3x3xi1>) -> tensor<i1>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<i1>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_4]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_2]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<f64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[RESHAPE]], %[[SELECT]], %[[CHOLESKY]] : (tensor<1x1xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT_4]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[SELECT_2]], %[[R0]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[DOT_GENERAL]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DOT_GENERAL]], %[[CONSTANT]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_2]], %[[MUL]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT_3]], %[[SELECT_4]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[SELECT_2]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[TRANSPOSE]], %[[ADD]] lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[TRANSPOSE]], %[[TRANSPOSE_2]] lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE_2]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[TRIANGULAR_SOLVE_2]], %[[TRANSPOSE_3]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_2]], %[[TRIANGULAR_SOLVE_2]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_3]], %[[ADD_2]], %[[CONSTANT_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[SELECT_5]], %[[SELECT_6]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[ADD_3]] : tensor<3x3xf64>
func.func @jvp_cholesky(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:2 = ingot.jvp "cholesky"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o = ingot.cholesky %xi : (tensor<3x3xf64>) -> tensor<3x3xf64>
    ingot.yield %o : tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#1 : tensor<3x3xf64>
}
func.func @vjp_cholesky(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:2 = ingot.vjp "cholesky"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o = ingot.cholesky %xi : (tensor<3x3xf64>) -> tensor<3x3xf64>
    ingot.yield %o : tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#1 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_triangular_solve(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[Y:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x3xf64>, %[[DY:.*]]: tensor<3x4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[X]], %[[Y]] lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ge %[[SUB]], %[[CONSTANT]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[DX]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[SELECT]], %[[TRIANGULAR_SOLVE]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[DY]], %[[DOT_GENERAL]] : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[X]], %[[SUB_2]] lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[TRIANGULAR_SOLVE_2]] : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_triangular_solve(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[Y:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[X]], %[[Y]] lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[X]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[TRANSPOSE]], %[[R0]] lower = false unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE]] axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[TRIANGULAR_SOLVE_2]], %[[TRANSPOSE_2]] batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[DOT_GENERAL]] : tensor<3x3xf64>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ge %[[SUB]], %[[CONSTANT]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[NEG]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[SELECT]], %[[TRIANGULAR_SOLVE_2]] : tensor<3x3xf64>, tensor<3x4xf64>
func.func @jvp_triangular_solve(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %dx: tensor<3x3xf64>, %dy: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "triangular_solve"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.triangular_solve %xi, %yi lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_triangular_solve(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %r0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
  %r:3 = ingot.vjp "triangular_solve"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.triangular_solve %xi, %yi lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>)
  return %r#1, %r#2 : tensor<3x3xf64>, tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_lu(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[DX:.*]]: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<3> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[LU:.*]], %[[PIVOTS:.*]] = ingot.lu %[[X]] : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3xi64>
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[PIVOTS]] : (tensor<3xi32>) -> tensor<3xi64>
// CHECK-NEXT: %[[FOR:.*]] = ingot.for %[[ARG:.*]] = %[[CONSTANT_5]] to %[[CONSTANT_4]] step %[[CONSTANT_3]] carry (%[[ARG_2:.*]] = %[[IOTA]]) : tensor<3xi64> {
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[CONVERT]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<3xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[IOTA]], %[[ARG]] : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[IOTA]], %[[DYNAMIC_SLICE]] : (tensor<3xi64>, tensor<1xi64>) -> tensor<3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[ARG_2]], %[[CONSTANT_5]] : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[SELECT]] axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[ARG_2]], %[[CONSTANT_5]] : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT_2]] axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[REDUCE_2]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_2]], %[[RESHAPE]], %[[ARG_2]] : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE]], %[[RESHAPE_2]], %[[SELECT_3]] : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: ingot.yield %[[SELECT_4]] : tensor<3xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[FOR]] : (tensor<3xi64>) -> tensor<3x1xi64>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[IOTA]] : (tensor<3xi64>) -> tensor<1x3xi64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare eq %[[RESHAPE_3]], %[[RESHAPE_4]] : (tensor<3x1xi64>, tensor<1x3xi64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<f64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[SELECT_5]], %[[DX]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[LU]], %[[DOT_GENERAL]] lower = true unit = true : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[LU]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[TRANSPOSE_2]], %[[TRANSPOSE]] lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE_2]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_3:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA_2]], %[[IOTA_3]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_5]], %[[LU]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT]], %[[SELECT_6]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_8:.*]] = ingot.select %[[COMPARE_5]], %[[TRANSPOSE_3]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[SELECT_7]], %[[SELECT_8]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_6:.*]] = ingot.compare le %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_9:.*]] = ingot.select %[[COMPARE_6]], %[[LU]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_10:.*]] = ingot.select %[[COMPARE_6]], %[[TRANSPOSE_3]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[SELECT_10]], %[[SELECT_9]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DOT_GENERAL_2]], %[[DOT_GENERAL_3]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_lu(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[R0:.*]]: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<3> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[LU:.*]], %[[PIVOTS:.*]] = ingot.lu %[[X]] : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3xi64>
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[PIVOTS]] : (tensor<3xi32>) -> tensor<3xi64>
// CHECK-NEXT: %[[FOR:.*]] = ingot.for %[[ARG:.*]] = %[[CONSTANT_5]] to %[[CONSTANT_4]] step %[[CONSTANT_3]] carry (%[[ARG_2:.*]] = %[[IOTA]]) : tensor<3xi64> {
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[CONVERT]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<3xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[IOTA]], %[[ARG]] : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[IOTA]], %[[DYNAMIC_SLICE]] : (tensor<3xi64>, tensor<1xi64>) -> tensor<3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[ARG_2]], %[[CONSTANT_5]] : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[SELECT]] axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[ARG_2]], %[[CONSTANT_5]] : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT_2]] axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[REDUCE_2]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_2]], %[[RESHAPE]], %[[ARG_2]] : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE]], %[[RESHAPE_2]], %[[SELECT_3]] : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: ingot.yield %[[SELECT_4]] : tensor<3xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[FOR]] : (tensor<3xi64>) -> tensor<3x1xi64>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[IOTA]] : (tensor<3xi64>) -> tensor<1x3xi64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare eq %[[RESHAPE_3]], %[[RESHAPE_4]] : (tensor<3x1xi64>, tensor<1x3xi64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<f64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_3:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA_2]], %[[IOTA_3]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_5]], %[[LU]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT]], %[[SELECT_6]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_6:.*]] = ingot.compare le %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_8:.*]] = ingot.select %[[COMPARE_6]], %[[LU]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[R0]], %[[SELECT_8]] batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_9:.*]] = ingot.select %[[COMPARE_6]], %[[DOT_GENERAL]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[SELECT_7]], %[[R0]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_10:.*]] = ingot.select %[[COMPARE_5]], %[[DOT_GENERAL_2]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT_9]], %[[SELECT_10]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[ADD]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[LU]], %[[TRANSPOSE]] lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[LU]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[TRANSPOSE_3]], %[[TRANSPOSE_2]] lower = false unit = true : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[SELECT_5]], %[[TRIANGULAR_SOLVE_2]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[DOT_GENERAL_3]] : tensor<3x3xf64>
func.func @jvp_lu(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:3 = ingot.jvp "lu"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.lu %xi : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3xi32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<3x3xf64>)
  return %r#2 : tensor<3x3xf64>
}
func.func @vjp_lu(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:3 = ingot.vjp "lu"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.lu %xi : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3xi32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<3x3xf64>)
  return %r#2 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_qr(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[DX:.*]]: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[Q:.*]], %[[R:.*]] = ingot.qr %[[X]] full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare le %[[SUB]], %[[CONSTANT]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[R]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[DX]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[SELECT]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[TRANSPOSE_2]], %[[TRANSPOSE]] lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_4:.*]] = ingot.transpose %[[Q]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[TRANSPOSE_4]], %[[TRANSPOSE_3]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[DOT_GENERAL]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_5:.*]] = ingot.transpose %[[SELECT_2]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[SELECT_2]], %[[TRANSPOSE_5]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SUB_3:.*]] = ingot.sub %[[DOT_GENERAL]], %[[SUB_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[Q]], %[[SUB_3]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SUB_4:.*]] = ingot.sub %[[TRANSPOSE_3]], %[[DOT_GENERAL_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[SUB_3]], %[[SELECT]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[SUB_4]], %[[DOT_GENERAL_3]] : tensor<3x3xf64>, tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_qr(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[R0:.*]]: tensor<3x3xf64>, %[[R1:.*]]: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[Q:.*]], %[[R:.*]] = ingot.qr %[[X]] full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare le %[[SUB]], %[[CONSTANT]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[R]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[Q]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[R1]], %[[SELECT]] batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[R0]] : tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[Q]], %[[NEG]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DOT_GENERAL]], %[[DOT_GENERAL_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[NEG_2:.*]] = ingot.neg %[[ADD]] : tensor<3x3xf64>
// CHECK-NEXT: %[[NEG_3:.*]] = ingot.neg %[[NEG_2]] : tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[NEG_3]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[NEG_2]], %[[TRANSPOSE_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[ADD_2]], %[[CONSTANT_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[ADD]], %[[SELECT_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[TRANSPOSE]], %[[ADD_3]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_4:.*]] = ingot.add %[[R0]], %[[DOT_GENERAL_3]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[ADD_4]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[SELECT]], %[[TRANSPOSE_3]] lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_4:.*]] = ingot.transpose %[[TRIANGULAR_SOLVE]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[TRANSPOSE_4]] : tensor<3x3xf64>
func.func @jvp_qr(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>) {
  %r:4 = ingot.jvp "qr"(%x, %dx) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.qr %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#2, %r#3 : tensor<3x3xf64>, tensor<3x3xf64>
}
func.func @vjp_qr(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>, %r1: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:3 = ingot.vjp "qr"(%x, %r0, %r1) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.qr %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#2 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_eigh(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[DX:.*]]: tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<6.6613381477509392E-16> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0x7FF8000000000000> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[VALUES:.*]], %[[VECTORS:.*]], %[[INFO:.*]] = ingot.eigh %[[X]] lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT_4]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[DX]], %[[CONSTANT_5]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_4]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[DX]], %[[CONSTANT_5]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[SELECT]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT]], %[[TRANSPOSE]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[ADD]], %[[SELECT_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[ADD_2]], %[[VECTORS]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[VECTORS]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[TRANSPOSE_2]], %[[DOT_GENERAL]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[VALUES]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[VALUES]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[RESHAPE_2]], %[[RESHAPE]] : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_2]], %[[SUB_2]] : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[VALUES]] : (tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce max %[[ABS]] axes = [0] : (tensor<3xf64>) -> tensor<f64>
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[REDUCE]] : (tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[RESHAPE_3]], %[[CONSTANT]] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[ABS_2:.*]] = ingot.abs %[[SUB_2]] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare le %[[ABS_2]], %[[MUL]] : (tensor<3x3xf64>, tensor<1x1xf64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT_3]], %[[DIV]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DOT_GENERAL_2]], %[[SELECT_3]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_5]], %[[MUL_NO_NAN]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DOT_GENERAL]], %[[VECTORS]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[MUL_NO_NAN_2]] axes = [0] : (tensor<3x3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[VECTORS]], %[[SELECT_4]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[REDUCE_2]], %[[DOT_GENERAL_3]] : tensor<3xf64>, tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_eigh(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[R0:.*]]: tensor<3xf64>, %[[R1:.*]]: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<false> : tensor<i1>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<6.6613381477509392E-16> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0x7FF8000000000000> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_6:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[R1]], %[[CONSTANT_6]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[VALUES:.*]], %[[VECTORS:.*]], %[[INFO:.*]] = ingot.eigh %[[X]] lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare gt %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_5]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[VECTORS]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[VALUES]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[VALUES]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[RESHAPE_2]], %[[RESHAPE]] : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[SUB_2]] : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[VALUES]] : (tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce max %[[ABS]] axes = [0] : (tensor<3xf64>) -> tensor<f64>
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[REDUCE]] : (tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[RESHAPE_3]], %[[CONSTANT_2]] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[ABS_2:.*]] = ingot.abs %[[SUB_2]] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare le %[[ABS_2]], %[[MUL]] : (tensor<3x3xf64>, tensor<1x1xf64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT_4]], %[[DIV]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce or %[[COMPARE]] axes = [0] : (tensor<3x3xi1>) -> tensor<3xi1>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[REDUCE_2]] : (tensor<3xi1>) -> tensor<3x1xi1>
// CHECK-NEXT: %[[BROADCAST_TO:.*]] = ingot.broadcast_to %[[RESHAPE_4]] : (tensor<3x1xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[VECTORS]], %[[R1]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[BROADCAST_TO]] axes = [1, 0] : (tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[RESHAPE_5:.*]] = ingot.reshape %[[R0]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %[[BROADCAST_TO_2:.*]] = ingot.broadcast_to %[[RESHAPE_5]] : (tensor<1x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[BROADCAST_TO_2]], %[[VECTORS]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT_6]], %[[DOT_GENERAL]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT]], %[[TRANSPOSE_2]] : (tensor<3x3xi1>, tensor<i1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[SELECT_2]], %[[SELECT]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[SELECT_3]], %[[MUL_2]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[TRANSPOSE]], %[[SELECT_4]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_NO_NAN]], %[[DOT_GENERAL_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[ADD]], %[[VECTORS]] batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[DOT_GENERAL_3]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[DOT_GENERAL_3]], %[[TRANSPOSE_3]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_3]], %[[DOT_GENERAL_3]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_2]], %[[ADD_2]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[SELECT_5]], %[[SELECT_6]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[ADD_3]] : tensor<3x3xf64>
func.func @jvp_eigh(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>) {
  %r:5 = ingot.jvp "eigh"(%x, %dx) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:3 = ingot.eigh %xi lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3xf64>, tensor<3x3xf64>)
  return %r#3, %r#4 : tensor<3xf64>, tensor<3x3xf64>
}
func.func @vjp_eigh(%x: tensor<3x3xf64>, %r0: tensor<3xf64>, %r1: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:4 = ingot.vjp "eigh"(%x, %r0, %r1) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:3 = ingot.eigh %xi lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3x3xf64>)
  return %r#3 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_svd(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[DX:.*]]: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<6.6613381477509392E-16> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0x7FF8000000000000> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[U:.*]], %[[S:.*]], %[[VH:.*]], %[[INFO:.*]] = ingot.svd %[[X]] full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[U]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[VH]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[DX]], %[[TRANSPOSE_2]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[TRANSPOSE]], %[[DOT_GENERAL]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[DOT_GENERAL_2]], %[[CONSTANT_5]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[S]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[S]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[RESHAPE_2]], %[[RESHAPE]] : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[ADD]], %[[CONSTANT_5]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_4]], %[[ADD]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DOT_GENERAL_2]], %[[RESHAPE_2]] : (tensor<3x3xf64>, tensor<1x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare ne %[[MUL]], %[[CONSTANT_5]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[RESHAPE]], %[[DOT_GENERAL_2]] : (tensor<3x1xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare ne %[[MUL_2]], %[[CONSTANT_5]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[MUL]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare ne %[[TRANSPOSE_3]], %[[CONSTANT_5]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[MUL]], %[[TRANSPOSE_3]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[OR:.*]] = ingot.or %[[COMPARE_3]], %[[COMPARE_5]] : (tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[DOT_GENERAL_2]], %[[ADD_2]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_2]], %[[COMPARE]], %[[OR]] : (tensor<3x3xi1>, tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[RESHAPE_2]], %[[RESHAPE]] : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_4]], %[[SUB]] : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DIV_2:.*]] = ingot.div %[[DIV]], %[[SELECT]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[S]] : (tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce max %[[ABS]] axes = [0] : (tensor<3xf64>) -> tensor<f64>
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[REDUCE]] : (tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[MUL_3:.*]] = ingot.mul %[[RESHAPE_3]], %[[CONSTANT_2]] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[ABS_2:.*]] = ingot.abs %[[SUB]] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_6:.*]] = ingot.compare le %[[ABS_2]], %[[MUL_3]] : (tensor<3x3xf64>, tensor<1x1xf64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_6]], %[[CONSTANT_3]], %[[DIV_2]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL_4:.*]] = ingot.mul %[[SELECT_2]], %[[SELECT_4]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[SELECT_3]], %[[MUL_4]], %[[CONSTANT_5]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE_7:.*]] = ingot.compare eq %[[SUB_2]], %[[CONSTANT]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_7]], %[[CONSTANT_5]], %[[SELECT_5]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_4:.*]] = ingot.transpose %[[MUL_2]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_8:.*]] = ingot.compare ne %[[TRANSPOSE_4]], %[[CONSTANT_5]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[MUL_2]], %[[TRANSPOSE_4]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[OR_2:.*]] = ingot.or %[[COMPARE_4]], %[[COMPARE_8]] : (tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[COMPARE_2]], %[[DOT_GENERAL_2]], %[[ADD_3]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_8:.*]] = ingot.select %[[COMPARE_2]], %[[COMPARE]], %[[OR_2]] : (tensor<3x3xi1>, tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[MUL_5:.*]] = ingot.mul %[[SELECT_7]], %[[SELECT_4]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_9:.*]] = ingot.select %[[SELECT_8]], %[[MUL_5]], %[[CONSTANT_5]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_10:.*]] = ingot.select %[[COMPARE_7]], %[[CONSTANT_5]], %[[SELECT_9]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[U]], %[[SELECT_6]] batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DOT_GENERAL]], %[[U]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[MUL_NO_NAN]] axes = [0] : (tensor<3x3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_4:.*]] = ingot.dot_general %[[SELECT_10]], %[[TRANSPOSE_2]] batching = [] x [] contracting = [0] x [1] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[DOT_GENERAL_3]], %[[REDUCE_2]], %[[DOT_GENERAL_4]] : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_svd(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf64>, %[[R0:.*]]: tensor<3x3xf64>, %[[R1:.*]]: tensor<3xf64>, %[[R2:.*]]: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<false> : tensor<i1>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<6.6613381477509392E-16> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0x7FF8000000000000> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_6:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[R0]], %[[CONSTANT_6]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[U:.*]], %[[S:.*]], %[[VH:.*]], %[[INFO:.*]] = ingot.svd %[[X]] full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[U]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_2:.*]] = ingot.transpose %[[VH]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[S]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[S]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[RESHAPE_2]], %[[RESHAPE]] : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[ADD]], %[[CONSTANT_6]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_5]], %[[ADD]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[RESHAPE_2]], %[[RESHAPE]] : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_5]], %[[SUB]] : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DIV_2:.*]] = ingot.div %[[DIV]], %[[SELECT]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[S]] : (tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce max %[[ABS]] axes = [0] : (tensor<3xf64>) -> tensor<f64>
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[REDUCE]] : (tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[RESHAPE_3]], %[[CONSTANT_3]] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[ABS_2:.*]] = ingot.abs %[[SUB]] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare le %[[ABS_2]], %[[MUL]] : (tensor<3x3xf64>, tensor<1x1xf64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT_4]], %[[DIV_2]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[IOTA]], %[[IOTA_2]] : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[SUB_2]], %[[CONSTANT_2]] : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[TRANSPOSE_3:.*]] = ingot.transpose %[[R2]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare ne %[[TRANSPOSE_3]], %[[CONSTANT_6]] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[R1]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %[[BROADCAST_TO:.*]] = ingot.broadcast_to %[[RESHAPE_4]] : (tensor<1x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[BROADCAST_TO]], %[[U]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce or %[[COMPARE_5]] axes = [0] : (tensor<3x3xi1>) -> tensor<3xi1>
// CHECK-NEXT: %[[RESHAPE_5:.*]] = ingot.reshape %[[REDUCE_2]] : (tensor<3xi1>) -> tensor<3x1xi1>
// CHECK-NEXT: %[[BROADCAST_TO_2:.*]] = ingot.broadcast_to %[[RESHAPE_5]] : (tensor<3x1xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[TRANSPOSE_2]], %[[TRANSPOSE_3]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_4:.*]] = ingot.transpose %[[BROADCAST_TO_2]] axes = [1, 0] : (tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[REDUCE_3:.*]] = ingot.reduce or %[[COMPARE]] axes = [0] : (tensor<3x3xi1>) -> tensor<3xi1>
// CHECK-NEXT: %[[RESHAPE_6:.*]] = ingot.reshape %[[REDUCE_3]] : (tensor<3xi1>) -> tensor<3x1xi1>
// CHECK-NEXT: %[[BROADCAST_TO_3:.*]] = ingot.broadcast_to %[[RESHAPE_6]] : (tensor<3x1xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[U]], %[[R0]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_5:.*]] = ingot.transpose %[[BROADCAST_TO_3]] axes = [1, 0] : (tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT_6]], %[[DOT_GENERAL]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT]], %[[TRANSPOSE_4]] : (tensor<3x3xi1>, tensor<i1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[SELECT_3]], %[[SELECT_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[SELECT_4]], %[[MUL_2]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_2]], %[[SELECT_5]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_6]], %[[SELECT_5]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_8:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT]], %[[SELECT_4]] : (tensor<3x3xi1>, tensor<i1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[TRANSPOSE_6:.*]] = ingot.transpose %[[SELECT_7]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_7:.*]] = ingot.transpose %[[SELECT_8]] axes = [1, 0] : (tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[SELECT_7]], %[[TRANSPOSE_6]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[OR:.*]] = ingot.or %[[SELECT_8]], %[[TRANSPOSE_7]] : (tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[SELECT_9:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT_6]], %[[DOT_GENERAL_2]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_10:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT]], %[[TRANSPOSE_5]] : (tensor<3x3xi1>, tensor<i1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[MUL_3:.*]] = ingot.mul %[[SELECT_9]], %[[SELECT_2]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_11:.*]] = ingot.select %[[SELECT_10]], %[[MUL_3]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_12:.*]] = ingot.select %[[COMPARE_2]], %[[SELECT_11]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_13:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_6]], %[[SELECT_11]] : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_14:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT]], %[[SELECT_10]] : (tensor<3x3xi1>, tensor<i1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[SELECT_6]], %[[SELECT_12]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_8:.*]] = ingot.transpose %[[SELECT_13]] axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[TRANSPOSE_9:.*]] = ingot.transpose %[[SELECT_14]] axes = [1, 0] : (tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[ADD_4:.*]] = ingot.add %[[SELECT_13]], %[[TRANSPOSE_8]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[OR_2:.*]] = ingot.or %[[SELECT_14]], %[[TRANSPOSE_9]] : (tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
// CHECK-NEXT: %[[MUL_4:.*]] = ingot.mul %[[ADD_2]], %[[RESHAPE]] : (tensor<3x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_15:.*]] = ingot.select %[[OR]], %[[MUL_4]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_5:.*]] = ingot.add %[[ADD_3]], %[[SELECT_15]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[MUL_5:.*]] = ingot.mul %[[ADD_4]], %[[RESHAPE_2]] : (tensor<3x3xf64>, tensor<1x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[SELECT_16:.*]] = ingot.select %[[OR_2]], %[[MUL_5]], %[[CONSTANT_6]] : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_6:.*]] = ingot.add %[[ADD_5]], %[[SELECT_16]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[TRANSPOSE]], %[[ADD_6]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[ADD_7:.*]] = ingot.add %[[MUL_NO_NAN]], %[[DOT_GENERAL_3]] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[DOT_GENERAL_4:.*]] = ingot.dot_general %[[ADD_7]], %[[TRANSPOSE_2]] batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %[[DOT_GENERAL_4]] : tensor<3x3xf64>
func.func @jvp_svd(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) {
  %r:7 = ingot.jvp "svd"(%x, %dx) of = [0, 1, 2] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:4 = ingot.svd %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2, %o#3 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>)
  return %r#4, %r#5, %r#6 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>
}
func.func @vjp_svd(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>, %r1: tensor<3xf64>, %r2: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:5 = ingot.vjp "svd"(%x, %r0, %r1, %r2) of = [0, 1, 2] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:4 = ingot.svd %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2, %o#3 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3x3xf64>)
  return %r#4 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_eig(
// CHECK-SAME: %[[X:.*]]: tensor<2x2xcomplex<f64>>, %[[DX:.*]]: tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<4.4408920985006262E-16> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<(0x7FF8000000000000,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_6:.*]] = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_7:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[VALUES:.*]], %[[VECTORS:.*]], %[[INFO:.*]] = ingot.eig %[[X]] : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[DX]], %[[VECTORS]] batching = [] x [] contracting = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[LU:.*]], %[[PIVOTS:.*]] = ingot.lu %[[VECTORS]] : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xi32>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<2xi64>
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[PIVOTS]] : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT: %[[FOR:.*]] = ingot.for %[[ARG:.*]] = %[[CONSTANT_7]] to %[[CONSTANT_6]] step %[[CONSTANT_5]] carry (%[[ARG_2:.*]] = %[[IOTA]]) : tensor<2xi64> {
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[CONVERT]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[IOTA]], %[[ARG]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[IOTA]], %[[DYNAMIC_SLICE]] : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[ARG_2]], %[[CONSTANT_7]] : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[SELECT]] axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[ARG_2]], %[[CONSTANT_7]] : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT_2]] axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[REDUCE_2]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_2]], %[[RESHAPE]], %[[ARG_2]] : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE]], %[[RESHAPE_2]], %[[SELECT_3]] : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: ingot.yield %[[SELECT_4]] : tensor<2xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[FOR]] : (tensor<2xi64>) -> tensor<2x1xi64>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[IOTA]] : (tensor<2xi64>) -> tensor<1x2xi64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare eq %[[RESHAPE_3]], %[[RESHAPE_4]] : (tensor<2x1xi64>, tensor<1x2xi64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT_3]], %[[CONSTANT_4]] : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[SELECT_5]], %[[DOT_GENERAL]] batching = [] x [] contracting = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[LU]], %[[DOT_GENERAL_2]] lower = true unit = true : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[LU]], %[[TRIANGULAR_SOLVE]] lower = false unit = false : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_5:.*]] = ingot.reshape %[[VALUES]] : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_6:.*]] = ingot.reshape %[[VALUES]] : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[RESHAPE_6]], %[[RESHAPE_5]] : (tensor<1x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[SUB]] : (tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[VALUES]] : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
// CHECK-NEXT: %[[REDUCE_3:.*]] = ingot.reduce max %[[ABS]] axes = [0] : (tensor<2xf64>) -> tensor<f64>
// CHECK-NEXT: %[[RESHAPE_7:.*]] = ingot.reshape %[[REDUCE_3]] : (tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[RESHAPE_7]], %[[CONSTANT]] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[ABS_2:.*]] = ingot.abs %[[SUB]] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare le %[[ABS_2]], %[[MUL]] : (tensor<2x2xf64>, tensor<1x1xf64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT_2]], %[[DIV]] : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[TRIANGULAR_SOLVE_2]], %[[SELECT_6]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 0 : tensor<2x2xi64>
// CHECK-NEXT: %[[IOTA_3:.*]] = ingot.iota axis = 1 : tensor<2x2xi64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[IOTA_2]], %[[IOTA_3]] : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare eq %[[SUB_2]], %[[CONSTANT_7]] : (tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[COMPARE_5]], %[[CONSTANT_4]], %[[MUL_NO_NAN]] : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[VECTORS]], %[[SELECT_7]] batching = [] x [] contracting = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[VECTORS]] : tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[CONJ]], %[[DOT_GENERAL_3]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[REDUCE_4:.*]] = ingot.reduce add %[[MUL_2]] axes = [0] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_8:.*]] = ingot.reshape %[[REDUCE_4]] : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[ABS_3:.*]] = ingot.abs %[[VECTORS]] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
// CHECK-NEXT: %[[REDUCE_5:.*]] = ingot.reduce max %[[ABS_3]] axes = [0] : (tensor<2x2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[RESHAPE_9:.*]] = ingot.reshape %[[REDUCE_5]] : (tensor<2xf64>) -> tensor<1x2xf64>
// CHECK-NEXT: %[[COMPARE_6:.*]] = ingot.compare eq %[[ABS_3]], %[[RESHAPE_9]] : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[DIV_2:.*]] = ingot.div %[[DOT_GENERAL_3]], %[[VECTORS]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[SELECT_8:.*]] = ingot.select %[[COMPARE_6]], %[[DIV_2]], %[[CONSTANT_4]] : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[REDUCE_6:.*]] = ingot.reduce add %[[SELECT_8]] axes = [0] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_10:.*]] = ingot.reshape %[[REDUCE_6]] : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[IMAG:.*]] = ingot.imag %[[RESHAPE_10]] : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %[[REAL:.*]] = ingot.real %[[RESHAPE_8]] : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %[[COMPLEX:.*]] = ingot.complex %[[REAL]], %[[IMAG]] : (tensor<1x2xf64>, tensor<1x2xf64>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[SELECT_9:.*]] = ingot.select %[[COMPARE_5]], %[[TRIANGULAR_SOLVE_2]], %[[CONSTANT_4]] : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[REDUCE_7:.*]] = ingot.reduce add %[[SELECT_9]] axes = [1] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %[[MUL_3:.*]] = ingot.mul %[[VECTORS]], %[[COMPLEX]] : (tensor<2x2xcomplex<f64>>, tensor<1x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[SUB_3:.*]] = ingot.sub %[[DOT_GENERAL_3]], %[[MUL_3]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: return %[[REDUCE_7]], %[[SUB_3]] : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_eig(
// CHECK-SAME: %[[X:.*]]: tensor<2x2xcomplex<f64>>, %[[R0:.*]]: tensor<2xcomplex<f64>>, %[[R1:.*]]: tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<4.4408920985006262E-16> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<(0x7FF8000000000000,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_6:.*]] = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_7:.*]] = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_8:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[VALUES:.*]], %[[VECTORS:.*]], %[[INFO:.*]] = ingot.eig %[[X]] : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
// CHECK-NEXT: %[[LU:.*]], %[[PIVOTS:.*]] = ingot.lu %[[VECTORS]] : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xi32>)
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<2xi64>
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[PIVOTS]] : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT: %[[FOR:.*]] = ingot.for %[[ARG:.*]] = %[[CONSTANT_8]] to %[[CONSTANT_7]] step %[[CONSTANT_6]] carry (%[[ARG_2:.*]] = %[[IOTA]]) : tensor<2xi64> {
// CHECK-NEXT: %[[DYNAMIC_SLICE:.*]] = ingot.dynamic_slice %[[CONVERT]][%[[ARG]]] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[IOTA]], %[[ARG]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[IOTA]], %[[DYNAMIC_SLICE]] : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[ARG_2]], %[[CONSTANT_8]] : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[SELECT]] axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[ARG_2]], %[[CONSTANT_8]] : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT_2]] axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[REDUCE_2]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_2]], %[[RESHAPE]], %[[ARG_2]] : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE]], %[[RESHAPE_2]], %[[SELECT_3]] : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: ingot.yield %[[SELECT_4]] : tensor<2xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %[[RESHAPE_3:.*]] = ingot.reshape %[[FOR]] : (tensor<2xi64>) -> tensor<2x1xi64>
// CHECK-NEXT: %[[RESHAPE_4:.*]] = ingot.reshape %[[IOTA]] : (tensor<2xi64>) -> tensor<1x2xi64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare eq %[[RESHAPE_3]], %[[RESHAPE_4]] : (tensor<2x1xi64>, tensor<1x2xi64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT_4]], %[[CONSTANT_5]] : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_5:.*]] = ingot.reshape %[[VALUES]] : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_6:.*]] = ingot.reshape %[[VALUES]] : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[RESHAPE_6]], %[[RESHAPE_5]] : (tensor<1x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_4]], %[[SUB]] : (tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[VALUES]] : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
// CHECK-NEXT: %[[REDUCE_3:.*]] = ingot.reduce max %[[ABS]] axes = [0] : (tensor<2xf64>) -> tensor<f64>
// CHECK-NEXT: %[[RESHAPE_7:.*]] = ingot.reshape %[[REDUCE_3]] : (tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[RESHAPE_7]], %[[CONSTANT_2]] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
// CHECK-NEXT: %[[ABS_2:.*]] = ingot.abs %[[SUB]] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare le %[[ABS_2]], %[[MUL]] : (tensor<2x2xf64>, tensor<1x1xf64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_4]], %[[CONSTANT_3]], %[[DIV]] : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[IOTA_2:.*]] = ingot.iota axis = 0 : tensor<2x2xi64>
// CHECK-NEXT: %[[IOTA_3:.*]] = ingot.iota axis = 1 : tensor<2x2xi64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[IOTA_2]], %[[IOTA_3]] : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare eq %[[SUB_2]], %[[CONSTANT_8]] : (tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[VECTORS]] : tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[ABS_3:.*]] = ingot.abs %[[VECTORS]] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
// CHECK-NEXT: %[[REDUCE_4:.*]] = ingot.reduce max %[[ABS_3]] axes = [0] : (tensor<2x2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[RESHAPE_8:.*]] = ingot.reshape %[[REDUCE_4]] : (tensor<2xf64>) -> tensor<1x2xf64>
// CHECK-NEXT: %[[COMPARE_6:.*]] = ingot.compare eq %[[ABS_3]], %[[RESHAPE_8]] : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<2x2xi1>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[R1]] : tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[NEG]], %[[VECTORS]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[REDUCE_5:.*]] = ingot.reduce add %[[MUL_NO_NAN]] axes = [0] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_9:.*]] = ingot.reshape %[[REDUCE_5]] : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[RESHAPE_10:.*]] = ingot.reshape %[[R0]] : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
// CHECK-NEXT: %[[BROADCAST_TO:.*]] = ingot.broadcast_to %[[RESHAPE_10]] : (tensor<2x1xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[COMPARE_5]], %[[BROADCAST_TO]], %[[CONSTANT_5]] : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[REAL:.*]] = ingot.real %[[RESHAPE_9]] : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %[[IMAG:.*]] = ingot.imag %[[RESHAPE_9]] : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %[[NEG_2:.*]] = ingot.neg %[[IMAG]] : tensor<1x2xf64>
// CHECK-NEXT: %[[COMPLEX:.*]] = ingot.complex %[[REAL]], %[[CONSTANT]] : (tensor<1x2xf64>, tensor<f64>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[NEG_3:.*]] = ingot.neg %[[NEG_2]] : tensor<1x2xf64>
// CHECK-NEXT: %[[COMPLEX_2:.*]] = ingot.complex %[[CONSTANT]], %[[NEG_3]] : (tensor<f64>, tensor<1x2xf64>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %[[BROADCAST_TO_2:.*]] = ingot.broadcast_to %[[COMPLEX_2]] : (tensor<1x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[SELECT_8:.*]] = ingot.select %[[COMPARE_6]], %[[BROADCAST_TO_2]], %[[CONSTANT_5]] : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[SELECT_8]], %[[VECTORS]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[R1]], %[[DIV_NO_NAN]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[BROADCAST_TO_3:.*]] = ingot.broadcast_to %[[COMPLEX]] : (tensor<1x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[BROADCAST_TO_3]], %[[CONJ]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[ADD]], %[[MUL_NO_NAN_2]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DOT_GENERAL:.*]] = ingot.dot_general %[[VECTORS]], %[[ADD_2]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[SELECT_9:.*]] = ingot.select %[[COMPARE_5]], %[[CONSTANT_5]], %[[DOT_GENERAL]] : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN_3:.*]] = ingot.mul_no_nan %[[SELECT_9]], %[[SELECT_6]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[SELECT_7]], %[[MUL_NO_NAN_3]] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[LU]] axes = [1, 0] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE:.*]] = ingot.triangular_solve %[[TRANSPOSE]], %[[ADD_3]] lower = true unit = false : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[TRIANGULAR_SOLVE_2:.*]] = ingot.triangular_solve %[[TRANSPOSE]], %[[TRIANGULAR_SOLVE]] lower = false unit = true : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DOT_GENERAL_2:.*]] = ingot.dot_general %[[SELECT_5]], %[[TRIANGULAR_SOLVE_2]] batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %[[DOT_GENERAL_3:.*]] = ingot.dot_general %[[DOT_GENERAL_2]], %[[VECTORS]] batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: return %[[DOT_GENERAL_3]] : tensor<2x2xcomplex<f64>>
func.func @jvp_eig(%x: tensor<2x2xcomplex<f64>>, %dx: tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) {
  %r:5 = ingot.jvp "eig"(%x, %dx) of = [0, 1] {
  ^bb0(%xi: tensor<2x2xcomplex<f64>>):
    %o:3 = ingot.eig %xi : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>
  } : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>, tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>)
  return %r#3, %r#4 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>
}
func.func @vjp_eig(%x: tensor<2x2xcomplex<f64>>, %r0: tensor<2xcomplex<f64>>, %r1: tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>) {
  %r:4 = ingot.vjp "eig"(%x, %r0, %r1) of = [0, 1] {
  ^bb0(%xi: tensor<2x2xcomplex<f64>>):
    %o:3 = ingot.eig %xi : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>
  } : (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>, tensor<2x2xcomplex<f64>>)
  return %r#3 : tensor<2x2xcomplex<f64>>
}
