// RUN: ingot-opt %s --pass-pipeline='builtin.module(func.func(call-libraries))' | FileCheck %s
// RUN: ingot-opt %s --pass-pipeline='builtin.module(func.func(call-libraries),lower-to-stablehlo)' | FileCheck %s --check-prefix=ALL

// The result can be lowered to StableHLO.
// ALL-NOT: ingot.{{[a-z_]+}} %

// CHECK-LABEL: func.func @product
func.func @product(%a: tensor<20x30xf64>, %b: tensor<30x40xf64>) -> tensor<20x40xf64> {
  // CHECK: stablehlo.custom_call @ingot.numpy.gufunc(%arg0, %arg1)
  // CHECK-SAME: dims = array<i64: 1, 20, 30, 40>, name = "matmul", steps = array<i64: 0, 0, 6400, 240, 8, 320, 8, 320, 8>
  %r = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<20x30xf64>, tensor<30x40xf64>) -> tensor<20x40xf64>
  return %r : tensor<20x40xf64>
}

// A transposed array is read in place, by its strides.
// CHECK-LABEL: func.func @transposed
func.func @transposed(%a: tensor<40x20xf32>, %v: tensor<40x200xf32>) -> tensor<20x200xf32> {
  // CHECK: stablehlo.custom_call @ingot.numpy.gufunc(%arg0, %arg1)
  // CHECK-SAME: steps = array<i64: 0, 0, 16000, 4, 80, 800, 4, 800, 4>
  %t = ingot.transpose %a axes = [1, 0] : (tensor<40x20xf32>) -> tensor<20x40xf32>
  %r = ingot.dot_general %t, %v batching = [] x [] contracting = [1] x [0] : (tensor<20x40xf32>, tensor<40x200xf32>) -> tensor<20x200xf32>
  return %r : tensor<20x200xf32>
}

// CHECK-LABEL: func.func @matrix_and_vector
func.func @matrix_and_vector(%a: tensor<100x200xf64>, %v: tensor<200xf64>) -> tensor<100xf64> {
  // CHECK: dims = array<i64: 1, 100, 200, 1>
  %r = ingot.dot_general %a, %v batching = [] x [] contracting = [1] x [0] : (tensor<100x200xf64>, tensor<200xf64>) -> tensor<100xf64>
  return %r : tensor<100xf64>
}

// Two pairs of axes are merged if they are adjacent in memory.
// CHECK-LABEL: func.func @stacks
func.func @stacks(%a: tensor<3x20x4x5xf64>, %b: tensor<3x4x5x30xf64>) -> tensor<3x20x30xf64> {
  // CHECK-NOT: ingot.transpose
  // CHECK: dims = array<i64: 3, 20, 20, 30>
  %r = ingot.dot_general %a, %b batching = [0] x [0] contracting = [2, 3] x [1, 2] : (tensor<3x20x4x5xf64>, tensor<3x4x5x30xf64>) -> tensor<3x20x30xf64>
  return %r : tensor<3x20x30xf64>
}

// Else the operand is transposed.
// CHECK-LABEL: func.func @apart
func.func @apart(%a: tensor<4x20x50xf64>, %b: tensor<4x50x30xf64>) -> tensor<20x30xf64> {
  // CHECK: %[[A:.*]] = ingot.transpose %arg0 axes = [1, 0, 2]
  // CHECK: stablehlo.custom_call @ingot.numpy.gufunc(%[[A]], %arg1)
  // CHECK-SAME: dims = array<i64: 1, 20, 200, 30>
  %r = ingot.dot_general %a, %b batching = [] x [] contracting = [0, 2] x [0, 1] : (tensor<4x20x50xf64>, tensor<4x50x30xf64>) -> tensor<20x30xf64>
  return %r : tensor<20x30xf64>
}

// XLA computes small products, inner products, integers, and products with `lhs_zeros`.
// CHECK-LABEL: func.func @left_to_xla
func.func @left_to_xla(%a: tensor<3x3xf64>, %v: tensor<9000xf64>, %i: tensor<50x50xi64>, %z: tensor<50x50xf64>, %s: tensor<8xf64>) -> (tensor<3x3xf64>, tensor<f64>, tensor<50x50xi64>, tensor<50x50xf64>, tensor<8xf64>) {
  // CHECK-NOT: custom_call
  // CHECK: return
  %0 = ingot.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %1 = ingot.dot_general %v, %v batching = [] x [] contracting = [0] x [0] : (tensor<9000xf64>, tensor<9000xf64>) -> tensor<f64>
  %2 = ingot.dot_general %i, %i batching = [] x [] contracting = [1] x [0] : (tensor<50x50xi64>, tensor<50x50xi64>) -> tensor<50x50xi64>
  %3 = ingot.dot_general %z, %z batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<50x50xf64>, tensor<50x50xf64>) -> tensor<50x50xf64>
  %4 = ingot.cumulative add %s axis = 0 : (tensor<8xf64>) -> tensor<8xf64>
  return %0, %1, %2, %3, %4 : tensor<3x3xf64>, tensor<f64>, tensor<50x50xi64>, tensor<50x50xf64>, tensor<8xf64>
}

// CHECK-LABEL: func.func @factorisations
func.func @factorisations(%a: tensor<2x20x20xf64>, %b: tensor<2x20x30xf64>) -> (tensor<2x20x20xf64>, tensor<2x20x30xf64>) {
  // CHECK: @ingot.numpy.gufunc(%arg0)
  // CHECK-SAME: dims = array<i64: 2, 20>, name = "cholesky_lo", steps = array<i64: 3200, 3200, 160, 8, 160, 8>
  // CHECK-SAME: -> (tensor<2x20x20xf64>, tensor<2xi32>)
  %l, %failed = ingot.call_numpy "cholesky_lo"(%a) : (tensor<2x20x20xf64>) -> (tensor<2x20x20xf64>, tensor<2xi32>)
  // CHECK: %[[B:.*]] = ingot.reshape %arg1 : (tensor<2x20x30xf64>) -> tensor<2x30x20xf64>
  // CHECK: @lapack_dtrsm_ffi({{.*}}, %[[B]]) {{.*}}diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8
  %x = ingot.triangular_solve %l, %b lower = true unit = false : (tensor<2x20x20xf64>, tensor<2x20x30xf64>) -> tensor<2x20x30xf64>
  return %l, %x : tensor<2x20x20xf64>, tensor<2x20x30xf64>
}

// CHECK-LABEL: func.func @transforms
func.func @transforms(%x: tensor<3x9xf32>, %z: tensor<2x3x5xcomplex<f64>>) -> (tensor<3x5xcomplex<f32>>, tensor<2x3x8xf64>) {
  // CHECK: %[[ONE:.*]] = ingot.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: @ingot.numpy.gufunc(%arg0, %[[ONE]])
  // CHECK-SAME: dims = array<i64: 3, 9, 5>, name = "rfft_n_odd", steps = array<i64: 36, 0, 40, 4, 8>
  %0 = ingot.fft rfft %x length = 9 : (tensor<3x9xf32>) -> tensor<3x5xcomplex<f32>>
  // CHECK: %[[EIGHTH:.*]] = ingot.constant dense<1.250000e-01> : tensor<f64>
  // CHECK: @ingot.numpy.gufunc(%arg1, %[[EIGHTH]])
  // CHECK-SAME: dims = array<i64: 6, 5, 8>, name = "irfft", steps = array<i64: 80, 0, 64, 16, 8>
  %1 = ingot.fft irfft %z length = 8 : (tensor<2x3x5xcomplex<f64>>) -> tensor<2x3x8xf64>
  return %0, %1 : tensor<3x5xcomplex<f32>>, tensor<2x3x8xf64>
}

// XLA solves many small systems at once.
// CHECK-LABEL: func.func @triangular_systems
func.func @triangular_systems(%a: tensor<24x3x3xf64>, %b: tensor<24x3x1xf64>, %c: tensor<25x3x3xf64>, %d: tensor<25x3x1xf64>) -> (tensor<24x3x1xf64>, tensor<25x3x1xf64>) {
  // CHECK: @lapack_dtrsm_ffi
  %0 = ingot.triangular_solve %a, %b lower = true unit = false : (tensor<24x3x3xf64>, tensor<24x3x1xf64>) -> tensor<24x3x1xf64>
  // CHECK: ingot.triangular_solve
  %1 = ingot.triangular_solve %c, %d lower = true unit = false : (tensor<25x3x3xf64>, tensor<25x3x1xf64>) -> tensor<25x3x1xf64>
  return %0, %1 : tensor<24x3x1xf64>, tensor<25x3x1xf64>
}

// CHECK-LABEL: func.func @along_an_axis
func.func @along_an_axis(%a: tensor<3x40x5xf32>, %i: tensor<3x40x5xi64>) -> (tensor<3x40x5xf32>, tensor<3x40x5xf32>, tensor<3x40x5xi64>) {
  // CHECK: @ingot.numpy.accumulate(%arg0) {{.*}}name = "maximum", shape = array<i64: 3, 40, 5>
  %0 = ingot.cumulative max %a axis = 1 : (tensor<3x40x5xf32>) -> tensor<3x40x5xf32>
  // CHECK: @ingot.numpy.sort(%arg0, %arg1) {{.*}}shape = array<i64: 1, 3, 200>, stable = true
  %1:2 = ingot.sort %a, %i axis = 0 keys = 1 : (tensor<3x40x5xf32>, tensor<3x40x5xi64>) -> (tensor<3x40x5xf32>, tensor<3x40x5xi64>)
  return %0, %1#0, %1#1 : tensor<3x40x5xf32>, tensor<3x40x5xf32>, tensor<3x40x5xi64>
}

// CHECK-LABEL: func.func @positions
func.func @positions(%a: tensor<3x40xf32>) -> (tensor<3x40xi64>, tensor<3x40xi64>) {
  %i = ingot.iota axis = 1 : tensor<3x40xi64>
  // CHECK: %[[ORDER:.*]] = stablehlo.custom_call @ingot.numpy.argsort(%arg0) {{.*}}shape = array<i64: 3, 40, 1>, stable = false{{.*}} : (tensor<3x40xf32>) -> tensor<3x40xi64>
  %0:2 = ingot.sort %a, %i axis = 1 keys = 1 {is_stable = false} : (tensor<3x40xf32>, tensor<3x40xi64>) -> (tensor<3x40xf32>, tensor<3x40xi64>)
  // The indices are not those along the sorted axis.
  // CHECK: @ingot.numpy.sort(%arg0, %{{.*}})
  %1:2 = ingot.sort %a, %i axis = 0 keys = 1 : (tensor<3x40xf32>, tensor<3x40xi64>) -> (tensor<3x40xf32>, tensor<3x40xi64>)
  return %0#1, %1#1 : tensor<3x40xi64>, tensor<3x40xi64>
}

// XLA sorts by two keys.
// CHECK-LABEL: func.func @two_keys
func.func @two_keys(%a: tensor<40xf32>) -> tensor<40xf32> {
  // CHECK-NOT: custom_call
  // CHECK: return
  %0:2 = ingot.sort %a, %a axis = 0 keys = 2 : (tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>)
  return %0#0 : tensor<40xf32>
}

// Elementwise functions are called if NumPy has vector instructions for them.
// RUN: ingot-opt %s --pass-pipeline='builtin.module(func.func(call-libraries{vectorised=exp/f64,power/f64}))' | FileCheck %s --check-prefix=VECTOR

// VECTOR-LABEL: func.func @functions
// CHECK-LABEL: func.func @functions
func.func @functions(%a: tensor<40x20xf64>, %s: tensor<f64>, %v: tensor<20xf64>, %b: tensor<40x20xf32>, %c: tensor<5xf64>) -> (tensor<40x20xf64>, tensor<40x20xf64>, tensor<40x20xf64>, tensor<40x20xf32>, tensor<5xf64>) {
  // CHECK-NOT: custom_call
  // VECTOR-NEXT: %[[E:.*]] = stablehlo.custom_call @ingot.numpy.ufunc(%arg0) {api_version = 4 : i32, backend_config = {name = "exp"}
  %0 = ingot.exp %a : tensor<40x20xf64>
  // A scalar operand is not broadcast.
  // VECTOR-NEXT: %[[P:.*]] = stablehlo.custom_call @ingot.numpy.ufunc(%[[E]], %arg1) {{.*}}name = "power"
  %1 = ingot.pow %0, %s : (tensor<40x20xf64>, tensor<f64>) -> tensor<40x20xf64>
  // VECTOR-NEXT: %[[V:.*]] = ingot.broadcast_to %arg2 : (tensor<20xf64>) -> tensor<40x20xf64>
  // VECTOR-NEXT: stablehlo.custom_call @ingot.numpy.ufunc(%[[P]], %[[V]]) {{.*}}name = "power"
  %2 = ingot.pow %1, %v : (tensor<40x20xf64>, tensor<20xf64>) -> tensor<40x20xf64>
  // XLA computes this type, and few elements.
  // VECTOR-NEXT: ingot.exp %arg3
  // VECTOR-NEXT: ingot.exp %arg4
  %3 = ingot.exp %b : tensor<40x20xf32>
  %4 = ingot.exp %c : tensor<5xf64>
  return %0, %1, %2, %3, %4 : tensor<40x20xf64>, tensor<40x20xf64>, tensor<40x20xf64>, tensor<40x20xf32>, tensor<5xf64>
}

// Programs that run elsewhere, as JAX's do, call LAPACK alone.
// RUN: ingot-opt %s --pass-pipeline='builtin.module(func.func(call-libraries{lapack-only}))' | FileCheck %s --check-prefix=LAPACK
// LAPACK-LABEL: func.func @product
// LAPACK: ingot.dot_general
// LAPACK-NOT: @ingot.numpy
// LAPACK: @lapack_dtrsm_ffi
// LAPACK-NOT: @ingot.numpy
