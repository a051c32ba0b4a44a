// RUN: ingot-opt %s --split-input-file --absorb-negations | FileCheck %s

// CHECK-LABEL: func.func @sums
//  CHECK-SAME:   (%[[A:.*]]: tensor<4xf64>, %[[B:.*]]: tensor<4xf64>)
//   CHECK-DAG:   %[[X:.*]] = ingot.sub %[[A]], %[[B]]
//   CHECK-DAG:   %[[Y:.*]] = ingot.sub %[[B]], %[[A]]
//   CHECK-DAG:   %[[Z:.*]] = ingot.add %[[A]], %[[B]]
//   CHECK-DAG:   %[[W:.*]] = ingot.sub %[[B]], %[[A]]
//   CHECK-NOT:   ingot.neg
//       CHECK:   return %[[X]], %[[Y]], %[[Z]], %[[W]]
func.func @sums(%a: tensor<4xf64>, %b: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %m = ingot.neg %a : tensor<4xf64>
  %n = ingot.neg %b : tensor<4xf64>
  %x = ingot.add %a, %n : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %y = ingot.add %m, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %z = ingot.sub %a, %n : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %w = ingot.sub %m, %n : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %x, %y, %z, %w : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// -a - b and -(a + b) are zeros of different signs for 0 and -0.

// CHECK-LABEL: func.func @zeros
//       CHECK:   %[[N:.*]] = ingot.neg %arg0
//       CHECK:   %[[X:.*]] = ingot.sub %[[N]], %arg1
//       CHECK:   return %[[X]]
func.func @zeros(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %m = ingot.neg %a : tensor<4xf64>
  %x = ingot.sub %m, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %x : tensor<4xf64>
}

// -----

// One array is added and subtracted, and the padding stays what it was.

// CHECK-LABEL: func.func @adjoint_of_a_difference
//  CHECK-SAME:   (%[[A:.*]]: tensor<5xf64>, %[[T:.*]]: tensor<4xf64>, %[[K:.*]]: tensor<f64>)
//       CHECK:   %[[ZERO:.*]] = ingot.constant dense<0.000000e+00>
//       CHECK:   %[[M:.*]] = ingot.mul %[[T]], %[[K]]
//  CHECK-NEXT:   %[[P:.*]] = ingot.pad %[[M]], %[[ZERO]] low = [0] high = [1]
//  CHECK-NEXT:   %[[X:.*]] = ingot.add %[[A]], %[[P]]
//  CHECK-NEXT:   %[[MINUS:.*]] = ingot.constant dense<-0.000000e+00>
//  CHECK-NEXT:   %[[Q:.*]] = ingot.pad %[[M]], %[[MINUS]] low = [1] high = [0]
//  CHECK-NEXT:   %[[Y:.*]] = ingot.sub %[[X]], %[[Q]]
//  CHECK-NEXT:   return %[[Y]]
func.func @adjoint_of_a_difference(%a: tensor<5xf64>, %t: tensor<4xf64>, %k: tensor<f64>) -> tensor<5xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %n = ingot.neg %t : tensor<4xf64>
  %m = ingot.mul %n, %k : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %o = ingot.neg %m : tensor<4xf64>
  %p = ingot.pad %o, %zero low = [0] high = [1] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<5xf64>
  %q = ingot.pad %m, %zero low = [1] high = [0] interior = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<5xf64>
  %x = ingot.add %a, %p : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  %y = ingot.add %x, %q : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  return %y : tensor<5xf64>
}

// -----

// CHECK-LABEL: func.func @products
//  CHECK-SAME:   (%[[A:.*]]: tensor<4xf64>, %[[B:.*]]: tensor<4xf64>)
//       CHECK:   %[[M:.*]] = ingot.mul %[[A]], %[[B]]
//       CHECK:   %[[D:.*]] = ingot.div %[[A]], %[[B]]
//       CHECK:   %[[N:.*]] = ingot.neg %[[D]]
//       CHECK:   return %[[M]], %[[N]]
func.func @products(%a: tensor<4xf64>, %b: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %m = ingot.neg %a : tensor<4xf64>
  %n = ingot.neg %b : tensor<4xf64>
  %x = ingot.mul %m, %n : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %y = ingot.div %m, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %x, %y : tensor<4xf64>, tensor<4xf64>
}

// -----

// CHECK-LABEL: func.func @parts
//  CHECK-SAME:   (%[[A:.*]]: tensor<4xf64>, %[[B:.*]]: tensor<2xf64>)
//       CHECK:   %[[S:.*]] = ingot.slice %[[A]]
//       CHECK:   %[[X:.*]] = ingot.sub %[[B]], %[[S]]
//       CHECK:   return %[[X]]
func.func @parts(%a: tensor<4xf64>, %b: tensor<2xf64>) -> tensor<2xf64> {
  %n = ingot.neg %a : tensor<4xf64>
  %s = ingot.slice %n starts = [1] sizes = [2] strides = [1] : (tensor<4xf64>) -> tensor<2xf64>
  %x = ingot.add %b, %s : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %x : tensor<2xf64>
}

// -----

// CHECK-LABEL: func.func @sides
//  CHECK-SAME:   (%[[P:.*]]: tensor<4xi1>, %[[A:.*]]: tensor<4xf64>, %[[B:.*]]: tensor<4xf64>)
//       CHECK:   %[[MINUS:.*]] = ingot.constant dense<-2.000000e+00> : tensor<f64>
//       CHECK:   %[[S:.*]] = ingot.select %[[P]], %[[MINUS]], %[[A]]
//       CHECK:   %[[X:.*]] = ingot.sub %[[B]], %[[S]]
//       CHECK:   %[[N:.*]] = ingot.neg %[[A]]
//       CHECK:   %[[T:.*]] = ingot.select %[[P]], %[[B]], %[[N]]
//       CHECK:   return %[[X]], %[[T]]
func.func @sides(%p: tensor<4xi1>, %a: tensor<4xf64>, %b: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %k = ingot.constant dense<2.0> : tensor<f64>
  %n = ingot.neg %a : tensor<4xf64>
  %s = ingot.select %p, %k, %n : (tensor<4xi1>, tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  %x = ingot.add %b, %s : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %m = ingot.neg %a : tensor<4xf64>
  %t = ingot.select %p, %b, %m : (tensor<4xi1>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %x, %t : tensor<4xf64>, tensor<4xf64>
}

// -----

// A product of complex numbers would have zeros of other signs, and integers
// have no fast path that needs it.

// CHECK-LABEL: func.func @other_types
//       CHECK:   ingot.neg
//       CHECK:   ingot.mul
//       CHECK:   ingot.neg
//       CHECK:   ingot.add
func.func @other_types(%a: tensor<4xcomplex<f64>>, %b: tensor<4xi64>) -> (tensor<4xcomplex<f64>>, tensor<4xi64>) {
  %m = ingot.neg %a : tensor<4xcomplex<f64>>
  %x = ingot.mul %m, %a : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  %n = ingot.neg %b : tensor<4xi64>
  %y = ingot.add %n, %b : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %x, %y : tensor<4xcomplex<f64>>, tensor<4xi64>
}

// -----

// The negative of what does not change is computed once.

// CHECK-LABEL: func.func @loop
//       CHECK:   ingot.neg
//       CHECK:   ingot.for
//       CHECK:   ingot.add
func.func @loop(%a: tensor<4xf64>, %b: tensor<4xf64>, %n: tensor<i64>) -> tensor<4xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %m = ingot.neg %a : tensor<4xf64>
  %r = ingot.for %i = %zero to %n step %one carry (%x = %b) : tensor<4xf64> {
    %y = ingot.add %x, %m : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %y : tensor<4xf64>
  }
  return %r : tensor<4xf64>
}
