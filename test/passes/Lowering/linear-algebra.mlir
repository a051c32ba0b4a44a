// RUN: %lower-and-verify

// CHECK-LABEL: func.func @native
func.func @native(%s: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> (tensor<3x3xf64>, tensor<3x2xf64>) {
  // StableHLO leaves open what is above the diagonal.
  // CHECK: %[[L:.*]] = stablehlo.cholesky %arg0, lower = true
  // CHECK: %[[IS_LOWER:.*]] = stablehlo.compare GE
  // CHECK: stablehlo.select %[[IS_LOWER]], %[[L]], %{{.*}} : tensor<3x3xi1>, tensor<3x3xf64>
  %c = ingot.cholesky %s : (tensor<3x3xf64>) -> tensor<3x3xf64>
  // CHECK: "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}>
  %t = ingot.triangular_solve %s, %b lower = false unit = true : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %c, %t : tensor<3x3xf64>, tensor<3x2xf64>
}

// CHECK-LABEL: func.func @lu
func.func @lu(%x: tensor<2x4x3xf32>) -> tensor<2x3xi32> {
  // CHECK: %[[LU:.*]]:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%arg0)
  // CHECK-SAME: operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]
  // CHECK-SAME: result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]
  // CHECK: stablehlo.subtract %[[LU]]#1
  %lu, %p = ingot.lu %x : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>)
  return %p : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @qr
func.func @qr(%x: tensor<4x3xf64>, %z: tensor<3x4xcomplex<f32>>) -> (tensor<4x4xf64>, tensor<4x3xf64>, tensor<3x3xcomplex<f32>>) {
  // CHECK: %[[QR:.*]]:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%arg0)
  // CHECK: %[[WIDE:.*]] = stablehlo.pad %[[QR]]#0
  // CHECK: stablehlo.custom_call @lapack_dorgqr_ffi(%[[WIDE]], %[[QR]]#1)
  %q, %r = ingot.qr %x full = true : (tensor<4x3xf64>) -> (tensor<4x4xf64>, tensor<4x3xf64>)
  // CHECK: stablehlo.custom_call @lapack_cgeqrf_ffi(%arg1)
  // CHECK: stablehlo.slice
  // CHECK: stablehlo.custom_call @lapack_cungqr_ffi
  %q1, %r1 = ingot.qr %z full = false : (tensor<3x4xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>)
  return %q, %r, %q1 : tensor<4x4xf64>, tensor<4x3xf64>, tensor<3x3xcomplex<f32>>
}

// CHECK-LABEL: func.func @spectra
func.func @spectra(%s: tensor<3x3xf64>, %z: tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xcomplex<f64>>) {
  // CHECK: stablehlo.custom_call @lapack_dsyevd_ffi(%arg0) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 85 : ui8}
  %w, %v, %i0 = ingot.eigh %s lower = false : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
  // CHECK: stablehlo.custom_call @lapack_zheevd_ffi(%arg1) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 76 : ui8}
  %w1, %v1, %i1 = ingot.eigh %z lower = true : (tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  // CHECK: stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {api_version = 4 : i32, backend_config = {mode = 65 : ui8}
  %u, %sv, %vh, %i2 = ingot.svd %s full = true : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
  // CHECK: stablehlo.custom_call @lapack_zgeev_ffi(%arg1) {api_version = 4 : i32, backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}
  %e, %ev, %i3 = ingot.eig %z : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  return %w, %w1, %sv, %e : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xcomplex<f64>>
}

// CHECK-LABEL: func.func @of_real
func.func @of_real(%s: tensor<3x3xf64>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) {
  %z = ingot.convert %s : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
  // CHECK: %[[FOUND:.+]]:5 = stablehlo.custom_call @lapack_dgeev_ffi(%arg0)
  // CHECK: %[[W:.+]] = stablehlo.complex %[[FOUND]]#0, %[[FOUND]]#1
  %e, %ev, %i = ingot.eig %z : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  // CHECK: return %[[W]], %[[FOUND]]#3
  return %e, %ev : tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>
}
