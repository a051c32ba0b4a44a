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

// -----

func.func @one(%x: tensor<4xf64>) {
  // The error is where the parser has stopped: on the next line.
  // expected-error @+2 {{expected one operand and one result}}
  %0 = stablehlo.abs %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @complex(%x: tensor<4xf64>) {
  // The error is where the parser has stopped: on the next line.
  // expected-error @+2 {{expected a complex tensor type}}
  %0 = stablehlo.complex %x, %x : tensor<4xf64>
  return
}

// -----

func.func @gather(%x: tensor<4xf64>, %i: tensor<1xi64>) {
  // expected-error @+1 {{unknown field dims}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<dims = [0]>, slice_sizes = array<i64: 1>}> : (tensor<4xf64>, tensor<1xi64>) -> tensor<1xf64>
  return
}

// -----

func.func @convolution(%x: tensor<2x3x9x8xf32>, %w: tensor<3x5x2x3xf32>) {
  // expected-error @+1 {{positions are in order}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 1, 0]x[i, o, 0, 1]->[b, f, 0, 1], window = {} : (tensor<2x3x9x8xf32>, tensor<3x5x2x3xf32>) -> tensor<2x5x8x6xf32>
  return
}
