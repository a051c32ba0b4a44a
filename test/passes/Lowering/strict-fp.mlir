// RUN: ingot-opt --strict-fp %s | FileCheck %s

// The entry calls its former body with a 1 that is known only at run time.
// CHECK-LABEL: func.func @entry
// CHECK-SAME: (%[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>)
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.custom_call @ingot.strict_fp()
// CHECK-SAME: has_side_effect = true
// CHECK-SAME: : () -> tensor<f64>
// CHECK-NEXT: %[[R:.*]] = call @entry_strict(%[[X]], %[[Y]], %[[ONE]]) {mhlo.frontend_attributes = {inlineable = "false"}}
// CHECK-NEXT: return %[[R]]
func.func @entry(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf64>
  %1 = stablehlo.add %0, %y : tensor<4xf64>
  return %1 : tensor<4xf64>
}

// A product with an addition as its user is multiplied by the 1; other products need not be.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<4xi64>, %[[ONE:.*]]: tensor<f64>)
// CHECK-NEXT: %[[NARROW:.*]] = stablehlo.convert %[[ONE]] : (tensor<f64>) -> tensor<f32>
// CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %[[X]], %[[X]]
// CHECK-NEXT: %[[ONES:.*]] = stablehlo.broadcast_in_dim %[[NARROW]], dims = []
// CHECK-NEXT: %[[Q:.*]] = stablehlo.multiply %[[P]], %[[ONES]]
// CHECK-NEXT: stablehlo.subtract %[[X]], %[[Q]]
// CHECK-NEXT: %[[S:.*]] = stablehlo.multiply %[[X]], %[[X]]
// CHECK-NEXT: stablehlo.sqrt %[[S]]
// CHECK-NEXT: %[[I:.*]] = stablehlo.multiply %[[N]], %[[N]]
// CHECK-NEXT: stablehlo.add %[[I]], %[[N]]
func.func private @callee(%x: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<4xf32>
  %2 = stablehlo.multiply %x, %x : tensor<4xf32>
  %3 = stablehlo.sqrt %2 : tensor<4xf32>
  %4 = stablehlo.multiply %n, %n : tensor<4xi64>
  %5 = stablehlo.add %4, %n : tensor<4xi64>
  %6 = stablehlo.add %1, %3 : tensor<4xf32>
  return %6 : tensor<4xf32>
}

// The regions of branches and loops use the function's 1; those of reductions can't.
// CHECK-LABEL: func.func private @nested
// CHECK-SAME: (%[[X:.*]]: tensor<f64>, %[[A:.*]]: tensor<4xf64>, %[[C:.*]]: tensor<i1>, %[[ONE:.*]]: tensor<f64>)
// CHECK: stablehlo.if
// CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %[[X]], %[[X]]
// CHECK-NEXT: %[[Q:.*]] = stablehlo.multiply %[[P]], %[[ONE]]
// CHECK-NEXT: stablehlo.return %[[Q]]
// CHECK: stablehlo.reduce
// CHECK-SAME: stablehlo.multiply
// CHECK-NOT: %[[ONE]]
// CHECK: return
func.func private @nested(%x: tensor<f64>, %a: tensor<4xf64>, %c: tensor<i1>) -> (tensor<f64>, tensor<f64>) {
  %0 = "stablehlo.if"(%c) ({
    %2 = stablehlo.multiply %x, %x : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }, {
    stablehlo.return %x : tensor<f64>
  }) : (tensor<i1>) -> tensor<f64>
  %1 = stablehlo.reduce(%a init: %x) applies stablehlo.multiply across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}

// Functions that the module defines take the 1; declared ones do not.
// CHECK-LABEL: func.func private @caller
// CHECK: call @callee(%{{.*}}, %{{.*}}, %[[ONE:.*]]) : (tensor<4xf32>, tensor<4xi64>, tensor<f64>)
// CHECK: call @declared(%{{.*}}) : (tensor<4xf32>)
func.func private @caller(%x: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<4xf32> {
  %0 = call @callee(%x, %n) : (tensor<4xf32>, tensor<4xi64>) -> tensor<4xf32>
  %1 = call @declared(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// Of two zeros, NumPy returns the second one.
// CHECK-LABEL: func.func private @extremes
// CHECK-NEXT: %[[NAN:.*]] = stablehlo.compare NE, %arg0, %arg0, FLOAT
// CHECK-NEXT: %[[GREATER:.*]] = stablehlo.compare GT, %arg0, %arg1, FLOAT
// CHECK-NEXT: %[[FIRST:.*]] = stablehlo.or %[[GREATER]], %[[NAN]]
// CHECK-NEXT: stablehlo.select %[[FIRST]], %arg0, %arg1
// CHECK: stablehlo.compare LT, %arg0, %arg1, FLOAT
// CHECK-NOT: stablehlo.minimum
// CHECK: return
func.func private @extremes(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.maximum %x, %y : tensor<4xf32>
  %1 = stablehlo.minimum %x, %y : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// LLVM folds subnormal constants as zeros.
// CHECK-LABEL: func.func private @constants
// CHECK: %[[ONE:.*]] = stablehlo.convert
// CHECK: %[[NORMAL:.*]] = stablehlo.constant dense<2.0{{.*}}> : tensor<f32>
// CHECK-DAG: %[[SMALL:.*]] = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
// CHECK-DAG: %[[LARGE:.*]] = stablehlo.constant dense<1.67772{{.*}}E-31> : tensor<f32>
// CHECK-DAG: %[[SCALE:.*]] = stablehlo.multiply %[[SMALL]], %[[ONE]]
// CHECK: %[[MADE:.*]] = stablehlo.multiply %[[LARGE]], %[[SCALE]]
// CHECK: stablehlo.compare GE, %{{.*}}, %[[MADE]]
// CHECK: stablehlo.compare GE, %{{.*}}, %[[NORMAL]]
func.func private @constants(%x: tensor<f32>) -> (tensor<i1>, tensor<i1>) {
  %normal = stablehlo.constant dense<2.0> : tensor<f32>
  %small = stablehlo.constant dense<1.0e-38> : tensor<f32>
  %0 = stablehlo.compare GE, %x, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare GE, %x, %normal : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0, %1 : tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func private @entry_strict
// CHECK: %[[P:.*]] = stablehlo.multiply %arg0, %arg1
// CHECK: %[[Q:.*]] = stablehlo.multiply %[[P]]
// CHECK: stablehlo.add %[[Q]], %arg1
