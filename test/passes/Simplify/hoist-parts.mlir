// RUN: ingot-opt %s --hoist-parts | FileCheck %s

// What is padded in each iteration of both loops is padded once. Computed values stay, as do parts
// of what changes.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: (%[[X:.*]]: tensor<4xf64>,
// CHECK: %[[PAD:.*]] = ingot.pad %[[X]],
// CHECK: ingot.for
// CHECK: ingot.for %[[I:.*]] = {{.*}} carry (%[[S:.*]] = %{{.*}})
// CHECK-NEXT: ingot.dynamic_slice %[[PAD]][%[[I]]]
// CHECK-NEXT: ingot.sin %[[X]]
// CHECK-NEXT: ingot.slice %[[S]]
func.func @padded(%x: tensor<4xf64>, %n: tensor<i64>) -> tensor<4xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %none = ingot.constant dense<0.0> : tensor<f64>
  %0 = ingot.for %k = %zero to %n step %one carry (%r = %x) : tensor<4xf64> {
    %1 = ingot.for %i = %zero to %n step %one carry (%s = %r) : tensor<4xf64> {
      %2 = ingot.pad %x, %none low = [0] high = [4] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<8xf64>
      %3 = ingot.dynamic_slice %2[%i] sizes = [4] strides = [1] : (tensor<8xf64>, tensor<i64>) -> tensor<4xf64>
      %4 = ingot.sin %x : tensor<4xf64>
      %5 = ingot.slice %s starts = [0] sizes = [4] strides = [1] : (tensor<4xf64>) -> tensor<4xf64>
      %6 = ingot.add %3, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %7 = ingot.add %6, %5 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      ingot.yield %7 : tensor<4xf64>
    }
    ingot.yield %1 : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}

// Views of other kinds: reversed, repeated, and the real part.
// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[X:.*]]: tensor<4xcomplex<f64>>,
// CHECK-DAG: %[[BOTH:.*]] = ingot.concatenate %[[X]], %[[X]]
// CHECK-DAG: %[[FLIP:.*]] = ingot.flip %[[BOTH]]
// CHECK-DAG: %[[ROWS:.*]] = ingot.broadcast_to %[[FLIP]]
// CHECK-DAG: %[[REAL:.*]] = ingot.real %[[ROWS]]
// CHECK: ingot.for %[[I:.*]] = {{.*}} carry
// CHECK-NEXT: ingot.dynamic_slice %[[REAL]][%[[I]], %[[I]]]
func.func @views(%x: tensor<4xcomplex<f64>>, %n: tensor<i64>) -> tensor<1x1xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %s = ingot.constant dense<0.0> : tensor<1x1xf64>
  %0 = ingot.for %i = %zero to %n step %one carry (%r = %s) : tensor<1x1xf64> {
    %1 = ingot.concatenate %x, %x axis = 0 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<8xcomplex<f64>>
    %2 = ingot.flip %1 axes = [0] : (tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>>
    %3 = ingot.broadcast_to %2 : (tensor<8xcomplex<f64>>) -> tensor<3x8xcomplex<f64>>
    %4 = ingot.real %3 : (tensor<3x8xcomplex<f64>>) -> tensor<3x8xf64>
    %5 = ingot.dynamic_slice %4[%i, %i] sizes = [1, 1] strides = [1, 1] : (tensor<3x8xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
    %6 = ingot.add %r, %5 : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
    ingot.yield %6 : tensor<1x1xf64>
  }
  return %0 : tensor<1x1xf64>
}
