// Our StableHLO parses and prints as jaxlib's does, in custom and generic form.
// RUN: ingot-opt %s | ingot-opt | %verify-stablehlo | FileCheck %s
// RUN: ingot-opt %s --mlir-print-op-generic | ingot-opt | %verify-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @all
func.func @all(%x: tensor<4xf64>, %y: tensor<2x2xf64>, %i: tensor<i64>, %c: tensor<4xcomplex<f64>>) -> tensor<4xf64> {
  // CHECK: stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  // CHECK: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %0 = stablehlo.abs %c : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %x, %0, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  // CHECK: stablehlo.select %{{.*}} : tensor<4xi1>, tensor<4xf64>
  %2 = stablehlo.select %1, %x, %0 : tensor<4xi1>, tensor<4xf64>
  // CHECK: stablehlo.complex %{{.*}} : tensor<4xcomplex<f64>>
  %3 = stablehlo.complex %x, %2 : tensor<4xcomplex<f64>>
  // CHECK: stablehlo.slice %{{.*}} [0:4:2] : (tensor<4xf64>) -> tensor<2xf64>
  %4 = stablehlo.slice %x [0:4:2] : (tensor<4xf64>) -> tensor<2xf64>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, sizes = [2] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
  %5 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
  // CHECK: stablehlo.dynamic_update_slice
  %6 = stablehlo.dynamic_update_slice %x, %5, %i : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [1], high = [0], interior = [1]
  %7 = stablehlo.pad %4, %cst, low = [1], high = [0], interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<4xf64>
  // CHECK: stablehlo.dot_general %{{.*}}, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
  %8 = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0]
  %9 = stablehlo.reduce(%x init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f64>) -> tensor<4xf64>
  // CHECK: stablehlo.while(%{{.*}} = %{{.*}}) : tensor<4xf64>
  %11 = stablehlo.while(%iterArg = %10) : tensor<4xf64>
  cond {
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c_0 : tensor<i1>
  } do {
    stablehlo.return %iterArg : tensor<4xf64>
  }
  // CHECK: stablehlo.custom_call @of_one(%{{.*}}) {{.*}}output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]
  %12 = stablehlo.custom_call @of_one(%11) {api_version = 4 : i32, backend_config = {}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf64>) -> tensor<4xf64>
  // CHECK: stablehlo.custom_call @of_two(%{{.*}}) {{.*}}output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]
  %13:2 = stablehlo.custom_call @of_two(%12) {api_version = 4 : i32, backend_config = {}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>)
  return %13#1 : tensor<4xf64>
}

// CHECK-LABEL: func.func @convolution
func.func @convolution(%x: tensor<2x3x9x8xf32>, %w: tensor<3x5x2x3xf32>) -> tensor<2x5x17x3xf32> {
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = {{\[}}[1, 0], [0, -1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 0], [0, -1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x3x9x8xf32>, tensor<3x5x2x3xf32>) -> tensor<2x5x17x3xf32>
  return %0 : tensor<2x5x17x3xf32>
}
