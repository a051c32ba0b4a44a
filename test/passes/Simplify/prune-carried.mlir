// RUN: ingot-opt %s --prune-carried | FileCheck %s

// %b only depends on itself, through both loops; the inner loop is needed for %a.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[Y:.*]]: tensor<4xf64>, %[[N:.*]]: tensor<i64>)
func.func @nested(%x: tensor<f64>, %y: tensor<4xf64>, %n: tensor<i64>) -> tensor<f64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  // CHECK: %[[R:.*]] = ingot.for %{{.*}} carry (%[[A:.*]] = %[[X]]) : tensor<f64> {
  // CHECK-NEXT: %[[S:.*]] = ingot.for %{{.*}} carry (%[[C:.*]] = %[[A]]) : tensor<f64> {
  // CHECK-NEXT: %[[T:.*]] = ingot.sin %[[C]]
  // CHECK-NEXT: ingot.yield %[[T]] : tensor<f64>
  // CHECK: ingot.yield %[[S]] : tensor<f64>
  // CHECK: return %[[R]]
  %r:2 = ingot.for %i = %zero to %n step %one carry (%b = %y, %a = %x) : tensor<4xf64>, tensor<f64> {
    %s:2 = ingot.for %j = %zero to %i step %one carry (%d = %b, %c = %a) : tensor<4xf64>, tensor<f64> {
      %e = ingot.cos %d : tensor<4xf64>
      %t = ingot.sin %c : tensor<f64>
      ingot.yield %e, %t : tensor<4xf64>, tensor<f64>
    }
    ingot.yield %s#0, %s#1 : tensor<4xf64>, tensor<f64>
  }
  return %r#1 : tensor<f64>
}

// Values on which a condition depends are live, also through results without other uses.
// CHECK-LABEL: func.func @conditions
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[Y:.*]]: tensor<f64>)
func.func @conditions(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %limit = ingot.constant dense<9.0> : tensor<f64>
  // CHECK: %[[R:.*]]:2 = ingot.while (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Y]]) : tensor<f64>, tensor<f64> cond {
  // CHECK: ingot.compare lt %[[B]]
  // CHECK: } do {
  // CHECK-NOT: ingot.exp
  // CHECK: ingot.yield %{{.*}}, %{{.*}} : tensor<f64>, tensor<f64>
  %r:3 = ingot.while (%a = %x, %d = %y, %b = %y) : tensor<f64>, tensor<f64>, tensor<f64> cond {
    %c = ingot.compare lt %b, %limit : (tensor<f64>, tensor<f64>) -> tensor<i1>
    ingot.condition %c : tensor<i1>
  } do {
    %e = ingot.sin %a : tensor<f64>
    %f = ingot.exp %d : tensor<f64>
    %g = ingot.cos %b : tensor<f64>
    ingot.yield %e, %f, %g : tensor<f64>, tensor<f64>, tensor<f64>
  }
  return %r#0 : tensor<f64>
}

// A branch without a live result is removed, unless it has an effect.
// CHECK-LABEL: func.func @branches
func.func @branches(%x: tensor<f64>, %c: tensor<i1>) -> tensor<f64> {
  // CHECK: %[[R:.*]] = ingot.if %{{.*}} : tensor<f64> {
  // CHECK-NEXT: %[[S:.*]] = ingot.sin
  // CHECK-NEXT: ingot.yield %[[S]] : tensor<f64>
  %r:2 = ingot.if %c : tensor<f64>, tensor<f64> {
    %s = ingot.sin %x : tensor<f64>
    %e = ingot.exp %x : tensor<f64>
    ingot.yield %e, %s : tensor<f64>, tensor<f64>
  } else {
    ingot.yield %x, %x : tensor<f64>, tensor<f64>
  }
  // CHECK: ingot.if %{{.*}} {
  // CHECK-NEXT: ingot.assert
  // CHECK-NEXT: ingot.yield
  %t = ingot.if %c : tensor<f64> {
    ingot.assert %c, "ValueError", "stays" : tensor<i1>
    ingot.yield %x : tensor<f64>
  } else {
    ingot.yield %x : tensor<f64>
  }
  // CHECK-NOT: ingot.if
  %u = ingot.if %c : tensor<f64> {
    ingot.yield %t : tensor<f64>
  } else {
    ingot.yield %x : tensor<f64>
  }
  return %r#1 : tensor<f64>
}

// Other operations with regions are left alone: their operands, the values that
// their regions yield and all on which these depend are live.
// CHECK-LABEL: func.func @other_regions
func.func @other_regions(%x: tensor<3xf64>) -> (tensor<f64>, tensor<3xf64>) {
  // CHECK: ingot.checkpoint
  // CHECK-NEXT: ingot.exp
  // CHECK-NEXT: ingot.reduce
  // CHECK: ingot.vmap
  // CHECK: ingot.for
  // CHECK-NOT: ingot.sin
  // CHECK: ingot.cos
  %0 = ingot.checkpoint {
    %1 = ingot.exp %x : tensor<3xf64>
    %2 = ingot.sin %x : tensor<3xf64>
    %3 = ingot.reduce add %1 axes = [0] : (tensor<3xf64>) -> tensor<f64>
    ingot.yield %3 : tensor<f64>
  } : tensor<f64>
  %c = ingot.constant dense<1> : tensor<i64>
  %4 = ingot.vmap "f"(%x) size = 3 shared = [] {
  ^bb0(%y: tensor<f64>):
    %5:2 = ingot.for %i = %c to %c step %c carry (%s = %y, %t = %y) : tensor<f64>, tensor<f64> {
      %6 = ingot.sin %s : tensor<f64>
      %7 = ingot.cos %t : tensor<f64>
      ingot.yield %6, %7 : tensor<f64>, tensor<f64>
    }
    ingot.yield %5#1 : tensor<f64>
  } : (tensor<3xf64>) -> tensor<3xf64>
  return %0, %4 : tensor<f64>, tensor<3xf64>
}

// A declaration has no values.
// CHECK: func.func private @declared
func.func private @declared(tensor<f64>) -> tensor<f64>

// What a loop or a loop within it hands on is the initial value, and what both
// branches yield is that value.
// CHECK-LABEL: @unchanged
// CHECK-SAME: (%[[X:.*]]: tensor<3xf64>, %[[Y:.*]]: tensor<3xf64>, %[[C:.*]]: tensor<i1>
func.func @unchanged(%x: tensor<3xf64>, %y: tensor<3xf64>, %c: tensor<i1>, %n: tensor<i64>)
    -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  // CHECK: ingot.for %{{.*}} carry (%{{.*}} = %[[Y]])
  // CHECK-NEXT: ingot.add %{{.*}}, %[[X]]
  // CHECK-NEXT: ingot.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[X]], %{{.*}}, %[[Y]]
  %0:2 = ingot.for %i = %n to %n step %n carry (%s = %x, %t = %y) : tensor<3xf64>, tensor<3xf64> {
    %1:2 = ingot.while (%u = %s, %d = %c) : tensor<3xf64>, tensor<i1> cond {
      ingot.condition %d : tensor<i1>
    } do {
      %2 = ingot.not %d : tensor<i1>
      ingot.yield %u, %2 : tensor<3xf64>, tensor<i1>
    }
    %3 = ingot.add %t, %1#0 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    ingot.yield %1#0, %3 : tensor<3xf64>, tensor<3xf64>
  }
  %4 = ingot.if %c : tensor<3xf64> {
    ingot.yield %y : tensor<3xf64>
  } else {
    ingot.yield %y : tensor<3xf64>
  }
  return %0#0, %0#1, %4 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}

// Without branches and loops: what nothing uses is removed.
// CHECK-LABEL: func.func @straight
// CHECK-NEXT: %[[R:.*]] = ingot.sin
// CHECK-NEXT: return %[[R]]
func.func @straight(%x: tensor<f64>) -> tensor<f64> {
  %r = ingot.sin %x : tensor<f64>
  %a = ingot.cos %r : tensor<f64>
  %b = ingot.exp %a : tensor<f64>
  return %r : tensor<f64>
}
