// RUN: ingot-opt --split-input-file --verify-diagnostics --expand-transformations --resolve-absent-tangents --canonicalize %s | FileCheck %s

// Reverse over forward over reverse: the third derivative of x * x * x.
// CHECK-LABEL: func.func @third
func.func @third(%x: tensor<f64>) -> tensor<f64> {
  // CHECK-NOT: ingot.jvp
  // CHECK-NOT: ingot.vjp
  // CHECK: return
  %one = ingot.constant dense<1.0> : tensor<f64>
  %third:2 = ingot.vjp "curvature"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %second:2 = ingot.jvp "slope"(%a, %one) of = [0] {
    ^bb0(%b: tensor<f64>):
      %first:2 = ingot.vjp "cube"(%b, %one) of = [0] {
      ^bb0(%c: tensor<f64>):
        %square = ingot.mul %c, %c : (tensor<f64>, tensor<f64>) -> tensor<f64>
        %cube = ingot.mul %square, %c : (tensor<f64>, tensor<f64>) -> tensor<f64>
        ingot.yield %cube : tensor<f64>
      } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
      ingot.yield %first#1 : tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    ingot.yield %second#1 : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %third#1 : tensor<f64>
}

// -----

// The gradient in each lane, of a function that contains a batch: all are expanded,
// innermost first.
// CHECK-LABEL: func.func @of_batches
// CHECK-SAME: (%[[X:.*]]: tensor<7x5x3xf64>, %[[T:.*]]: tensor<f64>)
// CHECK: %[[A:.*]] = ingot.mul_no_nan %{{.*}}, %[[X]] : (tensor<5x3xf64>, tensor<7x5x3xf64>)
// CHECK: %[[SUM:.*]] = ingot.add %[[A]],
// CHECK: return %[[SUM]] : tensor<7x5x3xf64>
func.func @of_batches(%x: tensor<7x5x3xf64>, %t: tensor<f64>) -> tensor<7x5x3xf64> {
  %0 = ingot.vmap "total"(%x) size = 7 shared = [] {
  ^bb0(%a: tensor<5x3xf64>):
    %1:2 = ingot.vjp "total"(%a, %t) of = [0] {
    ^bb0(%b: tensor<5x3xf64>):
      %squares = ingot.vmap "square"(%b) size = 5 shared = [] {
      ^bb0(%c: tensor<3xf64>):
        %square = ingot.mul %c, %c : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
        ingot.yield %square : tensor<3xf64>
      } : (tensor<5x3xf64>) -> tensor<5x3xf64>
      %sum = ingot.reduce add %squares axes = [0, 1] : (tensor<5x3xf64>) -> tensor<f64>
      ingot.yield %sum : tensor<f64>
    } : (tensor<5x3xf64>, tensor<f64>) -> (tensor<f64>, tensor<5x3xf64>)
    ingot.yield %1#1 : tensor<5x3xf64>
  } : (tensor<7x5x3xf64>) -> tensor<7x5x3xf64>
  return %0 : tensor<7x5x3xf64>
}

// -----

// The derivative of the cosine computes the sine that is there. Its second derivative is that of
// one sine, not of two.
// CHECK-LABEL: func.func @equal_values
// CHECK: ingot.cos
// CHECK-NOT: ingot.cos
// CHECK: return
func.func @equal_values(%x: tensor<f64>, %dx: tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>) {
  %0:6 = ingot.jvp "g"(%x, %dx) of = [0, 1, 2] {
  ^bb0(%a: tensor<f64>):
    %1:3 = ingot.jvp "f"(%a, %dx) of = [1] {
    ^bb0(%b: tensor<f64>):
      %sin = ingot.sin %b : tensor<f64>
      %cos = ingot.cos %b : tensor<f64>
      ingot.yield %sin, %cos : tensor<f64>, tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>)
    ingot.yield %1#0, %1#1, %1#2 : tensor<f64>, tensor<f64>, tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>)
  return %0#3, %0#4, %0#5 : tensor<f64>, tensor<f64>, tensor<f64>
}
