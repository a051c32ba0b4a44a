// RUN: ingot-opt %s --split-input-file --expand-transformations --resolve-absent-tangents --canonicalize | FileCheck %s

// The square of a root has the slope of what is under it, where that is not negative.
// CHECK-LABEL: func.func @root
// CHECK-SAME:  (%[[X:.+]]: tensor<f64>)
// CHECK-DAG:   %[[IS:.+]] = ingot.compare ge %[[X]],
// CHECK:       %[[SLOPE:.+]] = ingot.select %[[IS]],
// CHECK:       return %[[SLOPE]]
func.func @root(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %root = ingot.sqrt %a : tensor<f64>
    %y = ingot.mul %root, %root : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// log(2 + exp(x)) has the slope 1 / (2 / exp(x) + 1) where exp(x) may be infinite.
// CHECK-LABEL: func.func @softplus
// CHECK:       %[[E:.+]] = ingot.exp %arg0
// CHECK:       ingot.compare le %[[E]],
// CHECK:       ingot.div %{{.+}}, %[[E]]
// CHECK-NOT:   ingot.log
// CHECK:       ingot.select
func.func @softplus(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.jvp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %two = ingot.constant dense<2.0> : tensor<f64>
    %e = ingot.exp %a : tensor<f64>
    %sum = ingot.add %e, %two : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %y = ingot.log %sum : tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// CHECK-LABEL: func.func @size
// CHECK-NOT:   ingot.sign
// CHECK:       return
func.func @size(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %size = ingot.abs %a : (tensor<f64>) -> tensor<f64>
    %y = ingot.mul %size, %size : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}
