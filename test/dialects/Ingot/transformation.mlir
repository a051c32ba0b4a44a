// RUN: %roundtrip

func.func private @f(%x: tensor<4xf64>, %n: tensor<i64>) -> (tensor<f64>, tensor<i64>) {
  %0 = ingot.reduce add %x axes = [0] : (tensor<4xf64>) -> tensor<f64>
  return %0, %n : tensor<f64>, tensor<i64>
}

// CHECK-LABEL: func.func @derivatives
func.func @derivatives(%x: tensor<4xf64>, %n: tensor<i64>, %dx: tensor<4xf64>, %dy: tensor<f64>) {
  // CHECK: ingot.jvp @f(%arg0, %arg1, %arg2) of = [0] wrt = [0] : (tensor<4xf64>, tensor<i64>, tensor<4xf64>) -> (tensor<f64>, tensor<i64>, tensor<f64>)
  %0:3 = ingot.jvp @f(%x, %n, %dx) of = [0] wrt = [0] : (tensor<4xf64>, tensor<i64>, tensor<4xf64>) -> (tensor<f64>, tensor<i64>, tensor<f64>)
  // CHECK: ingot.vjp @f(%arg0, %arg1, %arg3) of = [0] wrt = [0] : (tensor<4xf64>, tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<i64>, tensor<4xf64>)
  %1:3 = ingot.vjp @f(%x, %n, %dy) of = [0] wrt = [0] : (tensor<4xf64>, tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<i64>, tensor<4xf64>)
  return
}
