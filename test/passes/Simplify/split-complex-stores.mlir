// RUN: ingot-opt --split-complex-stores %s | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK-SAME: (%[[X:.*]]: tensor<8xcomplex<f64>>, %[[U:.*]]: tensor<5xcomplex<f64>>, %[[I:.*]]: tensor<5xi64>)
func.func @sums(%x: tensor<8xcomplex<f64>>, %u: tensor<5xcomplex<f64>>, %i: tensor<5xi64>) -> tensor<8xcomplex<f64>> {
  // CHECK-DAG: %[[XR:.*]] = ingot.real %[[X]]
  // CHECK-DAG: %[[UR:.*]] = ingot.real %[[U]]
  // CHECK-DAG: %[[XI:.*]] = ingot.imag %[[X]]
  // CHECK-DAG: %[[UI:.*]] = ingot.imag %[[U]]
  // CHECK-DAG: %[[R:.*]] = ingot.scatter add %[[XR]], %[[UR]][%[[I]]]
  // CHECK-DAG: %[[IM:.*]] = ingot.scatter add %[[XI]], %[[UI]][%[[I]]]
  // CHECK: %[[MADE:.*]] = ingot.complex %[[R]], %[[IM]]
  // CHECK: return %[[MADE]]
  %0 = ingot.scatter add %x, %u[%i] : (tensor<8xcomplex<f64>>, tensor<5xcomplex<f64>>, tensor<5xi64>) -> tensor<8xcomplex<f64>>
  return %0 : tensor<8xcomplex<f64>>
}

// CHECK-LABEL: func.func @stores
func.func @stores(%x: tensor<8xcomplex<f64>>, %u: tensor<5xcomplex<f64>>, %i: tensor<5xi64>) -> tensor<8xcomplex<f64>> {
  // CHECK: ingot.scatter set %{{.*}} {unique} : (tensor<8xf64>
  // CHECK: ingot.scatter set %{{.*}} {unique} : (tensor<8xf64>
  %0 = ingot.scatter set %x, %u[%i] {unique} : (tensor<8xcomplex<f64>>, tensor<5xcomplex<f64>>, tensor<5xi64>) -> tensor<8xcomplex<f64>>
  return %0 : tensor<8xcomplex<f64>>
}

// The parts of equal indices could be those of different updates, a single update is no loop, products
// mix the parts, and single precision is stored as a whole.
// CHECK-LABEL: func.func @remain
func.func @remain(%x: tensor<8xcomplex<f64>>, %y: tensor<8xcomplex<f32>>, %u: tensor<5xcomplex<f64>>, %v: tensor<1xcomplex<f64>>,
                  %w: tensor<5xcomplex<f32>>, %i: tensor<5xi64>, %j: tensor<1xi64>) -> (tensor<8xcomplex<f64>>, tensor<8xcomplex<f32>>) {
  // CHECK-NOT: ingot.real
  %0 = ingot.scatter set %x, %u[%i] : (tensor<8xcomplex<f64>>, tensor<5xcomplex<f64>>, tensor<5xi64>) -> tensor<8xcomplex<f64>>
  %1 = ingot.scatter add %0, %v[%j] : (tensor<8xcomplex<f64>>, tensor<1xcomplex<f64>>, tensor<1xi64>) -> tensor<8xcomplex<f64>>
  %2 = ingot.scatter mul %1, %u[%i] : (tensor<8xcomplex<f64>>, tensor<5xcomplex<f64>>, tensor<5xi64>) -> tensor<8xcomplex<f64>>
  %3 = ingot.scatter add %y, %w[%i] : (tensor<8xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xi64>) -> tensor<8xcomplex<f32>>
  return %2, %3 : tensor<8xcomplex<f64>>, tensor<8xcomplex<f32>>
}
