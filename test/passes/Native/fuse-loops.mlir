// RUN: ingot-opt %s --pass-pipeline="builtin.module(func.func(fuse-loops{least=1024 part=512}))" --split-input-file | FileCheck %s

// Sums of rows and what uses them: one loop over parts of 2 rows of 32 elements each.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<10x32xf64>)
// CHECK: %[[RESULT:.*]] = ingot.constant dense<0.000000e+00> : tensor<10x32xf64>
// CHECK: %[[COUNT:.*]] = ingot.constant dense<5>
// CHECK: %[[FOUND:.*]] = ingot.for %[[I:.*]] = %{{.*}} to %[[COUNT]] step %{{.*}} carry (%[[Y:.*]] = %[[RESULT]]) : tensor<10x32xf64>
// CHECK: %[[START:.*]] = ingot.mul %[[I]], %{{.*}}
// CHECK: %[[ROWS:.*]] = ingot.dynamic_slice %[[X]][%[[START]], %{{.*}}] sizes = [2, 32]
// CHECK: %[[E:.*]] = ingot.exp %[[ROWS]] : tensor<2x32xf64>
// CHECK: %[[SUM:.*]] = ingot.reduce add %[[E]] axes = [1] : (tensor<2x32xf64>) -> tensor<2xf64>
// CHECK: %[[COLUMN:.*]] = ingot.reshape %[[SUM]]
// CHECK: %[[Q:.*]] = ingot.div %[[E]], %[[COLUMN]]
// CHECK: %[[NEXT:.*]] = ingot.update_slice %[[Y]], %[[Q]][%[[START]], %{{.*}}]
// CHECK: ingot.yield %[[NEXT]]
// CHECK: {ingot.overwritten = array<i64: 0>, ingot.parallel = 1 : i64}
// CHECK-NEXT: return %[[FOUND]]
func.func @softmax(%x: tensor<10x32xf64>) -> tensor<10x32xf64> {
  %0 = ingot.exp %x : tensor<10x32xf64>
  %1 = ingot.reduce add %0 axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
  %2 = ingot.reshape %1 : (tensor<10xf64>) -> tensor<10x1xf64>
  %3 = ingot.div %0, %2 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
  return %3 : tensor<10x32xf64>
}

// -----

// Sums of all elements become sums of partial ones, which are as wide as a kernel adds them. No part
// of 65 to 128 elements divides the length, so the rest comes after the loop.
// CHECK-LABEL: func.func @totals
// CHECK-SAME: (%[[X:.*]]: tensor<401xf32>)
// CHECK: %[[FOUND:.*]]:2 = ingot.for {{.*}} carry (%[[SUMS:.*]] = %{{.*}}, %[[MOST:.*]] = %{{.*}}) : tensor<4xf64>, tensor<4xf32>
// CHECK: %[[PART:.*]] = ingot.dynamic_slice %[[X]][%{{.*}}] sizes = [128]
// CHECK: %[[WIDE:.*]] = ingot.convert %[[PART]] : (tensor<128xf32>) -> tensor<128xf64>
// CHECK: ingot.reduce add %[[WIDE]] axes = [0] : (tensor<128xf64>) -> tensor<f64>
// CHECK: ingot.reduce max %[[PART]] axes = [0] : (tensor<128xf32>) -> tensor<f32>
// CHECK: {ingot.overwritten = array<i64: 0, 1>, ingot.parallel = 2 : i64}
// CHECK: %[[REST:.*]] = ingot.dynamic_slice %[[X]][%{{.*}}] sizes = [17]
// CHECK: %[[ALL:.*]] = ingot.update_slice %[[FOUND]]#0
// CHECK: %[[SUM:.*]] = ingot.reduce add %[[ALL]] axes = [0] : (tensor<4xf64>) -> tensor<f64>
// CHECK: ingot.convert %[[SUM]] : (tensor<f64>) -> tensor<f32>
func.func @totals(%x: tensor<401xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = ingot.reduce add %x axes = [0] : (tensor<401xf32>) -> tensor<f32>
  %1 = ingot.reduce max %x axes = [0] : (tensor<401xf32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// The order of a strict sum stays.
// CHECK-LABEL: func.func @strict
// CHECK-NOT: ingot.for
func.func @strict(%x: tensor<401xf32>) -> (tensor<f32>, tensor<f32>) attributes {ingot.strict} {
  %0 = ingot.reduce add %x axes = [0] : (tensor<401xf32>) -> tensor<f32>
  %1 = ingot.reduce max %x axes = [0] : (tensor<401xf32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// A row of the first axis is larger than a part: its loop has one along the second axis, which
// stores to the result directly.
// CHECK-LABEL: func.func @nested
// CHECK: ingot.for %[[I:.*]] = {{.*}} carry (%[[A:.*]] = %{{.*}}) : tensor<3x16x32xf64>
// CHECK: ingot.for %[[J:.*]] = {{.*}} carry (%[[B:.*]] = %[[A]]) : tensor<3x16x32xf64>
// CHECK: %[[START:.*]] = ingot.mul %[[J]]
// CHECK: ingot.reduce max %{{.*}} axes = [2] : (tensor<1x2x32xf64>) -> tensor<1x2xf64>
// CHECK: ingot.update_slice %[[B]], %{{.*}}[%[[I]], %[[START]], %{{.*}}]
func.func @nested(%x: tensor<3x16x32xf64>) -> tensor<3x16x32xf64> {
  %0 = ingot.reduce max %x axes = [2] : (tensor<3x16x32xf64>) -> tensor<3x16xf64>
  %1 = ingot.reshape %0 : (tensor<3x16xf64>) -> tensor<3x16x1xf64>
  %2 = ingot.sub %x, %1 : (tensor<3x16x32xf64>, tensor<3x16x1xf64>) -> tensor<3x16x32xf64>
  return %2 : tensor<3x16x32xf64>
}

// -----

// What is stored to another array is stored there by the loop.
// CHECK-LABEL: func.func @stored
// CHECK-SAME: (%[[X:.*]]: tensor<10x32xf64>, %[[Y:.*]]: tensor<12x32xf64>)
// CHECK: ingot.for {{.*}} carry (%[[CARRIED:.*]] = %[[Y]]) : tensor<12x32xf64>
// CHECK: ingot.update_slice %[[CARRIED]]
// CHECK: {ingot.overwritten = array<i64>, ingot.parallel = 1 : i64}
// CHECK-NEXT: return
func.func @stored(%x: tensor<10x32xf64>, %y: tensor<12x32xf64>) -> tensor<12x32xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %0 = ingot.exp %x : tensor<10x32xf64>
  %1 = ingot.reduce add %0 axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
  %2 = ingot.reshape %1 : (tensor<10xf64>) -> tensor<10x1xf64>
  %3 = ingot.div %0, %2 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
  %4 = ingot.update_slice %y, %3[%zero, %zero] strides = [1, 1] : (tensor<12x32xf64>, tensor<10x32xf64>, tensor<i64>, tensor<i64>) -> tensor<12x32xf64>
  return %4 : tensor<12x32xf64>
}

// -----

// The sum of the first axis needs all rows: what uses it is another loop.
// CHECK-LABEL: func.func @stages
// CHECK: %[[FIRST:.*]] = ingot.for
// CHECK: ingot.exp
// CHECK: ingot.parallel
// CHECK: ingot.reduce add %[[FIRST]] axes = [0]
// CHECK: ingot.for
// CHECK: ingot.reduce max
// CHECK: ingot.parallel
func.func @stages(%x: tensor<10x32xf64>) -> tensor<10x32xf64> {
  %0 = ingot.exp %x : tensor<10x32xf64>
  %1 = ingot.reduce add %0 axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
  %2 = ingot.reshape %1 : (tensor<10xf64>) -> tensor<10x1xf64>
  %3 = ingot.div %0, %2 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
  %4 = ingot.reduce add %3 axes = [0] : (tensor<10x32xf64>) -> tensor<32xf64>
  %5 = ingot.sub %3, %4 : (tensor<10x32xf64>, tensor<32xf64>) -> tensor<10x32xf64>
  %6 = ingot.reduce max %5 axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
  %7 = ingot.reshape %6 : (tensor<10xf64>) -> tensor<10x1xf64>
  %8 = ingot.sub %5, %7 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
  return %8 : tensor<10x32xf64>
}

// -----

// One loop computes all of this anyway.
// CHECK-LABEL: func.func @one_sweep
// CHECK-NOT: ingot.for
func.func @one_sweep(%x: tensor<10x32xf64>) -> tensor<10x32xf64> {
  %0 = ingot.exp %x : tensor<10x32xf64>
  %1 = ingot.mul %0, %0 : (tensor<10x32xf64>, tensor<10x32xf64>) -> tensor<10x32xf64>
  return %1 : tensor<10x32xf64>
}

// -----

// Masks with indices say how long an array is: the loops of their users run that long.
// CHECK-LABEL: func.func @indices
// CHECK-NOT: ingot.for
func.func @indices(%x: tensor<400xf64>, %n: tensor<i64>) -> (tensor<f64>, tensor<f64>) {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %0 = ingot.iota axis = 0 : tensor<400xi64>
  %1 = ingot.compare lt %0, %n : (tensor<400xi64>, tensor<i64>) -> tensor<400xi1>
  %2 = ingot.select %1, %x, %zero : (tensor<400xi1>, tensor<400xf64>, tensor<f64>) -> tensor<400xf64>
  %3 = ingot.reduce add %2 axes = [0] : (tensor<400xf64>) -> tensor<f64>
  %4 = ingot.reduce max %2 axes = [0] : (tensor<400xf64>) -> tensor<f64>
  return %3, %4 : tensor<f64>, tensor<f64>
}

// -----

// A loop after the store would read the array after it is overwritten, so the array would be copied.
// CHECK-LABEL: func.func @overwritten
// CHECK-NOT: ingot.for
func.func @overwritten(%x: tensor<10x32xf64>, %r: tensor<1x32xf64>) -> (tensor<10x32xf64>, tensor<10x32xf64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %0 = ingot.reduce add %x axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
  %1 = ingot.update_slice %x, %r[%zero, %zero] strides = [1, 1] : (tensor<10x32xf64>, tensor<1x32xf64>, tensor<i64>, tensor<i64>) -> tensor<10x32xf64>
  %2 = ingot.reshape %0 : (tensor<10xf64>) -> tensor<10x1xf64>
  %3 = ingot.mul %x, %2 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
  return %1, %3 : tensor<10x32xf64>, tensor<10x32xf64>
}

// -----

// The differences are computed again in the second loop, which takes less time than storing them.
// CHECK-LABEL: func.func @again
// CHECK: ingot.for {{.*}} : tensor<10x32xf64>, tensor<{{[0-9]+}}xf64> {
// CHECK: ingot.sub {{.*}} -> tensor<2x32xf64>
// CHECK: ingot.exp
// CHECK: ingot.for {{.*}} : tensor<10x32xf64>, tensor<10xf64> {
// CHECK: ingot.sub {{.*}} -> tensor<2x32xf64>
func.func @again(%x: tensor<10x32xf64>, %y: tensor<32xf64>) -> (tensor<10x32xf64>, tensor<10xf64>) {
  %0 = ingot.sub %x, %y : (tensor<10x32xf64>, tensor<32xf64>) -> tensor<10x32xf64>
  %1 = ingot.exp %0 : tensor<10x32xf64>
  %2 = ingot.reduce add %1 axes = [0, 1] : (tensor<10x32xf64>) -> tensor<f64>
  %3 = ingot.div %1, %2 : (tensor<10x32xf64>, tensor<f64>) -> tensor<10x32xf64>
  %4 = ingot.mul %3, %0 : (tensor<10x32xf64>, tensor<10x32xf64>) -> tensor<10x32xf64>
  %5 = ingot.reduce add %4 axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
  return %3, %5 : tensor<10x32xf64>, tensor<10xf64>
}

// -----

// Sums of columns read the array row by row: a part along the second axis is spread over the memory.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: ingot.for
func.func @columns(%x: tensor<32x40xf64>) -> (tensor<40xf64>, tensor<40xf64>) {
  %0 = ingot.reduce add %x axes = [0] : (tensor<32x40xf64>) -> tensor<40xf64>
  %1 = ingot.reduce max %x axes = [0] : (tensor<32x40xf64>) -> tensor<40xf64>
  return %0, %1 : tensor<40xf64>, tensor<40xf64>
}

// -----

// An array that the loop around carries, and of which only the parts at the same place are read, is
// overwritten: after all reads of a part.
// CHECK-LABEL: func.func @in_place
// CHECK: ingot.for {{.*}} carry (%[[X:.*]] = %{{.*}}) : tensor<10x32xf64>
// CHECK: ingot.for {{.*}} carry (%[[A:.*]] = %[[X]]) : tensor<10x32xf64>
// CHECK: %[[ROWS:.*]] = ingot.dynamic_slice %[[A]]
// CHECK: ingot.reduce max %[[ROWS]]
// CHECK: %[[D:.*]] = ingot.sub %[[ROWS]]
// CHECK: ingot.update_slice %[[A]], %[[D]]
// CHECK: {ingot.overwritten = array<i64>, ingot.parallel = 1 : i64}
func.func @in_place(%x: tensor<10x32xf64>, %begin: tensor<i64>, %end: tensor<i64>, %step: tensor<i64>) -> tensor<10x32xf64> {
  %0 = ingot.for %i = %begin to %end step %step carry (%a = %x) : tensor<10x32xf64> {
    %1 = ingot.reduce max %a axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
    %2 = ingot.reshape %1 : (tensor<10xf64>) -> tensor<10x1xf64>
    %3 = ingot.sub %a, %2 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
    ingot.yield %3 : tensor<10x32xf64>
  }
  return %0 : tensor<10x32xf64>
}

// -----

// So is one of which the loop around carries a version with other elements stored.
// CHECK-LABEL: func.func @in_place_before_a_store
// CHECK: ingot.for {{.*}} carry (%[[X:.*]] = %{{.*}}) : tensor<10x32xf64>
// CHECK: ingot.for {{.*}} carry (%{{.*}} = %[[X]]) : tensor<10x32xf64>
// CHECK: {ingot.overwritten = array<i64>, ingot.parallel = 1 : i64}
// CHECK: ingot.update_slice
func.func @in_place_before_a_store(%x: tensor<10x32xf64>, %r: tensor<1x32xf64>, %begin: tensor<i64>, %end: tensor<i64>, %step: tensor<i64>) -> tensor<10x32xf64> {
  %0 = ingot.for %i = %begin to %end step %step carry (%a = %x) : tensor<10x32xf64> {
    %1 = ingot.reduce max %a axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
    %2 = ingot.reshape %1 : (tensor<10xf64>) -> tensor<10x1xf64>
    %3 = ingot.sub %a, %2 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
    %zero = ingot.constant dense<0> : tensor<i64>
    %4 = ingot.update_slice %3, %r[%zero, %zero] strides = [1, 1] : (tensor<10x32xf64>, tensor<1x32xf64>, tensor<i64>, tensor<i64>) -> tensor<10x32xf64>
    ingot.yield %4 : tensor<10x32xf64>
  }
  return %0 : tensor<10x32xf64>
}

// -----

// What uses a result of the first loop moves behind it, and so %3 behind %4: the second loop computes
// both.
// CHECK-LABEL: func.func @moved
// CHECK: ingot.exp
// CHECK: ingot.parallel
// CHECK: ingot.flip
// CHECK: ingot.for
// CHECK: ingot.mul {{.*}} -> tensor<2x32xf64>
// CHECK: ingot.add {{.*}} -> tensor<2x32xf64>
// CHECK: ingot.parallel = 2
func.func @moved(%x: tensor<10x32xf64>, %y: tensor<10x32xf64>) -> (tensor<10x32xf64>, tensor<10x32xf64>, tensor<10x32xf64>) {
  %0 = ingot.exp %x : tensor<10x32xf64>
  %1 = ingot.flip %0 axes = [0] : (tensor<10x32xf64>) -> tensor<10x32xf64>
  %2 = ingot.reduce add %y axes = [0, 1] : (tensor<10x32xf64>) -> tensor<f64>
  %3 = ingot.add %1, %y : (tensor<10x32xf64>, tensor<10x32xf64>) -> tensor<10x32xf64>
  %4 = ingot.mul %y, %2 : (tensor<10x32xf64>, tensor<f64>) -> tensor<10x32xf64>
  %5 = ingot.reduce add %0 axes = [1] : (tensor<10x32xf64>) -> tensor<10xf64>
  %6 = ingot.reshape %5 : (tensor<10xf64>) -> tensor<10x1xf64>
  %7 = ingot.div %0, %6 : (tensor<10x32xf64>, tensor<10x1xf64>) -> tensor<10x32xf64>
  return %3, %4, %7 : tensor<10x32xf64>, tensor<10x32xf64>, tensor<10x32xf64>
}

// -----

// The squares are computed in the loop that sums columns of them, and no array: what is left is one
// loop anyway.
// CHECK-LABEL: func.func @terms
// CHECK-NOT: ingot.for
func.func @terms(%x: tensor<10x32xf64>, %y: tensor<32xf64>) -> (tensor<10x32xf64>, tensor<32xf64>) {
  %0 = ingot.sub %x, %y : (tensor<10x32xf64>, tensor<32xf64>) -> tensor<10x32xf64>
  %1 = ingot.mul %0, %0 : (tensor<10x32xf64>, tensor<10x32xf64>) -> tensor<10x32xf64>
  %2 = ingot.reduce add %1 axes = [0] : (tensor<10x32xf64>) -> tensor<32xf64>
  return %0, %2 : tensor<10x32xf64>, tensor<32xf64>
}

// -----

// One sum of many floats is worth a loop, as threads share it; one of integers, or of fewer, is not.
// CHECK-LABEL: func.func @one_sum
// CHECK: ingot.for
// CHECK: ingot.reduce add %{{.*}} axes = [0] : (tensor<{{.*}}xf64>) -> tensor<f64>
// CHECK-NOT: ingot.for
// CHECK: ingot.reduce add %{{.*}} axes = [0] : (tensor<200000xi64>) -> tensor<i64>
// CHECK: ingot.reduce add %{{.*}} axes = [0] : (tensor<2000xf64>) -> tensor<f64>
func.func @one_sum(%x: tensor<200000xf64>, %n: tensor<200000xi64>, %s: tensor<2000xf64>) -> (tensor<f64>, tensor<i64>, tensor<f64>) {
  %0 = ingot.reduce add %x axes = [0] : (tensor<200000xf64>) -> tensor<f64>
  %1 = ingot.reduce add %n axes = [0] : (tensor<200000xi64>) -> tensor<i64>
  %2 = ingot.reduce add %s axes = [0] : (tensor<2000xf64>) -> tensor<f64>
  return %0, %1, %2 : tensor<f64>, tensor<i64>, tensor<f64>
}

// -----

// What is only padded is not stored, if it is computed quickly from what is: its users compute it.
// CHECK-LABEL: func.func @padded
// CHECK: %[[FOUND:.*]]:2 = ingot.for
// CHECK-NOT: ingot.mul %{{.*}} : (tensor<2x32xf64>, tensor<f64>)
// CHECK: {ingot.overwritten = array<i64: 0, 1>, ingot.parallel = 2 : i64}
// CHECK: %[[MUL:.*]] = ingot.mul %[[FOUND]]#{{[01]}}, %{{.*}} : (tensor<10x32xf64>, tensor<f64>)
// CHECK: ingot.pad %[[MUL]]
func.func @padded(%x: tensor<10x32xf64>) -> tensor<12x32xf64> {
  %four = ingot.constant dense<4.0> : tensor<f64>
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %0 = ingot.exp %x : tensor<10x32xf64>
  %1 = ingot.sin %0 : tensor<10x32xf64>
  %2 = ingot.mul %0, %four : (tensor<10x32xf64>, tensor<f64>) -> tensor<10x32xf64>
  %3 = ingot.pad %2, %zero low = [1, 0] high = [1, 0] interior = [0, 0] : (tensor<10x32xf64>, tensor<f64>) -> tensor<12x32xf64>
  %4 = ingot.pad %0, %zero low = [2, 0] high = [0, 0] interior = [0, 0] : (tensor<10x32xf64>, tensor<f64>) -> tensor<12x32xf64>
  %5 = ingot.pad %1, %zero low = [0, 0] high = [2, 0] interior = [0, 0] : (tensor<10x32xf64>, tensor<f64>) -> tensor<12x32xf64>
  %6 = ingot.add %3, %4 : (tensor<12x32xf64>, tensor<12x32xf64>) -> tensor<12x32xf64>
  %7 = ingot.add %6, %5 : (tensor<12x32xf64>, tensor<12x32xf64>) -> tensor<12x32xf64>
  return %7 : tensor<12x32xf64>
}
