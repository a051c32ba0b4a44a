// RUN: ingot-opt --promote-elements --split-input-file %s | FileCheck %s
// RUN: ingot-opt --pass-pipeline="builtin.module(func.func(promote-elements{elements}))" --split-input-file %s | FileCheck %s --check-prefix=ELEMENTS

// c[i, 3] = c[i, 3] + a[k] * b[k] for all k: the element is carried.
// ELEMENTS-LABEL: @element
// ELEMENTS: ingot.for {{.*}} : tensor<1x1xf64> {
// CHECK-LABEL: @element
// CHECK-DAG: %[[THREE:[a-z0-9_]+]] = ingot.constant dense<3>
// CHECK: %[[E:[a-z0-9_]+]] = ingot.dynamic_slice %arg0[%arg3, %[[THREE]]] sizes = [1, 1] strides = [5, 1]
// CHECK: %[[R:[a-z0-9_]+]] = ingot.for {{.*}} carry (%[[C:[a-z0-9_]+]] = %[[E]]) : tensor<1x1xf64>
// CHECK-NOT: update_slice
// CHECK: ingot.add %[[C]], %{{.*}} : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
// CHECK: ingot.update_slice %arg0, %[[R]][%arg3, %[[THREE]]] strides = [5, 1]
func.func @element(%c: tensor<4x5xf64>, %a: tensor<9xf64>, %b: tensor<9xf64>, %i: tensor<i64>) -> tensor<4x5xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %k = %0 to %9 step %1 carry (%h = %c) : tensor<4x5xf64> {
    %3 = ingot.constant dense<3> : tensor<i64>
    %x = ingot.dynamic_slice %a[%k] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.reshape %x : (tensor<1xf64>) -> tensor<f64>
    %e = ingot.dynamic_slice %h[%i, %3] sizes = [1, 1] strides = [5, 1] : (tensor<4x5xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
    %s = ingot.add %e, %y : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x1xf64>
    %n = ingot.update_slice %h, %s[%i, %3] strides = [5, 1] : (tensor<4x5xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<4x5xf64>
    ingot.yield %n : tensor<4x5xf64>
  }
  return %r : tensor<4x5xf64>
}

// -----

// Branches and inner loops carry the part, too.
// CHECK-LABEL: @nested
// CHECK: ingot.for {{.*}} : tensor<1xf64>
// CHECK: ingot.if %{{.*}} : tensor<1xf64>
// CHECK: ingot.for {{.*}} : tensor<1xf64>
func.func @nested(%c: tensor<4xf64>, %i: tensor<i64>, %p: tensor<i1>) -> tensor<4xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %k = %0 to %9 step %1 carry (%h = %c) : tensor<4xf64> {
    %b = ingot.if %p : tensor<4xf64> {
      %t = ingot.for %l = %0 to %9 step %1 carry (%g = %h) : tensor<4xf64> {
        %e = ingot.dynamic_slice %g[%i] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
        %s = ingot.sin %e : tensor<1xf64>
        %n = ingot.update_slice %g, %s[%i] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
        ingot.yield %n : tensor<4xf64>
      }
      ingot.yield %t : tensor<4xf64>
    } else {
      ingot.yield %h : tensor<4xf64>
    }
    ingot.yield %b : tensor<4xf64>
  }
  return %r : tensor<4xf64>
}

// -----

// Not where another part is read, or the part changes from iteration to iteration.
// CHECK-LABEL: @others
// CHECK: ingot.for {{.*}} : tensor<4xf64>, tensor<4xf64>
func.func @others(%c: tensor<4xf64>, %d: tensor<4xf64>, %i: tensor<i64>, %j: tensor<i64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %4 = ingot.constant dense<4> : tensor<i64>
  %r:2 = ingot.for %k = %0 to %4 step %1 carry (%h = %c, %g = %d) : tensor<4xf64>, tensor<4xf64> {
    %e = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %e[%i] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
    %f = ingot.dynamic_slice %g[%k] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
    %s = ingot.sin %f : tensor<1xf64>
    %m = ingot.update_slice %g, %s[%k] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
    ingot.yield %n, %m : tensor<4xf64>, tensor<4xf64>
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}

// -----

// A part of several elements.
// ELEMENTS-LABEL: @row
// ELEMENTS: ingot.for {{.*}} : tensor<3x4xf64> {
// CHECK-LABEL: @row
// CHECK: ingot.for {{.*}} : tensor<1x4xf64> {
func.func @row(%c: tensor<3x4xf64>, %a: tensor<5x4xf64>, %i: tensor<i64>) -> tensor<3x4xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %5 = ingot.constant dense<5> : tensor<i64>
  %r = ingot.for %k = %0 to %5 step %1 carry (%h = %c) : tensor<3x4xf64> {
    %e = ingot.dynamic_slice %h[%i, %0] sizes = [1, 4] strides = [1, 1] : (tensor<3x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %b = ingot.dynamic_slice %a[%k, %0] sizes = [1, 4] strides = [1, 1] : (tensor<5x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %s = ingot.add %e, %b : (tensor<1x4xf64>, tensor<1x4xf64>) -> tensor<1x4xf64>
    %n = ingot.update_slice %h, %s[%i, %0] strides = [1, 1] : (tensor<3x4xf64>, tensor<1x4xf64>, tensor<i64>, tensor<i64>) -> tensor<3x4xf64>
    ingot.yield %n : tensor<3x4xf64>
  }
  return %r : tensor<3x4xf64>
}
