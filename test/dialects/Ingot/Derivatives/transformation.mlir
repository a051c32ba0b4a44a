// RUN: ingot-opt --split-input-file --verify-diagnostics --expand-transformations %s

// The derivatives of a call are those that the process gives, which has registered the function
// (test/frontend/test_from_jax.py): here there is none.

func.func @tangent(%x: tensor<4xf64>, %t: tensor<4xf64>) -> tensor<4xf64> {
  %y, %dy = ingot.jvp "f"(%x, %t) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    // expected-error @below {{`g` has no derivative}}
    // expected-note @below {{set one with its defjvp or defvjp}}
    %b = ingot.call_stablehlo "g"(%a) source = 3 : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %b : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %dy : tensor<4xf64>
}

// -----

func.func @adjoint(%x: tensor<4xf64>, %c: tensor<4xf64>) -> tensor<4xf64> {
  %y, %dx = ingot.vjp "f"(%x, %c) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    // expected-error @below {{`g` has no derivative}}
    // expected-note @below {{set one with its defjvp or defvjp}}
    %b = ingot.call_stablehlo "g"(%a) text = "module {}" : (tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %b : tensor<4xf64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %dx : tensor<4xf64>
}
