// RUN: ingot-opt --keep-last-stores %s | FileCheck %s

// The numbers of the updates are scattered with the same indices, and gathered again: where an update
// does not find its own number, a later one overwrites it, and its index moves behind the array.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME: (%[[X:.*]]: tensor<8xf64>, %[[U:.*]]: tensor<5xf64>, %[[I:.*]]: tensor<5xi32>)
func.func @numbers(%x: tensor<8xf64>, %u: tensor<5xf64>, %i: tensor<5xi32>) -> tensor<8xf64> {
  // CHECK: %[[LINE:.*]] = ingot.iota axis = 0 : tensor<5xi64>
  // CHECK: %[[NUMBERS:.*]] = ingot.reshape %[[LINE]]
  // CHECK: %[[ZEROS:.*]] = ingot.constant dense<0> : tensor<8xi64>
  // CHECK: %[[MOST:.*]] = ingot.scatter max %[[ZEROS]], %[[NUMBERS]][%[[I]]]
  // CHECK: %[[FOUND:.*]] = ingot.gather %[[MOST]][%[[I]]]
  // CHECK: %[[LAST:.*]] = ingot.compare eq %[[FOUND]], %[[NUMBERS]]
  // CHECK: %[[WIDE:.*]] = ingot.convert %[[I]] : (tensor<5xi32>) -> tensor<5xi64>
  // CHECK: %[[BEHIND:.*]] = ingot.constant dense<8> : tensor<i64>
  // CHECK: %[[KEPT:.*]] = ingot.select %[[LAST]], %[[WIDE]], %[[BEHIND]]
  // CHECK: ingot.scatter set %[[X]], %[[U]][%[[KEPT]]] {unique}
  %0 = ingot.scatter set %x, %u[%i] : (tensor<8xf64>, tensor<5xf64>, tensor<5xi32>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// Few indices into a large array are compared with each other.
// CHECK-LABEL: func.func @few
// CHECK-SAME: %[[I:.*]]: tensor<2x2xi64>, %[[J:.*]]: tensor<2x2xi64>)
func.func @few(%x: tensor<4x5x3xf64>, %u: tensor<2x2x3xf64>, %i: tensor<2x2xi64>, %j: tensor<2x2xi64>) -> tensor<4x5x3xf64> {
  // CHECK-NOT: scatter max
  // CHECK: %[[LINE:.*]] = ingot.iota axis = 0 : tensor<4xi64>
  // CHECK-DAG: %[[ROW:.*]] = ingot.reshape %[[LINE]] : (tensor<4xi64>) -> tensor<4x1xi64>
  // CHECK-DAG: %[[COLUMN:.*]] = ingot.reshape %[[LINE]] : (tensor<4xi64>) -> tensor<1x4xi64>
  // CHECK: %[[LATER:.*]] = ingot.compare lt %[[ROW]], %[[COLUMN]]
  // CHECK: %[[SAME_I:.*]] = ingot.compare eq
  // CHECK: %[[BOTH:.*]] = ingot.and %[[LATER]], %[[SAME_I]]
  // CHECK: %[[SAME_J:.*]] = ingot.compare eq
  // CHECK: %[[ALL:.*]] = ingot.and %[[BOTH]], %[[SAME_J]]
  // CHECK: %[[HIDDEN:.*]] = ingot.reduce or %[[ALL]] axes = [1]
  // CHECK: %[[LAST:.*]] = ingot.not %[[HIDDEN]]
  // CHECK: %[[LAID:.*]] = ingot.reshape %[[LAST]] : (tensor<4xi1>) -> tensor<2x2xi1>
  // CHECK: %[[KEPT:.*]] = ingot.select %[[LAID]]
  // CHECK: ingot.scatter set %{{.*}}, %{{.*}}[%[[KEPT]], %[[J]]] {unique}
  %0 = ingot.scatter set %x, %u[%i, %j] : (tensor<4x5x3xf64>, tensor<2x2x3xf64>, tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<4x5x3xf64>
  return %0 : tensor<4x5x3xf64>
}

// Stores of which no two are to one element, and sums, remain.
// CHECK-LABEL: func.func @remain
func.func @remain(%x: tensor<8xf64>, %u: tensor<5xf64>, %v: tensor<1xf64>, %i: tensor<5xi64>, %j: tensor<1xi64>) -> tensor<8xf64> {
  // CHECK-NOT: ingot.select
  %iota = ingot.iota axis = 0 : tensor<5xi64>
  %0 = ingot.scatter set %x, %u[%iota] : (tensor<8xf64>, tensor<5xf64>, tensor<5xi64>) -> tensor<8xf64>
  %1 = ingot.scatter set %0, %u[%i] {unique} : (tensor<8xf64>, tensor<5xf64>, tensor<5xi64>) -> tensor<8xf64>
  %2 = ingot.scatter set %1, %v[%j] : (tensor<8xf64>, tensor<1xf64>, tensor<1xi64>) -> tensor<8xf64>
  %3 = ingot.scatter add %2, %u[%i] : (tensor<8xf64>, tensor<5xf64>, tensor<5xi64>) -> tensor<8xf64>
  return %3 : tensor<8xf64>
}
