// RUN: ingot-opt %s --split-input-file --verify-diagnostics --expand-jvp --canonicalize | FileCheck %s

// A loop carries the tangents of active values: %a makes %b active in the second iteration.
// CHECK-LABEL: func.func @jvp_loop
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[N:.*]]: tensor<i64>, %[[DX:.*]]: tensor<f64>)
func.func @jvp_loop(%x: tensor<f64>, %n: tensor<i64>, %dx: tensor<f64>) -> (tensor<i64>, tensor<f64>) {
  // CHECK: %[[R:.*]]:5 = ingot.for %{{.*}} carry (%[[A:.*]] = %[[X]], %{{.*}}, %{{.*}}, %[[DA:.*]] = %[[DX]], %[[DB:.*]] = %{{.*}})
  // CHECK: %[[S:.*]] = ingot.neg %[[A]]
  // CHECK: %[[DS:.*]] = ingot.neg %[[DA]]
  // CHECK: ingot.yield %[[S]], %[[A]], %{{.*}}, %[[DS]], %[[DA]]
  // CHECK: return %[[R]]#2, %[[R]]#4
  %r:4 = ingot.jvp "loop"(%x, %dx) of = [1] {
  ^bb0(%xi: tensor<f64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %one = ingot.constant dense<1> : tensor<i64>
    %start = ingot.constant dense<1.0> : tensor<f64>
    %ri:3 = ingot.for %i = %zero to %n step %one carry (%a = %xi, %b = %start, %k = %zero) : tensor<f64>, tensor<f64>, tensor<i64> {
      %next = ingot.add %k, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %s = ingot.neg %a : tensor<f64>
      ingot.yield %s, %a, %next : tensor<f64>, tensor<f64>, tensor<i64>
    }
    ingot.yield %ri#0, %ri#1, %ri#2 : tensor<f64>, tensor<f64>, tensor<i64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<i64>, tensor<f64>)
  return %r#2, %r#3 : tensor<i64>, tensor<f64>
}

// -----

// CHECK-LABEL: func.func @jvp_until
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[DX:.*]]: tensor<f64>)
func.func @jvp_until(%x: tensor<f64>, %dx: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[R:.*]]:2 = ingot.while (%[[A:.*]] = %[[X]], %[[DA:.*]] = %[[DX]])
  // CHECK: ingot.compare lt %[[A]]
  // CHECK: } do {
  // CHECK-DAG: %[[B:.*]] = ingot.mul %[[A]], %[[X]]
  // CHECK-DAG: %[[LEFT:.*]] = ingot.mul_no_nan %[[DA]], %[[X]]
  // CHECK-DAG: %[[RIGHT:.*]] = ingot.mul_no_nan %[[DX]], %[[A]]
  // CHECK: %[[DB:.*]] = ingot.add %[[LEFT]], %[[RIGHT]]
  // CHECK: ingot.yield %[[B]], %[[DB]]
  // CHECK: return %[[R]]#1
  %r:2 = ingot.jvp "until"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %limit = ingot.constant dense<100.0> : tensor<f64>
    %ri = ingot.while (%a = %xi) : tensor<f64> cond {
      %c = ingot.compare lt %a, %limit : (tensor<f64>, tensor<f64>) -> tensor<i1>
      ingot.condition %c : tensor<i1>
    } do {
      %b = ingot.mul %a, %xi : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %b : tensor<f64>
    }
    ingot.yield %ri : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// One region has a tangent, so both yield one; the comparison for the condition has none.
// CHECK-LABEL: func.func @jvp_branch
func.func @jvp_branch(%x: tensor<f64>, %y: tensor<f64>, %dx: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[ZERO:.*]] = ingot.constant dense<0.000000e+00>
  // CHECK: ingot.if
  // CHECK: ingot.neg %arg2
  // CHECK: } else {
  // CHECK: ingot.yield {{.*}}%[[ZERO]]
  %r:2 = ingot.jvp "branch"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %c = ingot.compare lt %xi, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %ri = ingot.if %c : tensor<f64> {
      %e = ingot.neg %xi : tensor<f64>
      ingot.yield %e : tensor<f64>
    } else {
      ingot.yield %y : tensor<f64>
    }
    ingot.yield %ri : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

func.func @jvp_bits(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0:2 = ingot.jvp "bits"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %1 = ingot.bitcast %xi : (tensor<3x3xf64>) -> tensor<3x3xi64>
    // expected-error@+1 {{`bitcast` has no derivative}}
    %2 = ingot.bitcast %1 : (tensor<3x3xi64>) -> tensor<3x3xf64>
    ingot.yield %2 : tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %0#1 : tensor<3x3xf64>
}

// -----

// Bits of a float may pass through a loop.
func.func @jvp_carried_bits(%x: tensor<f64>, %n: tensor<i64>, %dx: tensor<f64>) -> tensor<f64> {
  %0:2 = ingot.jvp "carried_bits"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %one = ingot.constant dense<1> : tensor<i64>
    %b = ingot.bitcast %xi : (tensor<f64>) -> tensor<i64>
    %r = ingot.for %i = %zero to %n step %one carry (%a = %b) : tensor<i64> {
      %c = ingot.add %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
      ingot.yield %c : tensor<i64>
    }
    // expected-error@+1 {{`bitcast` has no derivative}}
    %y = ingot.bitcast %r : (tensor<i64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// Values that only decide control flow have no tangents, and need no rules.
// CHECK-LABEL: func.func @jvp_decided
func.func @jvp_decided(%x: tensor<f64>, %dx: tensor<f64>) -> tensor<f64> {
  // CHECK: ingot.digamma
  %r:2 = ingot.jvp "decided"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %limit = ingot.constant dense<100.0> : tensor<f64>
    %ri = ingot.while (%a = %xi) : tensor<f64> cond {
      %d = ingot.digamma %a : tensor<f64>
      %c = ingot.compare lt %d, %limit : (tensor<f64>, tensor<f64>) -> tensor<i1>
      ingot.condition %c : tensor<i1>
    } do {
      %b = ingot.add %a, %a : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %b : tensor<f64>
    }
    ingot.yield %ri : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// A rule that contains regions and other rules; a second call of the same
// function has copies of its own.
// CHECK-LABEL: func.func @jvp_rule_in_rule(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>)
func.func @jvp_rule_in_rule(%x: tensor<3xf64>, %dx: tensor<3xf64>) -> tensor<3xf64> {
  // CHECK: ingot.custom_derivative jvp(%arg0, %arg1)
  // CHECK: ^bb0(%[[B:.*]]: tensor<3xf64>, %[[U:.*]]: tensor<3xf64>):
  // CHECK: %[[C:.*]] = ingot.cos %[[B]]
  // CHECK: ingot.mul %[[C]], %[[U]]
  // CHECK: ^bb0(%{{.*}}: tensor<3xf64>, %{{.*}}: tensor<3xf64>, %[[DB:.*]]: tensor<3xf64>, %[[DU:.*]]: tensor<3xf64>):
  // CHECK: ingot.yield %[[DB]], %[[DU]]
  %r:2 = ingot.jvp "rule_in_rule"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3xf64>):
    %ri = ingot.custom_derivative jvp(%xi) {
    ^bb0(%a: tensor<3xf64>):
      %y = ingot.sin %a : tensor<3xf64>
      ingot.yield %y : tensor<3xf64>
    } rule {
    ^bb0(%a: tensor<3xf64>, %t: tensor<3xf64>):
      %y:2 = ingot.custom_derivative jvp(%a, %t) {
      ^bb0(%b: tensor<3xf64>, %u: tensor<3xf64>):
        %c = ingot.cos %b : tensor<3xf64>
        %s = ingot.mul %c, %u : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
        ingot.yield %c, %s : tensor<3xf64>, tensor<3xf64>
      } rule {
      ^bb0(%b: tensor<3xf64>, %u: tensor<3xf64>, %db: tensor<3xf64>, %du: tensor<3xf64>):
        ingot.yield %db, %du : tensor<3xf64>, tensor<3xf64>
      } : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
      ingot.yield %y#1 : tensor<3xf64>
    } : (tensor<3xf64>) -> tensor<3xf64>
    ingot.yield %ri : tensor<3xf64>
  } : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}

// -----

// Products and extrema at equal indices are combined one after the other.
// CHECK-LABEL: func.func @jvp_scatter_mul
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xf64>, %[[U:.*]]: tensor<3x2xf64>, %[[I:.*]]: tensor<3xi32>, %[[DX:.*]]: tensor<4x2xf64>)
func.func @jvp_scatter_mul(%x: tensor<4x2xf64>, %u: tensor<3x2xf64>, %i: tensor<3xi32>, %dx: tensor<4x2xf64>) -> tensor<4x2xf64> {
  // CHECK: %[[PLACES:.*]] = ingot.convert %[[I]]
  // CHECK: ingot.for %[[K:.*]] = {{.*}} carry (%[[Y:.*]] = %[[X]], %[[DY:.*]] = %[[DX]])
  // CHECK: ingot.dynamic_slice %[[PLACES]][%[[K]]]
  // CHECK: %[[OLD:.*]] = ingot.dynamic_slice %[[Y]]
  // CHECK: %[[DOLD:.*]] = ingot.dynamic_slice %[[DY]]
  // CHECK: %[[UPDATE:.*]] = ingot.dynamic_slice %[[U]][%[[K]]
  // CHECK: ingot.mul %[[OLD]], %[[UPDATE]]
  // CHECK: ingot.mul_no_nan %[[DOLD]], %[[UPDATE]]
  %r:2 = ingot.jvp "scatter_mul"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4x2xf64>):
    %ri = ingot.scatter mul %xi, %u[%i] : (tensor<4x2xf64>, tensor<3x2xf64>, tensor<3xi32>) -> tensor<4x2xf64>
    ingot.yield %ri : tensor<4x2xf64>
  } : (tensor<4x2xf64>, tensor<4x2xf64>) -> (tensor<4x2xf64>, tensor<4x2xf64>)
  return %r#1 : tensor<4x2xf64>
}

// -----

func.func @not_alone(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @below {{a transformation of another kind is inside; expand-transformations expands all kinds}}
  %r:2 = ingot.jvp "outer"(%x, %x) of = [0] {
  ^bb0(%a: tensor<f64>):
    %s:2 = ingot.vjp "inner"(%a, %a) of = [0] {
    ^bb0(%b: tensor<f64>):
      ingot.yield %b : tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    ingot.yield %s#1 : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}
