// The order of the passes in each registered pipeline, one pass a line.

// DEFINE: %{run} =
// DEFINE: %{passes} = ingot-opt %s --dump-pass-pipeline %{run} 2>&1 | grep '^ .*[a-z]' | grep -v 'func\.func($'

// REDEFINE: %{run} = --ingot-expand
// RUN: %{passes} | FileCheck %s --check-prefix=EXPAND --match-full-lines
//      EXPAND: canonicalize{{.*}}region-simplify=disabled{{.*}}top-down=true},
// EXPAND-NEXT: share-equal,
// EXPAND-NEXT: hoist-parts
// EXPAND-NEXT: sink-updates
// EXPAND-NEXT: expand-transformations{counts-known=false},
// EXPAND-NEXT: resolve-absent-tangents
//  EXPAND-NOT: {{.}}

// REDEFINE: %{run} = --ingot-expand=counts-known
// RUN: %{passes} | FileCheck %s --check-prefix=COUNTS
// COUNTS: expand-transformations{counts-known=true}

// REDEFINE: %{run} = --ingot-check-batch='batch=7 open=14,21'
// RUN: %{passes} | FileCheck %s --check-prefix=BATCH --match-full-lines
//      BATCH: inline-rules{}
// BATCH-NEXT: canonicalize{{.*}}
// BATCH-NEXT: share-equal,
// BATCH-NEXT: check-batch{batch=7 open={14,21}}
//  BATCH-NOT: {{.}}

// REDEFINE: %{run} = --ingot-to-stablehlo
// RUN: %{passes} | FileCheck %s --check-prefix=DEFAULT --match-full-lines
//      DEFAULT: inline-rules{}
// DEFAULT-NEXT: canonicalize{{.*}}region-simplify=disabled{{.*}}top-down=true},
// DEFAULT-NEXT: share-equal,
// DEFAULT-NEXT: relax-products
// DEFAULT-NEXT: sum-operands
// DEFAULT-NEXT: factor-products
// DEFAULT-NEXT: scale-products
// DEFAULT-NEXT: narrow-products
// DEFAULT-NEXT: sink-updates
// DEFAULT-NEXT: forward-updates
// DEFAULT-NEXT: prune-carried
// DEFAULT-NEXT: loop-invariant-code-motion,
// DEFAULT-NEXT: distribute-loops
// DEFAULT-NEXT: raise-products
// DEFAULT-NEXT: raise-additions
// DEFAULT-NEXT: prune-carried
// DEFAULT-NEXT: factor-products
// DEFAULT-NEXT: broadcast-products
// DEFAULT-NEXT: hoist-checks
// DEFAULT-NEXT: select-branches
// DEFAULT-NEXT: turn-loops
// DEFAULT-NEXT: promote-elements{elements=false}
// DEFAULT-NEXT: raise-loops{gather-cost=32 most-bytes=262144 recurrences=false}
// DEFAULT-NEXT: cancel-transposes
// DEFAULT-NEXT: contract-sums{least=512}
// DEFAULT-NEXT: absorb-negations
// DEFAULT-NEXT: guard-products{large=false}
// DEFAULT-NEXT: keep-last-stores
// DEFAULT-NEXT: expand-nonzero
// DEFAULT-NEXT: order-reads
// DEFAULT-NEXT: separate-updates
// DEFAULT-NEXT: separate-compared
// DEFAULT-NEXT: lower-effects,
// DEFAULT-NEXT: outline-products{least=32},
// DEFAULT-NEXT: lower-to-stablehlo,
// DEFAULT-NEXT: share-constants
// DEFAULT-NEXT: keep-roundings,
// DEFAULT-NEXT: lower-shardings
//  DEFAULT-NOT: {{.}}

// REDEFINE: %{run} = --ingot-to-stablehlo='precise strict-fp trap-nans rules extra={func.func(prune-carried),canonicalize{max-iterations=3}} call-libraries functions=inv,svd vectorised=exp/f64,log/f32'
// RUN: %{passes} | FileCheck %s --check-prefix=ALL --match-full-lines
//      ALL: inline-rules{functions={inv,svd}}
// ALL-NEXT: canonicalize{{.*}}
// ALL-NEXT: share-equal,
// ALL-NEXT: apply-rewrites{rules=},
// ALL-NEXT: canonicalize{{.*}}
// ALL-NEXT: share-equal,
// ALL-NEXT: prune-carried
// ALL-NEXT: canonicalize{{.*}}max-iterations=3{{.*}}
// ALL-NEXT: trap-nans
// ALL-NEXT: relax-products
// ALL-NEXT: sink-updates
// ALL-NEXT: forward-updates
// ALL-NEXT: prune-carried
// ALL-NEXT: loop-invariant-code-motion,
// ALL-NEXT: broadcast-products
// ALL-NEXT: cancel-transposes
// ALL-NEXT: call-linalg{functions={inv,svd}}
// ALL-NEXT: absorb-negations
// ALL-NEXT: guard-products{large=false}
// ALL-NEXT: expand-nonzero
// ALL-NEXT: chunk-reductions{size=256}
// ALL-NEXT: order-reads
// ALL-NEXT: separate-updates
// ALL-NEXT: separate-compared
// ALL-NEXT: lower-effects,
// ALL-NEXT: call-libraries{lapack-only=false vectorised={exp/f64,log/f32}}
// ALL-NEXT: align-arguments{least=1048576},
// ALL-NEXT: outline-products{least=32},
// ALL-NEXT: lower-to-stablehlo,
// ALL-NEXT: share-constants
// ALL-NEXT: strict-fp,
// ALL-NEXT: lower-shardings
//  ALL-NOT: {{.}}

// REDEFINE: %{run} = --ingot-to-stablehlo='call-libraries donate'
// RUN: %{passes} | FileCheck %s --check-prefix=DONATE
//     DONATE: call-libraries
// DONATE-NOT: align-arguments

// The values of all iterations of a loop may take more memory. Stores run in any order.
// REDEFINE: %{run} = --ingot-to-stablehlo='accelerator'
// RUN: %{passes} | FileCheck %s --check-prefix=ACCELERATOR
//      ACCELERATOR: raise-loops{gather-cost=1 most-bytes=67108864 recurrences=false}
// ACCELERATOR-NEXT: carry-stored
// ACCELERATOR-NEXT: raise-loops{gather-cost=1 most-bytes=67108864 recurrences=true}
//      ACCELERATOR: contract-sums{least=512}
// ACCELERATOR-NEXT: form-convolutions
//      ACCELERATOR: keep-last-stores
// ACCELERATOR-NEXT: split-complex-stores

// What other processes with jaxlib run calls LAPACK, and nothing of this process.
// REDEFINE: %{run} = --ingot-to-stablehlo='call-lapack vectorised=exp/f64'
// RUN: %{passes} | FileCheck %s --check-prefix=LAPACK
// LAPACK-NOT: chunk-reductions
//     LAPACK: call-libraries{lapack-only=true
// LAPACK-NOT: align-arguments

// Checks are not hoisted, and are values before kernels are made of what takes them.
// REDEFINE: %{run} = --ingot-to-stablehlo='native call-libraries functions=eig'
// RUN: %{passes} | FileCheck %s --check-prefix=NATIVE --match-full-lines
//      NATIVE: loop-invariant-code-motion,
// NATIVE-NEXT: distribute-loops
// NATIVE-NEXT: raise-products
// NATIVE-NEXT: raise-additions
// NATIVE-NEXT: prune-carried
// NATIVE-NEXT: factor-products
// NATIVE-NEXT: broadcast-products
// NATIVE-NEXT: promote-elements{elements=true}
// NATIVE-NEXT: cancel-transposes
// NATIVE-NEXT: call-linalg{functions={eig}}
// NATIVE-NEXT: contract-sums{least=2097152}
// NATIVE-NEXT: absorb-negations
// NATIVE-NEXT: lower-effects,
// NATIVE-NEXT: guard-products{large=true}
// NATIVE-NEXT: canonicalize{{.*}}
// NATIVE-NEXT: share-equal,
// NATIVE-NEXT: form-fusions{least=1024}
// NATIVE-NEXT: outline-fusions{strict=false },
// NATIVE-NEXT: guard-products{large=false}
// NATIVE-NEXT: expand-nonzero
// NATIVE-NEXT: chunk-reductions{size=256}

// RUN: not ingot-opt %s --ingot-to-stablehlo='extra=func.func(nothing)' 2>&1 | FileCheck %s --check-prefix=EXTRA
// EXTRA: 'nothing' does not refer to a registered pass

// RUN: not ingot-opt %s --ingot-to-stablehlo=fast 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option fast

// What only makes code faster can be left out.
// REDEFINE: %{run} = --ingot-to-stablehlo='without=factor-products,raise-products,raise-loops,form-fusions,lower-to-stablehlo'
// RUN: %{passes} | FileCheck %s --check-prefix=WITHOUT --match-full-lines
//      WITHOUT: relax-products
// WITHOUT-NEXT: sum-operands
// WITHOUT-NEXT: scale-products
//      WITHOUT: distribute-loops
// WITHOUT-NEXT: raise-additions
// WITHOUT-NEXT: prune-carried
// WITHOUT-NEXT: broadcast-products
//      WITHOUT: promote-elements{elements=false}
// WITHOUT-NEXT: cancel-transposes
// WITHOUT-NEXT: contract-sums{{.*}}
// WITHOUT-NEXT: absorb-negations
//      WITHOUT: lower-to-stablehlo,
// RUN: not ingot-opt %s --ingot-to-stablehlo='without=raise-loops,nothing' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: there is no pass `nothing` to leave out

// REDEFINE: %{run} = --ingot-kernel-to-llvm
// RUN: %{passes} | grep -v 'canonicalize\|^ *cse' | FileCheck %s --check-prefix=KERNEL
//      KERNEL: prune-carried
// KERNEL-NEXT: expand-products
// KERNEL-NEXT: split-axes
// KERNEL-NEXT: merge-fills
// KERNEL-NEXT: orient-products
// KERNEL-NEXT: fuse-products
// KERNEL-NEXT: fuse-loops
// KERNEL-NEXT: store-carried
// KERNEL-NEXT: hoist-reads
// KERNEL-NEXT: reload-updates
// KERNEL-NEXT: lower-to-linalg
// KERNEL-NEXT: one-shot-bufferize
// KERNEL-NEXT: split-index-sets
// KERNEL-NEXT: copies-to-loops
// KERNEL-NEXT: outline-parallel-loops
// KERNEL-NEXT: outline-nests
// KERNEL-NEXT: place-allocations
// KERNEL-NEXT: call-numpy
// KERNEL-NEXT: convert-linalg-to-loops
// KERNEL-NEXT: cast-reshapes
// KERNEL-NEXT: fold-memref-alias-ops
// KERNEL-NEXT: jam-loops
// KERNEL-NEXT: convert-scf-to-cf
// KERNEL-NEXT: expand-strided-metadata
// KERNEL-NEXT: lower-affine
// KERNEL-NEXT: call-libm
// KERNEL-NEXT: convert-math-to-llvm
// KERNEL-NEXT: convert-math-to-libm
// KERNEL-NEXT: convert-complex-to-llvm
// KERNEL-NEXT: convert-arith-to-llvm
// KERNEL-NEXT: finalize-memref-to-llvm{{.*}}use-aligned-alloc=true
// KERNEL-NEXT: convert-func-to-llvm{{.*}}use-bare-ptr-memref-call-conv=true
// KERNEL-NEXT: convert-cf-to-llvm
// KERNEL-NEXT: reconcile-unrealized-casts
//  KERNEL-NOT: {{.}}
