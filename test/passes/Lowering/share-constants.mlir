// RUN: ingot-opt %s --share-constants --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @equal
// CHECK-SAME: (%[[X:.*]]: tensor<3xf64>, %[[Y:.*]]: tensor<3xf64>)
func.func @equal(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<2x3xf64> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<2x3xf64>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [1]
  // CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %[[B]], %[[C]]
  // CHECK-NEXT: %[[Q:.*]] = stablehlo.add %[[P]], %[[B]]
  // CHECK-NEXT: stablehlo.multiply %[[Q]], %[[C]]
  // CHECK-NEXT: return
  %0 = stablehlo.constant dense<2.0> : tensor<2x3xf64>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf64>) -> tensor<2x3xf64>
  %2 = stablehlo.multiply %1, %0 : tensor<2x3xf64>
  %3 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf64>) -> tensor<2x3xf64>
  %4 = stablehlo.add %2, %3 : tensor<2x3xf64>
  %5 = stablehlo.constant dense<2.0> : tensor<2x3xf64>
  %6 = stablehlo.multiply %4, %5 : tensor<2x3xf64>
  return %6 : tensor<2x3xf64>
}

// -----

// Types, values (also the signs of zeros), operands and dimensions have to be equal.
// CHECK-LABEL: func.func @different
func.func @different(%x: tensor<3xf64>, %y: tensor<3xf64>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<f32>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) {
  // CHECK-COUNT-4: stablehlo.constant
  // CHECK-COUNT-3: stablehlo.broadcast_in_dim
  %0 = stablehlo.constant dense<0.0> : tensor<f64>
  %1 = stablehlo.constant dense<-0.0> : tensor<f64>
  %2 = stablehlo.constant dense<0.0> : tensor<3xf64>
  %3 = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xf64>) -> tensor<3x3xf64>
  %5 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf64>) -> tensor<3x3xf64>
  %6 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<3xf64>) -> tensor<3x3xf64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<f32>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>
}

// -----

// Regions keep their own.
// CHECK-LABEL: func.func @regions
func.func @regions(%p: tensor<i1>) -> (tensor<f64>, tensor<f64>) {
  // CHECK: stablehlo.constant
  %0 = stablehlo.constant dense<0.0> : tensor<f64>
  // CHECK: "stablehlo.if"
  %1 = "stablehlo.if"(%p) ({
    // CHECK: %[[C:.*]] = stablehlo.constant
    // CHECK-NEXT: stablehlo.add %[[C]], %[[C]]
    %2 = stablehlo.constant dense<0.0> : tensor<f64>
    %3 = stablehlo.constant dense<0.0> : tensor<f64>
    %4 = stablehlo.add %2, %3 : tensor<f64>
    stablehlo.return %4 : tensor<f64>
  }, {
    // CHECK: stablehlo.constant
    %2 = stablehlo.constant dense<0.0> : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<i1>) -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}
