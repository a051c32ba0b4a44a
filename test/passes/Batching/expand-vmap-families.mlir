// RUN: ingot-opt --split-input-file --expand-vmap %s | FileCheck %s

// Operations with axis numbers in attributes.
// CHECK-LABEL: func.func @numbered_axes
// CHECK-SAME: (%[[X:.*]]: tensor<5x3x4xf64>, %[[I:.*]]: tensor<3x4xi64>, %[[W:.*]]: tensor<2x4xf64>)
func.func @numbered_axes(%x: tensor<5x3x4xf64>, %i: tensor<3x4xi64>, %w: tensor<2x4xf64>) -> (tensor<5x3x4xf64>, tensor<5x3x4xi64>, tensor<5x5x4xf64>, tensor<5x3x4xf64>, tensor<5x3x4xf64>, tensor<5x4x3xf64>, tensor<5x3xi64>) {
  // An operand that does not differ between lanes is broadcast.
  // CHECK: %[[ALL_I:.*]] = ingot.broadcast_to %[[I]] : (tensor<3x4xi64>) -> tensor<5x3x4xi64>
  // CHECK: %[[SORT:.*]]:2 = ingot.sort %[[X]], %[[ALL_I]] axis = 2 keys = 1 : (tensor<5x3x4xf64>, tensor<5x3x4xi64>) -> (tensor<5x3x4xf64>, tensor<5x3x4xi64>)
  // CHECK: %[[ALL_W:.*]] = ingot.broadcast_to %[[W]] : (tensor<2x4xf64>) -> tensor<5x2x4xf64>
  // CHECK: %[[JOINED:.*]] = ingot.concatenate %[[X]], %[[ALL_W]] axis = 1 : (tensor<5x3x4xf64>, tensor<5x2x4xf64>) -> tensor<5x5x4xf64>
  // CHECK: %[[SUMS:.*]] = ingot.cumulative add %[[X]] axis = 1 : (tensor<5x3x4xf64>) -> tensor<5x3x4xf64>
  // CHECK: %[[FLIP:.*]] = ingot.flip %[[X]] axes = [1, 2] : (tensor<5x3x4xf64>) -> tensor<5x3x4xf64>
  // CHECK: %[[TURNED:.*]] = ingot.transpose %[[X]] axes = [0, 2, 1] : (tensor<5x3x4xf64>) -> tensor<5x4x3xf64>
  // CHECK: %[[LARGEST:.*]] = ingot.arg_reduce max %[[X]] axis = 2 : (tensor<5x3x4xf64>) -> tensor<5x3xi64>
  // CHECK: return %[[SORT]]#0, %[[SORT]]#1, %[[JOINED]], %[[SUMS]], %[[FLIP]], %[[TURNED]], %[[LARGEST]]
  %0:7 = ingot.vmap "f"(%x) size = 5 shared = [] {
  ^bb0(%a: tensor<3x4xf64>):
    %1:2 = ingot.sort %a, %i axis = 1 keys = 1 : (tensor<3x4xf64>, tensor<3x4xi64>) -> (tensor<3x4xf64>, tensor<3x4xi64>)
    %2 = ingot.concatenate %a, %w axis = 0 : (tensor<3x4xf64>, tensor<2x4xf64>) -> tensor<5x4xf64>
    %3 = ingot.cumulative add %a axis = 0 : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %4 = ingot.flip %a axes = [0, 1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %5 = ingot.transpose %a axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    %6 = ingot.arg_reduce max %a axis = 1 : (tensor<3x4xf64>) -> tensor<3xi64>
    ingot.yield %1#0, %1#1, %2, %3, %4, %5, %6 : tensor<3x4xf64>, tensor<3x4xi64>, tensor<5x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<4x3xf64>, tensor<3xi64>
  } : (tensor<5x3x4xf64>) -> (tensor<5x3x4xf64>, tensor<5x3x4xi64>, tensor<5x5x4xf64>, tensor<5x3x4xf64>, tensor<5x3x4xf64>, tensor<5x4x3xf64>, tensor<5x3xi64>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6 : tensor<5x3x4xf64>, tensor<5x3x4xi64>, tensor<5x5x4xf64>, tensor<5x3x4xf64>, tensor<5x3x4xf64>, tensor<5x4x3xf64>, tensor<5x3xi64>
}

// -----

// Positions along the last axis.
// CHECK-LABEL: func.func @positions
// CHECK-SAME: (%[[M:.*]]: tensor<5x4xi1>)
func.func @positions(%m: tensor<5x4xi1>) -> tensor<5x4xi64> {
  // CHECK: %[[FOUND:.*]] = ingot.nonzero %[[M]] : (tensor<5x4xi1>) -> tensor<5x4xi64>
  // CHECK: return %[[FOUND]]
  %0 = ingot.vmap "f"(%m) size = 5 shared = [] {
  ^bb0(%a: tensor<4xi1>):
    %1 = ingot.nonzero %a : (tensor<4xi1>) -> tensor<4xi64>
    ingot.yield %1 : tensor<4xi64>
  } : (tensor<5x4xi1>) -> tensor<5x4xi64>
  return %0 : tensor<5x4xi64>
}

// -----

// Operations on the last axes.
// CHECK-LABEL: func.func @last_axes
// CHECK-SAME: (%[[X:.*]]: tensor<5x3x3xf64>, %[[B:.*]]: tensor<3x2xf64>, %[[C:.*]]: tensor<5x3x3xcomplex<f64>>)
func.func @last_axes(%x: tensor<5x3x3xf64>, %b: tensor<3x2xf64>, %c: tensor<5x3x3xcomplex<f64>>) -> (tensor<5x3x2xcomplex<f64>>, tensor<5x3x3xf64>, tensor<5x3x2xf64>, tensor<5x3xi32>, tensor<5x3x3xf64>, tensor<5x3xf64>, tensor<5x3xf64>, tensor<5x3xcomplex<f64>>) {
  // CHECK: %[[FFT:.*]] = ingot.fft rfft %[[X]] length = 3 : (tensor<5x3x3xf64>) -> tensor<5x3x2xcomplex<f64>>
  // CHECK: %[[L:.*]] = ingot.cholesky %[[X]] : (tensor<5x3x3xf64>) -> tensor<5x3x3xf64>
  // CHECK: %[[ALL_B:.*]] = ingot.broadcast_to %[[B]] : (tensor<3x2xf64>) -> tensor<5x3x2xf64>
  // CHECK: %[[SOLVED:.*]] = ingot.triangular_solve %[[L]], %[[ALL_B]] lower = true unit = false : (tensor<5x3x3xf64>, tensor<5x3x2xf64>) -> tensor<5x3x2xf64>
  // CHECK: %{{.*}}, %[[PIVOTS:.*]] = ingot.lu %[[X]] : (tensor<5x3x3xf64>) -> (tensor<5x3x3xf64>, tensor<5x3xi32>)
  // CHECK: %{{.*}}, %[[R:.*]] = ingot.qr %[[X]] full = false : (tensor<5x3x3xf64>) -> (tensor<5x3x3xf64>, tensor<5x3x3xf64>)
  // CHECK: %[[VALUES:.*]], %{{.*}}, %{{.*}} = ingot.eigh %[[X]] lower = true : (tensor<5x3x3xf64>) -> (tensor<5x3xf64>, tensor<5x3x3xf64>, tensor<5xi32>)
  // CHECK: %{{.*}}, %[[S:.*]], %{{.*}}, %{{.*}} = ingot.svd %[[X]] full = false : (tensor<5x3x3xf64>) -> (tensor<5x3x3xf64>, tensor<5x3xf64>, tensor<5x3x3xf64>, tensor<5xi32>)
  // CHECK: %[[EIG:.*]], %{{.*}}, %{{.*}} = ingot.eig %[[C]] : (tensor<5x3x3xcomplex<f64>>) -> (tensor<5x3xcomplex<f64>>, tensor<5x3x3xcomplex<f64>>, tensor<5xi32>)
  // CHECK: return %[[FFT]], %[[L]], %[[SOLVED]], %[[PIVOTS]], %[[R]], %[[VALUES]], %[[S]], %[[EIG]]
  %0:8 = ingot.vmap "f"(%x, %c) size = 5 shared = [] {
  ^bb0(%a: tensor<3x3xf64>, %z: tensor<3x3xcomplex<f64>>):
    %1 = ingot.fft rfft %a length = 3 : (tensor<3x3xf64>) -> tensor<3x2xcomplex<f64>>
    %2 = ingot.cholesky %a : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %3 = ingot.triangular_solve %2, %b lower = true unit = false : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %lu, %pivots = ingot.lu %a : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
    %q, %r = ingot.qr %a full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    %w, %v, %info = ingot.eigh %a lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    %u, %s, %vh, %done = ingot.svd %a full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    %values, %vectors, %found = ingot.eig %z : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
    ingot.yield %1, %2, %3, %pivots, %r, %w, %s, %values : tensor<3x2xcomplex<f64>>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3xi32>, tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xcomplex<f64>>
  } : (tensor<5x3x3xf64>, tensor<5x3x3xcomplex<f64>>) -> (tensor<5x3x2xcomplex<f64>>, tensor<5x3x3xf64>, tensor<5x3x2xf64>, tensor<5x3xi32>, tensor<5x3x3xf64>, tensor<5x3xf64>, tensor<5x3xf64>, tensor<5x3xcomplex<f64>>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : tensor<5x3x2xcomplex<f64>>, tensor<5x3x3xf64>, tensor<5x3x2xf64>, tensor<5x3xi32>, tensor<5x3x3xf64>, tensor<5x3xf64>, tensor<5x3xf64>, tensor<5x3xcomplex<f64>>
}

// -----

// Padding that differs between lanes is selected where the padding is.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[X:.*]]: tensor<5x8xf64>, %[[V:.*]]: tensor<5xf64>, %[[ZERO:.*]]: tensor<f64>)
func.func @parts(%x: tensor<5x8xf64>, %v: tensor<5xf64>, %zero: tensor<f64>) -> (tensor<5x2xf64>, tensor<5x11xf64>, tensor<5x9xf64>) {
  // CHECK: %[[PART:.*]] = ingot.slice %[[X]] starts = [0, 1] sizes = [5, 2] strides = [1, 3] : (tensor<5x8xf64>) -> tensor<5x2xf64>
  // CHECK: %[[PAD:.*]] = ingot.pad %[[X]], %[[ZERO]] low = [0, 1] high = [0, 2] interior = [0, 0] : (tensor<5x8xf64>, tensor<f64>) -> tensor<5x11xf64>
  // CHECK: %[[COLUMN:.*]] = ingot.reshape %[[V]] : (tensor<5xf64>) -> tensor<5x1xf64>
  // CHECK-DAG: %[[INSIDE:.*]] = ingot.pad %{{.*}}, %{{.*}} low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<5x8xi1>, tensor<i1>) -> tensor<5x9xi1>
  // CHECK-DAG: %[[ANY:.*]] = ingot.pad %[[X]], %{{.*}} low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<5x8xf64>, tensor<f64>) -> tensor<5x9xf64>
  // CHECK: %[[CHOSEN:.*]] = ingot.select %[[INSIDE]], %[[ANY]], %[[COLUMN]] : (tensor<5x9xi1>, tensor<5x9xf64>, tensor<5x1xf64>) -> tensor<5x9xf64>
  // CHECK: return %[[PART]], %[[PAD]], %[[CHOSEN]]
  %0:3 = ingot.vmap "f"(%x, %v) size = 5 shared = [] {
  ^bb0(%a: tensor<8xf64>, %b: tensor<f64>):
    %1 = ingot.slice %a starts = [1] sizes = [2] strides = [3] : (tensor<8xf64>) -> tensor<2xf64>
    %2 = ingot.pad %a, %zero low = [1] high = [2] interior = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<11xf64>
    %3 = ingot.pad %a, %b low = [1] high = [0] interior = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<9xf64>
    ingot.yield %1, %2, %3 : tensor<2xf64>, tensor<11xf64>, tensor<9xf64>
  } : (tensor<5x8xf64>, tensor<5xf64>) -> (tensor<5x2xf64>, tensor<5x11xf64>, tensor<5x9xf64>)
  return %0#0, %0#1, %0#2 : tensor<5x2xf64>, tensor<5x11xf64>, tensor<5x9xf64>
}

// -----

// Operations that only change shapes or the order of elements.
// CHECK-LABEL: func.func @rearranged
// CHECK-SAME: (%[[X:.*]]: tensor<5x6xf64>, %[[S:.*]]: tensor<f64>)
func.func @rearranged(%x: tensor<5x6xf64>, %s: tensor<f64>) -> (tensor<5x2x3xf64>, tensor<5x4x6xf64>, tensor<5x6xf64>, tensor<5xf64>, tensor<5x6xf64>) {
  // CHECK: %[[SHAPED:.*]] = ingot.reshape %[[X]] : (tensor<5x6xf64>) -> tensor<5x2x3xf64>
  // CHECK: %[[ALIGNED:.*]] = ingot.reshape %[[X]] : (tensor<5x6xf64>) -> tensor<5x1x6xf64>
  // CHECK: %[[REPEATED:.*]] = ingot.broadcast_to %[[ALIGNED]] : (tensor<5x1x6xf64>) -> tensor<5x4x6xf64>
  // CHECK: %[[ALL_S:.*]] = ingot.broadcast_to %[[S]] : (tensor<f64>) -> tensor<5xf64>
  // CHECK: %[[ORDERED:.*]]:2 = ingot.barrier %[[X]], %[[ALL_S]] : tensor<5x6xf64>, tensor<5xf64>
  // CHECK: %[[FIXED:.*]] = ingot.stop_gradient %[[X]] : tensor<5x6xf64>
  // CHECK: return %[[SHAPED]], %[[REPEATED]], %[[ORDERED]]#0, %[[ORDERED]]#1, %[[FIXED]]
  %0:5 = ingot.vmap "f"(%x) size = 5 shared = [] {
  ^bb0(%a: tensor<6xf64>):
    %1 = ingot.reshape %a : (tensor<6xf64>) -> tensor<2x3xf64>
    %2 = ingot.broadcast_to %a : (tensor<6xf64>) -> tensor<4x6xf64>
    %3:2 = ingot.barrier %a, %s : tensor<6xf64>, tensor<f64>
    %4 = ingot.stop_gradient %a : tensor<6xf64>
    ingot.yield %1, %2, %3#0, %3#1, %4 : tensor<2x3xf64>, tensor<4x6xf64>, tensor<6xf64>, tensor<f64>, tensor<6xf64>
  } : (tensor<5x6xf64>) -> (tensor<5x2x3xf64>, tensor<5x4x6xf64>, tensor<5x6xf64>, tensor<5xf64>, tensor<5x6xf64>)
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<5x2x3xf64>, tensor<5x4x6xf64>, tensor<5x6xf64>, tensor<5xf64>, tensor<5x6xf64>
}
