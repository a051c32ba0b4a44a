// RUN: ingot-opt --turn-loops --canonicalize --split-input-file %s | FileCheck %s

// From 7 down to -1, where 7 - i is all that is used.
// CHECK-LABEL: @reversed
// CHECK-DAG: %[[S:[a-z0-9_]+]] = ingot.constant dense<7>
// CHECK-DAG: %[[E:[a-z0-9_]+]] = ingot.constant dense<-1>
// CHECK: ingot.for %[[I:[a-z0-9_]+]] = %[[S]] to %[[E]] step %[[E]]
// CHECK-NOT: ingot.sub
// CHECK: ingot.dynamic_slice %{{.*}}[%[[I]]]
func.func @reversed(%a: tensor<8xf64>) -> tensor<8xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %8 = ingot.constant dense<8> : tensor<i64>
  %r = ingot.for %i = %0 to %8 step %1 carry (%h = %a) : tensor<8xf64> {
    %7 = ingot.constant dense<7> : tensor<i64>
    %j = ingot.sub %7, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<8xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.sin %x : tensor<1xf64>
    %n = ingot.update_slice %h, %y[%j] strides = [1] : (tensor<8xf64>, tensor<1xf64>, tensor<i64>) -> tensor<8xf64>
    ingot.yield %n : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}

// -----

// Up again, from a number that is known at run time only.
// CHECK-LABEL: @upwards
// CHECK: %[[S:[a-z0-9_]+]] = ingot.sub %arg0, %arg1
// CHECK: %[[E:[a-z0-9_]+]] = ingot.sub %arg0, %arg2
// CHECK: ingot.for %[[I:[a-z0-9_]+]] = %[[S]] to %[[E]] step %{{.*}} carry
// CHECK: ingot.add %{{.*}}, %[[I]]
func.func @upwards(%m: tensor<i64>, %l: tensor<i64>, %u: tensor<i64>) -> tensor<i64> {
  %s = ingot.constant dense<-2> : tensor<i64>
  %r = ingot.for %i = %l to %u step %s carry (%h = %m) : tensor<i64> {
    %j = ingot.sub %m, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = ingot.add %h, %j : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %n : tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// Not where the index is used by itself, or subtracted from two numbers, or from one that changes.
// CHECK-LABEL: @others
// CHECK-COUNT-3: ingot.for %{{[a-z0-9_]+}} = %arg1 to %arg2
func.func @others(%m: tensor<i64>, %l: tensor<i64>, %u: tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>) {
  %s = ingot.constant dense<1> : tensor<i64>
  %r = ingot.for %i = %l to %u step %s carry (%h = %m) : tensor<i64> {
    %j = ingot.sub %m, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = ingot.mul %j, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %n : tensor<i64>
  }
  %q = ingot.for %i = %l to %u step %s carry (%h = %m) : tensor<i64> {
    %j = ingot.sub %m, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %k = ingot.sub %l, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = ingot.mul %j, %k : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %n : tensor<i64>
  }
  %p = ingot.for %i = %l to %u step %s carry (%h = %m) : tensor<i64> {
    %n = ingot.sub %h, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %n : tensor<i64>
  }
  return %r, %q, %p : tensor<i64>, tensor<i64>, tensor<i64>
}

// -----

// Twice: 7 - (9 - i) counts up from -2.
// CHECK-LABEL: @twice
// CHECK-DAG: %[[S:[a-z0-9_]+]] = ingot.constant dense<-2>
// CHECK-DAG: %[[E:[a-z0-9_]+]] = ingot.constant dense<6>
// CHECK: ingot.for %[[I:[a-z0-9_]+]] = %[[S]] to %[[E]] step
// CHECK-NEXT: ingot.mul %{{.*}}, %[[I]]
func.func @twice(%a: tensor<i64>) -> tensor<i64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %7 = ingot.constant dense<7> : tensor<i64>
  %8 = ingot.constant dense<8> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %0 to %8 step %1 carry (%h = %a) : tensor<i64> {
    %j = ingot.sub %9, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %k = ingot.sub %7, %j : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = ingot.mul %h, %k : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %n : tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// A loop without an end, which ends with an error, counts nothing down.
// CHECK-LABEL: @standing
// CHECK: ingot.for %[[I:[a-z0-9_]+]] = %arg1 to
// CHECK: ingot.sub %arg1, %[[I]]
func.func @standing(%a: tensor<8xf64>, %n: tensor<i64>) -> tensor<8xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %r = ingot.for %i = %n to %0 step %0 carry (%h = %a) : tensor<8xf64> {
    %j = ingot.sub %n, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<8xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.update_slice %h, %x[%j] strides = [1] : (tensor<8xf64>, tensor<1xf64>, tensor<i64>) -> tensor<8xf64>
    ingot.yield %y : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
