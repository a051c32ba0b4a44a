// RUN: ingot-opt %s --sccp | FileCheck %s

// MLIR's own analyses use the region interfaces: constants propagate through loops and branches, and
// out of a checkpoint.
// CHECK-LABEL: func.func @followed
// CHECK-DAG: %[[ONE:.*]] = ingot.constant dense<1> : tensor<i64>
// CHECK-DAG: %[[THREE:.*]] = ingot.constant dense<3> : tensor<i64>
// CHECK: return %[[THREE]], %[[THREE]], %[[ONE]]
func.func @followed(%c: tensor<i1>, %n: tensor<i64>, %x: tensor<f64>) -> (tensor<i64>, tensor<i64>, tensor<i64>) {
  %one = ingot.constant dense<1> : tensor<i64>
  %three = ingot.constant dense<3> : tensor<i64>
  %0 = ingot.checkpoint {
    ingot.yield %three : tensor<i64>
  } : tensor<i64>
  %1 = ingot.if %c : tensor<i64> {
    ingot.yield %three : tensor<i64>
  } else {
    ingot.yield %0 : tensor<i64>
  }
  %2 = ingot.for %i = %one to %n step %one carry (%a = %one) : tensor<i64> {
    ingot.yield %a : tensor<i64>
  }
  return %0, %1, %2 : tensor<i64>, tensor<i64>, tensor<i64>
}

// And out of a fusion.
// CHECK-LABEL: func.func @fused
// CHECK: %[[THREE:.*]] = ingot.constant dense<3> : tensor<i64>
// CHECK: return %[[THREE]]
func.func @fused() -> tensor<i64> {
  %0 = ingot.fusion {
    %three = ingot.constant dense<3> : tensor<i64>
    ingot.yield %three : tensor<i64>
  } : tensor<i64>
  return %0 : tensor<i64>
}

// An argument that is differentiated is not replaced by a constant.
// CHECK-LABEL: func.func @differentiated
// CHECK: ^bb0(%[[A:.*]]: tensor<f64>)
// CHECK: ingot.mul %[[A]], %[[A]]
func.func @differentiated() -> tensor<f64> {
  %two = ingot.constant dense<2.0> : tensor<f64>
  %y, %dy = ingot.jvp "f"(%two, %two) of = [0] {
  ^bb0(%a: tensor<f64>):
    %b = ingot.mul %a, %a : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %b : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %dy : tensor<f64>
}
