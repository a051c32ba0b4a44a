// RUN: ingot-opt %s --expand-products --canonicalize | FileCheck %s

// A rotation of points, which are columns.
// CHECK-LABEL: func.func @columns
// CHECK-SAME: (%[[R:.*]]: tensor<2x2xf64>, %[[X:.*]]: tensor<2x100xf64>)
// CHECK: %[[ZERO:.*]] = ingot.constant dense<-0.000000e+00> : tensor<f64>
// CHECK-DAG: %[[R0:.*]] = ingot.slice %[[R]] starts = [0, 0] sizes = [2, 1]
// CHECK-DAG: %[[X0:.*]] = ingot.slice %[[X]] starts = [0, 0] sizes = [1, 100]
// CHECK: %[[P0:.*]] = ingot.mul %[[R0]], %[[X0]] : (tensor<2x1xf64>, tensor<1x100xf64>) -> tensor<2x100xf64>
// CHECK: %[[FIRST:.*]] = ingot.sub %[[P0]], %[[ZERO]]
// CHECK-DAG: %[[R1:.*]] = ingot.slice %[[R]] starts = [0, 1] sizes = [2, 1]
// CHECK-DAG: %[[X1:.*]] = ingot.slice %[[X]] starts = [1, 0] sizes = [1, 100]
// CHECK: %[[P1:.*]] = ingot.mul %[[R1]], %[[X1]]
// CHECK: %[[SUM:.*]] = ingot.add %[[FIRST]], %[[P1]]
// CHECK: return %[[SUM]]
func.func @columns(%r: tensor<2x2xf64>, %x: tensor<2x100xf64>) -> tensor<2x100xf64> {
  %0 = ingot.dot_general %r, %x batching = [] x [] contracting = [1] x [0] : (tensor<2x2xf64>, tensor<2x100xf64>) -> tensor<2x100xf64>
  return %0 : tensor<2x100xf64>
}

// A matrix for each vector. Integers have one zero.
// CHECK-LABEL: func.func @batches
// CHECK-SAME: (%[[R:.*]]: tensor<2x3x40xi64>, %[[X:.*]]: tensor<40x2xi64>)
// CHECK: %[[PART:.*]] = ingot.slice %[[R]] starts = [0, 0, 0] sizes = [1, 3, 40]
// CHECK: ingot.transpose %[[PART]] axes = [2, 1, 0]
// CHECK: ingot.mul {{.*}} : (tensor<40x3xi64>, tensor<40x1xi64>) -> tensor<40x3xi64>
// CHECK: ingot.slice %[[R]] starts = [1, 0, 0]
// CHECK: ingot.mul
// CHECK-NEXT: ingot.add
// CHECK-NEXT: return
func.func @batches(%r: tensor<2x3x40xi64>, %x: tensor<40x2xi64>) -> tensor<40x3xi64> {
  %0 = ingot.dot_general %r, %x batching = [2] x [0] contracting = [0] x [1] : (tensor<2x3x40xi64>, tensor<40x2xi64>) -> tensor<40x3xi64>
  return %0 : tensor<40x3xi64>
}

// Two axes that are summed over, and zeros that make any product zero.
// CHECK-LABEL: func.func @zeros
// CHECK-SAME: (%[[A:.*]]: tensor<50x2x2xf32>, %[[B:.*]]: tensor<2x2xf32>)
// CHECK: ingot.slice %[[B]] starts = [0, 0]
// CHECK: ingot.mul_no_nan %[[Y:.*]], %[[X:.*]] : (tensor<1xf32>, tensor<50xf32>) -> tensor<50xf32>
// CHECK: ingot.slice %[[B]] starts = [1, 0]
// CHECK: ingot.slice %[[B]] starts = [0, 1]
// CHECK: ingot.slice %[[B]] starts = [1, 1]
// CHECK-NOT: dot_general
func.func @zeros(%a: tensor<50x2x2xf32>, %b: tensor<2x2xf32>) -> tensor<50xf32> {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1, 2] x [1, 0] {rhs_zeros} : (tensor<50x2x2xf32>, tensor<2x2xf32>) -> tensor<50xf32>
  return %0 : tensor<50xf32>
}

// Few sums, and long ones, are loops.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: ingot.dot_general
func.func @others(%r: tensor<3x3xf64>, %a: tensor<100x5xf64>, %x: tensor<5xf64>) -> (tensor<3x3xf64>, tensor<100xf64>) {
  %0 = ingot.dot_general %r, %r batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %1 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<100x5xf64>, tensor<5xf64>) -> tensor<100xf64>
  return %0, %1 : tensor<3x3xf64>, tensor<100xf64>
}
