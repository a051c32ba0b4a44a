// RUN: ingot-opt --narrow-products --canonicalize --split-input-file %s | FileCheck %s

// The gradient of sum(a @ b) by a: ones @ b^T is a row of sums, which repeats.
// CHECK-LABEL: @ones
// CHECK: %[[S:[a-z0-9_]+]] = ingot.reduce add %arg0 axes = [1] : (tensor<4x5xf64>) -> tensor<4xf64>
// CHECK-NOT: ingot.dot_general {{.*}} : (tensor<3x5xf64>
// CHECK: ingot.broadcast_to %{{.*}} -> tensor<3x4xf64>
func.func @ones(%b: tensor<4x5xf64>) -> tensor<3x4xf64> {
  %1 = ingot.constant dense<1.0> : tensor<1x1xf64>
  %2 = ingot.broadcast_to %1 : (tensor<1x1xf64>) -> tensor<3x5xf64>
  %3 = ingot.dot_general %2, %b batching = [] x [] contracting = [1] x [1] : (tensor<3x5xf64>, tensor<4x5xf64>) -> tensor<3x4xf64>
  return %3 : tensor<3x4xf64>
}

// -----

// A row that repeats: vectors are multiplied, also in the next product, whose operand repeats then.
// Zeros hide infinities as they did.
// CHECK-LABEL: @rows
// CHECK: %[[P:[a-z0-9_]+]] = ingot.dot_general %{{.*}}, %arg1 batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<1x5xf64>, tensor<5x4xf64>) -> tensor<1x4xf64>
// CHECK: %[[Q:[a-z0-9_]+]] = ingot.dot_general %{{.*}}, %arg2 {{.*}} : (tensor<1x4xf64>, tensor<4x6xf64>) -> tensor<1x6xf64>
// CHECK: ingot.broadcast_to %[[Q]] : (tensor<1x6xf64>) -> tensor<3x6xf64>
func.func @rows(%a: tensor<5xf64>, %b: tensor<5x4xf64>, %c: tensor<4x6xf64>) -> tensor<3x6xf64> {
  %2 = ingot.broadcast_to %a : (tensor<5xf64>) -> tensor<3x5xf64>
  %3 = ingot.dot_general %2, %b batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x5xf64>, tensor<5x4xf64>) -> tensor<3x4xf64>
  %4 = ingot.dot_general %3, %c batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x6xf64>) -> tensor<3x6xf64>
  return %4 : tensor<3x6xf64>
}

// -----

// Through a transpose, a reshape and an elementwise operation; the lanes of a batch stay.
// CHECK-LABEL: @behind
// CHECK: ingot.dot_general %{{.*}}, %arg1 batching = [0] x [0] contracting = [2] x [1] : (tensor<2x1x5xf64>, tensor<2x5x4xf64>) -> tensor<2x1x4xf64>
// CHECK: ingot.broadcast_to %{{.*}} : (tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
func.func @behind(%a: tensor<2x5xf64>, %b: tensor<2x5x4xf64>, %s: tensor<f64>) -> tensor<2x3x4xf64> {
  %1 = ingot.broadcast_to %a : (tensor<2x5xf64>) -> tensor<3x2x5xf64>
  %2 = ingot.mul %1, %s : (tensor<3x2x5xf64>, tensor<f64>) -> tensor<3x2x5xf64>
  %3 = ingot.reshape %2 : (tensor<3x2x5xf64>) -> tensor<3x1x2x5xf64>
  %4 = ingot.reshape %3 : (tensor<3x1x2x5xf64>) -> tensor<3x2x5xf64>
  %5 = ingot.transpose %4 axes = [1, 0, 2] : (tensor<3x2x5xf64>) -> tensor<2x3x5xf64>
  %6 = ingot.dot_general %5, %b batching = [0] x [0] contracting = [2] x [1] : (tensor<2x3x5xf64>, tensor<2x5x4xf64>) -> tensor<2x3x4xf64>
  return %6 : tensor<2x3x4xf64>
}

// -----

// Not where zeros of the summed operand hide infinities, where what repeats along a contracted axis may
// be infinite, where float16 would be summed, or along the axis of a batch.
// CHECK-LABEL: @others
// CHECK: ingot.dot_general %{{.*}}, %arg0 {{.*}} : (tensor<1x5xf64>, tensor<4x5xf64>)
// CHECK: ingot.dot_general {{.*}} : (tensor<4x5xf64>, tensor<5x2xf64>)
// CHECK: ingot.dot_general {{.*}} : (tensor<4x5xf16>, tensor<5x2xf16>)
// CHECK: ingot.dot_general {{.*}} : (tensor<2x3x5xf64>, tensor<2x3x5xf64>)
func.func @others(%a: tensor<4x5xf64>, %s: tensor<4x1xf64>, %b: tensor<5x2xf64>, %g: tensor<4x5xf16>, %i: tensor<3x5xf64>) -> (tensor<3x4xf64>, tensor<4x2xf64>, tensor<4x2xf16>, tensor<2x3x3xf64>) {
  %1 = ingot.constant dense<1.0> : tensor<3x5xf64>
  %2 = ingot.dot_general %1, %a batching = [] x [] contracting = [1] x [1] {rhs_zeros} : (tensor<3x5xf64>, tensor<4x5xf64>) -> tensor<3x4xf64>
  %3 = ingot.broadcast_to %s : (tensor<4x1xf64>) -> tensor<4x5xf64>
  %4 = ingot.dot_general %3, %b batching = [] x [] contracting = [1] x [0] : (tensor<4x5xf64>, tensor<5x2xf64>) -> tensor<4x2xf64>
  %5 = ingot.constant dense<1.0> : tensor<5x2xf16>
  %6 = ingot.dot_general %g, %5 batching = [] x [] contracting = [1] x [0] : (tensor<4x5xf16>, tensor<5x2xf16>) -> tensor<4x2xf16>
  %7 = ingot.broadcast_to %i : (tensor<3x5xf64>) -> tensor<2x3x5xf64>
  %8 = ingot.dot_general %7, %7 batching = [0] x [0] contracting = [2] x [2] : (tensor<2x3x5xf64>, tensor<2x3x5xf64>) -> tensor<2x3x3xf64>
  return %2, %4, %6, %8 : tensor<3x4xf64>, tensor<4x2xf64>, tensor<4x2xf16>, tensor<2x3x3xf64>
}
