// RUN: ingot-opt --expand-nonzero %s | FileCheck %s

// CHECK-LABEL: func.func @line
// CHECK-SAME: (%[[M:.*]]: tensor<4xi1>)
func.func @line(%m: tensor<4xi1>) -> tensor<4xi64> {
  // CHECK: %[[IOTA:.*]] = ingot.iota axis = 0 : tensor<4xi64>
  // CHECK: %[[ONES:.*]] = ingot.convert %[[M]] : (tensor<4xi1>) -> tensor<4xi64>
  // CHECK: %[[COUNT:.*]] = ingot.cumulative add %[[ONES]] axis = 0
  // CHECK: %[[PLACE:.*]] = ingot.sub %[[COUNT]], %{{.*}}
  // CHECK: %[[NOWHERE:.*]] = ingot.constant dense<4> : tensor<i64>
  // CHECK: %[[INDEX:.*]] = ingot.select %[[M]], %[[PLACE]], %[[NOWHERE]]
  // CHECK: %[[ZEROS:.*]] = ingot.constant dense<0> : tensor<5xi64>
  // CHECK: %[[LONGER:.*]] = ingot.scatter set %[[ZEROS]], %[[IOTA]][%[[INDEX]]]
  // CHECK: %[[FOUND:.*]] = ingot.slice %[[LONGER]] starts = [0] sizes = [4] strides = [1]
  // CHECK: return %[[FOUND]]
  %0 = ingot.nonzero %m : (tensor<4xi1>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// The leading axes are those of a batch.
// CHECK-LABEL: func.func @batch
func.func @batch(%m: tensor<3x4xi1>) -> tensor<3x4xi64> {
  // CHECK: %[[ROW:.*]] = ingot.iota axis = 0 : tensor<3x4xi64>
  // CHECK: %[[IOTA:.*]] = ingot.iota axis = 1 : tensor<3x4xi64>
  // CHECK: ingot.cumulative add %{{.*}} axis = 1
  // CHECK: %[[INDEX:.*]] = ingot.select
  // CHECK: ingot.scatter set %{{.*}}, %[[IOTA]][%[[ROW]], %[[INDEX]]] : (tensor<3x5xi64>
  %0 = ingot.nonzero %m : (tensor<3x4xi1>) -> tensor<3x4xi64>
  return %0 : tensor<3x4xi64>
}
