// RUN: ingot-opt %s --expand-transformations --canonicalize --cse | FileCheck %s

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_neg(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.neg %arg1 : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_neg(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.neg %arg1 : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_neg(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "neg"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.neg %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_neg(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "neg"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.neg %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_exp(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.exp %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_exp(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.exp %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_exp(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "exp"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.exp %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_exp(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "exp"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.exp %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_expm1(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.expm1 %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.mul_no_nan %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_expm1(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.expm1 %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.mul_no_nan %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
func.func @jvp_expm1(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "expm1"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.expm1 %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_expm1(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "expm1"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.expm1 %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_log(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.div_no_nan %arg1, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_log(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.div_no_nan %arg1, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_log(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "log"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.log %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_log(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "log"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.log %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_log1p(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.add %arg0, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.div_no_nan %arg1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_log1p(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.add %arg0, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.div_no_nan %arg1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
func.func @jvp_log1p(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "log1p"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.log1p %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_log1p(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "log1p"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.log1p %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_sqrt(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %2 = ingot.sqrt %arg0 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div %1, %2 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.compare eq %2, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %5 = ingot.select %4, %0, %3 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.mul_no_nan %arg1, %5 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %6 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sqrt(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %2 = ingot.sqrt %arg0 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div %1, %2 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.compare eq %2, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %5 = ingot.select %4, %0, %3 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.mul_no_nan %arg1, %5 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %6 : tensor<4xf64>
func.func @jvp_sqrt(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "sqrt"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sqrt %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_sqrt(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "sqrt"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sqrt %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cbrt(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<3.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.cbrt %arg0 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul %4, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.div %1, %5 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.compare eq %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %8 = ingot.select %7, %0, %6 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.mul_no_nan %arg1, %8 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %9 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cbrt(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<3.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.cbrt %arg0 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul %4, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.div %1, %5 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.compare eq %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %8 = ingot.select %7, %0, %6 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.mul_no_nan %arg1, %8 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %9 : tensor<4xf64>
func.func @jvp_cbrt(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cbrt"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cbrt %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cbrt(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cbrt"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cbrt %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_sin(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.cos %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sin(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.cos %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_sin(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "sin"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sin %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_sin(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "sin"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sin %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cos(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.sin %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.neg %0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cos(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.sin %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.neg %0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
func.func @jvp_cos(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cos"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cos %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cos(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cos"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cos %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_tan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.tan %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul %1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.add %2, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul_no_nan %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_tan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.tan %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul %1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.add %2, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul_no_nan %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4 : tensor<4xf64>
func.func @jvp_tan(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "tan"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.tan %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_tan(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "tan"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.tan %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_tanh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.tanh %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul %1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sub %0, %2 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul_no_nan %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_tanh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.tanh %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul %1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sub %0, %2 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul_no_nan %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4 : tensor<4xf64>
func.func @jvp_tanh(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "tanh"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.tanh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_tanh(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "tanh"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.tanh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_floor(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_floor(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_floor(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "floor"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.floor %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_floor(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "floor"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.floor %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_ceil(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_ceil(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_ceil(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "ceil"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.ceil %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_ceil(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "ceil"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.ceil %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_rint(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_rint(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_rint(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "rint"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.rint %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_rint(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "rint"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.rint %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_sign(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sign(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_sign(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "sign"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sign %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_sign(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "sign"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sign %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_asin(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.neg %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.sqrt %3 : tensor<4xf64>
// CHECK-NEXT: %5 = ingot.div_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_asin(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.neg %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.sqrt %3 : tensor<4xf64>
// CHECK-NEXT: %5 = ingot.div_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
func.func @jvp_asin(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "asin"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.asin %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_asin(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "asin"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.asin %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_acos(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.neg %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.sqrt %3 : tensor<4xf64>
// CHECK-NEXT: %5 = ingot.neg %arg1 : tensor<4xf64>
// CHECK-NEXT: %6 = ingot.div %5, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %6 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_acos(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.neg %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.sqrt %3 : tensor<4xf64>
// CHECK-NEXT: %5 = ingot.neg %arg1 : tensor<4xf64>
// CHECK-NEXT: %6 = ingot.div %5, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %6 : tensor<4xf64>
func.func @jvp_acos(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "acos"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.acos %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_acos(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "acos"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.acos %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_atan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div_no_nan %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_atan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div_no_nan %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
func.func @jvp_atan(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "atan"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.atan %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_atan(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "atan"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.atan %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_sinh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.cosh %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sinh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.cosh %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_sinh(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "sinh"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sinh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_sinh(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "sinh"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sinh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cosh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.sinh %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cosh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.sinh %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_cosh(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cosh"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cosh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cosh(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cosh"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cosh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_asinh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sqrt %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.div_no_nan %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_asinh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sqrt %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.div_no_nan %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4 : tensor<4xf64>
func.func @jvp_asinh(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "asinh"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.asinh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_asinh(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "asinh"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.asinh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_acosh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.sub %arg0, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sqrt %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.sub %arg0, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.sqrt %4 : tensor<4xf64>
// CHECK-NEXT: %6 = ingot.mul %5, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.div_no_nan %arg1, %6 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %7 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_acosh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.sub %arg0, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sqrt %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.sub %arg0, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.sqrt %4 : tensor<4xf64>
// CHECK-NEXT: %6 = ingot.mul %5, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.div_no_nan %arg1, %6 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %7 : tensor<4xf64>
func.func @jvp_acosh(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "acosh"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.acosh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_acosh(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "acosh"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.acosh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_atanh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %0, %1 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div_no_nan %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_atanh(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.sub %0, %1 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div_no_nan %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
func.func @jvp_atanh(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "atanh"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.atanh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_atanh(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "atanh"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.atanh %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_erf(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.neg %1 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.exp %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_erf(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.neg %1 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.exp %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
func.func @jvp_erf(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "erf"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.erf %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_erf(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "erf"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.erf %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_erfc(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<-1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.neg %1 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.exp %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_erfc(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<-1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.neg %1 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.exp %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
func.func @jvp_erfc(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "erfc"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.erfc %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_erfc(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "erfc"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.erfc %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_erf_inv(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.88622692545275805> : tensor<f64>
// CHECK-NEXT: %1 = ingot.erf_inv %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul %1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.exp %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_erf_inv(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.88622692545275805> : tensor<f64>
// CHECK-NEXT: %1 = ingot.erf_inv %arg0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul %1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.exp %2 : tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul %3, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
func.func @jvp_erf_inv(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "erf_inv"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.erf_inv %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_erf_inv(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "erf_inv"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.erf_inv %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_lgamma(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.digamma %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_lgamma(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.digamma %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_lgamma(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "lgamma"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.lgamma %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_lgamma(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "lgamma"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.lgamma %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_digamma(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.polygamma %0, %arg0 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_digamma(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.polygamma %0, %arg0 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
func.func @jvp_digamma(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "digamma"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.digamma %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_digamma(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "digamma"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.digamma %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_abs(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.sign %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_abs(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.sign %arg0 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_abs(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "abs"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.abs %xi : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_abs(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "abs"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.abs %xi : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_add(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.add %arg2, %arg3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_add(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: return %arg2, %arg2 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_add(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "add"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.add %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_add(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "add"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.add %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_sub(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.neg %arg3 : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.add %arg2, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sub(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.neg %arg2 : tensor<4xf64>
// CHECK-NEXT: return %arg2, %0 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_sub(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "sub"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.sub %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_sub(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "sub"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.sub %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_mul(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg3, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %0, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mul(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg2, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0, %1 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_mul(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "mul"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mul %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_mul(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "mul"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mul %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_div(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.div %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.div_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.div_no_nan %arg3, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.mul_no_nan %2, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.neg %3 : tensor<4xf64>
// CHECK-NEXT: %5 = ingot.add %1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_div(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.div %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.div_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.neg %2 : tensor<4xf64>
// CHECK-NEXT: return %1, %3 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_div(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "div"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.div %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_div(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "div"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.div %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_mul_no_nan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg3, %arg0 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %0, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mul_no_nan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg2, %arg0 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0, %1 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_mul_no_nan(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "mul_no_nan"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mul_no_nan %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_mul_no_nan(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "mul_no_nan"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mul_no_nan %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_div_no_nan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.div_no_nan %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.div_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.div_no_nan %arg3, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.mul_no_nan %2, %0 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.neg %3 : tensor<4xf64>
// CHECK-NEXT: %5 = ingot.add %1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %5 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_div_no_nan(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.div_no_nan %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.div_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %1, %0 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.neg %2 : tensor<4xf64>
// CHECK-NEXT: return %1, %3 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_div_no_nan(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "div_no_nan"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.div_no_nan %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_div_no_nan(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "div_no_nan"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.div_no_nan %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_mod(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.floor_div %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.neg %0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg3, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.add %arg2, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mod(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.floor_div %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.neg %0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg2, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %arg2, %2 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_mod(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "mod"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mod %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_mod(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "mod"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mod %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_fmod(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.div %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.trunc %0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.neg %1 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.mul_no_nan %arg3, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.add %arg2, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_fmod(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.div %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.trunc %0 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.neg %1 : tensor<4xf64>
// CHECK-NEXT: %3 = ingot.mul_no_nan %arg2, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %arg2, %3 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_fmod(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "fmod"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.fmod %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_fmod(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "fmod"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.fmod %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_pow(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.pow %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sub %arg1, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.pow %arg0, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.mul_no_nan %arg2, %5 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.compare eq %arg0, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %8 = ingot.select %7, %1, %arg0 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.log %8 : tensor<4xf64>
// CHECK-NEXT: %10 = ingot.mul %2, %9 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %11 = ingot.select %7, %0, %10 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.mul_no_nan %arg3, %11 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %13 = ingot.add %6, %12 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %13 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_pow(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.pow %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.sub %arg1, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.pow %arg0, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.mul_no_nan %arg1, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.mul_no_nan %arg2, %5 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.compare eq %arg0, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %8 = ingot.select %7, %1, %arg0 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.log %8 : tensor<4xf64>
// CHECK-NEXT: %10 = ingot.mul %2, %9 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %11 = ingot.select %7, %0, %10 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.mul_no_nan %arg2, %11 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %6, %12 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_pow(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "pow"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.pow %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_pow(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "pow"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.pow %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_maximum(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.maximum %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %5 = ingot.compare eq %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %6 = ingot.select %4, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.select %5, %1, %6 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.mul_no_nan %arg2, %7 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.compare eq %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %10 = ingot.compare eq %arg1, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %11 = ingot.select %9, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.select %10, %1, %11 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %13 = ingot.mul_no_nan %arg3, %12 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %14 = ingot.add %8, %13 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %14 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_maximum(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.maximum %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %5 = ingot.compare eq %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %6 = ingot.select %4, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.select %5, %1, %6 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.mul_no_nan %arg2, %7 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.compare eq %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %10 = ingot.compare eq %arg1, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %11 = ingot.select %9, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.select %10, %1, %11 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %13 = ingot.mul_no_nan %arg2, %12 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %8, %13 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_maximum(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "maximum"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.maximum %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_maximum(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "maximum"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.maximum %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_minimum(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.minimum %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %5 = ingot.compare eq %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %6 = ingot.select %4, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.select %5, %1, %6 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.mul_no_nan %arg2, %7 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.compare eq %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %10 = ingot.compare eq %arg1, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %11 = ingot.select %9, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.select %10, %1, %11 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %13 = ingot.mul_no_nan %arg3, %12 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %14 = ingot.add %8, %13 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %14 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_minimum(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.minimum %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %5 = ingot.compare eq %arg0, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %6 = ingot.select %4, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.select %5, %1, %6 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.mul_no_nan %arg2, %7 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %9 = ingot.compare eq %arg1, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %10 = ingot.compare eq %arg1, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %11 = ingot.select %9, %2, %0 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.select %10, %1, %11 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %13 = ingot.mul_no_nan %arg2, %12 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %8, %13 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_minimum(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "minimum"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.minimum %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_minimum(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "minimum"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.minimum %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_atan2(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.mul %arg1, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul_no_nan %arg2, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.div %arg0, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.neg %5 : tensor<4xf64>
// CHECK-NEXT: %7 = ingot.mul_no_nan %arg3, %6 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.add %4, %7 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %8 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_atan2(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.mul %arg1, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul %arg0, %arg0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %1, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.div %arg1, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul_no_nan %arg2, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.div %arg0, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.neg %5 : tensor<4xf64>
// CHECK-NEXT: %7 = ingot.mul_no_nan %arg2, %6 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %4, %7 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_atan2(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "atan2"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.atan2 %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_atan2(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "atan2"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.atan2 %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_floor_div(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_floor_div(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %0, %0 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_floor_div(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "floor_div"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.floor_div %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_floor_div(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "floor_div"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.floor_div %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_polygamma(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.add %arg0, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.polygamma %1, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.mul_no_nan %arg3, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_polygamma(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.add %arg0, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.polygamma %2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.mul_no_nan %arg2, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0, %4 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_polygamma(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "polygamma"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.polygamma %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_polygamma(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "polygamma"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.polygamma %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_broadcast(%arg0: tensor<f64>, %arg1: tensor<4xf64>, %arg2: tensor<f64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg3, %arg0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %0, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_broadcast(%arg0: tensor<f64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.reduce add %0 axes = [0] : (tensor<4xf64>) -> tensor<f64>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg2, %arg0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: return %1, %2 : tensor<f64>, tensor<4xf64>
func.func @jvp_broadcast(%x: tensor<f64>, %y: tensor<4xf64>, %dx: tensor<f64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "broadcast"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>, %yi: tensor<4xf64>):
    %o = ingot.mul %xi, %yi : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<f64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_broadcast(%x: tensor<f64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "broadcast"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<f64>, %yi: tensor<4xf64>):
    %o = ingot.mul %xi, %yi : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<f64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<f64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<f64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_conj(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.conj %arg1 : tensor<4xcomplex<f64>>
// CHECK-NEXT: return %0 : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_conj(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.conj %arg1 : tensor<4xcomplex<f64>>
// CHECK-NEXT: return %0 : tensor<4xcomplex<f64>>
func.func @jvp_conj(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.jvp "conj"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.conj %xi : tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}
func.func @vjp_conj(%x: tensor<4xcomplex<f64>>, %r0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "conj"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.conj %xi : tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @jvp_complex_sign(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %1 = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %2 = ingot.sign %arg0 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %3 = ingot.conj %2 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %4 = ingot.mul %3, %arg1 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %5 = ingot.real %4 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.convert %5 : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %7 = ingot.abs %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.convert %7 : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %9 = ingot.compare eq %8, %1 : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xi1>
// CHECK-NEXT: %10 = ingot.select %9, %0, %8 : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %11 = ingot.mul %2, %6 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %12 = ingot.sub %arg1, %11 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %13 = ingot.div %12, %10 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %14 = ingot.select %9, %1, %13 : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %14 : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_complex_sign(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %2 = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %3 = ingot.sign %arg0 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %4 = ingot.conj %3 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %5 = ingot.abs %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %6 = ingot.convert %5 : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %7 = ingot.compare eq %6, %2 : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xi1>
// CHECK-NEXT: %8 = ingot.select %7, %1, %6 : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %9 = ingot.select %7, %2, %arg1 : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %10 = ingot.div_no_nan %9, %8 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %11 = ingot.neg %10 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %12 = ingot.mul_no_nan %11, %3 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %13 = ingot.convert %12 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %14 = ingot.complex %13, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %15 = ingot.mul_no_nan %14, %4 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %16 = ingot.add %10, %15 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %16 : tensor<4xcomplex<f64>>
func.func @jvp_complex_sign(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.jvp "complex_sign"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.sign %xi : tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}
func.func @vjp_complex_sign(%x: tensor<4xcomplex<f64>>, %r0: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "complex_sign"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.sign %xi : tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @jvp_complex_abs(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.sign %arg0 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %1 = ingot.conj %0 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %2 = ingot.mul_no_nan %arg1, %1 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %3 = ingot.real %2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_complex_abs(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.sign %arg0 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %2 = ingot.complex %arg1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %3 = ingot.conj %1 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %4 = ingot.mul_no_nan %2, %3 : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %4 : tensor<4xcomplex<f64>>
func.func @jvp_complex_abs(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "complex_abs"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.abs %xi : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_complex_abs(%x: tensor<4xcomplex<f64>>, %r0: tensor<4xf64>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "complex_abs"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.abs %xi : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xcomplex<f64>>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @jvp_real(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.real %arg1 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_real(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.complex %arg1, %0 : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %1 : tensor<4xcomplex<f64>>
func.func @jvp_real(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "real"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.real %xi : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_real(%x: tensor<4xcomplex<f64>>, %r0: tensor<4xf64>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "real"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.real %xi : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xcomplex<f64>>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @jvp_imag(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.imag %arg1 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_imag(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.neg %arg1 : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.complex %0, %1 : (tensor<f64>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %2 : tensor<4xcomplex<f64>>
func.func @jvp_imag(%x: tensor<4xcomplex<f64>>, %dx: tensor<4xcomplex<f64>>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "imag"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.imag %xi : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_imag(%x: tensor<4xcomplex<f64>>, %r0: tensor<4xf64>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.vjp "imag"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xcomplex<f64>>):
    %o = ingot.imag %xi : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xcomplex<f64>>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @jvp_complex(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.complex %arg2, %arg3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %0 : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_complex(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xcomplex<f64>>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.real %arg2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.imag %arg2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.neg %1 : tensor<4xf64>
// CHECK-NEXT: return %0, %2 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_complex(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xcomplex<f64>>) {
  %r:2 = ingot.jvp "complex"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.complex %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>)
  return %r#1 : tensor<4xcomplex<f64>>
}
func.func @vjp_complex(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xcomplex<f64>>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "complex"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.complex %xi, %yi : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
    ingot.yield %o : tensor<4xcomplex<f64>>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_convert(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf32> {
// CHECK-NEXT: %0 = ingot.convert %arg1 : (tensor<4xf64>) -> tensor<4xf32>
// CHECK-NEXT: return %0 : tensor<4xf32>
// CHECK-LABEL: func.func @vjp_convert(%arg0: tensor<4xf64>, %arg1: tensor<4xf32>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.convert %arg1 : (tensor<4xf32>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_convert(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf32>) {
  %r:2 = ingot.jvp "convert"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.convert %xi : (tensor<4xf64>) -> tensor<4xf32>
    ingot.yield %o : tensor<4xf32>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
}
func.func @vjp_convert(%x: tensor<4xf64>, %r0: tensor<4xf32>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "convert"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.convert %xi : (tensor<4xf64>) -> tensor<4xf32>
    ingot.yield %o : tensor<4xf32>
  } : (tensor<4xf64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_reshape(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<2x2xf64> {
// CHECK-NEXT: %0 = ingot.reshape %arg1 : (tensor<4xf64>) -> tensor<2x2xf64>
// CHECK-NEXT: return %0 : tensor<2x2xf64>
// CHECK-LABEL: func.func @vjp_reshape(%arg0: tensor<4xf64>, %arg1: tensor<2x2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.reshape %arg1 : (tensor<2x2xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_reshape(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<2x2xf64>) {
  %r:2 = ingot.jvp "reshape"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.reshape %xi : (tensor<4xf64>) -> tensor<2x2xf64>
    ingot.yield %o : tensor<2x2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>)
  return %r#1 : tensor<2x2xf64>
}
func.func @vjp_reshape(%x: tensor<4xf64>, %r0: tensor<2x2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "reshape"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.reshape %xi : (tensor<4xf64>) -> tensor<2x2xf64>
    ingot.yield %o : tensor<2x2xf64>
  } : (tensor<4xf64>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_transpose(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> tensor<4x3xf64> {
// CHECK-NEXT: %0 = ingot.transpose %arg1 axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
// CHECK-NEXT: return %0 : tensor<4x3xf64>
// CHECK-LABEL: func.func @vjp_transpose(%arg0: tensor<3x4xf64>, %arg1: tensor<4x3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.transpose %arg1 axes = [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %0 : tensor<3x4xf64>
func.func @jvp_transpose(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<4x3xf64>) {
  %r:2 = ingot.jvp "transpose"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.transpose %xi axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    ingot.yield %o : tensor<4x3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<4x3xf64>, tensor<4x3xf64>)
  return %r#1 : tensor<4x3xf64>
}
func.func @vjp_transpose(%x: tensor<3x4xf64>, %r0: tensor<4x3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "transpose"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.transpose %xi axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    ingot.yield %o : tensor<4x3xf64>
  } : (tensor<3x4xf64>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_broadcast_to(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.broadcast_to %arg1 : (tensor<4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %0 : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_broadcast_to(%arg0: tensor<4xf64>, %arg1: tensor<3x4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.reduce add %arg1 axes = [0] : (tensor<3x4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_broadcast_to(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "broadcast_to"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.broadcast_to %xi : (tensor<4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_broadcast_to(%x: tensor<4xf64>, %r0: tensor<3x4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "broadcast_to"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.broadcast_to %xi : (tensor<4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_concatenate(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<8xf64> {
// CHECK-NEXT: %0 = ingot.concatenate %arg2, %arg3 axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
// CHECK-NEXT: return %0 : tensor<8xf64>
// CHECK-LABEL: func.func @vjp_concatenate(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<8xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.slice %arg2 starts = [0] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.slice %arg2 starts = [4] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0, %1 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_concatenate(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<8xf64>) {
  %r:2 = ingot.jvp "concatenate"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.concatenate %xi, %yi axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
    ingot.yield %o : tensor<8xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %r#1 : tensor<8xf64>
}
func.func @vjp_concatenate(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<8xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "concatenate"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.concatenate %xi, %yi axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
    ingot.yield %o : tensor<8xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_flip(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.flip %arg1 axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_flip(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.flip %arg1 axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
func.func @jvp_flip(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "flip"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.flip %xi axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_flip(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "flip"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.flip %xi axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_pad(%arg0: tensor<4xf64>, %arg1: tensor<f64>, %arg2: tensor<4xf64>, %arg3: tensor<f64>) -> tensor<7xf64> {
// CHECK-NEXT: %0 = ingot.pad %arg2, %arg3 low = [1] high = [2] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<7xf64>
// CHECK-NEXT: return %0 : tensor<7xf64>
// CHECK-LABEL: func.func @vjp_pad(%arg0: tensor<4xf64>, %arg1: tensor<f64>, %arg2: tensor<7xf64>) -> (tensor<4xf64>, tensor<f64>) {
// CHECK-NEXT: %0 = ingot.slice %arg2 starts = [1] sizes = [4] strides = [1] : (tensor<7xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.reduce add %0 axes = [0] : (tensor<4xf64>) -> tensor<f64>
// CHECK-NEXT: %2 = ingot.reduce add %arg2 axes = [0] : (tensor<7xf64>) -> tensor<f64>
// CHECK-NEXT: %3 = ingot.sub %2, %1 : (tensor<f64>, tensor<f64>) -> tensor<f64>
// CHECK-NEXT: return %0, %3 : tensor<4xf64>, tensor<f64>
func.func @jvp_pad(%x: tensor<4xf64>, %y: tensor<f64>, %dx: tensor<4xf64>, %dy: tensor<f64>) -> (tensor<7xf64>) {
  %r:2 = ingot.jvp "pad"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<f64>):
    %o = ingot.pad %xi, %yi low = [1] high = [2] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<7xf64>
    ingot.yield %o : tensor<7xf64>
  } : (tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<f64>) -> (tensor<7xf64>, tensor<7xf64>)
  return %r#1 : tensor<7xf64>
}
func.func @vjp_pad(%x: tensor<4xf64>, %y: tensor<f64>, %r0: tensor<7xf64>) -> (tensor<4xf64>, tensor<f64>) {
  %r:3 = ingot.vjp "pad"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<f64>):
    %o = ingot.pad %xi, %yi low = [1] high = [2] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<7xf64>
    ingot.yield %o : tensor<7xf64>
  } : (tensor<4xf64>, tensor<f64>, tensor<7xf64>) -> (tensor<7xf64>, tensor<4xf64>, tensor<f64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<f64>
}

// CHECK-LABEL: func.func @jvp_slice(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<2xf64> {
// CHECK-NEXT: %0 = ingot.slice %arg1 starts = [1] sizes = [2] strides = [1] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: return %0 : tensor<2xf64>
// CHECK-LABEL: func.func @vjp_slice(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.pad %arg1, %0 low = [1] high = [1] interior = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_slice(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<2xf64>) {
  %r:2 = ingot.jvp "slice"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.slice %xi starts = [1] sizes = [2] strides = [1] : (tensor<4xf64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
func.func @vjp_slice(%x: tensor<4xf64>, %r0: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "slice"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.slice %xi starts = [1] sizes = [2] strides = [1] : (tensor<4xf64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_reduce_add(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %0 = ingot.reduce add %arg1 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: return %0 : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_add(%arg0: tensor<3x4xf64>, %arg1: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.reshape %arg1 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %1 = ingot.broadcast_to %0 : (tensor<3x1xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %1 : tensor<3x4xf64>
func.func @jvp_reduce_add(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_add"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce add %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_add(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_add"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce add %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_reduce_mul(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.cumulative mul %arg0 axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %2 = ingot.slice %1 starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %3 = ingot.pad %2, %0 low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %4 = ingot.flip %arg0 axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %5 = ingot.cumulative mul %4 axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %6 = ingot.slice %5 starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %7 = ingot.pad %6, %0 low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %8 = ingot.flip %7 axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %9 = ingot.mul %3, %8 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %10 = ingot.mul_no_nan %arg1, %9 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %11 = ingot.reduce add %10 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: return %11 : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_mul(%arg0: tensor<3x4xf64>, %arg1: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.reshape %arg1 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %2 = ingot.cumulative mul %arg0 axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %3 = ingot.slice %2 starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %4 = ingot.pad %3, %0 low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %5 = ingot.flip %arg0 axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %6 = ingot.cumulative mul %5 axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %7 = ingot.slice %6 starts = [0, 0] sizes = [3, 3] strides = [1, 1] : (tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %8 = ingot.pad %7, %0 low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %9 = ingot.flip %8 axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %10 = ingot.mul %4, %9 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %11 = ingot.mul_no_nan %1, %10 : (tensor<3x1xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %11 : tensor<3x4xf64>
func.func @jvp_reduce_mul(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_mul"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce mul %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_mul(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_mul"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce mul %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_reduce_max(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.reduce max %arg0 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %3 = ingot.reshape %2 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %5 = ingot.select %4, %1, %0 : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %6 = ingot.reduce add %5 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %7 = ingot.select %4, %arg1, %0 : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %8 = ingot.reduce add %7 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %9 = ingot.div_no_nan %8, %6 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: return %9 : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_max(%arg0: tensor<3x4xf64>, %arg1: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.reduce max %arg0 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %3 = ingot.reshape %2 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %5 = ingot.select %4, %1, %0 : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %6 = ingot.reduce add %5 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %7 = ingot.div_no_nan %arg1, %6 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %8 = ingot.reshape %7 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %9 = ingot.select %4, %8, %0 : (tensor<3x4xi1>, tensor<3x1xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %9 : tensor<3x4xf64>
func.func @jvp_reduce_max(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_max"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce max %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_max(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_max"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce max %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_reduce_min(%arg0: tensor<3x4xf64>, %arg1: tensor<3x4xf64>) -> tensor<3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.reduce min %arg0 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %3 = ingot.reshape %2 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %5 = ingot.select %4, %1, %0 : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %6 = ingot.reduce add %5 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %7 = ingot.select %4, %arg1, %0 : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %8 = ingot.reduce add %7 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %9 = ingot.div_no_nan %8, %6 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: return %9 : tensor<3xf64>
// CHECK-LABEL: func.func @vjp_reduce_min(%arg0: tensor<3x4xf64>, %arg1: tensor<3xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.reduce min %arg0 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %3 = ingot.reshape %2 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %4 = ingot.compare eq %arg0, %3 : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xi1>
// CHECK-NEXT: %5 = ingot.select %4, %1, %0 : (tensor<3x4xi1>, tensor<f64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: %6 = ingot.reduce add %5 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %7 = ingot.div_no_nan %arg1, %6 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %8 = ingot.reshape %7 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %9 = ingot.select %4, %8, %0 : (tensor<3x4xi1>, tensor<3x1xf64>, tensor<f64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %9 : tensor<3x4xf64>
func.func @jvp_reduce_min(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3xf64>) {
  %r:2 = ingot.jvp "reduce_min"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce min %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @vjp_reduce_min(%x: tensor<3x4xf64>, %r0: tensor<3xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.vjp "reduce_min"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    %o = ingot.reduce min %xi axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    ingot.yield %o : tensor<3xf64>
  } : (tensor<3x4xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_add(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.cumulative add %arg1 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_add(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.flip %arg1 axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.cumulative add %0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.flip %1 axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
func.func @jvp_cumulative_add(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_add"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative add %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_add(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_add"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative add %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_mul(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<2.2250738585072014E-308> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.cumulative mul %arg0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.abs %arg0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.compare lt %4, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %6 = ingot.select %5, %0, %2 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.cumulative max %6 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.compare ne %7, %2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %9 = ingot.select %5, %0, %arg0 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %10 = ingot.div_no_nan %arg1, %9 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %11 = ingot.cumulative add %10 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.mul_no_nan %11, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %13 = ingot.slice %3 starts = [0] sizes = [3] strides = [1] : (tensor<4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %14 = ingot.pad %13, %0 low = [1] high = [0] interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %15 = ingot.mul_no_nan %arg1, %14 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %16 = ingot.slice %arg0 starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %17 = ingot.slice %arg0 starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %18 = ingot.mul %17, %16 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %19 = ingot.slice %15 starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %20 = ingot.slice %15 starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %21 = ingot.mul_no_nan %20, %16 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %22 = ingot.add %21, %19 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %23 = ingot.slice %18 starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %24 = ingot.slice %22 starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %25 = ingot.slice %22 starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %26 = ingot.mul_no_nan %25, %23 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %27 = ingot.add %26, %24 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %28 = ingot.slice %27 starts = [0] sizes = [0] strides = [1] : (tensor<1xf64>) -> tensor<0xf64>
// CHECK-NEXT: %29 = ingot.pad %28, %2 low = [1] high = [0] interior = [0] : (tensor<0xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %30 = ingot.slice %18 starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %31 = ingot.mul_no_nan %29, %30 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %32 = ingot.add %31, %25 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %33 = ingot.pad %27, %2 low = [1] high = [0] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %34 = ingot.pad %32, %2 low = [0] high = [1] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %35 = ingot.add %34, %33 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %36 = ingot.slice %35 starts = [0] sizes = [1] strides = [1] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %37 = ingot.pad %36, %2 low = [1] high = [0] interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %38 = ingot.mul_no_nan %37, %17 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %39 = ingot.add %38, %20 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %40 = ingot.pad %35, %2 low = [1] high = [0] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %41 = ingot.pad %39, %2 low = [0] high = [1] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %42 = ingot.add %41, %40 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %43 = ingot.select %8, %42, %12 : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %43 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_mul(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<2.2250738585072014E-308> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.cumulative mul %arg0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %4 = ingot.abs %arg0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.compare lt %4, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %6 = ingot.select %5, %0, %2 : (tensor<4xi1>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %7 = ingot.cumulative max %6 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %8 = ingot.compare ne %7, %2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %9 = ingot.select %5, %0, %arg0 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %10 = ingot.slice %3 starts = [0] sizes = [3] strides = [1] : (tensor<4xf64>) -> tensor<3xf64>
// CHECK-NEXT: %11 = ingot.pad %10, %0 low = [1] high = [0] interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %12 = ingot.slice %arg0 starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %13 = ingot.slice %arg0 starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %14 = ingot.mul %13, %12 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %15 = ingot.slice %14 starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %16 = ingot.slice %14 starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %17 = ingot.select %8, %arg1, %2 : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %18 = ingot.select %8, %2, %arg1 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %19 = ingot.slice %17 starts = [0] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %20 = ingot.slice %17 starts = [1] sizes = [2] strides = [2] : (tensor<4xf64>) -> tensor<2xf64>
// CHECK-NEXT: %21 = ingot.mul_no_nan %19, %13 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %22 = ingot.pad %19, %2 low = [0] high = [1] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %23 = ingot.slice %21 starts = [1] sizes = [1] strides = [1] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %24 = ingot.pad %23, %2 low = [0] high = [1] interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %25 = ingot.add %20, %24 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %26 = ingot.slice %25 starts = [0] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %27 = ingot.slice %25 starts = [1] sizes = [1] strides = [2] : (tensor<2xf64>) -> tensor<1xf64>
// CHECK-NEXT: %28 = ingot.mul_no_nan %26, %16 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %29 = ingot.pad %26, %2 low = [0] high = [1] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %30 = ingot.slice %28 starts = [1] sizes = [0] strides = [1] : (tensor<1xf64>) -> tensor<0xf64>
// CHECK-NEXT: %31 = ingot.pad %30, %2 low = [0] high = [1] interior = [0] : (tensor<0xf64>, tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: %32 = ingot.add %27, %31 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %33 = ingot.mul_no_nan %32, %15 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %34 = ingot.pad %33, %2 low = [0] high = [1] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %35 = ingot.add %29, %34 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %36 = ingot.pad %32, %2 low = [1] high = [0] interior = [1] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: %37 = ingot.add %35, %36 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %38 = ingot.mul_no_nan %37, %12 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %39 = ingot.pad %38, %2 low = [0] high = [1] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %40 = ingot.add %22, %39 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %41 = ingot.pad %37, %2 low = [1] high = [0] interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %42 = ingot.add %40, %41 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %43 = ingot.mul_no_nan %42, %11 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %44 = ingot.mul_no_nan %18, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %45 = ingot.flip %44 axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %46 = ingot.cumulative add %45 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %47 = ingot.flip %46 axes = [0] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %48 = ingot.div_no_nan %47, %9 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %49 = ingot.add %43, %48 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %49 : tensor<4xf64>
func.func @jvp_cumulative_mul(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_mul"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative mul %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_mul(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_mul"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative mul %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_max(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.cumulative max %arg0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.compare eq %arg0, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %3 = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %4 = ingot.select %2, %3, %0 : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %5 = ingot.cumulative max %4 axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %6 = ingot.gather %arg1[%5] : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %6 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_max(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.cumulative max %arg0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.compare eq %arg0, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %4 = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %5 = ingot.select %3, %4, %0 : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %6 = ingot.cumulative max %5 axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %7 = ingot.scatter add %1, %arg1[%6] : (tensor<4xf64>, tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %7 : tensor<4xf64>
func.func @jvp_cumulative_max(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_max"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative max %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_max(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_max"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative max %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_cumulative_min(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.cumulative min %arg0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.compare eq %arg0, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %3 = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %4 = ingot.select %2, %3, %0 : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %5 = ingot.cumulative max %4 axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %6 = ingot.gather %arg1[%5] : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %6 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cumulative_min(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %2 = ingot.cumulative min %arg0 axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %3 = ingot.compare eq %arg0, %2 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %4 = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %5 = ingot.select %3, %4, %0 : (tensor<4xi1>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NEXT: %6 = ingot.cumulative max %5 axis = 0 : (tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT: %7 = ingot.scatter add %1, %arg1[%6] : (tensor<4xf64>, tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %7 : tensor<4xf64>
func.func @jvp_cumulative_min(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "cumulative_min"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative min %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_cumulative_min(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "cumulative_min"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.cumulative min %xi axis = 0 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_sort(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %1:2 = ingot.sort %arg0, %0 axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
// CHECK-NEXT: %2 = ingot.gather %arg1[%1#1] : (tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sort(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.iota axis = 0 : tensor<4xi64>
// CHECK-NEXT: %2:2 = ingot.sort %arg0, %1 axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
// CHECK-NEXT: %3 = ingot.scatter add %0, %arg1[%2#1] : (tensor<4xf64>, tensor<4xf64>, tensor<4xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
func.func @jvp_sort(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "sort"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sort %xi axis = 0 keys = 1 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_sort(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "sort"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.sort %xi axis = 0 keys = 1 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_dot_general(%arg0: tensor<3x3xf64>, %arg1: tensor<3x4xf64>, %arg2: tensor<3x3xf64>, %arg3: tensor<3x4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.dot_general %arg2, %arg1 batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %1 = ingot.dot_general %arg0, %arg3 batching = [] x [] contracting = [1] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %2 = ingot.add %0, %1 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %2 : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_dot_general(%arg0: tensor<3x3xf64>, %arg1: tensor<3x4xf64>, %arg2: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
// CHECK-NEXT: %0 = ingot.dot_general %arg2, %arg1 batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %1 = ingot.dot_general %arg0, %arg2 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %0, %1 : tensor<3x3xf64>, tensor<3x4xf64>
func.func @jvp_dot_general(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %dx: tensor<3x3xf64>, %dy: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "dot_general"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_dot_general(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %r0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
  %r:3 = ingot.vjp "dot_general"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>)
  return %r#1, %r#2 : tensor<3x3xf64>, tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_mul_no_nan_both(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg3, %arg0 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.add %0, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %2 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mul_no_nan_both(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.mul_no_nan %arg2, %arg1 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %1 = ingot.mul_no_nan %arg2, %arg0 {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0, %1 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_mul_no_nan_both(%x: tensor<4xf64>, %y: tensor<4xf64>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "mul_no_nan_both"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mul_no_nan %xi, %yi {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_mul_no_nan_both(%x: tensor<4xf64>, %y: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "mul_no_nan_both"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.mul_no_nan %xi, %yi {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_dot_general_zeros(%arg0: tensor<3x3xf64>, %arg1: tensor<3x4xf64>, %arg2: tensor<3x3xf64>, %arg3: tensor<3x4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.dot_general %arg2, %arg1 batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %1 = ingot.dot_general %arg0, %arg3 batching = [] x [] contracting = [1] x [0] {lhs_zeros, rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %2 = ingot.add %0, %1 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %2 : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_dot_general_zeros(%arg0: tensor<3x3xf64>, %arg1: tensor<3x4xf64>, %arg2: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
// CHECK-NEXT: %0 = ingot.dot_general %arg2, %arg1 batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %1 = ingot.dot_general %arg0, %arg2 batching = [] x [] contracting = [0] x [0] {lhs_zeros, rhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %0, %1 : tensor<3x3xf64>, tensor<3x4xf64>
func.func @jvp_dot_general_zeros(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %dx: tensor<3x3xf64>, %dy: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "dot_general_zeros"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_dot_general_zeros(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %r0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
  %r:3 = ingot.vjp "dot_general_zeros"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.dot_general %xi, %yi batching = [] x [] contracting = [1] x [0] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>)
  return %r#1, %r#2 : tensor<3x3xf64>, tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_fft(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.fft fft %arg1 length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %0 : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_fft(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.fft fft %arg1 length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %0 : tensor<4xcomplex<f64>>
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

// CHECK-LABEL: func.func @jvp_rfft(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<3xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.fft rfft %arg1 length = 4 : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
// CHECK-NEXT: return %0 : tensor<3xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_rfft(%arg0: tensor<4xf64>, %arg1: tensor<3xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %1 = ingot.pad %arg1, %0 low = [0] high = [1] interior = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %2 = ingot.fft fft %1 length = 4 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %3 = ingot.real %2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %3 : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_irfft(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<4xcomplex<f64>>) -> tensor<6xf64> {
// CHECK-NEXT: %0 = ingot.fft irfft %arg1 length = 6 : (tensor<4xcomplex<f64>>) -> tensor<6xf64>
// CHECK-NEXT: return %0 : tensor<6xf64>
// CHECK-LABEL: func.func @vjp_irfft(%arg0: tensor<4xcomplex<f64>>, %arg1: tensor<6xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.constant dense<(0.16666666666666666,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %1 = ingot.constant dense<(0.33333333333333331,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %2 = ingot.constant dense<3.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %4 = ingot.fft rfft %arg1 length = 6 : (tensor<6xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %5 = ingot.conj %4 : tensor<4xcomplex<f64>>
// CHECK-NEXT: %6 = ingot.iota axis = 0 : tensor<4xf64>
// CHECK-NEXT: %7 = ingot.compare eq %6, %3 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %8 = ingot.compare eq %6, %2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %9 = ingot.or %7, %8 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %10 = ingot.mul %5, %1 : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %11 = ingot.mul %5, %0 : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %12 = ingot.select %9, %11, %10 : (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %12 : tensor<4xcomplex<f64>>
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

// CHECK-LABEL: func.func @jvp_cholesky(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.cholesky %arg0 : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %4 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %5 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %6 = ingot.sub %4, %5 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %7 = ingot.compare ge %6, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %8 = ingot.select %7, %3, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %9 = ingot.compare gt %6, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %10 = ingot.select %9, %arg1, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %11 = ingot.compare eq %6, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %12 = ingot.select %11, %arg1, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.transpose %10 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.add %10, %13 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.add %14, %12 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.triangular_solve %8, %15 lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %17 = ingot.transpose %16 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %18 = ingot.triangular_solve %8, %17 lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.select %11, %18, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %20 = ingot.mul %19, %0 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %21 = ingot.select %9, %18, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %22 = ingot.add %21, %20 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.dot_general %8, %22 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %23 : tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_cholesky(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %3 = ingot.cholesky %arg0 : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %4 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %5 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %6 = ingot.sub %4, %5 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %7 = ingot.compare ge %6, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %8 = ingot.select %7, %3, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %9 = ingot.compare gt %6, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %10 = ingot.compare eq %6, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %11 = ingot.dot_general %8, %arg1 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.select %9, %11, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.mul_no_nan %11, %0 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.select %10, %13, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.add %12, %14 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.transpose %8 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %17 = ingot.triangular_solve %16, %15 lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %18 = ingot.transpose %17 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.triangular_solve %16, %18 lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %20 = ingot.transpose %19 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %21 = ingot.add %19, %20 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %22 = ingot.select %10, %19, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.select %9, %21, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.add %22, %23 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %24 : tensor<3x3xf64>
func.func @jvp_cholesky(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:2 = ingot.jvp "cholesky"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o = ingot.cholesky %xi : (tensor<3x3xf64>) -> tensor<3x3xf64>
    ingot.yield %o : tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#1 : tensor<3x3xf64>
}
func.func @vjp_cholesky(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:2 = ingot.vjp "cholesky"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o = ingot.cholesky %xi : (tensor<3x3xf64>) -> tensor<3x3xf64>
    ingot.yield %o : tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#1 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_triangular_solve(%arg0: tensor<3x3xf64>, %arg1: tensor<3x4xf64>, %arg2: tensor<3x3xf64>, %arg3: tensor<3x4xf64>) -> tensor<3x4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.triangular_solve %arg0, %arg1 lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %3 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %4 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %5 = ingot.sub %3, %4 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %6 = ingot.compare ge %5, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %7 = ingot.select %6, %arg2, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %8 = ingot.dot_general %7, %2 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %9 = ingot.sub %arg3, %8 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %10 = ingot.triangular_solve %arg0, %9 lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: return %10 : tensor<3x4xf64>
// CHECK-LABEL: func.func @vjp_triangular_solve(%arg0: tensor<3x3xf64>, %arg1: tensor<3x4xf64>, %arg2: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.triangular_solve %arg0, %arg1 lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %3 = ingot.transpose %arg0 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %4 = ingot.triangular_solve %3, %arg2 lower = false unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %5 = ingot.transpose %2 axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
// CHECK-NEXT: %6 = ingot.dot_general %4, %5 batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %7 = ingot.neg %6 : tensor<3x3xf64>
// CHECK-NEXT: %8 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %9 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %10 = ingot.sub %8, %9 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %11 = ingot.compare ge %10, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %12 = ingot.select %11, %7, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %12, %4 : tensor<3x3xf64>, tensor<3x4xf64>
func.func @jvp_triangular_solve(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %dx: tensor<3x3xf64>, %dy: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:2 = ingot.jvp "triangular_solve"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.triangular_solve %xi, %yi lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#1 : tensor<3x4xf64>
}
func.func @vjp_triangular_solve(%x: tensor<3x3xf64>, %y: tensor<3x4xf64>, %r0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
  %r:3 = ingot.vjp "triangular_solve"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>, %yi: tensor<3x4xf64>):
    %o = ingot.triangular_solve %xi, %yi lower = true unit = false : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    ingot.yield %o : tensor<3x4xf64>
  } : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>)
  return %r#1, %r#2 : tensor<3x3xf64>, tensor<3x4xf64>
}

// CHECK-LABEL: func.func @jvp_barrier(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.barrier %arg1 : tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_barrier(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: return %arg1 : tensor<4xf64>
func.func @jvp_barrier(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "barrier"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.barrier %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_barrier(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "barrier"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.barrier %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_select(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xi1>, %arg3: tensor<4xf64>, %arg4: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.select %arg2, %arg3, %arg4 : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_select(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xi1>, %arg3: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.select %arg2, %arg3, %0 : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %2 = ingot.select %arg2, %0, %arg3 : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %1, %2 : tensor<4xf64>, tensor<4xf64>
func.func @jvp_select(%x: tensor<4xf64>, %y: tensor<4xf64>, %c: tensor<4xi1>, %dx: tensor<4xf64>, %dy: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "select"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.select %c, %xi, %yi : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_select(%x: tensor<4xf64>, %y: tensor<4xf64>, %c: tensor<4xi1>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:3 = ingot.vjp "select"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<4xf64>):
    %o = ingot.select %c, %xi, %yi : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_dynamic_slice(%arg0: tensor<4xf64>, %arg1: tensor<i64>, %arg2: tensor<4xf64>) -> tensor<2xf64> {
// CHECK-NEXT: %0 = ingot.dynamic_slice %arg2[%arg1] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
// CHECK-NEXT: return %0 : tensor<2xf64>
// CHECK-LABEL: func.func @vjp_dynamic_slice(%arg0: tensor<4xf64>, %arg1: tensor<i64>, %arg2: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.update_slice %0, %arg2[%arg1] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_dynamic_slice(%x: tensor<4xf64>, %i: tensor<i64>, %dx: tensor<4xf64>) -> (tensor<2xf64>) {
  %r:2 = ingot.jvp "dynamic_slice"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.dynamic_slice %xi[%i] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
func.func @vjp_dynamic_slice(%x: tensor<4xf64>, %i: tensor<i64>, %r0: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "dynamic_slice"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.dynamic_slice %xi[%i] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_update_slice(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<i64>, %arg3: tensor<4xf64>, %arg4: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.update_slice %arg3, %arg4[%arg2] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_update_slice(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<i64>, %arg3: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<2xf64>
// CHECK-NEXT: %1 = ingot.dynamic_slice %arg3[%arg2] sizes = [2] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
// CHECK-NEXT: %2 = ingot.update_slice %arg3, %0[%arg2] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: return %2, %1 : tensor<4xf64>, tensor<2xf64>
func.func @jvp_update_slice(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<i64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "update_slice"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.update_slice %xi, %yi[%i] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_update_slice(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<i64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "update_slice"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.update_slice %xi, %yi[%i] strides = [1] : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @jvp_gather(%arg0: tensor<4xf64>, %arg1: tensor<2xi64>, %arg2: tensor<4xf64>) -> tensor<2xf64> {
// CHECK-NEXT: %0 = ingot.gather %arg2[%arg1] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
// CHECK-NEXT: return %0 : tensor<2xf64>
// CHECK-LABEL: func.func @vjp_gather(%arg0: tensor<4xf64>, %arg1: tensor<2xi64>, %arg2: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %1 = ingot.scatter add %0, %arg2[%arg1] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %1 : tensor<4xf64>
func.func @jvp_gather(%x: tensor<4xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>) -> (tensor<2xf64>) {
  %r:2 = ingot.jvp "gather"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.gather %xi[%i] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %r#1 : tensor<2xf64>
}
func.func @vjp_gather(%x: tensor<4xf64>, %i: tensor<2xi64>, %r0: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "gather"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.gather %xi[%i] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
    ingot.yield %o : tensor<2xf64>
  } : (tensor<4xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_scatter_set(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<2xi64>, %arg3: tensor<4xf64>, %arg4: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.scatter set %arg3, %arg4[%arg2] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_scatter_set(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<2xi64>, %arg3: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<0> : tensor<4xi64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<2xf64>
// CHECK-NEXT: %3 = ingot.gather %arg3[%arg2] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
// CHECK-NEXT: %4 = ingot.scatter set %arg3, %2[%arg2] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: %5 = ingot.iota axis = 0 : tensor<2xi64>
// CHECK-NEXT: %6 = ingot.scatter max %1, %5[%arg2] : (tensor<4xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
// CHECK-NEXT: %7 = ingot.gather %6[%arg2] : (tensor<4xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: %8 = ingot.compare eq %7, %5 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// CHECK-NEXT: %9 = ingot.select %8, %3, %0 : (tensor<2xi1>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
// CHECK-NEXT: return %4, %9 : tensor<4xf64>, tensor<2xf64>
func.func @jvp_scatter_set(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "scatter_set"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter set %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_scatter_set(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "scatter_set"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter set %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @jvp_scatter_add(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<2xi64>, %arg3: tensor<4xf64>, %arg4: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.scatter add %arg3, %arg4[%arg2] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
// CHECK-NEXT: return %0 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_scatter_add(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<2xi64>, %arg3: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %0 = ingot.gather %arg3[%arg2] : (tensor<4xf64>, tensor<2xi64>) -> tensor<2xf64>
// CHECK-NEXT: return %arg3, %0 : tensor<4xf64>, tensor<2xf64>
func.func @jvp_scatter_add(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "scatter_add"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter add %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_scatter_add(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "scatter_add"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter add %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @jvp_scatter_mul(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<2xi64>, %arg3: tensor<4xf64>, %arg4: tensor<2xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %2 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %3:2 = ingot.for %arg5 = %2 to %1 step %0 carry (%arg6 = %arg0, %arg7 = %arg3) : tensor<4xf64>, tensor<4xf64> {
// CHECK-NEXT: %4 = ingot.dynamic_slice %arg2[%arg5] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %5 = ingot.reshape %4 : (tensor<1xi64>) -> tensor<i64>
// CHECK-NEXT: %6 = ingot.dynamic_slice %arg6[%5] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %7 = ingot.dynamic_slice %arg7[%5] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %8 = ingot.dynamic_slice %arg1[%arg5] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %9 = ingot.dynamic_slice %arg4[%arg5] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %10 = ingot.mul %6, %8 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %11 = ingot.mul_no_nan %7, %8 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %12 = ingot.mul_no_nan %9, %6 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %13 = ingot.add %11, %12 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %14 = ingot.update_slice %arg6, %10[%5] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %15 = ingot.update_slice %arg7, %13[%5] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: ingot.yield %14, %15 : tensor<4xf64>, tensor<4xf64>
// CHECK-NEXT: }
// CHECK-NEXT: return %3#1 : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_scatter_mul(%arg0: tensor<4xf64>, %arg1: tensor<2xf64>, %arg2: tensor<2xi64>, %arg3: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<1xf64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<2xf64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<2x1xf64>
// CHECK-NEXT: %3 = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %4 = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %5 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %6:2 = ingot.for %arg4 = %5 to %4 step %3 carry (%arg5 = %arg0, %arg6 = %2) : tensor<4xf64>, tensor<2x1xf64> {
// CHECK-NEXT: %8 = ingot.dynamic_slice %arg2[%arg4] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %9 = ingot.reshape %8 : (tensor<1xi64>) -> tensor<i64>
// CHECK-NEXT: %10 = ingot.dynamic_slice %arg5[%9] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %11 = ingot.dynamic_slice %arg1[%arg4] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %12 = ingot.mul %10, %11 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %13 = ingot.update_slice %arg5, %12[%9] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %14 = ingot.reshape %10 : (tensor<1xf64>) -> tensor<1x1xf64>
// CHECK-NEXT: %15 = ingot.update_slice %arg6, %14[%arg4, %5] strides = [1, 1] : (tensor<2x1xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<2x1xf64>
// CHECK-NEXT: ingot.yield %13, %15 : tensor<4xf64>, tensor<2x1xf64>
// CHECK-NEXT: }
// CHECK-NEXT: %7:3 = ingot.for %arg4 = %5 to %4 step %3 carry (%arg5 = %arg3, %arg6 = %1, %arg7 = %6#0) : tensor<4xf64>, tensor<2xf64>, tensor<4xf64> {
// CHECK-NEXT: %8 = ingot.sub %4, %3 : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %9 = ingot.sub %8, %arg4 : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %10 = ingot.dynamic_slice %6#1[%9, %5] sizes = [1, 1] strides = [1, 1] : (tensor<2x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
// CHECK-NEXT: %11 = ingot.reshape %10 : (tensor<1x1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %12 = ingot.dynamic_slice %arg1[%9] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %13 = ingot.dynamic_slice %arg2[%9] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %14 = ingot.reshape %13 : (tensor<1xi64>) -> tensor<i64>
// CHECK-NEXT: %15 = ingot.update_slice %arg7, %11[%14] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %16 = ingot.dynamic_slice %arg5[%14] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %17 = ingot.update_slice %arg5, %0[%14] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: %18 = ingot.mul_no_nan %16, %12 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %19 = ingot.mul_no_nan %16, %11 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %20 = ingot.dynamic_slice %arg6[%9] sizes = [1] strides = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
// CHECK-NEXT: %21 = ingot.add %20, %19 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %22 = ingot.update_slice %arg6, %21[%9] strides = [1] : (tensor<2xf64>, tensor<1xf64>, tensor<i64>) -> tensor<2xf64>
// CHECK-NEXT: %23 = ingot.add %18, %0 : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT: %24 = ingot.update_slice %17, %23[%14] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
// CHECK-NEXT: ingot.yield %24, %22, %15 : tensor<4xf64>, tensor<2xf64>, tensor<4xf64>
// CHECK-NEXT: }
// CHECK-NEXT: return %7#0, %7#1 : tensor<4xf64>, tensor<2xf64>
func.func @jvp_scatter_mul(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %dx: tensor<4xf64>, %dy: tensor<2xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "scatter_mul"(%x, %y, %dx, %dy) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter mul %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_scatter_mul(%x: tensor<4xf64>, %y: tensor<2xf64>, %i: tensor<2xi64>, %r0: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %r:3 = ingot.vjp "scatter_mul"(%x, %y, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>, %yi: tensor<2xf64>):
    %o = ingot.scatter mul %xi, %yi[%i] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<2xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>)
  return %r#1, %r#2 : tensor<4xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @jvp_lu(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %3 = ingot.constant dense<3> : tensor<i64>
// CHECK-NEXT: %4 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %lu, %pivots = ingot.lu %arg0 : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
// CHECK-NEXT: %5 = ingot.iota axis = 0 : tensor<3xi64>
// CHECK-NEXT: %6 = ingot.convert %pivots : (tensor<3xi32>) -> tensor<3xi64>
// CHECK-NEXT: %7 = ingot.for %arg2 = %4 to %3 step %2 carry (%arg3 = %5) : tensor<3xi64> {
// CHECK-NEXT: %32 = ingot.dynamic_slice %6[%arg2] sizes = [1] strides = [1] : (tensor<3xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %33 = ingot.compare eq %5, %arg2 : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
// CHECK-NEXT: %34 = ingot.compare eq %5, %32 : (tensor<3xi64>, tensor<1xi64>) -> tensor<3xi1>
// CHECK-NEXT: %35 = ingot.select %33, %arg3, %4 : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %36 = ingot.reduce add %35 axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %37 = ingot.reshape %36 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %38 = ingot.select %34, %arg3, %4 : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %39 = ingot.reduce add %38 axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %40 = ingot.reshape %39 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %41 = ingot.select %34, %37, %arg3 : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: %42 = ingot.select %33, %40, %41 : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: ingot.yield %42 : tensor<3xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %8 = ingot.reshape %7 : (tensor<3xi64>) -> tensor<3x1xi64>
// CHECK-NEXT: %9 = ingot.reshape %5 : (tensor<3xi64>) -> tensor<1x3xi64>
// CHECK-NEXT: %10 = ingot.compare eq %8, %9 : (tensor<3x1xi64>, tensor<1x3xi64>) -> tensor<3x3xi1>
// CHECK-NEXT: %11 = ingot.select %10, %0, %1 : (tensor<3x3xi1>, tensor<f64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.dot_general %11, %arg1 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.triangular_solve %lu, %12 lower = true unit = true : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.transpose %13 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.transpose %lu axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.triangular_solve %15, %14 lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %17 = ingot.transpose %16 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %18 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %19 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %20 = ingot.sub %18, %19 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %21 = ingot.compare eq %20, %4 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %22 = ingot.compare gt %20, %4 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %23 = ingot.select %22, %lu, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.select %21, %0, %23 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %25 = ingot.select %22, %17, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %26 = ingot.dot_general %24, %25 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %27 = ingot.compare le %20, %4 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %28 = ingot.select %27, %lu, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %29 = ingot.select %27, %17, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %30 = ingot.dot_general %29, %28 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %31 = ingot.add %26, %30 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %31 : tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_lu(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %3 = ingot.constant dense<3> : tensor<i64>
// CHECK-NEXT: %4 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %lu, %pivots = ingot.lu %arg0 : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
// CHECK-NEXT: %5 = ingot.iota axis = 0 : tensor<3xi64>
// CHECK-NEXT: %6 = ingot.convert %pivots : (tensor<3xi32>) -> tensor<3xi64>
// CHECK-NEXT: %7 = ingot.for %arg2 = %4 to %3 step %2 carry (%arg3 = %5) : tensor<3xi64> {
// CHECK-NEXT: %33 = ingot.dynamic_slice %6[%arg2] sizes = [1] strides = [1] : (tensor<3xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %34 = ingot.compare eq %5, %arg2 : (tensor<3xi64>, tensor<i64>) -> tensor<3xi1>
// CHECK-NEXT: %35 = ingot.compare eq %5, %33 : (tensor<3xi64>, tensor<1xi64>) -> tensor<3xi1>
// CHECK-NEXT: %36 = ingot.select %34, %arg3, %4 : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %37 = ingot.reduce add %36 axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %38 = ingot.reshape %37 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %39 = ingot.select %35, %arg3, %4 : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
// CHECK-NEXT: %40 = ingot.reduce add %39 axes = [0] : (tensor<3xi64>) -> tensor<i64>
// CHECK-NEXT: %41 = ingot.reshape %40 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %42 = ingot.select %35, %38, %arg3 : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: %43 = ingot.select %34, %41, %42 : (tensor<3xi1>, tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: ingot.yield %43 : tensor<3xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %8 = ingot.reshape %7 : (tensor<3xi64>) -> tensor<3x1xi64>
// CHECK-NEXT: %9 = ingot.reshape %5 : (tensor<3xi64>) -> tensor<1x3xi64>
// CHECK-NEXT: %10 = ingot.compare eq %8, %9 : (tensor<3x1xi64>, tensor<1x3xi64>) -> tensor<3x3xi1>
// CHECK-NEXT: %11 = ingot.select %10, %0, %1 : (tensor<3x3xi1>, tensor<f64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.transpose %lu axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %14 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %15 = ingot.sub %13, %14 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %16 = ingot.compare eq %15, %4 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %17 = ingot.compare gt %15, %4 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %18 = ingot.select %17, %lu, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.select %16, %0, %18 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %20 = ingot.compare le %15, %4 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %21 = ingot.select %20, %lu, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %22 = ingot.dot_general %arg1, %21 batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.select %20, %22, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.dot_general %19, %arg1 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %25 = ingot.select %17, %24, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %26 = ingot.add %23, %25 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %27 = ingot.transpose %26 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %28 = ingot.transpose %12 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %29 = ingot.triangular_solve %28, %27 lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %30 = ingot.transpose %29 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %31 = ingot.triangular_solve %12, %30 lower = false unit = true : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %32 = ingot.dot_general %11, %31 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %32 : tensor<3x3xf64>
func.func @jvp_lu(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:3 = ingot.jvp "lu"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.lu %xi : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3xi32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<3x3xf64>)
  return %r#2 : tensor<3x3xf64>
}
func.func @vjp_lu(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:3 = ingot.vjp "lu"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.lu %xi : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3xi32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<3x3xf64>)
  return %r#2 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_qr(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %q, %r = ingot.qr %arg0 full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
// CHECK-NEXT: %2 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %3 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %4 = ingot.sub %2, %3 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %5 = ingot.compare le %4, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %6 = ingot.select %5, %r, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %7 = ingot.transpose %arg1 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %8 = ingot.transpose %6 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %9 = ingot.triangular_solve %8, %7 lower = true unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %10 = ingot.transpose %9 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %11 = ingot.transpose %q axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.dot_general %11, %10 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.compare gt %4, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %14 = ingot.select %13, %12, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.transpose %14 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.sub %14, %15 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %17 = ingot.sub %12, %16 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %18 = ingot.dot_general %q, %17 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.sub %10, %18 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %20 = ingot.dot_general %17, %6 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %19, %20 : tensor<3x3xf64>, tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_qr(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %q, %r = ingot.qr %arg0 full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
// CHECK-NEXT: %2 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %3 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %4 = ingot.sub %2, %3 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %5 = ingot.compare le %4, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %6 = ingot.select %5, %r, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %7 = ingot.transpose %6 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %8 = ingot.transpose %q axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %9 = ingot.compare gt %4, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %10 = ingot.dot_general %arg2, %6 batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %11 = ingot.neg %arg1 : tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.dot_general %q, %11 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.add %10, %12 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.neg %13 : tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.neg %14 : tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.transpose %15 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %17 = ingot.add %14, %16 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %18 = ingot.select %9, %17, %1 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.add %13, %18 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %20 = ingot.dot_general %8, %19 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %21 = ingot.add %arg1, %20 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %22 = ingot.transpose %21 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.transpose %7 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.triangular_solve %23, %22 lower = false unit = false : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %25 = ingot.transpose %24 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %25 : tensor<3x3xf64>
func.func @jvp_qr(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>) {
  %r:4 = ingot.jvp "qr"(%x, %dx) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.qr %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#2, %r#3 : tensor<3x3xf64>, tensor<3x3xf64>
}
func.func @vjp_qr(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>, %r1: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:3 = ingot.vjp "qr"(%x, %r0, %r1) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:2 = ingot.qr %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
  return %r#2 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_eigh(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %values, %vectors, %info = ingot.eigh %arg0 lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %3 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %4 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %5 = ingot.sub %3, %4 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %6 = ingot.compare gt %5, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %7 = ingot.select %6, %arg1, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %8 = ingot.compare eq %5, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %9 = ingot.select %8, %arg1, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %10 = ingot.transpose %7 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %11 = ingot.add %7, %10 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.add %11, %9 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.dot_general %12, %vectors batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.transpose %vectors axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.dot_general %14, %13 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.reshape %values : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %17 = ingot.reshape %values : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %18 = ingot.sub %17, %16 : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.compare eq %18, %2 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %20 = ingot.select %19, %0, %18 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %21 = ingot.div %0, %20 : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %22 = ingot.select %19, %2, %21 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.mul %22, %15 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.select %8, %15, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %25 = ingot.reduce add %24 axes = [1] : (tensor<3x3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %26 = ingot.dot_general %vectors, %23 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %25, %26 : tensor<3xf64>, tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_eigh(%arg0: tensor<3x3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %values, %vectors, %info = ingot.eigh %arg0 lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %3 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %4 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %5 = ingot.sub %3, %4 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %6 = ingot.compare gt %5, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %7 = ingot.compare eq %5, %1 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %8 = ingot.transpose %vectors axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %9 = ingot.reshape %values : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %10 = ingot.reshape %values : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %11 = ingot.sub %10, %9 : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.compare eq %11, %2 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %13 = ingot.select %12, %0, %11 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.div %0, %13 : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.select %12, %2, %14 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.dot_general %vectors, %arg2 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %17 = ingot.reshape %arg1 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %18 = ingot.broadcast_to %17 : (tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.select %7, %18, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %20 = ingot.mul_no_nan %16, %15 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %21 = ingot.add %19, %20 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %22 = ingot.dot_general %8, %21 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.dot_general %22, %vectors batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.transpose %23 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %25 = ingot.add %23, %24 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %26 = ingot.select %7, %23, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %27 = ingot.select %6, %25, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %28 = ingot.add %26, %27 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %28 : tensor<3x3xf64>
func.func @jvp_eigh(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>) {
  %r:5 = ingot.jvp "eigh"(%x, %dx) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:3 = ingot.eigh %xi lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3xf64>, tensor<3x3xf64>)
  return %r#3, %r#4 : tensor<3xf64>, tensor<3x3xf64>
}
func.func @vjp_eigh(%x: tensor<3x3xf64>, %r0: tensor<3xf64>, %r1: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:4 = ingot.vjp "eigh"(%x, %r0, %r1) of = [0, 1] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:3 = ingot.eigh %xi lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3x3xf64>)
  return %r#3 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_svd(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %u, %s, %vh, %info = ingot.svd %arg0 full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %3 = ingot.transpose %u axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %4 = ingot.transpose %vh axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %5 = ingot.dot_general %arg1, %4 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %6 = ingot.dot_general %3, %5 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %7 = ingot.reshape %s : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %8 = ingot.reshape %s : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %9 = ingot.add %8, %7 : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %10 = ingot.compare eq %9, %2 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %11 = ingot.sub %8, %7 : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.compare eq %11, %2 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %13 = ingot.select %12, %1, %11 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.div %1, %13 : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.select %12, %2, %14 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.select %10, %1, %9 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %17 = ingot.div %15, %16 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %18 = ingot.mul %6, %8 : (tensor<3x3xf64>, tensor<1x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %19 = ingot.mul %7, %6 : (tensor<3x1xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %20 = ingot.transpose %18 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %21 = ingot.add %18, %20 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %22 = ingot.mul %17, %21 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.transpose %19 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.add %19, %23 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %25 = ingot.mul %17, %24 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %26 = ingot.dot_general %u, %22 batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %27 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %28 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %29 = ingot.sub %27, %28 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %30 = ingot.compare eq %29, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %31 = ingot.select %30, %6, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %32 = ingot.reduce add %31 axes = [1] : (tensor<3x3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %33 = ingot.dot_general %25, %4 batching = [] x [] contracting = [0] x [1] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %26, %32, %33 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>
// CHECK-LABEL: func.func @vjp_svd(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3xf64>, %arg3: tensor<3x3xf64>) -> tensor<3x3xf64> {
// CHECK-NEXT: %0 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %1 = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %2 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %u, %s, %vh, %info = ingot.svd %arg0 full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
// CHECK-NEXT: %3 = ingot.transpose %u axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %4 = ingot.transpose %vh axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %5 = ingot.reshape %s : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %6 = ingot.reshape %s : (tensor<3xf64>) -> tensor<1x3xf64>
// CHECK-NEXT: %7 = ingot.add %6, %5 : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %8 = ingot.compare eq %7, %2 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %9 = ingot.sub %6, %5 : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %10 = ingot.compare eq %9, %2 : (tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xi1>
// CHECK-NEXT: %11 = ingot.select %10, %1, %9 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %12 = ingot.div %1, %11 : (tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %13 = ingot.select %10, %2, %12 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %14 = ingot.select %8, %1, %7 : (tensor<3x3xi1>, tensor<f64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %15 = ingot.div %13, %14 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %16 = ingot.iota axis = 0 : tensor<3x3xi64>
// CHECK-NEXT: %17 = ingot.iota axis = 1 : tensor<3x3xi64>
// CHECK-NEXT: %18 = ingot.sub %16, %17 : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
// CHECK-NEXT: %19 = ingot.compare eq %18, %0 : (tensor<3x3xi64>, tensor<i64>) -> tensor<3x3xi1>
// CHECK-NEXT: %20 = ingot.transpose %arg3 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %21 = ingot.reshape %arg2 : (tensor<3xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: %22 = ingot.broadcast_to %21 : (tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %23 = ingot.select %19, %22, %2 : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<f64>) -> tensor<3x3xf64>
// CHECK-NEXT: %24 = ingot.dot_general %4, %20 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %25 = ingot.dot_general %u, %arg1 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %26 = ingot.mul_no_nan %24, %15 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %27 = ingot.transpose %26 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %28 = ingot.add %26, %27 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %29 = ingot.mul_no_nan %25, %15 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %30 = ingot.transpose %29 axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %31 = ingot.add %29, %30 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %32 = ingot.mul_no_nan %28, %5 : (tensor<3x3xf64>, tensor<3x1xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %33 = ingot.add %23, %32 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %34 = ingot.mul_no_nan %31, %6 : (tensor<3x3xf64>, tensor<1x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %35 = ingot.add %33, %34 : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %36 = ingot.dot_general %3, %35 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: %37 = ingot.dot_general %36, %4 batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
// CHECK-NEXT: return %37 : tensor<3x3xf64>
func.func @jvp_svd(%x: tensor<3x3xf64>, %dx: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) {
  %r:7 = ingot.jvp "svd"(%x, %dx) of = [0, 1, 2] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:4 = ingot.svd %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2, %o#3 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>)
  return %r#4, %r#5, %r#6 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>
}
func.func @vjp_svd(%x: tensor<3x3xf64>, %r0: tensor<3x3xf64>, %r1: tensor<3xf64>, %r2: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
  %r:5 = ingot.vjp "svd"(%x, %r0, %r1, %r2) of = [0, 1, 2] {
  ^bb0(%xi: tensor<3x3xf64>):
    %o:4 = ingot.svd %xi full = false : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2, %o#3 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>
  } : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<3x3xf64>)
  return %r#4 : tensor<3x3xf64>
}

// CHECK-LABEL: func.func @jvp_eig(%arg0: tensor<2x2xcomplex<f64>>, %arg1: tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) {
// CHECK-NEXT: %0 = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %1 = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %2 = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %3 = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %4 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %values, %vectors, %info = ingot.eig %arg0 : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
// CHECK-NEXT: %5 = ingot.dot_general %arg1, %vectors batching = [] x [] contracting = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %lu, %pivots = ingot.lu %vectors : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xi32>)
// CHECK-NEXT: %6 = ingot.iota axis = 0 : tensor<2xi64>
// CHECK-NEXT: %7 = ingot.convert %pivots : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT: %8 = ingot.for %arg2 = %4 to %3 step %2 carry (%arg3 = %6) : tensor<2xi64> {
// CHECK-NEXT: %48 = ingot.dynamic_slice %7[%arg2] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %49 = ingot.compare eq %6, %arg2 : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %50 = ingot.compare eq %6, %48 : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi1>
// CHECK-NEXT: %51 = ingot.select %49, %arg3, %4 : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %52 = ingot.reduce add %51 axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %53 = ingot.reshape %52 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %54 = ingot.select %50, %arg3, %4 : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %55 = ingot.reduce add %54 axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %56 = ingot.reshape %55 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %57 = ingot.select %50, %53, %arg3 : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: %58 = ingot.select %49, %56, %57 : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: ingot.yield %58 : tensor<2xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %9 = ingot.reshape %8 : (tensor<2xi64>) -> tensor<2x1xi64>
// CHECK-NEXT: %10 = ingot.reshape %6 : (tensor<2xi64>) -> tensor<1x2xi64>
// CHECK-NEXT: %11 = ingot.compare eq %9, %10 : (tensor<2x1xi64>, tensor<1x2xi64>) -> tensor<2x2xi1>
// CHECK-NEXT: %12 = ingot.select %11, %0, %1 : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %13 = ingot.dot_general %12, %5 batching = [] x [] contracting = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %14 = ingot.triangular_solve %lu, %13 lower = true unit = true : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %15 = ingot.triangular_solve %lu, %14 lower = false unit = false : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %16 = ingot.reshape %values : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
// CHECK-NEXT: %17 = ingot.reshape %values : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %18 = ingot.sub %17, %16 : (tensor<1x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %19 = ingot.compare eq %18, %1 : (tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xi1>
// CHECK-NEXT: %20 = ingot.select %19, %0, %18 : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %21 = ingot.div %0, %20 : (tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %22 = ingot.select %19, %1, %21 : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %23 = ingot.mul %22, %15 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %24 = ingot.dot_general %vectors, %23 batching = [] x [] contracting = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %25 = ingot.conj %vectors : tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %26 = ingot.mul %25, %24 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %27 = ingot.reduce add %26 axes = [0] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %28 = ingot.reshape %27 : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %29 = ingot.abs %vectors : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
// CHECK-NEXT: %30 = ingot.reduce max %29 axes = [0] : (tensor<2x2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %31 = ingot.reshape %30 : (tensor<2xf64>) -> tensor<1x2xf64>
// CHECK-NEXT: %32 = ingot.compare eq %29, %31 : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<2x2xi1>
// CHECK-NEXT: %33 = ingot.div %24, %vectors : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %34 = ingot.select %32, %33, %1 : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %35 = ingot.reduce add %34 axes = [0] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %36 = ingot.reshape %35 : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %37 = ingot.imag %36 : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %38 = ingot.real %28 : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %39 = ingot.complex %38, %37 : (tensor<1x2xf64>, tensor<1x2xf64>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %40 = ingot.iota axis = 0 : tensor<2x2xi64>
// CHECK-NEXT: %41 = ingot.iota axis = 1 : tensor<2x2xi64>
// CHECK-NEXT: %42 = ingot.sub %40, %41 : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
// CHECK-NEXT: %43 = ingot.compare eq %42, %4 : (tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi1>
// CHECK-NEXT: %44 = ingot.select %43, %15, %1 : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %45 = ingot.reduce add %44 axes = [1] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %46 = ingot.mul %vectors, %39 : (tensor<2x2xcomplex<f64>>, tensor<1x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %47 = ingot.sub %24, %46 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: return %45, %47 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_eig(%arg0: tensor<2x2xcomplex<f64>>, %arg1: tensor<2xcomplex<f64>>, %arg2: tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>> {
// CHECK-NEXT: %0 = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %1 = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %2 = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %3 = ingot.constant dense<1> : tensor<i64>
// CHECK-NEXT: %4 = ingot.constant dense<2> : tensor<i64>
// CHECK-NEXT: %5 = ingot.constant dense<0> : tensor<i64>
// CHECK-NEXT: %values, %vectors, %info = ingot.eig %arg0 : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
// CHECK-NEXT: %lu, %pivots = ingot.lu %vectors : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xi32>)
// CHECK-NEXT: %6 = ingot.iota axis = 0 : tensor<2xi64>
// CHECK-NEXT: %7 = ingot.convert %pivots : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT: %8 = ingot.for %arg3 = %5 to %4 step %3 carry (%arg4 = %6) : tensor<2xi64> {
// CHECK-NEXT: %57 = ingot.dynamic_slice %7[%arg3] sizes = [1] strides = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %58 = ingot.compare eq %6, %arg3 : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
// CHECK-NEXT: %59 = ingot.compare eq %6, %57 : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi1>
// CHECK-NEXT: %60 = ingot.select %58, %arg4, %5 : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %61 = ingot.reduce add %60 axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %62 = ingot.reshape %61 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %63 = ingot.select %59, %arg4, %5 : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: %64 = ingot.reduce add %63 axes = [0] : (tensor<2xi64>) -> tensor<i64>
// CHECK-NEXT: %65 = ingot.reshape %64 : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %66 = ingot.select %59, %62, %arg4 : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: %67 = ingot.select %58, %65, %66 : (tensor<2xi1>, tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK-NEXT: ingot.yield %67 : tensor<2xi64>
// CHECK-NEXT: }
// CHECK-NEXT: %9 = ingot.reshape %8 : (tensor<2xi64>) -> tensor<2x1xi64>
// CHECK-NEXT: %10 = ingot.reshape %6 : (tensor<2xi64>) -> tensor<1x2xi64>
// CHECK-NEXT: %11 = ingot.compare eq %9, %10 : (tensor<2x1xi64>, tensor<1x2xi64>) -> tensor<2x2xi1>
// CHECK-NEXT: %12 = ingot.select %11, %1, %2 : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %13 = ingot.reshape %values : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
// CHECK-NEXT: %14 = ingot.reshape %values : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %15 = ingot.sub %14, %13 : (tensor<1x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %16 = ingot.compare eq %15, %2 : (tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xi1>
// CHECK-NEXT: %17 = ingot.select %16, %1, %15 : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %18 = ingot.div %1, %17 : (tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %19 = ingot.select %16, %2, %18 : (tensor<2x2xi1>, tensor<complex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %20 = ingot.conj %vectors : tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %21 = ingot.abs %vectors : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
// CHECK-NEXT: %22 = ingot.reduce max %21 axes = [0] : (tensor<2x2xf64>) -> tensor<2xf64>
// CHECK-NEXT: %23 = ingot.reshape %22 : (tensor<2xf64>) -> tensor<1x2xf64>
// CHECK-NEXT: %24 = ingot.compare eq %21, %23 : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<2x2xi1>
// CHECK-NEXT: %25 = ingot.iota axis = 0 : tensor<2x2xi64>
// CHECK-NEXT: %26 = ingot.iota axis = 1 : tensor<2x2xi64>
// CHECK-NEXT: %27 = ingot.sub %25, %26 : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
// CHECK-NEXT: %28 = ingot.compare eq %27, %5 : (tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi1>
// CHECK-NEXT: %29 = ingot.neg %arg2 : tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %30 = ingot.mul_no_nan %29, %vectors : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %31 = ingot.reduce add %30 axes = [0] : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK-NEXT: %32 = ingot.reshape %31 : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %33 = ingot.reshape %arg1 : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
// CHECK-NEXT: %34 = ingot.broadcast_to %33 : (tensor<2x1xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %35 = ingot.select %28, %34, %2 : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %36 = ingot.real %32 : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %37 = ingot.imag %32 : (tensor<1x2xcomplex<f64>>) -> tensor<1x2xf64>
// CHECK-NEXT: %38 = ingot.neg %37 : tensor<1x2xf64>
// CHECK-NEXT: %39 = ingot.complex %36, %0 : (tensor<1x2xf64>, tensor<f64>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %40 = ingot.neg %38 : tensor<1x2xf64>
// CHECK-NEXT: %41 = ingot.complex %0, %40 : (tensor<f64>, tensor<1x2xf64>) -> tensor<1x2xcomplex<f64>>
// CHECK-NEXT: %42 = ingot.broadcast_to %41 : (tensor<1x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %43 = ingot.select %24, %42, %2 : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %44 = ingot.div_no_nan %43, %vectors : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %45 = ingot.add %arg2, %44 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %46 = ingot.broadcast_to %39 : (tensor<1x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %47 = ingot.mul_no_nan %46, %20 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %48 = ingot.add %45, %47 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %49 = ingot.dot_general %vectors, %48 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %50 = ingot.mul_no_nan %49, %19 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %51 = ingot.add %35, %50 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %52 = ingot.transpose %lu axes = [1, 0] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %53 = ingot.triangular_solve %52, %51 lower = true unit = false : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %54 = ingot.triangular_solve %52, %53 lower = false unit = true : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %55 = ingot.dot_general %12, %54 batching = [] x [] contracting = [0] x [0] {rhs_zeros} : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: %56 = ingot.dot_general %55, %vectors batching = [] x [] contracting = [1] x [1] {lhs_zeros} : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK-NEXT: return %56 : tensor<2x2xcomplex<f64>>
func.func @jvp_eig(%x: tensor<2x2xcomplex<f64>>, %dx: tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) {
  %r:5 = ingot.jvp "eig"(%x, %dx) of = [0, 1] {
  ^bb0(%xi: tensor<2x2xcomplex<f64>>):
    %o:3 = ingot.eig %xi : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>
  } : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>, tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>)
  return %r#3, %r#4 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>
}
func.func @vjp_eig(%x: tensor<2x2xcomplex<f64>>, %r0: tensor<2xcomplex<f64>>, %r1: tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>) {
  %r:4 = ingot.vjp "eig"(%x, %r0, %r1) of = [0, 1] {
  ^bb0(%xi: tensor<2x2xcomplex<f64>>):
    %o:3 = ingot.eig %xi : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2 : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>
  } : (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>, tensor<2x2xcomplex<f64>>)
  return %r#3 : tensor<2x2xcomplex<f64>>
}
