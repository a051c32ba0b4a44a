// RUN: ingot-opt %s --share-equal --split-input-file | FileCheck %s

// The order of operands is free where the operation commutes. What nothing uses is removed.
// CHECK-LABEL: func.func @block
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[Y:.*]]: tensor<f64>)
// CHECK-NEXT: %[[SUM:.*]] = ingot.add %[[X]], %[[Y]]
// CHECK-NEXT: %[[LEFT:.*]] = ingot.sub %[[X]], %[[Y]]
// CHECK-NEXT: %[[RIGHT:.*]] = ingot.sub %[[Y]], %[[X]]
// CHECK-NEXT: return %[[SUM]], %[[SUM]], %[[LEFT]], %[[RIGHT]]
func.func @block(%x: tensor<f64>, %y: tensor<f64>)
    -> (tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) {
  %0 = ingot.add %x, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %1 = ingot.add %y, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %2 = ingot.sub %x, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %3 = ingot.sub %y, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %4 = ingot.mul %y, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0, %1, %2, %3 : tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>
}

// -----

// A region uses what is computed around it; nothing uses what a region computes.
// CHECK-LABEL: func.func @regions
// CHECK: %[[SIN:.*]] = ingot.sin
// CHECK-NEXT: %[[FIRST:.*]] = ingot.if
// CHECK-NEXT: %[[COS:.*]] = ingot.cos
// CHECK-NEXT: %[[SUM:.*]] = ingot.add %[[SIN]], %[[COS]]
// CHECK-NEXT: ingot.yield %[[SUM]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[COS:.*]] = ingot.cos
// CHECK-NEXT: ingot.yield %[[COS]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[COS:.*]] = ingot.cos
// CHECK-NEXT: return %[[SIN]], %[[FIRST]], %[[COS]]
func.func @regions(%c: tensor<i1>, %x: tensor<f64>)
    -> (tensor<f64>, tensor<f64>, tensor<f64>) {
  %0 = ingot.sin %x : tensor<f64>
  %1 = ingot.if %c : tensor<f64> {
    %3 = ingot.sin %x : tensor<f64>
    %4 = ingot.cos %x : tensor<f64>
    %5 = ingot.add %3, %4 : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %5 : tensor<f64>
  } else {
    %3 = ingot.cos %x : tensor<f64>
    ingot.yield %3 : tensor<f64>
  }
  %2 = ingot.cos %x : tensor<f64>
  return %0, %1, %2 : tensor<f64>, tensor<f64>, tensor<f64>
}

// -----

// Operations with regions are shared, too; differences in the regions count.
// CHECK-LABEL: func.func @loops
// CHECK: %[[FIRST:.*]] = ingot.for
// CHECK: ingot.sin
// CHECK: %[[OTHER:.*]] = ingot.for
// CHECK: ingot.cos
// CHECK-NOT: ingot.for
// CHECK: return %[[FIRST]], %[[FIRST]], %[[OTHER]]
func.func @loops(%n: tensor<i64>, %x: tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.for %i = %zero to %n step %one carry (%y = %x) : tensor<f64> {
    %3 = ingot.sin %y : tensor<f64>
    ingot.yield %3 : tensor<f64>
  }
  %1 = ingot.for %i = %zero to %n step %one carry (%y = %x) : tensor<f64> {
    %3 = ingot.sin %y : tensor<f64>
    ingot.yield %3 : tensor<f64>
  }
  %2 = ingot.for %i = %zero to %n step %one carry (%y = %x) : tensor<f64> {
    %3 = ingot.cos %y : tensor<f64>
    ingot.yield %3 : tensor<f64>
  }
  return %0, %1, %2 : tensor<f64>, tensor<f64>, tensor<f64>
}

// -----

// Effects stay, each at its place.
// CHECK-LABEL: func.func @effects
// CHECK-COUNT-2: ingot.print
func.func @effects(%x: tensor<f64>) {
  ingot.print "{}"(%x) : tensor<f64>
  ingot.print "{}"(%x) : tensor<f64>
  return
}

// -----

// Of checks of one condition, the first one fails.
// CHECK-LABEL: func.func @checks
// CHECK: ingot.assert %[[C:.*]], "IndexError", "first"
// CHECK-NEXT: ingot.assert %{{.*}}, "ValueError", "other"
// CHECK-NOT: ingot.assert %[[C]]
// CHECK: return
func.func @checks(%c: tensor<i1>, %d: tensor<i1>, %n: tensor<i64>, %zero: tensor<i64>, %one: tensor<i64>) -> tensor<i64> {
  ingot.assert %c, "IndexError", "first" : tensor<i1>
  ingot.assert %d, "ValueError", "other" : tensor<i1>
  ingot.assert %c, "IndexError", "second" : tensor<i1>
  %r = ingot.for %i = %zero to %n step %one carry (%y = %n) : tensor<i64> {
    ingot.assert %c, "IndexError", "in a loop" : tensor<i1>
    ingot.yield %y : tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// What a region that may not run has checked may still fail after it.
// CHECK-LABEL: func.func @check_in_a_loop
// CHECK-COUNT-2: ingot.assert
func.func @check_in_a_loop(%c: tensor<i1>, %n: tensor<i64>, %zero: tensor<i64>, %one: tensor<i64>) -> tensor<i64> {
  %r = ingot.for %i = %zero to %n step %one carry (%y = %n) : tensor<i64> {
    ingot.assert %c, "IndexError", "in a loop" : tensor<i1>
    ingot.yield %y : tensor<i64>
  }
  ingot.assert %c, "IndexError", "after it" : tensor<i1>
  return %r : tensor<i64>
}
