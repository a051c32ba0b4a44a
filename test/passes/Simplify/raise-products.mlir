// RUN: ingot-opt --raise-products --split-input-file %s | FileCheck %s

// A row of one array times another array: one product before the loop. The rows come first in its
// result, whichever operand they are.
// CHECK-LABEL: @rows
// CHECK: %[[P:[a-z0-9_]+]] = ingot.dot_general %arg0, %arg1 batching = [] x [] contracting = [1] x [0] : (tensor<20x32xf64>, tensor<32x40xf64>) -> tensor<20x40xf64>
// CHECK: %[[Q:[a-z0-9_]+]] = ingot.dot_general %arg0, %arg1 batching = [] x [] contracting = [1] x [0] {lhs_zeros}
// CHECK: ingot.for %[[I:[a-z0-9_]+]] =
// CHECK-NOT: ingot.dot_general
// CHECK: %[[A:[a-z0-9_]+]] = ingot.dynamic_slice %[[P]][%[[I]], %{{.*}}] sizes = [1, 40]
// CHECK: %[[R:[a-z0-9_]+]] = ingot.reshape %[[A]]
// CHECK: %[[B:[a-z0-9_]+]] = ingot.dynamic_slice %[[Q]][%[[I]], %{{.*}}] sizes = [1, 40]
// CHECK: %[[S:[a-z0-9_]+]] = ingot.reshape %[[B]]
// CHECK: ingot.mul %[[R]], %[[S]]
func.func @rows(%a: tensor<20x32xf64>, %m: tensor<32x40xf64>, %x: tensor<40xf64>) -> tensor<40xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r = ingot.for %i = %0 to %20 step %1 carry (%h = %x) : tensor<40xf64> {
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<20x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %3 = ingot.reshape %2 : (tensor<1x32xf64>) -> tensor<32xf64>
    %4 = ingot.dot_general %3, %m batching = [] x [] contracting = [0] x [0] : (tensor<32xf64>, tensor<32x40xf64>) -> tensor<40xf64>
    %5 = ingot.dot_general %m, %3 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<32x40xf64>, tensor<32xf64>) -> tensor<40xf64>
    %6 = ingot.mul %4, %5 : (tensor<40xf64>, tensor<40xf64>) -> tensor<40xf64>
    ingot.yield %6 : tensor<40xf64>
  }
  return %r : tensor<40xf64>
}

// -----

// Columns of batches of matrices, at an index of any kind.
// CHECK-LABEL: @columns
// CHECK: %[[P:[a-z0-9_]+]] = ingot.dot_general %arg0, %arg1 batching = [0] x [0] contracting = [2] x [1] : (tensor<2x3x32x20xf64>, tensor<2x32x40xf64>) -> tensor<2x3x20x40xf64>
// CHECK: %[[J:[a-z0-9_]+]] = ingot.mul
// CHECK: ingot.dynamic_slice %[[P]][%[[Z:[a-z0-9_]+]], %[[Z]], %[[J]], %[[Z]]] sizes = [2, 3, 1, 40]
func.func @columns(%a: tensor<2x3x32x20xf64>, %m: tensor<2x32x40xf64>, %x: tensor<2x3x40xf64>) -> tensor<2x3x40xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<12> : tensor<i64>
  %r = ingot.for %i = %0 to %20 step %1 carry (%h = %x) : tensor<2x3x40xf64> {
    %j = ingot.mul %i, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = ingot.dynamic_slice %a[%0, %0, %0, %j] sizes = [2, 3, 32, 1] strides = [1, 1, 1, 1] : (tensor<2x3x32x20xf64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x3x32x1xf64>
    %3 = ingot.reshape %2 : (tensor<2x3x32x1xf64>) -> tensor<2x3x32xf64>
    %4 = ingot.dot_general %3, %m batching = [0] x [0] contracting = [2] x [1] : (tensor<2x3x32xf64>, tensor<2x32x40xf64>) -> tensor<2x3x40xf64>
    %6 = ingot.mul %h, %4 : (tensor<2x3x40xf64>, tensor<2x3x40xf64>) -> tensor<2x3x40xf64>
    ingot.yield %6 : tensor<2x3x40xf64>
  }
  return %r : tensor<2x3x40xf64>
}

// -----

// Sums of products of rows become one product after the loop. The rows of one array are read from
// the last to the first; those of the other are a part of it.
// CHECK-LABEL: @sums
// CHECK: %[[LOOP:[a-z0-9_]+]] = ingot.for
// CHECK-NOT: ingot.dot_general
// CHECK: ingot.update_slice
// CHECK: ingot.yield
// CHECK: %[[B:[a-z0-9_]+]] = ingot.slice %arg1 starts = [1, 0] sizes = [20, 40]
// CHECK: %[[F:[a-z0-9_]+]] = ingot.flip %[[B]] axes = [0]
// CHECK: %[[P:[a-z0-9_]+]] = ingot.dot_general %arg0, %[[F]] batching = [] x [] contracting = [0] x [0] {lhs_zeros}
// CHECK: %[[R:[a-z0-9_]+]] = ingot.add %[[LOOP]], %[[P]]
// CHECK: return %[[R]]
func.func @sums(%a: tensor<20x32xf64>, %b: tensor<24x40xf64>, %z: tensor<32x40xf64>, %u: tensor<1x40xf64>) -> tensor<32x40xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r = ingot.for %i = %0 to %20 step %1 carry (%w = %z) : tensor<32x40xf64> {
    %j = ingot.sub %20, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<20x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %3 = ingot.reshape %2 : (tensor<1x32xf64>) -> tensor<32xf64>
    %4 = ingot.dynamic_slice %b[%j, %0] sizes = [1, 40] strides = [1, 1] : (tensor<24x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %5 = ingot.reshape %4 : (tensor<1x40xf64>) -> tensor<40xf64>
    %6 = ingot.dot_general %3, %5 batching = [] x [] contracting = [] x [] {lhs_zeros} : (tensor<32xf64>, tensor<40xf64>) -> tensor<32x40xf64>
    %7 = ingot.add %6, %w : (tensor<32x40xf64>, tensor<32x40xf64>) -> tensor<32x40xf64>
    %8 = ingot.dynamic_slice %7[%j, %0] sizes = [1, 40] strides = [1, 1] : (tensor<32x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %9 = ingot.add %8, %u : (tensor<1x40xf64>, tensor<1x40xf64>) -> tensor<1x40xf64>
    %10 = ingot.update_slice %7, %9[%j, %0] strides = [1, 1] : (tensor<32x40xf64>, tensor<1x40xf64>, tensor<i64>, tensor<i64>) -> tensor<32x40xf64>
    ingot.yield %10 : tensor<32x40xf64>
  }
  return %r : tensor<32x40xf64>
}

// -----

// Two products that are added to one array.
// CHECK-LABEL: @two
// CHECK: %[[LOOP:[a-z0-9_]+]] = ingot.for
// CHECK-NOT: ingot.dot_general
// CHECK: ingot.yield
// CHECK: %[[P:[a-z0-9_]+]] = ingot.dot_general %arg0, %arg1
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %[[LOOP]], %[[P]]
// CHECK: %[[Q:[a-z0-9_]+]] = ingot.dot_general %arg0, %arg2
// CHECK: %[[T:[a-z0-9_]+]] = ingot.add %[[S]], %[[Q]]
// CHECK: return %[[T]]
func.func @two(%a: tensor<20x32xf64>, %b: tensor<20x40xf64>, %c: tensor<20x40xf64>, %z: tensor<32x40xf64>) -> tensor<32x40xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r = ingot.for %i = %0 to %20 step %1 carry (%v = %z) : tensor<32x40xf64> {
    %3 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<20x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %4 = ingot.reshape %3 : (tensor<1x32xf64>) -> tensor<32xf64>
    %5 = ingot.dynamic_slice %b[%i, %0] sizes = [1, 40] strides = [1, 1] : (tensor<20x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %6 = ingot.reshape %5 : (tensor<1x40xf64>) -> tensor<40xf64>
    %7 = ingot.dot_general %4, %6 batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<40xf64>) -> tensor<32x40xf64>
    %8 = ingot.add %v, %7 : (tensor<32x40xf64>, tensor<32x40xf64>) -> tensor<32x40xf64>
    %9 = ingot.dynamic_slice %c[%i, %0] sizes = [1, 40] strides = [1, 1] : (tensor<20x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %10 = ingot.reshape %9 : (tensor<1x40xf64>) -> tensor<40xf64>
    %11 = ingot.dot_general %4, %10 batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<40xf64>) -> tensor<32x40xf64>
    %12 = ingot.add %8, %11 : (tensor<32x40xf64>, tensor<32x40xf64>) -> tensor<32x40xf64>
    ingot.yield %12 : tensor<32x40xf64>
  }
  return %r : tensor<32x40xf64>
}

// -----

// If zeros rule and nearly all rows are read, the other rows are multiplied by zeros: the pass makes
// no copy of them, and other products may have all of them.
// CHECK-LABEL: @zeros
// CHECK: %[[F:[a-z0-9_]+]] = ingot.flip %arg0 axes = [0]
// CHECK: %[[Z:[a-z0-9_]+]] = ingot.constant dense<0.000000e+00>
// CHECK: %[[A:[a-z0-9_]+]] = ingot.pad %[[F]], %[[Z]] low = [1, 0] high = [1, 0] interior = [0, 0]
// CHECK: ingot.dot_general %[[A]], %arg1 batching = [] x [] contracting = [0] x [0] {lhs_zeros}
// CHECK: %[[Y:[a-z0-9_]+]] = ingot.constant dense<0.000000e+00>
// CHECK: %[[B:[a-z0-9_]+]] = ingot.pad %arg0, %[[Y]] low = [2, 0] high = [0, 0] interior = [0, 0]
// CHECK: ingot.dot_general %arg1, %[[B]] batching = [] x [] contracting = [0] x [0] {rhs_zeros}
func.func @zeros(%a: tensor<20x32xf64>, %b: tensor<22x40xf64>, %z: tensor<32x40xf64>, %y: tensor<40x32xf64>) -> (tensor<32x40xf64>, tensor<40x32xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<2> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %20 step %1 carry (%v = %z, %w = %y) : tensor<32x40xf64>, tensor<40x32xf64> {
    %j = ingot.sub %20, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %k = ingot.add %i, %2 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %3 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<20x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %4 = ingot.reshape %3 : (tensor<1x32xf64>) -> tensor<32xf64>
    %5 = ingot.dynamic_slice %b[%j, %0] sizes = [1, 40] strides = [1, 1] : (tensor<22x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %6 = ingot.reshape %5 : (tensor<1x40xf64>) -> tensor<40xf64>
    %7 = ingot.dot_general %4, %6 batching = [] x [] contracting = [] x [] {lhs_zeros} : (tensor<32xf64>, tensor<40xf64>) -> tensor<32x40xf64>
    %8 = ingot.add %7, %v : (tensor<32x40xf64>, tensor<32x40xf64>) -> tensor<32x40xf64>
    %9 = ingot.dynamic_slice %b[%k, %0] sizes = [1, 40] strides = [1, 1] : (tensor<22x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %10 = ingot.reshape %9 : (tensor<1x40xf64>) -> tensor<40xf64>
    %11 = ingot.dot_general %10, %4 batching = [] x [] contracting = [] x [] {rhs_zeros} : (tensor<40xf64>, tensor<32xf64>) -> tensor<40x32xf64>
    %12 = ingot.add %11, %w : (tensor<40x32xf64>, tensor<40x32xf64>) -> tensor<40x32xf64>
    ingot.yield %8, %12 : tensor<32x40xf64>, tensor<40x32xf64>
  }
  return %r#0, %r#1 : tensor<32x40xf64>, tensor<40x32xf64>
}

// -----

// Not if the loop stores to the array otherwise, if a slice is moved inside of its array, if few of
// the rows are read, or if the matrix is small or changes.
// CHECK-LABEL: @others
// CHECK: ingot.for
// CHECK: ingot.dot_general
// CHECK: ingot.yield
// CHECK: ingot.for
// CHECK: ingot.dot_general
// CHECK: ingot.yield
// CHECK: ingot.for
// CHECK-COUNT-3: ingot.dot_general
// CHECK: ingot.yield
// CHECK-NEXT: }
func.func @others(%a: tensor<50x32xf64>, %b: tensor<20x40xf64>, %z: tensor<32x40xf64>, %y: tensor<32x1xf64>, %x: tensor<40xf64>, %m: tensor<4x40xf64>) -> (tensor<32x40xf64>, tensor<32x40xf64>, tensor<40xf64>, tensor<40xf64>, tensor<40xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r = ingot.for %i = %0 to %20 step %1 carry (%w = %z) : tensor<32x40xf64> {
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<50x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %3 = ingot.reshape %2 : (tensor<1x32xf64>) -> tensor<32xf64>
    %4 = ingot.dynamic_slice %b[%i, %0] sizes = [1, 40] strides = [1, 1] : (tensor<20x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %5 = ingot.reshape %4 : (tensor<1x40xf64>) -> tensor<40xf64>
    %6 = ingot.dot_general %3, %5 batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<40xf64>) -> tensor<32x40xf64>
    %7 = ingot.add %w, %6 : (tensor<32x40xf64>, tensor<32x40xf64>) -> tensor<32x40xf64>
    %8 = ingot.update_slice %7, %y[%0, %i] strides = [1, 1] : (tensor<32x40xf64>, tensor<32x1xf64>, tensor<i64>, tensor<i64>) -> tensor<32x40xf64>
    ingot.yield %8 : tensor<32x40xf64>
  }
  %s = ingot.for %i = %0 to %20 step %1 carry (%w = %z) : tensor<32x40xf64> {
    %j = ingot.add %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<50x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %3 = ingot.reshape %2 : (tensor<1x32xf64>) -> tensor<32xf64>
    %4 = ingot.dynamic_slice %b[%j, %0] sizes = [1, 40] strides = [1, 1] : (tensor<20x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %5 = ingot.reshape %4 : (tensor<1x40xf64>) -> tensor<40xf64>
    %6 = ingot.dot_general %3, %5 batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<40xf64>) -> tensor<32x40xf64>
    %7 = ingot.add %w, %6 : (tensor<32x40xf64>, tensor<32x40xf64>) -> tensor<32x40xf64>
    ingot.yield %7 : tensor<32x40xf64>
  }
  %t:3 = ingot.for %i = %0 to %20 step %1 carry (%u = %x, %v = %x, %w = %x) : tensor<40xf64>, tensor<40xf64>, tensor<40xf64> {
    %2 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 32] strides = [1, 1] : (tensor<50x32xf64>, tensor<i64>, tensor<i64>) -> tensor<1x32xf64>
    %3 = ingot.reshape %2 : (tensor<1x32xf64>) -> tensor<32xf64>
    %4 = ingot.dot_general %3, %z batching = [] x [] contracting = [0] x [0] : (tensor<32xf64>, tensor<32x40xf64>) -> tensor<40xf64>
    %5 = ingot.dynamic_slice %b[%i, %0] sizes = [1, 40] strides = [1, 1] : (tensor<20x40xf64>, tensor<i64>, tensor<i64>) -> tensor<1x40xf64>
    %6 = ingot.reshape %5 : (tensor<1x40xf64>) -> tensor<40xf64>
    %7 = ingot.dot_general %6, %m batching = [] x [] contracting = [0] x [1] : (tensor<40xf64>, tensor<4x40xf64>) -> tensor<4xf64>
    %8 = ingot.reduce add %7 axes = [0] : (tensor<4xf64>) -> tensor<f64>
    %9 = ingot.mul %z, %8 : (tensor<32x40xf64>, tensor<f64>) -> tensor<32x40xf64>
    %10 = ingot.dot_general %6, %9 batching = [] x [] contracting = [0] x [1] : (tensor<40xf64>, tensor<32x40xf64>) -> tensor<32xf64>
    %11 = ingot.reduce add %10 axes = [0] : (tensor<32xf64>) -> tensor<f64>
    %12 = ingot.mul %w, %11 : (tensor<40xf64>, tensor<f64>) -> tensor<40xf64>
    ingot.yield %4, %6, %12 : tensor<40xf64>, tensor<40xf64>, tensor<40xf64>
  }
  return %r, %s, %t#0, %t#1, %t#2 : tensor<32x40xf64>, tensor<32x40xf64>, tensor<40xf64>, tensor<40xf64>, tensor<40xf64>
}
