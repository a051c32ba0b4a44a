// RUN: ingot-opt %s --order-reads | FileCheck %s

// Both elements are read before the first one is overwritten; the second one is not read again from
// the result of the first update.
// CHECK-LABEL: func.func @exchange
// CHECK-SAME: (%[[A:.*]]: tensor<9xf64>, %[[I:.*]]: tensor<i64>, %[[J:.*]]: tensor<i64>)
func.func @exchange(%a: tensor<9xf64>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<9xf64> {
  // CHECK: %[[X:.*]] = ingot.dynamic_slice %[[A]][%[[I]]]
  // CHECK: %[[READ:.*]]:2 = ingot.barrier %[[X]], %{{.*}} : tensor<1xf64>, tensor<i64>
  %x = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
  // CHECK: %[[Y:.*]] = ingot.dynamic_slice %[[A]][%[[J]]]
  // CHECK-NOT: ingot.barrier
  %y = ingot.dynamic_slice %a[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
  // CHECK: %[[PLACE:.*]] = ingot.add %[[I]], %[[READ]]#1
  // CHECK: %[[B:.*]] = ingot.update_slice %[[A]], %[[Y]][%[[PLACE]]]
  %b = ingot.update_slice %a, %y[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  // CHECK: ingot.update_slice %[[B]], %[[READ]]#0[%[[J]]]
  %c = ingot.update_slice %b, %x[%j] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  return %c : tensor<9xf64>
}

// A slice of an updated array that is used after the next update is not read from before the first one.
// CHECK-LABEL: func.func @between
func.func @between(%a: tensor<9xf64>, %u: tensor<1xf64>, %i: tensor<i64>) -> (tensor<9xf64>, tensor<1xf64>) {
  // CHECK: %[[B:.*]] = ingot.update_slice
  // CHECK: %[[STATE:.*]] = ingot.barrier %[[B]] : tensor<9xf64>
  // CHECK: %[[X:.*]] = ingot.dynamic_slice %[[STATE]]
  // CHECK: %[[READ:.*]]:2 = ingot.barrier %[[X]], %{{.*}} : tensor<1xf64>, tensor<i64>
  // CHECK: %[[C:.*]] = ingot.update_slice %[[STATE]]
  // CHECK: return %[[C]], %[[READ]]#0
  %b = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %x = ingot.dynamic_slice %b[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
  %c = ingot.update_slice %b, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  return %c, %x : tensor<9xf64>, tensor<1xf64>
}

// A loop that overwrites the array depends on the read, too.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[A:.*]]: tensor<9xf64>,
func.func @loop(%a: tensor<9xf64>, %n: tensor<i64>, %u: tensor<1xf64>) -> (tensor<9xf64>, tensor<1xf64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  // CHECK: %[[X:.*]] = ingot.dynamic_slice %[[A]]
  // CHECK: %[[READ:.*]]:2 = ingot.barrier %[[X]], %[[A]] : tensor<1xf64>, tensor<9xf64>
  // CHECK: ingot.for %{{.*}} carry (%{{.*}} = %[[READ]]#1)
  %x = ingot.dynamic_slice %a[%n] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
  %r = ingot.for %i = %zero to %n step %one carry (%b = %a) : tensor<9xf64> {
    %c = ingot.update_slice %b, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %c : tensor<9xf64>
  }
  return %r, %x : tensor<9xf64>, tensor<1xf64>
}

// A large slice is left to fuse with its use.
// CHECK-LABEL: func.func @large
// CHECK-NOT: ingot.barrier
func.func @large(%a: tensor<9xf64>, %u: tensor<1xf64>, %i: tensor<i64>) -> (tensor<9xf64>, tensor<8xf64>) {
  %x = ingot.dynamic_slice %a[%i] sizes = [8] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<8xf64>
  %c = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  return %c, %x : tensor<9xf64>, tensor<8xf64>
}
