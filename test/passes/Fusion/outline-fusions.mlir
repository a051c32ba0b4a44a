// RUN: ingot-opt %s --outline-fusions --split-input-file | FileCheck %s
// RUN: ingot-opt %s --outline-fusions="without=fuse-loops,jam-loops" --split-input-file | FileCheck %s --check-prefix=WITHOUT

// The operands are what the fusion uses, and arrays are in C order.
// CHECK-LABEL: func.func @operands
// CHECK-NEXT: %[[R:.*]]:2 = stablehlo.custom_call @[[NAME:ingot.native.[0-9a-f]{16}]](%arg1, %arg0)
// CHECK-SAME: {api_version = 4 : i32, backend_config = {steady = true},
// CHECK-SAME: operand_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>],
// CHECK-SAME: result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>]}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
// CHECK: module @[[NAME]] {
// CHECK-NEXT: func.func @kernel(%[[S:.*]]: tensor<f64>, %[[X:.*]]: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<f64>) attributes {ingot.updates = array<i64: -1, -1>} {
// WITHOUT: func.func @kernel({{.*}}) -> {{.*}} attributes {ingot.updates = array<i64: -1, -1>, ingot.without = ["fuse-loops", "jam-loops"]} {
// CHECK-NEXT: %[[A:.*]] = ingot.sin %[[S]]
// CHECK-NEXT: %[[M:.*]] = ingot.mul %[[X]], %[[A]]
// CHECK-NEXT: return %[[M]], %[[A]]
func.func @operands(%x: tensor<3x4xf64>, %s: tensor<f64>) -> (tensor<3x4xf64>, tensor<f64>) {
  %0:2 = ingot.fusion {
    %1 = ingot.sin %s : tensor<f64>
    %2 = ingot.mul %x, %1 : (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
    ingot.yield %2, %1 : tensor<3x4xf64>, tensor<f64>
  } : tensor<3x4xf64>, tensor<f64>
  return %0#0, %0#1 : tensor<3x4xf64>, tensor<f64>
}

// -----

// Equal fusions are one kernel, also in other regions.
// CHECK-LABEL: func.func @equal
// CHECK: stablehlo.custom_call @[[NAME:ingot.native.[0-9a-f]+]](%arg1)
// CHECK: ingot.if
// CHECK: stablehlo.custom_call @[[NAME]](%arg2)
// CHECK: stablehlo.custom_call @[[OTHER:ingot.native.[0-9a-f]+]](%arg2)
// CHECK-DAG: module @[[NAME]]
// CHECK-DAG: module @[[OTHER]]
// CHECK-NOT: module @
func.func @equal(%c: tensor<i1>, %x: tensor<4xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0 = ingot.fusion {
    %1 = ingot.sin %x : tensor<4xf64>
    ingot.yield %1 : tensor<4xf64>
  } : tensor<4xf64>
  %2 = ingot.if %c : tensor<4xf64> {
    %3 = ingot.fusion {
      %4 = ingot.sin %y : tensor<4xf64>
      ingot.yield %4 : tensor<4xf64>
    } : tensor<4xf64>
    ingot.yield %3 : tensor<4xf64>
  } else {
    %3 = ingot.fusion {
      %4 = ingot.cos %y : tensor<4xf64>
      ingot.yield %4 : tensor<4xf64>
    } : tensor<4xf64>
    ingot.yield %3 : tensor<4xf64>
  }
  return %0, %2 : tensor<4xf64>, tensor<4xf64>
}

// -----

// A result that is an operand with some elements overwritten takes its memory, through loops, too.
// CHECK-LABEL: func.func @updates
// CHECK-NEXT: stablehlo.custom_call @{{.*}}(%arg2, %arg0, %arg1)
// CHECK-SAME: output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 2, operand_tuple_indices = []>]
// CHECK: ingot.updates = array<i64: 2, -1>
func.func @updates(%n: tensor<i64>, %x: tensor<4xf64>, %k: tensor<i64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0:2 = ingot.fusion {
    %1 = ingot.for %i = %k to %n step %k carry (%a = %x) : tensor<4xf64> {
      %2 = ingot.dynamic_slice %a[%i] sizes = [1] strides = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
      %3 = ingot.update_slice %a, %2[%k] strides = [1] : (tensor<4xf64>, tensor<1xf64>, tensor<i64>) -> tensor<4xf64>
      ingot.yield %3 : tensor<4xf64>
    }
    %4 = ingot.sin %1 : tensor<4xf64>
    ingot.yield %1, %4 : tensor<4xf64>, tensor<4xf64>
  } : tensor<4xf64>, tensor<4xf64>
  return %0#0, %0#1 : tensor<4xf64>, tensor<4xf64>
}

// -----

// The index of the only result is empty.
// CHECK-LABEL: func.func @single
// CHECK-NEXT: stablehlo.custom_call @{{.*}}(%arg0, %arg1, %arg2)
// CHECK-SAME: output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]
// CHECK: ingot.updates = array<i64: 0>
func.func @single(%x: tensor<4xf64>, %u: tensor<2xf64>, %k: tensor<2xi64>) -> tensor<4xf64> {
  %0 = ingot.fusion {
    %1 = ingot.scatter add %x, %u[%k] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %1 : tensor<4xf64>
  } : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// The second of two results that update one operand, and an operand that is returned as it is, have
// memory of their own.
// CHECK-LABEL: func.func @twice
// CHECK: output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>],
// CHECK: ingot.updates = array<i64: 0, -1, -1>
func.func @twice(%x: tensor<4xf64>, %u: tensor<2xf64>, %k: tensor<2xi64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<2xf64>) {
  %0:3 = ingot.fusion {
    %1 = ingot.scatter add %x, %u[%k] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    %2 = ingot.scatter set %x, %u[%k] : (tensor<4xf64>, tensor<2xf64>, tensor<2xi64>) -> tensor<4xf64>
    ingot.yield %1, %2, %u : tensor<4xf64>, tensor<4xf64>, tensor<2xf64>
  } : tensor<4xf64>, tensor<4xf64>, tensor<2xf64>
  return %0#0, %0#1, %0#2 : tensor<4xf64>, tensor<4xf64>, tensor<2xf64>
}

// -----

// The number of iterations is an argument.
// CHECK-LABEL: func.func @as_long_as_an_argument_says
// CHECK-NEXT: stablehlo.custom_call @ingot.native{{.*}} backend_config = {}
func.func @as_long_as_an_argument_says(%n: tensor<i64>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = ingot.fusion {
    %lower = ingot.constant dense<0> : tensor<i64>
    %step = ingot.constant dense<1> : tensor<i64>
    %1 = ingot.for %i = %lower to %n step %step carry (%y = %x) : tensor<4xf64> {
      %2 = ingot.sin %y : tensor<4xf64>
      ingot.yield %2 : tensor<4xf64>
    }
    ingot.yield %1 : tensor<4xf64>
  } : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// The kernel knows the length of a result that only the function returns.
// CHECK-LABEL: func.func @lengths
// CHECK: func.func @kernel
// CHECK-SAME: -> (tensor<8xf64>, tensor<i64>, tensor<8xf64> {ingot.length = 1 : i64})
func.func @lengths(%x: tensor<8xf64>, %n: tensor<i64>)
    -> (tensor<i64>, tensor<8xf64> {ingot.length = 0 : i64}, tensor<8xf64> {ingot.length = 0 : i64}, tensor<8xf64>) {
  %0:3 = ingot.fusion {
    %1 = ingot.sin %x : tensor<8xf64>
    %2 = ingot.neg %n : tensor<i64>
    %3 = ingot.cos %x : tensor<8xf64>
    ingot.yield %1, %2, %3 : tensor<8xf64>, tensor<i64>, tensor<8xf64>
  } : tensor<8xf64>, tensor<i64>, tensor<8xf64>
  return %0#1, %0#0, %0#2, %0#0 : tensor<i64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}

// -----

// It is no result of the fusion.
// CHECK-LABEL: func.func @length_from_elsewhere
// CHECK: func.func @kernel
// CHECK-NOT: ingot.length
func.func @length_from_elsewhere(%x: tensor<8xf64>, %n: tensor<i64>) -> (tensor<8xf64> {ingot.length = 1 : i64}, tensor<i64>) {
  %0 = ingot.fusion {
    %1 = ingot.sin %x : tensor<8xf64>
    ingot.yield %1 : tensor<8xf64>
  } : tensor<8xf64>
  return %0, %n : tensor<8xf64>, tensor<i64>
}
