// RUN: ingot-opt %s --hoist-checks | FileCheck %s

// The greatest value of the induction variable is checked before the loop.
// CHECK-LABEL: func.func @bounds
func.func @bounds(%n: tensor<i64>) {
  // CHECK: %[[ZERO:.*]] = ingot.constant dense<0>
  %zero = ingot.constant dense<0> : tensor<i64>
  // CHECK: %[[ONE:.*]] = ingot.constant dense<1>
  %one = ingot.constant dense<1> : tensor<i64>
  // CHECK: %[[MOST:.*]] = ingot.constant dense<9>
  %most = ingot.constant dense<9> : tensor<i64>
  // CHECK: %[[LAST:.*]] = ingot.sub %arg0, %{{.*}}
  // CHECK: %[[NEXT:.*]] = ingot.add %[[LAST]], %[[ONE]]
  // CHECK: %[[HOLDS:.*]] = ingot.compare le %[[NEXT]], %[[MOST]]
  // CHECK: %[[EMPTY:.*]] = ingot.compare ge %[[ZERO]], %arg0
  // CHECK: %[[BOTH:.*]] = ingot.or %[[EMPTY]], %[[HOLDS]]
  // CHECK: ingot.assert %[[BOTH]], "IndexError", "far" {ingot.assumption = "slices-inside"}
  // CHECK: ingot.for
  // CHECK-NOT: ingot.assert
  // CHECK: return
  ingot.for %i = %zero to %n step %one carry () {
    %next = ingot.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c = ingot.compare le %next, %most : (tensor<i64>, tensor<i64>) -> tensor<i1>
    ingot.assert %c, "IndexError", "far" {ingot.assumption = "slices-inside"} : tensor<i1>
    ingot.yield
  }
  return
}

// A check of loop invariants leaves both loops.
// CHECK-LABEL: func.func @nested
func.func @nested(%n: tensor<i64>, %c: tensor<i1>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  // CHECK: ingot.assert %{{.*}}, "ValueError", "no"
  // CHECK: ingot.for
  // CHECK: ingot.for
  // CHECK-NOT: ingot.assert
  // CHECK: return
  ingot.for %i = %zero to %n step %one carry () {
    ingot.for %j = %zero to %n step %one carry () {
      ingot.assert %c, "ValueError", "no" : tensor<i1>
      ingot.yield
    }
    ingot.yield
  }
  return
}

// A repeated check is removed; a check of a loop-carried value is not hoisted.
// CHECK-LABEL: func.func @repeated
func.func @repeated(%n: tensor<i64>, %c: tensor<i1>) -> tensor<i64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  // CHECK: ingot.assert %arg1
  ingot.assert %c, "ValueError", "no" : tensor<i1>
  // CHECK-NOT: ingot.assert %arg1
  ingot.assert %c, "ValueError", "again" : tensor<i1>
  // CHECK: ingot.for
  %r = ingot.for %i = %zero to %n step %one carry (%x = %zero) : tensor<i64> {
    // CHECK: ingot.assert %{{.*}}, "ValueError", "carried"
    %d = ingot.compare le %x, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    ingot.assert %d, "ValueError", "carried" : tensor<i1>
    %y = ingot.add %x, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %y : tensor<i64>
  }
  return %r : tensor<i64>
}
