// RUN: ingot-opt %s --split-input-file --verify-diagnostics

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

// -----

func.func @vmap_end(%x: tensor<4xf64>) {
  // expected-error @+1 {{'ingot.vmap' op the region does not end in ingot.yield}}
  %y = ingot.vmap "f"(%x) size = 4 shared = [] {
  ^bb0(%a: tensor<f64>):
    stablehlo.return %a : tensor<f64>
  } : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @checkpoint_end(%x: tensor<f64>) {
  // expected-error @+1 {{'ingot.checkpoint' op a region does not end in ingot.yield}}
  %y = ingot.checkpoint {
    stablehlo.return %x : tensor<f64>
  } : tensor<f64>
  return
}

// -----

func.func @custom_vmap_c2(%x: tensor<f64>) {
  // expected-error @+1 {{'ingot.custom_vmap' op the size is not positive}}
  %0 = ingot.custom_vmap(%x) size = 0 {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  } rule {
  ^bb0(%a: tensor<0xf64>):
    ingot.yield %a : tensor<0xf64>
  } : (tensor<f64>) -> tensor<f64>
  return
}
