// RUN: %lower-and-verify

// CHECK-LABEL: func.func @fft
func.func @fft(%x: tensor<2x8xf32>, %z: tensor<5xcomplex<f64>>) -> (tensor<2x5xcomplex<f32>>, tensor<9xf64>, tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) {
  // CHECK: stablehlo.fft %arg0, type = RFFT, length = [8]
  %0 = ingot.fft rfft %x length = 8 : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  // CHECK: stablehlo.fft %arg1, type = IRFFT, length = [9]
  %1 = ingot.fft irfft %z length = 9 : (tensor<5xcomplex<f64>>) -> tensor<9xf64>
  // CHECK: stablehlo.fft %arg1, type = FFT, length = [5]
  %2 = ingot.fft fft %z length = 5 : (tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>>
  // CHECK: stablehlo.fft %arg1, type = IFFT, length = [5]
  %3 = ingot.fft ifft %z length = 5 : (tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>>
  return %0, %1, %2, %3 : tensor<2x5xcomplex<f32>>, tensor<9xf64>, tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
}
