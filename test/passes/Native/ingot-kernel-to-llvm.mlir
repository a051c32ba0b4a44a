// RUN: ingot-opt %s --ingot-kernel-to-llvm | FileCheck %s
// RUN: ingot-opt %s --ingot-kernel-to-llvm=without=fuse-loops,jam-loops | FileCheck %s
// RUN: ingot-opt %s --ingot-kernel-to-llvm=without=fuse-loops -dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE

// PIPELINE-NOT: fuse-loops
// PIPELINE: hoist-reads
// PIPELINE: jam-loops

// Computed in the result's memory: nothing is allocated or copied.
// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: (%[[A:.*]]: !llvm.ptr {llvm.noalias, llvm.nonnull}, %[[O:.*]]: !llvm.ptr {llvm.noalias, llvm.nonnull})
// CHECK-SAME: ingot.frame = array<i64: 0, -1>
// CHECK-NOT: call @{{malloc|aligned_alloc}}
// CHECK-NOT: alloca
// CHECK-NOT: memcpy
// CHECK: llvm.load
// CHECK: llvm.intr.exp
// CHECK: llvm.store
func.func @kernel(%a: tensor<9xf64>) -> tensor<9xf64> {
  %0 = ingot.exp %a : tensor<9xf64>
  return %0 : tensor<9xf64>
}
