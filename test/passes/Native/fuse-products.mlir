// RUN: ingot-opt %s --pass-pipeline="builtin.module(func.func(fuse-products{least=1}))" --split-input-file | FileCheck %s

// A.T @ (A @ x - b): one sweep over the rows. What else depends on the products comes after it.
// CHECK-LABEL: func.func @normal
// CHECK-SAME: (%[[A:.*]]: tensor<300x200xf64>, %[[X:.*]]: tensor<200xf64>, %[[B:.*]]: tensor<300xf64>)
// CHECK: %[[BLOCKS:.*]] = ingot.constant dense<4>
// CHECK: %[[FOUND:.*]]:2 = ingot.for %[[BLOCK:.*]] = %{{.*}} to %[[BLOCKS]] step %{{.*}} carry (%[[Y0:.*]] = %{{.*}}, %[[Z0:.*]] = %{{.*}}) : tensor<300xf64>, tensor<4x200xf64>
// CHECK: %[[SIZE:.*]] = ingot.constant dense<75>
// CHECK: %[[BEGIN:.*]] = ingot.mul %[[BLOCK]], %[[SIZE]]
// CHECK: %[[END:.*]] = ingot.minimum
// CHECK: ingot.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step %{{.*}} carry (%[[Y:.*]] = %[[Y0]], %[[Z:.*]] = %[[Z0]])
// CHECK: %[[SLICE:.*]] = ingot.dynamic_slice %[[A]][%[[ROW]],
// CHECK: %[[ITEMS:.*]] = ingot.reshape %[[SLICE]]
// CHECK: %[[DOT:.*]] = ingot.dot_general %[[ITEMS]], %[[X]] batching = [] x [] contracting = [0] x [0]
// CHECK: %[[ONE:.*]] = ingot.reshape %[[DOT]]
// CHECK: ingot.update_slice %[[Y]], %[[ONE]][%[[ROW]]]
// CHECK: ingot.dynamic_slice %[[B]][%[[ROW]]]
// CHECK: %[[REST:.*]] = ingot.sub %[[DOT]], %{{.*}} : (tensor<f64>, tensor<f64>)
// CHECK: %[[SCALED:.*]] = ingot.mul %[[REST]], %[[ITEMS]]
// CHECK: ingot.dynamic_slice %[[Z]][%[[BLOCK]],
// CHECK: ingot.update_slice %[[Z]], %{{.*}}[%[[BLOCK]],
// CHECK: {ingot.parallel = 2 : i64}
// CHECK: %[[SUM:.*]] = ingot.reduce add %[[FOUND]]#1 axes = [0]
// CHECK: %[[RESIDUAL:.*]] = ingot.sub %[[FOUND]]#0, %[[B]]
// CHECK: return %[[SUM]], %[[RESIDUAL]]
func.func @normal(%a: tensor<300x200xf64>, %x: tensor<200xf64>, %b: tensor<300xf64>) -> (tensor<200xf64>, tensor<300xf64>) {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf64>, tensor<200xf64>) -> tensor<300xf64>
  %1 = ingot.sub %0, %b : (tensor<300xf64>, tensor<300xf64>) -> tensor<300xf64>
  %2 = ingot.dot_general %1, %a batching = [] x [] contracting = [0] x [0] : (tensor<300xf64>, tensor<300x200xf64>) -> tensor<200xf64>
  return %2, %1 : tensor<200xf64>, tensor<300xf64>
}

// -----

// Products from both sides, one by way of a transpose.
// CHECK-LABEL: func.func @sides
// CHECK: %[[FOUND:.*]]:3 = ingot.for
// CHECK-COUNT-2: ingot.dot_general {{.*}} -> tensor<f32>
// CHECK-NOT: ingot.dot_general
// CHECK: ingot.reduce add %[[FOUND]]#1 axes = [0]
// CHECK: return
func.func @sides(%a: tensor<300x200xf32>, %x: tensor<200xf32>, %y: tensor<300xf32>, %z: tensor<200xf32>) -> (tensor<300xf32>, tensor<200xf32>, tensor<300xf32>) {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf32>, tensor<200xf32>) -> tensor<300xf32>
  %1 = ingot.transpose %a axes = [1, 0] : (tensor<300x200xf32>) -> tensor<200x300xf32>
  %2 = ingot.dot_general %1, %y batching = [] x [] contracting = [1] x [0] : (tensor<200x300xf32>, tensor<300xf32>) -> tensor<200xf32>
  %3 = ingot.dot_general %a, %z batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf32>, tensor<200xf32>) -> tensor<300xf32>
  return %0, %2, %3 : tensor<300xf32>, tensor<200xf32>, tensor<300xf32>
}

// -----

// The second product needs all of the first one: two more passes over the matrix, of which the last
// two share one.
// CHECK-LABEL: func.func @chain
// CHECK: ingot.dot_general %arg0, %arg1
// CHECK: %[[LENGTH:.*]] = ingot.reduce add
// CHECK: ingot.for
// CHECK: ingot.parallel = 2
func.func @chain(%a: tensor<300x200xf64>, %x: tensor<200xf64>) -> (tensor<300xf64>, tensor<200xf64>) {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf64>, tensor<200xf64>) -> tensor<300xf64>
  %1 = ingot.reduce add %0 axes = [0] : (tensor<300xf64>) -> tensor<f64>
  %2 = ingot.mul %x, %1 : (tensor<200xf64>, tensor<f64>) -> tensor<200xf64>
  %3 = ingot.dot_general %a, %2 batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf64>, tensor<200xf64>) -> tensor<300xf64>
  %4 = ingot.dot_general %0, %a batching = [] x [] contracting = [0] x [0] : (tensor<300xf64>, tensor<300x200xf64>) -> tensor<200xf64>
  return %3, %4 : tensor<300xf64>, tensor<200xf64>
}

// -----

// One product, products of two matrices, of an item of a batch, with zeros that win, or of few rows.
// CHECK-LABEL: func.func @others
// CHECK-NOT: ingot.for
func.func @others(%a: tensor<300x200xf64>, %b: tensor<300x200xf64>, %c: tensor<20x200xf64>, %x: tensor<200xf64>) -> (tensor<300xf64>, tensor<300xf64>, tensor<300xf64>, tensor<20xf64>, tensor<20xf64>) {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf64>, tensor<200xf64>) -> tensor<300xf64>
  %1 = ingot.dot_general %b, %x batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf64>, tensor<200xf64>) -> tensor<300xf64>
  %2 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<300x200xf64>, tensor<200xf64>) -> tensor<300xf64>
  %3 = ingot.dot_general %c, %x batching = [] x [] contracting = [1] x [0] : (tensor<20x200xf64>, tensor<200xf64>) -> tensor<20xf64>
  %4 = ingot.dot_general %x, %c batching = [] x [] contracting = [0] x [1] : (tensor<200xf64>, tensor<20x200xf64>) -> tensor<20xf64>
  return %0, %1, %2, %3, %4 : tensor<300xf64>, tensor<300xf64>, tensor<300xf64>, tensor<20xf64>, tensor<20xf64>
}

// -----

// strict_fp asks for sums in the order of the source.
// CHECK-LABEL: func.func @strict
// CHECK-NOT: ingot.for
func.func @strict(%a: tensor<300x200xf64>, %x: tensor<200xf64>) -> (tensor<200xf64>) attributes {ingot.strict} {
  %0 = ingot.dot_general %a, %x batching = [] x [] contracting = [1] x [0] : (tensor<300x200xf64>, tensor<200xf64>) -> tensor<300xf64>
  %1 = ingot.dot_general %0, %a batching = [] x [] contracting = [0] x [0] : (tensor<300xf64>, tensor<300x200xf64>) -> tensor<200xf64>
  return %1 : tensor<200xf64>
}
