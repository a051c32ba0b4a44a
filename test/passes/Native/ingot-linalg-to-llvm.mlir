// RUN: ingot-opt %s --ingot-linalg-to-llvm | FileCheck %s

// Computed in the result's memory: nothing is allocated or copied.
// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: (%[[A:.*]]: !llvm.ptr {llvm.noalias}, %[[O:.*]]: !llvm.ptr)
// CHECK-SAME: ingot.frame = array<i64: 0, -1>
// CHECK-NOT: call @{{malloc|aligned_alloc}}
// CHECK-NOT: alloca
// CHECK-NOT: memcpy
// CHECK: llvm.load
// CHECK: llvm.intr.exp
// CHECK: llvm.store
func.func @kernel(%a: memref<9xf64> {llvm.noalias}, %o: memref<9xf64>)
    attributes {ingot.frame = array<i64: 0, -1>} {
  %x = bufferization.to_tensor %a restrict : memref<9xf64> to tensor<9xf64>
  %e = bufferization.to_tensor %o restrict writable : memref<9xf64> to tensor<9xf64>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<9xf64>) outs(%e : tensor<9xf64>) {
  ^bb0(%v: f64, %old: f64):
    %r = math.exp %v : f64
    linalg.yield %r : f64
  } -> tensor<9xf64>
  bufferization.materialize_in_destination %y in restrict writable %o
    : (tensor<9xf64>, memref<9xf64>) -> ()
  return
}
