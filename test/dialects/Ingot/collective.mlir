// RUN: %roundtrip

// CHECK-LABEL: func.func @collectives
func.func @collectives(%x: tensor<3x4xf64>) -> tensor<3xf64> {
  // CHECK: ingot.vmap "f"(%{{.*}}) size = 3 shared = [] axis = "i" {
  %0 = ingot.vmap "f"(%x) size = 3 shared = [] axis = "i" {
  ^bb0(%a: tensor<4xf64>):
    // CHECK: ingot.all_gather %{{.*}} axis = "i" : (tensor<4xf64>) -> tensor<3x4xf64>
    %1 = ingot.all_gather %a axis = "i" : (tensor<4xf64>) -> tensor<3x4xf64>
    // CHECK: ingot.axis_index "i" : tensor<i64>
    %2 = ingot.axis_index "i" : tensor<i64>
    // CHECK: ingot.ppermute %{{.*}} axis = "i" sources = [2, 0, -1] : tensor<4xf64>
    %3 = ingot.ppermute %a axis = "i" sources = [2, 0, -1] : tensor<4xf64>
    // CHECK: ingot.psum %{{.*}} axis = "i" : tensor<4xf64>
    %4 = ingot.psum %3 axis = "i" : tensor<4xf64>
    %5 = ingot.reduce add %4 axes = [0] : (tensor<4xf64>) -> tensor<f64>
    ingot.yield %5 : tensor<f64>
  } : (tensor<3x4xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

func.func @all_gather_c1(%a: tensor<4xf64>) {
  // expected-error @+1 {{stacks arrays of shape (4,) to shape (3,5)}}
  %0 = ingot.all_gather %a axis = "i" : (tensor<4xf64>) -> tensor<3x5xf64>
  return
}

// -----

func.func @ppermute_c1(%a: tensor<4xf64>) {
  // expected-error @+1 {{has the source 2 for 2 lanes}}
  %0 = ingot.ppermute %a axis = "i" sources = [0, 2] : tensor<4xf64>
  return
}

// -----

func.func @ppermute_c1_twice(%a: tensor<4xf64>) {
  // expected-error @+1 {{has the source 1 twice}}
  %0 = ingot.ppermute %a axis = "i" sources = [1, 1] : tensor<4xf64>
  return
}
