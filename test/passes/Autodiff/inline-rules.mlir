// RUN: ingot-opt %s --inline-rules | FileCheck %s --check-prefixes=CHECK,BODIES
// RUN: ingot-opt %s --inline-rules='functions=det,inv' | FileCheck %s --check-prefixes=CHECK,CALLS

// CHECK-LABEL: func.func @rules
// CHECK-SAME: (%[[X:.*]]: tensor<f64>)
func.func @rules(%x: tensor<f64>) -> tensor<f64> {
  // CHECK-NEXT: %[[S:.*]] = ingot.sin %[[X]]
  // CHECK-NEXT: %[[E:.*]] = ingot.exp %[[S]]
  // CHECK-NEXT: return %[[E]]
  %c = ingot.checkpoint {
    %d = ingot.custom_derivative jvp(%x) {
    ^bb0(%a: tensor<f64>):
      %s = ingot.sin %a : tensor<f64>
      ingot.yield %s : tensor<f64>
    } rule {
    ^bb0(%a: tensor<f64>, %t: tensor<f64>):
      %k = ingot.checkpoint {
        ingot.yield %t : tensor<f64>
      } : tensor<f64>
      ingot.yield %k : tensor<f64>
    } : (tensor<f64>) -> tensor<f64>
    %e = ingot.exp %d : tensor<f64>
    ingot.yield %e : tensor<f64>
  } : tensor<f64>
  return %c : tensor<f64>
}

// CHECK-LABEL: func.func @fusion
// CHECK-NEXT: %[[S:.*]] = ingot.sin %arg0
// CHECK-NEXT: return %[[S]], %arg0
func.func @fusion(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0:2 = ingot.fusion {
    %1 = ingot.sin %x : tensor<f64>
    ingot.yield %1, %x : tensor<f64>, tensor<f64>
  } : tensor<f64>, tensor<f64>
  return %0#0, %0#1 : tensor<f64>, tensor<f64>
}

// What is in the region goes with it, if it goes.
// CHECK-LABEL: func.func @numpy_function
// BODIES-NEXT: ingot.sin
// CALLS-NEXT: %[[X:.*]]:2 = ingot.call_numpy "inv"(%arg0) : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>)
// CALLS-NEXT: return %[[X]]#0, %[[X]]#1
func.func @numpy_function(%a: tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>) {
  %0:2 = ingot.numpy_function "inv"(%a) {
  ^bb0(%x: tensor<1x1xf64>):
    %1 = ingot.checkpoint {
      %2 = ingot.sin %x : tensor<1x1xf64>
      ingot.yield %2 : tensor<1x1xf64>
    } : tensor<1x1xf64>
    %3 = ingot.constant dense<0> : tensor<i32>
    ingot.yield %1, %3 : tensor<1x1xf64>, tensor<i32>
  } : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>)
  return %0#0, %0#1 : tensor<1x1xf64>, tensor<i32>
}
