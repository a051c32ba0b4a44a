// RUN: ingot-opt %s --pass-pipeline="builtin.module(func.func(reload-updates))" --split-input-file | FileCheck %s

// What is read after it was stored is read from the array, within regions too.
// CHECK-LABEL: func.func @stored
// CHECK: %[[U:.*]] = ingot.add %arg0, %arg0
// CHECK: %[[A:.*]] = ingot.update_slice %arg1, %[[U]][%{{.*}}] strides = [2]
// CHECK: %[[R:.*]] = ingot.dynamic_slice %[[A]][%{{.*}}] sizes = [4] strides = [2]
// CHECK: ingot.if
// CHECK: ingot.mul %[[R]], %[[R]]
func.func @stored(%x: tensor<4xf64>, %a: tensor<9xf64>, %i: tensor<i64>, %c: tensor<i1>) -> (tensor<9xf64>, tensor<4xf64>) {
  %0 = ingot.add %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = ingot.update_slice %a, %0[%i] strides = [2] : (tensor<9xf64>, tensor<4xf64>, tensor<i64>) -> tensor<9xf64>
  %2 = ingot.if %c : tensor<4xf64> {
    %3 = ingot.mul %0, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    ingot.yield %3 : tensor<4xf64>
  } else {
    ingot.yield %x : tensor<4xf64>
  }
  return %1, %2 : tensor<9xf64>, tensor<4xf64>
}

// -----

// Not if it is read before, if the array may be overwritten before, or if it is needed as it is.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: dynamic_slice
func.func @kept(%x: tensor<4xf64>, %a: tensor<9xf64>, %i: tensor<i64>) -> (tensor<9xf64>, tensor<4xf64>, tensor<4xf64>, tensor<9xf64>, tensor<4xf64>) {
  %0 = ingot.add %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = ingot.mul %0, %0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = ingot.update_slice %a, %0[%i] strides = [2] : (tensor<9xf64>, tensor<4xf64>, tensor<i64>) -> tensor<9xf64>
  %3 = ingot.mul %0, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %4 = ingot.exp %3 : tensor<4xf64>
  %5 = ingot.update_slice %2, %4[%i] strides = [1] : (tensor<9xf64>, tensor<4xf64>, tensor<i64>) -> tensor<9xf64>
  %6 = ingot.sub %4, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %7 = ingot.update_slice %5, %x[%i] strides = [1] : (tensor<9xf64>, tensor<4xf64>, tensor<i64>) -> tensor<9xf64>
  %8 = ingot.add %4, %6 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %9 = ingot.neg %8 : tensor<4xf64>
  %10 = ingot.update_slice %7, %9[%i] strides = [1] : (tensor<9xf64>, tensor<4xf64>, tensor<i64>) -> tensor<9xf64>
  return %10, %9, %1, %5, %8 : tensor<9xf64>, tensor<4xf64>, tensor<4xf64>, tensor<9xf64>, tensor<4xf64>
}

// -----

// A slice of the array before a store that it does not overlap, with what reads it later. The second
// store overlaps it, the third is between its elements.
// CHECK-LABEL: func.func @disjoint
// CHECK: %[[FIRST:.*]] = ingot.update_slice %arg0
// CHECK-NEXT: %[[READ:.*]] = ingot.slice %[[FIRST]] starts = [1] sizes = [3] strides = [2]
// CHECK-NEXT: %[[SECOND:.*]] = ingot.update_slice %[[FIRST]]
// CHECK-NOT: slice
// CHECK: ingot.neg %[[READ]]
// CHECK: ingot.slice %arg0 starts = [1] sizes = [3] strides = [2]
// CHECK-NEXT: %[[THIRD:.*]] = ingot.update_slice %arg0
// CHECK-NEXT: %[[BETWEEN:.*]] = ingot.slice %[[THIRD]] starts = [1] sizes = [3] strides = [2]
// CHECK-NEXT: ingot.neg %[[BETWEEN]]
func.func @disjoint(%a: tensor<9xf64>, %x: tensor<3xf64>, %i: tensor<i64>) -> (tensor<9xf64>, tensor<3xf64>, tensor<9xf64>, tensor<3xf64>) {
  %0 = ingot.constant dense<7> : tensor<i64>
  %1 = ingot.constant dense<0> : tensor<i64>
  %y = ingot.slice %x starts = [0] sizes = [2] strides = [1] : (tensor<3xf64>) -> tensor<2xf64>
  %2 = ingot.slice %a starts = [1] sizes = [3] strides = [2] : (tensor<9xf64>) -> tensor<3xf64>
  %3 = ingot.update_slice %a, %y[%0] strides = [1] : (tensor<9xf64>, tensor<2xf64>, tensor<i64>) -> tensor<9xf64>
  %4 = ingot.update_slice %3, %y[%i] strides = [1] : (tensor<9xf64>, tensor<2xf64>, tensor<i64>) -> tensor<9xf64>
  %5 = ingot.neg %2 : tensor<3xf64>
  %6 = ingot.slice %a starts = [1] sizes = [3] strides = [2] : (tensor<9xf64>) -> tensor<3xf64>
  %7 = ingot.update_slice %a, %x[%1] strides = [2] : (tensor<9xf64>, tensor<3xf64>, tensor<i64>) -> tensor<9xf64>
  %8 = ingot.neg %6 : tensor<3xf64>
  return %4, %5, %7, %8 : tensor<9xf64>, tensor<3xf64>, tensor<9xf64>, tensor<3xf64>
}

// -----

// What only reads the array before the last use does not overwrite it, a loop that carries it may.
// CHECK-LABEL: func.func @read
// CHECK: %[[A:.*]] = ingot.update_slice %arg1
// CHECK: %[[R:.*]] = ingot.dynamic_slice %[[A]]
// CHECK: ingot.slice %[[A]]
// CHECK: ingot.exp %[[R]]
func.func @read(%x: tensor<4xf64>, %a: tensor<9xf64>, %i: tensor<i64>) -> (tensor<9xf64>, tensor<3xf64>, tensor<4xf64>) {
  %0 = ingot.add %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = ingot.update_slice %a, %0[%i] strides = [2] : (tensor<9xf64>, tensor<4xf64>, tensor<i64>) -> tensor<9xf64>
  %2 = ingot.slice %1 starts = [0] sizes = [3] strides = [1] : (tensor<9xf64>) -> tensor<3xf64>
  %3 = ingot.exp %0 : tensor<4xf64>
  return %1, %2, %3 : tensor<9xf64>, tensor<3xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @carried
// CHECK: %[[S:.*]] = ingot.add
// CHECK: ingot.for
// CHECK-NOT: dynamic_slice
// CHECK: ingot.exp %[[S]]
func.func @carried(%x: tensor<4xf64>, %a: tensor<9xf64>, %i: tensor<i64>, %n: tensor<i64>) -> (tensor<9xf64>, tensor<4xf64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.add %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = ingot.update_slice %a, %0[%i] strides = [2] : (tensor<9xf64>, tensor<4xf64>, tensor<i64>) -> tensor<9xf64>
  %2 = ingot.for %j = %zero to %n step %one carry (%h = %1) : tensor<9xf64> {
    %4 = ingot.neg %h : tensor<9xf64>
    ingot.yield %4 : tensor<9xf64>
  }
  %3 = ingot.exp %0 : tensor<4xf64>
  return %2, %3 : tensor<9xf64>, tensor<4xf64>
}
