// RUN: ingot-opt %s --split-input-file --verify-diagnostics --expand-vjp --canonicalize | FileCheck %s

// Only active values are differentiated: %n and %c have no cotangents.
// CHECK-LABEL: func.func @grad_f
// CHECK-SAME: (%[[X:.*]]: tensor<3xf64>, %{{.*}}: tensor<i64>, %[[C:.*]]: tensor<i1>, %[[DR:.*]]: tensor<f64>)
func.func @grad_f(%x: tensor<3xf64>, %n: tensor<i64>, %c: tensor<i1>, %dr: tensor<f64>) -> tensor<3xf64> {
  // CHECK: %[[S:.*]] = ingot.sin %[[X]]
  // CHECK: ingot.if %[[C]]
  // CHECK: ingot.assert
  // CHECK: %[[ONE:.*]] = ingot.reshape %[[DR]]
  // CHECK: %[[DY:.*]] = ingot.broadcast_to %[[ONE]]
  // The cotangents of the values that the regions use from outside.
  // CHECK: %[[D:.*]]:2 = ingot.if %[[C]] : tensor<3xf64>, tensor<3xf64> {
  // CHECK-NOT: ingot.assert
  // CHECK-DAG: %[[DS:.*]] = ingot.mul_no_nan %[[DY]], %[[X]]
  // CHECK-DAG: %[[DX:.*]] = ingot.mul_no_nan %[[DY]], %[[S]]
  // CHECK: ingot.yield %[[DS]], %[[DX]]
  // CHECK: } else {
  // CHECK: ingot.yield %[[DY]], %{{.*}}
  // CHECK: %[[COS:.*]] = ingot.cos %[[X]]
  // A zero cotangent stays zero, whatever the cosine is.
  // CHECK: %[[SAFE:.*]] = ingot.mul_no_nan %[[D]]#0, %[[COS]]
  // CHECK: %[[SUM:.*]] = ingot.add %[[D]]#1, %[[SAFE]]
  // CHECK: return %[[SUM]]
  %r:3 = ingot.vjp "f"(%x, %dr) of = [0] {
  ^bb0(%xi: tensor<3xf64>):
    %s = ingot.sin %xi : tensor<3xf64>
    %y = ingot.if %c : tensor<3xf64> {
      %a = ingot.mul %s, %xi : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      ingot.assert %c, "AssertionError", "never twice" : tensor<i1>
      ingot.yield %a : tensor<3xf64>
    } else {
      ingot.yield %s : tensor<3xf64>
    }
    %ri = ingot.reduce add %y axes = [0] : (tensor<3xf64>) -> tensor<f64>
    ingot.yield %ri, %s : tensor<f64>, tensor<3xf64>
  } : (tensor<3xf64>, tensor<f64>) -> (tensor<f64>, tensor<3xf64>, tensor<3xf64>)
  return %r#2 : tensor<3xf64>
}

// -----

// The inner derivative is expanded first: the second derivative of x * x * x.
// CHECK-LABEL: func.func @curvature
func.func @curvature(%x: tensor<f64>) -> tensor<f64> {
  // CHECK-NOT: ingot.vjp
  %one = ingot.constant dense<1.0> : tensor<f64>
  %second:2 = ingot.vjp "slope"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %first:2 = ingot.vjp "cube"(%a, %one) of = [0] {
    ^bb0(%b: tensor<f64>):
      %square = ingot.mul %b, %b : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %cube = ingot.mul %square, %b : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %cube : tensor<f64>
    } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    ingot.yield %first#1 : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %second#1 : tensor<f64>
}

// -----

// A value that does not depend on the argument has a zero gradient.
// CHECK-LABEL: func.func @grad_constant
func.func @grad_constant(%x: tensor<2xf64>, %dy: tensor<f64>) -> tensor<2xf64> {
  // CHECK: %[[ZERO:.*]] = ingot.constant dense<0.000000e+00> : tensor<2xf64>
  // CHECK: return %[[ZERO]]
  %0:2 = ingot.vjp "constant"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<2xf64>):
    %1 = ingot.constant dense<1.0> : tensor<f64>
    ingot.yield %1 : tensor<f64>
  } : (tensor<2xf64>, tensor<f64>) -> (tensor<f64>, tensor<2xf64>)
  return %0#1 : tensor<2xf64>
}

// -----

func.func @grad_bits(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
  %0:2 = ingot.vjp "bits"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %1 = ingot.bitcast %xi : (tensor<f64>) -> tensor<i64>
    // expected-error@+1 {{`bitcast` has no derivative}}
    %2 = ingot.bitcast %1 : (tensor<i64>) -> tensor<f64>
    ingot.yield %2 : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// The residual of the product is %a: the loop saves it in each iteration, but not %b or %k. The
// backward loop carries the cotangents of both carried values and of %w.
// CHECK-LABEL: func.func @grad_loop
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[W:.*]]: tensor<f64>, %[[DY:.*]]: tensor<f64>)
func.func @grad_loop(%x: tensor<f64>, %w: tensor<f64>, %dy: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  // CHECK: %[[KEPT:.*]]:4 = ingot.for %{{.*}} carry (%[[A:[^ ]*]] = %[[X]], {{.*}}) : tensor<f64>, tensor<f64>, tensor<i64>, tensor<5xf64>
  // CHECK: %[[ONE:.*]] = ingot.reshape %[[A]]
  // CHECK: ingot.update_slice %{{.*}}, %[[ONE]]
  // CHECK: %[[D:.*]]:3 = ingot.for %{{.*}} carry (%[[DP:[^ ]*]] = %{{.*}}, %[[DS:[^ ]*]] = %[[DY]], %[[DW:[^ ]*]] = %{{.*}})
  // CHECK: %[[SLICE:.*]] = ingot.dynamic_slice %[[KEPT]]#3
  // CHECK: %[[OLD:.*]] = ingot.reshape %[[SLICE]]
  // CHECK-DAG: %[[FROM:.*]] = ingot.mul_no_nan %[[DP]], %[[W]]
  // CHECK-DAG: %[[MORE:.*]] = ingot.mul_no_nan %[[DP]], %[[OLD]]
  // CHECK-DAG: %[[DA:.*]] = ingot.add %[[DS]], %[[FROM]]
  // CHECK-DAG: %[[SUM:.*]] = ingot.add %[[DW]], %[[MORE]]
  // CHECK: ingot.yield %[[DA]], %[[DS]], %[[SUM]]
  // CHECK: %[[DX:.*]] = ingot.add %[[D]]#{{[01]}}, %[[D]]#{{[01]}}
  // CHECK: return %[[DX]], %[[D]]#2
  %r:3 = ingot.vjp "loop"(%x, %w, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>, %wi: tensor<f64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %one = ingot.constant dense<1> : tensor<i64>
    %end = ingot.constant dense<5> : tensor<i64>
    %ri:3 = ingot.for %i = %zero to %end step %one carry (%a = %xi, %b = %xi, %k = %zero) : tensor<f64>, tensor<f64>, tensor<i64> {
      %next = ingot.add %k, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %p = ingot.mul %a, %wi : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %s = ingot.add %a, %b : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %p, %s, %next : tensor<f64>, tensor<f64>, tensor<i64>
    }
    ingot.yield %ri#1 : tensor<f64>
  } : (tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>)
  return %r#1, %r#2 : tensor<f64>, tensor<f64>
}

// -----

// Of the product, the sum, and its tanh, the backward loop needs the last one, which is saved instead
// of the product: neither is computed again. The product that two others use is saved itself.
// CHECK-LABEL: func.func @grad_layer
// CHECK: %[[F:.*]]:2 = ingot.for
// CHECK: %[[Y:.*]] = ingot.tanh
// CHECK: %[[R:.*]] = ingot.reshape %[[Y]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK: ingot.update_slice %{{.*}}, %[[R]][
// CHECK: ingot.for
// CHECK: ingot.dynamic_slice %[[F]]#1
// CHECK-NOT: ingot.tanh
// CHECK: return
func.func @grad_layer(%x: tensor<3xf64>, %w: tensor<3x3xf64>, %b: tensor<3xf64>, %dy: tensor<3xf64>) -> tensor<3xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %five = ingot.constant dense<5> : tensor<i64>
  %0:2 = ingot.vjp "layer"(%x, %dy) of = [0] {
  ^bb0(%a: tensor<3xf64>):
    %1 = ingot.for %i = %zero to %five step %one carry (%h = %a) : tensor<3xf64> {
      %2 = ingot.dot_general %h, %w batching = [] x [] contracting = [0] x [0] : (tensor<3xf64>, tensor<3x3xf64>) -> tensor<3xf64>
      %3 = ingot.add %2, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %4 = ingot.tanh %3 : tensor<3xf64>
      ingot.yield %4 : tensor<3xf64>
    }
    ingot.yield %1 : tensor<3xf64>
  } : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %0#1 : tensor<3xf64>
}

// -----

// CHECK-LABEL: func.func @grad_two_uses
// CHECK: %[[F:.*]]:2 = ingot.for
// CHECK: %[[P:.*]] = ingot.dot_general
// CHECK: %[[R:.*]] = ingot.reshape %[[P]] : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK: ingot.update_slice %{{.*}}, %[[R]][
// CHECK: ingot.for
// CHECK: ingot.dynamic_slice %[[F]]#1
// CHECK: return
func.func @grad_two_uses(%x: tensor<3xf64>, %w: tensor<3x3xf64>, %dy: tensor<3xf64>) -> tensor<3xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %five = ingot.constant dense<5> : tensor<i64>
  %0:2 = ingot.vjp "layer"(%x, %dy) of = [0] {
  ^bb0(%a: tensor<3xf64>):
    %1 = ingot.for %i = %zero to %five step %one carry (%h = %a) : tensor<3xf64> {
      %2 = ingot.dot_general %h, %w batching = [] x [] contracting = [0] x [0] : (tensor<3xf64>, tensor<3x3xf64>) -> tensor<3xf64>
      %3 = ingot.tanh %2 : tensor<3xf64>
      %4 = ingot.exp %2 : tensor<3xf64>
      %5 = ingot.mul %3, %4 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      ingot.yield %5 : tensor<3xf64>
    }
    ingot.yield %1 : tensor<3xf64>
  } : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %0#1 : tensor<3xf64>
}

// -----

// The backward loop carries the array, and restores it with the overwritten elements, which are residuals.
// The cotangent of the element that is read is added in place.
// CHECK-LABEL: func.func @grad_updates
// CHECK-SAME: (%[[X:.*]]: tensor<9xf64>, %[[DY:.*]]: tensor<9xf64>)
func.func @grad_updates(%x: tensor<9xf64>, %dy: tensor<9xf64>) -> tensor<9xf64> {
  // CHECK: %[[KEPT:.*]]:2 = ingot.for %{{.*}} carry (%[[A:[^ ]*]] = %[[X]], {{.*}}) : tensor<9xf64>, tensor<8x1xf64>
  // CHECK: %[[AFTER:.*]] = ingot.add %{{.*}} : (tensor<i64>
  // CHECK: %[[OLD:.*]] = ingot.dynamic_slice %[[A]][%[[AFTER]]] sizes = [1]
  // CHECK: %[[ONE:.*]] = ingot.reshape %[[OLD]]
  // CHECK: ingot.update_slice %{{.*}}, %[[ONE]]
  // CHECK: %[[D:.*]]:2 = ingot.for %[[DONE:.*]] = %{{.*}} carry (%[[DU:[^ ]*]] = %[[DY]], %[[U:[^ ]*]] = %[[KEPT]]#0) : tensor<9xf64>, tensor<9xf64>
  // CHECK: %[[I:.*]] = ingot.sub %{{.*}}, %[[DONE]]
  // CHECK: %[[READ:.*]] = ingot.dynamic_slice %[[KEPT]]#1[%[[I]], %{{.*}}]
  // CHECK: %[[WAS:.*]] = ingot.reshape %[[READ]]
  // CHECK: %[[NEXT:.*]] = ingot.add %[[I]], %{{.*}}
  // CHECK: %[[RESTORED:.*]] = ingot.update_slice %[[U]], %[[WAS]][%[[NEXT]]]
  // CHECK: %[[B:.*]] = ingot.dynamic_slice %[[RESTORED]][%[[I]]]
  // CHECK: %[[DP:.*]] = ingot.dynamic_slice %[[DU]][%[[NEXT]]]
  // CHECK: %[[DA:.*]] = ingot.update_slice %[[DU]], %{{.*}}[%[[NEXT]]]
  // CHECK: %[[PART:.*]] = ingot.mul_no_nan %[[DP]], %[[B]]
  // CHECK: %[[BOTH:.*]] = ingot.add %[[PART]], %{{.*}}
  // CHECK: %[[SUM:.*]] = ingot.dynamic_slice %[[DA]][%[[I]]]
  // CHECK: %[[MORE:.*]] = ingot.add %[[SUM]], %[[BOTH]]
  // CHECK: %[[NEW:.*]] = ingot.update_slice %[[DA]], %[[MORE]][%[[I]]]
  // CHECK: ingot.yield %[[NEW]], %[[RESTORED]]
  // CHECK: return %[[D]]#0
  %r:2 = ingot.vjp "updates"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<9xf64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %one = ingot.constant dense<1> : tensor<i64>
    %end = ingot.constant dense<8> : tensor<i64>
    %ri = ingot.for %i = %zero to %end step %one carry (%a = %xi) : tensor<9xf64> {
      %b = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
      %p = ingot.mul %b, %b : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
      %next = ingot.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %u = ingot.update_slice %a, %p[%next] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
      ingot.yield %u : tensor<9xf64>
    }
    ingot.yield %ri : tensor<9xf64>
  } : (tensor<9xf64>, tensor<9xf64>) -> (tensor<9xf64>, tensor<9xf64>)
  return %r#1 : tensor<9xf64>
}

// -----

// The inner loop has at most 4 iterations: the outer loop saves its residuals.
// CHECK-LABEL: func.func @grad_triangle
func.func @grad_triangle(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[KEPT:.*]]:2 = ingot.for {{.*}} : tensor<f64>, tensor<5x4xf64>
  // CHECK: ingot.for {{.*}} : tensor<f64>, tensor<4xf64>
  // CHECK-NOT: ingot.while
  // CHECK: ingot.for
  // CHECK: ingot.dynamic_slice %[[KEPT]]#1
  // CHECK: ingot.for
  // CHECK: ingot.cos
  // CHECK-NOT: ingot.sin
  %r:2 = ingot.vjp "triangle"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %one = ingot.constant dense<1> : tensor<i64>
    %end = ingot.constant dense<5> : tensor<i64>
    %ri = ingot.for %i = %zero to %end step %one carry (%a = %xi) : tensor<f64> {
      %s = ingot.for %j = %zero to %i step %one carry (%b = %a) : tensor<f64> {
        %p = ingot.sin %b : tensor<f64>
        ingot.yield %p : tensor<f64>
      }
      ingot.yield %s : tensor<f64>
    }
    ingot.yield %ri : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// The backward code replays the iterations from checkpoints, the last chunk of them first.
// CHECK-LABEL: func.func @grad_until
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[DY:.*]]: tensor<f64>)
func.func @grad_until(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
  // The forward loop counts its iterations.
  // CHECK: %[[R:.*]]:2 = ingot.while ({{.*}}) : tensor<f64>, tensor<i64>
  // CHECK: %[[STATES:.*]] = ingot.update_slice %{{.*}} : (tensor<85xf64>, tensor<1xf64>, tensor<i64>) -> tensor<85xf64>
  // CHECK: %[[D:.*]]:7 = ingot.while (%{{.*}} = %[[R]]#1, {{.*}} = %[[STATES]], {{.*}} = %[[DY]], {{.*}})
  // Advance to the chunk of the last iterations,
  // CHECK: ingot.while
  // CHECK: ingot.while
  // CHECK: ingot.for
  // then replay these with residuals, and run backwards.
  // CHECK: ingot.for {{.*}}tensor<64xf64>
  // CHECK: ingot.for
  // CHECK: ingot.add %[[D]]#{{[56]}}, %[[D]]#{{[56]}}
  %r:2 = ingot.vjp "until"(%x, %dy) of = [0] {
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

// A checkpoint has no residuals: it is recomputed from values that a barrier hides from CSE.
// CHECK-LABEL: func.func @grad_kept
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[DY:.*]]: tensor<f64>)
func.func @grad_kept(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[DX:.*]] = ingot.checkpoint {
  // CHECK: %[[AGAIN:.*]]:2 = ingot.barrier %[[X]], %[[DY]]
  // CHECK: %[[S:.*]] = ingot.sin %[[AGAIN]]#0
  // CHECK: ingot.exp %[[S]]
  // CHECK: ingot.cos %[[AGAIN]]#0
  // CHECK: return %[[DX]]
  %r:2 = ingot.vjp "kept"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %y = ingot.checkpoint {
      %s = ingot.sin %xi : tensor<f64>
      %e = ingot.exp %s : tensor<f64>
      ingot.yield %e : tensor<f64>
    } : tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// A user's rule for tangents is transposed.
// CHECK-LABEL: func.func @grad_ruled
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[DY:.*]]: tensor<f64>)
func.func @grad_ruled(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[P:.*]] = ingot.mul_no_nan %[[DY]], %[[X]]
  // CHECK: return %[[P]]
  %r:2 = ingot.vjp "ruled"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %y = ingot.custom_derivative jvp(%xi) {
    ^bb0(%a: tensor<f64>):
      %s = ingot.sin %a : tensor<f64>
      ingot.yield %s : tensor<f64>
    } rule {
    ^bb0(%a: tensor<f64>, %t: tensor<f64>):
      %p = ingot.mul %t, %a : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %p : tensor<f64>
    } : (tensor<f64>) -> tensor<f64>
    %z = ingot.stop_gradient %xi : tensor<f64>
    %u = ingot.add %y, %z : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %u : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// Where a rule computes again what takes long, it uses the result of the operation, here the product;
// the sum of two arrays it computes again.
// CHECK-LABEL: func.func @grad_by_result
// CHECK-SAME: (%[[X:.*]]: tensor<3x3xf64>, %[[DY:.*]]: tensor<3x3xf64>)
func.func @grad_by_result(%x: tensor<3x3xf64>, %dy: tensor<3x3xf64>) -> tensor<3x3xf64> {
  // CHECK: %[[Y:.*]]:2 = ingot.custom_derivative
  // CHECK: } : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  // CHECK-NOT: ingot.dot_general
  // CHECK: %[[S:.*]] = ingot.add %[[X]], %[[X]]
  // CHECK-DAG: ingot.mul_no_nan %[[DY]], %[[Y]]#0
  // CHECK-DAG: ingot.mul_no_nan %[[DY]], %[[S]]
  // CHECK-NOT: ingot.dot_general
  // CHECK: return
  %r:3 = ingot.vjp "by_result"(%x, %dy, %dy) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %y:2 = ingot.custom_derivative jvp(%xi) {
    ^bb0(%a: tensor<3x3xf64>):
      %p = ingot.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %s = ingot.add %a, %a : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      ingot.yield %p, %s : tensor<3x3xf64>, tensor<3x3xf64>
    } rule {
    ^bb0(%a: tensor<3x3xf64>, %t: tensor<3x3xf64>):
      %s = ingot.add %a, %a : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %p = ingot.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %u = ingot.mul %t, %p : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %v = ingot.mul %t, %s : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      ingot.yield %u, %v : tensor<3x3xf64>, tensor<3x3xf64>
    } : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    ingot.yield %y#0, %y#1 : tensor<3x3xf64>, tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#2 : tensor<3x3xf64>
}

// -----

// Also if no operand is differentiated.
func.func @grad_only_captured(%x: tensor<f64>, %k: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
  %r:2 = ingot.vjp "only_captured"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>):
    // expected-error@+1 {{a function with a rule of its own uses a value that is differentiated; pass it as an argument}}
    %y = ingot.custom_derivative vjp(%k) {
    ^bb0(%a: tensor<f64>):
      %s = ingot.mul %a, %xi : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %s : tensor<f64>
    } rule {
    ^bb0(%a: tensor<f64>, %t: tensor<f64>):
      ingot.yield %t : tensor<f64>
    } : (tensor<f64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

func.func @grad_captured(%x: tensor<f64>, %dy: tensor<f64>) -> tensor<f64> {
  %r:2 = ingot.vjp "captured"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>):
    // expected-error@+1 {{a function with a rule of its own uses a value that is differentiated; pass it as an argument}}
    %y = ingot.custom_derivative jvp(%xi) {
    ^bb0(%a: tensor<f64>):
      %s = ingot.mul %a, %xi : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %s : tensor<f64>
    } rule {
    ^bb0(%a: tensor<f64>, %t: tensor<f64>):
      ingot.yield %t : tensor<f64>
    } : (tensor<f64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// For equal indices, the last update has the cotangent. The last one is not
// searched if the indices surely differ: constants, also negative ones, and rows.
// CHECK-LABEL: func.func @vjp_stores
// CHECK-SAME: (%{{.*}}: tensor<2xf64>, %{{.*}}: tensor<3xf64>, %[[N:.*]]: tensor<2xi64>, %[[D0:.*]]: tensor<3xf64>, %[[D1:.*]]: tensor<3xf64>)
func.func @vjp_stores(%x: tensor<2xf64>, %y: tensor<3xf64>, %n: tensor<2xi64>, %d0: tensor<3xf64>, %d1: tensor<3xf64>) -> tensor<2xf64> {
  // CHECK: %[[KNOWN:.*]] = ingot.gather %[[D1]]
  // CHECK: %[[ALL:.*]] = ingot.gather %[[D0]][%[[N]]]
  // CHECK: %[[NUMBERS:.*]] = ingot.iota
  // CHECK: %[[LAST:.*]] = ingot.scatter max %{{.*}}, %[[NUMBERS]][%[[N]]]
  // CHECK: %[[WINNERS:.*]] = ingot.gather %[[LAST]][%[[N]]]
  // CHECK: %[[IS:.*]] = ingot.compare eq %[[WINNERS]], %[[NUMBERS]]
  // CHECK: %[[STORED:.*]] = ingot.and %{{.*}}, %[[IS]]
  // CHECK: %[[KEPT:.*]] = ingot.select %[[STORED]], %[[ALL]]
  // CHECK: ingot.add %[[KNOWN]], %[[KEPT]]
  %r:3 = ingot.vjp "stores"(%x, %d0, %d1) of = [0, 1] {
  ^bb0(%xi: tensor<2xf64>):
    %0 = ingot.scatter set %y, %xi[%n] : (tensor<3xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<3xf64>
    %i = ingot.constant dense<[0, -2]> : tensor<2xi64>
    %zero = ingot.constant dense<0> : tensor<i64>
    %size = ingot.constant dense<3> : tensor<i64>
    %c = ingot.compare lt %i, %zero : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
    %w = ingot.add %i, %size : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
    %j = ingot.select %c, %w, %i : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %1 = ingot.scatter set %y, %xi[%j] : (tensor<3xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<3xf64>
    ingot.yield %0, %1 : tensor<3xf64>, tensor<3xf64>
  } : (tensor<2xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<2xf64>)
  return %r#2 : tensor<2xf64>
}

// A loop that carries its array unchanged, between an update and the branch around it.
// CHECK-LABEL: func.func @passed_on(
// CHECK: ingot.while
// CHECK: return
func.func @passed_on(%x: tensor<5xf64>, %n: tensor<i64>, %c: tensor<i1>, %s: tensor<5xf64>) -> tensor<5xf64> {
  %r:2 = ingot.vjp "passes_on"(%x, %s) of = [0] {
  ^bb0(%xi: tensor<5xf64>):
    %0 = ingot.constant dense<0> : tensor<i64>
    %1 = ingot.constant dense<1> : tensor<i64>
    %ri:2 = ingot.while (%i = %0, %a = %xi) : tensor<i64>, tensor<5xf64> cond {
      %less = ingot.compare lt %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      ingot.condition %less : tensor<i1>
    } do {
      %next = ingot.add %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %b = ingot.if %c : tensor<5xf64> {
        ingot.yield %a : tensor<5xf64>
      } else {
        %inner = ingot.if %c : tensor<5xf64> {
          ingot.yield %a : tensor<5xf64>
        } else {
          %same = ingot.for %j = %0 to %n step %1 carry (%d = %a) : tensor<5xf64> {
            ingot.yield %d : tensor<5xf64>
          }
          ingot.yield %same : tensor<5xf64>
        }
        ingot.yield %inner : tensor<5xf64>
      }
      ingot.yield %next, %b : tensor<i64>, tensor<5xf64>
    }
    ingot.yield %ri#1 : tensor<5xf64>
  } : (tensor<5xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>)
  return %r#1 : tensor<5xf64>
}

// -----

// A step of zero verifies; the compiler must not divide by it.
// CHECK-LABEL: func.func @no_step
// CHECK: ingot.floor_div
func.func @no_step(%x: tensor<f64>, %s: tensor<f64>) -> tensor<f64> {
  %r:2 = ingot.vjp "steps"(%x, %s) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %three = ingot.constant dense<3> : tensor<i64>
    %one = ingot.constant dense<1> : tensor<i64>
    %zero = ingot.constant dense<0> : tensor<i64>
    %ri = ingot.for %i = %three to %one step %zero carry (%a = %xi) : tensor<f64> {
      %b = ingot.sin %a : tensor<f64>
      ingot.yield %b : tensor<f64>
    }
    ingot.yield %ri : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}

// -----

// What has a rule stays a call of NumPy's, and so does what its rule calls with primals. What depends
// on tangents there is differentiated, so its body is used.
// CHECK-LABEL: func.func @called
// CHECK-SAME: (%[[X:.*]]: tensor<1x1xf64>, %[[S:.*]]: tensor<1x1xf64>)
// CHECK: %[[Y:.*]]:2 = ingot.custom_derivative jvp(%[[X]]) {
// CHECK: ingot.numpy_function "inv"
// CHECK: } rule {
// CHECK: %[[D:.*]]:2 = ingot.numpy_function "det"(%[[X]])
// CHECK: %[[N:.*]] = ingot.neg %[[S]]
// CHECK: %[[G:.*]] = ingot.mul_no_nan %[[N]], %[[D]]#0
// CHECK: return %[[Y]]#0, %[[G]]
func.func @called(%x: tensor<1x1xf64>, %s: tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<1x1xf64>) {
  %r:2 = ingot.vjp "inverse"(%x, %s) of = [0] {
  ^bb0(%a: tensor<1x1xf64>):
    %0:2 = ingot.custom_derivative jvp(%a) {
    ^bb0(%b: tensor<1x1xf64>):
      %y:2 = ingot.numpy_function "inv"(%b) {
      ^bb0(%c: tensor<1x1xf64>):
        %one = ingot.constant dense<1.0> : tensor<1x1xf64>
        %zero = ingot.constant dense<0> : tensor<i32>
        %q = ingot.div %one, %c : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
        ingot.yield %q, %zero : tensor<1x1xf64>, tensor<i32>
      } : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>)
      ingot.yield %y#0, %y#1 : tensor<1x1xf64>, tensor<i32>
    } rule {
    ^bb0(%b: tensor<1x1xf64>, %t: tensor<1x1xf64>):
      %d:2 = ingot.numpy_function "det"(%b) {
      ^bb0(%c: tensor<1x1xf64>):
        %zero = ingot.constant dense<0> : tensor<i32>
        %q = ingot.reshape %c : (tensor<1x1xf64>) -> tensor<f64>
        ingot.yield %q, %zero : tensor<f64>, tensor<i32>
      } : (tensor<1x1xf64>) -> (tensor<f64>, tensor<i32>)
      %m = ingot.mul %t, %d#0 : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
      %u:2 = ingot.numpy_function "inv"(%m) {
      ^bb0(%c: tensor<1x1xf64>):
        %zero = ingot.constant dense<0> : tensor<i32>
        %q = ingot.neg %c : tensor<1x1xf64>
        ingot.yield %q, %zero : tensor<1x1xf64>, tensor<i32>
      } : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>)
      ingot.yield %u#0 : tensor<1x1xf64>
    } : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>)
    ingot.yield %0#0 : tensor<1x1xf64>
  } : (tensor<1x1xf64>, tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<1x1xf64>)
  return %r#0, %r#1 : tensor<1x1xf64>, tensor<1x1xf64>
}

// -----

// x[1:3] += y, and x[j] -= y[0] where c holds: the cotangent of x remains as it is.
// CHECK-LABEL: func.func @additions
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<5xf64>)
// CHECK-NOT: ingot.update_slice
// CHECK: %[[P:.*]] = ingot.dynamic_slice %[[S]][%arg2]
// CHECK: ingot.select %arg3, %[[P]], %{{.*}}
// CHECK: ingot.neg
// CHECK: ingot.dynamic_slice %[[S]]
// CHECK-NOT: ingot.update_slice
// CHECK: return %[[S]], %{{.*}} : tensor<5xf64>, tensor<2xf64>
func.func @additions(%x: tensor<5xf64>, %y: tensor<2xf64>, %j: tensor<i64>, %c: tensor<1xi1>, %s: tensor<5xf64>) -> (tensor<5xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "f"(%x, %y, %s) of = [0] {
  ^bb0(%a: tensor<5xf64>, %b: tensor<2xf64>):
    %one = ingot.constant dense<1> : tensor<i64>
    %p = ingot.slice %a starts = [1] sizes = [2] strides = [1] : (tensor<5xf64>) -> tensor<2xf64>
    %t = ingot.add %p, %b : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %u = ingot.update_slice %a, %t[%one] strides = [1] : (tensor<5xf64>, tensor<2xf64>, tensor<i64>) -> tensor<5xf64>
    %q = ingot.dynamic_slice %u[%j] sizes = [1] strides = [1] : (tensor<5xf64>, tensor<i64>) -> tensor<1xf64>
    %h = ingot.slice %b starts = [0] sizes = [1] strides = [1] : (tensor<2xf64>) -> tensor<1xf64>
    %d = ingot.sub %q, %h : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %m = ingot.select %c, %d, %q : (tensor<1xi1>, tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %v = ingot.update_slice %u, %m[%j] strides = [1] : (tensor<5xf64>, tensor<1xf64>, tensor<i64>) -> tensor<5xf64>
    ingot.yield %v : tensor<5xf64>
  } : (tensor<5xf64>, tensor<2xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<5xf64>, tensor<2xf64>
}

// -----

// Not so where the part is read again, and where the sum is.
// CHECK-LABEL: func.func @no_additions
// CHECK-COUNT-2: ingot.update_slice
func.func @no_additions(%x: tensor<5xf64>, %s: tensor<5xf64>) -> tensor<5xf64> {
  %r:2 = ingot.vjp "f"(%x, %s) of = [0] {
  ^bb0(%a: tensor<5xf64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %p = ingot.slice %a starts = [0] sizes = [2] strides = [1] : (tensor<5xf64>) -> tensor<2xf64>
    %e = ingot.sin %p : tensor<2xf64>
    %t = ingot.add %p, %e : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %u = ingot.update_slice %a, %t[%zero] strides = [1] : (tensor<5xf64>, tensor<2xf64>, tensor<i64>) -> tensor<5xf64>
    %q = ingot.slice %u starts = [0] sizes = [1] strides = [1] : (tensor<5xf64>) -> tensor<1xf64>
    %d = ingot.add %q, %q : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %v = ingot.update_slice %u, %d[%zero] strides = [1] : (tensor<5xf64>, tensor<1xf64>, tensor<i64>) -> tensor<5xf64>
    ingot.yield %v : tensor<5xf64>
  } : (tensor<5xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>)
  return %r#1 : tensor<5xf64>
}
