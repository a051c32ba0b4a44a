// RUN: ingot-opt %s --place-allocations --split-input-file | FileCheck %s
// RUN: ingot-opt %s --place-allocations=stack=0 --split-input-file | FileCheck %s --check-prefix=HEAP

// A buffer of a loop is on the stack from the entry on.
// CHECK-LABEL: @loop
// CHECK-NEXT: %[[M:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xf64>
// CHECK: scf.for
// CHECK-NEXT: memref.store %{{.*}}, %[[M]]
// CHECK-NOT: dealloc
// HEAP-LABEL: @loop
// HEAP-NEXT: %[[M:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
// HEAP: scf.for
// HEAP-NEXT: %[[V:.*]] = memref.view %[[M]][%{{.*}}][] : memref<64xi8> to memref<8xf64>
// HEAP-NEXT: memref.store %{{.*}}, %[[V]]
// HEAP: memref.dealloc %[[M]]
// HEAP-NEXT: return
func.func @loop(%n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<8xf64>
    memref.store %x, %m[%c0] : memref<8xf64>
    memref.dealloc %m : memref<8xf64>
  }
  return
}

// -----

// Only what is too large for the stack is on the heap.
// CHECK-LABEL: @large
// CHECK-DAG: memref.alloca() {{.*}} : memref<f64>
// CHECK-DAG: memref.alloc() {{.*}} : memref<24000xi8>
func.func @large(%x: f64, %i: index) {
  %a = memref.alloc() : memref<3000xf64>
  %b = memref.alloc() : memref<f64>
  memref.store %x, %a[%i] : memref<3000xf64>
  memref.store %x, %b[] : memref<f64>
  return
}

// -----

// The first two are used together. The third takes the memory of the smallest
// that is free and large enough, and the fourth makes it larger.
// HEAP-LABEL: @one_after_the_other
// HEAP-DAG: %[[X:.*]] = memref.alloc() {{.*}} : memref<80xi8>
// HEAP-DAG: %[[Y:.*]] = memref.alloc() {{.*}} : memref<240xi8>
// HEAP-NOT: memref.alloc()
// HEAP: memref.view %[[X]]{{.*}} to memref<10xf64>
// HEAP: memref.view %[[Y]]{{.*}} to memref<20xf64>
// HEAP: memref.view %[[X]]{{.*}} to memref<5xf64>
// HEAP: memref.view %[[Y]]{{.*}} to memref<30xf64>
func.func @one_after_the_other(%x: f64, %i: index) {
  %a = memref.alloc() : memref<10xf64>
  %b = memref.alloc() : memref<20xf64>
  memref.copy %a, %a : memref<10xf64> to memref<10xf64>
  memref.store %x, %b[%i] : memref<20xf64>
  memref.store %x, %a[%i] : memref<10xf64>
  %c = memref.alloc() : memref<5xf64>
  memref.store %x, %c[%i] : memref<5xf64>
  %d = memref.alloc() : memref<30xf64>
  memref.store %x, %d[%i] : memref<30xf64>
  memref.store %x, %c[%i] : memref<5xf64>
  return
}

// -----

// A view is used as long as its buffer.
// HEAP-LABEL: @views
// HEAP-COUNT-2: memref.alloc()
func.func @views(%x: f64, %i: index) {
  %a = memref.alloc() : memref<10xf64>
  %v = memref.subview %a[2] [4] [1] : memref<10xf64> to memref<4xf64, strided<[1], offset: 2>>
  %b = memref.alloc() : memref<10xf64>
  memref.store %x, %b[%i] : memref<10xf64>
  memref.store %x, %v[%i] : memref<4xf64, strided<[1], offset: 2>>
  return
}

// -----

// What a condition selects is used as long as the result.
// HEAP-LABEL: @selected
// HEAP-SAME: ingot.memory = 240
func.func @selected(%c: i1, %x: f64, %i: index) -> f64 {
  %a = memref.alloc() : memref<10xf64>
  %b = memref.alloc() : memref<10xf64>
  memref.store %x, %a[%i] : memref<10xf64>
  memref.store %x, %b[%i] : memref<10xf64>
  %s = arith.select %c, %a, %b : memref<10xf64>
  %n = memref.alloc() : memref<10xf64>
  memref.store %x, %n[%i] : memref<10xf64>
  %y = memref.load %s[%i] : memref<10xf64>
  return %y : f64
}

// -----

// A copy of a slice has room for the whole axis.
// CHECK-LABEL: @slice
// CHECK: memref.alloc() {{.*}} : memref<240xi8>
// CHECK: memref.view %{{.*}}[%{{.*}}][%[[N:.*]]] : memref<240xi8> to memref<?xf64>
func.func @slice(%a: memref<7x30xf64>, %n: index) {
  %v = memref.subview %a[3, 0] [1, %n] [1, 1]
    : memref<7x30xf64> to memref<?xf64, strided<[1], offset: 90>>
  %m = memref.alloc(%n) : memref<?xf64>
  memref.copy %v, %m : memref<?xf64, strided<[1], offset: 90>> to memref<?xf64>
  return
}

// -----

// A buffer without a bound lives as long as its block runs.
// CHECK-LABEL: @unbounded
// CHECK: scf.for
// CHECK-NEXT: %[[M:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK-NEXT: memref.store
// CHECK-NEXT: memref.dealloc %[[M]]
// CHECK-NEXT: }
func.func @unbounded(%n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc(%n) : memref<?xf64>
    memref.store %x, %m[%c0] : memref<?xf64>
  }
  return
}

// -----

// Complex numbers, booleans and indices.
// HEAP-LABEL: @elements
// HEAP-DAG: memref<48xi8>
// HEAP-DAG: memref<3xi8>
// HEAP-DAG: memref<24xi8>
func.func @elements(%i: index) -> (complex<f64>, i1, index) {
  %a = memref.alloc() : memref<3xcomplex<f64>>
  %b = memref.alloc() : memref<3xi1>
  %c = memref.alloc() : memref<3xindex>
  %x = memref.load %a[%i] : memref<3xcomplex<f64>>
  %y = memref.load %b[%i] : memref<3xi1>
  %z = memref.load %c[%i] : memref<3xindex>
  memref.copy %a, %a : memref<3xcomplex<f64>> to memref<3xcomplex<f64>>
  memref.copy %b, %b : memref<3xi1> to memref<3xi1>
  memref.copy %a, %a : memref<3xcomplex<f64>> to memref<3xcomplex<f64>>
  memref.copy %c, %c : memref<3xindex> to memref<3xindex>
  memref.copy %b, %b : memref<3xi1> to memref<3xi1>
  memref.copy %a, %a : memref<3xcomplex<f64>> to memref<3xcomplex<f64>>
  return %x, %y, %z : complex<f64>, i1, index
}

// -----

// CHECK-LABEL: @declaration
func.func private @declaration()
