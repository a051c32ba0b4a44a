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

// CHECK-LABEL: func.func @numpy
func.func @numpy(%a: tensor<2x3x3xf64>, %b: tensor<2x3x4xf64>, %m: tensor<4x3xcomplex<f32>>) {
  // CHECK: ingot.call_numpy "solve"(%{{.*}}, %{{.*}}) : (tensor<2x3x3xf64>, tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2xi32>)
  %0:2 = ingot.call_numpy "solve"(%a, %b) : (tensor<2x3x3xf64>, tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2xi32>)
  // CHECK: ingot.call_numpy "eigvals"
  %1:2 = ingot.call_numpy "eigvals"(%a) : (tensor<2x3x3xf64>) -> (tensor<2x3xcomplex<f64>>, tensor<2xi32>)
  // CHECK: ingot.call_numpy "svd_s"
  %2:4 = ingot.call_numpy "svd_s"(%m) : (tensor<4x3xcomplex<f32>>) -> (tensor<4x3xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  // CHECK: ingot.numpy_function "det"(%{{.*}}) {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<2x3x3xf64>):
  // CHECK: ingot.yield
  %3:2 = ingot.numpy_function "det"(%a) {
  ^bb0(%x: tensor<2x3x3xf64>):
    %d = ingot.constant dense<1.0> : tensor<2xf64>
    %i = ingot.constant dense<0> : tensor<2xi32>
    ingot.yield %d, %i : tensor<2xf64>, tensor<2xi32>
  } : (tensor<2x3x3xf64>) -> (tensor<2xf64>, tensor<2xi32>)
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

// -----

func.func @numpy_c1(%a: tensor<3x3xf64>) {
  // expected-error @+1 {{no function `inverse` of np.linalg is known}}
  %0:2 = ingot.call_numpy "inverse"(%a) : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
  return
}

// -----

func.func @numpy_operands(%a: tensor<3x3xf64>) {
  // expected-error @+1 {{`solve` takes 2 operands, not 1}}
  %0:2 = ingot.call_numpy "solve"(%a) : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
  return
}

// -----

func.func @numpy_c2(%a: tensor<2x3x3xf64>, %b: tensor<3x4xf64>) {
  // expected-error @+1 {{operands of types 'tensor<2x3x3xf64>', 'tensor<3x4xf64>' are no stacks of (mn) for `solve`, whose signature is mm,mn>mn}}
  %0:2 = ingot.call_numpy "solve"(%a, %b) : (tensor<2x3x3xf64>, tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<2xi32>)
  return
}

// -----

func.func @numpy_square(%a: tensor<3x4xf64>) {
  // expected-error @+1 {{are no stacks of (mm) for `inv`}}
  %0:2 = ingot.call_numpy "inv"(%a) : (tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<i32>)
  return
}

// -----

func.func @numpy_rank(%a: tensor<3xf64>) {
  // expected-error @+1 {{are no stacks of (mm) for `inv`}}
  %0:2 = ingot.call_numpy "inv"(%a) : (tensor<3xf64>) -> (tensor<3xf64>, tensor<i32>)
  return
}

// -----

func.func @numpy_results(%a: tensor<3x3xf64>) {
  // expected-error @+1 {{`inv` gives ('tensor<3x3xf64>', 'tensor<i32>') and not ('tensor<3x3xf64>')}}
  %0 = ingot.call_numpy "inv"(%a) : (tensor<3x3xf64>) -> tensor<3x3xf64>
  return
}

// -----

func.func @numpy_c3(%a: tensor<3x3xf64>) {
  // expected-error @+1 {{a region yields ('tensor<3x3xf64>') and not ('tensor<3x3xf64>', 'tensor<i32>')}}
  %0:2 = ingot.numpy_function "inv"(%a) {
  ^bb0(%x: tensor<3x3xf64>):
    ingot.yield %x : tensor<3x3xf64>
  } : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
  return
}
