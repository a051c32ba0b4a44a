// DEFINE: %{functions} = cholesky_lo,eig,eigvals,eigh_lo,eigh_up,eigvalsh_lo,eigvalsh_up,svd,svd_f,svd_s
// RUN: ingot-opt %s --call-linalg='functions=%{functions}' | FileCheck %s

// What this NumPy does not have stays.
// RUN: ingot-opt %s --call-linalg=functions=svd_f | FileCheck %s --check-prefix=STAYS
// STAYS-NOT: call_numpy

// CHECK-LABEL: func.func @factorisations
// CHECK-SAME: (%[[A:.*]]: tensor<2x4x4xf64>, %[[Z:.*]]: tensor<4x3xcomplex<f64>>)
func.func @factorisations(%a: tensor<2x4x4xf64>, %z: tensor<4x3xcomplex<f64>>)
    -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>, tensor<4x3xcomplex<f64>>, tensor<3xf64>) {
  // CHECK: %[[L:.*]]:2 = ingot.call_numpy "cholesky_lo"(%[[A]]) : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2xi32>)
  %l = ingot.cholesky %a : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  // CHECK: %[[E:.*]]:3 = ingot.call_numpy "eigh_lo"(%[[A]])
  %w, %v, %i = ingot.eigh %a lower = true : (tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>)
  // CHECK: %[[S:.*]]:4 = ingot.call_numpy "svd_s"(%[[Z]])
  %u, %s, %vh, %j = ingot.svd %z full = false : (tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  // CHECK: return %[[L]]#0, %[[E]]#0, %[[E]]#1, %[[E]]#2, %[[S]]#0, %[[S]]#1
  return %l, %w, %v, %i, %u, %s : tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2xi32>, tensor<4x3xcomplex<f64>>, tensor<3xf64>
}

// No vectors are computed that nothing uses.
// CHECK-LABEL: func.func @values
func.func @values(%a: tensor<4x4xf64>, %z: tensor<4x4xcomplex<f64>>)
    -> (tensor<4xf64>, tensor<4xf64>, tensor<i32>, tensor<4xcomplex<f64>>) {
  // CHECK: ingot.call_numpy "eigvalsh_up"(%arg0)
  %w, %v, %i = ingot.eigh %a lower = false : (tensor<4x4xf64>) -> (tensor<4xf64>, tensor<4x4xf64>, tensor<i32>)
  // CHECK: ingot.call_numpy "svd"(%arg0) : (tensor<4x4xf64>) -> (tensor<4xf64>, tensor<i32>)
  %u, %s, %vh, %j = ingot.svd %a full = true : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<i32>)
  // CHECK: ingot.call_numpy "eigvals"(%arg1) : (tensor<4x4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<i32>)
  %g, %h, %m = ingot.eig %z : (tensor<4x4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4x4xcomplex<f64>>, tensor<i32>)
  return %w, %s, %j, %g : tensor<4xf64>, tensor<4xf64>, tensor<i32>, tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @others
func.func @others(%z: tensor<3x3xcomplex<f32>>, %none: tensor<0x3x3xf64>) -> (tensor<3xcomplex<f32>>, tensor<0x3x3xf64>) {
  // NumPy has no function for these.
  // CHECK: ingot.eig
  %w, %v, %i = ingot.eig %z : (tensor<3x3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  // CHECK: ingot.cholesky
  %l = ingot.cholesky %none : (tensor<0x3x3xf64>) -> tensor<0x3x3xf64>
  return %w, %l : tensor<3xcomplex<f32>>, tensor<0x3x3xf64>
}
