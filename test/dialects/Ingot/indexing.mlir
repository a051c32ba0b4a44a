// RUN: %roundtrip

// CHECK-LABEL: func.func @indexing
func.func @indexing(%x: tensor<8x9xf64>, %u: tensor<2x3xf64>, %i: tensor<i64>, %k: tensor<5xi32>, %r: tensor<5x9xf64>) {
  // CHECK: ingot.slice %{{.*}} starts = [1, 0] sizes = [2, 3] strides = [3, 1] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  %0 = ingot.slice %x starts = [1, 0] sizes = [2, 3] strides = [3, 1] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  // CHECK-NEXT: ingot.dynamic_slice %{{.*}}[%{{.*}}, %{{.*}}] sizes = [1, 4] strides = [1, 2] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
  %1 = ingot.dynamic_slice %x[%i, %i] sizes = [1, 4] strides = [1, 2] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
  // CHECK-NEXT: ingot.update_slice %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] strides = [1, 2] : (tensor<8x9xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
  %2 = ingot.update_slice %x, %u[%i, %i] strides = [1, 2] : (tensor<8x9xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
  // CHECK-NEXT: ingot.gather %{{.*}}[%{{.*}}] : (tensor<8x9xf64>, tensor<5xi32>) -> tensor<5x9xf64>
  %3 = ingot.gather %x[%k] : (tensor<8x9xf64>, tensor<5xi32>) -> tensor<5x9xf64>
  // CHECK-NEXT: ingot.scatter add %{{.*}}, %{{.*}}[%{{.*}}] : (tensor<8x9xf64>, tensor<5x9xf64>, tensor<5xi32>) -> tensor<8x9xf64>
  %4 = ingot.scatter add %x, %r[%k] : (tensor<8x9xf64>, tensor<5x9xf64>, tensor<5xi32>) -> tensor<8x9xf64>
  // CHECK-NEXT: ingot.scatter set %{{.*}}, %{{.*}}[%{{.*}}] {unique} :
  %unique = ingot.scatter set %x, %r[%k] {unique} : (tensor<8x9xf64>, tensor<5x9xf64>, tensor<5xi32>) -> tensor<8x9xf64>
  return
}

// -----

func.func @slice_c1(%a: tensor<8xf64>) {
  // expected-error @+2 {{slice [6:9] is out of bounds for axis 0 with size 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a starts = [6] sizes = [3] strides = [1] : (tensor<8xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @slice_stride(%a: tensor<8xf64>) {
  // expected-error @+2 {{stride 0 along axis 0 is not positive}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a starts = [0] sizes = [3] strides = [0] : (tensor<8xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @dynamic_slice_c1(%a: tensor<8x8xf64>, %i: tensor<i64>) {
  // expected-error @+2 {{starts has 1 entries for array of dimension 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.dynamic_slice %a[%i] sizes = [1, 1] strides = [1, 1] : (tensor<8x8xf64>, tensor<i64>) -> tensor<1x1xf64>
  return
}

// -----

func.func @update_slice_c2(%a: tensor<8xf64>, %u: tensor<9xf64>, %i: tensor<i64>) {
  // expected-error @+2 {{slice [0:9] is out of bounds for axis 0 with size 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<8xf64>, tensor<9xf64>, tensor<i64>) -> tensor<8xf64>
  return
}

// -----

func.func @gather_c1(%a: tensor<8x8xf64>, %i: tensor<2xi64>, %j: tensor<3xi64>) {
  // expected-error @+2 {{index arrays have different shapes (2,) and (3,)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a[%i, %j] : (tensor<8x8xf64>, tensor<2xi64>, tensor<3xi64>) -> tensor<2xf64>
  return
}

// -----

func.func @gather_c2(%a: tensor<8xf64>, %i: tensor<2xi64>) {
  // expected-error @+2 {{too many indices for array: array is 1-dimensional, but 2 were indexed}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a[%i, %i] : (tensor<8xf64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xf64>
  return
}

// -----

func.func @scatter_c1(%a: tensor<8xf64>, %u: tensor<3xf64>, %i: tensor<2xi64>) {
  // expected-error @+2 {{shape mismatch: value array of shape (3,) could not be broadcast to indexing result of shape (2,)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter set %a, %u[%i] : (tensor<8xf64>, tensor<3xf64>, tensor<2xi64>) -> tensor<8xf64>
  return
}

// -----

func.func @slice_negative(%a: tensor<8xf64>) {
  // expected-error @+2 {{negative start or size along axis 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a starts = [-1] sizes = [3] strides = [1] : (tensor<8xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @slice_start(%a: tensor<8xf64>) {
  // expected-error @+2 {{start 9 is out of bounds for axis 0 with size 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a starts = [9] sizes = [0] strides = [1] : (tensor<8xf64>) -> tensor<0xf64>
  return
}

// -----

func.func @slice_sizes(%a: tensor<8xf64>) {
  // expected-error @+2 {{sizes has 2 entries for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a starts = [0] sizes = [3, 3] strides = [1] : (tensor<8xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @slice_strides(%a: tensor<8xf64>) {
  // expected-error @+2 {{strides has 0 entries for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a starts = [0] sizes = [3] strides = [] : (tensor<8xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @update_slice_c1(%a: tensor<8xf64>, %u: tensor<1x2xf64>, %i: tensor<i64>) {
  // expected-error @+2 {{sizes has 2 entries for array of dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<8xf64>, tensor<1x2xf64>, tensor<i64>) -> tensor<8xf64>
  return
}

// -----

func.func @update_slice_elements(%a: tensor<8xf64>, %u: tensor<2xi64>, %i: tensor<i64>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.update_slice %a, %u[%i] strides = [1] : (tensor<8xf64>, tensor<2xi64>, tensor<i64>) -> tensor<8xf64>
  return
}

// -----

func.func @gather_nothing(%a: tensor<8xf64>) {
  // expected-error @+2 {{no index array}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a[] : (tensor<8xf64>) -> tensor<8xf64>
  return
}

// -----

func.func @scatter_elements(%a: tensor<8xf64>, %u: tensor<2xi64>, %i: tensor<2xi64>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter add %a, %u[%i] : (tensor<8xf64>, tensor<2xi64>, tensor<2xi64>) -> tensor<8xf64>
  return
}

// -----

// CHECK-LABEL: func.func @length
// CHECK-SAME: -> (tensor<8xi64> {ingot.length = 1 : i64}, tensor<i64>)
func.func @length(%a: tensor<8xi1>, %n: tensor<i64>) -> (tensor<8xi64> {ingot.length = 1 : i64}, tensor<i64>) {
  %0 = ingot.nonzero %a : (tensor<8xi1>) -> tensor<8xi64>
  return %0, %n : tensor<8xi64>, tensor<i64>
}

// -----

// expected-error @+1 {{result #0 has an `ingot.length` that is not the number of a result of type tensor<i64>}}
func.func private @length_of_no_result() -> (tensor<8xi64> {ingot.length = 2 : i64}, tensor<i64>)

// -----

// expected-error @+1 {{result #0 has an `ingot.length` that is not the number of a result of type tensor<i64>}}
func.func private @length_of_floats() -> (tensor<8xi64> {ingot.length = 1 : i64}, tensor<f64>)

// -----

// expected-error @+1 {{result #1 has an `ingot.length` that is not the number of a result of type tensor<i64>}}
func.func private @length_of_a_number() -> (tensor<i64>, tensor<i64> {ingot.length = 0 : i64})
