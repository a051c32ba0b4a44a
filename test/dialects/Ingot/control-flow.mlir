// RUN: %roundtrip

// CHECK-LABEL: func.func @if
func.func @if(%c: tensor<i1>, %a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[R:.*]] = ingot.if %{{.*}} : tensor<f64> {
  // CHECK-NEXT: ingot.yield %{{.*}} : tensor<f64>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: ingot.yield %{{.*}} : tensor<f64>
  // CHECK-NEXT: }
  %0 = ingot.if %c : tensor<f64> {
    ingot.yield %a : tensor<f64>
  } else {
    ingot.yield %b : tensor<f64>
  }
  // CHECK: ingot.if %{{.*}} {
  // CHECK-NEXT: ingot.yield{{$}}
  ingot.if %c {
    ingot.yield
  } else {
    ingot.yield
  }
  // CHECK: return %[[R]]
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @for
func.func @for(%n: tensor<i64>, %x: tensor<f64>) -> tensor<f64> {
  // CHECK: ingot.for %[[I:.*]] = %[[N:.*]] to %[[N]] step %[[N]] carry (%[[A:.*]] = %{{.*}}) : tensor<f64> {
  // CHECK-NEXT: ingot.convert %[[I]]
  %0 = ingot.for %i = %n to %n step %n carry (%a = %x) : tensor<f64> {
    %1 = ingot.convert %i : (tensor<i64>) -> tensor<f64>
    ingot.yield %1 : tensor<f64>
  }
  // CHECK: ingot.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} carry () {
  ingot.for %i = %n to %n step %n carry () {
    ingot.yield
  }
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @while
func.func @while(%x: tensor<f64>, %y: tensor<4xi64>) -> (tensor<f64>, tensor<4xi64>) {
  // CHECK: ingot.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : tensor<f64>, tensor<4xi64> cond {
  // CHECK-NEXT: %[[C:.*]] = ingot.compare lt %[[A]], %[[A]]
  // CHECK-NEXT: ingot.condition %[[C]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ingot.yield %[[A]], %[[B]] : tensor<f64>, tensor<4xi64>
  %0:2 = ingot.while (%a = %x, %b = %y) : tensor<f64>, tensor<4xi64> cond {
    %c = ingot.compare lt %a, %a : (tensor<f64>, tensor<f64>) -> tensor<i1>
    ingot.condition %c : tensor<i1>
  } do {
    ingot.yield %a, %b : tensor<f64>, tensor<4xi64>
  }
  return %0#0, %0#1 : tensor<f64>, tensor<4xi64>
}

// CHECK-LABEL: func.func @effects
func.func @effects(%c: tensor<i1>, %x: tensor<4xf64>) {
  // CHECK: ingot.assert %{{.*}}, "IndexError", "out of bounds" : tensor<i1>
  ingot.assert %c, "IndexError", "out of bounds" : tensor<i1>
  // CHECK-NEXT: ingot.print "x = {}"(%{{.*}}) : tensor<4xf64>
  ingot.print "x = {}"(%x) : tensor<4xf64>
  // CHECK-NEXT: %[[S:.*]] = ingot.constant
  %s = ingot.constant dense<0> : tensor<i32>
  // CHECK-NEXT: ingot.ordered_print "{}" after %[[S]](%{{.*}}) : tensor<i32>, tensor<4xf64>
  %next = ingot.ordered_print "{}" after %s (%x) : tensor<i32>, tensor<4xf64>
  // CHECK-NEXT: ingot.barrier %{{.*}}, %[[S]] : tensor<4xf64>, tensor<i32>
  %0:2 = ingot.barrier %x, %s : tensor<4xf64>, tensor<i32>
  return
}
