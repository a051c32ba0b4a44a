// RUN: ingot-opt %s --jam-loops --split-input-file | FileCheck %s

// Sums of rows: the vector is loaded once for four of them.
// CHECK-LABEL: @rows
// CHECK-SAME: (%[[A:.*]]: memref<?x100xf64> {{.*}}, %[[X:.*]]: memref<100xf64> {{.*}}, %[[Y:.*]]: memref<?xf64>
// CHECK: %[[MIDDLE:.*]] = arith.addi
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[MIDDLE]] step %{{.*}} {
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[I2:.*]] = arith.addi %[[I]], %[[C2]]
// CHECK: %[[SUMS:.*]]:4 = scf.for %[[J:.*]] = {{.*}} iter_args(%{{.*}}, %{{.*}}, %[[S:.*]] = %{{.*}}, %{{.*}})
// CHECK: memref.load %[[A]][%[[I2]], %[[J]]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f64, f64, f64, f64
// CHECK: memref.store %[[SUMS]]#2, %[[Y]][%[[I2]]]
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to
func.func @rows(%a: memref<?x100xf64> {llvm.noalias}, %x: memref<100xf64> {llvm.noalias},
                %y: memref<?xf64> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %begin to %end step %c1 {
    %sum = scf.for %j = %c0 to %c100 step %c1 iter_args(%s = %zero) -> (f64) {
      %p = memref.load %a[%i, %j] : memref<?x100xf64>
      %q = memref.load %x[%j] : memref<100xf64>
      %r = arith.mulf %p, %q : f64
      %t = arith.addf %s, %r : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%i] : memref<?xf64>
  }
  return
}

// -----

// The inner bounds may be computed in the outer loop.
// CHECK-LABEL: @bounds
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[MOST:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[MOST]] step
// CHECK: scf.for
func.func @bounds(%a: memref<?x100xf64> {llvm.noalias}, %x: memref<100xf64> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %n step %c1 {
    %most = arith.minsi %n, %c100 : index
    scf.for %j = %c0 to %most step %c1 {
      %p = memref.load %x[%j] : memref<100xf64>
      memref.store %p, %a[%i, %j] : memref<?x100xf64>
    }
  }
  return
}

// -----

// Sums of columns: each sum is loaded and stored once for four rows, in order.
// CHECK-LABEL: @columns
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK-COUNT-4: memref.load %{{.*}} : memref<100xf64>
// CHECK: scf.for %[[J:.*]] = {{.*}} {
// CHECK: memref.store %{{.*}}, %[[Y:.*]][%[[J]]]
// CHECK: memref.load %[[Y]][%[[J]]]
// CHECK: memref.store %{{.*}}, %[[Y]][%[[J]]]
// CHECK: scf.for
func.func @columns(%a: memref<102x100xf64> {llvm.noalias}, %x: memref<100xf64> {llvm.noalias},
                   %y: memref<100xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c102 = arith.constant 102 : index
  scf.for %i = %c0 to %c102 step %c1 {
    %q = memref.load %x[%i] : memref<100xf64>
    scf.for %j = %c0 to %c100 step %c1 {
      %p = memref.load %a[%i, %j] : memref<102x100xf64>
      %r = arith.mulf %p, %q : f64
      %s = memref.load %y[%j] : memref<100xf64>
      %t = arith.addf %s, %r : f64
      memref.store %t, %y[%j] : memref<100xf64>
    }
  }
  return
}

// -----

// Not the last element that a loop stores, nor what an iteration reads of the
// iteration before, nor a triangle, nor without reuse, nor where memory may be
// the same.
// CHECK-LABEL: @left
// CHECK-NOT: arith.divui
func.func @left(%a: memref<100x100xf64> {llvm.noalias}, %x: memref<100xf64> {llvm.noalias},
                %y: memref<100xf64> {llvm.noalias}, %z: memref<100xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c100 step %c1 {
    scf.for %j = %c0 to %c100 step %c1 {
      %p = memref.load %x[%j] : memref<100xf64>
      memref.store %p, %y[%c0] : memref<100xf64>
    }
  }
  scf.for %i = %c0 to %c100 step %c1 {
    %old = memref.load %y[%c0] : memref<100xf64>
    %sum = scf.for %j = %c0 to %c100 step %c1 iter_args(%s = %old) -> (f64) {
      %q = memref.load %x[%j] : memref<100xf64>
      %t = arith.addf %s, %q : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%c0] : memref<100xf64>
  }
  scf.for %i = %c0 to %c100 step %c1 {
    %before = arith.subi %i, %c1 : index
    %sum = scf.for %j = %c0 to %c100 step %c1 iter_args(%s = %zero) -> (f64) {
      %p = memref.load %y[%before] : memref<100xf64>
      %q = memref.load %x[%j] : memref<100xf64>
      %r = arith.mulf %p, %q : f64
      %t = arith.addf %s, %r : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%i] : memref<100xf64>
  }
  scf.for %i = %c0 to %c100 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %p = memref.load %x[%j] : memref<100xf64>
      memref.store %p, %a[%i, %j] : memref<100x100xf64>
    }
  }
  scf.for %i = %c0 to %c100 step %c1 {
    scf.for %j = %c0 to %c100 step %c1 {
      %p = memref.load %a[%j, %i] : memref<100x100xf64>
      memref.store %p, %y[%j] : memref<100xf64>
    }
  }
  scf.for %i = %c0 to %c100 step %c1 {
    scf.for %j = %c0 to %c100 step %c1 {
      %p = memref.load %z[%j] : memref<100xf64>
      memref.store %p, %a[%i, %j] : memref<100x100xf64>
    }
  }
  return
}

// -----

// Two loops over a row, one after the other: each is jammed. The sums of rows are loaded and stored
// once for four rows.
// CHECK-LABEL: @sweep
// CHECK: %[[MIDDLE:.*]] = arith.addi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[MIDDLE]] step %{{.*}} {
// CHECK: %[[SUMS:.*]]:4 = scf.for
// CHECK: scf.for %[[J:.*]] = {{.*}} {
// CHECK: arith.mulf %[[SUMS]]#0
// CHECK: memref.store %{{.*}}, %[[Z:.*]][%[[J]]]
// CHECK: arith.mulf %[[SUMS]]#3
// CHECK: memref.store %{{.*}}, %[[Z]][%[[J]]]
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to
func.func @sweep(%a: memref<102x100xf64> {llvm.noalias}, %x: memref<100xf64> {llvm.noalias},
                 %y: memref<102xf64> {llvm.noalias}, %z: memref<100xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c102 = arith.constant 102 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c102 step %c1 {
    %sum = scf.for %j = %c0 to %c100 step %c1 iter_args(%s = %zero) -> (f64) {
      %p = memref.load %a[%i, %j] : memref<102x100xf64>
      %q = memref.load %x[%j] : memref<100xf64>
      %r = arith.mulf %p, %q : f64
      %t = arith.addf %s, %r : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%i] : memref<102xf64>
    scf.for %j = %c0 to %c100 step %c1 {
      %p = memref.load %a[%i, %j] : memref<102x100xf64>
      %r = arith.mulf %sum, %p : f64
      %s = memref.load %z[%j] : memref<100xf64>
      %t = arith.addf %s, %r : f64
      memref.store %t, %z[%j] : memref<100xf64>
    }
  }
  return
}

// -----

// The second loop stores what the first one loads, and two loops store to one buffer.
// CHECK-LABEL: @dependent
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @dependent(%x: memref<100xf64> {llvm.noalias}, %y: memref<102xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c102 = arith.constant 102 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c102 step %c1 {
    %sum = scf.for %j = %c0 to %c100 step %c1 iter_args(%s = %zero) -> (f64) {
      %q = memref.load %x[%j] : memref<100xf64>
      %t = arith.addf %s, %q : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%i] : memref<102xf64>
    scf.for %j = %c0 to %c100 step %c1 {
      %s = memref.load %x[%j] : memref<100xf64>
      %t = arith.addf %s, %sum : f64
      memref.store %t, %x[%j] : memref<100xf64>
    }
  }
  return
}

// -----

// Nor with another step than one, nor where a buffer is stored to twice.
// CHECK-LABEL: @steps
// CHECK-NOT: arith.divui
func.func @steps(%a: memref<100x100xf64> {llvm.noalias}, %x: memref<100xf64> {llvm.noalias},
                 %y: memref<100xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c100 step %c2 {
    %sum = scf.for %j = %c0 to %c100 step %c1 iter_args(%s = %zero) -> (f64) {
      %p = memref.load %a[%i, %j] : memref<100x100xf64>
      %q = memref.load %x[%j] : memref<100xf64>
      %r = arith.mulf %p, %q : f64
      %t = arith.addf %s, %r : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%i] : memref<100xf64>
  }
  scf.for %i = %c0 to %c100 step %c1 {
    %q = memref.load %x[%i] : memref<100xf64>
    scf.for %j = %c0 to %c100 step %c1 {
      %p = memref.load %a[%i, %j] : memref<100x100xf64>
      %r = arith.mulf %p, %q : f64
      %s = memref.load %y[%j] : memref<100xf64>
      %t = arith.addf %s, %r : f64
      memref.store %t, %y[%j] : memref<100xf64>
      memref.store %r, %y[%c0] : memref<100xf64>
    }
  }
  return
}
