// RUN: %roundtrip

// CHECK-LABEL: func.func @factorisations
func.func @factorisations(%x: tensor<2x4x3xf64>, %s: tensor<3x3xf32>, %z: tensor<3x3xcomplex<f64>>, %b: tensor<3x2xf32>) {
  // CHECK: ingot.cholesky %arg1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %c = ingot.cholesky %s : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: ingot.triangular_solve %arg1, %arg3 lower = true unit = false :
  %t = ingot.triangular_solve %s, %b lower = true unit = false : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  // CHECK: ingot.lu %arg0 : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>)
  %lu, %p = ingot.lu %x : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>)
  // CHECK: ingot.qr %arg0 full = true :
  %q, %r = ingot.qr %x full = true : (tensor<2x4x3xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x3xf64>)
  // CHECK: ingot.eigh %arg2 lower = false : (tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  %w, %v, %i0 = ingot.eigh %z lower = false : (tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  // CHECK: ingot.svd %arg0 full = false :
  %u, %sv, %vh, %i1 = ingot.svd %x full = false : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  // CHECK: ingot.eig %arg2 :
  %e, %ev, %i2 = ingot.eig %z : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  return
}

// CHECK-LABEL: func.func @fft
func.func @fft(%x: tensor<2x8xf32>, %z: tensor<5xcomplex<f64>>) {
  // CHECK: ingot.fft rfft %arg0 length = 8 : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  %0 = ingot.fft rfft %x length = 8 : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  // CHECK: ingot.fft irfft %arg1 length = 9 : (tensor<5xcomplex<f64>>) -> tensor<9xf64>
  %1 = ingot.fft irfft %z length = 9 : (tensor<5xcomplex<f64>>) -> tensor<9xf64>
  return
}

// CHECK-LABEL: func.func @sort
func.func @sort(%x: tensor<4xf64>, %i: tensor<4xi64>) {
  // CHECK: ingot.sort %arg0, %arg1 axis = 0 keys = 1 :
  %0:2 = ingot.sort %x, %i axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
  return
}

// CHECK-LABEL: func.func @special
func.func @special(%x: tensor<4xf64>) {
  // CHECK: ingot.erf %arg0 : tensor<4xf64>
  %0 = ingot.erf %x : tensor<4xf64>
  // CHECK: ingot.erfc %arg0 : tensor<4xf64>
  %1 = ingot.erfc %x : tensor<4xf64>
  // CHECK: ingot.erf_inv %arg0 : tensor<4xf64>
  %2 = ingot.erf_inv %x : tensor<4xf64>
  // CHECK: ingot.lgamma %arg0 : tensor<4xf64>
  %3 = ingot.lgamma %x : tensor<4xf64>
  // CHECK: ingot.digamma %arg0 : tensor<4xf64>
  %4 = ingot.digamma %x : tensor<4xf64>
  return
}
