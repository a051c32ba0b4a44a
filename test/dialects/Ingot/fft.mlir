// RUN: %roundtrip

// CHECK-LABEL: func.func @fft
func.func @fft(%x: tensor<2x8xf32>, %z: tensor<5xcomplex<f64>>) {
  // CHECK: ingot.fft rfft %{{.*}} length = 8 : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  %0 = ingot.fft rfft %x length = 8 : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  // CHECK: ingot.fft irfft %{{.*}} length = 9 : (tensor<5xcomplex<f64>>) -> tensor<9xf64>
  %1 = ingot.fft irfft %z length = 9 : (tensor<5xcomplex<f64>>) -> tensor<9xf64>
  return
}

// -----

func.func @fft_c1(%a: tensor<complex<f64>>) {
  // expected-error @+2 {{Invalid number of FFT data points (1) specified.}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.fft fft %a length = 1 : (tensor<complex<f64>>) -> tensor<complex<f64>>
  return
}

// -----

func.func @fft_c2(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+2 {{irfft of 4 elements has not length 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.fft irfft %a length = 8 : (tensor<4xcomplex<f64>>) -> tensor<8xf64>
  return
}

// -----

func.func @fft_c3(%a: tensor<4xf64>) {
  // expected-error @+2 {{fft of 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.fft fft %a length = 4 : (tensor<4xf64>) -> tensor<4xf64>
  return
}
