// RUN: ingot-opt %s --outline-parallel-loops=least=1000 --split-input-file | FileCheck %s

// Elementwise code: the function runs a range of the first loop that is long.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[X:.*]]: memref<2x4000xf64> {llvm.noalias}, %[[Y:.*]]: memref<2x4000xf64> {llvm.noalias})
// CHECK: %[[END:.*]] = arith.constant 4000 : index
// CHECK: call @elementwise.part(%{{.*}}, %[[END]], %[[X]], %[[Y]])
// CHECK-NEXT: return
// CHECK: func.func private @elementwise.part
// CHECK-SAME: (%[[FROM:.*]]: index, %[[TO:.*]]: index, %[[A:.*]]: memref<2x4000xf64> {llvm.noalias}, %[[B:.*]]: memref<2x4000xf64> {llvm.noalias})
// CHECK-SAME: ingot.shared = array<i64: 166, 3>
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NEXT: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @elementwise(%x: memref<2x4000xf64> {llvm.noalias}, %y: memref<2x4000xf64> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<2x4000xf64>) outs(%y : memref<2x4000xf64>) {
  ^bb0(%v: f64, %old: f64):
    %r = arith.addf %v, %v : f64
    linalg.yield %r : f64
  }
  return
}

// -----

// What a loop computes of positions is no work for each element: this one is too short.
// CHECK-LABEL: func.func @of_positions
// CHECK-NOT: call
// CHECK: linalg.generic
#line = affine_map<(d0) -> (d0)>
func.func @of_positions(%x: memref<400xf64> {llvm.noalias}, %y: memref<400xf64> {llvm.noalias}) {
  %c2 = arith.constant 2 : index
  %c300 = arith.constant 300 : index
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%x : memref<400xf64>) outs(%y : memref<400xf64>) {
  ^bb0(%v: f64, %old: f64):
    %i = linalg.index 0 : index
    %above = arith.cmpi sge, %i, %c2 : index
    %below = arith.cmpi slt, %i, %c300 : index
    %within = arith.andi %above, %below : i1
    %s = arith.select %within, %v, %old : f64
    linalg.yield %s : f64
  }
  return
}

// -----

// Sums of columns are shared by columns; short pieces would read short rows.
// CHECK-LABEL: func.func @columns
// CHECK: call @columns.part
// CHECK: func.func private @columns.part(%[[FROM:.*]]: index, %[[TO:.*]]: index
// CHECK-SAME: ingot.shared = array<i64: {{.*}}, 1>
// CHECK: scf.for
// CHECK-NEXT: scf.for %{{.*}} = %[[FROM]] to %[[TO]]
#all = affine_map<(d0, d1) -> (d0, d1)>
#second = affine_map<(d0, d1) -> (d1)>
func.func @columns(%x: memref<100x100xf64> {llvm.noalias}, %y: memref<100xf64> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #second], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<100x100xf64>) outs(%y : memref<100xf64>) {
  ^bb0(%v: f64, %old: f64):
    %r = arith.addf %v, %old : f64
    linalg.yield %r : f64
  }
  return
}

// -----

// A marked loop has its views in the function, and the numbers as parameters.
// CHECK-LABEL: func.func @marked
// CHECK: %[[M:.*]] = memref.alloc
// CHECK: call @marked.part(%{{.*}}, %{{.*}}, %{{.*}}, %[[M]], %{{.*}})
// CHECK: func.func private @marked.part
// CHECK-SAME: %{{.*}}: f64, %[[P:.*]]: memref<80000xi8> {llvm.noalias}, %{{.*}}: index
// CHECK-SAME: ingot.shared = array<i64: {{.*}}, 4>
// CHECK: %[[V:.*]] = memref.view %[[P]]
// CHECK: %[[S:.*]] = memref.subview %[[V]]
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[S]]
func.func @marked(%x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5000 = arith.constant 5000 : index
  %m = memref.alloc() : memref<80000xi8>
  %v = memref.view %m[%c0][] : memref<80000xi8> to memref<10000xf64>
  %s = memref.subview %v[%n] [5000] [1] : memref<10000xf64> to memref<5000xf64, strided<[1], offset: ?>>
  scf.for %i = %c0 to %c5000 step %c1 {
    memref.store %x, %s[%i] : memref<5000xf64, strided<[1], offset: ?>>
  } {ingot.parallel = 1 : i64}
  return
}

// -----

// Short ones, those without the mark, and those that store intermediate results
// stay.
// CHECK-LABEL: func.func @left
// CHECK-NOT: call
func.func @left(%x: f64, %y: memref<100xf64>, %z: memref<10000xf64>, %t: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c10000 = arith.constant 10000 : index
  linalg.fill ins(%x : f64) outs(%y : memref<100xf64>)
  scf.for %i = %c0 to %c10000 step %c1 {
    memref.store %x, %z[%i] : memref<10000xf64>
  }
  scf.for %i = %c0 to %c10000 step %c1 {
    memref.store %x, %t[] : memref<f64>
    %v = memref.load %t[] : memref<f64>
    memref.store %v, %z[%i] : memref<10000xf64>
  } {ingot.parallel = 1 : i64}
  return
}

// -----

// Memory that may be the same is not said to be other.
// CHECK-LABEL: func.func @chosen
// CHECK: func.func private @chosen.part(%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<10000xf64>, %{{.*}}: f64)
func.func @chosen(%x: f64, %c: i1, %y: memref<10000xf64> {llvm.noalias}) {
  %m = memref.alloc() : memref<10000xf64>
  %z = arith.select %c, %y, %m : memref<10000xf64>
  linalg.fill ins(%x : f64) outs(%z : memref<10000xf64>)
  return
}

// -----

// How many iterations there are is known at run time: the estimate is that of the whole array, but
// threads are counted by the iterations that there are.
// CHECK-LABEL: func.func @slice
// CHECK-SAME: %[[N:[a-z0-9]*]]: index)
// CHECK: call @slice.part(%{{.*}}, %[[N]],
// CHECK: func.func private @slice.part
// CHECK-SAME: ingot.shared = array<i64: 333, 4>
#line = affine_map<(d0) -> (d0)>
func.func @slice(%x: memref<4000xf64> {llvm.noalias}, %y: memref<4000xf64> {llvm.noalias}, %n: index) {
  %a = memref.subview %x[0] [%n] [1] : memref<4000xf64> to memref<?xf64, strided<[1]>>
  %b = memref.subview %y[0] [%n] [1] : memref<4000xf64> to memref<?xf64, strided<[1]>>
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%a : memref<?xf64, strided<[1]>>) outs(%b : memref<?xf64, strided<[1]>>) {
  ^bb0(%v: f64, %old: f64):
    %r = arith.addf %v, %v : f64
    linalg.yield %r : f64
  }
  return
}
