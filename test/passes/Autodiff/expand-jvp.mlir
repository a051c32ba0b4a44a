// RUN: ingot-opt %s --split-input-file --verify-diagnostics --expand-jvp --symbol-dce --canonicalize | FileCheck %s

// A loop carries the tangents of what becomes active: %b does by %a, in the second round.
func.func private @loop(%x: tensor<f64>, %n: tensor<i64>) -> (tensor<f64>, tensor<f64>, tensor<i64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %start = ingot.constant dense<1.0> : tensor<f64>
  %r:3 = ingot.for %i = %zero to %n step %one carry (%a = %x, %b = %start, %k = %zero) : tensor<f64>, tensor<f64>, tensor<i64> {
    %next = ingot.add %k, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %s = ingot.neg %a : tensor<f64>
    ingot.yield %s, %a, %next : tensor<f64>, tensor<f64>, tensor<i64>
  }
  return %r#0, %r#1, %r#2 : tensor<f64>, tensor<f64>, tensor<i64>
}
// CHECK-LABEL: func.func @jvp_loop
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[N:.*]]: tensor<i64>, %[[DX:.*]]: tensor<f64>)
func.func @jvp_loop(%x: tensor<f64>, %n: tensor<i64>, %dx: tensor<f64>) -> (tensor<i64>, tensor<f64>) {
  // CHECK: %[[R:.*]]:5 = ingot.for %{{.*}} carry (%[[A:.*]] = %[[X]], %{{.*}}, %{{.*}}, %[[DA:.*]] = %[[DX]], %[[DB:.*]] = %{{.*}})
  // CHECK: %[[S:.*]] = ingot.neg %[[A]]
  // CHECK: %[[DS:.*]] = ingot.neg %[[DA]]
  // CHECK: ingot.yield %[[S]], %[[A]], %{{.*}}, %[[DS]], %[[DA]]
  // CHECK: return %[[R]]#2, %[[R]]#4
  %r:4 = ingot.jvp @loop(%x, %n, %dx) of = [1] wrt = [0] : (tensor<f64>, tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<i64>, tensor<f64>)
  return %r#2, %r#3 : tensor<i64>, tensor<f64>
}

// -----

func.func private @until(%x: tensor<f64>) -> tensor<f64> {
  %limit = ingot.constant dense<100.0> : tensor<f64>
  %r = ingot.while (%a = %x) : tensor<f64> cond {
    %c = ingot.compare lt %a, %limit : (tensor<f64>, tensor<f64>) -> tensor<i1>
    ingot.condition %c : tensor<i1>
  } do {
    %b = ingot.mul %a, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %b : tensor<f64>
  }
  return %r : tensor<f64>
}
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
  %r:2 = ingot.jvp @until(%x, %dx) of = [0] wrt = [0] : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// One side has a tangent, so both yield one; the condition's comparison has none.
func.func private @branch(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %c = ingot.compare lt %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %r = ingot.if %c : tensor<f64> {
    %e = ingot.neg %x : tensor<f64>
    ingot.yield %e : tensor<f64>
  } else {
    ingot.yield %y : tensor<f64>
  }
  return %r : tensor<f64>
}
// CHECK-LABEL: func.func @jvp_branch
func.func @jvp_branch(%x: tensor<f64>, %y: tensor<f64>, %dx: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[ZERO:.*]] = ingot.constant dense<0.000000e+00>
  // CHECK: ingot.if
  // CHECK: ingot.neg %arg2
  // CHECK: } else {
  // CHECK: ingot.yield {{.*}}%[[ZERO]]
  %r:2 = ingot.jvp @branch(%x, %y, %dx) of = [0] wrt = [0] : (tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

func.func private @bits(%x: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0 = ingot.bitcast %x : (tensor<3x3xf64>) -> tensor<3x3xi64>
  // expected-error@+1 {{`bitcast` has no derivative}}
  %1 = ingot.bitcast %0 : (tensor<3x3xi64>) -> tensor<3x3xf64>
  return %1 : tensor<3x3xf64>
}
func.func @jvp_bits(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0:2 = ingot.jvp @bits(%x, %dx) of = [0] wrt = [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %0#1 : tensor<3x3xf64>
}

// -----

// Bits of a float may pass through a loop.
func.func private @carried_bits(%x: tensor<f64>, %n: tensor<i64>) -> tensor<f64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %b = ingot.bitcast %x : (tensor<f64>) -> tensor<i64>
  %r = ingot.for %i = %zero to %n step %one carry (%a = %b) : tensor<i64> {
    %c = ingot.add %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %c : tensor<i64>
  }
  // expected-error@+1 {{`bitcast` has no derivative}}
  %y = ingot.bitcast %r : (tensor<i64>) -> tensor<f64>
  return %y : tensor<f64>
}
func.func @jvp_carried_bits(%x: tensor<f64>, %n: tensor<i64>, %dx: tensor<f64>) -> tensor<f64> {
  %0:2 = ingot.jvp @carried_bits(%x, %n, %dx) of = [0] wrt = [0] : (tensor<f64>, tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// What only decides has no tangents, and needs none.
func.func private @decided(%x: tensor<f64>) -> tensor<f64> {
  %limit = ingot.constant dense<100.0> : tensor<f64>
  %r = ingot.while (%a = %x) : tensor<f64> cond {
    %d = ingot.digamma %a : tensor<f64>
    %c = ingot.compare lt %d, %limit : (tensor<f64>, tensor<f64>) -> tensor<i1>
    ingot.condition %c : tensor<i1>
  } do {
    %b = ingot.add %a, %a : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %b : tensor<f64>
  }
  return %r : tensor<f64>
}
// CHECK-LABEL: func.func @jvp_decided
func.func @jvp_decided(%x: tensor<f64>, %dx: tensor<f64>) -> tensor<f64> {
  // CHECK: ingot.digamma
  %r:2 = ingot.jvp @decided(%x, %dx) of = [0] wrt = [0] : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// A rule whose operations have regions and rules of their own, as has a second
// call of the same function.
func.func private @rule_in_rule(%x: tensor<3xf64>) -> tensor<3xf64> {
  %r = ingot.custom_derivative jvp(%x) {
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
  return %r : tensor<3xf64>
}
// CHECK-LABEL: func.func @jvp_rule_in_rule(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>)
func.func @jvp_rule_in_rule(%x: tensor<3xf64>, %dx: tensor<3xf64>) -> tensor<3xf64> {
  // CHECK: ingot.custom_derivative jvp(%arg0, %arg1)
  // CHECK: ^bb0(%[[B:.*]]: tensor<3xf64>, %[[U:.*]]: tensor<3xf64>):
  // CHECK: %[[C:.*]] = ingot.cos %[[B]]
  // CHECK: ingot.mul %[[C]], %[[U]]
  // CHECK: ^bb0(%{{.*}}: tensor<3xf64>, %{{.*}}: tensor<3xf64>, %[[DB:.*]]: tensor<3xf64>, %[[DU:.*]]: tensor<3xf64>):
  // CHECK: ingot.yield %[[DB]], %[[DU]]
  %r:2 = ingot.jvp @rule_in_rule(%x, %dx) of = [0] wrt = [0] : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}

// -----

// Products and extrema at equal places are combined one after the other.
func.func private @scatter_mul(%x: tensor<4x2xf64>, %u: tensor<3x2xf64>, %i: tensor<3xi32>) -> tensor<4x2xf64> {
  %r = ingot.scatter mul %x, %u[%i] : (tensor<4x2xf64>, tensor<3x2xf64>, tensor<3xi32>) -> tensor<4x2xf64>
  return %r : tensor<4x2xf64>
}
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
  %r:2 = ingot.jvp @scatter_mul(%x, %u, %i, %dx) of = [0] wrt = [0] : (tensor<4x2xf64>, tensor<3x2xf64>, tensor<3xi32>, tensor<4x2xf64>) -> (tensor<4x2xf64>, tensor<4x2xf64>)
  return %r#1 : tensor<4x2xf64>
}
