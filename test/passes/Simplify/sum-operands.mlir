// RUN: ingot-opt %s --sum-operands | FileCheck %s

// The mean of a layer. Where the sum is not finite, the product is computed.
// CHECK-LABEL: func.func @all
// CHECK-SAME: (%[[X:.*]]: tensor<100x80xf64>, %[[W:.*]]: tensor<80x90xf64>)
// CHECK-DAG: %[[A:.*]] = ingot.reduce add %[[X]] axes = [0]
// CHECK-DAG: %[[B:.*]] = ingot.reduce add %[[W]] axes = [1]
// CHECK: %[[SUM:.*]] = ingot.dot_general %[[A]], %[[B]] batching = [] x [] contracting = [0] x [0] : (tensor<80xf64>, tensor<80xf64>) -> tensor<f64>
// CHECK: %[[FINITE:.*]] = ingot.is_finite %[[SUM]]
// CHECK: %[[TAKEN:.*]] = ingot.reduce and %[[FINITE]]
// CHECK: %[[RESULT:.*]] = ingot.if %[[TAKEN]]
// CHECK-NEXT: ingot.yield %[[SUM]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[PRODUCT:.*]] = ingot.dot_general %[[X]], %[[W]]
// CHECK-NEXT: %[[PLAIN:.*]] = ingot.reduce add %[[PRODUCT]] axes = [0, 1]
// CHECK-NEXT: ingot.yield %[[PLAIN]]
// CHECK: return %[[RESULT]]
func.func @all(%x: tensor<100x80xf64>, %w: tensor<80x90xf64>) -> tensor<f64> {
  %0 = ingot.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<100x80xf64>, tensor<80x90xf64>) -> tensor<100x90xf64>
  %1 = ingot.reduce add %0 axes = [0, 1] : (tensor<100x90xf64>) -> tensor<f64>
  return %1 : tensor<f64>
}

// Through a difference, a factor for each column, a transposition and another product.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[A:.*]]: tensor<60x70xf32>, %[[B:.*]]: tensor<70x80xf32>, %[[C:.*]]: tensor<80x90xf32>, %[[D:.*]]: tensor<90x60xf32>, %[[F:.*]]: tensor<90x1xf32>)
// CHECK: %[[ROW:.*]] = ingot.reduce add %[[A]] axes = [0] : (tensor<60x70xf32>) -> tensor<70xf32>
// CHECK: %[[P:.*]] = ingot.dot_general %[[ROW]], %[[B]] batching = [] x [] contracting = [0] x [0]
// CHECK: %[[Q:.*]] = ingot.dot_general %[[P]], %[[C]] batching = [] x [] contracting = [0] x [0] : {{.*}} -> tensor<90xf32>
// CHECK: %[[T:.*]] = ingot.transpose %[[Q]] axes = [0]
// CHECK: %[[G:.*]] = ingot.reshape %[[F]] : (tensor<90x1xf32>) -> tensor<90xf32>
// CHECK: %[[S:.*]] = ingot.mul %[[T]], %[[G]]
// CHECK: %[[E:.*]] = ingot.reduce add %[[D]] axes = [1]
// CHECK: %[[SUM:.*]] = ingot.sub %[[S]], %[[E]] : (tensor<90xf32>, tensor<90xf32>) -> tensor<90xf32>
// CHECK: ingot.if
// CHECK: else
// CHECK-COUNT-2: ingot.dot_general
// CHECK: ingot.transpose
// CHECK: ingot.mul
// CHECK: ingot.sub
// CHECK: ingot.reduce add {{.*}} axes = [1]
func.func @linear(%a: tensor<60x70xf32>, %b: tensor<70x80xf32>, %c: tensor<80x90xf32>, %d: tensor<90x60xf32>, %f: tensor<90x1xf32>) -> tensor<90xf32> {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<60x70xf32>, tensor<70x80xf32>) -> tensor<60x80xf32>
  %1 = ingot.dot_general %0, %c batching = [] x [] contracting = [1] x [0] : (tensor<60x80xf32>, tensor<80x90xf32>) -> tensor<60x90xf32>
  %2 = ingot.transpose %1 axes = [1, 0] : (tensor<60x90xf32>) -> tensor<90x60xf32>
  %3 = ingot.mul %2, %f : (tensor<90x60xf32>, tensor<90x1xf32>) -> tensor<90x60xf32>
  %4 = ingot.sub %3, %d : (tensor<90x60xf32>, tensor<90x60xf32>) -> tensor<90x60xf32>
  %5 = ingot.reduce add %4 axes = [1] : (tensor<90x60xf32>) -> tensor<90xf32>
  return %5 : tensor<90xf32>
}

// A row that is added to each row counts as often.
// CHECK-LABEL: func.func @bias
// CHECK: %[[P:.*]] = ingot.dot_general {{.*}} -> tensor<90xf64>
// CHECK: %[[ROWS:.*]] = ingot.broadcast_to %{{.*}} : (tensor<90xf64>) -> tensor<100x90xf64>
// CHECK: %[[B:.*]] = ingot.reduce add %[[ROWS]] axes = [0]
// CHECK: ingot.add %[[P]], %[[B]]
func.func @bias(%x: tensor<100x80xf64>, %w: tensor<80x90xf64>, %b: tensor<90xf64>) -> tensor<90xf64> {
  %0 = ingot.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<100x80xf64>, tensor<80x90xf64>) -> tensor<100x90xf64>
  %1 = ingot.add %0, %b : (tensor<100x90xf64>, tensor<90xf64>) -> tensor<100x90xf64>
  %2 = ingot.reduce add %1 axes = [0] : (tensor<100x90xf64>) -> tensor<90xf64>
  return %2 : tensor<90xf64>
}

// Batching axes are summed after the product. Integers need no branch.
// CHECK-LABEL: func.func @batches
// CHECK-SAME: (%[[A:.*]]: tensor<40x9x50xi64>, %[[B:.*]]: tensor<9x40x60xi64>)
// CHECK: %[[X:.*]] = ingot.reduce add %[[A]] axes = [2] : (tensor<40x9x50xi64>) -> tensor<40x9xi64>
// CHECK: %[[Y:.*]] = ingot.reduce add %[[B]] axes = [2] : (tensor<9x40x60xi64>) -> tensor<9x40xi64>
// CHECK: %[[P:.*]] = ingot.dot_general %[[X]], %[[Y]] batching = [1] x [0] contracting = [0] x [1] : {{.*}} -> tensor<9xi64>
// CHECK: %[[SUM:.*]] = ingot.reduce add %[[P]] axes = [0]
// CHECK-NEXT: return %[[SUM]]
func.func @batches(%a: tensor<40x9x50xi64>, %b: tensor<9x40x60xi64>) -> tensor<i64> {
  %0 = ingot.dot_general %a, %b batching = [1] x [0] contracting = [0] x [1] : (tensor<40x9x50xi64>, tensor<9x40x60xi64>) -> tensor<9x50x60xi64>
  %1 = ingot.reduce add %0 axes = [0, 1, 2] : (tensor<9x50x60xi64>) -> tensor<i64>
  return %1 : tensor<i64>
}

// A product with a vector reads its matrix once either way; a product that something else uses is
// computed anyway; half precision adds in a certain order; and a square is not linear.
// CHECK-LABEL: func.func @others
// CHECK-NOT: ingot.if
// CHECK: return
func.func @others(%x: tensor<100x80xf64>, %v: tensor<80xf64>, %w: tensor<80x90xf64>, %h: tensor<100x100xf16>) -> (tensor<f64>, tensor<100x90xf64>, tensor<f64>, tensor<f16>, tensor<f64>) {
  %0 = ingot.dot_general %x, %v batching = [] x [] contracting = [1] x [0] : (tensor<100x80xf64>, tensor<80xf64>) -> tensor<100xf64>
  %1 = ingot.reduce add %0 axes = [0] : (tensor<100xf64>) -> tensor<f64>
  %2 = ingot.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<100x80xf64>, tensor<80x90xf64>) -> tensor<100x90xf64>
  %3 = ingot.reduce add %2 axes = [0, 1] : (tensor<100x90xf64>) -> tensor<f64>
  %4 = ingot.dot_general %h, %h batching = [] x [] contracting = [1] x [0] : (tensor<100x100xf16>, tensor<100x100xf16>) -> tensor<100x100xf16>
  %5 = ingot.reduce add %4 axes = [0, 1] : (tensor<100x100xf16>) -> tensor<f16>
  %6 = ingot.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<100x80xf64>, tensor<80x90xf64>) -> tensor<100x90xf64>
  %7 = ingot.mul %6, %6 : (tensor<100x90xf64>, tensor<100x90xf64>) -> tensor<100x90xf64>
  %8 = ingot.reduce add %7 axes = [0, 1] : (tensor<100x90xf64>) -> tensor<f64>
  return %1, %2, %3, %5, %8 : tensor<f64>, tensor<100x90xf64>, tensor<f64>, tensor<f16>, tensor<f64>
}
