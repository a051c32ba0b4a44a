// RUN: ingot-opt --split-input-file --relax-products %s | FileCheck %s

// The cotangents of p = e / s of sum(p * p): they are infinite or NaN where e is,
// and where s is 0 or NaN.
// CHECK-LABEL: @quotient
// CHECK:       %[[T:.+]] = ingot.add
// CHECK-NEXT:  %[[Q:.+]] = ingot.div %[[T]], %arg1
// CHECK-NEXT:  ingot.mul %[[Q]],
// CHECK-NEXT:  ingot.mul %[[Q]], %arg0
func.func @quotient(%e: tensor<2x4xf64>, %s: tensor<2x1xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>) {
  %p = ingot.div %e, %s : (tensor<2x4xf64>, tensor<2x1xf64>) -> tensor<2x4xf64>
  %t = ingot.add %p, %p : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
  %0 = ingot.div_no_nan %t, %s : (tensor<2x4xf64>, tensor<2x1xf64>) -> tensor<2x4xf64>
  %1 = ingot.mul_no_nan %0, %p : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
  %2 = ingot.mul_no_nan %0, %e : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
  return %1, %2 : tensor<2x4xf64>, tensor<2x4xf64>
}

// -----

// CHECK-LABEL: @constants
// CHECK:       ingot.mul %arg0,
// CHECK-NEXT:  ingot.div %arg0,
// CHECK-NEXT:  ingot.mul %{{.+}}, %arg0
// CHECK-NEXT:  ingot.div_no_nan %arg0,
// CHECK-NEXT:  ingot.mul_no_nan %arg0,
func.func @constants(%t: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %two = ingot.constant dense<2.0> : tensor<f64>
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %infinity = ingot.constant dense<0x7FF0000000000000> : tensor<f64>
  %0 = ingot.mul_no_nan %t, %two : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %1 = ingot.div_no_nan %t, %two : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %2 = ingot.mul_no_nan %two, %t : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  %3 = ingot.div_no_nan %t, %zero : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %4 = ingot.mul_no_nan %t, %infinity : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %0, %1, %2, %3, %4 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// The first operand may be zero where the second is not finite: x as a divisor of
// the seed is infinite, and the seed is not.
// CHECK-LABEL: @may_meet
// CHECK:       ingot.mul_no_nan %arg0, %arg1
// CHECK:       ingot.mul_no_nan %{{.+}}, %arg1
// CHECK:       ingot.div_no_nan %{{.+}}, %arg1
func.func @may_meet(%t: tensor<4xf64>, %x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0 = ingot.mul_no_nan %t, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %share = ingot.div %t, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = ingot.mul_no_nan %share, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %product = ingot.mul %t, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = ingot.div_no_nan %product, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1, %2 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// With `both`, a factor that can't be multiplied by an infinite one needs no check for zeros.
// CHECK-LABEL: @either
// CHECK:       ingot.mul_no_nan %arg0, %arg1 {both}
// CHECK-NEXT:  ingot.mul_no_nan %[[FINITE:[^ ]+]], %arg1 :
// CHECK-NEXT:  ingot.mul_no_nan %[[FINITE]], %arg1 :
// CHECK-NEXT:  ingot.mul %[[FINITE]], %[[FINITE]]
func.func @either(%s: tensor<4xf64>, %t: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %numbers = ingot.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  %0 = ingot.mul_no_nan %s, %t {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = ingot.mul_no_nan %t, %numbers {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = ingot.mul_no_nan %numbers, %t {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %3 = ingot.mul_no_nan %numbers, %numbers {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1, %2, %3 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// CHECK-LABEL: @sums
// CHECK:       ingot.dot_general %arg0, %arg0 {{.*}} {lhs_zeros, rhs_zeros}
// CHECK-NEXT:  ingot.dot_general %arg0, %{{.*}} {rhs_zeros}
// CHECK-NEXT:  ingot.dot_general %{{.*}}, %arg0 {{.*}} {lhs_zeros}
func.func @sums(%x: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) {
  %numbers = ingot.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %0 = ingot.dot_general %x, %x batching = [] x [] contracting = [1] x [0] {lhs_zeros, rhs_zeros} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %1 = ingot.dot_general %x, %numbers batching = [] x [] contracting = [1] x [0] {lhs_zeros, rhs_zeros} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %2 = ingot.dot_general %numbers, %x batching = [] x [] contracting = [1] x [0] {lhs_zeros, rhs_zeros} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  return %0, %1, %2 : tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>
}

// -----

// Products of ones, which sums have for a cotangent, are the other factor.
// CHECK-LABEL: @ones
// CHECK:       %[[MINUS:.+]] = ingot.neg %arg0
// CHECK:       %[[WIDE:.+]] = ingot.mul %{{.+}}, %arg1
// CHECK:       ingot.div %{{.+}}, %arg0
// CHECK:       return %arg0, %[[MINUS]], %[[WIDE]],
func.func @ones(%x: tensor<3x4xf64>, %y: tensor<4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>) {
  %one = ingot.constant dense<1.0> : tensor<1x1xf64>
  %ones = ingot.broadcast_to %one : (tensor<1x1xf64>) -> tensor<3x4xf64>
  %minus = ingot.neg %ones : tensor<3x4xf64>
  %0 = ingot.mul_no_nan %ones, %x : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %1 = ingot.mul_no_nan %minus, %x : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %2 = ingot.mul_no_nan %ones, %y : (tensor<3x4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  %3 = ingot.div_no_nan %minus, %x : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  return %0, %1, %2, %3 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>
}
