// RUN: %lower-and-verify

// Functions of complex numbers are computed from their parts; only the logarithms are XLA's.

// CHECK-LABEL: func.func @exp
func.func @exp(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-DAG: stablehlo.cosine %[[Y]]
  // CHECK-DAG: stablehlo.sine %[[Y]]
  // CHECK-DAG: stablehlo.exponential %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.exp %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @expm1
func.func @expm1(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.exponential_minus_one %[[X]] : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.expm1 %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @log
func.func @log(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.log %{{.*}} : tensor<4xcomplex<f64>>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.log %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @log1p
func.func @log1p(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xcomplex<f64>>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.log1p %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @sqrt
func.func @sqrt(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.sqrt %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @sinh
func.func @sinh(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-DAG: stablehlo.cosine %[[Y]]
  // CHECK-DAG: stablehlo.sine %[[Y]]
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.sinh %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @sin
func.func @sin(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-DAG: stablehlo.cosine %[[X]]
  // CHECK-DAG: stablehlo.sine %[[X]]
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.sin %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @cosh
func.func @cosh(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-DAG: stablehlo.cosine %[[Y]]
  // CHECK-DAG: stablehlo.sine %[[Y]]
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.cosh %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @cos
func.func @cos(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-DAG: stablehlo.cosine %[[X]]
  // CHECK-DAG: stablehlo.sine %[[X]]
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.cos %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @tanh
func.func @tanh(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-DAG: stablehlo.cosine %[[Y]]
  // CHECK-DAG: stablehlo.sine %[[Y]]
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.tanh %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @tan
func.func @tan(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-DAG: stablehlo.cosine %[[X]]
  // CHECK-DAG: stablehlo.sine %[[X]]
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.tan %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @asin
func.func @asin(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.atan2 %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.asin %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @acos
func.func @acos(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.atan2 %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.acos %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @asinh
func.func @asinh(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.atan2 %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.asinh %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @acosh
func.func @acosh(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.atan2 %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.acosh %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @atan
func.func @atan(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.atan2 %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.atan %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @atanh
func.func @atanh(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.atan2 %{{.*}} : tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.atanh %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @sign
func.func @sign(%c: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.sign %c : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @abs
func.func @abs(%c: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
  // CHECK: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.select
  %0 = ingot.abs %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// CHECK-LABEL: func.func @div
func.func @div(%c: tensor<4xcomplex<f32>>, %d: tensor<complex<f32>>) -> tensor<4xcomplex<f32>> {
  // CHECK: stablehlo.divide %{{.*}} : tensor<4xf32>
  // CHECK: stablehlo.complex %{{.*}} : tensor<4xcomplex<f32>>
  %0 = ingot.div %c, %d : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
