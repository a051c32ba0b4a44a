// RUN: ingot-opt %s --split-axes --split-input-file | FileCheck %s

// x.T.reshape(-1) * y is computed on the two axes of x.T.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[X:.*]]: tensor<40x30xf64>, %[[Y:.*]]: tensor<1200xf64>)
// CHECK-NEXT: %[[T:.*]] = ingot.transpose %[[X]]
// CHECK-NEXT: %[[S:.*]] = ingot.reshape %[[Y]] : (tensor<1200xf64>) -> tensor<30x40xf64>
// CHECK-NEXT: %[[P:.*]] = ingot.mul %[[T]], %[[S]] : (tensor<30x40xf64>, tensor<30x40xf64>) -> tensor<30x40xf64>
// CHECK-NEXT: %[[R:.*]] = ingot.reshape %[[P]] : (tensor<30x40xf64>) -> tensor<1200xf64>
// CHECK-NEXT: return %[[R]]
func.func @transposed(%x: tensor<40x30xf64>, %y: tensor<1200xf64>) -> tensor<1200xf64> {
  %t = ingot.transpose %x axes = [1, 0] : (tensor<40x30xf64>) -> tensor<30x40xf64>
  %r = ingot.reshape %t : (tensor<30x40xf64>) -> tensor<1200xf64>
  %p = ingot.mul %r, %y : (tensor<1200xf64>, tensor<1200xf64>) -> tensor<1200xf64>
  return %p : tensor<1200xf64>
}

// -----

// Each operand has the axes of the result along which it has elements, scalars none; what is
// computed for this use only follows, and so do slices of whole axes, and the next reshape.
// CHECK-LABEL: func.func @chain
// CHECK: %[[B:.*]] = ingot.broadcast_to
// CHECK: %[[D:.*]] = ingot.reshape %[[B]] : (tensor<2x4x1x32xf64>) -> tensor<2x4x32xf64>
// CHECK: %[[E:.*]] = ingot.reshape %{{.*}} : (tensor<128xf64>) -> tensor<4x32xf64>
// CHECK: %[[F:.*]] = ingot.sub %[[E]], %{{.*}} : (tensor<4x32xf64>, tensor<f64>) -> tensor<4x32xf64>
// CHECK: %[[P:.*]] = ingot.mul %[[D]], %[[F]] : (tensor<2x4x32xf64>, tensor<4x32xf64>) -> tensor<2x4x32xf64>
// CHECK: %[[S:.*]] = ingot.slice %[[P]] starts = [1, 0, 0] sizes = [1, 4, 32] strides = [1, 1, 1]
// CHECK: %[[C:.*]] = ingot.reshape %{{.*}} : (tensor<3x1xf64>) -> tensor<3x1x1xf64>
// CHECK: %[[A:.*]] = ingot.add %[[S]], %[[C]] : (tensor<1x4x32xf64>, tensor<3x1x1xf64>) -> tensor<3x4x32xf64>
// CHECK: %[[R:.*]] = ingot.reshape %[[A]] : (tensor<3x4x32xf64>) -> tensor<12x32xf64>
// CHECK: return %[[R]]
func.func @chain(%x: tensor<2x4x1x1xf64>, %y: tensor<128xf64>, %s: tensor<f64>, %c: tensor<3x1xf64>) -> tensor<12x32xf64> {
  %b = ingot.broadcast_to %x : (tensor<2x4x1x1xf64>) -> tensor<2x4x1x32xf64>
  %d = ingot.reshape %b : (tensor<2x4x1x32xf64>) -> tensor<2x128xf64>
  %f = ingot.sub %y, %s : (tensor<128xf64>, tensor<f64>) -> tensor<128xf64>
  %p = ingot.mul %d, %f : (tensor<2x128xf64>, tensor<128xf64>) -> tensor<2x128xf64>
  %row = ingot.slice %p starts = [1, 0] sizes = [1, 128] strides = [1, 1] : (tensor<2x128xf64>) -> tensor<1x128xf64>
  %a = ingot.add %row, %c : (tensor<1x128xf64>, tensor<3x1xf64>) -> tensor<3x128xf64>
  %r = ingot.reshape %a : (tensor<3x128xf64>) -> tensor<12x32xf64>
  return %r : tensor<12x32xf64>
}

// -----

// Two reshapes that merge different axes: the first one decides.
// CHECK-LABEL: func.func @different
// CHECK: %[[T:.*]] = ingot.transpose
// CHECK: %[[U:.*]] = ingot.transpose
// CHECK: %[[M:.*]] = ingot.reshape %[[U]] : (tensor<20x60xf64>) -> tensor<1200xf64>
// CHECK: %[[V:.*]] = ingot.reshape %[[M]] : (tensor<1200xf64>) -> tensor<30x40xf64>
// CHECK: ingot.mul %[[T]], %[[V]]
func.func @different(%x: tensor<40x30xf64>, %y: tensor<60x20xf64>) -> tensor<1200xf64> {
  %t = ingot.transpose %x axes = [1, 0] : (tensor<40x30xf64>) -> tensor<30x40xf64>
  %r = ingot.reshape %t : (tensor<30x40xf64>) -> tensor<1200xf64>
  %u = ingot.transpose %y axes = [1, 0] : (tensor<60x20xf64>) -> tensor<20x60xf64>
  %v = ingot.reshape %u : (tensor<20x60xf64>) -> tensor<1200xf64>
  %p = ingot.mul %r, %v : (tensor<1200xf64>, tensor<1200xf64>) -> tensor<1200xf64>
  return %p : tensor<1200xf64>
}

// -----

// An array in memory is read as it is; a function of elements by rows of three would be slower than
// one of all elements; and a slice that begins within a merged axis needs it.
// CHECK-LABEL: func.func @not
// CHECK: ingot.exp %{{.*}} : tensor<120xf64>
// CHECK: ingot.add %{{.*}}, %{{.*}} : (tensor<120xf64>, tensor<120xf64>) -> tensor<120xf64>
// CHECK: ingot.slice %{{.*}} starts = [5] sizes = [100] strides = [1] : (tensor<120xf64>) -> tensor<100xf64>
func.func @not(%x: tensor<3x40xf64>, %y: tensor<3x40xf64>) -> (tensor<120xf64>, tensor<120xf64>, tensor<100xf64>) {
  %t = ingot.transpose %x axes = [1, 0] : (tensor<3x40xf64>) -> tensor<40x3xf64>
  %r = ingot.reshape %t : (tensor<40x3xf64>) -> tensor<120xf64>
  %e = ingot.exp %r : tensor<120xf64>
  %f = ingot.reshape %y : (tensor<3x40xf64>) -> tensor<120xf64>
  %a = ingot.add %f, %f : (tensor<120xf64>, tensor<120xf64>) -> tensor<120xf64>
  %s = ingot.slice %r starts = [5] sizes = [100] strides = [1] : (tensor<120xf64>) -> tensor<100xf64>
  return %e, %a, %s : tensor<120xf64>, tensor<120xf64>, tensor<100xf64>
}
