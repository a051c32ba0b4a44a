// RUN: ingot-opt %s --lower-to-linalg --split-input-file --verify-diagnostics

func.func @kernel(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{'ingot.barrier' op has no lowering to linalg}}
  %0 = ingot.barrier %x : tensor<f64>
  return %0 : tensor<f64>
}

// -----

// expected-error @+1 {{is no kernel: it takes other types}}
func.func @kernel(%x: tensor<f16>) {
  return
}

// -----

// expected-error @+1 {{is no kernel: it has not one block}}
func.func @kernel(%x: tensor<f64>) -> tensor<f64> {
  cf.br ^end
^end:
  return %x : tensor<f64>
}
