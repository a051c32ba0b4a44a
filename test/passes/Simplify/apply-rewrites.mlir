// RUN: split-file %s %t
// RUN: ingot-opt --apply-rewrites=rules=%t/rules.mlir %t/program.mlir | FileCheck %t/program.mlir
// RUN: ingot-opt --split-input-file --verify-diagnostics --apply-rewrites %t/invalid.mlir

//--- rules.mlir
func.func @log_of_exp(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = []} {
  %0 = ingot.exp %x : tensor<3xf64>
  %1 = ingot.log %0 : tensor<3xf64>
  return %1, %x : tensor<3xf64>, tensor<3xf64>
}
func.func @distribute(%a: tensor<3xf64>, %b: tensor<3xf64>, %c: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = ["size 0, le, int 100"]} {
  %0 = ingot.mul %a, %c : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %1 = ingot.mul %b, %c : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %2 = ingot.add %0, %1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %3 = ingot.add %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %4 = ingot.mul %3, %c : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %2, %4 : tensor<3xf64>, tensor<3xf64>
}
func.func @sum_of_scaled(%x: tensor<3x3xf64>) -> (tensor<f64>, tensor<f64>) attributes {ingot.rewrite = []} {
  %two = ingot.constant dense<2.0> : tensor<f64>
  %0 = ingot.mul %x, %two : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
  %1 = ingot.reduce add %0 axes = [0, 1] : (tensor<3x3xf64>) -> tensor<f64>
  %2 = ingot.reduce add %x axes = [0, 1] : (tensor<3x3xf64>) -> tensor<f64>
  %3 = ingot.mul %2, %two : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %1, %3 : tensor<f64>, tensor<f64>
}

func.func @ratio(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = []} {
  %0 = ingot.div %x, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %one = ingot.constant dense<1.0> : tensor<f64>
  %1 = ingot.broadcast_to %one : (tensor<f64>) -> tensor<3xf64>
  return %0, %1 : tensor<3xf64>, tensor<3xf64>
}

//--- program.mlir
// CHECK-LABEL: func.func @any_rank
// CHECK-SAME: (%[[X:.*]]: tensor<2x5xf32>)
// CHECK-NEXT: return %[[X]]
func.func @any_rank(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = ingot.exp %x : tensor<2x5xf32>
  %1 = ingot.log %0 : tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// Operands of commutative operations match either way round; shapes broadcast.
// CHECK-LABEL: func.func @commutes
// CHECK-SAME: (%[[A:.*]]: tensor<4xf64>, %[[B:.*]]: tensor<4xf64>, %[[C:.*]]: tensor<f64>)
// CHECK-NEXT: %[[S:.*]] = ingot.add %[[A]], %[[B]]
// CHECK-NEXT: %[[P:.*]] = ingot.mul %[[S]], %[[C]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[P]]
func.func @commutes(%a: tensor<4xf64>, %b: tensor<4xf64>, %c: tensor<f64>) -> tensor<4xf64> {
  %0 = ingot.mul %a, %c : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %1 = ingot.mul %c, %b : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = ingot.add %0, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %2 : tensor<4xf64>
}

// The condition does not hold.
// CHECK-LABEL: func.func @too_large
// CHECK: ingot.mul
// CHECK: ingot.mul
// CHECK: ingot.add
func.func @too_large(%a: tensor<400xf64>, %b: tensor<400xf64>, %c: tensor<f64>) -> tensor<400xf64> {
  %0 = ingot.mul %a, %c : (tensor<400xf64>, tensor<f64>) -> tensor<400xf64>
  %1 = ingot.mul %b, %c : (tensor<400xf64>, tensor<f64>) -> tensor<400xf64>
  %2 = ingot.add %0, %1 : (tensor<400xf64>, tensor<400xf64>) -> tensor<400xf64>
  return %2 : tensor<400xf64>
}

// A rule that is not elementwise matches arrays of the same rank; constants match
// their number in the program's type.
// CHECK-LABEL: func.func @reduced
// CHECK: %[[TWO:.*]] = ingot.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[SUM:.*]] = ingot.reduce add %arg0 axes = [0, 1] : (tensor<7x8xf32>) -> tensor<f32>
// CHECK: ingot.mul %[[SUM]], %[[TWO]]
// CHECK: %[[ROWS:.*]] = ingot.reduce add %{{.*}} axes = [0] : (tensor<8xf32>) -> tensor<f32>
// CHECK: return %{{.*}}, %[[ROWS]]
func.func @reduced(%x: tensor<7x8xf32>, %y: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) {
  %two = ingot.constant dense<2.0> : tensor<f32>
  %0 = ingot.mul %x, %two : (tensor<7x8xf32>, tensor<f32>) -> tensor<7x8xf32>
  %1 = ingot.reduce add %0 axes = [0, 1] : (tensor<7x8xf32>) -> tensor<f32>
  %2 = ingot.mul %y, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = ingot.reduce add %2 axes = [0] : (tensor<8xf32>) -> tensor<f32>
  return %1, %3 : tensor<f32>, tensor<f32>
}

// A number that replaces an array is broadcast.
// CHECK-LABEL: func.func @repeated
// CHECK: %[[ONE:.*]] = ingot.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[ONES:.*]] = ingot.broadcast_to %[[ONE]] : (tensor<f32>) -> tensor<7x1xf32>
// CHECK: return %[[ONES]]
func.func @repeated(%x: tensor<7x1xf32>) -> tensor<7x1xf32> {
  %0 = ingot.div %x, %x : (tensor<7x1xf32>, tensor<7x1xf32>) -> tensor<7x1xf32>
  return %0 : tensor<7x1xf32>
}

//--- invalid.mlir
// expected-error @below {{a rule gives two values}}
func.func @one_value(%x: tensor<3xf64>) -> tensor<3xf64> attributes {ingot.rewrite = []} {
  return %x : tensor<3xf64>
}

// -----

// expected-error @below {{a rule has no branches}}
func.func @blocks(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = []} {
  %0 = ingot.exp %x : tensor<3xf64>
  return %0, %x : tensor<3xf64>, tensor<3xf64>
^unreachable:
  return %x, %x : tensor<3xf64>, tensor<3xf64>
}

// -----

// expected-error @below {{the first expression of a rule computes nothing}}
func.func @nothing(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = []} {
  return %x, %x : tensor<3xf64>, tensor<3xf64>
}

// -----

// expected-error @below {{the first expression of a rule does not use all of its arguments}}
func.func @unused(%x: tensor<3xf64>, %y: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = []} {
  %0 = ingot.exp %x : tensor<3xf64>
  return %0, %y : tensor<3xf64>, tensor<3xf64>
}

// -----

// expected-error @below {{the first expression of a rule is one of several results of an operation}}
func.func @several(%x: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>) attributes {ingot.rewrite = []} {
  %q, %r = ingot.qr %x full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %q, %x : tensor<3x3xf64>, tensor<3x3xf64>
}

// -----

func.func @shaped(%x: tensor<4xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>) attributes {ingot.rewrite = []} {
  // expected-error @below {{'ingot.reshape' can't be part of a rule}}
  %0 = ingot.reshape %x : (tensor<4xf64>) -> tensor<2x2xf64>
  return %0, %0 : tensor<2x2xf64>, tensor<2x2xf64>
}

// -----

// expected-error @below {{both expressions of a rule are the same}}
func.func @same(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = []} {
  %0 = ingot.exp %x : tensor<3xf64>
  return %0, %0 : tensor<3xf64>, tensor<3xf64>
}

// -----

// expected-error @below {{the conditions of a rule are strings}}
func.func @number(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = [1]} {
  %0 = ingot.exp %x : tensor<3xf64>
  return %0, %x : tensor<3xf64>, tensor<3xf64>
}

// -----

// expected-error @below {{a rule is about arrays}}
func.func @index(%x: index) -> (index, index) attributes {ingot.rewrite = []} {
  return %x, %x : index, index
}

// -----

// In a rule that is not elementwise, an array constant would only fit the shapes of one program.
func.func @ones(%x: tensor<3xf64>) -> (tensor<f64>, tensor<f64>) attributes {ingot.rewrite = []} {
  // expected-error @below {{'ingot.constant' can't be part of a rule}}
  %ones = ingot.constant dense<1.0> : tensor<3xf64>
  %0 = ingot.mul %x, %ones : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %1 = ingot.reduce add %0 axes = [0] : (tensor<3xf64>) -> tensor<f64>
  %2 = ingot.reduce add %x axes = [0] : (tensor<3xf64>) -> tensor<f64>
  return %1, %2 : tensor<f64>, tensor<f64>
}

// -----

// The second expression contains the first one, so the rule applies to its own result.
func.func @sine(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) attributes {ingot.rewrite = []} {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0 = ingot.sin %x : tensor<3xf64>
  %1 = ingot.mul %0, %one : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0, %1 : tensor<3xf64>, tensor<3xf64>
}
func.func @endless(%x: tensor<3xf64>) -> tensor<3xf64> {
  // expected-error @below {{the rewrite rule `sine` applies to what it makes without end}}
  // expected-note @below {{take one of these rules back}}
  %0 = ingot.sin %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

func.func @rewrite.there.0(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) attributes {ingot.rewrite = []} {
  %0 = ingot.sub %x, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %1 = ingot.neg %y : tensor<f64>
  %2 = ingot.add %x, %1 : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0, %2 : tensor<f64>, tensor<f64>
}
func.func @rewrite.back.0(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) attributes {ingot.rewrite = []} {
  %1 = ingot.neg %y : tensor<f64>
  %2 = ingot.add %x, %1 : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %0 = ingot.sub %x, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %2, %0 : tensor<f64>, tensor<f64>
}
func.func @circle(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  // expected-error @below {{the rewrite rules `there`, `back` apply to what they make without end}}
  // expected-note @below {{take one of these rules back}}
  %0 = ingot.sub %x, %y : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
