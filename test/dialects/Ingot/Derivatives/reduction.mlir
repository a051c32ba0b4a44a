// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_reduce_add(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[DX]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: return %[[REDUCE]] : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_add(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[R0]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[BROADCAST_TO:.*]] = ingot.broadcast_to %[[RESHAPE]] : (tensor<3x1xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[BROADCAST_TO]] : tensor<3x4xf64>
func.func @jvp_reduce_add(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_add"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce add %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_add(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_add"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce add %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_reduce_mul(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative mul %[[X]] axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[SLICE:.*]] = ingot.slice %[[CUMULATIVE]] starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[PAD:.*]] = ingot.pad %[[SLICE]], %[[CONSTANT]] low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[FLIP:.*]] = ingot.flip %[[X]] axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative mul %[[FLIP]] axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[SLICE_2:.*]] = ingot.slice %[[CUMULATIVE_2]] starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[PAD_2:.*]] = ingot.pad %[[SLICE_2]], %[[CONSTANT]] low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[FLIP_2:.*]] = ingot.flip %[[PAD_2]] axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[PAD]], %[[FLIP_2]] : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[MUL]] : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[MUL_NO_NAN]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: return %[[REDUCE]] : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_mul(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[R0]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative mul %[[X]] axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[SLICE:.*]] = ingot.slice %[[CUMULATIVE]] starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[PAD:.*]] = ingot.pad %[[SLICE]], %[[CONSTANT]] low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[FLIP:.*]] = ingot.flip %[[X]] axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative mul %[[FLIP]] axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[SLICE_2:.*]] = ingot.slice %[[CUMULATIVE_2]] starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %[[PAD_2:.*]] = ingot.pad %[[SLICE_2]], %[[CONSTANT]] low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[FLIP_2:.*]] = ingot.flip %[[PAD_2]] axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[PAD]], %[[FLIP_2]] : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[RESHAPE]], %[[MUL]] : (tensor<3x1xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<3x4xf64>
func.func @jvp_reduce_mul(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_mul"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce mul %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_mul(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_mul"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce mul %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_reduce_max(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce max %[[X]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[RESHAPE]] : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE]], %[[DX]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare ne %[[SELECT_2]], %[[CONSTANT]] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xi1>
// CHECK-NEXT: %[[REDUCE_3:.*]] = ingot.reduce add %[[SELECT_2]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[REDUCE_4:.*]] = ingot.reduce or %[[COMPARE_2]] axes = [1] : (tensor<3x4xi1>) -> tensor<3xi1>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[REDUCE_3]], %[[REDUCE_2]] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[REDUCE_4]], %[[DIV]], %[[CONSTANT]] : (tensor<3xi1>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
// CHECK-NEXT: return %[[SELECT_3]] : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_max(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce max %[[X]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[RESHAPE]] : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[REDUCE_2]] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[DIV_NO_NAN]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE]], %[[RESHAPE_2]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<3x1xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[SELECT_2]] : tensor<3x4xf64>
func.func @jvp_reduce_max(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_max"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce max %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_max(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_max"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce max %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_reduce_min(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce min %[[X]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[RESHAPE]] : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE]], %[[DX]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare ne %[[SELECT_2]], %[[CONSTANT]] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xi1>
// CHECK-NEXT: %[[REDUCE_3:.*]] = ingot.reduce add %[[SELECT_2]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[REDUCE_4:.*]] = ingot.reduce or %[[COMPARE_2]] axes = [1] : (tensor<3x4xi1>) -> tensor<3xi1>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[REDUCE_3]], %[[REDUCE_2]] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[REDUCE_4]], %[[DIV]], %[[CONSTANT]] : (tensor<3xi1>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
// CHECK-NEXT: return %[[SELECT_3]] : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_min(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce min %[[X]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[REDUCE]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[RESHAPE]] : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[SELECT]] axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[REDUCE_2]] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[RESHAPE_2:.*]] = ingot.reshape %[[DIV_NO_NAN]] : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE]], %[[RESHAPE_2]], %[[CONSTANT]] : (tensor<3x4xi1>, tensor<3x1xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[SELECT_2]] : tensor<3x4xf64>
func.func @jvp_reduce_min(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_min"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce min %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_min(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_min"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce min %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative add %[[DX]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[CUMULATIVE]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[FLIP:.*]] = ingot.flip %[[R0]] axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative add %[[FLIP]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[FLIP_2:.*]] = ingot.flip %[[CUMULATIVE]] axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[FLIP_2]] : tensor<4xf64>
func.func @jvp_cumulative_add(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_add"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative add %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_add(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_add"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative add %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_mul(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<false> : tensor<i1>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<-0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<2.2250738585072014E-308> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[DX]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative mul %[[X]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[X]] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare lt %[[ABS]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_3]], %[[CONSTANT_5]] : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative max %[[SELECT]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare ne %[[CUMULATIVE_2]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_3]], %[[X]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[DX]], %[[SELECT_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[CUMULATIVE_3:.*]] = ingot.cumulative add %[[DIV_NO_NAN]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[CUMULATIVE_3]], %[[CUMULATIVE]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SLICE:.*]] = ingot.slice %[[CUMULATIVE]] starts = [0] sizes = [3] strides = [1] : (tensor<4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[PAD:.*]] = ingot.pad %[[SLICE]], %[[CONSTANT_3]] low = [1] high = [0] interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DX]], %[[PAD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SLICE_2:.*]] = ingot.slice %[[X]] starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SLICE_3:.*]] = ingot.slice %[[X]] starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[SLICE_3]], %[[SLICE_2]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SLICE_4:.*]] = ingot.slice %[[MUL_NO_NAN_2]] starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SLICE_5:.*]] = ingot.slice %[[COMPARE]] starts = [1] sizes = [2] strides = [2] : (tensor<4xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[SLICE_6:.*]] = ingot.slice %[[MUL_NO_NAN_2]] starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SLICE_7:.*]] = ingot.slice %[[COMPARE]] starts = [0] sizes = [2] strides = [2] : (tensor<4xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[SLICE_6]], %[[SLICE_2]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[SLICE_7]], %[[MUL_2]], %[[CONSTANT_5]] : (tensor<2xi1>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT_3]], %[[SLICE_4]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[OR:.*]] = ingot.or %[[SLICE_7]], %[[SLICE_5]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[SLICE_8:.*]] = ingot.slice %[[MUL]] starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_9:.*]] = ingot.slice %[[ADD]] starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_10:.*]] = ingot.slice %[[OR]] starts = [1] sizes = [1] strides = [2] : (tensor<2xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[SLICE_11:.*]] = ingot.slice %[[ADD]] starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_12:.*]] = ingot.slice %[[OR]] starts = [0] sizes = [1] strides = [2] : (tensor<2xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[MUL_3:.*]] = ingot.mul %[[SLICE_11]], %[[SLICE_8]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[SLICE_12]], %[[MUL_3]], %[[CONSTANT_5]] : (tensor<1xi1>, tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[SELECT_4]], %[[SLICE_9]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[OR_2:.*]] = ingot.or %[[SLICE_12]], %[[SLICE_10]] : (tensor<1xi1>, tensor<1xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[SLICE_13:.*]] = ingot.slice %[[ADD_2]] starts = [0] sizes = [0] strides = [1] : (tensor<1xf64>) -> tensor<0xf64>
// CHECK-NEXT: %[[SLICE_14:.*]] = ingot.slice %[[OR_2]] starts = [0] sizes = [0] strides = [1] : (tensor<1xi1>) -> tensor<0xi1>
// CHECK-NEXT: %[[PAD_2:.*]] = ingot.pad %[[SLICE_13]], %[[CONSTANT_2]] low = [1] high = [0] interior = [0] : (tensor<0xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %[[PAD_3:.*]] = ingot.pad %[[SLICE_14]], %[[CONSTANT]] low = [1] high = [0] interior = [0] : (tensor<0xi1>, tensor<i1>) -> tensor<1xi1>
// CHECK-NEXT: %[[SLICE_15:.*]] = ingot.slice %[[MUL]] starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[MUL_4:.*]] = ingot.mul %[[PAD_2]], %[[SLICE_15]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[PAD_3]], %[[MUL_4]], %[[CONSTANT_5]] : (tensor<1xi1>, tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[SELECT_5]], %[[SLICE_11]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[OR_3:.*]] = ingot.or %[[PAD_3]], %[[SLICE_12]] : (tensor<1xi1>, tensor<1xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[PAD_4:.*]] = ingot.pad %[[ADD_2]], %[[CONSTANT_2]] low = [1] high = [0] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_5:.*]] = ingot.pad %[[OR_2]], %[[CONSTANT]] low = [1] high = [0] interior = [1] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[PAD_6:.*]] = ingot.pad %[[ADD_3]], %[[CONSTANT_2]] low = [0] high = [1] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_7:.*]] = ingot.pad %[[OR_3]], %[[CONSTANT]] low = [0] high = [1] interior = [1] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[ADD_4:.*]] = ingot.add %[[PAD_6]], %[[PAD_4]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[OR_4:.*]] = ingot.or %[[PAD_7]], %[[PAD_5]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[SLICE_16:.*]] = ingot.slice %[[ADD_4]] starts = [0] sizes = [1] strides = [1] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_17:.*]] = ingot.slice %[[OR_4]] starts = [0] sizes = [1] strides = [1] : (tensor<2xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[PAD_8:.*]] = ingot.pad %[[SLICE_16]], %[[CONSTANT_2]] low = [1] high = [0] interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_9:.*]] = ingot.pad %[[SLICE_17]], %[[CONSTANT]] low = [1] high = [0] interior = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[MUL_5:.*]] = ingot.mul %[[PAD_8]], %[[SLICE_3]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[PAD_9]], %[[MUL_5]], %[[CONSTANT_5]] : (tensor<2xi1>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[ADD_5:.*]] = ingot.add %[[SELECT_6]], %[[SLICE_6]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_10:.*]] = ingot.pad %[[ADD_4]], %[[CONSTANT_2]] low = [1] high = [0] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[PAD_11:.*]] = ingot.pad %[[ADD_5]], %[[CONSTANT_2]] low = [0] high = [1] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD_6:.*]] = ingot.add %[[PAD_11]], %[[PAD_10]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[COMPARE_3]], %[[ADD_6]], %[[MUL_NO_NAN]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SELECT_7]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_mul(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<false> : tensor<i1>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<2.2250738585072014E-308> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative mul %[[X]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[X]] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare lt %[[ABS]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[CONSTANT_4]] : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative max %[[SELECT]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare ne %[[CUMULATIVE_2]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[X]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SLICE:.*]] = ingot.slice %[[CUMULATIVE]] starts = [0] sizes = [3] strides = [1] : (tensor<4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[PAD:.*]] = ingot.pad %[[SLICE]], %[[CONSTANT_2]] low = [1] high = [0] interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SLICE_2:.*]] = ingot.slice %[[X]] starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SLICE_3:.*]] = ingot.slice %[[X]] starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[SLICE_3]], %[[SLICE_2]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SLICE_4:.*]] = ingot.slice %[[MUL]] starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_5:.*]] = ingot.slice %[[MUL]] starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_2]], %[[R0]], %[[CONSTANT_4]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT_4]], %[[R0]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SLICE_6:.*]] = ingot.slice %[[SELECT_3]] starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare ne %[[SLICE_6]], %[[CONSTANT_4]] : (tensor<2xf64>, tensor<f64>) -> tensor<2xi1>
// CHECK-NEXT: %[[SLICE_7:.*]] = ingot.slice %[[SELECT_3]] starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare ne %[[SLICE_7]], %[[CONSTANT_4]] : (tensor<2xf64>, tensor<f64>) -> tensor<2xi1>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[SLICE_6]], %[[SLICE_3]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_2:.*]] = ingot.pad %[[SLICE_6]], %[[CONSTANT_4]] low = [0] high = [1] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare ne %[[PAD_2]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SLICE_8:.*]] = ingot.slice %[[MUL_NO_NAN]] starts = [1] sizes = [1] strides = [1] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_9:.*]] = ingot.slice %[[COMPARE_3]] starts = [1] sizes = [1] strides = [1] : (tensor<2xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[PAD_3:.*]] = ingot.pad %[[SLICE_8]], %[[CONSTANT_4]] low = [0] high = [1] interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_4:.*]] = ingot.pad %[[SLICE_9]], %[[CONSTANT]] low = [0] high = [1] interior = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SLICE_7]], %[[PAD_3]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[OR:.*]] = ingot.or %[[COMPARE_4]], %[[PAD_4]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[SLICE_10:.*]] = ingot.slice %[[ADD]] starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_11:.*]] = ingot.slice %[[OR]] starts = [0] sizes = [1] strides = [2] : (tensor<2xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[SLICE_12:.*]] = ingot.slice %[[ADD]] starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SLICE_13:.*]] = ingot.slice %[[OR]] starts = [1] sizes = [1] strides = [2] : (tensor<2xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[SLICE_10]], %[[SLICE_5]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[SLICE_11]], %[[MUL_2]], %[[CONSTANT_4]] : (tensor<1xi1>, tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %[[PAD_5:.*]] = ingot.pad %[[SLICE_10]], %[[CONSTANT_4]] low = [0] high = [1] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_6:.*]] = ingot.pad %[[SLICE_11]], %[[CONSTANT]] low = [0] high = [1] interior = [1] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[SLICE_14:.*]] = ingot.slice %[[SELECT_5]] starts = [1] sizes = [0] strides = [1] : (tensor<1xf64>) -> tensor<0xf64>
// CHECK-NEXT: %[[SLICE_15:.*]] = ingot.slice %[[SLICE_11]] starts = [1] sizes = [0] strides = [1] : (tensor<1xi1>) -> tensor<0xi1>
// CHECK-NEXT: %[[PAD_7:.*]] = ingot.pad %[[SLICE_14]], %[[CONSTANT_4]] low = [0] high = [1] interior = [0] : (tensor<0xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %[[PAD_8:.*]] = ingot.pad %[[SLICE_15]], %[[CONSTANT]] low = [0] high = [1] interior = [0] : (tensor<0xi1>, tensor<i1>) -> tensor<1xi1>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[SLICE_12]], %[[PAD_7]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[OR_2:.*]] = ingot.or %[[SLICE_13]], %[[PAD_8]] : (tensor<1xi1>, tensor<1xi1>) -> tensor<1xi1>
// CHECK-NEXT: %[[MUL_3:.*]] = ingot.mul %[[ADD_2]], %[[SLICE_4]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[OR_2]], %[[MUL_3]], %[[CONSTANT_4]] : (tensor<1xi1>, tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %[[PAD_9:.*]] = ingot.pad %[[SELECT_6]], %[[CONSTANT_4]] low = [0] high = [1] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_10:.*]] = ingot.pad %[[OR_2]], %[[CONSTANT]] low = [0] high = [1] interior = [1] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[ADD_3:.*]] = ingot.add %[[PAD_5]], %[[PAD_9]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[OR_3:.*]] = ingot.or %[[PAD_6]], %[[PAD_10]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[PAD_11:.*]] = ingot.pad %[[ADD_2]], %[[CONSTANT_4]] low = [1] high = [0] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_12:.*]] = ingot.pad %[[OR_2]], %[[CONSTANT]] low = [1] high = [0] interior = [1] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[ADD_4:.*]] = ingot.add %[[ADD_3]], %[[PAD_11]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[OR_4:.*]] = ingot.or %[[OR_3]], %[[PAD_12]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %[[MUL_4:.*]] = ingot.mul %[[ADD_4]], %[[SLICE_2]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %[[SELECT_7:.*]] = ingot.select %[[OR_4]], %[[MUL_4]], %[[CONSTANT_4]] : (tensor<2xi1>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %[[PAD_13:.*]] = ingot.pad %[[SELECT_7]], %[[CONSTANT_4]] low = [0] high = [1] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[PAD_14:.*]] = ingot.pad %[[OR_4]], %[[CONSTANT]] low = [0] high = [1] interior = [1] : (tensor<2xi1>, tensor<i1>) -> tensor<4xi1>
// CHECK-NEXT: %[[ADD_5:.*]] = ingot.add %[[PAD_2]], %[[PAD_13]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[OR_5:.*]] = ingot.or %[[COMPARE_5]], %[[PAD_14]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[PAD_15:.*]] = ingot.pad %[[ADD_4]], %[[CONSTANT_4]] low = [1] high = [0] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[PAD_16:.*]] = ingot.pad %[[OR_4]], %[[CONSTANT]] low = [1] high = [0] interior = [1] : (tensor<2xi1>, tensor<i1>) -> tensor<4xi1>
// CHECK-NEXT: %[[ADD_6:.*]] = ingot.add %[[ADD_5]], %[[PAD_15]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[OR_6:.*]] = ingot.or %[[OR_5]], %[[PAD_16]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[MUL_5:.*]] = ingot.mul %[[ADD_6]], %[[PAD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_8:.*]] = ingot.select %[[OR_6]], %[[MUL_5]], %[[CONSTANT_4]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[SELECT_4]], %[[CUMULATIVE]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[FLIP:.*]] = ingot.flip %[[MUL_NO_NAN_2]] axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[CUMULATIVE_3:.*]] = ingot.cumulative add %[[FLIP]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[FLIP_2:.*]] = ingot.flip %[[CUMULATIVE_3]] axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[FLIP_2]], %[[SELECT_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD_7:.*]] = ingot.add %[[SELECT_8]], %[[DIV_NO_NAN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD_7]] : tensor<4xf64>
func.func @jvp_cumulative_mul(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_mul"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative mul %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_mul(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_mul"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative mul %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_max(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative max %[[X]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[CUMULATIVE]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[IOTA]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative max %[[SELECT]] axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %[[GATHER:.*]] = ingot.gather %[[DX]][%[[CUMULATIVE_2]]] : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[GATHER]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_max(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative max %[[X]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[CUMULATIVE]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[IOTA]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative max %[[SELECT]] axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %[[SCATTER:.*]] = ingot.scatter add %[[CONSTANT_2]], %[[R0]][%[[CUMULATIVE_2]]] : (tensor<4xf64>, tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SCATTER]] : tensor<4xf64>
func.func @jvp_cumulative_max(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_max"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative max %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_max(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_max"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative max %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_min(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative min %[[X]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[CUMULATIVE]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[IOTA]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative max %[[SELECT]] axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %[[GATHER:.*]] = ingot.gather %[[DX]][%[[CUMULATIVE_2]]] : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[GATHER]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_min(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CUMULATIVE:.*]] = ingot.cumulative min %[[X]] axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[CUMULATIVE]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[IOTA]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %[[CUMULATIVE_2:.*]] = ingot.cumulative max %[[SELECT]] axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %[[SCATTER:.*]] = ingot.scatter add %[[CONSTANT_2]], %[[R0]][%[[CUMULATIVE_2]]] : (tensor<4xf64>, tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SCATTER]] : tensor<4xf64>
func.func @jvp_cumulative_min(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_min"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative min %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_min(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_min"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative min %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_sort(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %[[SORT:.*]]:2 = ingot.sort %[[X]], %[[IOTA]] axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
// CHECK-NEXT: %[[GATHER:.*]] = ingot.gather %[[DX]][%[[SORT]]#1] : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[GATHER]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sort(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %[[SORT:.*]]:2 = ingot.sort %[[X]], %[[IOTA]] axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
// CHECK-NEXT: %[[SCATTER:.*]] = ingot.scatter add %[[CONSTANT]], %[[R0]][%[[SORT]]#1] : (tensor<4xf64>, tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SCATTER]] : tensor<4xf64>
func.func @jvp_sort(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "sort"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sort %xi axis = 0 keys = 1 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_sort(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "sort"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sort %xi axis = 0 keys = 1 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
