// RUN: ingot-opt --split-input-file --verify-diagnostics --expand-vmap %s | FileCheck %s

// A value that is the same in all lanes is computed once, and broadcasts.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<5x3xf64>, %[[S:.*]]: tensor<5xf64>, %[[W:.*]]: tensor<3xf64>)
func.func @elementwise(%x: tensor<5x3xf64>, %s: tensor<5xf64>, %w: tensor<3xf64>) -> (tensor<5x3xf64>, tensor<3xf64>) {
  // CHECK: %[[SIN:.*]] = ingot.sin %[[W]] : tensor<3xf64>
  // CHECK: %[[C:.*]] = ingot.reshape %[[S]] : (tensor<5xf64>) -> tensor<5x1xf64>
  // CHECK: %[[P:.*]] = ingot.mul %[[X]], %[[C]] : (tensor<5x3xf64>, tensor<5x1xf64>) -> tensor<5x3xf64>
  // CHECK: %[[Q:.*]] = ingot.add %[[P]], %[[SIN]] : (tensor<5x3xf64>, tensor<3xf64>) -> tensor<5x3xf64>
  // CHECK: return %[[Q]], %[[SIN]]
  %0:2 = ingot.vmap "f"(%x, %s) size = 5 shared = [1] {
  ^bb0(%a: tensor<3xf64>, %b: tensor<f64>):
    %1 = ingot.sin %w : tensor<3xf64>
    %2 = ingot.mul %a, %b : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
    %3 = ingot.add %2, %1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    ingot.yield %3, %1 : tensor<3xf64>, tensor<3xf64>
  } : (tensor<5x3xf64>, tensor<5xf64>) -> (tensor<5x3xf64>, tensor<3xf64>)
  return %0#0, %0#1 : tensor<5x3xf64>, tensor<3xf64>
}

// -----

// CHECK-LABEL: func.func @families
func.func @families(%x: tensor<5x3x4xf64>, %m: tensor<5x4x2xf64>, %w: tensor<4x2xf64>) -> (tensor<5x4xf64>, tensor<5x3x2xf64>, tensor<5x3x2xf64>, tensor<5x2x3xf64>) {
  // CHECK: ingot.reduce add %{{.*}} axes = [1] : (tensor<5x3x4xf64>) -> tensor<5x4xf64>
  // A batching axis, since both operands differ.
  // CHECK: ingot.dot_general %{{.*}} batching = [0] x [0] contracting = [2] x [1] : (tensor<5x3x4xf64>, tensor<5x4x2xf64>) -> tensor<5x3x2xf64>
  // CHECK: ingot.dot_general %{{.*}} batching = [] x [] contracting = [2] x [0] : (tensor<5x3x4xf64>, tensor<4x2xf64>) -> tensor<5x3x2xf64>
  // The lanes of the second operand move to the front of the result.
  // CHECK: %[[LATE:.*]] = ingot.dot_general %{{.*}} batching = [] x [] contracting = [0] x [2] : (tensor<4x2xf64>, tensor<5x3x4xf64>) -> tensor<2x5x3xf64>
  // CHECK: ingot.transpose %[[LATE]] axes = [1, 0, 2] : (tensor<2x5x3xf64>) -> tensor<5x2x3xf64>
  %0:4 = ingot.vmap "f"(%x, %m) size = 5 shared = [] {
  ^bb0(%a: tensor<3x4xf64>, %b: tensor<4x2xf64>):
    %1 = ingot.reduce add %a axes = [0] : (tensor<3x4xf64>) -> tensor<4xf64>
    %2 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<3x2xf64>
    %3 = ingot.dot_general %a, %w batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<3x2xf64>
    %4 = ingot.dot_general %w, %a batching = [] x [] contracting = [0] x [1] : (tensor<4x2xf64>, tensor<3x4xf64>) -> tensor<2x3xf64>
    ingot.yield %1, %2, %3, %4 : tensor<4xf64>, tensor<3x2xf64>, tensor<3x2xf64>, tensor<2x3xf64>
  } : (tensor<5x3x4xf64>, tensor<5x4x2xf64>) -> (tensor<5x4xf64>, tensor<5x3x2xf64>, tensor<5x3x2xf64>, tensor<5x2x3xf64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<5x4xf64>, tensor<5x3x2xf64>, tensor<5x3x2xf64>, tensor<5x2x3xf64>
}

// -----

// Rows whose starts differ are gathered; a row with the same start in all lanes stays a slice.
// CHECK-LABEL: func.func @slices
// CHECK-SAME: (%[[X:.*]]: tensor<5x8x3xf64>, %[[I:.*]]: tensor<5xi64>, %[[W:.*]]: tensor<8x3xf64>, %[[J:.*]]: tensor<i64>)
func.func @slices(%x: tensor<5x8x3xf64>, %i: tensor<5xi64>, %w: tensor<8x3xf64>, %j: tensor<i64>) -> (tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x8x3xf64>) {
  // CHECK: ingot.gather %[[W]][%{{[^,]*}}] : (tensor<8x3xf64>, tensor<5x1xi64>) -> tensor<5x1x3xf64>
  // CHECK: %[[LANES:.*]] = ingot.iota axis = 0 : tensor<5x1xi64>
  // CHECK: %[[ROW:.*]] = ingot.gather %[[X]][%[[LANES]], %{{.*}}] : (tensor<5x8x3xf64>, tensor<5x1xi64>, tensor<5x1xi64>) -> tensor<5x1x3xf64>
  // CHECK: ingot.dynamic_slice %[[X]][%{{.*}}, %[[J]], %{{.*}}] sizes = [5, 1, 3] strides = [1, 1, 1]
  // CHECK: ingot.scatter set %[[X]], %[[ROW]]
  %0:4 = ingot.vmap "f"(%x, %i) size = 5 shared = [] {
  ^bb0(%a: tensor<8x3xf64>, %k: tensor<i64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %1 = ingot.dynamic_slice %w[%k, %zero] sizes = [1, 3] strides = [1, 1] : (tensor<8x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %2 = ingot.dynamic_slice %a[%k, %zero] sizes = [1, 3] strides = [1, 1] : (tensor<8x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %3 = ingot.dynamic_slice %a[%j, %zero] sizes = [1, 3] strides = [1, 1] : (tensor<8x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %4 = ingot.update_slice %a, %2[%k, %zero] strides = [1, 1] : (tensor<8x3xf64>, tensor<1x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x3xf64>
    ingot.yield %1, %2, %3, %4 : tensor<1x3xf64>, tensor<1x3xf64>, tensor<1x3xf64>, tensor<8x3xf64>
  } : (tensor<5x8x3xf64>, tensor<5xi64>) -> (tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x8x3xf64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x8x3xf64>
}

// -----

// If the condition is the same in all lanes, the branch stays; else both regions run,
// and checks are masked.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: (%[[X:.*]]: tensor<5xf64>, %[[C:.*]]: tensor<5xi1>, %[[D:.*]]: tensor<i1>)
func.func @branches(%x: tensor<5xf64>, %c: tensor<5xi1>, %d: tensor<i1>) -> (tensor<5xf64>, tensor<5xf64>) {
  // CHECK: %[[ONE:.*]] = ingot.if %[[D]] : tensor<5xf64> {
  // CHECK: %[[OTHER:.*]] = ingot.not %[[C]]
  // CHECK: %[[FREE:.*]] = ingot.not %[[C]]
  // CHECK: %[[HOLDS:.*]] = ingot.or %{{.*}}, %[[FREE]]
  // CHECK: %[[ALL:.*]] = ingot.reduce and %[[HOLDS]] axes = [0]
  // CHECK: ingot.assert %[[ALL]], "ValueError", "no" {ingot.check = 4 : i64}
  // CHECK: ingot.select %[[C]], %{{.*}}, %[[X]]
  %0:2 = ingot.vmap "f"(%x, %c) size = 5 shared = [] {
  ^bb0(%a: tensor<f64>, %k: tensor<i1>):
    %1 = ingot.if %d : tensor<f64> {
      %3 = ingot.sin %a : tensor<f64>
      ingot.yield %3 : tensor<f64>
    } else {
      ingot.yield %a : tensor<f64>
    }
    %2 = ingot.if %k : tensor<f64> {
      %zero = ingot.constant dense<0.0> : tensor<f64>
      %4 = ingot.compare gt %a, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
      ingot.assert %4, "ValueError", "no" {ingot.check = 4 : i64} : tensor<i1>
      %5 = ingot.sqrt %a : tensor<f64>
      ingot.yield %5 : tensor<f64>
    } else {
      ingot.yield %a : tensor<f64>
    }
    ingot.yield %1, %2 : tensor<f64>, tensor<f64>
  } : (tensor<5xf64>, tensor<5xi1>) -> (tensor<5xf64>, tensor<5xf64>)
  return %0#0, %0#1 : tensor<5xf64>, tensor<5xf64>
}

// -----

// A loop whose trip count differs carries the mask of running lanes; the others
// write the elements that the array already has.
// CHECK-LABEL: func.func @until
// CHECK-SAME: (%[[X:.*]]: tensor<5x8xf64>)
func.func @until(%x: tensor<5x8xf64>) -> tensor<5x8xf64> {
  // CHECK: ingot.while (%[[RUNS:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[A:.*]] = %[[X]])
  // CHECK: %[[ANY:.*]] = ingot.reduce or %[[RUNS]] axes = [0]
  // CHECK: ingot.condition %[[ANY]]
  // CHECK: ingot.neg
  // CHECK: %[[OLD:.*]] = ingot.gather %[[A]]
  // CHECK: %[[NEW:.*]] = ingot.select %{{.*}}, %{{.*}}, %[[OLD]]
  // CHECK: %[[NEXT:.*]] = ingot.scatter set %[[A]], %[[NEW]]
  // CHECK: %[[I:.*]] = ingot.select %{{.*}} : (tensor<5xi1>, tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  // CHECK: ingot.yield %{{.*}}, %[[I]], %[[NEXT]]
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.vmap "f"(%x) size = 5 shared = [] {
  ^bb0(%a: tensor<8xf64>):
    %1:2 = ingot.while (%i = %zero, %b = %a) : tensor<i64>, tensor<8xf64> cond {
      %2 = ingot.dynamic_slice %b[%i] sizes = [1] strides = [1] : (tensor<8xf64>, tensor<i64>) -> tensor<1xf64>
      %3 = ingot.reshape %2 : (tensor<1xf64>) -> tensor<f64>
      %4 = ingot.constant dense<0.0> : tensor<f64>
      %5 = ingot.compare gt %3, %4 : (tensor<f64>, tensor<f64>) -> tensor<i1>
      ingot.condition %5 : tensor<i1>
    } do {
      %2 = ingot.dynamic_slice %b[%i] sizes = [1] strides = [1] : (tensor<8xf64>, tensor<i64>) -> tensor<1xf64>
      %3 = ingot.neg %2 : tensor<1xf64>
      %4 = ingot.update_slice %b, %3[%i] strides = [1] : (tensor<8xf64>, tensor<1xf64>, tensor<i64>) -> tensor<8xf64>
      %5 = ingot.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
      ingot.yield %5, %4 : tensor<i64>, tensor<8xf64>
    }
    ingot.yield %1#1 : tensor<8xf64>
  } : (tensor<5x8xf64>) -> tensor<5x8xf64>
  return %0 : tensor<5x8xf64>
}

// -----

// CHECK-LABEL: func.func @counted
// CHECK-SAME: (%[[N:.*]]: tensor<5xi64>)
func.func @counted(%n: tensor<5xi64>) -> tensor<5xi64> {
  // CHECK: %[[COUNT:.*]] = ingot.maximum
  // CHECK: %[[MOST:.*]] = ingot.reduce max %[[COUNT]] axes = [0]
  // CHECK: ingot.for %[[I:.*]] = %{{.*}} to %[[MOST]] step %{{.*}} carry (%[[S:.*]] = %{{.*}}) : tensor<5xi64> {
  // CHECK: %[[RUNS:.*]] = ingot.compare lt %[[I]], %[[COUNT]]
  // CHECK: %[[SUM:.*]] = ingot.add %[[S]], %[[I]]
  // CHECK: ingot.select %[[RUNS]], %[[SUM]], %[[S]]
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.vmap "f"(%n) size = 5 shared = [] {
  ^bb0(%k: tensor<i64>):
    %1 = ingot.for %i = %zero to %k step %one carry (%s = %zero) : tensor<i64> {
      %2 = ingot.add %s, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
      ingot.yield %2 : tensor<i64>
    }
    ingot.yield %1 : tensor<i64>
  } : (tensor<5xi64>) -> tensor<5xi64>
  return %0 : tensor<5xi64>
}

// -----

func.func @shared_result(%x: tensor<5xf64>) -> tensor<f64> {
  // expected-error @below {{a result of `f` with out_axes None differs between the items; give it an axis}}
  %0 = ingot.vmap "f"(%x) size = 5 shared = [0] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<5xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @no_rule(%x: tensor<5xf64>) -> tensor<5xi32> {
  %status = ingot.constant dense<0> : tensor<i32>
  %0 = ingot.vmap "f"(%x) size = 5 shared = [] {
  ^bb0(%a: tensor<f64>):
    // expected-error @below {{'ingot.ordered_print' has no rule for batches}}
    %1 = ingot.ordered_print "{}" after %status(%a) : tensor<i32>, tensor<f64>
    ingot.yield %1 : tensor<i32>
  } : (tensor<5xf64>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// -----

// A user's rule for this size, and a call for each lane.
// CHECK-LABEL: func.func @of_users
// CHECK-SAME: (%[[X:.*]]: tensor<3xf64>)
// CHECK: %[[COS:.*]] = ingot.cos %[[X]] : tensor<3xf64>
// CHECK: %[[CALLS:.*]] = ingot.for
// CHECK: ingot.call_stablehlo "g"(%{{.*}}) text = "module {}" : (tensor<f64>) -> tensor<f64>
// CHECK: return %[[COS]], %[[CALLS]]
func.func @of_users(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %0:2 = ingot.vmap "f"(%x) size = 3 shared = [] {
  ^bb0(%a: tensor<f64>):
    %1 = ingot.custom_vmap(%a) size = 3 {
    ^bb0(%b: tensor<f64>):
      %3 = ingot.sin %b : tensor<f64>
      ingot.yield %3 : tensor<f64>
    } rule {
    ^bb0(%b: tensor<3xf64>):
      %3 = ingot.cos %b : tensor<3xf64>
      ingot.yield %3 : tensor<3xf64>
    } : (tensor<f64>) -> tensor<f64>
    %2 = ingot.call_stablehlo "g"(%a) text = "module {}" : (tensor<f64>) -> tensor<f64>
    ingot.yield %1, %2 : tensor<f64>, tensor<f64>
  } : (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %0#0, %0#1 : tensor<3xf64>, tensor<3xf64>
}

// -----

// A region of another dialect.
func.func @lowered(%x: tensor<3x4xf64>) -> tensor<3xf64> {
  %0 = ingot.vmap "f"(%x) size = 3 shared = [] {
  ^bb0(%a: tensor<4xf64>):
    %1 = ingot.constant dense<0.0> : tensor<f64>
    // expected-error @below {{'stablehlo.reduce' has no rule for batches}}
    %2 = stablehlo.reduce(%a init: %1) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    ingot.yield %2 : tensor<f64>
  } : (tensor<3x4xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

// Each lane calls, even if all give it the same.
// CHECK-LABEL: func.func @callback
// CHECK: %[[CALLS:.*]] = ingot.for %{{.*}} carry (%[[STACK:.*]] = %{{.*}}) :
// CHECK: ingot.print "f" callback = 3(%arg1) : tensor<4xf64> gives tensor<2xf64>
// CHECK: ingot.update_slice %[[STACK]]
// CHECK: return %[[CALLS]]
func.func @callback(%x: tensor<3xf64>, %w: tensor<4xf64>) -> tensor<3x2xf64> {
  %0 = ingot.vmap "f"(%x) size = 3 shared = [] {
  ^bb0(%a: tensor<f64>):
    %1 = ingot.print "f" callback = 3(%w) : tensor<4xf64> gives tensor<2xf64>
    ingot.yield %1 : tensor<2xf64>
  } : (tensor<3xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

// -----

// Only the process that has registered the function knows that of the batch.
func.func @source(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = ingot.vmap "f"(%x) size = 3 shared = [] {
  ^bb0(%a: tensor<f64>):
    // expected-error @below {{`g` has no rule for batches}}
    %1 = ingot.call_stablehlo "g"(%a) source = 3 : (tensor<f64>) -> tensor<f64>
    ingot.yield %1 : tensor<f64>
  } : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----

// Every second element, from a start of each lane that is within the array.
// CHECK-LABEL: func.func @steps
func.func @steps(%w: tensor<9xf64>, %i: tensor<5xi64>) -> tensor<5x3xf64> {
  // CHECK: %[[FIRST:.*]] = ingot.constant dense<0> : tensor<i64>
  // CHECK: ingot.maximum
  // CHECK: %[[LAST:.*]] = ingot.constant dense<4> : tensor<i64>
  // CHECK: %[[START:.*]] = ingot.minimum %{{.*}}, %[[LAST]]
  // CHECK: %[[ALONG:.*]] = ingot.iota axis = 1 : tensor<5x3xi64>
  // CHECK: %[[TWO:.*]] = ingot.constant dense<2> : tensor<i64>
  // CHECK: %[[STEPS:.*]] = ingot.mul %[[ALONG]], %[[TWO]]
  // CHECK: %[[PLACES:.*]] = ingot.add %[[STEPS]], %[[START]]
  // CHECK: ingot.gather %{{.*}}[%[[PLACES]]]
  %0 = ingot.vmap "f"(%i) size = 5 shared = [] {
  ^bb0(%k: tensor<i64>):
    %1 = ingot.dynamic_slice %w[%k] sizes = [3] strides = [2] : (tensor<9xf64>, tensor<i64>) -> tensor<3xf64>
    ingot.yield %1 : tensor<3xf64>
  } : (tensor<5xi64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}
