// RUN: ingot-opt %s --verify-diagnostics --expand-vjp=counts-known

func.func @grad_dynamic(%x: tensor<f64>, %n: tensor<i64>, %dy: tensor<f64>) -> tensor<f64> {
  %r:2 = ingot.vjp "dynamic"(%x, %dy) of = [0] {
  ^bb0(%xi: tensor<f64>):
    %zero = ingot.constant dense<0> : tensor<i64>
    %one = ingot.constant dense<1> : tensor<i64>
    // expected-error@+1 {{nothing limits the number of iterations}}
    %ri = ingot.for %i = %zero to %n step %one carry (%a = %xi) : tensor<f64> {
      %p = ingot.mul %a, %a : (tensor<f64>, tensor<f64>) -> tensor<f64>
      ingot.yield %p : tensor<f64>
    }
    ingot.yield %ri : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}
