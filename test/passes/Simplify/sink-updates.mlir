// RUN: ingot-opt %s --sink-updates | FileCheck %s

// CHECK-LABEL: func.func @one_side
// CHECK-SAME: (%[[X:.*]]: tensor<9xf64>, %[[C:.*]]: tensor<i1>, %[[N:.*]]: tensor<i64>)
func.func @one_side(%x: tensor<9xf64>, %c: tensor<i1>, %n: tensor<i64>) -> tensor<9xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %r = ingot.for %i = %zero to %n step %one carry (%a = %x) : tensor<9xf64> {
    // CHECK: %[[U:.*]] = ingot.if %[[C]] : tensor<1xf64> {
    // CHECK: %[[SIN:.*]] = ingot.sin
    // CHECK: ingot.yield %[[SIN]]
    // CHECK: } else {
    // CHECK: %[[ZERO:.*]] = ingot.constant dense<0.000000e+00>
    // CHECK: ingot.yield %[[ZERO]]
    // CHECK: %[[OLD:.*]] = ingot.dynamic_slice %[[A:.*]][%[[I:.*]]] sizes
    // CHECK: %[[NEW:.*]] = ingot.select %[[C]], %[[U]], %[[OLD]]
    // CHECK: %[[B:.*]] = ingot.update_slice %[[A]], %[[NEW]][%[[I]]]
    // CHECK: ingot.yield %[[B]]
    %b = ingot.if %c : tensor<9xf64> {
      %p = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
      %q = ingot.sin %p : tensor<1xf64>
      %u = ingot.update_slice %a, %q[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
      ingot.yield %u : tensor<9xf64>
    } else {
      ingot.yield %a : tensor<9xf64>
    }
    ingot.yield %b : tensor<9xf64>
  }
  return %r : tensor<9xf64>
}

// A read of an updated array leaves the branch, and so does a result that depends on it.
// CHECK-LABEL: func.func @both_sides
func.func @both_sides(%x: tensor<9xf64>, %y: tensor<1xf64>, %c: tensor<i1>, %n: tensor<i64>) -> (tensor<9xf64>, tensor<1xf64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %r:2 = ingot.for %i = %zero to %n step %one carry (%a = %x, %s = %y) : tensor<9xf64>, tensor<1xf64> {
    // CHECK: ingot.if %[[C:.*]] {
    // CHECK: %[[FIRST:.*]] = ingot.update_slice %[[A:.*]], %{{.*}}[%[[I:.*]]]
    // CHECK: %[[READ:.*]] = ingot.dynamic_slice %[[FIRST]]
    // CHECK: %[[SUM:.*]] = ingot.add %[[READ]], %[[S:.*]] :
    // CHECK: %[[SECOND:.*]] = ingot.update_slice %[[FIRST]]
    // CHECK: %[[OLD:.*]] = ingot.dynamic_slice %[[SECOND]]
    // CHECK: %[[KEPT:.*]] = ingot.select %[[C]], %[[OLD]], %[[S]]
    // CHECK: %[[THIRD:.*]] = ingot.update_slice %[[SECOND]], %[[KEPT]]
    // CHECK: %[[NEXT:.*]] = ingot.select %[[C]], %[[SUM]], %[[S]]
    // CHECK: ingot.yield %[[THIRD]], %[[NEXT]]
    %b:2 = ingot.if %c : tensor<9xf64>, tensor<1xf64> {
      %u = ingot.update_slice %a, %y[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
      %p = ingot.dynamic_slice %u[%n] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
      %q = ingot.add %p, %s : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
      %v = ingot.update_slice %u, %q[%n] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
      ingot.yield %v, %q : tensor<9xf64>, tensor<1xf64>
    } else {
      %u = ingot.update_slice %a, %s[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
      ingot.yield %u, %s : tensor<9xf64>, tensor<1xf64>
    }
    ingot.yield %b#0, %b#1 : tensor<9xf64>, tensor<1xf64>
  }
  return %r#0, %r#1 : tensor<9xf64>, tensor<1xf64>
}

// Effects, loops and large updates stay in the branch.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: ingot.select
func.func @stays(%x: tensor<9xf64>, %y: tensor<5xf64>, %c: tensor<i1>, %n: tensor<i64>) -> tensor<9xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %r = ingot.for %i = %zero to %n step %one carry (%a = %x) : tensor<9xf64> {
    %b = ingot.if %c : tensor<9xf64> {
      %u = ingot.update_slice %a, %y[%i] strides = [1] : (tensor<9xf64>, tensor<5xf64>, tensor<i64>) -> tensor<9xf64>
      ingot.yield %u : tensor<9xf64>
    } else {
      ingot.yield %a : tensor<9xf64>
    }
    ingot.yield %b : tensor<9xf64>
  }
  return %r : tensor<9xf64>
}
