// RUN: ingot-opt %s --outline-nests=most=1 --split-input-file | FileCheck %s
// RUN: ingot-opt %s --outline-nests=most=2 --split-input-file | FileCheck %s --check-prefix=FEW
// FEW-NOT: call @

// Each nest becomes a function, which takes buffers and numbers, and has its own constants.
// CHECK-LABEL: func.func @two
// CHECK-SAME: (%[[X:.*]]: memref<400xf64> {llvm.noalias}, %[[Y:.*]]: memref<400xf64> {llvm.noalias}, %[[S:.*]]: f64)
// CHECK-NOT: linalg.generic
// CHECK: call @two.nest{{.*}}(%[[X]], %[[Y]]) : (memref<400xf64>, memref<400xf64>) -> ()
// CHECK: call @two.nest{{.*}}(%[[S]], %[[Y]], %[[X]]) : (f64, memref<400xf64>, memref<400xf64>) -> ()
// CHECK: func.func private @two.nest{{.*}}(%{{.*}}: memref<400xf64> {llvm.noalias}, %{{.*}}: memref<400xf64> {llvm.noalias})
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]
// CHECK: arith.constant 2.0
// CHECK: linalg.generic
// CHECK: func.func private @two.nest
#line = affine_map<(d0) -> (d0)>
func.func @two(%x: memref<400xf64> {llvm.noalias}, %y: memref<400xf64> {llvm.noalias}, %s: f64) {
  %two = arith.constant 2.0 : f64
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%x : memref<400xf64>) outs(%y : memref<400xf64>) {
  ^bb0(%v: f64, %old: f64):
    %r = arith.mulf %v, %two : f64
    linalg.yield %r : f64
  }
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%y : memref<400xf64>) outs(%x : memref<400xf64>) {
  ^bb0(%v: f64, %old: f64):
    %r = arith.mulf %v, %s : f64
    linalg.yield %r : f64
  }
  return
}

// -----

// A call would take longer than four elements, a library's products are calls already, and what
// is known of buffers that may be the same memory is known here only.
// CHECK-LABEL: func.func @not
// CHECK-NOT: call @
#line = affine_map<(d0) -> (d0)>
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @not(%x: memref<4xf64> {llvm.noalias}, %y: memref<400xf64>, %z: memref<400xf64>,
               %a: memref<90x90xf64> {llvm.noalias}, %b: memref<90x90xf64> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]}
      outs(%x : memref<4xf64>) {
  ^bb0(%old: f64):
    %r = arith.mulf %old, %old : f64
    linalg.yield %r : f64
  }
  linalg.generic {indexing_maps = [#left, #right, #result],
                  iterator_types = ["parallel", "parallel", "reduction"], library_call = "multiply"}
      ins(%a, %a : memref<90x90xf64>, memref<90x90xf64>) outs(%b : memref<90x90xf64>) {
  ^bb0(%u: f64, %v: f64, %old: f64):
    %p = arith.mulf %u, %v : f64
    %r = arith.addf %old, %p : f64
    linalg.yield %r : f64
  }
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%y : memref<400xf64>) outs(%z : memref<400xf64>) {
  ^bb0(%v: f64, %old: f64):
    %r = arith.mulf %v, %v : f64
    linalg.yield %r : f64
  }
  return
}
