// RUN: ingot-opt %s --merge-fills --split-input-file | FileCheck %s

// What takes the array next selects the constant.
// CHECK-LABEL: func.func @select
// CHECK-SAME: (%[[X:.*]]: tensor<100xf64>, %[[Y:.*]]: tensor<100xf64>)
// CHECK: %[[IN:.*]] = ingot.constant dense<true> : tensor<98xi1>
// CHECK: %[[OUT:.*]] = ingot.constant dense<false> : tensor<i1>
// CHECK: %[[MASK:.*]] = ingot.pad %[[IN]], %[[OUT]] low = [1] high = [1] interior = [0]
// CHECK: %[[ZERO:.*]] = ingot.constant dense<0.0{{.*}}> : tensor<f64>
// CHECK: %[[S:.*]] = ingot.select %[[MASK]], %[[ZERO]], %[[X]]
// CHECK: ingot.add %[[S]], %[[Y]]
// CHECK-NOT: ingot.update_slice
func.func @select(%x: tensor<100xf64>, %y: tensor<100xf64>) -> tensor<100xf64> {
  %one = ingot.constant dense<1> : tensor<i64>
  %zeros = ingot.constant dense<0.0> : tensor<98xf64>
  %f = ingot.update_slice %x, %zeros[%one] strides = [1] : (tensor<100xf64>, tensor<98xf64>, tensor<i64>) -> tensor<100xf64>
  %r = ingot.add %f, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
  return %r : tensor<100xf64>
}

// -----

// A fill of a few elements, one that something else uses too, and one where only the run time knows
// where it is, are stored.
// CHECK-LABEL: func.func @not
// CHECK-COUNT-3: ingot.update_slice
// CHECK-NOT: ingot.select
func.func @not(%x: tensor<100xf64>, %y: tensor<100xf64>, %i: tensor<i64>) -> (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) {
  %one = ingot.constant dense<1> : tensor<i64>
  %few = ingot.constant dense<0.0> : tensor<8xf64>
  %a = ingot.update_slice %x, %few[%one] strides = [1] : (tensor<100xf64>, tensor<8xf64>, tensor<i64>) -> tensor<100xf64>
  %ra = ingot.add %a, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
  %zeros = ingot.constant dense<0.0> : tensor<98xf64>
  %b = ingot.update_slice %x, %zeros[%one] strides = [1] : (tensor<100xf64>, tensor<98xf64>, tensor<i64>) -> tensor<100xf64>
  %rb = ingot.add %b, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
  %c = ingot.update_slice %x, %zeros[%i] strides = [1] : (tensor<100xf64>, tensor<98xf64>, tensor<i64>) -> tensor<100xf64>
  %rc = ingot.add %c, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
  return %ra, %b, %rb, %rc : tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>
}

// -----

// A loop that ends with the fill begins with it. The array has ones at first, so the first iteration
// is in front of the loop; what the loop leaves is filled for its users.
// CHECK-LABEL: func.func @peeled
// CHECK-SAME: (%[[Y:.*]]: tensor<100xf64>)
// CHECK: %[[ONES:.*]] = ingot.constant dense<1.0{{.*}}> : tensor<100xf64>
// CHECK: %[[FIRST:.*]] = ingot.add %[[ONES]], %[[Y]]
// CHECK: %[[NEXT:.*]] = ingot.add %{{.*}}, %{{.*}} : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK: %[[R:.*]] = ingot.for %{{.*}} = %[[NEXT]] to %{{.*}} step %{{.*}} carry (%[[C:.*]] = %[[FIRST]])
// CHECK: %[[S:.*]] = ingot.select %{{.*}}, %{{.*}}, %[[C]]
// CHECK: %[[A:.*]] = ingot.add %[[S]], %[[Y]]
// CHECK-NEXT: ingot.yield %[[A]]
// CHECK: ingot.update_slice %[[R]]
func.func @peeled(%y: tensor<100xf64>) -> tensor<100xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %end = ingot.constant dense<20> : tensor<i64>
  %zeros = ingot.constant dense<0.0> : tensor<98xf64>
  %ones = ingot.constant dense<1.0> : tensor<100xf64>
  %r = ingot.for %i = %zero to %end step %one carry (%c = %ones) : tensor<100xf64> {
    %a = ingot.add %c, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    %f = ingot.update_slice %a, %zeros[%one] strides = [1] : (tensor<100xf64>, tensor<98xf64>, tensor<i64>) -> tensor<100xf64>
    ingot.yield %f : tensor<100xf64>
  }
  return %r : tensor<100xf64>
}

// -----

// An array of that constant needs no first iteration, nor a known count; nothing uses the result.
// CHECK-LABEL: func.func @filled
// CHECK: ingot.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} carry (%[[C:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[S:.*]] = ingot.select %{{.*}}, %{{.*}}, %[[C]]
// CHECK: ingot.add %[[S]],
// CHECK-NOT: ingot.update_slice
func.func @filled(%y: tensor<100xf64>, %end: tensor<i64>) -> tensor<f64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %none = ingot.constant dense<0.0> : tensor<f64>
  %zeros = ingot.constant dense<0.0> : tensor<98xf64>
  %init = ingot.constant dense<0.0> : tensor<100xf64>
  %r:2 = ingot.for %i = %zero to %end step %one carry (%c = %init, %s = %none) : tensor<100xf64>, tensor<f64> {
    %a = ingot.add %c, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    %t = ingot.reduce add %a axes = [0] : (tensor<100xf64>) -> tensor<f64>
    %n = ingot.add %s, %t : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %f = ingot.update_slice %a, %zeros[%one] strides = [1] : (tensor<100xf64>, tensor<98xf64>, tensor<i64>) -> tensor<100xf64>
    ingot.yield %f, %n : tensor<100xf64>, tensor<f64>
  }
  return %r#1 : tensor<f64>
}

// -----

// One iteration, or how many there are is not known: it stays, since ones would be lost.
// CHECK-LABEL: func.func @unknown
// CHECK: ingot.for
// CHECK-NOT: ingot.select
// CHECK: ingot.update_slice
func.func @unknown(%y: tensor<100xf64>, %end: tensor<i64>) -> tensor<100xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %zeros = ingot.constant dense<0.0> : tensor<98xf64>
  %ones = ingot.constant dense<1.0> : tensor<100xf64>
  %r = ingot.for %i = %zero to %end step %one carry (%c = %ones) : tensor<100xf64> {
    %a = ingot.add %c, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    %f = ingot.update_slice %a, %zeros[%one] strides = [1] : (tensor<100xf64>, tensor<98xf64>, tensor<i64>) -> tensor<100xf64>
    ingot.yield %f : tensor<100xf64>
  }
  return %r : tensor<100xf64>
}
