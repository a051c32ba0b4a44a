// RUN: ingot-opt --canonicalize %s | FileCheck %s

// The factors are exchanged where the transpose exchanges their axes.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.*]]: tensor<5x3xf64>, %[[B:.*]]: tensor<5x4xf64>)
// CHECK-NEXT: %[[C:.*]] = ingot.dot_general %[[B]], %[[A]] batching = [0] x [0] contracting = [] x [] : (tensor<5x4xf64>, tensor<5x3xf64>) -> tensor<5x4x3xf64>
// CHECK-NEXT: return %[[C]]
func.func @product(%a: tensor<5x3xf64>, %b: tensor<5x4xf64>) -> tensor<5x4x3xf64> {
  %0 = ingot.dot_general %a, %b batching = [0] x [0] contracting = [] x [] : (tensor<5x3xf64>, tensor<5x4xf64>) -> tensor<5x3x4xf64>
  %1 = ingot.transpose %0 axes = [0, 2, 1] : (tensor<5x3x4xf64>) -> tensor<5x4x3xf64>
  return %1 : tensor<5x4x3xf64>
}

// CHECK-LABEL: func.func @several_axes
// CHECK: ingot.dot_general %arg1, %arg0 batching = [] x [] contracting = [0] x [1] : (tensor<4x6x7xf64>, tensor<3x4xf64>) -> tensor<6x7x3xf64>
// CHECK-NOT: ingot.transpose
func.func @several_axes(%a: tensor<3x4xf64>, %b: tensor<4x6x7xf64>) -> tensor<6x7x3xf64> {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x6x7xf64>) -> tensor<3x6x7xf64>
  %1 = ingot.transpose %0 axes = [1, 2, 0] : (tensor<3x6x7xf64>) -> tensor<6x7x3xf64>
  return %1 : tensor<6x7x3xf64>
}

// Not where the axes of one factor are permuted, or the product has other uses.
// CHECK-LABEL: func.func @kept
// CHECK: ingot.transpose %{{.*}} axes = [2, 1, 0]
// CHECK: ingot.transpose %{{.*}} axes = [1, 2, 0]
func.func @kept(%a: tensor<3x4xf64>, %b: tensor<4x6x7xf64>) -> (tensor<7x6x3xf64>, tensor<6x7x3xf64>, tensor<3x6x7xf64>) {
  %0 = ingot.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x6x7xf64>) -> tensor<3x6x7xf64>
  %1 = ingot.transpose %0 axes = [2, 1, 0] : (tensor<3x6x7xf64>) -> tensor<7x6x3xf64>
  %2 = ingot.sin %0 : tensor<3x6x7xf64>
  %3 = ingot.transpose %0 axes = [1, 2, 0] : (tensor<3x6x7xf64>) -> tensor<6x7x3xf64>
  return %1, %3, %2 : tensor<7x6x3xf64>, tensor<6x7x3xf64>, tensor<3x6x7xf64>
}

// Transposes one after the other are one, or none.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf64>)
// CHECK-NEXT: %[[Y:.*]] = ingot.transpose %[[X]] axes = [1, 2, 0] : (tensor<2x3x4xf64>) -> tensor<3x4x2xf64>
// CHECK-NEXT: return %[[Y]], %[[X]]
func.func @twice(%x: tensor<2x3x4xf64>) -> (tensor<3x4x2xf64>, tensor<2x3x4xf64>) {
  %0 = ingot.transpose %x axes = [2, 1, 0] : (tensor<2x3x4xf64>) -> tensor<4x3x2xf64>
  %1 = ingot.transpose %0 axes = [1, 0, 2] : (tensor<4x3x2xf64>) -> tensor<3x4x2xf64>
  %2 = ingot.transpose %1 axes = [2, 0, 1] : (tensor<3x4x2xf64>) -> tensor<2x3x4xf64>
  return %1, %2 : tensor<3x4x2xf64>, tensor<2x3x4xf64>
}

// What a slice cuts off again is dropped as well if it is out of bounds.
// CHECK-LABEL: func.func @dropped
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xf64>, %[[U:.*]]: tensor<3x2xf64>, %[[I:.*]]: tensor<3xi64>)
// CHECK-NEXT: %[[Y:.*]] = ingot.scatter add %[[X]], %[[U]][%[[I]]] : (tensor<4x2xf64>, tensor<3x2xf64>, tensor<3xi64>) -> tensor<4x2xf64>
// CHECK-NEXT: return %[[Y]]
func.func @dropped(%x: tensor<4x2xf64>, %u: tensor<3x2xf64>, %i: tensor<3xi64>) -> tensor<4x2xf64> {
  %c = ingot.constant dense<0.0> : tensor<f64>
  %0 = ingot.pad %x, %c low = [0, 0] high = [1, 0] interior = [0, 0] : (tensor<4x2xf64>, tensor<f64>) -> tensor<5x2xf64>
  %1 = ingot.scatter add %0, %u[%i] : (tensor<5x2xf64>, tensor<3x2xf64>, tensor<3xi64>) -> tensor<5x2xf64>
  %2 = ingot.slice %1 starts = [0, 0] sizes = [4, 2] strides = [1, 1] : (tensor<5x2xf64>) -> tensor<4x2xf64>
  return %2 : tensor<4x2xf64>
}

// Not before the elements, not along an axis without indices, and not if the padding is used.
// CHECK-LABEL: func.func @padded
// CHECK-COUNT-3: ingot.pad
func.func @padded(%x: tensor<4x2xf64>, %u: tensor<3x2xf64>, %w: tensor<3x3xf64>, %i: tensor<3xi64>) -> (tensor<4x2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<5x2xf64>) {
  %c = ingot.constant dense<0.0> : tensor<f64>
  %0 = ingot.pad %x, %c low = [1, 0] high = [0, 0] interior = [0, 0] : (tensor<4x2xf64>, tensor<f64>) -> tensor<5x2xf64>
  %1 = ingot.scatter set %0, %u[%i] : (tensor<5x2xf64>, tensor<3x2xf64>, tensor<3xi64>) -> tensor<5x2xf64>
  %2 = ingot.slice %1 starts = [1, 0] sizes = [4, 2] strides = [1, 1] : (tensor<5x2xf64>) -> tensor<4x2xf64>
  %3 = ingot.pad %x, %c low = [0, 0] high = [0, 1] interior = [0, 0] : (tensor<4x2xf64>, tensor<f64>) -> tensor<4x3xf64>
  %4 = ingot.scatter set %3, %w[%i] : (tensor<4x3xf64>, tensor<3x3xf64>, tensor<3xi64>) -> tensor<4x3xf64>
  %5 = ingot.slice %4 starts = [0, 0] sizes = [4, 2] strides = [1, 1] : (tensor<4x3xf64>) -> tensor<4x2xf64>
  %6 = ingot.pad %x, %c low = [0, 0] high = [1, 0] interior = [0, 0] : (tensor<4x2xf64>, tensor<f64>) -> tensor<5x2xf64>
  %7 = ingot.scatter set %6, %u[%i] : (tensor<5x2xf64>, tensor<3x2xf64>, tensor<3xi64>) -> tensor<5x2xf64>
  %8 = ingot.slice %7 starts = [0, 0] sizes = [4, 2] strides = [1, 1] : (tensor<5x2xf64>) -> tensor<4x2xf64>
  return %2, %5, %8, %7 : tensor<4x2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<5x2xf64>
}

// An index at an index is the index.
// CHECK-LABEL: func.func @index
// CHECK-SAME: (%[[I:.*]]: tensor<3xi64>)
// CHECK-NEXT: return %[[I]]
func.func @index(%i: tensor<3xi64>) -> tensor<3xi64> {
  %0 = ingot.iota axis = 0 : tensor<4xi64>
  %1 = ingot.gather %0[%i] : (tensor<4xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %1 : tensor<3xi64>
}

// CHECK-LABEL: func.func @sharded_twice
// CHECK-COUNT-2: ingot.shard
// CHECK-NOT: ingot.shard
func.func @sharded_twice(%a: tensor<5xf64>) -> tensor<5xf64> {
  %0 = ingot.shard %a <[{"i"}]> : tensor<5xf64>
  %1 = ingot.shard %0 <[{"i"}]> : tensor<5xf64>
  %2 = ingot.shard %1 <[{}]> : tensor<5xf64>
  return %2 : tensor<5xf64>
}

// CHECK-LABEL: func.func @branch_that_is_known
// CHECK-SAME: (%[[X:.*]]: tensor<f64>)
// CHECK-NEXT: %[[SUM:.*]] = ingot.add %[[X]], %[[X]]
// CHECK-NEXT: return %[[SUM]], %[[X]]
func.func @branch_that_is_known(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %true = ingot.constant dense<true> : tensor<i1>
  %false = ingot.constant dense<false> : tensor<i1>
  %0 = ingot.if %true : tensor<f64> {
    %2 = ingot.add %x, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %2 : tensor<f64>
  } else {
    ingot.yield %x : tensor<f64>
  }
  %1 = ingot.if %false : tensor<f64> {
    %3 = ingot.add %x, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %3 : tensor<f64>
  } else {
    ingot.yield %x : tensor<f64>
  }
  return %0, %1 : tensor<f64>, tensor<f64>
}

// Within a region, its condition is known.
// CHECK-LABEL: func.func @condition_again
// CHECK: ingot.if
// CHECK-NEXT: ingot.sin
// CHECK-NEXT: ingot.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: ingot.for
// CHECK-NEXT: ingot.exp
// CHECK-NEXT: ingot.yield
// CHECK-NOT: ingot.if
func.func @condition_again(%c: tensor<i1>, %n: tensor<i64>, %x: tensor<f64>) -> tensor<f64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.if %c : tensor<f64> {
    %1 = ingot.if %c : tensor<f64> {
      %2 = ingot.sin %x : tensor<f64>
      ingot.yield %2 : tensor<f64>
    } else {
      ingot.yield %x : tensor<f64>
    }
    ingot.yield %1 : tensor<f64>
  } else {
    %1 = ingot.for %i = %zero to %n step %one carry (%y = %x) : tensor<f64> {
      %2 = ingot.if %c : tensor<f64> {
        ingot.yield %y : tensor<f64>
      } else {
        %3 = ingot.exp %y : tensor<f64>
        ingot.yield %3 : tensor<f64>
      }
      ingot.yield %2 : tensor<f64>
    }
    ingot.yield %1 : tensor<f64>
  }
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @condition_as_result
// CHECK-SAME: (%[[C:.*]]: tensor<i1>)
// CHECK-NEXT: return %[[C]]
func.func @condition_as_result(%c: tensor<i1>) -> tensor<i1> {
  %true = ingot.constant dense<true> : tensor<i1>
  %false = ingot.constant dense<false> : tensor<i1>
  %0 = ingot.if %c : tensor<i1> {
    ingot.yield %true : tensor<i1>
  } else {
    ingot.yield %false : tensor<i1>
  }
  return %0 : tensor<i1>
}

// Arithmetic on constants that have equal elements, each rounded to its type.
// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[F:.*]] = ingot.constant dense<3.000000e-01> : tensor<f32>
// CHECK-DAG: %[[I:.*]] = ingot.constant dense<-128> : tensor<2x3xi8>
// CHECK-DAG: %[[U:.*]] = ingot.constant dense<true> : tensor<i1>
// CHECK-DAG: %[[S:.*]] = ingot.constant dense<false> : tensor<i1>
// CHECK: return %[[F]], %[[I]], %[[U]], %[[S]]
func.func @constants() -> (tensor<f32>, tensor<2x3xi8>, tensor<i1>, tensor<i1>) {
  %0 = ingot.constant dense<0.1> : tensor<f32>
  %1 = ingot.constant dense<0.2> : tensor<f32>
  %2 = ingot.add %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = ingot.constant dense<127> : tensor<2x1xi8>
  %4 = ingot.constant dense<1> : tensor<3xi8>
  %5 = ingot.add %3, %4 : (tensor<2x1xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %6 = ingot.constant dense<255> : tensor<ui8>
  %7 = ingot.constant dense<1> : tensor<ui8>
  %8 = ingot.compare gt %6, %7 : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %9 = ingot.constant dense<-1> : tensor<i8>
  %10 = ingot.constant dense<1> : tensor<i8>
  %11 = ingot.compare gt %9, %10 : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %2, %5, %8, %11 : tensor<f32>, tensor<2x3xi8>, tensor<i1>, tensor<i1>
}

// What overflows, or is infinite, is left: NaN traps look at it.
// CHECK-LABEL: func.func @not_finite
// CHECK: ingot.mul
// CHECK: ingot.div
// CHECK: ingot.sub
func.func @not_finite() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = ingot.constant dense<1.0e38> : tensor<f32>
  %1 = ingot.constant dense<0.0> : tensor<f32>
  %2 = ingot.constant dense<0x7F800000> : tensor<f32>
  %3 = ingot.mul %0, %0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = ingot.div %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %5 = ingot.sub %2, %2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %3, %4, %5 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Slices of all elements, wherever they start.
// CHECK-LABEL: func.func @all_elements
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf64>, %[[U:.*]]: tensor<3x4xf64>
// CHECK-NEXT: return %[[X]], %[[U]]
func.func @all_elements(%x: tensor<3x4xf64>, %u: tensor<3x4xf64>, %i: tensor<i64>) -> (tensor<3x4xf64>, tensor<3x4xf64>) {
  %0 = ingot.dynamic_slice %x[%i, %i] sizes = [3, 4] strides = [1, 1] : (tensor<3x4xf64>, tensor<i64>, tensor<i64>) -> tensor<3x4xf64>
  %1 = ingot.update_slice %x, %u[%i, %i] strides = [1, 1] : (tensor<3x4xf64>, tensor<3x4xf64>, tensor<i64>, tensor<i64>) -> tensor<3x4xf64>
  return %0, %1 : tensor<3x4xf64>, tensor<3x4xf64>
}

// Slices of a joined array whose elements are all of one part, and those that have elements of two.
// CHECK-LABEL: func.func @slices_of_parts
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf64>, %[[Y:.*]]: tensor<3x5xf64>)
// CHECK-DAG: %[[JOINED:.*]] = ingot.concatenate %[[X]], %[[Y]] axis = 1
// CHECK-DAG: %[[A:.*]] = ingot.slice %[[Y]] starts = [1, 1] sizes = [2, 2] strides = [1, 3]
// CHECK-DAG: %[[B:.*]] = ingot.slice %[[JOINED]] starts = [0, 3] sizes = [3, 2] strides = [1, 1]
// CHECK: return %[[X]], %[[A]], %[[B]]
func.func @slices_of_parts(%x: tensor<3x4xf64>, %y: tensor<3x5xf64>) -> (tensor<3x4xf64>, tensor<2x2xf64>, tensor<3x2xf64>) {
  %0 = ingot.concatenate %x, %y axis = 1 : (tensor<3x4xf64>, tensor<3x5xf64>) -> tensor<3x9xf64>
  %1 = ingot.slice %0 starts = [0, 0] sizes = [3, 4] strides = [1, 1] : (tensor<3x9xf64>) -> tensor<3x4xf64>
  %2 = ingot.slice %0 starts = [1, 5] sizes = [2, 2] strides = [1, 3] : (tensor<3x9xf64>) -> tensor<2x2xf64>
  %3 = ingot.slice %0 starts = [0, 3] sizes = [3, 2] strides = [1, 1] : (tensor<3x9xf64>) -> tensor<3x2xf64>
  return %1, %2, %3 : tensor<3x4xf64>, tensor<2x2xf64>, tensor<3x2xf64>
}

// Slices that follow each other along the joined axis, and constants of equal elements.
// CHECK-LABEL: func.func @joined_slices
// CHECK-SAME: (%[[X:.*]]: tensor<3x8xf64>, %[[Y:.*]]: tensor<3x2xf64>)
// CHECK-DAG: %[[ONES:.*]] = ingot.constant dense<1.000000e+00> : tensor<3x3xf64>
// CHECK-DAG: %[[PART:.*]] = ingot.slice %[[X]] starts = [0, 1] sizes = [3, 5] strides = [1, 1]
// CHECK-DAG: %[[JOINED:.*]] = ingot.concatenate %[[PART]], %[[Y]], %[[ONES]] axis = 1
// CHECK: return %[[JOINED]], %[[X]]
func.func @joined_slices(%x: tensor<3x8xf64>, %y: tensor<3x2xf64>) -> (tensor<3x10xf64>, tensor<3x8xf64>) {
  %0 = ingot.slice %x starts = [0, 1] sizes = [3, 2] strides = [1, 1] : (tensor<3x8xf64>) -> tensor<3x2xf64>
  %1 = ingot.slice %x starts = [0, 3] sizes = [3, 3] strides = [1, 1] : (tensor<3x8xf64>) -> tensor<3x3xf64>
  %2 = ingot.constant dense<1.0> : tensor<3x1xf64>
  %3 = ingot.constant dense<1.0> : tensor<3x2xf64>
  %4 = ingot.concatenate %0, %1, %y, %2, %3 axis = 1 : (tensor<3x2xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x1xf64>, tensor<3x2xf64>) -> tensor<3x10xf64>
  %5 = ingot.slice %x starts = [0, 0] sizes = [1, 8] strides = [1, 1] : (tensor<3x8xf64>) -> tensor<1x8xf64>
  %6 = ingot.slice %x starts = [1, 0] sizes = [2, 8] strides = [1, 1] : (tensor<3x8xf64>) -> tensor<2x8xf64>
  %7 = ingot.concatenate %5, %6 axis = 0 : (tensor<1x8xf64>, tensor<2x8xf64>) -> tensor<3x8xf64>
  return %4, %7 : tensor<3x10xf64>, tensor<3x8xf64>
}

// Slices in another order, of another array, with a gap or with other strides.
// CHECK-LABEL: func.func @other_slices
// CHECK-COUNT-4: ingot.concatenate
func.func @other_slices(%x: tensor<8xf64>, %y: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<7xf64>, tensor<4xf64>) {
  %0 = ingot.slice %x starts = [0] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
  %1 = ingot.slice %x starts = [4] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
  %2 = ingot.slice %y starts = [4] sizes = [4] strides = [1] : (tensor<8xf64>) -> tensor<4xf64>
  %3 = ingot.slice %x starts = [5] sizes = [3] strides = [1] : (tensor<8xf64>) -> tensor<3xf64>
  %4 = ingot.slice %x starts = [0] sizes = [2] strides = [2] : (tensor<8xf64>) -> tensor<2xf64>
  %5 = ingot.slice %x starts = [2] sizes = [2] strides = [2] : (tensor<8xf64>) -> tensor<2xf64>
  %6 = ingot.concatenate %1, %0 axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
  %7 = ingot.concatenate %0, %2 axis = 0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
  %8 = ingot.concatenate %0, %3 axis = 0 : (tensor<4xf64>, tensor<3xf64>) -> tensor<7xf64>
  %9 = ingot.concatenate %4, %5 axis = 0 : (tensor<2xf64>, tensor<2xf64>) -> tensor<4xf64>
  return %6, %7, %8, %9 : tensor<8xf64>, tensor<8xf64>, tensor<7xf64>, tensor<4xf64>
}

// Stores to most elements of an array, of which later ones count.
// CHECK-LABEL: func.func @stores
// CHECK-SAME: (%[[X:.*]]: tensor<1x16xf64>, %[[U:.*]]: tensor<1x1xf64>, %[[V:.*]]: tensor<1x1xf64>)
// CHECK-DAG: %[[A:.*]] = ingot.slice %[[X]] starts = [0, 0] sizes = [1, 6] strides = [1, 1]
// CHECK: %[[JOINED:.*]] = ingot.concatenate %[[A]], %[[V]], %[[U]], %[[U]], %[[U]], %[[U]], %[[U]], %[[U]], %[[U]], %[[U]], %[[U]] axis = 1
// CHECK-NEXT: return %[[JOINED]]
func.func @stores(%x: tensor<1x16xf64>, %u: tensor<1x1xf64>, %v: tensor<1x1xf64>) -> tensor<1x16xf64> {
  %i = ingot.constant dense<0> : tensor<i64>
  %i6 = ingot.constant dense<6> : tensor<i64>
  %i7 = ingot.constant dense<7> : tensor<i64>
  %i8 = ingot.constant dense<8> : tensor<i64>
  %i9 = ingot.constant dense<9> : tensor<i64>
  %i10 = ingot.constant dense<10> : tensor<i64>
  %i11 = ingot.constant dense<11> : tensor<i64>
  %i12 = ingot.constant dense<12> : tensor<i64>
  %i13 = ingot.constant dense<13> : tensor<i64>
  %i14 = ingot.constant dense<14> : tensor<i64>
  %i15 = ingot.constant dense<15> : tensor<i64>
  %s6 = ingot.update_slice %x, %u[%i, %i6] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s7 = ingot.update_slice %s6, %u[%i, %i7] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s8 = ingot.update_slice %s7, %u[%i, %i8] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s9 = ingot.update_slice %s8, %u[%i, %i9] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s10 = ingot.update_slice %s9, %u[%i, %i10] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s11 = ingot.update_slice %s10, %u[%i, %i11] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s12 = ingot.update_slice %s11, %u[%i, %i12] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s13 = ingot.update_slice %s12, %u[%i, %i13] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s14 = ingot.update_slice %s13, %u[%i, %i14] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %s15 = ingot.update_slice %s14, %u[%i, %i15] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  %last = ingot.update_slice %s15, %v[%i, %i6] strides = [1, 1] : (tensor<1x16xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<1x16xf64>
  return %last : tensor<1x16xf64>
}

// Stores to fewer than half of the elements, or where one is known at run time only.
// CHECK-LABEL: func.func @few_stores
// CHECK-NOT: ingot.concatenate
// CHECK: return
func.func @few_stores(%x: tensor<16xf64>, %u: tensor<1xf64>, %n: tensor<i64>) -> tensor<16xf64> {
  %i0 = ingot.constant dense<0> : tensor<i64>
  %i1 = ingot.constant dense<1> : tensor<i64>
  %i2 = ingot.constant dense<2> : tensor<i64>
  %i3 = ingot.constant dense<3> : tensor<i64>
  %i4 = ingot.constant dense<4> : tensor<i64>
  %i5 = ingot.constant dense<5> : tensor<i64>
  %i6 = ingot.constant dense<6> : tensor<i64>
  %s0 = ingot.update_slice %x, %u[%i0] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  %s1 = ingot.update_slice %s0, %u[%i1] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  %s2 = ingot.update_slice %s1, %u[%i2] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  %s3 = ingot.update_slice %s2, %u[%i3] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  %s4 = ingot.update_slice %s3, %u[%i4] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  %s5 = ingot.update_slice %s4, %u[%i5] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  %s6 = ingot.update_slice %s5, %u[%i6] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  %last = ingot.update_slice %s6, %u[%n] strides = [1] : (tensor<16xf64>, tensor<1xf64>, tensor<i64>) -> tensor<16xf64>
  return %last : tensor<16xf64>
}

// Numbers that change no integer. Floats stay, as does what broadcasts.
// CHECK-LABEL: func.func @unchanged
// CHECK-SAME: (%[[I:.*]]: tensor<i64>, %[[X:.*]]: tensor<f64>)
// CHECK-DAG: %[[N:.*]] = ingot.sub %{{.*}}, %[[I]]
// CHECK-DAG: %[[F:.*]] = ingot.add %[[X]], %{{.*}} : (tensor<f64>, tensor<f64>)
// CHECK-DAG: %[[B:.*]] = ingot.mul %[[I]], %{{.*}} : (tensor<i64>, tensor<2xi64>)
// CHECK: return %[[I]], %[[N]], %[[F]], %[[B]], %[[X]]
func.func @unchanged(%i: tensor<i64>, %x: tensor<f64>) -> (tensor<i64>, tensor<i64>, tensor<f64>, tensor<2xi64>, tensor<f64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %ones = ingot.constant dense<1> : tensor<2xi64>
  %none = ingot.constant dense<0.0> : tensor<f64>
  %a = ingot.add %0, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %b = ingot.mul %a, %1 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %c = ingot.sub %b, %0 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %d = ingot.sub %0, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %e = ingot.add %x, %none : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %f = ingot.mul %i, %ones : (tensor<i64>, tensor<2xi64>) -> tensor<2xi64>
  %one = ingot.constant dense<1.0> : tensor<f64>
  %g = ingot.mul %one, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %c, %d, %e, %f, %g : tensor<i64>, tensor<i64>, tensor<f64>, tensor<2xi64>, tensor<f64>
}

// Slices of broadcast arrays and of iotas compute no other elements.
// CHECK-LABEL: func.func @slices_of_broadcasts
// CHECK-SAME: (%[[X:.*]]: tensor<5x1xf64>, %[[Y:.*]]: tensor<7xf64>)
// CHECK-DAG: %[[ROWS:.*]] = ingot.slice %[[X]] starts = [1, 0] sizes = [2, 1] strides = [2, 1]
// CHECK-DAG: %[[A:.*]] = ingot.broadcast_to %[[ROWS]] : (tensor<2x1xf64>) -> tensor<2x3xf64>
// CHECK-DAG: %[[COLUMNS:.*]] = ingot.slice %[[Y]] starts = [2] sizes = [3] strides = [1]
// CHECK-DAG: %[[WIDE:.*]] = ingot.broadcast_to %[[COLUMNS]] : (tensor<3xf64>) -> tensor<5x3xf64>
// CHECK-DAG: %[[B:.*]] = ingot.reshape %[[WIDE]] : (tensor<5x3xf64>) -> tensor<5x1x3xf64>
// CHECK: return %[[A]], %[[B]]
func.func @slices_of_broadcasts(%x: tensor<5x1xf64>, %y: tensor<7xf64>) -> (tensor<2x3xf64>, tensor<5x1x3xf64>) {
  %0 = ingot.broadcast_to %x : (tensor<5x1xf64>) -> tensor<5x4xf64>
  %1 = ingot.slice %0 starts = [1, 1] sizes = [2, 3] strides = [2, 1] : (tensor<5x4xf64>) -> tensor<2x3xf64>
  %2 = ingot.broadcast_to %y : (tensor<7xf64>) -> tensor<5x7xf64>
  %3 = ingot.reshape %2 : (tensor<5x7xf64>) -> tensor<5x1x7xf64>
  %4 = ingot.slice %3 starts = [0, 0, 2] sizes = [5, 1, 3] strides = [1, 1, 1] : (tensor<5x1x7xf64>) -> tensor<5x1x3xf64>
  return %1, %4 : tensor<2x3xf64>, tensor<5x1x3xf64>
}

// CHECK-LABEL: func.func @slices_of_iotas
// CHECK-DAG: %[[A:.*]] = ingot.iota axis = 0 : tensor<4x2xi64>
// CHECK-DAG: %[[WHOLE:.*]] = ingot.iota axis = 0 : tensor<9x3xi64>
// CHECK-DAG: %[[B:.*]] = ingot.slice %[[WHOLE]] starts = [1, 0] sizes = [8, 3]
// CHECK-DAG: %[[C:.*]] = ingot.slice %[[WHOLE]] starts = [0, 0] sizes = [4, 3] strides = [2, 1]
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @slices_of_iotas() -> (tensor<4x2xi64>, tensor<8x3xi64>, tensor<4x3xi64>) {
  %0 = ingot.iota axis = 0 : tensor<9x3xi64>
  %1 = ingot.slice %0 starts = [0, 1] sizes = [4, 2] strides = [1, 1] : (tensor<9x3xi64>) -> tensor<4x2xi64>
  %2 = ingot.slice %0 starts = [1, 0] sizes = [8, 3] strides = [1, 1] : (tensor<9x3xi64>) -> tensor<8x3xi64>
  %3 = ingot.slice %0 starts = [0, 0] sizes = [4, 3] strides = [2, 1] : (tensor<9x3xi64>) -> tensor<4x3xi64>
  return %1, %2, %3 : tensor<4x2xi64>, tensor<8x3xi64>, tensor<4x3xi64>
}

// Other reshapes, and other arrays behind them, stay.
// CHECK-LABEL: func.func @slices_of_reshapes
// CHECK: ingot.reshape
// CHECK: ingot.slice %{{.*}} starts = [0, 0] sizes = [2, 3]
// CHECK: ingot.reshape
// CHECK: ingot.slice %{{.*}} starts = [0, 1, 0] sizes = [3, 2, 1]
func.func @slices_of_reshapes(%x: tensor<4xf64>, %y: tensor<3x4xf64>) -> (tensor<2x3xf64>, tensor<3x2x1xf64>) {
  %0 = ingot.broadcast_to %x : (tensor<4xf64>) -> tensor<3x4xf64>
  %1 = ingot.reshape %0 : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %2 = ingot.slice %1 starts = [0, 0] sizes = [2, 3] strides = [1, 1] : (tensor<4x3xf64>) -> tensor<2x3xf64>
  %3 = ingot.reshape %y : (tensor<3x4xf64>) -> tensor<3x4x1xf64>
  %4 = ingot.slice %3 starts = [0, 1, 0] sizes = [3, 2, 1] strides = [1, 1, 1] : (tensor<3x4x1xf64>) -> tensor<3x2x1xf64>
  return %2, %4 : tensor<2x3xf64>, tensor<3x2x1xf64>
}

// The number of a product may be broadcast.
// CHECK-LABEL: func.func @broadcast_one
// CHECK-SAME: (%[[X:.*]]: tensor<4xf64>)
// CHECK-NEXT: return %[[X]]
func.func @broadcast_one(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = ingot.constant dense<1.0> : tensor<1xf64>
  %1 = ingot.broadcast_to %0 : (tensor<1xf64>) -> tensor<4xf64>
  %2 = ingot.mul %1, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %2 : tensor<4xf64>
}
