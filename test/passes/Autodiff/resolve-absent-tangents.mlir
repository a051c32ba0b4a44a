// RUN: ingot-opt %s --split-input-file --expand-transformations --resolve-absent-tangents --canonicalize | FileCheck %s

// All elements of the cotangents are present: plain products, of
// which zero times infinity is NaN.
// CHECK-LABEL: func.func @present
// CHECK-NOT:   no_nan
// CHECK:       return
func.func @present(%x: tensor<4xf64>) -> tensor<4xf64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    %e = ingot.exp %a : tensor<4xf64>
    %sum = ingot.reduce add %e axes = [0] : (tensor<4xf64>) -> tensor<f64>
    %y = ingot.log %sum : tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<4xf64>, tensor<f64>) -> (tensor<f64>, tensor<4xf64>)
  return %0#1 : tensor<4xf64>
}

// -----

// A zero of what is not taken rules, one that a slope has made does not: the product with exp is
// selected by the condition.
// CHECK-LABEL: func.func @selected
// CHECK-SAME:  (%[[X:.+]]: tensor<4xf64>, %[[C:.+]]: tensor<4xi1>)
// CHECK:       ingot.expm1 %[[X]]
// CHECK:       %[[T:.+]] = ingot.div_no_nan %{{.+}}, %[[S:.+]] :
// CHECK:       %[[P:.+]] = ingot.mul %[[T]],
// CHECK:       ingot.select %{{.+}}, %[[P]],
func.func @selected(%x: tensor<4xf64>, %c: tensor<4xi1>) -> tensor<4xf64> {
  %one = ingot.constant dense<1.0> : tensor<4xf64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    %zero = ingot.constant dense<0.0> : tensor<f64>
    %e = ingot.expm1 %a : tensor<4xf64>
    %s = ingot.sin %e : tensor<4xf64>
    %sum = ingot.add %e, %s : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %log = ingot.log %sum : tensor<4xf64>
    %y = ingot.select %c, %log, %zero : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
    ingot.yield %y : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %0#1 : tensor<4xf64>
}

// -----

// The zeros of a seed rule.
// CHECK-LABEL: func.func @seeded
// CHECK:       ingot.mul_no_nan %arg1,
func.func @seeded(%x: tensor<4xf64>, %t: tensor<4xf64>) -> tensor<4xf64> {
  %0:2 = ingot.jvp "f"(%x, %t) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    %y = ingot.exp %a : tensor<4xf64>
    ingot.yield %y : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %0#1 : tensor<4xf64>
}

// -----

// A loop that carries complete tangents: no zero rules in it.
// CHECK-LABEL: func.func @carried
// CHECK:       ingot.for
// CHECK-NOT:   no_nan
// CHECK:       return
func.func @carried(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.jvp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %low = ingot.constant dense<0> : tensor<i64>
    %high = ingot.constant dense<9> : tensor<i64>
    %step = ingot.constant dense<1> : tensor<i64>
    %y = ingot.for %i = %low to %high step %step carry (%b = %a) : tensor<f64> {
      %c = ingot.exp %b : tensor<f64>
      ingot.yield %c : tensor<f64>
    }
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// What the expansion leaves, by itself. No element of a constant without zeros is absent.
// CHECK-LABEL: func.func @complete
// CHECK-SAME:  (%[[X:.+]]: tensor<4xf64>)
// CHECK:       ingot.mul %[[X]], %{{.+}} :
// CHECK:       ingot.div %{{.+}}, %[[X]] :
// CHECK-NOT:   no_nan
func.func @complete(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %t = ingot.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %0 = ingot.mul_no_nan %t, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = ingot.div_no_nan %t, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1 : tensor<4xf64>, tensor<4xf64>
}

// -----

// One zero is enough: all zeros of a constant are absent elements.
// CHECK-LABEL: func.func @zero_among_constants
// CHECK:       ingot.mul_no_nan
func.func @zero_among_constants(%x: tensor<2xf64>) -> tensor<2xf64> {
  %t = ingot.constant dense<[1.0, 0.0]> : tensor<2xf64>
  %0 = ingot.mul_no_nan %t, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// A matrix product by what is complete, and by a seed.
// CHECK-LABEL: func.func @matrices
// CHECK:       ingot.dot_general %{{.+}}, %arg0 batching = [] x [] contracting = [1] x [0] :
// CHECK:       ingot.dot_general %arg1, %arg0 batching = [] x [] contracting = [1] x [0] {lhs_zeros} :
func.func @matrices(%x: tensor<2x2xf64>, %t: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>) {
  %one = ingot.constant dense<1.0> : tensor<2x2xf64>
  %0 = ingot.dot_general %one, %x batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %1 = ingot.dot_general %t, %x batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  return %0, %1 : tensor<2x2xf64>, tensor<2x2xf64>
}

// -----

// A mark of a kink is zero.
// CHECK-LABEL: func.func @mark
// CHECK:       %[[ZERO:.+]] = ingot.constant dense<0.000000e+00>
// CHECK-NOT:   no_nan
// CHECK:       return
func.func @mark(%x: tensor<4xf64>) -> tensor<4xf64> {
  %inf = ingot.constant dense<0x7FF0000000000000> : tensor<f64>
  %0 = ingot.mul_no_nan %x, %inf {ingot.by_value} : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// Products with the cotangents 1 and -1 are the other factor and its negation, also where one such
// product is a factor of another.
// CHECK-LABEL: func.func @units
// CHECK-SAME:  (%[[X:.+]]: tensor<4xf64>, %[[C:.+]]: tensor<4xf64>)
// CHECK-NEXT:  %[[N:.+]] = ingot.neg %[[C]]
// CHECK-NEXT:  return %[[N]]
func.func @units(%x: tensor<4xf64>, %c: tensor<4xf64>) -> tensor<4xf64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    %ones = ingot.constant dense<1.0> : tensor<4xf64>
    %same = ingot.mul %a, %ones : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %p = ingot.mul %same, %c : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %d = ingot.sub %ones, %p : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %y = ingot.reduce add %d axes = [0] : (tensor<4xf64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<4xf64>, tensor<f64>) -> (tensor<f64>, tensor<4xf64>)
  return %0#1 : tensor<4xf64>
}

// -----

// CHECK-LABEL: func.func @unit_of_unit
// CHECK-SAME:  (%[[C:.+]]: tensor<4xf64>)
// CHECK-NEXT:  return %[[C]]
func.func @unit_of_unit(%c: tensor<4xf64>) -> tensor<4xf64> {
  %one = ingot.constant dense<1.0> : tensor<4xf64>
  %a = ingot.mul_no_nan %one, %c : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %b = ingot.mul_no_nan %one, %a : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %b : tensor<4xf64>
}

// -----

// Where a factor is NaN by a condition, as for equal eigenvalues, an element of
// a product of matrices is absent only if all that it sums up is.

// CHECK-LABEL: func.func @behind_a_product(
// CHECK-SAME: %[[M:.*]]: tensor<2x2xf64>, %[[F:.*]]: tensor<2x2xf64>, %[[P:.*]]: tensor<2x1xi1>
func.func @behind_a_product(%m: tensor<2x2xf64>, %f: tensor<2x2xf64>, %p: tensor<2x1xi1>, %q: tensor<2x2xi1>) -> tensor<2x2xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %one = ingot.constant dense<1.0> : tensor<2x2xf64>
  %nan = ingot.constant dense<0x7FF8000000000000> : tensor<f64>
  // CHECK: %[[SEED:.*]] = ingot.select %[[P]]
  // CHECK: %[[PRESENT:.*]] = ingot.compare ne %[[SEED]]
  %seed = ingot.select %p, %one, %zero : (tensor<2x1xi1>, tensor<2x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  // CHECK: ingot.dot_general {{.*}} {lhs_zeros}
  // CHECK: %[[ANY:.*]] = ingot.reduce or %[[PRESENT]] axes = [1]
  // CHECK: %[[COLUMN:.*]] = ingot.reshape %[[ANY]] : (tensor<2xi1>) -> tensor<2x1xi1>
  // CHECK: %[[MASK:.*]] = ingot.broadcast_to %[[COLUMN]]
  %t = ingot.dot_general %seed, %m batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %factor = ingot.select %q, %nan, %f : (tensor<2x2xi1>, tensor<f64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  // CHECK: %[[PRODUCT:.*]] = ingot.mul
  // CHECK: ingot.select %[[MASK]], %[[PRODUCT]]
  %r = ingot.mul_no_nan %t, %factor : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  return %r : tensor<2x2xf64>
}
