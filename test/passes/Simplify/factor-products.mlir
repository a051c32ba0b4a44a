// RUN: ingot-opt --factor-products --split-input-file %s | FileCheck %s

// CHECK-LABEL: @left
// CHECK-NEXT: %[[A:.+]] = ingot.add %arg0, %arg1
// CHECK-NEXT: %[[P:.+]] = ingot.dot_general %[[A]], %arg2 batching = [] x [] contracting = [1] x [0] :
// CHECK-NEXT: return %[[P]]
func.func @left(%a: tensor<4x5xf64>, %b: tensor<4x5xf64>, %x: tensor<5x8xf64>) -> tensor<4x8xf64> {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<4x5xf64>, tensor<5x8xf64>) -> tensor<4x8xf64>
  %1 = ingot.dot_general %b, %x batching = [] x [] contracting = [1] x [0] : (tensor<4x5xf64>, tensor<5x8xf64>) -> tensor<4x8xf64>
  %2 = ingot.add %0, %1 : (tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
  return %2 : tensor<4x8xf64>
}

// -----

// The gradient of `x.T @ x`: one of the products has the transposed operands.
// CHECK-LABEL: @gram
// CHECK:      %[[G:.+]] = ingot.transpose %arg0 axes = [1, 0]
// CHECK-NEXT: %[[S:.+]] = ingot.add %arg0, %[[G]]
// CHECK-NEXT: %[[P:.+]] = ingot.dot_general %[[S]], %{{.+}} batching = [] x [] contracting = [1] x [1] {lhs_zeros} :
// CHECK-NEXT: return %[[P]]
func.func @gram(%g: tensor<5x5xf64>, %x: tensor<8x5xf64>) -> tensor<5x8xf64> {
  %t = ingot.transpose %x axes = [1, 0] : (tensor<8x5xf64>) -> tensor<5x8xf64>
  %0 = ingot.dot_general %g, %x batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<5x5xf64>, tensor<8x5xf64>) -> tensor<5x8xf64>
  %1 = ingot.dot_general %g, %t batching = [] x [] contracting = [0] x [0] {lhs_zeros} : (tensor<5x5xf64>, tensor<5x8xf64>) -> tensor<5x8xf64>
  %2 = ingot.add %0, %1 : (tensor<5x8xf64>, tensor<5x8xf64>) -> tensor<5x8xf64>
  return %2 : tensor<5x8xf64>
}

// -----

// Three products, of which the right operand is added; batches, and two summed axes in another order.
// CHECK-LABEL: @right
// CHECK:      %[[T:.+]] = ingot.transpose %arg2 axes = [0, 2, 1, 3]
// CHECK-NEXT: %[[A:.+]] = ingot.add %arg1, %[[T]]
// CHECK-NEXT: %[[B:.+]] = ingot.add %[[A]], %arg3
// CHECK-NEXT: %[[P:.+]] = ingot.dot_general %arg0, %[[B]] batching = [0] x [0] contracting = [2, 3] x [1, 2] :
// CHECK-NEXT: return %[[P]]
func.func @right(%x: tensor<2x9x3x4xf64>, %a: tensor<2x3x4x6xf64>, %b: tensor<2x4x3x6xf64>, %c: tensor<2x3x4x6xf64>) -> tensor<2x9x6xf64> {
  %0 = ingot.dot_general %x, %a batching = [0] x [0] contracting = [2, 3] x [1, 2] : (tensor<2x9x3x4xf64>, tensor<2x3x4x6xf64>) -> tensor<2x9x6xf64>
  %1 = ingot.dot_general %x, %b batching = [0] x [0] contracting = [3, 2] x [1, 2] : (tensor<2x9x3x4xf64>, tensor<2x4x3x6xf64>) -> tensor<2x9x6xf64>
  %2 = ingot.add %0, %1 : (tensor<2x9x6xf64>, tensor<2x9x6xf64>) -> tensor<2x9x6xf64>
  %3 = ingot.dot_general %x, %c batching = [0] x [0] contracting = [2, 3] x [1, 2] : (tensor<2x9x3x4xf64>, tensor<2x3x4x6xf64>) -> tensor<2x9x6xf64>
  %4 = ingot.add %2, %3 : (tensor<2x9x6xf64>, tensor<2x9x6xf64>) -> tensor<2x9x6xf64>
  return %4 : tensor<2x9x6xf64>
}

// -----

// The gradient of rows of `x.T @ x` in a loop: a product is transposed and flipped, and added to
// another value first.
// CHECK-LABEL: @flipped
// CHECK-NEXT: %[[F:.+]] = ingot.flip %arg0 axes = [0]
// CHECK-NEXT: %[[R:.+]] = ingot.flip %arg0 axes = [0]
// CHECK-NEXT: %[[T:.+]] = ingot.transpose %[[F]] axes = [1, 0]
// CHECK-NEXT: %[[S:.+]] = ingot.add %[[R]], %[[T]]
// CHECK-NEXT: %[[P:.+]] = ingot.dot_general %arg1, %[[S]] batching = [] x [] contracting = [1] x [1] {rhs_zeros} : (tensor<8x5xf64>, tensor<5x5xf64>) -> tensor<8x5xf64>
// CHECK-NEXT: %[[Z:.+]] = ingot.add %arg2, %[[P]]
// CHECK-NEXT: return %[[Z]]
func.func @flipped(%g: tensor<5x5xf64>, %x: tensor<8x5xf64>, %z: tensor<8x5xf64>) -> tensor<8x5xf64> {
  %0 = ingot.dot_general %g, %x batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<5x5xf64>, tensor<8x5xf64>) -> tensor<5x8xf64>
  %1 = ingot.flip %0 axes = [0] : (tensor<5x8xf64>) -> tensor<5x8xf64>
  %2 = ingot.transpose %1 axes = [1, 0] : (tensor<5x8xf64>) -> tensor<8x5xf64>
  %3 = ingot.add %z, %2 : (tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  %4 = ingot.flip %g axes = [0] : (tensor<5x5xf64>) -> tensor<5x5xf64>
  %5 = ingot.dot_general %x, %4 batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<8x5xf64>, tensor<5x5xf64>) -> tensor<8x5xf64>
  %6 = ingot.add %3, %5 : (tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  return %6 : tensor<8x5xf64>
}

// -----

// The same for all but one of the rows: what is padded with zeros, whose products are zeros. Without
// `rhs_zeros`, they are NaN where the other operand is infinite.
// CHECK-LABEL: @padded
// CHECK: %[[A:.+]] = ingot.flip %arg0 axes = [0]
// CHECK: %[[Z:.+]] = ingot.constant dense<0.000000e+00>
// CHECK: %[[B:.+]] = ingot.pad %[[A]], %[[Z]] low = [0, 0] high = [1, 0] interior = [0, 0] : (tensor<4x5xf64>, tensor<f64>) -> tensor<5x5xf64>
// CHECK: %[[T:.+]] = ingot.transpose %arg3 axes = [1, 0]
// CHECK: %[[S:.+]] = ingot.add %[[B]], %[[T]]
// CHECK: %[[P:.+]] = ingot.dot_general %arg1, %[[S]] batching = [] x [] contracting = [1] x [1] {rhs_zeros} : (tensor<8x5xf64>, tensor<5x5xf64>) -> tensor<8x5xf64>
// CHECK: %[[Z:.+]] = ingot.add %arg2, %[[P]]
// CHECK-COUNT-2: ingot.dot_general
func.func @padded(%g: tensor<4x5xf64>, %x: tensor<8x5xf64>, %z: tensor<8x5xf64>, %h: tensor<5x5xf64>) -> (tensor<8x5xf64>, tensor<8x5xf64>) {
  %c = ingot.constant dense<0.0> : tensor<f64>
  %0 = ingot.dot_general %g, %x batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<4x5xf64>, tensor<8x5xf64>) -> tensor<4x8xf64>
  %1 = ingot.flip %0 axes = [0] : (tensor<4x8xf64>) -> tensor<4x8xf64>
  %2 = ingot.transpose %1 axes = [1, 0] : (tensor<4x8xf64>) -> tensor<8x4xf64>
  %3 = ingot.pad %2, %c low = [0, 0] high = [0, 1] interior = [0, 0] : (tensor<8x4xf64>, tensor<f64>) -> tensor<8x5xf64>
  %4 = ingot.add %z, %3 : (tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  %5 = ingot.dot_general %x, %h batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<8x5xf64>, tensor<5x5xf64>) -> tensor<8x5xf64>
  %6 = ingot.add %4, %5 : (tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  %7 = ingot.dot_general %x, %g batching = [] x [] contracting = [1] x [1] : (tensor<8x5xf64>, tensor<4x5xf64>) -> tensor<8x4xf64>
  %8 = ingot.pad %7, %c low = [0, 0] high = [0, 1] interior = [0, 0] : (tensor<8x4xf64>, tensor<f64>) -> tensor<8x5xf64>
  %9 = ingot.dot_general %x, %h batching = [] x [] contracting = [1] x [0] : (tensor<8x5xf64>, tensor<5x5xf64>) -> tensor<8x5xf64>
  %10 = ingot.add %8, %9 : (tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  return %6, %10 : tensor<8x5xf64>, tensor<8x5xf64>
}

// -----

// Not where the shared operand is flipped, or where axes of the result have another order than those
// of the operands.
// CHECK-LABEL: @rearranged
// CHECK-COUNT-4: ingot.dot_general
func.func @rearranged(%a: tensor<8x9x5xf64>, %b: tensor<8x9x5xf64>, %x: tensor<5x8xf64>, %c: tensor<8x5xf64>, %d: tensor<8x5xf64>) -> (tensor<9x8x8xf64>, tensor<8x8xf64>) {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [2] x [0] : (tensor<8x9x5xf64>, tensor<5x8xf64>) -> tensor<8x9x8xf64>
  %1 = ingot.transpose %0 axes = [1, 0, 2] : (tensor<8x9x8xf64>) -> tensor<9x8x8xf64>
  %2 = ingot.dot_general %b, %x batching = [] x [] contracting = [2] x [0] : (tensor<8x9x5xf64>, tensor<5x8xf64>) -> tensor<8x9x8xf64>
  %3 = ingot.transpose %2 axes = [1, 2, 0] : (tensor<8x9x8xf64>) -> tensor<9x8x8xf64>
  %4 = ingot.add %1, %3 : (tensor<9x8x8xf64>, tensor<9x8x8xf64>) -> tensor<9x8x8xf64>
  %5 = ingot.dot_general %c, %x batching = [] x [] contracting = [1] x [0] : (tensor<8x5xf64>, tensor<5x8xf64>) -> tensor<8x8xf64>
  %6 = ingot.flip %5 axes = [1] : (tensor<8x8xf64>) -> tensor<8x8xf64>
  %7 = ingot.dot_general %d, %x batching = [] x [] contracting = [1] x [0] : (tensor<8x5xf64>, tensor<5x8xf64>) -> tensor<8x8xf64>
  %8 = ingot.add %6, %7 : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  return %4, %8 : tensor<9x8x8xf64>, tensor<8x8xf64>
}

// -----

// Not for vectors, other uses, other flags or axes, other sides, or integers.
// CHECK-LABEL: @others
// CHECK-COUNT-12: ingot.dot_general
func.func @others(%a: tensor<8x8xf64>, %b: tensor<8x8xf64>, %x: tensor<8x8xf64>, %v: tensor<8xf64>, %i: tensor<8x8xi64>) -> (tensor<8xf64>, tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xi64>, tensor<8x8xf64>) {
  %0 = ingot.dot_general %a, %v batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %1 = ingot.dot_general %b, %v batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %2 = ingot.add %0, %1 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %3 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %4 = ingot.dot_general %b, %x batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %5 = ingot.add %3, %4 : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %6 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %7 = ingot.dot_general %b, %x batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %8 = ingot.add %6, %7 : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %9 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %10 = ingot.dot_general %b, %x batching = [] x [] contracting = [1] x [1] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %11 = ingot.add %9, %10 : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %12 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %13 = ingot.dot_general %x, %b batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %14 = ingot.add %12, %13 : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %15 = ingot.dot_general %i, %i batching = [] x [] contracting = [1] x [0] : (tensor<8x8xi64>, tensor<8x8xi64>) -> tensor<8x8xi64>
  %16 = ingot.dot_general %i, %i batching = [] x [] contracting = [1] x [0] : (tensor<8x8xi64>, tensor<8x8xi64>) -> tensor<8x8xi64>
  %17 = ingot.add %15, %16 : (tensor<8x8xi64>, tensor<8x8xi64>) -> tensor<8x8xi64>
  return %2, %3, %5, %8, %11, %17, %14 : tensor<8xf64>, tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xi64>, tensor<8x8xf64>
}
