// RUN: %roundtrip

// CHECK-LABEL: func.func @reduction
func.func @reduction(%x: tensor<3x4xf64>) {
  // CHECK: ingot.reduce add %{{.*}} axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  %0 = ingot.reduce add %x axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  // CHECK-NEXT: ingot.arg_reduce max %{{.*}} axis = 0 : (tensor<3x4xf64>) -> tensor<4xi64>
  %1 = ingot.arg_reduce max %x axis = 0 : (tensor<3x4xf64>) -> tensor<4xi64>
  // CHECK-NEXT: ingot.cumulative mul %{{.*}} axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %2 = ingot.cumulative mul %x axis = 1 : (tensor<3x4xf64>) -> tensor<3x4xf64>
  return
}

// CHECK-LABEL: func.func @nonzero
func.func @nonzero(%m: tensor<3x4xi1>) {
  // CHECK: ingot.nonzero %{{.*}} : (tensor<3x4xi1>) -> tensor<3x4xi64>
  %0 = ingot.nonzero %m : (tensor<3x4xi1>) -> tensor<3x4xi64>
  return
}

// CHECK-LABEL: func.func @sort
func.func @sort(%x: tensor<4xf64>, %i: tensor<4xi64>) {
  // CHECK: ingot.sort %{{.*}}, %{{.*}} axis = 0 keys = 1 :
  %0:2 = ingot.sort %x, %i axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
  // CHECK: ingot.sort %{{.*}}, %{{.*}} axis = 0 keys = 1 {is_stable = false} :
  %1:2 = ingot.sort %x, %i axis = 0 keys = 1 {is_stable = false} : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
  return
}

// -----

func.func @reduce_c2(%a: tensor<8xf64>) {
  // expected-error @+2 {{can't reduce 'f64' by and}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce and %a axes = [0] : (tensor<8xf64>) -> tensor<f64>
  return
}

// -----

func.func @reduce_c3(%a: tensor<0xf64>) {
  // expected-error @+2 {{zero-size array to reduction operation which has no identity}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce max %a axes = [0] : (tensor<0xf64>) -> tensor<f64>
  return
}

// -----

func.func @arg_reduce_c2(%a: tensor<8xf64>) {
  // expected-error @+2 {{kind is neither min nor max}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce add %a axis = 0 : (tensor<8xf64>) -> tensor<i64>
  return
}

// -----

func.func @sort_c1(%a: tensor<4xf64>) {
  // expected-error @+2 {{axis 1 is out of bounds for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.sort %a axis = 1 keys = 1 : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @sort_c2(%a: tensor<4xf64>) {
  // expected-error @+2 {{2 keys for 1 operands}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.sort %a axis = 0 keys = 2 : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @sort_c3(%a: tensor<4xf64>, %b: tensor<3xf64>) {
  // expected-error @+2 {{operands of a sort have different shapes (4,) and (3,)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = ingot.sort %a, %b axis = 0 keys = 1 : (tensor<4xf64>, tensor<3xf64>) -> (tensor<4xf64>, tensor<3xf64>)
  return
}

// -----

func.func @sort_c4(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+2 {{complex numbers have no order}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.sort %a axis = 0 keys = 1 : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @reduce_c1(%a: tensor<8xf64>) {
  // expected-error @+2 {{axis 1 is out of bounds for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce add %a axes = [1] : (tensor<8xf64>) -> tensor<8xf64>
  return
}

// -----

func.func @arg_reduce_c1(%a: tensor<8xf64>) {
  // expected-error @+2 {{axis 1 is out of bounds for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce max %a axis = 1 : (tensor<8xf64>) -> tensor<i64>
  return
}

// -----

func.func @arg_reduce_complex(%a: tensor<8xcomplex<f64>>) {
  // expected-error @+2 {{complex numbers have no order}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce max %a axis = 0 : (tensor<8xcomplex<f64>>) -> tensor<i64>
  return
}

// -----

func.func @arg_reduce_empty(%a: tensor<0xf64>) {
  // expected-error @+2 {{attempt to get argmin or argmax of an empty sequence}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce max %a axis = 0 : (tensor<0xf64>) -> tensor<i64>
  return
}

// -----

func.func @cumulative_c1(%a: tensor<8xf64>) {
  // expected-error @+2 {{axis 1 is out of bounds for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.cumulative add %a axis = 1 : (tensor<8xf64>) -> tensor<8xf64>
  return
}

// -----

func.func @cumulative_c2(%a: tensor<8xi1>) {
  // expected-error @+2 {{can't reduce 'i1' by add}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.cumulative add %a axis = 0 : (tensor<8xi1>) -> tensor<8xi1>
  return
}

// -----

func.func @nonzero_c1(%a: tensor<i1>) {
  // expected-error @+2 {{Calling nonzero on 0d arrays is not allowed}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.nonzero %a : (tensor<i1>) -> tensor<i64>
  return
}
