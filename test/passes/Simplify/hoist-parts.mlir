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
