// RUN: ingot-opt --raise-loops --canonicalize --split-input-file %s | FileCheck %s
// RUN: ingot-opt --raise-loops --split-input-file --remarks-filter=raise-loops -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: ingot-opt --raise-loops=recurrences --canonicalize --split-input-file %s | FileCheck %s --check-prefix=SOLVED

// Each iteration updates its own element: of a[i + 1] and b[2, i] with i from 1 to 8.
// CHECK-LABEL: @own
// CHECK-NOT: ingot.for
// CHECK-DAG: %[[ONE:[a-z0-9_]+]] = ingot.constant dense<1>
// CHECK-DAG: %[[TWO:[a-z0-9_]+]] = ingot.constant dense<2>
// CHECK: %[[X:[a-z0-9_]+]] = ingot.dynamic_slice %arg0[%[[TWO]]] sizes = [8] strides = [1]
// CHECK: %[[S:[a-z0-9_]+]] = ingot.sin
// CHECK: ingot.update_slice %arg0, %{{.*}}[%[[TWO]]] strides = [1]
// CHECK: ingot.update_slice %arg1, %{{.*}}[%[[TWO]], %[[ONE]]] strides = [1, 1] : (tensor<3x9xf64>, tensor<1x8xf64>
// REMARK: raise-loops{{.*}}8 iterations run together
func.func @own(%a: tensor<10xf64>, %b: tensor<3x9xf64>) -> (tensor<10xf64>, tensor<3x9xf64>) {
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<2> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r:2 = ingot.for %i = %1 to %9 step %1 carry (%h = %a, %g = %b) : tensor<10xf64>, tensor<3x9xf64> {
    %j = ingot.add %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<10xf64>, tensor<i64>) -> tensor<1xf64>
    %s = ingot.sin %x : tensor<1xf64>
    %n = ingot.update_slice %h, %s[%j] strides = [1] : (tensor<10xf64>, tensor<1xf64>, tensor<i64>) -> tensor<10xf64>
    %t = ingot.reshape %s : (tensor<1xf64>) -> tensor<1x1xf64>
    %m = ingot.update_slice %g, %t[%2, %i] strides = [1, 1] : (tensor<3x9xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<3x9xf64>
    ingot.yield %n, %m : tensor<10xf64>, tensor<3x9xf64>
  }
  return %r#0, %r#1 : tensor<10xf64>, tensor<3x9xf64>
}

// -----

// A descending loop in steps of two, and the value of its last iteration, which has index 1.
// CHECK-LABEL: @descending
// CHECK-NOT: ingot.for
// CHECK: ingot.dynamic_slice %arg0[%{{.*}}] sizes = [4] strides = [2]
// CHECK: ingot.update_slice %arg0, %{{.*}}[%{{.*}}] strides = [2] : (tensor<9xf64>, tensor<4xf64>
// CHECK: ingot.dynamic_slice %{{.*}} sizes = [1, 1] strides = [1, 1] : (tensor<4x1xf64>
// REMARK: raise-loops{{.*}}4 iterations run together
func.func @descending(%a: tensor<9xf64>, %l: tensor<1xf64>) -> (tensor<9xf64>, tensor<1xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %7 = ingot.constant dense<7> : tensor<i64>
  %s = ingot.constant dense<-2> : tensor<i64>
  %r:2 = ingot.for %i = %7 to %0 step %s carry (%h = %a, %g = %l) : tensor<9xf64>, tensor<1xf64> {
    %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.sin %x : tensor<1xf64>
    %n = ingot.update_slice %h, %y[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %n, %y : tensor<9xf64>, tensor<1xf64>
  }
  return %r#0, %r#1 : tensor<9xf64>, tensor<1xf64>
}

// -----

// A sum, and a maximum in a branch: the lanes begin with zero and with the initial value.
// CHECK-LABEL: @reduced
// CHECK-NOT: ingot.for
// CHECK: %[[SUM:[a-z0-9_]+]] = ingot.reduce add %{{.*}} axes = [0] : (tensor<9xf64>) -> tensor<f64>
// CHECK: ingot.add %arg1, %[[SUM]]
// CHECK: ingot.reduce max %{{.*}} axes = [0] : (tensor<9xf64>) -> tensor<f64>
// REMARK: raise-loops{{.*}}9 iterations run together
func.func @reduced(%a: tensor<9xf64>, %s: tensor<f64>, %m: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %r:2 = ingot.for %i = %0 to %9 step %1 carry (%h = %s, %g = %m) : tensor<f64>, tensor<f64> {
    %x = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.reshape %x : (tensor<1xf64>) -> tensor<f64>
    %n = ingot.sub %h, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %c = ingot.compare gt %y, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %b = ingot.if %c : tensor<f64> {
      %z = ingot.maximum %y, %g : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %z : tensor<f64>
    } else {
      ingot.yield %g : tensor<f64>
    }
    ingot.yield %n, %b : tensor<f64>, tensor<f64>
  }
  return %r#0, %r#1 : tensor<f64>, tensor<f64>
}

// -----

// The elements below the diagonal of a row: all of them are lanes, and a mask chooses. The outer loop
// is raised, too.
// CHECK-LABEL: @triangle
// CHECK-NOT: ingot.for
// CHECK: ingot.compare lt
// CHECK: ingot.update_slice %arg0, %{{.*}} : (tensor<7x7xf64>, tensor<6x6xf64>
// REMARK: raise-loops{{.*}}6 iterations run together
// REMARK: raise-loops{{.*}}6 iterations run together
func.func @triangle(%a: tensor<7x7xf64>) -> tensor<7x7xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %6 = ingot.constant dense<6> : tensor<i64>
  %r = ingot.for %i = %0 to %6 step %1 carry (%h = %a) : tensor<7x7xf64> {
    %e = ingot.add %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %s = ingot.for %j = %0 to %e step %1 carry (%g = %h) : tensor<7x7xf64> {
      %x = ingot.dynamic_slice %g[%i, %j] sizes = [1, 1] strides = [1, 1] : (tensor<7x7xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
      %y = ingot.sin %x : tensor<1x1xf64>
      %n = ingot.update_slice %g, %y[%i, %j] strides = [1, 1] : (tensor<7x7xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<7x7xf64>
      ingot.yield %n : tensor<7x7xf64>
    }
    ingot.yield %s : tensor<7x7xf64>
  }
  return %r : tensor<7x7xf64>
}

// -----

// The row above the updated ones is read, which no iteration writes.
// CHECK-LABEL: @above
// CHECK-NOT: ingot.for
// CHECK: ingot.dynamic_slice %arg0[%arg1, %{{.*}}] sizes = [1, 4]
// CHECK: %[[ALL:.*]] = ingot.select
// CHECK: ingot.reshape %[[ALL]]
// CHECK-NEXT: return
// REMARK: raise-loops{{.*}}5 iterations run together
func.func @above(%a: tensor<5x4xf64>, %k: tensor<i64>) -> tensor<5x4xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %5 = ingot.constant dense<5> : tensor<i64>
  %k1 = ingot.add %k, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %r = ingot.for %i = %k1 to %5 step %1 carry (%h = %a) : tensor<5x4xf64> {
    %x = ingot.dynamic_slice %h[%k, %0] sizes = [1, 4] strides = [1, 1] : (tensor<5x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %y = ingot.dynamic_slice %h[%i, %0] sizes = [1, 4] strides = [1, 1] : (tensor<5x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %z = ingot.sub %y, %x : (tensor<1x4xf64>, tensor<1x4xf64>) -> tensor<1x4xf64>
    %n = ingot.update_slice %h, %z[%i, %0] strides = [1, 1] : (tensor<5x4xf64>, tensor<1x4xf64>, tensor<i64>, tensor<i64>) -> tensor<5x4xf64>
    ingot.yield %n : tensor<5x4xf64>
  }
  return %r : tensor<5x4xf64>
}

// -----

// Both branches update the same array, the second one where the first one did not.
// CHECK-LABEL: @branches
// CHECK-NOT: ingot.for
// CHECK: %[[A:[a-z0-9_]+]] = ingot.update_slice %arg0
// CHECK: ingot.update_slice %[[A]]
// CHECK-NOT: ingot.select {{.*}} tensor<10xf64>, tensor<10xf64>
// CHECK: return
// REMARK: raise-loops{{.*}}9 iterations run together
func.func @branches(%a: tensor<10xf64>, %p: tensor<9xi1>) -> tensor<10xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %0 to %9 step %1 carry (%h = %a) : tensor<10xf64> {
    %c = ingot.dynamic_slice %p[%i] sizes = [1] strides = [1] : (tensor<9xi1>, tensor<i64>) -> tensor<1xi1>
    %d = ingot.reshape %c : (tensor<1xi1>) -> tensor<i1>
    %b = ingot.if %d : tensor<10xf64> {
      %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<10xf64>, tensor<i64>) -> tensor<1xf64>
      %y = ingot.sin %x : tensor<1xf64>
      %n = ingot.update_slice %h, %y[%i] strides = [1] : (tensor<10xf64>, tensor<1xf64>, tensor<i64>) -> tensor<10xf64>
      ingot.yield %n : tensor<10xf64>
    } else {
      %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<10xf64>, tensor<i64>) -> tensor<1xf64>
      %y = ingot.cos %x : tensor<1xf64>
      %n = ingot.update_slice %h, %y[%i] strides = [1] : (tensor<10xf64>, tensor<1xf64>, tensor<i64>) -> tensor<10xf64>
      ingot.yield %n : tensor<10xf64>
    }
    ingot.yield %b : tensor<10xf64>
  }
  return %r : tensor<10xf64>
}

// -----

// Additions at indices of any kind, to elements and to rows.
// CHECK-LABEL: @histogram
// CHECK-NOT: ingot.for
// CHECK: ingot.scatter add %arg0, %{{.*}} : (tensor<5xf64>, tensor<9xf64>, tensor<9xi64>) -> tensor<5xf64>
// CHECK: ingot.neg
// CHECK: ingot.scatter add %arg1, %{{.*}} : (tensor<5x2xf64>, tensor<9x2xf64>, tensor<9xi64>) -> tensor<5x2xf64>
// REMARK: raise-loops{{.*}}9 iterations run together
func.func @histogram(%a: tensor<5xf64>, %b: tensor<5x2xf64>, %w: tensor<f64>, %u: tensor<9xi64>) -> (tensor<5xf64>, tensor<5x2xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %9 step %1 carry (%h = %a, %g = %b) : tensor<5xf64>, tensor<5x2xf64> {
    %k = ingot.dynamic_slice %u[%i] sizes = [1] strides = [1] : (tensor<9xi64>, tensor<i64>) -> tensor<1xi64>
    %j = ingot.reshape %k : (tensor<1xi64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<5xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.reshape %x : (tensor<1xf64>) -> tensor<f64>
    %s = ingot.add %y, %w : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %t = ingot.reshape %s : (tensor<f64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %t[%j] strides = [1] : (tensor<5xf64>, tensor<1xf64>, tensor<i64>) -> tensor<5xf64>
    %p = ingot.dynamic_slice %g[%j, %0] sizes = [1, 2] strides = [1, 1] : (tensor<5x2xf64>, tensor<i64>, tensor<i64>) -> tensor<1x2xf64>
    %q = ingot.sub %p, %w : (tensor<1x2xf64>, tensor<f64>) -> tensor<1x2xf64>
    %m = ingot.update_slice %g, %q[%j, %0] strides = [1, 1] : (tensor<5x2xf64>, tensor<1x2xf64>, tensor<i64>, tensor<i64>) -> tensor<5x2xf64>
    ingot.yield %n, %m : tensor<5xf64>, tensor<5x2xf64>
  }
  return %r#0, %r#1 : tensor<5xf64>, tensor<5x2xf64>
}

// -----

// A running sum, before and after each iteration, of what follows from another one.
// CHECK-LABEL: @running
// CHECK-NOT: ingot.for
// CHECK: %[[C:[a-z0-9_]+]] = ingot.cumulative add %{{.*}} axis = 0 : (tensor<9xf64>) -> tensor<9xf64>
// CHECK: %[[S:[a-z0-9_]+]] = ingot.add %arg1, %[[C]]
// CHECK: %[[Q:[a-z0-9_]+]] = ingot.sin %[[S]]
// CHECK: %[[D:[a-z0-9_]+]] = ingot.cumulative max %[[Q]] axis = 0
// CHECK: %[[M:[a-z0-9_]+]] = ingot.maximum %arg2, %[[D]]
// CHECK: %[[F:[a-z0-9_]+]] = ingot.slice %[[M]] starts = [0] sizes = [8]
// CHECK: %[[A:[a-z0-9_]+]] = ingot.concatenate %{{.*}}, %[[F]]
// CHECK: return %[[A]]
// REMARK: raise-loops{{.*}}9 iterations run together
func.func @running(%a: tensor<9xf64>, %s: tensor<f64>, %m: tensor<f64>) -> (tensor<9xf64>, tensor<f64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r:3 = ingot.for %i = %0 to %9 step %1 carry (%h = %a, %g = %s, %f = %m) : tensor<9xf64>, tensor<f64>, tensor<f64> {
    %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.reshape %x : (tensor<1xf64>) -> tensor<f64>
    %b = ingot.reshape %f : (tensor<f64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %b[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    %t = ingot.add %g, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %q = ingot.sin %t : tensor<f64>
    %p = ingot.maximum %f, %q : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %n, %t, %p : tensor<9xf64>, tensor<f64>, tensor<f64>
  }
  return %r#0, %r#1, %r#2 : tensor<9xf64>, tensor<f64>, tensor<f64>
}

// -----

// The largest number and its place: NaN is not larger, and the last place that is chosen stays.
// CHECK-LABEL: @largest
// CHECK-NOT: ingot.for
// CHECK: %[[E:[a-z0-9_]+]] = ingot.compare eq %[[X:[a-z0-9_]+]], %[[X]]
// CHECK: %[[Y:[a-z0-9_]+]] = ingot.select %[[E]], %[[X]]
// CHECK: %[[C:[a-z0-9_]+]] = ingot.cumulative max %[[Y]] axis = 0
// CHECK: ingot.maximum %arg1, %[[C]]
// CHECK: ingot.compare gt
// CHECK: %[[L:[a-z0-9_]+]] = ingot.reduce max {{.*}} (tensor<9xi64>) -> tensor<i64>
// CHECK: %[[A:[a-z0-9_]+]] = ingot.compare gt %[[L]]
// CHECK: ingot.select %[[A]], %{{.*}}, %arg2
// REMARK: raise-loops{{.*}}9 iterations run together
func.func @largest(%a: tensor<9xf64>, %s: tensor<f64>, %k: tensor<i64>) -> (tensor<f64>, tensor<i64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %9 step %1 carry (%h = %s, %g = %k) : tensor<f64>, tensor<i64> {
    %x = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.reshape %x : (tensor<1xf64>) -> tensor<f64>
    %c = ingot.compare gt %y, %h : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %n = ingot.select %c, %y, %h : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
    %m = ingot.select %c, %i, %g : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %n, %m : tensor<f64>, tensor<i64>
  }
  return %r#0, %r#1 : tensor<f64>, tensor<i64>
}

// -----

// Not where an iteration reads what an earlier one wrote, or the sum so far.
// CHECK-LABEL: @dependent
// CHECK-COUNT-2: ingot.for
// REMARK: raise-loops{{.*}}the loop stays, since an iteration depends on earlier ones
// REMARK: raise-loops{{.*}}the loop stays, since an iteration depends on earlier ones
func.func @dependent(%a: tensor<9xf64>, %s: tensor<f64>) -> (tensor<9xf64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %1 to %9 step %1 carry (%h = %a) : tensor<9xf64> {
    %j = ingot.sub %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %x[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %n : tensor<9xf64>
  }
  %q = ingot.for %i = %1 to %9 step %1 carry (%h = %s) : tensor<f64> {
    %x = ingot.sin %h : tensor<f64>
    %n = ingot.add %h, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %n : tensor<f64>
  }
  return %r, %q : tensor<9xf64>, tensor<f64>
}

// -----

// Not where a branch returns two versions of one array: the lanes share one.
// CHECK-LABEL: @versions
// CHECK: ingot.for
// REMARK: raise-loops{{.*}}the loop stays, since an iteration depends on earlier ones
func.func @versions(%a: tensor<9xf64>, %b: tensor<9xf64>, %p: tensor<9xi1>) -> (tensor<9xf64>, tensor<9xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %9 step %1 carry (%h = %a, %g = %b) : tensor<9xf64>, tensor<9xf64> {
    %c = ingot.dynamic_slice %p[%i] sizes = [1] strides = [1] : (tensor<9xi1>, tensor<i64>) -> tensor<1xi1>
    %d = ingot.reshape %c : (tensor<1xi1>) -> tensor<i1>
    %e:2 = ingot.if %d : tensor<9xf64>, tensor<9xf64> {
      %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
      %y = ingot.sin %x : tensor<1xf64>
      %n = ingot.update_slice %h, %y[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
      ingot.yield %n, %h : tensor<9xf64>, tensor<9xf64>
    } else {
      ingot.yield %h, %h : tensor<9xf64>, tensor<9xf64>
    }
    %o = ingot.dynamic_slice %e#1[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %m = ingot.update_slice %g, %o[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %e#0, %m : tensor<9xf64>, tensor<9xf64>
  }
  return %r#0, %r#1 : tensor<9xf64>, tensor<9xf64>
}

// -----

// Not where prints come in order, or where the values would not fit.
// CHECK-LABEL: @others
// CHECK-COUNT-2: ingot.for
// REMARK: raise-loops{{.*}}the loop stays, since it has operations that run one after the other
// REMARK: raise-loops{{.*}}the loop stays, since the values of all iterations would take much memory
func.func @others(%a: tensor<9xf64>, %s: tensor<200000xf64>) -> tensor<200000xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %99 = ingot.constant dense<99> : tensor<i64>
  ingot.for %i = %1 to %99 step %1 carry () {
    ingot.print "{}"(%i) : tensor<i64>
    ingot.yield
  }
  %q = ingot.for %i = %1 to %99 step %1 carry (%h = %s) : tensor<200000xf64> {
    %c = ingot.convert %i : (tensor<i64>) -> tensor<f64>
    %x = ingot.mul %s, %c : (tensor<200000xf64>, tensor<f64>) -> tensor<200000xf64>
    %n = ingot.add %h, %x : (tensor<200000xf64>, tensor<200000xf64>) -> tensor<200000xf64>
    ingot.yield %n : tensor<200000xf64>
  }
  return %q : tensor<200000xf64>
}

// -----

// Elements that a later iteration updates are those of before the loop.
// CHECK-LABEL: @early
// CHECK-NOT: ingot.for
// CHECK-DAG: ingot.dynamic_slice %arg0[%{{.*}}] sizes = [8] strides = [1]
// CHECK-DAG: ingot.dynamic_slice %arg0[%{{.*}}] sizes = [8] strides = [1]
// CHECK: ingot.update_slice %arg0
// REMARK: raise-loops{{.*}}8 iterations run together
func.func @early(%a: tensor<9xf64>) -> tensor<9xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %8 = ingot.constant dense<8> : tensor<i64>
  %r = ingot.for %i = %0 to %8 step %1 carry (%h = %a) : tensor<9xf64> {
    %j = ingot.add %i, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %x = ingot.dynamic_slice %h[%j] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %s = ingot.sub %x, %y : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %s[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %n : tensor<9xf64>
  }
  return %r : tensor<9xf64>
}

// -----

// s = (c - s * x) / d, where another value follows: the factor is -x / d, the term c / d. Where the
// result is not finite or factors are large, the steps run one after the other, as they were.
// CHECK-LABEL: @recurrence
// CHECK: ingot.for
// SOLVED-LABEL: @recurrence
// SOLVED-NOT: ingot.for
// SOLVED: ingot.neg
// SOLVED: ingot.div %arg2, %arg3
// SOLVED: %[[F:[a-z0-9_]+]] = ingot.div
// SOLVED: %[[FS:[a-z0-9_]+]] = ingot.concatenate %{{.*}}, %[[F]] axis = 0
// SOLVED: %[[TS:[a-z0-9_]+]] = ingot.concatenate
// SOLVED: %[[ALL:[a-z0-9_]+]] = ingot.add {{.*}} -> tensor<10xf64>
// SOLVED: ingot.is_finite %[[ALL]]
// SOLVED-COUNT-5: ingot.reduce and
// SOLVED: ingot.if
// SOLVED-NEXT: ingot.yield %[[ALL]]
// SOLVED: ingot.for
// SOLVED: %[[P:[a-z0-9_]+]] = ingot.mul
// SOLVED: %[[D:[a-z0-9_]+]] = ingot.sub %arg2, %[[P]]
// SOLVED: ingot.div %[[D]], %arg3
// SOLVED: ingot.cos
// REMARK: raise-loops{{.*}}the loop stays, since an iteration depends on earlier ones
func.func @recurrence(%a: tensor<9xf64>, %s: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>) -> (tensor<9xf64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r:2 = ingot.for %i = %0 to %9 step %1 carry (%h = %a, %g = %s) : tensor<9xf64>, tensor<f64> {
    %x = ingot.dynamic_slice %h[%i] sizes = [1] strides = [1] : (tensor<9xf64>, tensor<i64>) -> tensor<1xf64>
    %y = ingot.reshape %x : (tensor<1xf64>) -> tensor<f64>
    %p = ingot.mul %g, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %m = ingot.sub %c, %p : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %q = ingot.div %m, %d : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %z = ingot.cos %q : tensor<f64>
    %t = ingot.reshape %z : (tensor<f64>) -> tensor<1xf64>
    %n = ingot.update_slice %h, %t[%i] strides = [1] : (tensor<9xf64>, tensor<1xf64>, tensor<i64>) -> tensor<9xf64>
    ingot.yield %n, %q : tensor<9xf64>, tensor<f64>
  }
  return %r#0, %r#1 : tensor<9xf64>, tensor<f64>
}

// -----

// Of integers, in any order.
// CHECK-LABEL: @integers
// CHECK: ingot.for
// SOLVED-LABEL: @integers
// SOLVED-NOT: ingot.if
// SOLVED-NOT: ingot.for
// SOLVED: return
// REMARK: raise-loops{{.*}}the loop stays, since an iteration depends on earlier ones
func.func @integers(%a: tensor<9xi64>, %s: tensor<i64>, %c: tensor<i1>) -> tensor<i64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %7 = ingot.constant dense<7> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %0 to %9 step %1 carry (%h = %s) : tensor<i64> {
    %x = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<9xi64>, tensor<i64>) -> tensor<1xi64>
    %y = ingot.reshape %x : (tensor<1xi64>) -> tensor<i64>
    %p = ingot.mul %h, %7 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = ingot.add %p, %y : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %m = ingot.select %c, %n, %h : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %m : tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// Not where a factor depends on the value, or the value is divided by.
// SOLVED-LABEL: @nonlinear
// SOLVED-COUNT-2: ingot.for
// REMARK: raise-loops{{.*}}the loop stays, since an iteration depends on earlier ones
// REMARK: raise-loops{{.*}}the loop stays, since an iteration depends on earlier ones
func.func @nonlinear(%s: tensor<f64>, %c: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %0 to %9 step %1 carry (%h = %s) : tensor<f64> {
    %p = ingot.add %h, %c : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %n = ingot.mul %p, %h : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %n : tensor<f64>
  }
  %q = ingot.for %i = %0 to %9 step %1 carry (%h = %s) : tensor<f64> {
    %p = ingot.add %h, %c : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %n = ingot.div %c, %p : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %n : tensor<f64>
  }
  return %r, %q : tensor<f64>, tensor<f64>
}

// -----

// Each iteration adds to a window that others add to, too: of rows 2 i to 2 i + 2, of every second column.
// CHECK-LABEL: @windows
// CHECK-NOT: ingot.for
// CHECK: %[[ROW:.*]] = ingot.add %{{.*}}, %{{.*}} : (tensor<3x2xi64>, tensor<4x1x1xi64>) -> tensor<4x3x2xi64>
// CHECK: %[[ALONG:.*]] = ingot.iota axis = 1 : tensor<3x2xi64>
// CHECK: %[[BY:.*]] = ingot.mul %[[ALONG]]
// CHECK: %[[COLUMN:.*]] = ingot.broadcast_to %[[BY]]
// CHECK: ingot.scatter add %arg0, %arg1[%[[ROW]], %[[COLUMN]]] : (tensor<9x3xf64>, tensor<4x3x2xf64>, tensor<4x3x2xi64>, tensor<4x3x2xi64>) -> tensor<9x3xf64>
func.func @windows(%a: tensor<9x3xf64>, %x: tensor<4x3x2xf64>) -> tensor<9x3xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<2> : tensor<i64>
  %4 = ingot.constant dense<4> : tensor<i64>
  %r = ingot.for %i = %0 to %4 step %1 carry (%h = %a) : tensor<9x3xf64> {
    %row = ingot.mul %i, %2 : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %p = ingot.dynamic_slice %x[%i, %0, %0] sizes = [1, 3, 2] strides = [1, 1, 1] : (tensor<4x3x2xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x3x2xf64>
    %q = ingot.reshape %p : (tensor<1x3x2xf64>) -> tensor<3x2xf64>
    %o = ingot.dynamic_slice %h[%row, %0] sizes = [3, 2] strides = [1, 2] : (tensor<9x3xf64>, tensor<i64>, tensor<i64>) -> tensor<3x2xf64>
    %s = ingot.add %o, %q : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %n = ingot.update_slice %h, %s[%row, %0] strides = [1, 2] : (tensor<9x3xf64>, tensor<3x2xf64>, tensor<i64>, tensor<i64>) -> tensor<9x3xf64>
    ingot.yield %n : tensor<9x3xf64>
  }
  return %r : tensor<9x3xf64>
}

// -----

// A sum of half precision is rounded in each iteration, which a reduction does not do.
// CHECK-LABEL: @halves
// CHECK: ingot.for
// CHECK-NOT: ingot.reduce
func.func @halves(%a: tensor<9xf16>, %s: tensor<f16>) -> tensor<f16> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %9 = ingot.constant dense<9> : tensor<i64>
  %r = ingot.for %i = %0 to %9 step %1 carry (%h = %s) : tensor<f16> {
    %x = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<9xf16>, tensor<i64>) -> tensor<1xf16>
    %y = ingot.reshape %x : (tensor<1xf16>) -> tensor<f16>
    %n = ingot.add %h, %y : (tensor<f16>, tensor<f16>) -> tensor<f16>
    ingot.yield %n : tensor<f16>
  }
  return %r : tensor<f16>
}
