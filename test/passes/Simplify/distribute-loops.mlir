// RUN: ingot-opt --distribute-loops --split-input-file %s | FileCheck %s

// The gradient by the weights of a recurrent network: `%h` is stacked, since it is computed in the
// first loop; the slices of `%xs` are taken again.
// CHECK-LABEL: @recurrent
// CHECK: %[[STACK:[a-z0-9_]+]] = ingot.constant dense<0.000000e+00> : tensor<20x32xf64>
// CHECK: %[[FIRST:[a-z0-9_]+]]:3 = ingot.for %[[I:[a-z0-9_]+]] = %{{.*}} carry (%[[H:[a-z0-9_]+]] = %arg1, %[[W:[a-z0-9_]+]] = %arg2, %[[S:[a-z0-9_]+]] = %[[STACK]])
// CHECK: ingot.tanh %[[H]]
// CHECK-NOT: ingot.dot_general
// CHECK: %[[ROW:[a-z0-9_]+]] = ingot.reshape %[[H]] : (tensor<32xf64>) -> tensor<1x32xf64>
// CHECK: %[[NEXT:[a-z0-9_]+]] = ingot.update_slice %[[S]], %[[ROW]][%[[I]]
// CHECK: ingot.yield %{{.*}}, %[[W]], %[[NEXT]]
// CHECK: %[[SECOND:[a-z0-9_]+]] = ingot.for %[[J:[a-z0-9_]+]] = %{{.*}} carry (%[[SUM:[a-z0-9_]+]] = %arg2)
// CHECK-DAG: ingot.dynamic_slice %[[FIRST]]#2[%[[J]], %{{.*}}] sizes = [1, 32]
// CHECK-DAG: ingot.dynamic_slice %arg0[%[[J]], %{{.*}}] sizes = [1, 64]
// CHECK: %[[D:[a-z0-9_]+]] = ingot.dot_general
// CHECK: %[[R:[a-z0-9_]+]] = ingot.add %[[SUM]], %[[D]]
// CHECK: ingot.yield %[[R]]
// CHECK: return %[[FIRST]]#0, %[[SECOND]]
func.func @recurrent(%xs: tensor<20x64xf64>, %x: tensor<32xf64>, %zeros: tensor<32x64xf64>) -> (tensor<32xf64>, tensor<32x64xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %20 step %1 carry (%h = %x, %w = %zeros) : tensor<32xf64>, tensor<32x64xf64> {
    %2 = ingot.dynamic_slice %xs[%i, %0] sizes = [1, 64] strides = [1, 1] : (tensor<20x64xf64>, tensor<i64>, tensor<i64>) -> tensor<1x64xf64>
    %3 = ingot.reshape %2 : (tensor<1x64xf64>) -> tensor<64xf64>
    %4 = ingot.tanh %h : tensor<32xf64>
    %5 = ingot.dot_general %h, %3 batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<64xf64>) -> tensor<32x64xf64>
    %6 = ingot.add %w, %5 : (tensor<32x64xf64>, tensor<32x64xf64>) -> tensor<32x64xf64>
    ingot.yield %4, %6 : tensor<32xf64>, tensor<32x64xf64>
  }
  return %r#0, %r#1 : tensor<32xf64>, tensor<32x64xf64>
}

// -----

// The other operand is read from the last row to the first, and so is what is stacked.
// CHECK-LABEL: @backwards
// CHECK: ingot.for %[[I:[a-z0-9_]+]] =
// CHECK: %[[L:[a-z0-9_]+]] = ingot.constant dense<19>
// CHECK: %[[P:[a-z0-9_]+]] = ingot.sub %[[L]], %[[I]]
// CHECK: ingot.update_slice %{{.*}}, %{{.*}}[%[[P]],
// CHECK: ingot.for %[[J:[a-z0-9_]+]] =
// CHECK: %[[M:[a-z0-9_]+]] = ingot.constant dense<19>
// CHECK: %[[Q:[a-z0-9_]+]] = ingot.sub %[[M]], %[[J]]
// CHECK: ingot.dynamic_slice %{{.*}}[%[[Q]], %{{.*}}] sizes = [1, 32]
func.func @backwards(%xs: tensor<24x64xf64>, %x: tensor<32xf64>, %zeros: tensor<32x64xf64>) -> (tensor<32xf64>, tensor<32x64xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %20 step %1 carry (%h = %x, %w = %zeros) : tensor<32xf64>, tensor<32x64xf64> {
    %k = ingot.sub %20, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = ingot.dynamic_slice %xs[%k, %0] sizes = [1, 64] strides = [1, 1] : (tensor<24x64xf64>, tensor<i64>, tensor<i64>) -> tensor<1x64xf64>
    %3 = ingot.reshape %2 : (tensor<1x64xf64>) -> tensor<64xf64>
    %4 = ingot.tanh %h : tensor<32xf64>
    %5 = ingot.dot_general %h, %3 batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<64xf64>) -> tensor<32x64xf64>
    %6 = ingot.add %w, %5 : (tensor<32x64xf64>, tensor<32x64xf64>) -> tensor<32x64xf64>
    ingot.yield %4, %6 : tensor<32xf64>, tensor<32x64xf64>
  }
  return %r#0, %r#1 : tensor<32xf64>, tensor<32x64xf64>
}

// -----

// The iterations count from 4 down to 0 in steps of 2: those of the second loop count from 0.
// CHECK-LABEL: @steps
// CHECK: ingot.for %[[I:[a-z0-9_]+]] = %[[FIVE:[a-z0-9_]+]] to
// CHECK: %[[BACK:[a-z0-9_]+]] = ingot.sub %[[I]], %[[FIVE]]
// CHECK: %[[N:[a-z0-9_]+]] = ingot.floor_div %[[BACK]], %[[STEP:[a-z0-9_]+]] :
// CHECK: ingot.update_slice %{{.*}}[%[[N]],
// CHECK: %[[END:[a-z0-9_]+]] = ingot.constant dense<3>
// CHECK: ingot.for %[[J:[a-z0-9_]+]] = %{{.*}} to %[[END]]
// CHECK: %[[M:[a-z0-9_]+]] = ingot.mul %[[J]], %[[STEP]]
// CHECK: %[[A:[a-z0-9_]+]] = ingot.add %[[M]], %[[FIVE]]
// CHECK: ingot.dynamic_slice %arg0[%[[A]],
func.func @steps(%xs: tensor<20x64xf64>, %x: tensor<32xf64>, %zeros: tensor<32x64xf64>) -> (tensor<32xf64>, tensor<32x64xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<-2> : tensor<i64>
  %4 = ingot.constant dense<5> : tensor<i64>
  %r:2 = ingot.for %i = %4 to %0 step %1 carry (%h = %x, %w = %zeros) : tensor<32xf64>, tensor<32x64xf64> {
    %2 = ingot.dynamic_slice %xs[%i, %0] sizes = [1, 64] strides = [1, 1] : (tensor<20x64xf64>, tensor<i64>, tensor<i64>) -> tensor<1x64xf64>
    %3 = ingot.reshape %2 : (tensor<1x64xf64>) -> tensor<64xf64>
    %5 = ingot.dot_general %h, %3 batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<64xf64>) -> tensor<32x64xf64>
    %6 = ingot.add %w, %5 : (tensor<32x64xf64>, tensor<32x64xf64>) -> tensor<32x64xf64>
    %7 = ingot.tanh %h : tensor<32xf64>
    ingot.yield %7, %6 : tensor<32xf64>, tensor<32x64xf64>
  }
  return %r#0, %r#1 : tensor<32xf64>, tensor<32x64xf64>
}

// -----

// The loop is left alone if something else depends on the sum, if the products are small, and if
// the trip count is not known.
// CHECK-LABEL: @others
// CHECK-COUNT-3: ingot.for
// CHECK-NOT: ingot.for
func.func @others(%n: tensor<i64>, %x: tensor<32xf64>, %y: tensor<8xf64>, %z: tensor<32x32xf64>, %s: tensor<8x8xf64>) -> (tensor<32xf64>, tensor<32x32xf64>, tensor<8xf64>, tensor<8x8xf64>, tensor<32x32xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %20 = ingot.constant dense<20> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %20 step %1 carry (%h = %x, %w = %z) : tensor<32xf64>, tensor<32x32xf64> {
    %2 = ingot.dot_general %h, %h batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<32xf64>) -> tensor<32x32xf64>
    %3 = ingot.add %w, %2 : (tensor<32x32xf64>, tensor<32x32xf64>) -> tensor<32x32xf64>
    %4 = ingot.reduce add %3 axes = [0] : (tensor<32x32xf64>) -> tensor<32xf64>
    ingot.yield %4, %3 : tensor<32xf64>, tensor<32x32xf64>
  }
  %t:2 = ingot.for %i = %0 to %20 step %1 carry (%h = %y, %w = %s) : tensor<8xf64>, tensor<8x8xf64> {
    %2 = ingot.dot_general %h, %h batching = [] x [] contracting = [] x [] : (tensor<8xf64>, tensor<8xf64>) -> tensor<8x8xf64>
    %3 = ingot.add %w, %2 : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
    %4 = ingot.tanh %h : tensor<8xf64>
    ingot.yield %4, %3 : tensor<8xf64>, tensor<8x8xf64>
  }
  %u:2 = ingot.for %i = %0 to %n step %1 carry (%h = %x, %w = %z) : tensor<32xf64>, tensor<32x32xf64> {
    %2 = ingot.dot_general %h, %h batching = [] x [] contracting = [] x [] : (tensor<32xf64>, tensor<32xf64>) -> tensor<32x32xf64>
    %3 = ingot.add %w, %2 : (tensor<32x32xf64>, tensor<32x32xf64>) -> tensor<32x32xf64>
    %4 = ingot.tanh %h : tensor<32xf64>
    ingot.yield %4, %3 : tensor<32xf64>, tensor<32x32xf64>
  }
  return %r#0, %r#1, %t#0, %t#1, %u#1 : tensor<32xf64>, tensor<32x32xf64>, tensor<8xf64>, tensor<8x8xf64>, tensor<32x32xf64>
}
