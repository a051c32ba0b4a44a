// RUN: ingot-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline="builtin.module(func.func(check-batch{batch=10007 open=20014}))" | FileCheck %s

// CHECK-LABEL: @dense
func.func @dense(%x: tensor<10007x4xf64>, %w: tensor<4x3xf64>, %b: tensor<3xf64>) -> tensor<10007x3xf64> {
  %0 = ingot.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<10007x4xf64>, tensor<4x3xf64>) -> tensor<10007x3xf64>
  %1 = ingot.add %0, %b : (tensor<10007x3xf64>, tensor<3xf64>) -> tensor<10007x3xf64>
  %2 = ingot.reduce max %1 axes = [1] : (tensor<10007x3xf64>) -> tensor<10007xf64>
  %3 = ingot.reshape %2 : (tensor<10007xf64>) -> tensor<10007x1xf64>
  %4 = ingot.sub %1, %3 : (tensor<10007x3xf64>, tensor<10007x1xf64>) -> tensor<10007x3xf64>
  return %4 : tensor<10007x3xf64>
}

// -----

// A table of embeddings; one check covers all items. The batch is the last axis.
// CHECK-LABEL: @embed
func.func @embed(%ids: tensor<10007xi64>, %table: tensor<50x8xf64>) -> tensor<8x10007xf64> {
  %limit = ingot.constant dense<50> : tensor<i64>
  %0 = ingot.compare lt %ids, %limit : (tensor<10007xi64>, tensor<i64>) -> tensor<10007xi1>
  %1 = ingot.reduce and %0 axes = [0] : (tensor<10007xi1>) -> tensor<i1>
  ingot.assert %1, "IndexError", "index is out of bounds" : tensor<i1>
  %2 = ingot.gather %table[%ids] : (tensor<50x8xf64>, tensor<10007xi64>) -> tensor<10007x8xf64>
  %3 = ingot.transpose %2 axes = [1, 0] : (tensor<10007x8xf64>) -> tensor<8x10007xf64>
  return %3 : tensor<8x10007xf64>
}

// -----

// CHECK-LABEL: @loop
func.func @loop(%x: tensor<10007x4xf64>) -> tensor<10007x4xf64> {
  %lo = ingot.constant dense<0> : tensor<i64>
  %hi = ingot.constant dense<4> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %zero = ingot.constant dense<0.0> : tensor<10007x4xf64>
  %r = ingot.for %i = %lo to %hi step %one carry (%a = %zero) : tensor<10007x4xf64> {
    %0 = ingot.dynamic_slice %x[%lo, %i] sizes = [10007, 1] strides = [1, 1] : (tensor<10007x4xf64>, tensor<i64>, tensor<i64>) -> tensor<10007x1xf64>
    %1 = ingot.update_slice %a, %0[%lo, %i] strides = [1, 1] : (tensor<10007x4xf64>, tensor<10007x1xf64>, tensor<i64>, tensor<i64>) -> tensor<10007x4xf64>
    ingot.yield %1 : tensor<10007x4xf64>
  }
  return %r : tensor<10007x4xf64>
}

// -----

func.func @total(%x: tensor<10007x4xf64>) -> tensor<10007x4xf64> {
  %0 = ingot.reduce add %x axes = [0] : (tensor<10007x4xf64>) -> tensor<4xf64>
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %1 = ingot.sub %x, %0 : (tensor<10007x4xf64>, tensor<4xf64>) -> tensor<10007x4xf64>
  return %1 : tensor<10007x4xf64>
}

// -----

func.func @largest(%x: tensor<10007xf64>) -> tensor<f64> {
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %0 = ingot.reduce max %x axes = [0] : (tensor<10007xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @places(%x: tensor<10007xi64>) -> tensor<10007xi64> {
  %0 = ingot.iota axis = 0 : tensor<10007xi64>
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %1 = ingot.add %x, %0 : (tensor<10007xi64>, tensor<10007xi64>) -> tensor<10007xi64>
  return %1 : tensor<10007xi64>
}

// -----

func.func @number(%x: tensor<10007xi64>) -> tensor<10007xi64> {
  %0 = ingot.size 10007 : tensor<i64>
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %1 = ingot.add %x, %0 : (tensor<10007xi64>, tensor<i64>) -> tensor<10007xi64>
  return %1 : tensor<10007xi64>
}

// -----

func.func @reversed(%x: tensor<10007xi64>) -> tensor<10007xi64> {
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %0 = ingot.flip %x axes = [0] : (tensor<10007xi64>) -> tensor<10007xi64>
  return %0 : tensor<10007xi64>
}

// -----

func.func @product(%x: tensor<10007x4xf64>) -> tensor<4x4xf64> {
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %0 = ingot.dot_general %x, %x batching = [] x [] contracting = [0] x [0] : (tensor<10007x4xf64>, tensor<10007x4xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

// -----

func.func @until_all(%x: tensor<10007xf64>) -> tensor<10007xf64> {
  %limit = ingot.constant dense<1.0> : tensor<f64>
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %r = ingot.while (%a = %x) : tensor<10007xf64> cond {
    %0 = ingot.compare gt %a, %limit : (tensor<10007xf64>, tensor<f64>) -> tensor<10007xi1>
    %1 = ingot.reduce or %0 axes = [0] : (tensor<10007xi1>) -> tensor<i1>
    ingot.condition %1 : tensor<i1>
  } do {
    %0 = ingot.mul %a, %a : (tensor<10007xf64>, tensor<10007xf64>) -> tensor<10007xf64>
    ingot.yield %0 : tensor<10007xf64>
  }
  return %r : tensor<10007xf64>
}

// -----

func.func @check_of_sum(%x: tensor<10007xf64>) -> tensor<10007xf64> {
  %limit = ingot.constant dense<1.0> : tensor<f64>
  %0 = ingot.reduce add %x axes = [0] : (tensor<10007xf64>) -> tensor<f64>
  %1 = ingot.compare lt %0, %limit : (tensor<f64>, tensor<f64>) -> tensor<i1>
  // expected-error @below {{an effect that depends on the whole batch}}
  ingot.assert %1, "ValueError", "too much" : tensor<i1>
  return %x : tensor<10007xf64>
}

// -----

// expected-error @below {{argument #0 has no single axis of the batch}}
func.func @twice(%x: tensor<20014xf64>) -> tensor<20014xf64> {
  return %x : tensor<20014xf64>
}

// -----

// expected-error @below {{argument #0 has no single axis of the batch}}
func.func @pairs(%x: tensor<10007x10007xf64>) -> tensor<10007x10007xf64> {
  return %x : tensor<10007x10007xf64>
}

// -----

// expected-error @below {{a function of one block is needed}}
func.func private @declared(tensor<10007xf64>) -> tensor<10007xf64>

// -----

// expected-error @below {{has arguments or results that are no arrays}}
func.func @index(%i: index, %x: tensor<10007xf64>) -> tensor<10007xf64> {
  return %x : tensor<10007xf64>
}

// -----

// A region's use of values from outside is found.
func.func @region(%x: tensor<10007xf64>) -> tensor<10007xf64> {
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %0 = ingot.checkpoint {
    %1 = ingot.reduce add %x axes = [0] : (tensor<10007xf64>) -> tensor<f64>
    %2 = ingot.sub %x, %1 : (tensor<10007xf64>, tensor<f64>) -> tensor<10007xf64>
    ingot.yield %2 : tensor<10007xf64>
  } : tensor<10007xf64>
  return %0 : tensor<10007xf64>
}

// -----

func.func @check_in_region(%x: tensor<10007xf64>, %c: tensor<i1>) -> tensor<10007xf64> {
  // expected-error @below {{an effect that depends on the whole batch}}
  ingot.checkpoint {
    ingot.assert %c, "ValueError", "no" : tensor<i1>
    ingot.yield
  }
  return %x : tensor<10007xf64>
}

// -----

// Operations along other axes than the batch axis.
// CHECK-LABEL: @families
func.func @families(%x: tensor<10007x4x4xf64>) -> (tensor<10007x4x4xf64>, tensor<10007x4xf64>) {
  %0 = ingot.sort %x axis = 2 keys = 1 : (tensor<10007x4x4xf64>) -> tensor<10007x4x4xf64>
  %1 = ingot.concatenate %0, %0 axis = 1 : (tensor<10007x4x4xf64>, tensor<10007x4x4xf64>) -> tensor<10007x8x4xf64>
  %2 = ingot.slice %1 starts = [0, 2, 0] sizes = [10007, 4, 4] strides = [1, 1, 1] : (tensor<10007x8x4xf64>) -> tensor<10007x4x4xf64>
  %3 = ingot.cumulative add %2 axis = 1 : (tensor<10007x4x4xf64>) -> tensor<10007x4x4xf64>
  %4 = ingot.cholesky %3 : (tensor<10007x4x4xf64>) -> tensor<10007x4x4xf64>
  %5, %6, %7 = ingot.eigh %4 lower = true : (tensor<10007x4x4xf64>) -> (tensor<10007x4xf64>, tensor<10007x4x4xf64>, tensor<10007xi32>)
  return %6, %5 : tensor<10007x4x4xf64>, tensor<10007x4xf64>
}

// -----

// A store to one item of the batch.
func.func @store_to_one(%x: tensor<10007x4xf64>, %u: tensor<1x4xf64>, %i: tensor<1xi64>) -> tensor<10007x4xf64> {
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %0 = ingot.scatter set %x, %u[%i] : (tensor<10007x4xf64>, tensor<1x4xf64>, tensor<1xi64>) -> tensor<10007x4xf64>
  return %0 : tensor<10007x4xf64>
}

// -----

// How often the loop runs depends on all items.
func.func @as_often_as_the_sum(%x: tensor<10007xi64>) -> tensor<10007xi64> {
  %lo = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %hi = ingot.reduce add %x axes = [0] : (tensor<10007xi64>) -> tensor<i64>
  // expected-error @below {{result #0 depends on more than its own item of the batch}}
  %r = ingot.for %i = %lo to %hi step %one carry (%a = %x) : tensor<10007xi64> {
    %0 = ingot.mul %a, %a : (tensor<10007xi64>, tensor<10007xi64>) -> tensor<10007xi64>
    ingot.yield %0 : tensor<10007xi64>
  }
  return %r : tensor<10007xi64>
}
