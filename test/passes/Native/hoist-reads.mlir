// RUN: ingot-opt %s --hoist-reads | FileCheck %s

// CHECK-LABEL: func.func @cotangents
// CHECK-SAME: (%[[A:.*]]: tensor<8xf64>, %[[B:.*]]: tensor<4xf64>)
func.func @cotangents(%a: tensor<8xf64>, %b: tensor<4xf64>) -> (tensor<8xf64>, tensor<4xf64>, tensor<4xf64>) {
  %zeros = ingot.constant dense<0.0> : tensor<4xf64>
  %0 = ingot.slice %a starts = [0] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
  %i = ingot.constant dense<0> : tensor<i64>
  // CHECK: %[[S:.*]] = ingot.slice %[[A]]
  // CHECK: %[[P:.*]] = ingot.mul %[[S]], %[[B]]
  // CHECK: %[[E:.*]] = ingot.exp %[[P]]
  // CHECK: %[[U:.*]] = ingot.update_slice %[[A]]
  // What depends on the store stays.
  // CHECK: %[[T:.*]] = ingot.slice %[[U]]
  // CHECK: ingot.add %[[S]], %[[T]]
  %1 = ingot.update_slice %a, %zeros[%i] strides = [1] : (tensor<8xf64>, tensor<4xf64>, tensor<i64>) -> tensor<8xf64>
  %2 = ingot.mul %0, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %3 = ingot.exp %2 : tensor<4xf64>
  %4 = ingot.slice %1 starts = [1] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
  %5 = ingot.add %0, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %1, %3, %5 : tensor<8xf64>, tensor<4xf64>, tensor<4xf64>
}

// The adjoint of a stencil: all that adds parts of the array moves, whatever the order of the uses.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: (%[[A:.*]]: tensor<8xf64>, %[[B:.*]]: tensor<8xf64>)
func.func @padded(%a: tensor<8xf64>, %b: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %zeros = ingot.constant dense<0.0> : tensor<6xf64>
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %i = ingot.constant dense<1> : tensor<i64>
  // CHECK: %[[S:.*]] = ingot.slice %[[A]]
  // CHECK-COUNT-2: ingot.pad %[[S]]
  // CHECK: %[[X:.*]] = ingot.add %[[B]]
  // CHECK: ingot.add %[[X]]
  // CHECK: ingot.update_slice %[[A]]
  %0 = ingot.slice %a starts = [1] sizes = [6] strides = [1] : (tensor<8xf64>) -> tensor<6xf64>
  %1 = ingot.update_slice %a, %zeros[%i] strides = [1] : (tensor<8xf64>, tensor<6xf64>, tensor<i64>) -> tensor<8xf64>
  %2 = ingot.pad %0, %zero low = [0] high = [2] interior = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<8xf64>
  %3 = ingot.add %b, %2 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %4 = ingot.pad %0, %zero low = [2] high = [0] interior = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<8xf64>
  %5 = ingot.add %3, %4 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %1, %5 : tensor<8xf64>, tensor<8xf64>
}

// What reads the array in another block stays there, and so does what is not computed element by element.
// CHECK-LABEL: func.func @left
// CHECK-NOT: ingot.reduce
// CHECK-NOT: ingot.exp
// CHECK: ingot.update_slice
// CHECK: ingot.reduce
// CHECK: ingot.if
// CHECK: ingot.exp
func.func @left(%a: tensor<8xf64>, %c: tensor<i1>) -> (tensor<8xf64>, tensor<f64>, tensor<8xf64>) {
  %zero = ingot.constant dense<0.0> : tensor<1xf64>
  %i = ingot.constant dense<0> : tensor<i64>
  %0 = ingot.update_slice %a, %zero[%i] strides = [1] : (tensor<8xf64>, tensor<1xf64>, tensor<i64>) -> tensor<8xf64>
  %1 = ingot.reduce add %a axes = [0] : (tensor<8xf64>) -> tensor<f64>
  %2 = ingot.if %c : tensor<8xf64> {
    %b0 = ingot.iota axis = 0 : tensor<8xf64>
    %b1 = ingot.neg %b0 : tensor<8xf64>
    %b2 = ingot.neg %b1 : tensor<8xf64>
    %b3 = ingot.neg %b2 : tensor<8xf64>
    %3 = ingot.exp %a : tensor<8xf64>
    %4 = ingot.add %3, %b3 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    ingot.yield %4 : tensor<8xf64>
  } else {
    ingot.yield %a : tensor<8xf64>
  }
  return %0, %1, %2 : tensor<8xf64>, tensor<f64>, tensor<8xf64>
}

// Each operation is visited once, however many ways lead to it.
// CHECK-LABEL: func.func @doubled
// CHECK-COUNT-40: ingot.add
// CHECK: ingot.update_slice
func.func @doubled(%a: tensor<4xf64>, %x: tensor<1xf64>, %i: tensor<i64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %1 = ingot.update_slice %a, %x[%i] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
  %3 = ingot.add %a, %a : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %4 = ingot.add %3, %3 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %5 = ingot.add %4, %4 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %6 = ingot.add %5, %5 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %7 = ingot.add %6, %6 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %8 = ingot.add %7, %7 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %9 = ingot.add %8, %8 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %10 = ingot.add %9, %9 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %11 = ingot.add %10, %10 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %12 = ingot.add %11, %11 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %13 = ingot.add %12, %12 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %14 = ingot.add %13, %13 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %15 = ingot.add %14, %14 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %16 = ingot.add %15, %15 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %17 = ingot.add %16, %16 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %18 = ingot.add %17, %17 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %19 = ingot.add %18, %18 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %20 = ingot.add %19, %19 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %21 = ingot.add %20, %20 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %22 = ingot.add %21, %21 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %23 = ingot.add %22, %22 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %24 = ingot.add %23, %23 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %25 = ingot.add %24, %24 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %26 = ingot.add %25, %25 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %27 = ingot.add %26, %26 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %28 = ingot.add %27, %27 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %29 = ingot.add %28, %28 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %30 = ingot.add %29, %29 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %31 = ingot.add %30, %30 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %32 = ingot.add %31, %31 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %33 = ingot.add %32, %32 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %34 = ingot.add %33, %33 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %35 = ingot.add %34, %34 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %36 = ingot.add %35, %35 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %37 = ingot.add %36, %36 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %38 = ingot.add %37, %37 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %39 = ingot.add %38, %38 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %40 = ingot.add %39, %39 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %41 = ingot.add %40, %40 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %42 = ingot.add %41, %41 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %1, %42 : tensor<4xf64>, tensor<4xf64>
}
