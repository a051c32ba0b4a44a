// RUN: %lower-and-verify

// CHECK-LABEL: func.func @print
func.func @print(%x: tensor<4xf64>) {
  // CHECK: stablehlo.custom_call @ingot.print(%arg0) {api_version = 4 : i32, backend_config = {format = "x = {}"}, has_side_effect = true} : (tensor<4xf64>) -> ()
  ingot.print "x = {}"(%x) : tensor<4xf64>
  return
}
