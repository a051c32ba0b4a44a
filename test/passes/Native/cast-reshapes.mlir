// RUN: ingot-opt %s --cast-reshapes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @flat
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [20, 12], strides: [12, 1] : memref<20x3x4xf64> to memref<20x12xf64>
// CHECK: memref.load %[[FLAT]][%arg1, %arg1]
func.func @flat(%a: memref<20x3x4xf64>, %i: index) -> f64 {
  %0 = memref.collapse_shape %a [[0], [1, 2]] : memref<20x3x4xf64> into memref<20x12xf64>
  %1 = memref.load %0[%i, %i] : memref<20x12xf64>
  return %1 : f64
}

// -----

// Memory with gaps, and of unknown size.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: memref.collapse_shape
// CHECK-NOT: memref.reinterpret_cast
func.func @others(%a: memref<20x4xf64, strided<[8, 2]>>, %b: memref<?x4xf64>, %i: index) -> (f64, f64) {
  %0 = memref.collapse_shape %a [[0, 1]] : memref<20x4xf64, strided<[8, 2]>> into memref<80xf64, strided<[2]>>
  %1 = memref.collapse_shape %b [[0, 1]] : memref<?x4xf64> into memref<?xf64>
  %2 = memref.load %0[%i] : memref<80xf64, strided<[2]>>
  %3 = memref.load %1[%i] : memref<?xf64>
  return %2, %3 : f64, f64
}
