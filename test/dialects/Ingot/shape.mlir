// RUN: %roundtrip

// CHECK-LABEL: func.func @shape
func.func @shape(%x: tensor<3x4xf64>, %v: tensor<f64>) {
  // CHECK: ingot.reshape %{{.*}} : (tensor<3x4xf64>) -> tensor<12xf64>
  %0 = ingot.reshape %x : (tensor<3x4xf64>) -> tensor<12xf64>
  // CHECK-NEXT: ingot.transpose %{{.*}} axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %1 = ingot.transpose %x axes = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  // CHECK-NEXT: ingot.broadcast_to %{{.*}} : (tensor<f64>) -> tensor<2x3xf64>
  %2 = ingot.broadcast_to %v : (tensor<f64>) -> tensor<2x3xf64>
  // CHECK-NEXT: ingot.concatenate %{{.*}}, %{{.*}} axis = 0 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<6x4xf64>
  %3 = ingot.concatenate %x, %x axis = 0 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<6x4xf64>
  // CHECK-NEXT: ingot.pad %{{.*}}, %{{.*}} low = [1, 0] high = [0, 2] interior = [1, 0] : (tensor<3x4xf64>, tensor<f64>) -> tensor<6x6xf64>
  %4 = ingot.pad %x, %v low = [1, 0] high = [0, 2] interior = [1, 0] : (tensor<3x4xf64>, tensor<f64>) -> tensor<6x6xf64>
  // CHECK-NEXT: ingot.flip %{{.*}} axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %5 = ingot.flip %x axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
  return
}

// -----

func.func @reshape_c1(%a: tensor<6xf64>) {
  // expected-error @+1 {{cannot reshape array of size 6 into shape (4,)}}
  %0 = ingot.reshape %a : (tensor<6xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @transpose_c1(%a: tensor<3x4xf64>) {
  // expected-error @+2 {{duplicate axis 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a axes = [0, 0] : (tensor<3x4xf64>) -> tensor<3x3xf64>
  return
}

// -----

func.func @transpose_length(%a: tensor<3x4xf64>) {
  // expected-error @+2 {{axes has 1 entries for array of dimension 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a axes = [0] : (tensor<3x4xf64>) -> tensor<3x3xf64>
  return
}

// -----

func.func @broadcast_to_c1(%a: tensor<3xf64>) {
  // expected-error @+1 {{could not broadcast input array from shape (3,) into shape (4,)}}
  %0 = ingot.broadcast_to %a : (tensor<3xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @concatenate_c1(%a: tensor<2x3xf64>, %b: tensor<2x4xf64>) {
  // expected-error @+2 {{all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size 3 and the array at index 1 has size 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concatenate %a, %b axis = 0 : (tensor<2x3xf64>, tensor<2x4xf64>) -> tensor<4x3xf64>
  return
}

// -----

func.func @pad_c1(%a: tensor<2xf64>, %v: tensor<f64>) {
  // expected-error @+2 {{padding can't be negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %v low = [-1] high = [0] interior = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<1xf64>
  return
}

// -----

func.func @flip_c1(%a: tensor<2xf64>) {
  // expected-error @+2 {{axis 1 is out of bounds for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.flip %a axes = [1] : (tensor<2xf64>) -> tensor<2xf64>
  return
}

// -----

func.func @transpose_axis(%a: tensor<3x4xf64>) {
  // expected-error @+2 {{axis 2 is out of bounds for array of dimension 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a axes = [0, 2] : (tensor<3x4xf64>) -> tensor<3x4xf64>
  return
}

// -----

func.func @concatenate_nothing() {
  // expected-error @+2 {{need at least one array to concatenate}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "ingot.concatenate"() <{axis = 0 : i64}> : () -> tensor<1xf64>
  return
}

// -----

func.func @concatenate_ranks(%a: tensor<2xf64>, %b: tensor<2x1xf64>) {
  // expected-error @+2 {{all the input array dimensions must match exactly, but the array at index 0 has 1 dimension(s) and the array at index 1 has 2 dimension(s)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concatenate %a, %b axis = 0 : (tensor<2xf64>, tensor<2x1xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @concatenate_elements(%a: tensor<2xf64>, %b: tensor<2xi64>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concatenate %a, %b axis = 0 : (tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
  return
}

// -----

func.func @pad_elements(%a: tensor<2xf64>, %v: tensor<i64>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %v low = [1] high = [0] interior = [0] : (tensor<2xf64>, tensor<i64>) -> tensor<3xf64>
  return
}

// -----

func.func @pad_low(%a: tensor<2x3xf64>, %v: tensor<f64>) {
  // expected-error @+2 {{low has 1 entries for array of dimension 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %v low = [0] high = [0, 0] interior = [0, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>
  return
}

// -----

func.func @pad_high(%a: tensor<2x3xf64>, %v: tensor<f64>) {
  // expected-error @+2 {{high has 1 entries for array of dimension 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %v low = [0, 0] high = [0] interior = [0, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>
  return
}

// -----

func.func @pad_interior(%a: tensor<2x3xf64>, %v: tensor<f64>) {
  // expected-error @+2 {{interior has 1 entries for array of dimension 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %v low = [0, 0] high = [0, 0] interior = [0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>
  return
}
