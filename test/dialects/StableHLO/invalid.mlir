// RUN: ingot-opt %s --split-input-file --verify-diagnostics

func.func @reduce(%x: tensor<4xf64>, %i: tensor<f64>) {
  // expected-error @+1 {{body is not one operation on its arguments}}
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %a : tensor<f64>
  }) : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @compare(%x: tensor<4xf64>) {
  // expected-error @+1 {{unknown keyword LESS}}
  %0 = stablehlo.compare LESS, %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  return
}
