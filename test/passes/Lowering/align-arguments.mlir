// RUN: ingot-opt %s --split-input-file --pass-pipeline='builtin.module(align-arguments{least=64})' | FileCheck %s
// RUN: ingot-opt %s --split-input-file --pass-pipeline='builtin.module(align-arguments{least=64},lower-to-stablehlo)' | FileCheck %s --check-prefix=ALL

// The result can be lowered to StableHLO.
// ALL-NOT: ingot.{{[a-z_]+}} %

// Operations that XLA fuses read the argument in the flat array.
// CHECK: module attributes {mhlo.frontend_attributes = {ingot.aligned = "0,2"}}
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%arg0: tensor<207xf64>, %arg1: tensor<f64>, %arg2: tensor<35xcomplex<f64>>, %arg3: tensor<2xi64>)
func.func @elementwise(%a: tensor<10x20xf64>, %b: tensor<f64>, %c: tensor<32xcomplex<f64>>) -> (tensor<20x10xf64>, tensor<32xcomplex<f64>>) {
  // CHECK: %[[P:.*]] = ingot.slice %arg3 starts = [1] sizes = [1] strides = [1]
  // CHECK: %[[I:.*]] = ingot.reshape %[[P]] : (tensor<1xi64>) -> tensor<i64>
  // CHECK: %[[C:.*]] = ingot.dynamic_slice %arg2[%[[I]]] sizes = [32] strides = [1]
  // CHECK: %[[FLAT:.*]] = ingot.dynamic_slice %arg0[%{{.*}}] sizes = [200] strides = [1]
  // CHECK: %[[A:.*]] = ingot.reshape %[[FLAT]] : (tensor<200xf64>) -> tensor<10x20xf64>
  // CHECK-NOT: ingot.reshape
  // CHECK: ingot.mul %[[A]], %arg1
  %m = ingot.mul %a, %b : (tensor<10x20xf64>, tensor<f64>) -> tensor<10x20xf64>
  %t = ingot.transpose %m axes = [1, 0] : (tensor<10x20xf64>) -> tensor<20x10xf64>
  %n = ingot.conj %c : tensor<32xcomplex<f64>>
  return %t, %n : tensor<20x10xf64>, tensor<32xcomplex<f64>>
}

// -----

// A call takes the offsets of its operands.
// CHECK: ingot.aligned = "1"
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%arg0: tensor<4xf64>, %arg1: tensor<407xf64>, %arg2: tensor<1xi64>)
func.func @product(%v: tensor<4xf64>, %a: tensor<20x20xf64>) -> (tensor<20x20xf64>, tensor<20x20xf64>) {
  // CHECK: stablehlo.custom_call @ingot.numpy.gufunc_at(%arg2, %arg1, %arg1)
  // CHECK-SAME: dims = array<i64: 1, 20, 20, 20>, name = "matmul", places = array<i64: 0, 0>, steps
  // CHECK-SAME: operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]
  %r = stablehlo.custom_call @ingot.numpy.gufunc(%a, %a) {api_version = 4 : i32, backend_config = {dims = array<i64: 1, 20, 20, 20>, name = "matmul", steps = array<i64: 0, 0, 3200, 160, 8, 160, 8, 160, 8>}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<20x20xf64>, tensor<20x20xf64>) -> tensor<20x20xf64>
  // CHECK: %[[N:.*]] = ingot.neg
  // CHECK: stablehlo.custom_call @ingot.numpy.gufunc_at(%arg2, %arg1, %[[N]])
  // CHECK-SAME: places = array<i64: 0, -1>
  %n = ingot.neg %r : tensor<20x20xf64>
  %s = stablehlo.custom_call @ingot.numpy.gufunc(%a, %n) {api_version = 4 : i32, backend_config = {dims = array<i64: 1, 20, 20, 20>, name = "matmul", steps = array<i64: 0, 0, 3200, 160, 8, 160, 8, 160, 8>}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<20x20xf64>, tensor<20x20xf64>) -> tensor<20x20xf64>
  return %r, %s : tensor<20x20xf64>, tensor<20x20xf64>
}

// -----

// A loop reads elements and rows from the flat array; starts are clamped as before.
// CHECK: ingot.aligned = "0"
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[A:.*]]: tensor<207xf64>, %[[N:.*]]: tensor<i64>, %[[FIRSTS:.*]]: tensor<1xi64>)
func.func @rows(%a: tensor<10x20xf64>, %n: tensor<i64>) -> tensor<1x5xf64> {
  // CHECK: %[[FIRST:.*]] = ingot.reshape %{{.*}} : (tensor<1xi64>) -> tensor<i64>
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %none = ingot.constant dense<0.0> : tensor<1x5xf64>
  // CHECK: ingot.for %[[I:.*]] = %{{.*}} to %[[N]]
  %r = ingot.for %i = %zero to %n step %one carry (%x = %none) : tensor<1x5xf64> {
    // CHECK: ingot.minimum %[[I]], %{{.*}}
    // CHECK: %[[ROW:.*]] = ingot.mul
    // CHECK: %[[AT:.*]] = ingot.add %[[FIRST]], %[[ROW]]
    // CHECK: %[[FIVE:.*]] = ingot.dynamic_slice %[[A]][%{{.*}}] sizes = [5] strides = [1] : (tensor<207xf64>, tensor<i64>)
    // CHECK: ingot.reshape %[[FIVE]] : (tensor<5xf64>) -> tensor<1x5xf64>
    %row = ingot.dynamic_slice %a[%i, %one] sizes = [1, 5] strides = [1, 1] : (tensor<10x20xf64>, tensor<i64>, tensor<i64>) -> tensor<1x5xf64>
    // CHECK: ingot.dynamic_slice %[[A]][%{{.*}}] sizes = [1] strides = [1] : (tensor<207xf64>, tensor<i64>)
    %item = ingot.dynamic_slice %a[%i, %i] sizes = [1, 1] strides = [1, 1] : (tensor<10x20xf64>, tensor<i64>, tensor<i64>) -> tensor<1x1xf64>
    %y = ingot.add %row, %item : (tensor<1x5xf64>, tensor<1x1xf64>) -> tensor<1x5xf64>
    %z = ingot.add %x, %y : (tensor<1x5xf64>, tensor<1x5xf64>) -> tensor<1x5xf64>
    ingot.yield %z : tensor<1x5xf64>
  }
  return %r : tensor<1x5xf64>
}

// -----

// The elements of a column are not contiguous.
// CHECK-NOT: ingot.aligned
// CHECK-LABEL: func.func @column
func.func @column(%a: tensor<10x20xf64>, %i: tensor<i64>) -> tensor<10x1xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %x = ingot.dynamic_slice %a[%zero, %i] sizes = [10, 1] strides = [1, 1] : (tensor<10x20xf64>, tensor<i64>, tensor<i64>) -> tensor<10x1xf64>
  return %x : tensor<10x1xf64>
}

// -----

// Sums and loops need arrays of their own, small arrays are copied, and functions that the entry calls
// have the types of their calls.
// CHECK-NOT: ingot.aligned
// CHECK-LABEL: func.func @others
// CHECK-SAME: (%arg0: tensor<10x20xf64>, %arg1: tensor<8x8xf64>, %arg2: tensor<7xf64>)
func.func @others(%a: tensor<10x20xf64>, %b: tensor<8x8xf64>, %c: tensor<7xf64>) -> (tensor<10xf64>, tensor<8x8xf64>, tensor<7xf64>) {
  %m = ingot.exp %a : tensor<10x20xf64>
  %s = ingot.reduce add %m axes = [1] : (tensor<10x20xf64>) -> tensor<10xf64>
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %r = ingot.for %i = %zero to %one step %one carry (%x = %b) : tensor<8x8xf64> {
    ingot.yield %x : tensor<8x8xf64>
  }
  %n = ingot.neg %c : tensor<7xf64>
  return %s, %r, %n : tensor<10xf64>, tensor<8x8xf64>, tensor<7xf64>
}

func.func private @callee(%a: tensor<10x20xf64>) -> tensor<10x20xf64> {
  %m = ingot.exp %a : tensor<10x20xf64>
  return %m : tensor<10x20xf64>
}
