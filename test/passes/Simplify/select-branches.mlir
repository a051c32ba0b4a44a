// RUN: ingot-opt --select-branches %s | FileCheck %s

// Both sides are computed, of inner branches first.
// CHECK-LABEL: @numbers
// CHECK-NOT: ingot.if
// CHECK: %[[S:[a-z0-9_]+]] = ingot.sin %arg0
// CHECK: %[[I:[a-z0-9_]+]] = ingot.select %arg2, %[[S]], %arg0
// CHECK: %[[N:[a-z0-9_]+]] = ingot.neg %[[I]]
// CHECK: %[[C:[a-z0-9_]+]] = ingot.cos %arg0
// CHECK: %[[A:[a-z0-9_]+]] = ingot.select %arg1, %[[N]], %[[C]]
// CHECK: %[[B:[a-z0-9_]+]] = ingot.select %arg1, %arg0, %[[C]]
// CHECK: return %[[A]], %[[B]]
func.func @numbers(%x: tensor<f64>, %c: tensor<i1>, %d: tensor<i1>) -> (tensor<f64>, tensor<f64>) {
  %r:2 = ingot.if %c : tensor<f64>, tensor<f64> {
    %i = ingot.if %d : tensor<f64> {
      %s = ingot.sin %x : tensor<f64>
      ingot.yield %s : tensor<f64>
    } else {
      ingot.yield %x : tensor<f64>
    }
    %n = ingot.neg %i : tensor<f64>
    ingot.yield %n, %x : tensor<f64>, tensor<f64>
  } else {
    %s = ingot.cos %x : tensor<f64>
    ingot.yield %s, %s : tensor<f64>, tensor<f64>
  }
  return %r#0, %r#1 : tensor<f64>, tensor<f64>
}

// Not what takes time, what may fail, or what returns arrays.
// CHECK-LABEL: @others
// CHECK-COUNT-3: ingot.if
func.func @others(%x: tensor<9xf64>, %c: tensor<i1>) -> (tensor<f64>, tensor<9xf64>) {
  %n = ingot.constant dense<0.0> : tensor<f64>
  %r = ingot.if %c : tensor<f64> {
    %s = ingot.reduce add %x axes = [0] : (tensor<9xf64>) -> tensor<f64>
    ingot.yield %s : tensor<f64>
  } else {
    ingot.yield %n : tensor<f64>
  }
  %q = ingot.if %c : tensor<f64> {
    ingot.assert %c, "ValueError", "no" : tensor<i1>
    ingot.yield %r : tensor<f64>
  } else {
    ingot.yield %n : tensor<f64>
  }
  %p = ingot.if %c : tensor<9xf64> {
    %s = ingot.sin %x : tensor<9xf64>
    ingot.yield %s : tensor<9xf64>
  } else {
    ingot.yield %x : tensor<9xf64>
  }
  return %q, %p : tensor<f64>, tensor<9xf64>
}
