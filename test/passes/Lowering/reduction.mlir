// RUN: %lower-and-verify

// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<3x4xf64>, %b: tensor<3x4xi1>, %u: tensor<3xui8>) -> (tensor<3xf64>, tensor<f64>, tensor<4xf64>, tensor<ui8>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [1]
  %0 = ingot.reduce add %x axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  // CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00>
  // CHECK: stablehlo.reduce(%arg0 init: %[[ONE]]) applies stablehlo.multiply across dimensions = [0, 1]
  %1 = ingot.reduce mul %x axes = [0, 1] : (tensor<3x4xf64>) -> tensor<f64>
  // CHECK: %[[LOW:.*]] = stablehlo.constant dense<0xFFF0000000000000>
  // CHECK: stablehlo.reduce(%arg0 init: %[[LOW]]) applies stablehlo.maximum
  %2 = ingot.reduce max %x axes = [0] : (tensor<3x4xf64>) -> tensor<4xf64>
  // CHECK: %[[HIGH:.*]] = stablehlo.constant dense<255> : tensor<ui8>
  // CHECK: stablehlo.reduce(%arg2 init: %[[HIGH]]) applies stablehlo.minimum
  %3 = ingot.reduce min %u axes = [0] : (tensor<3xui8>) -> tensor<ui8>
  // CHECK: applies stablehlo.and
  %4 = ingot.reduce and %b axes = [0] : (tensor<3x4xi1>) -> tensor<4xi1>
  // CHECK: applies stablehlo.or
  %5 = ingot.reduce or %b axes = [0] : (tensor<3x4xi1>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf64>, tensor<f64>, tensor<4xf64>, tensor<ui8>, tensor<4xi1>, tensor<4xi1>
}

// A half-precision sum is computed in f32.
// CHECK-LABEL: func.func @half
func.func @half(%x: tensor<4xf16>) -> tensor<f16> {
  // CHECK: stablehlo.convert %arg0 : (tensor<4xf16>) -> tensor<4xf32>
  // CHECK: stablehlo.reduce
  // CHECK: stablehlo.convert %{{.*}} : (tensor<f32>) -> tensor<f16>
  %0 = ingot.reduce add %x axes = [0] : (tensor<4xf16>) -> tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: func.func @arg_reduce
func.func @arg_reduce(%x: tensor<3x4xf64>) -> tensor<3xi64> {
  // CHECK: %[[M:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [1]
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[M]], dims = [0]
  // CHECK: %[[FOUND:.*]] = stablehlo.compare EQ, %arg0, %[[B]]
  // CHECK: %[[NAN:.*]] = stablehlo.compare NE, %arg0, %arg0
  // CHECK: stablehlo.or %[[FOUND]], %[[NAN]]
  // CHECK: applies stablehlo.minimum
  %0 = ingot.arg_reduce max %x axis = 1 : (tensor<3x4xf64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// What is added to the first elements is -0.0, which changes none.
// CHECK-LABEL: func.func @cumulative
func.func @cumulative(%x: tensor<5xf64>) -> tensor<5xf64> {
  // CHECK: stablehlo.negate
  // CHECK-COUNT-3: stablehlo.pad
  // CHECK-NOT: stablehlo.pad
  %0 = ingot.cumulative add %x axis = 0 : (tensor<5xf64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// One times a complex number may have other signs of zeros, so the first elements are not multiplied.
// CHECK-LABEL: func.func @cumulative_product
func.func @cumulative_product(%x: tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
  // CHECK-COUNT-2: stablehlo.concatenate
  // CHECK-NOT: stablehlo.pad
  %0 = ingot.cumulative mul %x axis = 0 : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  return %0 : tensor<3xcomplex<f64>>
}

// Long axes: a scan over the sums of pairs gives the elements at odd indices.
// CHECK-LABEL: func.func @long_cumulative
// CHECK-SAME: (%[[X:.*]]: tensor<33xi64>)
func.func @long_cumulative(%x: tensor<33xi64>) -> tensor<33xi64> {
  // CHECK: %[[EVENS:.*]] = stablehlo.slice %[[X]] [0:33:2]
  // CHECK: %[[ODDS:.*]] = stablehlo.slice %[[X]] [1:32:2]
  // CHECK: %[[PAIRS:.*]] = stablehlo.add %{{.*}}, %[[ODDS]] : tensor<16xi64>
  // CHECK: %[[TAIL:.*]] = stablehlo.slice %[[EVENS]] [1:17]
  // CHECK: %[[LATER:.*]] = stablehlo.add %{{.*}}, %[[TAIL]] : tensor<16xi64>
  // CHECK: %[[FIRST:.*]] = stablehlo.slice %[[X]] [0:1]
  // CHECK: %[[STARTS:.*]] = stablehlo.concatenate %[[FIRST]], %[[LATER]], dim = 0 : (tensor<1xi64>, tensor<16xi64>) -> tensor<17xi64>
  // CHECK: %[[EVEN:.*]] = stablehlo.pad %[[STARTS]], %{{.*}}, low = [0], high = [0], interior = [1]
  // CHECK: %[[ODD:.*]] = stablehlo.pad %{{.*}}, low = [1], high = [1], interior = [1]
  // CHECK: stablehlo.add %[[EVEN]], %[[ODD]] : tensor<33xi64>
  %0 = ingot.cumulative add %x axis = 0 : (tensor<33xi64>) -> tensor<33xi64>
  return %0 : tensor<33xi64>
}

// The elements between are -0.0, so that -0.0 stays what it is.
// CHECK-LABEL: func.func @long_cumulative_of_floats
func.func @long_cumulative_of_floats(%x: tensor<33xf64>) -> tensor<33xf64> {
  // CHECK: stablehlo.concatenate
  // CHECK: %[[ZERO:.*]] = stablehlo.negate %{{.*}} : tensor<f64>
  // CHECK: %[[EVEN:.*]] = stablehlo.pad %{{.*}}, %[[ZERO]], low = [0], high = [0], interior = [1] : (tensor<17xf64>
  // CHECK: %[[ODD:.*]] = stablehlo.pad %{{.*}}, %[[ZERO]], low = [1], high = [1], interior = [1] : (tensor<16xf64>
  // CHECK: stablehlo.add %[[EVEN]], %[[ODD]] : tensor<33xf64>
  %0 = ingot.cumulative add %x axis = 0 : (tensor<33xf64>) -> tensor<33xf64>
  return %0 : tensor<33xf64>
}

// NaN comes last, whatever the comparison says.
// CHECK-LABEL: func.func @sort
func.func @sort(%x: tensor<4xf64>, %i: tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>) {
  // CHECK: "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}>
  // CHECK: ^bb0(%[[A:.*]]: tensor<f64>, %[[B:.*]]: tensor<f64>, %{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>):
  // CHECK: %[[LESS:.*]] = stablehlo.compare LT, %[[A]], %[[B]], FLOAT
  // CHECK: stablehlo.compare NE, %[[B]], %[[B]], FLOAT
  // CHECK: %[[RESULT:.*]] = stablehlo.or %[[LESS]]
  // CHECK: stablehlo.return %[[RESULT]] : tensor<i1>
  %0:2 = ingot.sort %x, %i axis = 0 keys = 1 : (tensor<4xf64>, tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xf64>, tensor<4xi64>
}

// The second key decides where the first ones are equal.
// CHECK-LABEL: func.func @two_keys
func.func @two_keys(%x: tensor<4xi32>, %y: tensor<4xui8>) -> tensor<4xi32> {
  // CHECK: %[[SECOND:.*]] = stablehlo.compare LT, %{{.*}}, %{{.*}}, UNSIGNED
  // CHECK: %[[FIRST:.*]] = stablehlo.compare LT, %{{.*}}, %{{.*}}, SIGNED
  // CHECK: %[[EQUAL:.*]] = stablehlo.compare EQ, %{{.*}}, %{{.*}}, SIGNED
  // CHECK: %[[BOTH:.*]] = stablehlo.and %[[EQUAL]], %[[SECOND]]
  // CHECK: stablehlo.or %[[FIRST]], %[[BOTH]]
  %0:2 = ingot.sort %x, %y axis = 0 keys = 2 : (tensor<4xi32>, tensor<4xui8>) -> (tensor<4xi32>, tensor<4xui8>)
  return %0#0 : tensor<4xi32>
}
