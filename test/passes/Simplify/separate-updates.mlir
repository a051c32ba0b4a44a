// RUN: ingot-opt %s --separate-updates | FileCheck %s

// `z.ravel()[0] = 0; z[1:] = z[:-1]`: the array is reshaped before.
// CHECK-LABEL: func.func @reshaped_array
func.func @reshaped_array(%line: tensor<12xf64>, %one: tensor<i64>, %zero: tensor<i64>) -> tensor<3x4xf64> {
  // CHECK: %[[Z:.*]] = ingot.reshape
  // CHECK: %[[PART:.*]] = ingot.slice %[[Z]]
  // CHECK: %[[READ:.*]] = ingot.barrier %[[PART]] : tensor<2x4xf64>
  // CHECK: ingot.update_slice %[[Z]], %[[READ]][
  %z = ingot.reshape %line : (tensor<12xf64>) -> tensor<3x4xf64>
  %part = ingot.slice %z starts = [0, 0] sizes = [2, 4] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<2x4xf64>
  %r = ingot.update_slice %z, %part[%one, %zero] strides = [1, 1] : (tensor<3x4xf64>, tensor<2x4xf64>, tensor<i64>, tensor<i64>) -> tensor<3x4xf64>
  return %r : tensor<3x4xf64>
}

// The update reads the transposed array, through other operations.
// CHECK-LABEL: func.func @transposed_read
func.func @transposed_read(%z: tensor<3x3xf64>, %one: tensor<i64>, %zero: tensor<i64>) -> tensor<3x3xf64> {
  // CHECK: %[[TWICE:.*]] = ingot.add
  // CHECK: %[[READ:.*]] = ingot.barrier %[[TWICE]] : tensor<2x3xf64>
  // CHECK: ingot.update_slice %{{.*}}, %[[READ]][
  %t = ingot.transpose %z axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %part = ingot.slice %t starts = [0, 0] sizes = [2, 3] strides = [1, 1] : (tensor<3x3xf64>) -> tensor<2x3xf64>
  %twice = ingot.add %part, %part : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %r = ingot.update_slice %z, %twice[%one, %zero] strides = [1, 1] : (tensor<3x3xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<3x3xf64>
  return %r : tensor<3x3xf64>
}

// The update reads other elements of the array itself: XLA may reshape it.
// CHECK-LABEL: func.func @same_array
func.func @same_array(%z: tensor<4xf64>, %i: tensor<i64>, %one: tensor<i64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  // CHECK-COUNT-3: ingot.barrier
  %part = ingot.slice %z starts = [0] sizes = [3] strides = [1] : (tensor<4xf64>) -> tensor<3xf64>
  %r = ingot.update_slice %z, %part[%one] strides = [1] : (tensor<4xf64>, tensor<3xf64>, tensor<i64>) -> tensor<4xf64>
  // The same elements, but reversed.
  %same = ingot.dynamic_slice %z[%i] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
  %reversed = ingot.flip %same axes = [0] : (tensor<2xf64>) -> tensor<2xf64>
  %s = ingot.update_slice %z, %reversed[%i] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
  // One element, broadcast to all.
  %first = ingot.dynamic_slice %z[%i] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
  %sum = ingot.add %same, %first : (tensor<2xf64>, tensor<1xf64>) -> tensor<2xf64>
  %t = ingot.update_slice %z, %sum[%i] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
  return %r, %s, %t : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// No barrier: each element is read before it is written, the arrays differ, or a single element is
// computed before it is written.
// CHECK-LABEL: func.func @others
// CHECK-NOT: ingot.barrier
// CHECK: return
func.func @others(%z: tensor<3x4xf64>, %w: tensor<3x4xf64>, %one: tensor<i64>, %zero: tensor<i64>) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<12xf64>, tensor<12xf64>) {
  %c1 = ingot.constant dense<1> : tensor<i64>
  %part = ingot.slice %z starts = [1, 1] sizes = [2, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<2x3xf64>
  %float = ingot.mul %part, %part : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %r = ingot.update_slice %z, %float[%c1, %c1] strides = [1, 1] : (tensor<3x4xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<3x4xf64>
  %row = ingot.dynamic_slice %z[%one, %zero] sizes = [1, 4] strides = [1, 1] : (tensor<3x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
  %twice = ingot.add %row, %row : (tensor<1x4xf64>, tensor<1x4xf64>) -> tensor<1x4xf64>
  %q = ingot.update_slice %z, %twice[%one, %zero] strides = [1, 1] : (tensor<3x4xf64>, tensor<1x4xf64>, tensor<i64>, tensor<i64>) -> tensor<3x4xf64>
  %line = ingot.reshape %z : (tensor<3x4xf64>) -> tensor<12xf64>
  %other = ingot.reshape %w : (tensor<3x4xf64>) -> tensor<12xf64>
  %half = ingot.slice %other starts = [0] sizes = [6] strides = [1] : (tensor<12xf64>) -> tensor<6xf64>
  %s = ingot.update_slice %line, %half[%one] strides = [1] : (tensor<12xf64>, tensor<6xf64>, tensor<i64>) -> tensor<12xf64>
  %x = ingot.slice %line starts = [0] sizes = [1] strides = [1] : (tensor<12xf64>) -> tensor<1xf64>
  %t = ingot.update_slice %line, %x[%one] strides = [1] : (tensor<12xf64>, tensor<1xf64>, tensor<i64>) -> tensor<12xf64>
  return %r, %q, %s, %t : tensor<3x4xf64>, tensor<3x4xf64>, tensor<12xf64>, tensor<12xf64>
}
