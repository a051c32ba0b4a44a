// RUN: %roundtrip

// CHECK-LABEL: func.func @factorisations
func.func @factorisations(%x: tensor<2x4x3xf64>, %s: tensor<3x3xf32>, %z: tensor<3x3xcomplex<f64>>, %b: tensor<3x2xf32>) {
  // CHECK: ingot.cholesky %{{.*}} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %c = ingot.cholesky %s : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: ingot.triangular_solve %{{.*}}, %{{.*}} lower = true unit = false :
  %t = ingot.triangular_solve %s, %b lower = true unit = false : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  // CHECK: ingot.lu %{{.*}} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>)
  %lu, %p = ingot.lu %x : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>)
  // CHECK: ingot.qr %{{.*}} full = true :
  %q, %r = ingot.qr %x full = true : (tensor<2x4x3xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x3xf64>)
  // CHECK: ingot.eigh %{{.*}} lower = false : (tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  %w, %v, %i0 = ingot.eigh %z lower = false : (tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  // CHECK: ingot.svd %{{.*}} full = false :
  %u, %sv, %vh, %i1 = ingot.svd %x full = false : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  // CHECK: ingot.eig %{{.*}} :
  %e, %ev, %i2 = ingot.eig %z : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  return
}

// -----

func.func @cholesky_c1(%a: tensor<3x2xf64>) {
  // expected-error @+2 {{Last 2 dimensions of the array must be square}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.cholesky %a : (tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @matrices(%a: tensor<3xf64>) {
  // expected-error @+2 {{1-dimensional array given. Array must be at least two-dimensional}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = ingot.lu %a : (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xi32>)
  return
}

// -----

func.func @triangular_solve_c2(%a: tensor<3x3xf64>, %b: tensor<4x2xf64>) {
  // expected-error @+2 {{shapes (3,3) and (4,2) do not make a system of equations}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.triangular_solve %a, %b lower = true unit = false : (tensor<3x3xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  return
}

// -----

func.func @triangular_solve_c1(%a: tensor<3x2xf64>, %b: tensor<3x2xf64>) {
  // expected-error @+2 {{Last 2 dimensions of the array must be square}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.triangular_solve %a, %b lower = true unit = false : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @triangular_solve_elements(%a: tensor<3x3xf64>, %b: tensor<3x2xf32>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.triangular_solve %a, %b lower = true unit = false : (tensor<3x3xf64>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @eigh_c1(%a: tensor<3x2xf64>) {
  // expected-error @+2 {{Last 2 dimensions of the array must be square}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = ingot.eigh %a lower = true : (tensor<3x2xf64>) -> (tensor<3xf64>, tensor<3x2xf64>, tensor<i32>)
  return
}

// -----

func.func @eig_c1(%a: tensor<3x2xcomplex<f64>>) {
  // expected-error @+2 {{Last 2 dimensions of the array must be square}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = ingot.eig %a : (tensor<3x2xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x2xcomplex<f64>>, tensor<i32>)
  return
}
