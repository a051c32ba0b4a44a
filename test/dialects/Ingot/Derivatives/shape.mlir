// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<2x2xf64> {
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[DX]] : (tensor<4xf64>) -> tensor<2x2xf64>
// CHECK-NEXT: return %[[RESHAPE]] : tensor<2x2xf64>
// CHECK-LABEL: func.func @vjp_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<2x2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[RESHAPE:.*]] = ingot.reshape %[[R0]] : (tensor<2x2xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[RESHAPE]] : tensor<4xf64>
func.func @jvp_reshape(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<2x2xf64>) {
  %r:2 = ingot.jvp "reshape"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.reshape %xi : (tensor<4xf64>) -> tensor<2x2xf64>
    ingot.yield %o : tensor<2x2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>)
  return %r#1 : tensor<2x2xf64>
}
func.func @vjp_reshape(%x: tensor<4xf64>, %r0: tensor<2x2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "reshape"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.reshape %xi : (tensor<4xf64>) -> tensor<2x2xf64>
    ingot.yield %o : tensor<2x2xf64>
  } : (tensor<4xf64>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_transpose(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[DX:.*]]: tensor<3x4xf64>) -> tensor<4x3xf64> {
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[DX]] axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<4x3xf64>
// CHECK-LABEL: func.func @vjp_transpose(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>, %[[R0:.*]]: tensor<4x3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[TRANSPOSE:.*]] = ingot.transpose %[[R0]] axes = [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<3x4xf64>
func.func @jvp_transpose(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<4x3xf64>) {
  %r:2 = ingot.jvp "transpose"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.transpose %xi axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    ingot.yield %o : tensor<4x3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<4x3xf64>, tensor<4x3xf64>)
  return %r#1 : tensor<4x3xf64>
}
func.func @vjp_transpose(%x: tensor<3x4xf64>, %r0: tensor<4x3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "transpose"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.transpose %xi axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    ingot.yield %o : tensor<4x3xf64>
  } : (tensor<3x4xf64>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_broadcast_to(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %[[BROADCAST_TO:.*]] = ingot.broadcast_to %[[DX]] : (tensor<4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %[[BROADCAST_TO]] : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_broadcast_to(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<3x4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[R0]] axes = [0] : (tensor<3x4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[REDUCE]] : tensor<4xf64>
func.func @jvp_broadcast_to(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "broadcast_to"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.broadcast_to %xi : (tensor<4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_broadcast_to(%x: tensor<4xf64>, %r0: tensor<3x4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "broadcast_to"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.broadcast_to %xi : (tensor<4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_concatenate(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<8xf64> {
// CHECK-NEXT: %[[CONCATENATE:.*]] = ingot.concatenate %[[DX]], %[[DY]] axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
// CHECK-NEXT: return %[[CONCATENATE]] : tensor<8xf64>
// CHECK-LABEL: func.func @vjp_concatenate(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<8xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[SLICE:.*]] = ingot.slice %[[R0]] starts = [0] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SLICE_2:.*]] = ingot.slice %[[R0]] starts = [4] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SLICE]], %[[SLICE_2]] : tensor<4xf64>, tensor<4xf64>
func.func @jvp_concatenate(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<8xf64>) {
  %r:2 = ingot.jvp "concatenate"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.concatenate %xi, %yi axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
    ingot.yield %o : tensor<8xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %r#1 : tensor<8xf64>
}
func.func @vjp_concatenate(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<8xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "concatenate"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.concatenate %xi, %yi axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
    ingot.yield %o : tensor<8xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_pad(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<f64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<f64>) -> tensor<7xf64> {
// CHECK-NEXT: %[[PAD:.*]] = ingot.pad %[[DX]], %[[DY]] low = [1] high = [2] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<7xf64>
// CHECK-NEXT: return %[[PAD]] : tensor<7xf64>
// CHECK-LABEL: func.func @vjp_pad(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<f64>, %[[R0:.*]]: tensor<7xf64>) -> (tensor<4xf64>, tensor<f64>) {
// CHECK-NEXT: %[[SLICE:.*]] = ingot.slice %[[R0]] starts = [1] sizes = [4] strides = [1] : (tensor<7xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[SLICE]] axes = [0] : (tensor<4xf64>) -> tensor<f64>
// CHECK-NEXT: %[[REDUCE_2:.*]] = ingot.reduce add %[[R0]] axes = [0] : (tensor<7xf64>) -> tensor<f64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[REDUCE_2]], %[[REDUCE]] : (tensor<f64>, tensor<f64>) -> tensor<f64>
// CHECK-NEXT: return %[[SLICE]], %[[SUB]] : tensor<4xf64>, tensor<f64>
func.func @jvp_pad(%x: tensor<4xf64>, %y: tensor<f64>, %dx: tensor<4xf64>, %dy: tensor<f64>) -> (tensor<7xf64>) {
  %r:2 = ingot.jvp "pad"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<f64>):
    %o = ingot.pad %xi, %yi low = [1] high = [2] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<7xf64>
    ingot.yield %o : tensor<7xf64>
  } : (tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<f64>) -> (tensor<7xf64>, tensor<7xf64>)
  return %r#1 : tensor<7xf64>
}
func.func @vjp_pad(%x: tensor<4xf64>, %y: tensor<f64>, %r0: tensor<7xf64>) -> (tensor<4xf64>, tensor<f64>) {
  %r:3 = ingot.vjp "pad"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<f64>):
    %o = ingot.pad %xi, %yi low = [1] high = [2] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<7xf64>
    ingot.yield %o : tensor<7xf64>
  } : (tensor<4xf64>, tensor<f64>, tensor<7xf64>) -> (tensor<7xf64>, tensor<4xf64>, tensor<f64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<f64>
}

// CHECK-LABEL: func.func @jvp_flip(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[FLIP:.*]] = ingot.flip %[[DX]] axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[FLIP]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_flip(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[FLIP:.*]] = ingot.flip %[[R0]] axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[FLIP]] : tensor<4xf64>
func.func @jvp_flip(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "flip"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.flip %xi axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_flip(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "flip"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.flip %xi axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
