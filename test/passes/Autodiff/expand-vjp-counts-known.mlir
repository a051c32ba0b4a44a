// RUN: ingot-opt %s --verify-diagnostics --expand-vjp=counts-known

func.func private @dynamic(%x: tensor<f64>, %n: tensor<i64>) -> tensor<f64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  // expected-error@+1 {{nothing limits the number of iterations}}
  %r = ingot.for %i = %zero to %n step %one carry (%a = %x) : tensor<f64> {
    %p = ingot.mul %a, %a : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %p : tensor<f64>
  }
  return %r : tensor<f64>
}
func.func @grad_dynamic(%x: tensor<f64>, %n: tensor<i64>, %dy: tensor<f64>) -> tensor<f64> {
  %r:2 = ingot.vjp @dynamic(%x, %n, %dy) of = [0] wrt = [0] : (tensor<f64>, tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %r#1 : tensor<f64>
}
