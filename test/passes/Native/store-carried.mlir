// RUN: ingot-opt %s --pass-pipeline="builtin.module(func.func(store-carried))" --split-input-file | FileCheck %s

// One branch leaves the arrays as they are. The other one reads %x for the next %y, so %y is stored
// first; what has one element stays.
// CHECK-LABEL: func.func @stopped
// CHECK: ingot.for {{.*}} carry (%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1, %[[S:.*]] = %arg2)
// CHECK: ingot.if
// CHECK-NEXT: ingot.yield %[[X]], %[[Y]], %[[S]]
// CHECK: %[[NX:.*]] = ingot.add %[[X]], %[[X]]
// CHECK: %[[NY:.*]] = ingot.sub %[[Y]], %[[X]]
// CHECK: %[[ZERO:.*]] = ingot.constant dense<0>
// CHECK: %[[VY:.*]] = ingot.update_slice %[[Y]], %[[NY]][%[[ZERO]]] strides = [1]
// CHECK: %[[VX:.*]] = ingot.update_slice %[[X]], %[[NX]][%{{.*}}] strides = [1]
// CHECK: ingot.yield %[[VX]], %[[VY]], %{{.*}} :
func.func @stopped(%a: tensor<4xf64>, %b: tensor<4xf64>, %s: tensor<f64>, %n: tensor<i64>, %c: tensor<i1>) -> (tensor<4xf64>, tensor<4xf64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2:3 = ingot.for %i = %0 to %n step %1 carry (%x = %a, %y = %b, %z = %s) : tensor<4xf64>, tensor<4xf64>, tensor<f64> {
    %3:3 = ingot.if %c : tensor<4xf64>, tensor<4xf64>, tensor<f64> {
      ingot.yield %x, %y, %z : tensor<4xf64>, tensor<4xf64>, tensor<f64>
    } else {
      %4 = ingot.add %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %5 = ingot.sub %y, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %6 = ingot.exp %z : tensor<f64>
      ingot.yield %4, %5, %6 : tensor<4xf64>, tensor<4xf64>, tensor<f64>
    }
    ingot.yield %3#0, %3#1, %3#2 : tensor<4xf64>, tensor<4xf64>, tensor<f64>
  }
  return %2#0, %2#1, %2#2 : tensor<4xf64>, tensor<4xf64>, tensor<f64>
}

// -----

// Each of the two would have to be stored first; %z is read after the branch; both branches replace %w.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: update_slice
func.func @kept(%a: tensor<4xf64>, %b: tensor<4xf64>, %n: tensor<i64>, %c: tensor<i1>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2:5 = ingot.for %i = %0 to %n step %1 carry (%x = %a, %y = %b, %z = %a, %w = %b, %l = %b) : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64> {
    %3:4 = ingot.if %c : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64> {
      %4 = ingot.neg %w : tensor<4xf64>
      ingot.yield %x, %y, %z, %4 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    } else {
      %5 = ingot.add %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %6 = ingot.sub %y, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %7 = ingot.exp %z : tensor<4xf64>
      %8 = ingot.exp %w : tensor<4xf64>
      ingot.yield %5, %6, %7, %8 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    }
    %9 = ingot.mul %z, %l : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %3#0, %3#1, %3#2, %3#3, %9 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
  }
  return %2#0, %2#1, %2#2, %2#3, %2#4 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// %4 may be %x itself, and is read twice: its branch is left as it is.
// CHECK-LABEL: func.func @may_be_carried
// CHECK-COUNT-1: ingot.update_slice
// CHECK-NOT: ingot.update_slice
func.func @may_be_carried(%a: tensor<4xf64>, %n: tensor<i64>, %c: tensor<i1>, %v: tensor<1xf64>) -> (tensor<4xf64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %s = ingot.constant dense<0.0> : tensor<f64>
  %2:2 = ingot.for %i = %0 to %n step %1 carry (%x = %a, %y = %s) : tensor<4xf64>, tensor<f64> {
    %3:2 = ingot.if %c : tensor<4xf64>, tensor<f64> {
      ingot.yield %x, %y : tensor<4xf64>, tensor<f64>
    } else {
      %4 = ingot.if %c : tensor<4xf64> {
        ingot.yield %x : tensor<4xf64>
      } else {
        %6 = ingot.update_slice %x, %v[%i] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
        ingot.yield %6 : tensor<4xf64>
      }
      %5 = ingot.reduce add %4 axes = [0] : (tensor<4xf64>) -> tensor<f64>
      ingot.yield %4, %5 : tensor<4xf64>, tensor<f64>
    }
    ingot.yield %3#0, %3#1 : tensor<4xf64>, tensor<f64>
  }
  return %2#0, %2#1 : tensor<4xf64>, tensor<f64>
}

// -----

// The branch before the loop runs when there is no %x yet: what it gives is stored where the loop yields it.
// CHECK-LABEL: func.func @chosen_before
// CHECK: %[[W:.*]] = ingot.if
// CHECK-NOT: update_slice
// CHECK: ingot.for
// CHECK: ingot.update_slice %{{.*}}, %[[W]]
func.func @chosen_before(%a: tensor<4xf64>, %b: tensor<4xf64>, %n: tensor<i64>, %c: tensor<i1>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %w = ingot.if %c : tensor<4xf64> {
    %2 = ingot.neg %a : tensor<4xf64>
    ingot.yield %2 : tensor<4xf64>
  } else {
    ingot.yield %b : tensor<4xf64>
  }
  %v = ingot.if %c : tensor<4xf64> {
    ingot.yield %b : tensor<4xf64>
  } else {
    ingot.yield %a : tensor<4xf64>
  }
  %3:2 = ingot.for %i = %0 to %n step %1 carry (%x = %a, %y = %b) : tensor<4xf64>, tensor<4xf64> {
    %4 = ingot.if %c : tensor<4xf64> {
      ingot.yield %w : tensor<4xf64>
    } else {
      ingot.yield %x : tensor<4xf64>
    }
    ingot.yield %4, %v : tensor<4xf64>, tensor<4xf64>
  }
  return %3#0, %3#1 : tensor<4xf64>, tensor<4xf64>
}
