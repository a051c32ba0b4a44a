// RUN: ingot-opt %s --expand-transformations --resolve-absent-tangents --canonicalize --cse --split-input-file --verify-diagnostics

// Made by tools/goldens.py.

func.func @jvp_lu(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:3 = ingot.jvp "lu"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    // expected-error @below {{only square matrices have a derivative of lu}}
    %o:2 = ingot.lu %xi : (tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3xi32>)
    ingot.yield %o#0, %o#1 : tensor<3x4xf64>, tensor<3xi32>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3xi32>, tensor<3x4xf64>)
  return %r#2 : tensor<3x4xf64>
}

// -----

func.func @vjp_lu(%x: tensor<3x4xf64>, %r0: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:3 = ingot.vjp "lu"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<3x4xf64>):
    // expected-error @below {{only square matrices have a derivative of lu}}
    %o:2 = ingot.lu %xi : (tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3xi32>)
    ingot.yield %o#0, %o#1 : tensor<3x4xf64>, tensor<3xi32>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3xi32>, tensor<3x4xf64>)
  return %r#2 : tensor<3x4xf64>
}

// -----

func.func @jvp_qr(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>) {
  %r:4 = ingot.jvp "qr"(%x, %dx) of = [0, 1] {
  ^bb0(%xi: tensor<3x4xf64>):
    // expected-error @below {{qr has a derivative only where the matrix has at least as many rows as columns, in mode 'reduced'}}
    %o:2 = ingot.qr %xi full = false : (tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3x4xf64>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>)
  return %r#2, %r#3 : tensor<3x3xf64>, tensor<3x4xf64>
}

// -----

func.func @vjp_qr(%x: tensor<3x4xf64>, %r0: tensor<3x3xf64>, %r1: tensor<3x4xf64>) -> (tensor<3x4xf64>) {
  %r:3 = ingot.vjp "qr"(%x, %r0, %r1) of = [0, 1] {
  ^bb0(%xi: tensor<3x4xf64>):
    // expected-error @below {{qr has a derivative only where the matrix has at least as many rows as columns, in mode 'reduced'}}
    %o:2 = ingot.qr %xi full = false : (tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>)
    ingot.yield %o#0, %o#1 : tensor<3x3xf64>, tensor<3x4xf64>
  } : (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>)
  return %r#2 : tensor<3x4xf64>
}

// -----

func.func @jvp_svd(%x: tensor<3x4xf64>, %dx: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>) {
  %r:7 = ingot.jvp "svd"(%x, %dx) of = [0, 1, 2] {
  ^bb0(%xi: tensor<3x4xf64>):
    // expected-error @below {{svd has a derivative only with full_matrices=False}}
    %o:4 = ingot.svd %xi full = true : (tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2, %o#3 : tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<i32>
  } : (tensor<3x4xf64>, tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<i32>, tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>)
  return %r#4, %r#5, %r#6 : tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>
}

// -----

func.func @vjp_svd(%x: tensor<3x4xf64>, %r0: tensor<3x3xf64>, %r1: tensor<3xf64>, %r2: tensor<4x4xf64>) -> (tensor<3x4xf64>) {
  %r:5 = ingot.vjp "svd"(%x, %r0, %r1, %r2) of = [0, 1, 2] {
  ^bb0(%xi: tensor<3x4xf64>):
    // expected-error @below {{svd has a derivative only with full_matrices=False}}
    %o:4 = ingot.svd %xi full = true : (tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<i32>)
    ingot.yield %o#0, %o#1, %o#2, %o#3 : tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<i32>
  } : (tensor<3x4xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<i32>, tensor<3x4xf64>)
  return %r#4 : tensor<3x4xf64>
}

// -----

func.func @jvp_bitcast(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "bitcast"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.custom_derivative jvp(%xi) {
  ^bb0(%a: tensor<4xf64>):
    ingot.yield %a : tensor<4xf64>
  } rule {
  ^bb0(%a: tensor<4xf64>, %t: tensor<4xf64>):
    %s = ingot.bitcast %t : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %s : tensor<4xf64>
  } : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// -----

func.func @vjp_bitcast(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "bitcast"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.custom_derivative jvp(%xi) {
  ^bb0(%a: tensor<4xf64>):
    ingot.yield %a : tensor<4xf64>
  } rule {
  ^bb0(%a: tensor<4xf64>, %t: tensor<4xf64>):
    // expected-error @below {{a tangent goes through `bitcast`, which can't be transposed; define the rule by custom_vjp}}
    %s = ingot.bitcast %t : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %s : tensor<4xf64>
  } : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// -----

func.func @jvp_custom_derivative(%x: tensor<4xf64>, %dx: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.jvp "custom_derivative"(%x, %dx) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    // expected-error @below {{a function with a rule by custom_vjp has no forward derivative; use custom_jvp}}
    %o = ingot.custom_derivative vjp(%xi) {
  ^bb0(%a: tensor<4xf64>):
    ingot.yield %a : tensor<4xf64>
  } rule {
  ^bb0(%a: tensor<4xf64>, %t: tensor<4xf64>):
    %s = ingot.sin %t : tensor<4xf64>
    ingot.yield %s : tensor<4xf64>
  } : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}

// -----

func.func @vjp_custom_derivative(%x: tensor<4xf64>, %r0: tensor<4xf64>) -> (tensor<4xf64>) {
  %r:2 = ingot.vjp "custom_derivative"(%x, %r0) of = [0] {
  ^bb0(%xi: tensor<4xf64>):
    %o = ingot.custom_derivative vjp(%xi) {
  ^bb0(%a: tensor<4xf64>):
    ingot.yield %a : tensor<4xf64>
  } rule {
  ^bb0(%a: tensor<4xf64>, %t: tensor<4xf64>):
    %s = ingot.sin %t : tensor<4xf64>
    ingot.yield %s : tensor<4xf64>
  } : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %o : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
