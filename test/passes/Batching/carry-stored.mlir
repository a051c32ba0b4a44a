// RUN: ingot-opt --carry-stored --split-input-file %s | FileCheck %s

// x[i] = sin(x[i - 1]): the loop carries what it has stored, from x[lower - 1] on.
// CHECK-LABEL: @element
// CHECK: %[[M:[a-z0-9_]+]] = ingot.constant dense<-1>
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %arg1, %[[M]]
// CHECK: %[[F:[a-z0-9_]+]] = ingot.dynamic_slice %arg0[%[[S]]] sizes = [1] strides = [1]
// CHECK: %[[R:[a-z0-9_]+]]:2 = ingot.for {{.*}} carry (%[[H:[a-z0-9_]+]] = %arg0, %[[P:[a-z0-9_]+]] = %[[F]]) : tensor<9xf64>, tensor<1xf64>
// CHECK: %[[Y:[a-z0-9_]+]] = ingot.sin %[[P]]
// CHECK: %[[N:[a-z0-9_]+]] = ingot.update_slice %[[H]], %[[Y]]
// CHECK: ingot.yield %[[N]], %[[Y]]
// CHECK: return %[[R]]#0
func.func @element(%a: tensor<9xf64>, %l: tensor<i64>) -> tensor<9xf64> {
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %l to %9 step %1 carry (%h = %a) : tensor<9xf64> {
    %j = ingot.sub %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.sin %x : tensor<1xf64>
    %n = ingot.update_slice %h, %y[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %n : tensor<9xf64>
  }
  return %r : tensor<9xf64>
}

// -----

// Rows from the last one to the first, in steps of two; an element of the row that follows is read as before.
// CHECK-LABEL: @rows
// CHECK: %[[F:[a-z0-9_]+]] = ingot.dynamic_slice %arg0[%{{.*}}, %{{.*}}] sizes = [1, 3] strides = [1, 1]
// CHECK: ingot.for {{.*}} carry (%[[H:[a-z0-9_]+]] = %arg0, %[[P:[a-z0-9_]+]] = %[[F]])
// CHECK: %[[E:[a-z0-9_]+]] = ingot.dynamic_slice %[[H]]{{.*}} sizes = [1, 1]
// CHECK: ingot.mul %[[P]], %[[E]]
func.func @rows(%a: tensor<9x3xf64>, %k: tensor<i64>) -> tensor<9x3xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %2 = ingot.constant dense<2> : tensor<i64>
  %6 = ingot.constant dense<6> : tensor<i64>
  %s = ingot.constant dense<-2> : tensor<i64>
  %r = ingot.for %i = %6 to %0 step %s carry (%h = %a) : tensor<9x3xf64> {
    %j = ingot.add %i, %2 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j, %k] sizes = [1, 3] strides = [1, 1] : (tensor<9x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %e = ingot.dynamic_slice %h[%j, %k] sizes = [1, 1] strides = [1, 1] : (tensor<9x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
    %y = ingot.mul %x, %e : (tensor<1x3xf64>, tensor<1x1xf64>) -> tensor<1x3xf64>
    %n = ingot.update_slice %h, %y[%i, %k] strides = [1, 1] : (tensor<9x3xf64>, tensor<1x3xf64>, tensor<i64>, tensor<i64>) -> tensor<9x3xf64>
    ingot.yield %n : tensor<9x3xf64>
  }
  return %r : tensor<9x3xf64>
}

// -----

// Not where the iteration before the last one stored it, where another axis has moved as well, where the
// loop stores twice, or only under a condition.
// CHECK-LABEL: @others
// CHECK-NOT: tensor<1xf64>{{.*}} {
// CHECK-NOT: tensor<1x1xf64> {
// CHECK: return
func.func @others(%a: tensor<9xf64>, %b: tensor<9x9xf64>, %p: tensor<i1>) -> (tensor<9xf64>, tensor<9x9xf64>, tensor<9xf64>, tensor<9xf64>) {
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<2> : tensor<i64>
  %3 = ingot.constant dense<3> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r:4 = ingot.for %i = %2 to %9 step %1 carry (%h = %a, %g = %b, %f = %a, %e = %a) : tensor<9xf64>, tensor<9x9xf64>, tensor<9xf64>, tensor<9xf64> {
    %j = ingot.sub %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %k = ingot.sub %i, %2 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%k] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %x[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %y = ingot.dynamic_slice %g[%j, %2] sizes = [1, 1] strides = [1, 1] : (tensor<9x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
    %m = ingot.update_slice %g, %y[%i, %3] strides = [1, 1] : (tensor<9x9xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<9x9xf64>
    %z = ingot.dynamic_slice %f[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %o = ingot.update_slice %f, %z[%2] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %q = ingot.update_slice %o, %z[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %u = ingot.if %p : tensor<9xf64> {
      %w = ingot.dynamic_slice %e[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
      %v = ingot.update_slice %e, %w[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
      ingot.yield %v : tensor<9xf64>
    } else {
      ingot.yield %e : tensor<9xf64>
    }
    ingot.yield %n, %m, %q, %u : tensor<9xf64>, tensor<9x9xf64>, tensor<9xf64>, tensor<9xf64>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<9xf64>, tensor<9x9xf64>, tensor<9xf64>, tensor<9xf64>
}

// -----

// The reverse pass of such a loop: each iteration takes an element, stores zero in its place, and adds to the
// next one. The loop carries that element, which is stored once after all.
// CHECK-LABEL: @overwritten
// CHECK: %[[F:[a-z0-9_]+]] = ingot.dynamic_slice %arg0
// CHECK: %[[R:[a-z0-9_]+]]:2 = ingot.for {{.*}} carry (%[[H:[a-z0-9_]+]] = %arg0, %[[P:[a-z0-9_]+]] = %[[F]])
// CHECK: %[[E:[a-z0-9_]+]] = ingot.dynamic_slice %[[H]]
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %[[E]], %{{.*}}
// CHECK: %[[N:[a-z0-9_]+]] = ingot.update_slice %[[H]]
// CHECK-NOT: update_slice
// CHECK: ingot.yield %[[N]], %[[S]]
// CHECK: %[[L:[a-z0-9_]+]] = ingot.update_slice %[[R]]#0, %[[R]]#1
// CHECK: return %[[L]]
func.func @overwritten(%a: tensor<9xf64>, %b: tensor<f64>) -> tensor<9xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %8 = ingot.constant dense<8> : tensor<i64>
  %s = ingot.constant dense<-1> : tensor<i64>
  %z = ingot.constant dense<0.0> : tensor<1xf64>
  %r = ingot.for %i = %8 to %0 step %s carry (%h = %a) : tensor<9xf64> {
    %j = ingot.sub %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %p = ingot.mul %x, %b : (tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
    %q = ingot.add %y, %p : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %z[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %m = ingot.update_slice %n, %q[%j] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %m : tensor<9xf64>
  }
  return %r : tensor<9xf64>
}

// -----

// Not where something else may read the element that is carried.
// CHECK-LABEL: @read_elsewhere
// CHECK: ingot.for {{.*}} : tensor<9xf64> {
func.func @read_elsewhere(%a: tensor<9xf64>, %k: tensor<i64>) -> tensor<9xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %8 = ingot.constant dense<8> : tensor<i64>
  %s = ingot.constant dense<-1> : tensor<i64>
  %z = ingot.constant dense<0.0> : tensor<1xf64>
  %r = ingot.for %i = %8 to %0 step %s carry (%h = %a) : tensor<9xf64> {
    %j = ingot.sub %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.dynamic_slice %h[%k] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %q = ingot.add %y, %x : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %z[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %m = ingot.update_slice %n, %q[%j] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %m : tensor<9xf64>
  }
  return %r : tensor<9xf64>
}
