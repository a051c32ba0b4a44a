// RUN: ingot-opt %s --split-input-file --verify-diagnostics

func.func @broadcast(%a: tensor<3x4xf64>, %b: tensor<5xf64>) {
  // expected-error @+2 {{operands could not be broadcast together with shapes (3,4) (5,)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "ingot.add"(%a, %b) : (tensor<3x4xf64>, tensor<5xf64>) -> tensor<3x4xf64>
  return
}

// -----

func.func @elements(%a: tensor<3xf64>, %b: tensor<3xf32>) {
  // expected-error @+2 {{operands have different element types 'f64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.add %a, %b : (tensor<3xf64>, tensor<3xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @result(%a: tensor<3xf64>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<3xf64>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  %0 = ingot.add %a, %a : (tensor<3xf64>, tensor<3xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @compare_c1(%a: tensor<3xcomplex<f64>>) {
  // expected-error @+1 {{complex numbers have no order}}
  %0 = ingot.compare lt %a, %a : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{axis 1 is out of bounds for array of dimension 1}}
  %0 = ingot.iota axis = 1 : tensor<3xi64>
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
  // expected-error @+2 {{along dimension 1, the array at index 0 has size 3 and the array at index 1 has size 4}}
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
  // expected-error @+2 {{value array of shape (3,) could not be broadcast to indexing result of shape (2,)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter set %a, %u[%i] : (tensor<8xf64>, tensor<3xf64>, tensor<2xi64>) -> tensor<8xf64>
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

func.func @dot_c2(%a: tensor<3x4xf64>, %b: tensor<5x6xf64>) {
  // expected-error @+2 {{shapes (3,4) and (5,6) not aligned: 4 (dim 1) != 5 (dim 0)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<5x6xf64>) -> tensor<3x6xf64>
  return
}

// -----

func.func @if_c1(%c: tensor<i1>, %a: tensor<f64>, %b: tensor<f32>) {
  // expected-error @+1 {{yields ('tensor<f32>') but results are ('tensor<f64>')}}
  %0 = ingot.if %c : tensor<f64> {
    ingot.yield %a : tensor<f64>
  } else {
    ingot.yield %b : tensor<f32>
  }
  return
}

// -----

func.func @while_condition(%a: tensor<f64>) {
  // expected-error @+1 {{the first region does not end in ingot.condition}}
  %0 = ingot.while (%x = %a) : tensor<f64> cond {
    ingot.yield %x : tensor<f64>
  } do {
    ingot.yield %x : tensor<f64>
  }
  return
}

// -----

func.func @for_index(%n: tensor<i64>) {
  // expected-error @+1 {{the body's first argument is not the index}}
  "ingot.for"(%n, %n, %n) ({
    "ingot.yield"() : () -> ()
  }) : (tensor<i64>, tensor<i64>, tensor<i64>) -> ()
  return
}

// -----

func.func @print_c1(%a: tensor<f64>) {
  // expected-error @+1 {{format has 2 holes for 1 values}}
  ingot.print "{} {}"(%a) : tensor<f64>
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

func.func @fft_c1(%a: tensor<complex<f64>>) {
  // expected-error @+2 {{Invalid number of FFT data points (1) specified.}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.fft fft %a length = 1 : (tensor<complex<f64>>) -> tensor<complex<f64>>
  return
}

// -----

func.func @fft_c2(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+2 {{irfft of 4 elements has not length 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.fft irfft %a length = 8 : (tensor<4xcomplex<f64>>) -> tensor<8xf64>
  return
}

// -----

func.func @fft_c3(%a: tensor<4xf64>) {
  // expected-error @+2 {{fft of 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.fft fft %a length = 4 : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @cholesky_c1(%a: tensor<3x2xf64>) {
  // expected-error @+2 {{Last 2 dimensions of the array must be square}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.cholesky %a : (tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @matrices(%a: tensor<3xf64>) {
  // expected-error @+2 {{1-dimensional array given. Array must be at least two-dimensional}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = ingot.lu %a : (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xi32>)
  return
}

// -----

func.func @triangular_solve_c2(%a: tensor<3x3xf64>, %b: tensor<4x2xf64>) {
  // expected-error @+2 {{shapes (3,3) and (4,2) do not make a system of equations}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.triangular_solve %a, %b lower = true unit = false : (tensor<3x3xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  return
}

// -----

func.func @bitcast_c1(%a: tensor<4xf64>) {
  // expected-error @+1 {{'f64' and 'i32' differ in width}}
  %0 = ingot.bitcast %a : (tensor<4xf64>) -> tensor<4xi32>
  return
}

// -----

func.func @vjp_by_integer(%n: tensor<i64>) {
  // expected-error@+1 {{'ingot.vjp' op differentiates by a 'tensor<i64>', which has no derivative}}
  %0:2 = ingot.vjp "f"(%n) of = [] {
  ^bb0(%a: tensor<i64>):
    ingot.yield %a : tensor<i64>
  } : (tensor<i64>) -> (tensor<i64>, tensor<i64>)
  return
}

// -----

func.func @jvp_of_integer(%x: tensor<f64>, %n: tensor<i64>) {
  // expected-error@+1 {{'ingot.jvp' op `of` lists 0, a 'tensor<i64>', which has no derivative}}
  %0:2 = ingot.jvp "f"(%x, %x) of = [0] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %n : tensor<i64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<i64>, tensor<i64>)
  return
}

// -----

func.func @vjp_of_the_second_of_one(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.vjp' op `of` lists 1 of 1}}
  %0:2 = ingot.vjp "f"(%x, %x) of = [1] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return
}

// -----

func.func @jvp_without_tangent(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.jvp' op the operands are not the region's arguments and their tangents}}
  %0:2 = ingot.jvp "f"(%x) of = [0] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return
}

// -----

func.func @vjp_without_cotangent(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.vjp' op the operands are not the region's arguments and the cotangents of `of`}}
  %0:2 = ingot.vjp "f"(%x) of = [0] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return
}

// -----

func.func @jvp_of_other_types(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.jvp' op the results are not what the region yields and the tangents of `of`}}
  %0:2 = ingot.jvp "f"(%x, %x) of = [0] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f32>)
  return
}

// -----

func.func @vjp_of_other_types(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.vjp' op the results are not what the region yields and the cotangents of its arguments}}
  %0:2 = ingot.vjp "f"(%x, %x) of = [0] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f32>)
  return
}

// -----

func.func @barrier_c1(%a: tensor<f64>) {
  // expected-error@+1 {{'ingot.barrier' op results have types ('tensor<f32>') and not the operands' ('tensor<f64>')}}
  %0 = "ingot.barrier"(%a) : (tensor<f64>) -> tensor<f32>
  return
}

// -----

func.func @vmap_c1(%x: tensor<4xf64>) {
  // expected-error@+1 {{'ingot.vmap' op the region takes ('tensor<f32>'), which are not 4 lanes of ('tensor<4xf64>')}}
  %y = ingot.vmap "f"(%x) size = 4 shared = [] {
  ^bb0(%a: tensor<f32>):
    ingot.yield %a : tensor<f32>
  } : (tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @vmap_c2(%x: tensor<4xf64>) {
  // expected-error@+1 {{'ingot.vmap' op the region yields ('tensor<f64>'), of which 4 lanes are not ('tensor<f64>')}}
  %y = ingot.vmap "f"(%x) size = 4 shared = [] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<4xf64>) -> tensor<f64>
  return
}

// -----

func.func @vmap_size(%x: tensor<4xf64>) {
  // expected-error@+1 {{'ingot.vmap' op the size is not positive}}
  %y = ingot.vmap "f"(%x) size = 0 shared = [] {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @checkpoint_c1(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.checkpoint' op a region yields ('tensor<f64>') and not ('tensor<f32>')}}
  %y = ingot.checkpoint {
    ingot.yield %x : tensor<f64>
  } : tensor<f32>
  return
}

// -----

func.func @custom_c1(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.custom_derivative' op a region takes ('tensor<f64>') and not ('tensor<f64>', 'tensor<f64>')}}
  %y = ingot.custom_derivative jvp(%x) {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } rule {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } : (tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @custom_vmap_c1(%x: tensor<f64>) {
  // expected-error@+1 {{'ingot.custom_vmap' op a region takes ('tensor<2xf64>') and not ('tensor<3xf64>')}}
  %0 = ingot.custom_vmap(%x) size = 3 {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } rule {
  ^bb0(%a: tensor<2xf64>):
    ingot.yield %a : tensor<2xf64>
  } : (tensor<f64>) -> tensor<f64>
  return
}
