// RUN: ingot-opt %s --copies-to-loops | FileCheck %s

// CHECK-LABEL: @contiguous
// CHECK: memref.copy
func.func @contiguous(%a: memref<4x5xf64>, %b: memref<4x5xf64>) {
  memref.copy %a, %b : memref<4x5xf64> to memref<4x5xf64>
  return
}

// CHECK-LABEL: @strided
// CHECK-SAME: %[[A:.*]]: memref<4xf64, {{.*}}>, %[[B:.*]]: memref<4xf64>
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%[[B]] : {{.*}})
func.func @strided(%a: memref<4xf64, strided<[5], offset: ?>>, %b: memref<4xf64>) {
  memref.copy %a, %b : memref<4xf64, strided<[5], offset: ?>> to memref<4xf64>
  return
}
