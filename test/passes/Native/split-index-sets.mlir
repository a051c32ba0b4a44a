// RUN: ingot-opt %s --split-index-sets='least=16' --canonicalize --split-input-file | FileCheck %s

// An array that is added to at the border of another one: the rows and columns that are inside of it
// have no branches, in the short rows as well.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: (%[[X:.*]]: memref<8x8xf64>, %[[Y:.*]]: memref<10x10xf64>)
// CHECK: memref.subview %[[Y]][0, 0] [1, 1] [1, 1]
// CHECK: %[[TOP:.*]] = memref.subview %[[Y]][0, 1] [1, 8] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[TOP]]
// CHECK-NOT: memref.load
// CHECK: memref.subview %[[Y]][0, 9] [1, 1] [1, 1]
// CHECK: %[[LEFT:.*]] = memref.subview %[[Y]][1, 0] [8, 1] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[LEFT]]
// CHECK: %[[MIDDLE:.*]] = memref.subview %[[Y]][1, 1] [8, 8] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[MIDDLE]]
// CHECK-NOT: scf.if
// CHECK: memref.load
// CHECK-NOT: scf.if
// CHECK: linalg.yield
// CHECK: %[[RIGHT:.*]] = memref.subview %[[Y]][1, 9] [8, 1] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[RIGHT]]
// CHECK: %[[BOTTOM:.*]] = memref.subview %[[Y]][9, 1] [1, 8] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[BOTTOM]]
func.func @padded(%x: memref<8x8xf64>, %y: memref<10x10xf64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%y : memref<10x10xf64>) {
  ^bb0(%old: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %zero = arith.constant 0.0 : f64
    %one = arith.constant 1 : index
    %nine = arith.constant 9 : index
    %0 = arith.cmpi sge, %i, %one : index
    %1 = arith.cmpi slt, %i, %nine : index
    %2 = arith.cmpi sge, %j, %one : index
    %3 = arith.cmpi slt, %j, %nine : index
    %4 = arith.andi %0, %1 : i1
    %5 = arith.andi %4, %2 : i1
    %6 = arith.andi %5, %3 : i1
    %7 = scf.if %6 -> (f64) {
      %minus = arith.constant -1 : index
      %k = arith.addi %i, %minus : index
      %l = arith.addi %j, %minus : index
      %9 = memref.load %x[%k, %l] : memref<8x8xf64>
      scf.yield %9 : f64
    } else {
      scf.yield %zero : f64
    }
    %8 = arith.addf %old, %7 : f64
    linalg.yield %8 : f64
  }
  return
}

// -----

// Halves are both long. The index of the second one begins at 0, too.
// CHECK-LABEL: func.func @halves
// CHECK-SAME: (%[[X:.*]]: memref<16xf64>, %[[Y:.*]]: memref<32xf64>)
// CHECK: memref.subview %[[Y]][0] [16] [1]
// CHECK: linalg.generic
// CHECK-NOT: memref.load
// CHECK: linalg.yield
// CHECK: memref.subview %[[Y]][16] [16] [1]
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: memref.load %[[X]][%[[I]]]
func.func @halves(%x: memref<16xf64>, %y: memref<32xf64>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<32xf64>) {
  ^bb0(%old: f64):
    %i = linalg.index 0 : index
    %zero = arith.constant 0.0 : f64
    %minus = arith.constant -16 : index
    %first = arith.constant 0 : index
    %k = arith.addi %i, %minus : index
    %0 = arith.cmpi sge, %k, %first : index
    %1 = scf.if %0 -> (f64) {
      %2 = memref.load %x[%k] : memref<16xf64>
      scf.yield %2 : f64
    } else {
      scf.yield %zero : f64
    }
    linalg.yield %1 : f64
  }
  return
}

// -----

// Not where few iterations have the same value of the condition, a sum's order would change, or
// there are few iterations at all.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: memref.subview
#same = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @kept(%x: memref<32xf64>, %y: memref<32xf64>, %sum: memref<f64>, %few: memref<8xf64>, %n: index) {
  linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%y : memref<32xf64>) {
  ^bb0(%old: f64):
    %i = linalg.index 0 : index
    %0 = arith.cmpi slt, %i, %n : index
    %1 = scf.if %0 -> (f64) {
      %2 = memref.load %x[%i] : memref<32xf64>
      scf.yield %2 : f64
    } else {
      scf.yield %old : f64
    }
    linalg.yield %1 : f64
  }
  linalg.generic {indexing_maps = [#same, #none], iterator_types = ["reduction"]} ins(%y : memref<32xf64>) outs(%sum : memref<f64>) {
  ^bb0(%in: f64, %old: f64):
    %i = linalg.index 0 : index
    %c = arith.constant 30 : index
    %0 = arith.cmpi slt, %i, %c : index
    %1 = scf.if %0 -> (f64) {
      %2 = memref.load %x[%i] : memref<32xf64>
      scf.yield %2 : f64
    } else {
      scf.yield %old : f64
    }
    %3 = arith.addf %old, %1 : f64
    linalg.yield %3 : f64
  }
  linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%few : memref<8xf64>) {
  ^bb0(%old: f64):
    %i = linalg.index 0 : index
    %c = arith.constant 4 : index
    %0 = arith.cmpi slt, %i, %c : index
    %1 = scf.if %0 -> (f64) {
      %2 = memref.load %x[%i] : memref<32xf64>
      scf.yield %2 : f64
    } else {
      scf.yield %old : f64
    }
    linalg.yield %1 : f64
  }
  return
}
