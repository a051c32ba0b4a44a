// RUN: %lower-and-verify

// CHECK-LABEL: func.func @print
func.func @print(%s: tensor<i32>, %x: tensor<4x2xf64>) -> tensor<i32> {
  // CHECK: stablehlo.custom_call @ingot.print(%arg0, %arg1) {api_version = 4 : i32, backend_config = {format = "x = {}"}, has_side_effect = true, operand_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<4x2xf64>) -> tensor<i32>
  %0 = ingot.ordered_print "x = {}" after %s (%x) : tensor<i32>, tensor<4x2xf64>
  return %0 : tensor<i32>
}
