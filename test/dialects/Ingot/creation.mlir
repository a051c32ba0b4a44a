// RUN: %roundtrip

// CHECK-LABEL: func.func @creation
func.func @creation() {
  // CHECK: ingot.constant dense<[1, 2]> : tensor<2xi64>
  %0 = ingot.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK-NEXT: ingot.iota axis = 1 : tensor<3x4xi64>
  %1 = ingot.iota axis = 1 : tensor<3x4xi64>
  // CHECK-NEXT: ingot.size 1000003 : tensor<i64>
  %2 = ingot.size 1000003 : tensor<i64>
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{axis 1 is out of bounds for array of dimension 1}}
  %0 = ingot.iota axis = 1 : tensor<3xi64>
  return
}
