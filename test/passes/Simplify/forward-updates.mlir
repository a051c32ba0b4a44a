// RUN: ingot-opt %s --forward-updates --split-input-file | FileCheck %s

// The read returns the update; the second update overwrites all of the first one.
// CHECK-LABEL: func.func @same
// CHECK-SAME: (%[[A:.*]]: tensor<9xf64>, %[[U:.*]]: tensor<1xf64>, %[[I:.*]]: tensor<i64>)
func.func @same(%a: tensor<9xf64>, %u: tensor<1xf64>, %i: tensor<i64>) -> tensor<9xf64> {
  // CHECK-NEXT: %[[V:.*]] = ingot.add %[[U]], %[[U]]
  // CHECK-NEXT: %[[R:.*]] = ingot.update_slice %[[A]], %[[V]][%[[I]]]
  // CHECK-NEXT: return %[[R]]
  %b = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %x = ingot.dynamic_slice %b[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
  %v = ingot.add %x, %x : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %c = ingot.update_slice %b, %v[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  return %c : tensor<9xf64>
}

// -----

// Another row is read from the array before the update.
// CHECK-LABEL: func.func @elsewhere
// CHECK-SAME: (%[[A:.*]]: tensor<4x9xf64>, %[[U:.*]]: tensor<1x9xf64>, %[[I:.*]]: tensor<i64>)
func.func @elsewhere(%a: tensor<4x9xf64>, %u: tensor<1x9xf64>, %i: tensor<i64>) -> (tensor<4x9xf64>, tensor<1x3xf64>) {
  // CHECK: %[[J:.*]] = ingot.add %[[I]], %[[I]]
  // CHECK: %[[X:.*]] = ingot.dynamic_slice %[[A]][%{{.*}}, %[[J]]]
  // CHECK: %[[B:.*]] = ingot.update_slice %[[A]]
  // CHECK: return %[[B]], %[[X]]
  %one = ingot.constant dense<1> : tensor<i64>
  %two = ingot.constant dense<2> : tensor<i64>
  %b = ingot.update_slice %a, %u[%one, %i] strides = [1, 1] : (tensor<4x9xf64>, tensor<1x9xf64>, tensor<i64>, tensor<i64>) -> tensor<4x9xf64>
  %j = ingot.add %i, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %x = ingot.dynamic_slice %b[%two, %j] sizes = [1, 3] strides = [1, 1] : (tensor<4x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
  return %b, %x : tensor<4x9xf64>, tensor<1x3xf64>
}

// -----

// Constant starts are clamped, as the operations do: both are the last element.
// CHECK-LABEL: func.func @moved_inside
// CHECK-SAME: (%{{.*}}: tensor<4xf64>, %[[U:.*]]: tensor<1xf64>)
func.func @moved_inside(%a: tensor<4xf64>, %u: tensor<1xf64>) -> tensor<1xf64> {
  // CHECK: return %[[U]]
  %far = ingot.constant dense<7> : tensor<i64>
  %b = ingot.update_slice %a, %u[%far] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
  %x = ingot.slice %b starts = [3] sizes = [1] strides = [1] : (tensor<4xf64>) -> tensor<1xf64>
  return %x : tensor<1xf64>
}

// -----

// A select chooses an element that may be the updated one.
// CHECK-LABEL: func.func @chosen
// CHECK-SAME: (%[[A:.*]]: tensor<9xf64>, %[[U:.*]]: tensor<1xf64>, %[[I:.*]]: tensor<i64>, %[[J:.*]]: tensor<i64>)
func.func @chosen(%a: tensor<9xf64>, %u: tensor<1xf64>, %i: tensor<i64>, %j: tensor<i64>) -> (tensor<9xf64>, tensor<1xf64>) {
  // CHECK: %[[OLD:.*]] = ingot.dynamic_slice %[[A]][%[[J]]]
  // CHECK: %[[B:.*]] = ingot.update_slice %[[A]]
  // CHECK: %[[SAME:.*]] = ingot.compare eq
  // CHECK: %[[X:.*]] = ingot.select %[[SAME]], %[[U]], %[[OLD]]
  // CHECK: return %[[B]], %[[X]]
  %b = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %x = ingot.dynamic_slice %b[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
  return %b, %x : tensor<9xf64>, tensor<1xf64>
}

// -----

// Slices that may overlap the update, or whose index depends on it, are not forwarded.
// CHECK-LABEL: func.func @kept
// CHECK: %[[B:.*]] = ingot.update_slice
// CHECK: ingot.dynamic_slice %[[B]]
// CHECK: ingot.dynamic_slice %[[B]]
func.func @kept(%a: tensor<9xi64>, %u: tensor<1xi64>, %i: tensor<i64>) -> (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) {
  %b = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<9xi64>, tensor<1xi64>, tensor<i64>) -> tensor<9xi64>
  %x = ingot.dynamic_slice %b[%i] sizes = [3] strides = [1] : (tensor<9xi64>, tensor<i64>) -> tensor<3xi64>
  %all = ingot.reduce add %b axes = [0] : (tensor<9xi64>) -> tensor<i64>
  %y = ingot.dynamic_slice %b[%all] sizes = [1] strides = [1] : (tensor<9xi64>, tensor<i64>) -> tensor<1xi64>
  return %x, %y, %u : tensor<3xi64>, tensor<1xi64>, tensor<1xi64>
}

// -----

// An update whose result has other uses than the next update stays.
// CHECK-LABEL: func.func @wanted
// CHECK-COUNT-2: ingot.update_slice
func.func @wanted(%a: tensor<9xf64>, %u: tensor<1xf64>, %v: tensor<1xf64>, %i: tensor<i64>) -> (tensor<9xf64>, tensor<9xf64>) {
  %b = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %c = ingot.update_slice %b, %v[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  return %b, %c : tensor<9xf64>, tensor<9xf64>
}

// -----

// The computation of an index does not move across checks.
// CHECK-LABEL: func.func @ordered
// CHECK: %[[B:.*]] = ingot.update_slice
// CHECK: ingot.assert
// CHECK: ingot.for
// CHECK: ingot.dynamic_slice %[[B]]
func.func @ordered(%a: tensor<9xf64>, %u: tensor<1xf64>, %i: tensor<i64>, %ok: tensor<i1>) -> (tensor<9xf64>, tensor<1xf64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %b = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  ingot.assert %ok, "ValueError", "first" : tensor<i1>
  %k = ingot.for %j = %zero to %i step %one carry (%c = %i) : tensor<i64> {
    ingot.assert %ok, "ValueError", "second" : tensor<i1>
    %d = ingot.add %c, %j : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %d : tensor<i64>
  }
  %x = ingot.dynamic_slice %b[%k] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
  return %b, %x : tensor<9xf64>, tensor<1xf64>
}

// -----

// In a loop, the elements before and after an index that stays within bounds are others. At the bounds,
// a start is clamped, so the index is compared.
// CHECK-LABEL: func.func @neighbours
// CHECK: ingot.for %[[I:.*]] = {{.*}} carry (%[[H:.*]] = %{{.*}})
// CHECK: %[[J:.*]] = ingot.sub %[[I]]
// CHECK: %[[X:.*]] = ingot.dynamic_slice %[[H]][%[[J]]]
// CHECK-NOT: ingot.compare
// CHECK: ingot.yield
// CHECK: ingot.for
// CHECK: ingot.compare eq
// CHECK: ingot.select
func.func @neighbours(%a: tensor<9xf64>, %u: tensor<1xf64>) -> (tensor<9xf64>, tensor<9xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %1 to %9 step %1 carry (%h = %a) : tensor<9xf64> {
    %j = ingot.sub %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = ingot.update_slice %h, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %x = ingot.dynamic_slice %n[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %m = ingot.update_slice %n, %x[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %m : tensor<9xf64>
  }
  %q = ingot.for %i = %0 to %9 step %1 carry (%h = %a) : tensor<9xf64> {
    %j = ingot.sub %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = ingot.update_slice %h, %u[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %x = ingot.dynamic_slice %n[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %m = ingot.update_slice %n, %x[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %m : tensor<9xf64>
  }
  return %r, %q : tensor<9xf64>, tensor<9xf64>
}

// -----

// An update that another one overwrites is removed, also from before updates of other elements.
// CHECK-LABEL: func.func @overwritten
// CHECK-SAME: (%[[A:.*]]: tensor<9xf64>, %[[U:.*]]: tensor<1xf64>, %[[V:.*]]: tensor<1xf64>, %[[I:.*]]: tensor<i64>)
// CHECK: %[[B:.*]] = ingot.update_slice %[[A]], %[[V]][%{{.*}}]
// CHECK: %[[C:.*]] = ingot.update_slice %[[B]], %[[V]][%{{.*}}]
// CHECK: %[[D:.*]] = ingot.update_slice %[[A]], %[[U]][%{{.*}}]
// CHECK: %[[E:.*]] = ingot.update_slice %[[D]], %[[V]][%[[I]]]
// CHECK: %[[F:.*]] = ingot.update_slice %[[E]], %[[V]]
// CHECK: return %[[C]], %[[F]]
func.func @overwritten(%a: tensor<9xf64>, %u: tensor<1xf64>, %v: tensor<1xf64>, %i: tensor<i64>) -> (tensor<9xf64>, tensor<9xf64>) {
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<2> : tensor<i64>
  %0 = ingot.update_slice %a, %u[%1] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %b = ingot.update_slice %0, %v[%2] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %c = ingot.update_slice %b, %v[%1] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %d = ingot.update_slice %a, %u[%1] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %e = ingot.update_slice %d, %v[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  %f = ingot.update_slice %e, %v[%1] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
  return %c, %f : tensor<9xf64>, tensor<9xf64>
}
