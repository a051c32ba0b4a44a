// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_fft(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft fft %[[DX]] length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[FFT]] : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_fft(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft fft %[[R0]] length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[FFT]] : tensor<4xcomplex<f64>>
func.func @jvp_fft(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.jvp "fft"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.fft fft %xi length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}
func.func @vjp_fft(%x: tensor<4xcomplex<f64>>, %r0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "fft"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.fft fft %xi length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @jvp_ifft(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft ifft %[[DX]] length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[FFT]] : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_ifft(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft ifft %[[R0]] length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[FFT]] : tensor<4xcomplex<f64>>
func.func @jvp_ifft(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.jvp "ifft"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.fft ifft %xi length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}
func.func @vjp_ifft(%x: tensor<4xcomplex<f64>>, %r0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "ifft"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.fft ifft %xi length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @jvp_rfft(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<3xcomplex<f64>> {
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft rfft %[[DX]] length = 4 : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
// CHECK-NEXT: return %[[FFT]] : tensor<3xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_rfft(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<3xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[PAD:.*]] = ingot.pad %[[R0]], %[[CONSTANT]] low = [0] high = [1] interior = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft fft %[[PAD]] length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[REAL:.*]] = ingot.real %[[FFT]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %[[REAL]] : tensor<4xf64>
func.func @jvp_rfft(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<3xcomplex<f64>>) {
  %r:2 = ingot.jvp "rfft"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.fft rfft %xi length = 4 : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
    ingot.yield %o : tensor<3xcomplex<f64>>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>)
  return %r#1 : tensor<3xcomplex<f64>>
}
func.func @vjp_rfft(%x: tensor<4xf64>, %r0: tensor<3xcomplex<f64>>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "rfft"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.fft rfft %xi length = 4 : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
    ingot.yield %o : tensor<3xcomplex<f64>>
  } : (tensor<4xf64>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_irfft(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<6xf64> {
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft irfft %[[DX]] length = 6 : (tensor<4xcomplex<f64>>) -> tensor<6xf64>
// CHECK-NEXT: return %[[FFT]] : tensor<6xf64>
// CHECK-LABEL: func.func @vjp_irfft(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<6xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<(0.16666666666666666,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<(0.33333333333333331,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<3.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[FFT:.*]] = ingot.fft rfft %[[R0]] length = 6 : (tensor<6xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[FFT]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[IOTA]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[IOTA]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[OR:.*]] = ingot.or %[[COMPARE]], %[[COMPARE_2]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[CONJ]], %[[CONSTANT_2]] : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[CONJ]], %[[CONSTANT]] : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[OR]], %[[MUL_2]], %[[MUL]] : (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[SELECT]] : tensor<4xcomplex<f64>>
func.func @jvp_irfft(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<6xf64>) {
  %r:2 = ingot.jvp "irfft"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.fft irfft %xi length = 6 : (tensor<4xcomplex<f64>>) -> tensor<6xf64>
    ingot.yield %o : tensor<6xf64>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<6xf64>, tensor<6xf64>)
  return %r#1 : tensor<6xf64>
}
func.func @vjp_irfft(%x: tensor<4xcomplex<f64>>, %r0: tensor<6xf64>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "irfft"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.fft irfft %xi length = 6 : (tensor<4xcomplex<f64>>) -> tensor<6xf64>
    ingot.yield %o : tensor<6xf64>
  } : (tensor<4xcomplex<f64>>, tensor<6xf64>) -> (tensor<6xf64>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}
