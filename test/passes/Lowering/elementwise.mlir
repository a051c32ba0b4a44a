// RUN: %lower-and-verify

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<4xf64>, %c: tensor<4xcomplex<f64>>, %u: tensor<4xui8>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xcomplex<f64>>, tensor<4xi1>, tensor<4xf64>, tensor<4xui8>, tensor<4xui8>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  // CHECK: stablehlo.negate %arg0 : tensor<4xf64>
  %0 = ingot.neg %x : tensor<4xf64>
  // CHECK: stablehlo.exponential %arg0 : tensor<4xf64>
  %1 = ingot.exp %x : tensor<4xf64>
  // CHECK: stablehlo.exponential_minus_one %arg0 : tensor<4xf64>
  %2 = ingot.expm1 %x : tensor<4xf64>
  // CHECK: stablehlo.log %arg0 : tensor<4xf64>
  %3 = ingot.log %x : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one %arg0 : tensor<4xf64>
  %4 = ingot.log1p %x : tensor<4xf64>
  // CHECK: stablehlo.sqrt %arg0 : tensor<4xf64>
  %5 = ingot.sqrt %x : tensor<4xf64>
  // CHECK: stablehlo.cbrt %arg0 : tensor<4xf64>
  %6 = ingot.cbrt %x : tensor<4xf64>
  // CHECK: stablehlo.sine %arg0 : tensor<4xf64>
  %7 = ingot.sin %x : tensor<4xf64>
  // CHECK: stablehlo.cosine %arg0 : tensor<4xf64>
  %8 = ingot.cos %x : tensor<4xf64>
  // CHECK: stablehlo.tan %arg0 : tensor<4xf64>
  %9 = ingot.tan %x : tensor<4xf64>
  // CHECK: stablehlo.tanh %arg0 : tensor<4xf64>
  %10 = ingot.tanh %x : tensor<4xf64>
  // CHECK: stablehlo.floor %arg0 : tensor<4xf64>
  %11 = ingot.floor %x : tensor<4xf64>
  // CHECK: stablehlo.ceil %arg0 : tensor<4xf64>
  %12 = ingot.ceil %x : tensor<4xf64>
  // CHECK: stablehlo.round_nearest_even %arg0 : tensor<4xf64>
  %13 = ingot.rint %x : tensor<4xf64>
  // CHECK: stablehlo.sign %arg0 : tensor<4xf64>
  %14 = ingot.sign %x : tensor<4xf64>
  // CHECK: stablehlo.abs %arg0 : tensor<4xf64>
  %15 = ingot.abs %x : (tensor<4xf64>) -> tensor<4xf64>
  // CHECK: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %16 = ingot.abs %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.real %arg1 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %17 = ingot.real %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.imag %arg1 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %18 = ingot.imag %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.complex
  %19 = ingot.conj %c : tensor<4xcomplex<f64>>
  // CHECK: stablehlo.is_finite %arg0
  %20 = ingot.is_finite %x : (tensor<4xf64>) -> tensor<4xi1>
  // CHECK: stablehlo.convert %arg2 : (tensor<4xui8>) -> tensor<4xf64>
  %21 = ingot.convert %u : (tensor<4xui8>) -> tensor<4xf64>
  // CHECK: stablehlo.not %arg2
  %22 = ingot.not %u : tensor<4xui8>
  // CHECK: stablehlo.minimum %arg2
  %23 = ingot.sign %u : tensor<4xui8>
  // CHECK: stablehlo.select
  %24 = ingot.trunc %x : tensor<4xf64>
  // CHECK: stablehlo.atan2
  %25 = ingot.asin %x : tensor<4xf64>
  // CHECK: stablehlo.atan2
  %26 = ingot.acos %x : tensor<4xf64>
  // CHECK: stablehlo.atan2
  %27 = ingot.atan %x : tensor<4xf64>
  // CHECK: stablehlo.select
  %28 = ingot.sinh %x : tensor<4xf64>
  // CHECK: stablehlo.add
  %29 = ingot.cosh %x : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one
  %30 = ingot.asinh %x : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one
  %31 = ingot.acosh %x : tensor<4xf64>
  // CHECK: stablehlo.log_plus_one
  %32 = ingot.atanh %x : tensor<4xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xcomplex<f64>>, tensor<4xi1>, tensor<4xf64>, tensor<4xui8>, tensor<4xui8>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// A narrow float is computed in f32.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%x: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: %[[W:.*]] = stablehlo.convert %arg0 : (tensor<4xf16>) -> tensor<4xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xf16>
  %0 = ingot.atan %x : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: tensor<3x1xf64>, %y: tensor<4xf64>, %u: tensor<4xui8>, %s: tensor<4xi32>, %c: tensor<i1>) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<3x4xcomplex<f64>>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<3x4xf64>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %0 = ingot.add %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.subtract %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %1 = ingot.sub %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %2 = ingot.mul %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.divide %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %3 = ingot.div %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.power %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %4 = ingot.pow %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %5 = ingot.maximum %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.minimum %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %6 = ingot.minimum %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.atan2 %{{.*}}, %{{.*}} : tensor<3x4xf64>
  %7 = ingot.atan2 %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.floor
  %8 = ingot.floor_div %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.remainder
  %9 = ingot.mod %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.remainder
  %10 = ingot.fmod %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.and
  %11 = ingot.and %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: stablehlo.or
  %12 = ingot.or %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: stablehlo.xor
  %13 = ingot.xor %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: stablehlo.shift_left
  %14 = ingot.shift_left %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: stablehlo.shift_right_logical
  %15 = ingot.shift_right %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: stablehlo.divide
  %16 = ingot.floor_div %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: stablehlo.remainder
  %17 = ingot.mod %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: stablehlo.shift_right_arithmetic
  %18 = ingot.shift_right %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: stablehlo.divide
  %19 = ingot.floor_div %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: stablehlo.remainder
  %20 = ingot.mod %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: stablehlo.remainder
  %21 = ingot.fmod %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: stablehlo.complex
  %22 = ingot.complex %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xcomplex<f64>>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, FLOAT
  %23 = ingot.compare lt %y, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  // CHECK: stablehlo.compare GE, %{{.*}}, %{{.*}}, SIGNED
  %24 = ingot.compare ge %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare NE, %{{.*}}, %{{.*}}, UNSIGNED
  %25 = ingot.compare ne %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  // CHECK: stablehlo.select %arg4, %{{.*}}, %{{.*}} : tensor<i1>, tensor<3x4xf64>
  %26 = ingot.select %c, %x, %y : (tensor<i1>, tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<3x4xcomplex<f64>>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<3x4xf64>
}

// CHECK-LABEL: func.func @special
func.func @special(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  // CHECK: chlo.erf %arg0
  %0 = ingot.erf %x : tensor<4xf64>
  // CHECK: chlo.erfc %arg0
  %1 = ingot.erfc %x : tensor<4xf64>
  // CHECK: chlo.erf_inv %arg0
  %2 = ingot.erf_inv %x : tensor<4xf64>
  // CHECK: chlo.lgamma %arg0
  %3 = ingot.lgamma %x : tensor<4xf64>
  // CHECK: chlo.digamma %arg0
  %4 = ingot.digamma %x : tensor<4xf64>
  // CHECK: chlo.polygamma %{{.*}}, %arg0 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %n = ingot.constant dense<1.0> : tensor<f64>
  %5 = ingot.polygamma %n, %x : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @bitcast
func.func @bitcast(%x: tensor<4xf64>) -> tensor<4xui64> {
  // CHECK: stablehlo.bitcast_convert %arg0 : (tensor<4xf64>) -> tensor<4xui64>
  %0 = ingot.bitcast %x : (tensor<4xf64>) -> tensor<4xui64>
  return %0 : tensor<4xui64>
}

// A complex number is true if either part is not zero.
// CHECK-LABEL: func.func @truth
func.func @truth(%z: tensor<4xcomplex<f64>>) -> tensor<4xi1> {
  // CHECK: stablehlo.compare NE, %arg0, %{{.*}}, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  %0 = ingot.convert %z : (tensor<4xcomplex<f64>>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// XLA crashes on `and` and `or` of two conversions to narrower signed integers.
// CHECK-LABEL: func.func @narrower
func.func @narrower(%x: tensor<4xi64>) -> tensor<4xi32> {
  // CHECK: %[[BITS:.+]] = stablehlo.convert %arg0 : (tensor<4xi64>) -> tensor<4xui32>
  // CHECK: stablehlo.convert %[[BITS]] : (tensor<4xui32>) -> tensor<4xi32>
  %0 = ingot.convert %x : (tensor<4xi64>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// XLA can't fold a conversion from complex numbers to real ones.
// CHECK-LABEL: func.func @real_part
func.func @real_part(%z: tensor<4xcomplex<f64>>) -> tensor<4xf32> {
  // CHECK: %[[REAL:.+]] = stablehlo.real %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.convert %[[REAL]] : (tensor<4xf64>) -> tensor<4xf32>
  %0 = ingot.convert %z : (tensor<4xcomplex<f64>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// XLA would replace NaN times a converted False by 0.
// CHECK-LABEL: func.func @bool_to_float
func.func @bool_to_float(%m: tensor<4xi1>) -> (tensor<4xf64>, tensor<4xcomplex<f64>>, tensor<4xi64>) {
  // CHECK-DAG: %[[ONE:.+]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf64>
  // CHECK-DAG: %[[ZERO:.+]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf64>
  // CHECK: stablehlo.select %arg0, %[[ONE]], %[[ZERO]]
  %0 = ingot.convert %m : (tensor<4xi1>) -> tensor<4xf64>
  // CHECK: stablehlo.select %arg0
  %1 = ingot.convert %m : (tensor<4xi1>) -> tensor<4xcomplex<f64>>
  // CHECK: stablehlo.convert %arg0 : (tensor<4xi1>) -> tensor<4xi64>
  %2 = ingot.convert %m : (tensor<4xi1>) -> tensor<4xi64>
  return %0, %1, %2 : tensor<4xf64>, tensor<4xcomplex<f64>>, tensor<4xi64>
}

// CHECK-LABEL: func.func @no_nan
func.func @no_nan(%x: tensor<3x1xf64>, %y: tensor<4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>) {
  // CHECK-DAG: %[[X:.+]] = stablehlo.broadcast_in_dim %arg0
  // CHECK-DAG: %[[Y:.+]] = stablehlo.broadcast_in_dim %arg1
  // CHECK: %[[IS_ZERO:.+]] = stablehlo.compare EQ, %[[X]], %
  // CHECK: %[[PRODUCT:.+]] = stablehlo.multiply %[[X]], %[[Y]]
  // CHECK: stablehlo.select %[[IS_ZERO]], %{{.+}}, %[[PRODUCT]]
  %0 = ingot.mul_no_nan %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.select
  %1 = ingot.div_no_nan %x, %y : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %0, %1 : tensor<3x4xf64>, tensor<3x4xf64>
}

// XLA would simplify x + 0.0 to x, which is wrong for -0.0.
// CHECK-LABEL: func.func @zeros
func.func @zeros(%x: tensor<4xf64>, %n: tensor<4xi64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xi64>) {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %negative = ingot.constant dense<-0.0> : tensor<f64>
  %none = ingot.constant dense<0> : tensor<i64>
  // CHECK: %[[IS:.*]] = stablehlo.compare EQ, %arg0, %[[ZERO:.*]], FLOAT
  // CHECK: stablehlo.select %[[IS]], %[[ZERO]], %arg0
  %0 = ingot.add %zero, %x : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  // CHECK: stablehlo.add %arg0
  %1 = ingot.add %x, %negative : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  // CHECK: %[[IS:.*]] = stablehlo.compare EQ, %arg0, %[[ZERO:.*]], FLOAT
  // CHECK: stablehlo.select %[[IS]], %[[ZERO]], %arg0
  %2 = ingot.sub %x, %negative : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  // CHECK: stablehlo.subtract %arg0
  %3 = ingot.sub %x, %zero : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  // CHECK: stablehlo.add %arg1
  %4 = ingot.add %n, %none : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  return %0, %1, %2, %3, %4 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xi64>
}

// CHECK-LABEL: func.func @square
func.func @square(%x: tensor<4xf64>) -> tensor<4xf64> {
  %two = ingot.constant dense<2.0> : tensor<f64>
  // CHECK: stablehlo.multiply %arg0, %arg0
  %0 = ingot.pow %x, %two : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// Whole powers of integers and complex numbers are products, in NumPy's order.
// CHECK-LABEL: func.func @whole_powers
func.func @whole_powers(%n: tensor<4xi64>, %z: tensor<4xcomplex<f64>>, %x: tensor<4xf64>)
    -> (tensor<4xi64>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<4xf64>) {
  // CHECK: %[[N2:.*]] = stablehlo.multiply %arg0, %arg0
  // CHECK-NEXT: %[[N4:.*]] = stablehlo.multiply %[[N2]], %[[N2]]
  // CHECK-NEXT: stablehlo.multiply %arg0, %[[N4]]
  // CHECK-NOT: stablehlo.power
  %five = ingot.constant dense<5> : tensor<i64>
  %0 = ingot.pow %n, %five : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  // CHECK: %[[Z2:.*]] = stablehlo.multiply %arg1, %arg1
  // CHECK-NEXT: stablehlo.multiply %arg1, %[[Z2]]
  %three = ingot.constant dense<(3.0, 0.0)> : tensor<complex<f64>>
  %1 = ingot.pow %z, %three : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.select
  %inverse = ingot.constant dense<(-1.0, 0.0)> : tensor<complex<f64>>
  %2 = ingot.pow %z, %inverse : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
  // CHECK: stablehlo.power
  %cube = ingot.constant dense<3.0> : tensor<f64>
  %3 = ingot.pow %x, %cube : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %0, %1, %2, %3 : tensor<4xi64>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<4xf64>
}

// Divisors that are powers of two need no division.
// CHECK-LABEL: func.func @powers_of_two
// CHECK-NOT: stablehlo.divide
// CHECK-NOT: stablehlo.remainder
// CHECK: stablehlo.and
// CHECK: stablehlo.shift_right_arithmetic
// CHECK: stablehlo.and
// CHECK: stablehlo.select
// CHECK: stablehlo.shift_right_logical
// CHECK-NOT: stablehlo.divide
// CHECK-NOT: stablehlo.remainder
// CHECK: return
func.func @powers_of_two(%x: tensor<4xi64>, %u: tensor<4xui8>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xui8>) {
  %four = ingot.constant dense<4> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<ui8>
  %mod = ingot.mod %x, %four : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %div = ingot.floor_div %x, %four : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %fmod = ingot.fmod %x, %four : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %same = ingot.floor_div %u, %one : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return %mod, %div, %fmod, %same : tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xui8>
}

// Other constant divisors are not zero.
// CHECK-LABEL: func.func @constant_divisors
// CHECK-NOT: EQ
// CHECK: return
func.func @constant_divisors(%x: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %c = ingot.constant dense<-4> : tensor<i64>
  %mod = ingot.mod %x, %c : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %div = ingot.floor_div %x, %c : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  return %mod, %div : tensor<4xi64>, tensor<4xi64>
}

// Zero to a power whose real part is positive is zero, for which XLA gives NaN.
// CHECK-LABEL: func.func @complex_power
func.func @complex_power(%x: tensor<4xcomplex<f64>>, %y: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  // CHECK: %[[P:.+]] = stablehlo.power %arg0, %arg1
  // CHECK: %[[RE:.+]] = stablehlo.real %arg1
  // CHECK: %[[ZERO:.+]] = stablehlo.compare EQ, %arg0
  // CHECK: %[[POSITIVE:.+]] = stablehlo.compare GT, %[[RE]]
  // CHECK: %[[BOTH:.+]] = stablehlo.and %[[ZERO]], %[[POSITIVE]]
  // CHECK: stablehlo.select %[[BOTH]], %{{.*}}, %[[P]]
  %0 = ingot.pow %x, %y : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}
