// RUN: ingot-opt %s --split-input-file --expand-transformations --resolve-absent-tangents --canonicalize | FileCheck %s

// The derivative of (v * exp(w)) @ v.T multiplies by difference quotients, and none of the vectors
// by themselves, which would divide by the difference of equal eigenvalues, is left.
// CHECK-LABEL: func.func @exponential
// CHECK:       ingot.eigh
// CHECK-NOT:   0x7FF8000000000000
// CHECK:       return
func.func @exponential(%x: tensor<3x3xf64>, %t: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0:2 = ingot.vjp "f"(%x, %t) of = [0] {
  ^bb0(%a: tensor<3x3xf64>):
    %w, %v, %info = ingot.eigh %a lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    %f = ingot.exp %w : tensor<3xf64>
    %scaled = ingot.mul %v, %f : (tensor<3x3xf64>, tensor<3xf64>) -> tensor<3x3xf64>
    %vt = ingot.transpose %v axes = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %y = ingot.dot_general %scaled, %vt batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    ingot.yield %y : tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %0#1 : tensor<3x3xf64>
}

// -----

// The product of the vectors by something else is no function of the matrix.
// CHECK-LABEL: func.func @vectors
// CHECK:       0x7FF8000000000000
func.func @vectors(%x: tensor<3x3xf64>, %t: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0:2 = ingot.vjp "f"(%x, %t) of = [0] {
  ^bb0(%a: tensor<3x3xf64>):
    %w, %v, %info = ingot.eigh %a lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    %y = ingot.dot_general %v, %a batching = [] x [] contracting = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    ingot.yield %y : tensor<3x3xf64>
  } : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %0#1 : tensor<3x3xf64>
}
