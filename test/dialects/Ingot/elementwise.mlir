// RUN: %roundtrip

// CHECK-LABEL: func.func @unary
func.func @unary(%f: tensor<4xf64>, %c: tensor<4xcomplex<f64>>, %i: tensor<4xi32>) {
  // CHECK: ingot.neg %{{.*}} : tensor<4xi32>
  %0 = ingot.neg %i : tensor<4xi32>
  // CHECK-NEXT: ingot.sign %{{.*}} : tensor<4xf64>
  %1 = ingot.sign %f : tensor<4xf64>
  // CHECK-NEXT: ingot.not %{{.*}} : tensor<4xi32>
  %2 = ingot.not %i : tensor<4xi32>
  // CHECK-NEXT: ingot.conj %{{.*}} : tensor<4xcomplex<f64>>
  %3 = ingot.conj %c : tensor<4xcomplex<f64>>
  // CHECK-NEXT: ingot.exp
  %4 = ingot.exp %c : tensor<4xcomplex<f64>>
  // CHECK-NEXT: ingot.expm1
  %5 = ingot.expm1 %f : tensor<4xf64>
  // CHECK-NEXT: ingot.log
  %6 = ingot.log %f : tensor<4xf64>
  // CHECK-NEXT: ingot.log1p
  %7 = ingot.log1p %f : tensor<4xf64>
  // CHECK-NEXT: ingot.sqrt
  %8 = ingot.sqrt %f : tensor<4xf64>
  // CHECK-NEXT: ingot.cbrt
  %9 = ingot.cbrt %f : tensor<4xf64>
  // CHECK-NEXT: ingot.sin
  %10 = ingot.sin %f : tensor<4xf64>
  // CHECK-NEXT: ingot.cos
  %11 = ingot.cos %f : tensor<4xf64>
  // CHECK-NEXT: ingot.tan
  %12 = ingot.tan %f : tensor<4xf64>
  // CHECK-NEXT: ingot.asin
  %13 = ingot.asin %f : tensor<4xf64>
  // CHECK-NEXT: ingot.acos
  %14 = ingot.acos %f : tensor<4xf64>
  // CHECK-NEXT: ingot.atan
  %15 = ingot.atan %f : tensor<4xf64>
  // CHECK-NEXT: ingot.sinh
  %16 = ingot.sinh %f : tensor<4xf64>
  // CHECK-NEXT: ingot.cosh
  %17 = ingot.cosh %f : tensor<4xf64>
  // CHECK-NEXT: ingot.tanh
  %18 = ingot.tanh %f : tensor<4xf64>
  // CHECK-NEXT: ingot.asinh
  %19 = ingot.asinh %f : tensor<4xf64>
  // CHECK-NEXT: ingot.acosh
  %20 = ingot.acosh %f : tensor<4xf64>
  // CHECK-NEXT: ingot.atanh
  %21 = ingot.atanh %f : tensor<4xf64>
  // CHECK-NEXT: ingot.floor
  %22 = ingot.floor %f : tensor<4xf64>
  // CHECK-NEXT: ingot.ceil
  %23 = ingot.ceil %f : tensor<4xf64>
  // CHECK-NEXT: ingot.trunc
  %24 = ingot.trunc %f : tensor<4xf64>
  // CHECK-NEXT: ingot.rint
  %25 = ingot.rint %f : tensor<4xf64>
  // CHECK-NEXT: ingot.abs %{{.*}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %26 = ingot.abs %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-NEXT: ingot.real
  %27 = ingot.real %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-NEXT: ingot.imag
  %28 = ingot.imag %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK-NEXT: ingot.is_finite
  %29 = ingot.is_finite %f : (tensor<4xf64>) -> tensor<4xi1>
  // CHECK-NEXT: ingot.bitcast %{{.*}} : (tensor<4xi32>) -> tensor<4xf32>
  %bits = ingot.bitcast %i : (tensor<4xi32>) -> tensor<4xf32>
  // CHECK-NEXT: ingot.convert %{{.*}} : (tensor<4xi32>) -> tensor<4xf64>
  %30 = ingot.convert %i : (tensor<4xi32>) -> tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @complex_unary
func.func @complex_unary(%c: tensor<4xcomplex<f64>>, %s: tensor<complex<f32>>) {
  // CHECK: ingot.asin %{{.*}} : tensor<4xcomplex<f64>>
  %0 = ingot.asin %c : tensor<4xcomplex<f64>>
  // CHECK: ingot.acos %{{.*}} : tensor<complex<f32>>
  %1 = ingot.acos %s : tensor<complex<f32>>
  // CHECK: ingot.atan %{{.*}} : tensor<4xcomplex<f64>>
  %2 = ingot.atan %c : tensor<4xcomplex<f64>>
  // CHECK: ingot.sinh %{{.*}} : tensor<complex<f32>>
  %3 = ingot.sinh %s : tensor<complex<f32>>
  // CHECK: ingot.cosh %{{.*}} : tensor<4xcomplex<f64>>
  %4 = ingot.cosh %c : tensor<4xcomplex<f64>>
  // CHECK: ingot.asinh %{{.*}} : tensor<complex<f32>>
  %5 = ingot.asinh %s : tensor<complex<f32>>
  // CHECK: ingot.acosh %{{.*}} : tensor<4xcomplex<f64>>
  %6 = ingot.acosh %c : tensor<4xcomplex<f64>>
  // CHECK: ingot.atanh %{{.*}} : tensor<complex<f32>>
  %7 = ingot.atanh %s : tensor<complex<f32>>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%f: tensor<3x1xf64>, %g: tensor<4xf64>, %i: tensor<3x1xui8>, %j: tensor<4xui8>, %b: tensor<4xi1>) {
  // CHECK: ingot.add %{{.*}}, %{{.*}} : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  %0 = ingot.add %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.sub
  %1 = ingot.sub %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.mul
  %2 = ingot.mul %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.div
  %3 = ingot.div %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.mul_no_nan %{{.*}} : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  %no_nan = ingot.mul_no_nan %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.div_no_nan %{{.*}} : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  %share = ingot.div_no_nan %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.floor_div
  %4 = ingot.floor_div %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.mod
  %5 = ingot.mod %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.fmod
  %6 = ingot.fmod %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.pow
  %7 = ingot.pow %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.maximum
  %8 = ingot.maximum %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.minimum
  %9 = ingot.minimum %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.atan2
  %10 = ingot.atan2 %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.polygamma
  %polygamma = ingot.polygamma %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK-NEXT: ingot.and %{{.*}} : (tensor<3x1xui8>, tensor<4xui8>) -> tensor<3x4xui8>
  %11 = ingot.and %i, %j : (tensor<3x1xui8>, tensor<4xui8>) -> tensor<3x4xui8>
  // CHECK-NEXT: ingot.or
  %12 = ingot.or %i, %j : (tensor<3x1xui8>, tensor<4xui8>) -> tensor<3x4xui8>
  // CHECK-NEXT: ingot.xor
  %13 = ingot.xor %i, %j : (tensor<3x1xui8>, tensor<4xui8>) -> tensor<3x4xui8>
  // CHECK-NEXT: ingot.shift_left
  %14 = ingot.shift_left %i, %j : (tensor<3x1xui8>, tensor<4xui8>) -> tensor<3x4xui8>
  // CHECK-NEXT: ingot.shift_right
  %15 = ingot.shift_right %i, %j : (tensor<3x1xui8>, tensor<4xui8>) -> tensor<3x4xui8>
  // CHECK-NEXT: ingot.complex %{{.*}} : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xcomplex<f64>>
  %16 = ingot.complex %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xcomplex<f64>>
  // CHECK-NEXT: ingot.compare lt %{{.*}}, %{{.*}} : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xi1>
  %17 = ingot.compare lt %f, %g : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xi1>
  // CHECK-NEXT: ingot.select %{{.*}} : (tensor<4xi1>, tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  %18 = ingot.select %b, %f, %g : (tensor<4xi1>, tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  return
}

// CHECK-LABEL: func.func @special
func.func @special(%x: tensor<4xf64>) {
  // CHECK: ingot.erf %{{.*}} : tensor<4xf64>
  %0 = ingot.erf %x : tensor<4xf64>
  // CHECK: ingot.erfc %{{.*}} : tensor<4xf64>
  %1 = ingot.erfc %x : tensor<4xf64>
  // CHECK: ingot.erf_inv %{{.*}} : tensor<4xf64>
  %2 = ingot.erf_inv %x : tensor<4xf64>
  // CHECK: ingot.lgamma %{{.*}} : tensor<4xf64>
  %3 = ingot.lgamma %x : tensor<4xf64>
  // CHECK: ingot.digamma %{{.*}} : tensor<4xf64>
  %4 = ingot.digamma %x : tensor<4xf64>
  return
}

// -----

func.func @broadcast(%a: tensor<3x4xf64>, %b: tensor<5xf64>) {
  // expected-error @+2 {{operands could not be broadcast together with shapes (3,4) (5,)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "ingot.add"(%a, %b) : (tensor<3x4xf64>, tensor<5xf64>) -> tensor<3x4xf64>
  return
}

// -----

func.func @elements(%a: tensor<3xf64>, %b: tensor<3xf32>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.add %a, %b : (tensor<3xf64>, tensor<3xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @result(%a: tensor<3xf64>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<3xf64>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  %0 = ingot.add %a, %a : (tensor<3xf64>, tensor<3xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @compare_c1(%a: tensor<3xcomplex<f64>>) {
  // expected-error @+1 {{complex numbers have no order}}
  %0 = ingot.compare lt %a, %a : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  return
}

// -----

func.func @bitcast_c1(%a: tensor<4xf64>) {
  // expected-error @+1 {{'f64' and 'i32' differ in width}}
  %0 = ingot.bitcast %a : (tensor<4xf64>) -> tensor<4xi32>
  return
}

// -----

func.func @compare_elements(%a: tensor<3xf64>, %b: tensor<3xi64>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.compare eq %a, %b : (tensor<3xf64>, tensor<3xi64>) -> tensor<3xi1>
  return
}

// -----

func.func @complex_elements(%a: tensor<3xf64>, %b: tensor<3xf32>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.complex %a, %b : (tensor<3xf64>, tensor<3xf32>) -> tensor<3xcomplex<f64>>
  return
}

// -----

func.func @select_elements(%c: tensor<i1>, %a: tensor<3xf64>, %b: tensor<3xf32>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.select %c, %a, %b : (tensor<i1>, tensor<3xf64>, tensor<3xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @select_shapes(%c: tensor<2xi1>, %a: tensor<3xf64>) {
  // expected-error @+2 {{operands could not be broadcast together with shapes (2,) (3,) (3,)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.select %c, %a, %a : (tensor<2xi1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return
}
