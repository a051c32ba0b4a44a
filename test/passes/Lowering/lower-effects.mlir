// RUN: ingot-opt %s --lower-effects --split-input-file --verify-diagnostics | FileCheck %s
// RUN: ingot-opt %s --lower-effects --split-input-file --verify-diagnostics --lower-to-stablehlo > %t

// CHECK-LABEL: func.func @straight
// CHECK-SAME: -> (tensor<f64>, tensor<i32>)
// CHECK-SAME: ingot.checks = {{\[\[}}"ValueError", "negative", {{.*}}], ["IndexError", "too far", {{.*}}, {ingot.check = 2 : i64}]]
func.func @straight(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[FIRST:.*]] = ingot.select %arg0
  // CHECK: %[[S1:.*]] = ingot.select %{{.*}}, %[[FIRST]]
  ingot.assert %c, "ValueError", "negative" : tensor<i1>
  // CHECK: %[[SECOND:.*]] = ingot.select %arg1
  // CHECK: %[[S2:.*]] = ingot.select %{{.*}}, %[[SECOND]], %[[S1]]
  ingot.assert %d, "IndexError", "too far" {ingot.check = 2 : i64} : tensor<i1>
  // CHECK: return %arg2, %[[S2]]
  return %x : tensor<f64>
}

// Prints come after the checks before them, and before those after.
// CHECK-LABEL: func.func @print
func.func @print(%c: tensor<i1>, %x: tensor<f64>) {
  // CHECK: %[[S1:.*]] = ingot.ordered_print "a" after %{{.*}}() : tensor<i32>
  ingot.print "a"()
  // CHECK: %[[S2:.*]] = ingot.select %{{.*}}, %{{.*}}, %[[S1]]
  ingot.assert %c, "ValueError", "no" : tensor<i1>
  // CHECK: %[[S3:.*]] = ingot.ordered_print "x = {}" after %[[S2]](%arg1) {ingot.check = 3 : i64} : tensor<i32>, tensor<f64>
  ingot.print "x = {}"(%x) {ingot.check = 3 : i64} : tensor<f64>
  // CHECK: return %[[S3]]
  return
}

// CHECK-LABEL: func.func @callback
func.func @callback(%x: tensor<f64>) -> tensor<2xf64> {
  // CHECK: %[[S:.*]], %[[R:.*]] = ingot.ordered_print "f" callback = 3 after %{{.*}}(%arg0) : tensor<i32>, tensor<f64> gives tensor<2xf64>
  %0 = ingot.print "f" callback = 3(%x) : tensor<f64> gives tensor<2xf64>
  // CHECK: return %[[R]], %[[S]]
  return %0 : tensor<2xf64>
}

// A function without checks stays as it is.
// CHECK-LABEL: func.func @none
// CHECK-SAME: -> tensor<f64> {
func.func @none(%x: tensor<f64>) -> tensor<f64> {
  return %x : tensor<f64>
}

// CHECK-LABEL: func.func @nested
func.func @nested(%c: tensor<i1>, %n: tensor<i64>) {
  // CHECK: %[[FOR:.*]] = ingot.for %{{.*}} carry (%[[S:.*]] = %{{.*}}) : tensor<i32>
  ingot.for %i = %n to %n step %n carry () {
    // CHECK: %[[IF:.*]] = ingot.if %arg0 : tensor<i32>
    ingot.if %c {
      ingot.assert %c, "ValueError", "no" : tensor<i1>
      // CHECK: ingot.yield %{{.*}} : tensor<i32>
      // CHECK-NEXT: } else {
      // CHECK-NEXT: ingot.yield %[[S]] : tensor<i32>
      ingot.yield
    } else {
      ingot.yield
    }
    // CHECK: ingot.yield %[[IF]] : tensor<i32>
    ingot.yield
  }
  // CHECK: %[[WHILE:.*]] = ingot.while (%[[W:.*]] = %[[FOR]]) : tensor<i32>
  // CHECK: %[[FINE:.*]] = ingot.compare eq %[[W]]
  // CHECK: %[[GOES_ON:.*]] = ingot.and %arg0, %[[FINE]]
  // CHECK: ingot.condition %[[GOES_ON]]
  ingot.while () cond {
    ingot.condition %c : tensor<i1>
  } do {
    ingot.assert %c, "ValueError", "no" : tensor<i1>
    ingot.yield
  }
  // CHECK: return %[[WHILE]]
  return
}

// A loop after a check ends if the check has failed.
// CHECK-LABEL: func.func @after
func.func @after(%c: tensor<i1>) {
  // CHECK: %[[S:.*]] = ingot.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i1>, tensor<i32>, tensor<i32>)
  ingot.assert %c, "ValueError", "no" : tensor<i1>
  // CHECK: ingot.while
  // CHECK: ingot.compare eq %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>)
  // CHECK: %[[GOES_ON:.*]] = ingot.and %arg0
  // CHECK: ingot.condition %[[GOES_ON]]
  ingot.while () cond {
    ingot.condition %c : tensor<i1>
  } do {
    ingot.yield
  }
  return
}

// So does one with a dynamic trip count; one with a static trip count stays.
// CHECK-LABEL: func.func @counted
func.func @counted(%c: tensor<i1>, %n: tensor<i64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  // CHECK: ingot.select
  // CHECK: %[[S:.*]] = ingot.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i1>, tensor<i32>, tensor<i32>)
  ingot.assert %c, "ValueError", "no" : tensor<i1>
  // CHECK: %[[FINE:.*]] = ingot.compare eq %[[S]]
  // CHECK: %[[N:.*]] = ingot.select %[[FINE]], %arg1, %[[ZERO:.*]] :
  // CHECK: ingot.for %{{.*}} = %[[ZERO]] to %[[N]] step
  ingot.for %i = %zero to %n step %one carry () {
    // CHECK: ingot.for %{{.*}} = %[[ZERO]] to %[[ONE:.*]] step %[[ONE]]
    ingot.for %j = %zero to %one step %one carry () {
      ingot.yield
    }
    ingot.yield
  }
  return
}

// -----

func.func @condition(%c: tensor<i1>) {
  ingot.while () cond {
    ingot.assert %c, "ValueError", "no" : tensor<i1>
    // expected-error @+1 {{a condition of ingot.while can't contain checks}}
    ingot.condition %c : tensor<i1>
  } do {
    ingot.yield
  }
  return
}

// -----

// expected-error @below {{has checks and is called: inline it, or run expand-transformations, first}}
func.func private @called(%c: tensor<i1>) {
  ingot.assert %c, "ValueError", "no" : tensor<i1>
  return
}
func.func @caller(%c: tensor<i1>) {
  call @called(%c) : (tensor<i1>) -> ()
  return
}

// -----

func.func @inside(%c: tensor<i1>) {
  // expected-error @+1 {{can't carry the status of the checks inside}}
  ingot.checkpoint {
    ingot.assert %c, "ValueError", "no" : tensor<i1>
    ingot.yield
  }
  return
}

// -----

// expected-error @below {{has checks and more than one block}}
func.func @blocks(%c: tensor<i1>) {
  ingot.assert %c, "ValueError", "no" : tensor<i1>
  return
^unreachable:
  return
}
