// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse | FileCheck %s --enable-var-scope

// Made by tools/goldens.py.

// CHECK-LABEL: func.func @jvp_neg(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[DX]] : tensor<4xf64>
// CHECK-NEXT: return %[[NEG]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_neg(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[R0]] : tensor<4xf64>
// CHECK-NEXT: return %[[NEG]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_exp(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[EXP]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_exp(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[EXP]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_expm1(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[EXPM1:.*]] = ingot.expm1 %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[EXPM1]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_expm1(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[EXPM1:.*]] = ingot.expm1 %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[EXPM1]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_log(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[DX]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_log(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_log1p(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[X]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[DX]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_log1p(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[X]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_sqrt(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SQRT]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_2]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sqrt(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SQRT]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_2]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_cbrt(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<3.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CBRT:.*]] = ingot.cbrt %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[CBRT]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[MUL]], %[[CBRT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[MUL_2]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[CBRT]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cbrt(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<3.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CBRT:.*]] = ingot.cbrt %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[CBRT]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[MUL]], %[[CBRT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[MUL_2]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[CBRT]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_sin(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[COS:.*]] = ingot.cos %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[COS]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sin(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[COS:.*]] = ingot.cos %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[COS]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_cos(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SIN:.*]] = ingot.sin %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[SIN]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cos(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SIN:.*]] = ingot.sin %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[SIN]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_tan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[TAN:.*]] = ingot.tan %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[TAN]], %[[TAN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_tan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[TAN:.*]] = ingot.tan %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[TAN]], %[[TAN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_tanh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[TANH:.*]] = ingot.tanh %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[TANH]], %[[TANH]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[SUB]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_tanh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[TANH:.*]] = ingot.tanh %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[TANH]], %[[TANH]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[SUB]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_floor(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_floor(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_ceil(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_ceil(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_trunc(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_trunc(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
func.func @jvp_trunc(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "trunc"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.trunc %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
func.func @vjp_trunc(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "trunc"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.trunc %xi : tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @jvp_rint(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_rint(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_sign(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sign(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_asin(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT_3]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_asin(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT_3]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_acos(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT_3]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[DX]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[NEG]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_acos(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT_3]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_3]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[R0]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[NEG]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_atan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[DX]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_atan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[ADD]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_sinh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[COSH:.*]] = ingot.cosh %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[COSH]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sinh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[COSH:.*]] = ingot.cosh %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[COSH]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_cosh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SINH:.*]] = ingot.sinh %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[SINH]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_cosh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SINH:.*]] = ingot.sinh %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[SINH]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_asinh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[MUL]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[DX]], %[[SQRT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_asinh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[MUL]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[SQRT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_acosh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[X]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_2]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[X]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT_2:.*]] = ingot.sqrt %[[SUB_2]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV_2:.*]] = ingot.div %[[CONSTANT_2]], %[[SQRT_2]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[SUB_2]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT]], %[[DIV_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[SELECT_2]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[MUL]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_acosh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[X]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT:.*]] = ingot.sqrt %[[SUB]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[CONSTANT_2]], %[[SQRT]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[SUB]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[DIV]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB_2:.*]] = ingot.sub %[[X]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SQRT_2:.*]] = ingot.sqrt %[[SUB_2]] : tensor<4xf64>
// CHECK-NEXT: %[[DIV_2:.*]] = ingot.div %[[CONSTANT_2]], %[[SQRT_2]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[SUB_2]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[CONSTANT]], %[[DIV_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[SELECT_2]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[MUL]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_atanh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[DX]], %[[SUB]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_atanh(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[CONSTANT]], %[[MUL]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[SUB]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_erf(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[MUL]] : tensor<4xf64>
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[NEG]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[EXP]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[MUL_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_erf(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[MUL]] : tensor<4xf64>
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[NEG]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[EXP]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[MUL_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_erfc(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<-1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[MUL]] : tensor<4xf64>
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[NEG]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[EXP]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[MUL_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_erfc(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<-1.1283791670955126> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[MUL]] : tensor<4xf64>
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[NEG]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[EXP]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[MUL_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_erf_inv(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.88622692545275805> : tensor<f64>
// CHECK-NEXT: %[[ERF_INV:.*]] = ingot.erf_inv %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[ERF_INV]], %[[ERF_INV]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[MUL]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[EXP]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[MUL_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_erf_inv(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.88622692545275805> : tensor<f64>
// CHECK-NEXT: %[[ERF_INV:.*]] = ingot.erf_inv %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[ERF_INV]], %[[ERF_INV]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[EXP:.*]] = ingot.exp %[[MUL]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[EXP]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[MUL_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_lgamma(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[DIGAMMA:.*]] = ingot.digamma %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[DIGAMMA]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_lgamma(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[DIGAMMA:.*]] = ingot.digamma %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[DIGAMMA]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_digamma(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[POLYGAMMA:.*]] = ingot.polygamma %[[CONSTANT]], %[[X]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[POLYGAMMA]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_digamma(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[POLYGAMMA:.*]] = ingot.polygamma %[[CONSTANT]], %[[X]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[POLYGAMMA]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_abs(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SIGN:.*]] = ingot.sign %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[SIGN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_abs(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SIGN:.*]] = ingot.sign %[[X]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[SIGN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DX]], %[[DY]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: return %[[R0]], %[[R0]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_sub(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[DX]], %[[DY]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SUB]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_sub(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[R0]] : tensor<4xf64>
// CHECK-NEXT: return %[[R0]], %[[NEG]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_mul(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DY]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mul(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[R0]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_div(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[DY]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[DX]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN_2:.*]] = ingot.div_no_nan %[[DY]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DIV_NO_NAN_2]], %[[DIV]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[MUL]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[DIV_NO_NAN]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SUB]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_div(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[R0]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[R0]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DIV_NO_NAN]], %[[DIV]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[MUL]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[SELECT]] : tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN]], %[[NEG]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_mul_no_nan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DY]], %[[X]] {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mul_no_nan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[R0]], %[[X]] {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_div_no_nan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[X]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare ne %[[DY]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN_2:.*]] = ingot.div_no_nan %[[DX]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN_3:.*]] = ingot.div_no_nan %[[DY]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE_2]], %[[COMPARE]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DIV_NO_NAN_3]], %[[DIV_NO_NAN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[AND]], %[[MUL]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[DIV_NO_NAN_2]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SUB]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_div_no_nan(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare ne %[[X]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare ne %[[R0]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_NO_NAN_2:.*]] = ingot.div_no_nan %[[R0]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE_2]], %[[COMPARE]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DIV_NO_NAN_2]], %[[DIV_NO_NAN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[AND]], %[[MUL]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[SELECT]] : tensor<4xf64>
// CHECK-NEXT: return %[[DIV_NO_NAN_2]], %[[NEG]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_mod(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[FLOOR_DIV:.*]] = ingot.floor_div %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[FLOOR_DIV]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DY]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DX]], %[[MUL_NO_NAN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mod(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[FLOOR_DIV:.*]] = ingot.floor_div %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[FLOOR_DIV]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[R0]], %[[MUL_NO_NAN]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_fmod(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[TRUNC:.*]] = ingot.trunc %[[DIV]] : tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[TRUNC]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DY]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DX]], %[[MUL_NO_NAN]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_fmod(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[TRUNC:.*]] = ingot.trunc %[[DIV]] : tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[TRUNC]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[R0]], %[[MUL_NO_NAN]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_pow(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<-0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0xFFF0000000000000> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<2.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_6:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_7:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[POW:.*]] = ingot.pow %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[Y]], %[[CONSTANT_7]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[POW_2:.*]] = ingot.pow %[[X]], %[[SUB]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[Y]], %[[POW_2]] {ingot.by_value} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare lt %[[Y]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare gt %[[Y]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE_2]], %[[COMPARE]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare eq %[[X]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[AND_2:.*]] = ingot.and %[[COMPARE_3]], %[[AND]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[AND_2]], %[[CONSTANT_6]], %[[MUL_NO_NAN]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[Y]], %[[CONSTANT_7]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[AND_3:.*]] = ingot.and %[[COMPARE_3]], %[[COMPARE_4]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[AND_3]], %[[CONSTANT_2]], %[[SELECT]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DX]], %[[SELECT_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT_7]], %[[X]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[LOG:.*]] = ingot.log %[[SELECT_3]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[POW]], %[[LOG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare ge %[[Y]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_5]], %[[CONSTANT]], %[[CONSTANT_3]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_6:.*]] = ingot.compare gt %[[Y]], %[[CONSTANT_7]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_6]], %[[CONSTANT_5]], %[[SELECT_4]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_3]], %[[SELECT_5]], %[[MUL]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_3:.*]] = ingot.mul_no_nan %[[DY]], %[[SELECT_6]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_NO_NAN_2]], %[[MUL_NO_NAN_3]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_pow(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<-0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0xFFF0000000000000> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_4:.*]] = ingot.constant dense<2.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_5:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_6:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_7:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[POW:.*]] = ingot.pow %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[Y]], %[[CONSTANT_7]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[POW_2:.*]] = ingot.pow %[[X]], %[[SUB]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[Y]], %[[POW_2]] {ingot.by_value} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare lt %[[Y]], %[[CONSTANT_4]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare gt %[[Y]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[AND:.*]] = ingot.and %[[COMPARE_2]], %[[COMPARE]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare eq %[[X]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[AND_2:.*]] = ingot.and %[[COMPARE_3]], %[[AND]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[AND_2]], %[[CONSTANT_6]], %[[MUL_NO_NAN]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[Y]], %[[CONSTANT_7]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[AND_3:.*]] = ingot.and %[[COMPARE_3]], %[[COMPARE_4]] : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[AND_3]], %[[CONSTANT_2]], %[[SELECT]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[R0]], %[[SELECT_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[CONSTANT_7]], %[[X]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[LOG:.*]] = ingot.log %[[SELECT_3]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[POW]], %[[LOG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_5:.*]] = ingot.compare ge %[[Y]], %[[CONSTANT_5]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_5]], %[[CONSTANT]], %[[CONSTANT_3]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_6:.*]] = ingot.compare gt %[[Y]], %[[CONSTANT_7]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_5:.*]] = ingot.select %[[COMPARE_6]], %[[CONSTANT_5]], %[[SELECT_4]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_6:.*]] = ingot.select %[[COMPARE_3]], %[[SELECT_5]], %[[MUL]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_3:.*]] = ingot.mul_no_nan %[[R0]], %[[SELECT_6]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN_2]], %[[MUL_NO_NAN_3]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_maximum(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare gt %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[DX]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DX]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[MUL]], %[[SELECT]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare gt %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[DY]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[DY]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_4]], %[[MUL_2]], %[[SELECT_3]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT_2]], %[[SELECT_4]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_maximum(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare gt %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[R0]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[R0]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[MUL]], %[[SELECT]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare gt %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[R0]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_4]], %[[MUL]], %[[SELECT_3]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SELECT_2]], %[[SELECT_4]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_minimum(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare gt %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[DX]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[DX]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[MUL]], %[[SELECT]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare gt %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[DY]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[DY]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_4]], %[[MUL_2]], %[[SELECT_3]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[SELECT_2]], %[[SELECT_4]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_minimum(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare gt %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_2:.*]] = ingot.compare eq %[[Y]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[R0]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[R0]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE_2]], %[[MUL]], %[[SELECT]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE_3:.*]] = ingot.compare gt %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[COMPARE_4:.*]] = ingot.compare eq %[[X]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT_3:.*]] = ingot.select %[[COMPARE_3]], %[[R0]], %[[CONSTANT_2]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_4:.*]] = ingot.select %[[COMPARE_4]], %[[MUL]], %[[SELECT_3]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SELECT_2]], %[[SELECT_4]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_atan2(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[Y]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_2]], %[[MUL]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[ADD]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[ADD]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[Y]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[DIV]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_2:.*]] = ingot.div %[[X]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[DIV_2]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DY]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD_2:.*]] = ingot.add %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD_2]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_atan2(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[Y]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[X]], %[[X]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_2]], %[[MUL]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[ADD]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[ADD]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[Y]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[DIV]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[DIV_2:.*]] = ingot.div %[[X]], %[[SELECT]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[DIV_2]] : tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[R0]], %[[NEG]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_floor_div(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_floor_div(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]], %[[CONSTANT]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_polygamma(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[X]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[POLYGAMMA:.*]] = ingot.polygamma %[[ADD]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DY]], %[[POLYGAMMA]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_polygamma(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<1.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[X]], %[[CONSTANT_2]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[POLYGAMMA:.*]] = ingot.polygamma %[[ADD]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[POLYGAMMA]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[CONSTANT]], %[[MUL_NO_NAN]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_mul_no_nan_both(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[Y]] {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DY]], %[[X]] {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_mul_no_nan_both(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[Y]] {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[R0]], %[[X]] {both} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_broadcast(
// CHECK-SAME: %[[X:.*]]: tensor<f64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<f64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[DX]], %[[Y]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DY]], %[[X]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[MUL_NO_NAN]], %[[MUL_NO_NAN_2]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[ADD]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_broadcast(
// CHECK-SAME: %[[X:.*]]: tensor<f64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>) {
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[R0]], %[[Y]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: %[[REDUCE:.*]] = ingot.reduce add %[[MUL_NO_NAN]] axes = [0] : (tensor<4xf64>) -> tensor<f64>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[R0]], %[[X]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[REDUCE]], %[[MUL_NO_NAN_2]] : tensor<f64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_conj(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[DX]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[CONJ]] : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_conj(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[R0]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[CONJ]] : tensor<4xcomplex<f64>>
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

// CHECK-LABEL: func.func @jvp_complex_sign(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[SIGN:.*]] = ingot.sign %[[X]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[SIGN]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[MUL:.*]] = ingot.mul %[[CONJ]], %[[DX]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[REAL:.*]] = ingot.real %[[MUL]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[REAL]] : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[X]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %[[CONVERT_2:.*]] = ingot.convert %[[ABS]] : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[CONVERT_2]], %[[CONSTANT_2]] : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT]], %[[CONVERT_2]] : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[MUL_2:.*]] = ingot.mul %[[SIGN]], %[[CONVERT]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SUB:.*]] = ingot.sub %[[DX]], %[[MUL_2]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[DIV:.*]] = ingot.div %[[SUB]], %[[SELECT]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[DIV]] : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[SELECT_2]] : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_complex_sign(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[SIGN:.*]] = ingot.sign %[[X]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[SIGN]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[ABS:.*]] = ingot.abs %[[X]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[ABS]] : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[CONVERT]], %[[CONSTANT_3]] : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xi1>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_2]], %[[CONVERT]] : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[COMPARE]], %[[CONSTANT_3]], %[[R0]] : (tensor<4xi1>, tensor<complex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[DIV_NO_NAN:.*]] = ingot.div_no_nan %[[SELECT_2]], %[[SELECT]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[DIV_NO_NAN]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[NEG]], %[[SIGN]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[CONVERT_2:.*]] = ingot.convert %[[MUL_NO_NAN]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %[[COMPLEX:.*]] = ingot.complex %[[CONVERT_2]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[COMPLEX]], %[[CONJ]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[ADD:.*]] = ingot.add %[[DIV_NO_NAN]], %[[MUL_NO_NAN_2]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[ADD]] : tensor<4xcomplex<f64>>
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

// CHECK-LABEL: func.func @jvp_complex_abs(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<(0x7FF0000000000000,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[CONSTANT_2]] : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xi1>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[X]], %[[CONSTANT]] {ingot.by_value} : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SIGN:.*]] = ingot.sign %[[X]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[MUL_NO_NAN]], %[[SIGN]] : (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[SELECT]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[DX]], %[[CONJ]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[REAL:.*]] = ingot.real %[[MUL_NO_NAN_2]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %[[REAL]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_complex_abs(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<(0x7FF0000000000000,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_2:.*]] = ingot.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
// CHECK-NEXT: %[[CONSTANT_3:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPLEX:.*]] = ingot.complex %[[R0]], %[[CONSTANT_3]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[COMPARE:.*]] = ingot.compare eq %[[X]], %[[CONSTANT_2]] : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xi1>
// CHECK-NEXT: %[[MUL_NO_NAN:.*]] = ingot.mul_no_nan %[[X]], %[[CONSTANT]] {ingot.by_value} : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SIGN:.*]] = ingot.sign %[[X]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[COMPARE]], %[[MUL_NO_NAN]], %[[SIGN]] : (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[CONJ:.*]] = ingot.conj %[[SELECT]] : tensor<4xcomplex<f64>>
// CHECK-NEXT: %[[MUL_NO_NAN_2:.*]] = ingot.mul_no_nan %[[COMPLEX]], %[[CONJ]] : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[MUL_NO_NAN_2]] : tensor<4xcomplex<f64>>
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

// CHECK-LABEL: func.func @jvp_real(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %[[REAL:.*]] = ingot.real %[[DX]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %[[REAL]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_real(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[COMPLEX:.*]] = ingot.complex %[[R0]], %[[CONSTANT]] : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[COMPLEX]] : tensor<4xcomplex<f64>>
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

// CHECK-LABEL: func.func @jvp_imag(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[DX:.*]]: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
// CHECK-NEXT: %[[IMAG:.*]] = ingot.imag %[[DX]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: return %[[IMAG]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_imag(
// CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f64>>, %[[R0:.*]]: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[R0]] : tensor<4xf64>
// CHECK-NEXT: %[[COMPLEX:.*]] = ingot.complex %[[CONSTANT]], %[[NEG]] : (tensor<f64>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[COMPLEX]] : tensor<4xcomplex<f64>>
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

// CHECK-LABEL: func.func @jvp_complex(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xcomplex<f64>> {
// CHECK-NEXT: %[[COMPLEX:.*]] = ingot.complex %[[DX]], %[[DY]] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
// CHECK-NEXT: return %[[COMPLEX]] : tensor<4xcomplex<f64>>
// CHECK-LABEL: func.func @vjp_complex(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xcomplex<f64>>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[REAL:.*]] = ingot.real %[[R0]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %[[IMAG:.*]] = ingot.imag %[[R0]] : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
// CHECK-NEXT: %[[NEG:.*]] = ingot.neg %[[IMAG]] : tensor<4xf64>
// CHECK-NEXT: return %[[REAL]], %[[NEG]] : tensor<4xf64>, tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_convert(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[DX:.*]]: tensor<4xf64>) -> tensor<4xf32> {
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[DX]] : (tensor<4xf64>) -> tensor<4xf32>
// CHECK-NEXT: return %[[CONVERT]] : tensor<4xf32>
// CHECK-LABEL: func.func @vjp_convert(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[R0:.*]]: tensor<4xf32>) -> tensor<4xf64> {
// CHECK-NEXT: %[[CONVERT:.*]] = ingot.convert %[[R0]] : (tensor<4xf32>) -> tensor<4xf64>
// CHECK-NEXT: return %[[CONVERT]] : tensor<4xf64>
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

// CHECK-LABEL: func.func @jvp_select(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[C:.*]]: tensor<4xi1>, %[[DX:.*]]: tensor<4xf64>, %[[DY:.*]]: tensor<4xf64>) -> tensor<4xf64> {
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[C]], %[[DX]], %[[DY]] : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SELECT]] : tensor<4xf64>
// CHECK-LABEL: func.func @vjp_select(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[C:.*]]: tensor<4xi1>, %[[R0:.*]]: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT: %[[CONSTANT:.*]] = ingot.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[SELECT:.*]] = ingot.select %[[C]], %[[R0]], %[[CONSTANT]] : (tensor<4xi1>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: %[[SELECT_2:.*]] = ingot.select %[[C]], %[[CONSTANT]], %[[R0]] : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[SELECT]], %[[SELECT_2]] : tensor<4xf64>, tensor<4xf64>
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
