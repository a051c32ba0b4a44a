// RUN: %roundtrip

// CHECK-LABEL: func.func @contraction
func.func @contraction(%x: tensor<3x4xf64>, %y: tensor<4x5xf64>) {
  // CHECK: ingot.dot_general %{{.*}}, %{{.*}} batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  %0 = ingot.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  return
}

// -----

func.func @dot_c2(%a: tensor<3x4xf64>, %b: tensor<5x6xf64>) {
  // expected-error @+2 {{shapes (3,4) and (5,6) not aligned: 4 (dim 1) != 5 (dim 0)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<5x6xf64>) -> tensor<3x6xf64>
  return
}

// -----

func.func @dot_c1(%a: tensor<3x4xf64>, %b: tensor<4x5xf64>) {
  // expected-error @+2 {{duplicate axis 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.dot_general %a, %b batching = [0] x [0] contracting = [0] x [1] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  return
}

// -----

func.func @dot_axis(%a: tensor<3x4xf64>, %b: tensor<4x5xf64>) {
  // expected-error @+2 {{axis 2 is out of bounds for array of dimension 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [2] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  return
}

// -----

func.func @dot_c3(%a: tensor<3x4xf64>, %b: tensor<4x5xf32>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x5xf32>) -> tensor<3x5xf64>
  return
}

// -----

func.func @dot_pairs(%a: tensor<3x4xf64>, %b: tensor<4x5xf64>) {
  // expected-error @+2 {{axes do not come in pairs}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.dot_general %a, %b batching = [] x [0] contracting = [1] x [] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  return
}
