// RUN: %lower-and-verify

// CHECK-LABEL: func.func @print
func.func @print(%s: tensor<i32>, %x: tensor<4x2xf64>) -> tensor<i32> {
  // CHECK: stablehlo.custom_call @ingot.print(%arg0, %arg1) {api_version = 4 : i32, backend_config = {check = 0 : i64, format = "x = {}"}, has_side_effect = true, operand_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<4x2xf64>) -> tensor<i32>
  %0 = ingot.ordered_print "x = {}" after %s (%x) : tensor<i32>, tensor<4x2xf64>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @values_of_a_check
func.func @values_of_a_check(%s: tensor<i32>, %x: tensor<f64>) -> tensor<i32> {
  // CHECK: stablehlo.custom_call @ingot.print(%arg0, %arg1) {api_version = 4 : i32, backend_config = {check = 7 : i64, format = "{}"}
  %0 = ingot.ordered_print "{}" after %s (%x) {ingot.check = 7 : i64} : tensor<i32>, tensor<f64>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @callback
func.func @callback(%s: tensor<i32>, %x: tensor<4x2xf64>) -> tensor<2xf64> {
  // CHECK: %[[MADE:.*]]:2 = stablehlo.custom_call @ingot.print(%arg0, %arg1) {api_version = 4 : i32, backend_config = {callback = 3 : i64, check = 0 : i64, format = "f"}
  // CHECK-SAME: result_layouts = [dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]
  %0:2 = ingot.ordered_print "f" callback = 3 after %s (%x) : tensor<i32>, tensor<4x2xf64> gives tensor<2xf64>
  // CHECK: return %[[MADE]]#1
  return %0#1 : tensor<2xf64>
}

// A barrier is a call that is not inlined; there is one function for each list of types.
// CHECK-LABEL: func.func @barriers
func.func @barriers(%x: tensor<f64>, %i: tensor<i64>) -> (tensor<f64>, tensor<i64>, tensor<f64>) {
  // CHECK: %[[FIRST:.*]]:2 = call @barrier_1(%arg0, %arg1) {mhlo.frontend_attributes = {inlineable = "false"}}
  %0:2 = ingot.barrier %x, %i : tensor<f64>, tensor<i64>
  // CHECK: call @barrier_1(%[[FIRST]]#0, %[[FIRST]]#1)
  %1:2 = ingot.barrier %0#0, %0#1 : tensor<f64>, tensor<i64>
  // CHECK: call @barrier_2(%arg0)
  %2 = ingot.barrier %x : tensor<f64>
  return %1#0, %1#1, %2 : tensor<f64>, tensor<i64>, tensor<f64>
}
// CHECK: func.func private @barrier_1(%arg0: tensor<f64>, %arg1: tensor<i64>) -> (tensor<f64>, tensor<i64>) {
// CHECK-NEXT: return %arg0, %arg1
// CHECK: func.func private @barrier_2(%arg0: tensor<f64>) -> tensor<f64>
