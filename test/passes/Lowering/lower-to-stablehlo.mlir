// RUN: ingot-opt %s --lower-to-stablehlo --split-input-file --verify-diagnostics | FileCheck %s

// Every operation in one walk, nested ones included.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: ingot.
func.func @nested(%c: tensor<i1>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = ingot.if %c : tensor<4xf64> {
    %1 = ingot.sin %x : tensor<4xf64>
    ingot.yield %1 : tensor<4xf64>
  } else {
    ingot.yield %x : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}

// -----

func.func @assert(%c: tensor<i1>) {
  // expected-error @+1 {{has no lowering to StableHLO}}
  ingot.assert %c, "ValueError", "no" : tensor<i1>
  return
}

// -----

// Lengths are for kernels.
// CHECK-LABEL: func.func @length
// CHECK-SAME: -> (tensor<8xf64>, tensor<i64>)
func.func @length(%x: tensor<8xf64>, %n: tensor<i64>) -> (tensor<8xf64> {ingot.length = 1 : i64}, tensor<i64>) {
  %0 = ingot.sin %x : tensor<8xf64>
  return %0, %n : tensor<8xf64>, tensor<i64>
}
