// RUN: ingot-opt %s --chunk-reductions=size=8 --split-input-file | FileCheck %s

// The sum of the first elements of each row: chunks of 8 up to a dynamic length.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: (%[[A:.*]]: tensor<5x64xf64>, %[[N:.*]]: tensor<5xi64>)
func.func @sums(%a: tensor<5x64xf64>, %n: tensor<5xi64>) -> tensor<f64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %five = ingot.constant dense<5> : tensor<i64>
  %start = ingot.constant dense<0.0> : tensor<f64>
  // CHECK: ingot.for %[[I:.*]] = %{{.*}} carry (%[[SUM:.*]] = %{{.*}}) : tensor<f64> {
  %r = ingot.for %i = %zero to %five step %one carry (%sum = %start) : tensor<f64> {
    %row = ingot.dynamic_slice %a[%i, %zero] sizes = [1, 64] strides = [1, 1] : (tensor<5x64xf64>, tensor<i64>, tensor<i64>) -> tensor<1x64xf64>
    %flat = ingot.reshape %row : (tensor<1x64xf64>) -> tensor<64xf64>
    %at = ingot.dynamic_slice %n[%i] sizes = [1] strides = [1] : (tensor<5xi64>, tensor<i64>) -> tensor<1xi64>
    // CHECK: %[[LENGTH:.*]] = ingot.reshape
    %length = ingot.reshape %at : (tensor<1xi64>) -> tensor<i64>
    %places = ingot.iota axis = 0 : tensor<64xi64>
    %live = ingot.compare lt %places, %length : (tensor<64xi64>, tensor<i64>) -> tensor<64xi1>
    %some = ingot.select %live, %flat, %start : (tensor<64xi1>, tensor<64xf64>, tensor<f64>) -> tensor<64xf64>
    // CHECK: ingot.minimum %{{.*}}, %[[LENGTH]]
    // CHECK: ingot.for %{{.*}} carry (%[[PART:.*]] = %{{.*}}) : tensor<f64> {
    // CHECK-DAG: ingot.compare lt %{{.*}} : (tensor<8xi64>, tensor<i64>)
    // CHECK-DAG: ingot.dynamic_slice %[[A]]{{.*}} sizes = [1, 8]
    // CHECK: ingot.select %{{.*}} : (tensor<8xi1>, tensor<8xf64>, tensor<f64>)
    // CHECK: %[[CHUNK:.*]] = ingot.reduce add %{{.*}} : (tensor<8xf64>)
    // CHECK: ingot.add %[[PART]], %[[CHUNK]]
    // CHECK-NOT: tensor<64
    // CHECK: ingot.add %[[SUM]]
    %all = ingot.reduce add %some axes = [0] : (tensor<64xf64>) -> tensor<f64>
    %next = ingot.add %sum, %all : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %next : tensor<f64>
  }
  return %r : tensor<f64>
}

// -----

// A row of a sparse matrix: the vectors are masked in their positions, not shifted to the front.
// CHECK-LABEL: func.func @row
// CHECK-SAME: (%[[V:.*]]: tensor<64xf64>, %[[C:.*]]: tensor<64xi64>, %[[X:.*]]: tensor<9xf64>
func.func @row(%v: tensor<64xf64>, %c: tensor<64xi64>, %x: tensor<9xf64>, %s: tensor<i64>, %n: tensor<i64>) -> tensor<f64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %none = ingot.constant dense<0.0> : tensor<f64>
  // CHECK: ingot.for
  %r = ingot.for %i = %zero to %n step %one carry (%sum = %none) : tensor<f64> {
    %first = ingot.add %s, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %taken = ingot.gather %x[%c] : (tensor<9xf64>, tensor<64xi64>) -> tensor<64xf64>
    %wide = ingot.pad %v, %none low = [0] high = [64] interior = [0] : (tensor<64xf64>, tensor<f64>) -> tensor<128xf64>
    %other = ingot.pad %taken, %none low = [0] high = [64] interior = [0] : (tensor<64xf64>, tensor<f64>) -> tensor<128xf64>
    %a = ingot.dynamic_slice %wide[%first] sizes = [64] strides = [1] : (tensor<128xf64>, tensor<i64>) -> tensor<64xf64>
    %b = ingot.dynamic_slice %other[%first] sizes = [64] strides = [1] : (tensor<128xf64>, tensor<i64>) -> tensor<64xf64>
    %places = ingot.iota axis = 0 : tensor<64xi64>
    %live = ingot.compare lt %places, %n : (tensor<64xi64>, tensor<i64>) -> tensor<64xi1>
    %p = ingot.select %live, %a, %none : (tensor<64xi1>, tensor<64xf64>, tensor<f64>) -> tensor<64xf64>
    %q = ingot.select %live, %b, %none : (tensor<64xi1>, tensor<64xf64>, tensor<f64>) -> tensor<64xf64>
    // CHECK-NOT: ingot.pad
    // CHECK: ingot.for
    // CHECK-DAG: ingot.dynamic_slice %[[V]][%{{.*}}] sizes = [8]
    // CHECK-DAG: %[[PART:.*]] = ingot.dynamic_slice %[[C]][%{{.*}}] sizes = [8]
    // CHECK-DAG: ingot.gather %[[X]][%[[PART]]] : (tensor<9xf64>, tensor<8xi64>) -> tensor<8xf64>
    // CHECK: ingot.reduce add
    // CHECK-NOT: ingot.dot_general
    %dot = ingot.dot_general %p, %q batching = [] x [] contracting = [0] x [0] : (tensor<64xf64>, tensor<64xf64>) -> tensor<f64>
    %next = ingot.add %sum, %dot : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %next : tensor<f64>
  }
  return %r : tensor<f64>
}

// -----

// A check of all live indices: the value of the masked elements is computed once, from their number.
// CHECK-LABEL: func.func @check
func.func @check(%c: tensor<64xi64>, %n: tensor<i64>) -> tensor<i1> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %nine = ingot.constant dense<9> : tensor<i64>
  %true = ingot.constant dense<true> : tensor<i1>
  // CHECK: ingot.for
  %r = ingot.for %i = %zero to %n step %one carry (%ok = %true) : tensor<i1> {
    %places = ingot.iota axis = 0 : tensor<64xi64>
    %live = ingot.compare lt %places, %i : (tensor<64xi64>, tensor<i64>) -> tensor<64xi1>
    %some = ingot.select %live, %c, %zero : (tensor<64xi1>, tensor<64xi64>, tensor<i64>) -> tensor<64xi64>
    // CHECK: %[[REST:.*]] = ingot.compare lt %{{.*}} : (tensor<i64>, tensor<i64>)
    %inside = ingot.compare lt %some, %nine : (tensor<64xi64>, tensor<i64>) -> tensor<64xi1>
    // CHECK: %[[LIVE:.*]] = ingot.for
    // CHECK: ingot.reduce and %{{.*}} : (tensor<8xi1>)
    // CHECK: %[[OTHERS:.*]] = ingot.select %{{.*}}, %{{.*}}, %[[REST]]
    // CHECK: ingot.and %[[LIVE]], %[[OTHERS]]
    %all = ingot.reduce and %inside axes = [0] : (tensor<64xi1>) -> tensor<i1>
    %next = ingot.and %ok, %all : (tensor<i1>, tensor<i1>) -> tensor<i1>
    ingot.yield %next : tensor<i1>
  }
  return %r : tensor<i1>
}

// -----

// Nothing changes outside loops, for short axes, and if elements outside the range are not neutral.
// CHECK-LABEL: func.func @whole
func.func @whole(%a: tensor<64xf64>, %b: tensor<16xf64>, %n: tensor<i64>) -> (tensor<f64>, tensor<f64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %none = ingot.constant dense<0.0> : tensor<f64>
  %some = ingot.constant dense<1.0> : tensor<f64>
  %places = ingot.iota axis = 0 : tensor<64xi64>
  %live = ingot.compare lt %places, %n : (tensor<64xi64>, tensor<i64>) -> tensor<64xi1>
  %x = ingot.select %live, %a, %none : (tensor<64xi1>, tensor<64xf64>, tensor<f64>) -> tensor<64xf64>
  // CHECK: ingot.reduce add %{{.*}} : (tensor<64xf64>)
  %once = ingot.reduce add %x axes = [0] : (tensor<64xf64>) -> tensor<f64>
  // CHECK: ingot.for
  // CHECK: ingot.reduce add %{{.*}} : (tensor<16xf64>)
  // CHECK: ingot.reduce add %{{.*}} : (tensor<64xf64>)
  %r = ingot.for %i = %zero to %n step %one carry (%sum = %once) : tensor<f64> {
    %few = ingot.iota axis = 0 : tensor<16xi64>
    %first = ingot.compare lt %few, %i : (tensor<16xi64>, tensor<i64>) -> tensor<16xi1>
    %y = ingot.select %first, %b, %none : (tensor<16xi1>, tensor<16xf64>, tensor<f64>) -> tensor<16xf64>
    %short = ingot.reduce add %y axes = [0] : (tensor<16xf64>) -> tensor<f64>
    %now = ingot.compare lt %places, %i : (tensor<64xi64>, tensor<i64>) -> tensor<64xi1>
    %z = ingot.select %now, %a, %some : (tensor<64xi1>, tensor<64xf64>, tensor<f64>) -> tensor<64xf64>
    %ones = ingot.reduce add %z axes = [0] : (tensor<64xf64>) -> tensor<f64>
    %both = ingot.add %short, %ones : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %next = ingot.add %sum, %both : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %next : tensor<f64>
  }
  return %once, %r : tensor<f64>, tensor<f64>
}

// -----

// Arrays without elements, or without axes, stay as they are.
// CHECK-LABEL: func.func @none
func.func @none(%a: tensor<0x64xf64>, %n: tensor<i64>) -> tensor<0xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %start = ingot.constant dense<0.0> : tensor<0xf64>
  // CHECK: ingot.for
  // CHECK: ingot.reduce add %{{.*}} : (tensor<0x64xf64>)
  %r = ingot.for %i = %zero to %n step %one carry (%sum = %start) : tensor<0xf64> {
    %all = ingot.reduce add %a axes = [1] : (tensor<0x64xf64>) -> tensor<0xf64>
    // CHECK: ingot.reduce add %{{.*}} axes = []
    %same = ingot.reduce add %n axes = [] : (tensor<i64>) -> tensor<i64>
    %is = ingot.compare ge %same, %zero : (tensor<i64>, tensor<i64>) -> tensor<i1>
    ingot.assert %is, "ValueError", "none" : tensor<i1>
    %next = ingot.add %sum, %all : (tensor<0xf64>, tensor<0xf64>) -> tensor<0xf64>
    ingot.yield %next : tensor<0xf64>
  }
  return %r : tensor<0xf64>
}
