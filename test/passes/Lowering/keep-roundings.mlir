// RUN: ingot-opt %s --keep-roundings --split-input-file | FileCheck %s

// Constants of sums of sums are hidden, and no others.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: (%[[X:.*]]: tensor<4xf64>)
func.func @sums(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  // CHECK: %[[N:.*]] = stablehlo.constant dense<1.000000e+16> : tensor<f64>
  // CHECK-NEXT: %[[H:.*]] = stablehlo.optimization_barrier %[[N]] : tensor<f64>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.broadcast_in_dim %[[H]], dims = [] : (tensor<f64>) -> tensor<4xf64>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[X]], %[[C]]
  // CHECK: %[[H2:.*]] = stablehlo.optimization_barrier
  // CHECK-NEXT: %[[C2:.*]] = stablehlo.broadcast_in_dim %[[H2]]
  // CHECK-NEXT: stablehlo.subtract %[[S]], %[[C2]]
  // CHECK-NEXT: %[[K:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<4xf64>
  // CHECK-NEXT: stablehlo.add %[[X]], %[[K]]
  // CHECK-NEXT: return
  %c = stablehlo.constant dense<1.0e16> : tensor<4xf64>
  %0 = stablehlo.add %x, %c : tensor<4xf64>
  %1 = stablehlo.subtract %0, %c : tensor<4xf64>
  %k = stablehlo.constant dense<3.0> : tensor<4xf64>
  %2 = stablehlo.add %x, %k : tensor<4xf64>
  return %1, %2 : tensor<4xf64>, tensor<4xf64>
}

// -----

// So are those of products and quotients, also after changes of shape and sign; quotients become
// products with hidden reciprocals.
// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<4xf64>) -> tensor<2x2xf64> {
  // CHECK: stablehlo.optimization_barrier
  // CHECK: %[[P:.*]] = stablehlo.multiply %arg0
  // CHECK: %[[N:.*]] = stablehlo.negate %[[P]]
  // CHECK: %[[R:.*]] = stablehlo.reshape %[[N]]
  // CHECK: %[[C:.*]] = stablehlo.constant dense<2.500000e-01> : tensor<f64>
  // CHECK: %[[H:.*]] = stablehlo.optimization_barrier %[[C]]
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[H]]
  // CHECK: stablehlo.multiply %[[R]], %[[B]]
  // CHECK-NOT: stablehlo.divide
  // CHECK: return
  %c = stablehlo.constant dense<1.0e200> : tensor<4xf64>
  %0 = stablehlo.multiply %x, %c : tensor<4xf64>
  %1 = stablehlo.negate %0 : tensor<4xf64>
  %2 = stablehlo.reshape %1 : (tensor<4xf64>) -> tensor<2x2xf64>
  %d = stablehlo.constant dense<4.0> : tensor<2x2xf64>
  %3 = stablehlo.divide %2, %d : tensor<2x2xf64>
  return %3 : tensor<2x2xf64>
}

// -----

// One product or quotient alone stays as it is, unless its constant or the reciprocal is subnormal.
// CHECK-LABEL: func.func @alone
// CHECK: stablehlo.divide %arg0, %{{.*}} : tensor<4xf64>
// CHECK: stablehlo.constant dense<6.250000e-02> : tensor<f64>
// CHECK: stablehlo.optimization_barrier
// CHECK: %[[S:.*]] = stablehlo.multiply %arg0
// CHECK: stablehlo.optimization_barrier
// CHECK: stablehlo.multiply %[[S]]
// CHECK: stablehlo.optimization_barrier
// CHECK: %[[T:.*]] = stablehlo.multiply %arg1
// CHECK: stablehlo.optimization_barrier
// CHECK: stablehlo.multiply %[[T]]
// CHECK-NOT: stablehlo.divide
// CHECK: return
func.func @alone(%x: tensor<4xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %c = stablehlo.constant dense<3.0> : tensor<4xf64>
  %0 = stablehlo.divide %x, %c : tensor<4xf64>
  %large = stablehlo.constant dense<1.5e308> : tensor<4xf64>
  %1 = stablehlo.divide %x, %large : tensor<4xf64>
  %small = stablehlo.constant dense<1.0e-310> : tensor<4xf64>
  %2 = stablehlo.multiply %y, %small : tensor<4xf64>
  return %0, %1, %2 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// What a function would cancel with is multiplied by a hidden 1.
// CHECK-LABEL: func.func @inverses
// CHECK: %[[E:.*]] = stablehlo.exponential %arg0
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[H:.*]] = stablehlo.optimization_barrier %[[ONE]]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[H]]
// CHECK: %[[P:.*]] = stablehlo.multiply %[[E]], %[[B]]
// CHECK: stablehlo.log %[[P]]
// CHECK: %[[S:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK: %[[T:.*]] = stablehlo.multiply %[[S]], %{{.*}}
// CHECK: stablehlo.sqrt %[[T]]
// CHECK: stablehlo.optimization_barrier %{{.*}} : tensor<2xcomplex<f64>>
// CHECK: stablehlo.log
func.func @inverses(%x: tensor<4xf32>, %z: tensor<2xcomplex<f64>>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f64>>) {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.log %0 : tensor<4xf32>
  %2 = stablehlo.multiply %x, %x : tensor<4xf32>
  %3 = stablehlo.sqrt %2 : tensor<4xf32>
  %4 = stablehlo.exponential %z : tensor<2xcomplex<f64>>
  %5 = stablehlo.log %4 : tensor<2xcomplex<f64>>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f64>>
}

// -----

// Quotients of quotients, and quotients by fewer numbers, whose reciprocals may be subnormal.
// CHECK-LABEL: func.func @quotients
// CHECK: %[[Q:.*]] = stablehlo.divide %arg0, %arg1
// CHECK: %[[P:.*]] = stablehlo.multiply %[[Q]]
// CHECK: stablehlo.divide %[[P]], %arg0
// CHECK: stablehlo.compare GE
// CHECK: %[[K:.*]] = stablehlo.select
// CHECK: %[[D:.*]] = stablehlo.multiply %arg2, %[[K]] : tensor<f64>
// CHECK: %[[R:.*]] = stablehlo.divide %{{.*}}, %[[D]] : tensor<f64>
// CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xf64>
// CHECK: stablehlo.broadcast_in_dim %[[R]]
func.func @quotients(%x: tensor<4xf64>, %y: tensor<4xf64>, %s: tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0 = stablehlo.divide %x, %y : tensor<4xf64>
  %1 = stablehlo.divide %0, %x : tensor<4xf64>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %3 = stablehlo.divide %x, %2 : tensor<4xf64>
  return %1, %3 : tensor<4xf64>, tensor<4xf64>
}

// -----

// A processor may add up products of float16 in one operation.
// CHECK-LABEL: func.func @products_of_halves
// CHECK: %[[P:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK: %[[NAN:.*]] = stablehlo.constant dense<0x7E00> : tensor<4xf16>
// CHECK: %[[T:.*]] = stablehlo.compare NE, %[[P]], %[[P]]
// CHECK: %[[S:.*]] = stablehlo.select %[[T]], %[[NAN]], %[[P]]
// CHECK: stablehlo.subtract %arg0, %[[S]]
// CHECK: stablehlo.multiply %arg1, %arg1
// CHECK-NEXT: stablehlo.add
func.func @products_of_halves(%x: tensor<4xf16>, %y: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf32>) {
  %0 = stablehlo.multiply %x, %x : tensor<4xf16>
  %1 = stablehlo.subtract %x, %0 : tensor<4xf16>
  %2 = stablehlo.multiply %y, %y : tensor<4xf32>
  %3 = stablehlo.add %2, %y : tensor<4xf32>
  return %1, %3 : tensor<4xf16>, tensor<4xf32>
}

// -----

// The body of a reduction uses no values of the function around it, and is left alone; so are integers.
// CHECK-LABEL: func.func @untouched
// CHECK-NOT: optimization_barrier
// CHECK: return
func.func @untouched(%x: tensor<4xf64>, %n: tensor<4xi64>) -> (tensor<f64>, tensor<4xi64>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  %c = stablehlo.constant dense<7> : tensor<4xi64>
  %1 = stablehlo.multiply %n, %c : tensor<4xi64>
  %2 = stablehlo.multiply %1, %c : tensor<4xi64>
  return %0, %2 : tensor<f64>, tensor<4xi64>
}
