// RUN: ingot-opt %s --contract-sums --split-input-file | FileCheck %s
// RUN: ingot-opt %s --contract-sums=least=1 --split-input-file | FileCheck %s --check-prefix=LEAST

// (a[:, None, :] * b).sum(axis=2)
// CHECK-LABEL: func.func @matrices
// CHECK-SAME: (%[[A:.*]]: tensor<40x1x30xf64>, %[[B:.*]]: tensor<20x30xf64>)
// CHECK: %[[R:.*]] = ingot.reshape %[[A]] : (tensor<40x1x30xf64>) -> tensor<40x30xf64>
// CHECK: %[[D:.*]] = ingot.dot_general %[[R]], %[[B]] batching = [] x [] contracting = [1] x [1] : (tensor<40x30xf64>, tensor<20x30xf64>) -> tensor<40x20xf64>
// CHECK-NEXT: return %[[D]]
func.func @matrices(%a: tensor<40x1x30xf64>, %b: tensor<20x30xf64>) -> tensor<40x20xf64> {
  %0 = ingot.mul %a, %b : (tensor<40x1x30xf64>, tensor<20x30xf64>) -> tensor<40x20x30xf64>
  %1 = ingot.reduce add %0 axes = [2] : (tensor<40x20x30xf64>) -> tensor<40x20xf64>
  return %1 : tensor<40x20xf64>
}

// -----

// The first factor has the later axis: the product is transposed. Broadcasts and an addition of zero
// are looked through, as `raise-loops` leaves them, and so is a reshape of the terms.
// CHECK-LABEL: func.func @raised
// CHECK-SAME: (%[[A:.*]]: tensor<20x30xf32>, %[[B:.*]]: tensor<40x1x30xf32>)
// CHECK: %[[D:.*]] = ingot.dot_general %[[A]], %{{.*}} batching = [] x [] contracting = [1] x [1] : (tensor<20x30xf32>, tensor<40x30xf32>) -> tensor<20x40xf32>
// CHECK: %[[T:.*]] = ingot.transpose %[[D]] axes = [1, 0]
// CHECK: %[[R:.*]] = ingot.reshape %[[T]] : (tensor<40x20xf32>) -> tensor<40x20x1xf32>
// CHECK: return %[[R]]
func.func @raised(%a: tensor<20x30xf32>, %b: tensor<40x1x30xf32>) -> tensor<40x20x1xf32> {
  %zero = ingot.constant dense<0.0> : tensor<f32>
  %0 = ingot.broadcast_to %a : (tensor<20x30xf32>) -> tensor<40x20x30xf32>
  %1 = ingot.mul %0, %b : (tensor<40x20x30xf32>, tensor<40x1x30xf32>) -> tensor<40x20x30xf32>
  %2 = ingot.add %zero, %1 : (tensor<f32>, tensor<40x20x30xf32>) -> tensor<40x20x30xf32>
  %3 = ingot.reshape %2 : (tensor<40x20x30xf32>) -> tensor<40x20x30x1xf32>
  %4 = ingot.reduce add %3 axes = [2] : (tensor<40x20x30x1xf32>) -> tensor<40x20x1xf32>
  return %4 : tensor<40x20x1xf32>
}

// -----

// Axes that both have and that are not summed are batching ones.
// CHECK-LABEL: func.func @batches
// CHECK: ingot.dot_general %{{.*}}, %{{.*}} batching = [1] x [1] contracting = [0, 3] x [0, 3] : (tensor<9x6x4x8xcomplex<f64>>, tensor<9x6x5x8xcomplex<f64>>) -> tensor<6x4x5xcomplex<f64>>
// CHECK-NOT: ingot.reduce
func.func @batches(%a: tensor<9x6x4x1x8xcomplex<f64>>, %b: tensor<6x9x5x8xcomplex<f64>>) -> tensor<6x4x5xcomplex<f64>> {
  %0 = ingot.transpose %b axes = [1, 0, 2, 3] : (tensor<6x9x5x8xcomplex<f64>>) -> tensor<9x6x5x8xcomplex<f64>>
  %1 = ingot.reshape %0 : (tensor<9x6x5x8xcomplex<f64>>) -> tensor<9x6x1x5x8xcomplex<f64>>
  %2 = ingot.mul %a, %1 : (tensor<9x6x4x1x8xcomplex<f64>>, tensor<9x6x1x5x8xcomplex<f64>>) -> tensor<9x6x4x5x8xcomplex<f64>>
  %3 = ingot.reduce add %2 axes = [0, 4] : (tensor<9x6x4x5x8xcomplex<f64>>) -> tensor<6x4x5xcomplex<f64>>
  return %3 : tensor<6x4x5xcomplex<f64>>
}

// -----

// The product of a matrix and a vector is one pass over the matrix anyway.
// CHECK-LABEL: func.func @vector
// CHECK: ingot.reduce add
// LEAST-LABEL: func.func @vector
// LEAST: ingot.reduce add
func.func @vector(%a: tensor<40x30xf64>, %b: tensor<30xf64>) -> tensor<40xf64> {
  %0 = ingot.mul %a, %b : (tensor<40x30xf64>, tensor<30xf64>) -> tensor<40x30xf64>
  %1 = ingot.reduce add %0 axes = [1] : (tensor<40x30xf64>) -> tensor<40xf64>
  return %1 : tensor<40xf64>
}

// -----

// An axis of one factor alone is summed.
// CHECK-LABEL: func.func @one_factor
// CHECK: ingot.reduce add
func.func @one_factor(%a: tensor<40x1x30xf64>, %b: tensor<20x30xf64>) -> tensor<40xf64> {
  %0 = ingot.mul %a, %b : (tensor<40x1x30xf64>, tensor<20x30xf64>) -> tensor<40x20x30xf64>
  %1 = ingot.reduce add %0 axes = [1, 2] : (tensor<40x20x30xf64>) -> tensor<40xf64>
  return %1 : tensor<40xf64>
}

// -----

// Another kind of sum, integers, which no library multiplies, and half precision, whose sums NumPy
// computes in another one.
// CHECK-LABEL: func.func @others
// CHECK: ingot.reduce max
// CHECK: ingot.reduce add
// CHECK: ingot.reduce add
func.func @others(%a: tensor<40x1x30xf64>, %b: tensor<20x30xf64>, %c: tensor<40x1x30xi64>, %d: tensor<20x30xi64>, %e: tensor<40x1x30xf16>, %f: tensor<20x30xf16>) -> (tensor<40x20xf64>, tensor<40x20xi64>, tensor<40x20xf16>) {
  %0 = ingot.mul %a, %b : (tensor<40x1x30xf64>, tensor<20x30xf64>) -> tensor<40x20x30xf64>
  %1 = ingot.reduce max %0 axes = [2] : (tensor<40x20x30xf64>) -> tensor<40x20xf64>
  %2 = ingot.mul %c, %d : (tensor<40x1x30xi64>, tensor<20x30xi64>) -> tensor<40x20x30xi64>
  %3 = ingot.reduce add %2 axes = [2] : (tensor<40x20x30xi64>) -> tensor<40x20xi64>
  %4 = ingot.mul %e, %f : (tensor<40x1x30xf16>, tensor<20x30xf16>) -> tensor<40x20x30xf16>
  %5 = ingot.reduce add %4 axes = [2] : (tensor<40x20x30xf16>) -> tensor<40x20xf16>
  return %1, %3, %5 : tensor<40x20xf64>, tensor<40x20xi64>, tensor<40x20xf16>
}

// -----

// A few multiplications stay, and a product that something else uses.
// CHECK-LABEL: func.func @small
// CHECK: ingot.reduce add
// LEAST-LABEL: func.func @small
// LEAST: ingot.dot_general
func.func @small(%a: tensor<4x1x3xf64>, %b: tensor<2x3xf64>) -> tensor<4x2xf64> {
  %0 = ingot.mul %a, %b : (tensor<4x1x3xf64>, tensor<2x3xf64>) -> tensor<4x2x3xf64>
  %1 = ingot.reduce add %0 axes = [2] : (tensor<4x2x3xf64>) -> tensor<4x2xf64>
  return %1 : tensor<4x2xf64>
}

// -----

// CHECK-LABEL: func.func @used
// CHECK: ingot.reduce add
func.func @used(%a: tensor<40x1x30xf64>, %b: tensor<20x30xf64>) -> (tensor<40x20xf64>, tensor<40x20x30xf64>) {
  %0 = ingot.mul %a, %b : (tensor<40x1x30xf64>, tensor<20x30xf64>) -> tensor<40x20x30xf64>
  %1 = ingot.reduce add %0 axes = [2] : (tensor<40x20x30xf64>) -> tensor<40x20xf64>
  return %1, %0 : tensor<40x20xf64>, tensor<40x20x30xf64>
}

// -----

// A sum of sums, as derivatives leave them, of a product without NaNs: zeros of the first factor count.
// CHECK-LABEL: func.func @sums
// CHECK: %[[D:.*]] = ingot.dot_general %{{.*}}, %{{.*}} batching = [] x [] contracting = [0, 1] x [0, 1] {lhs_zeros} : (tensor<9x8x5xf64>, tensor<9x8x7xf64>) -> tensor<5x7xf64>
// CHECK-NOT: ingot.reduce
func.func @sums(%g: tensor<9x8x5xf64>, %x: tensor<9x8x7xf64>) -> tensor<5x7xf64> {
  %zeros = ingot.constant dense<0.0> : tensor<9x1x5x7xf64>
  %0 = ingot.reshape %g : (tensor<9x8x5xf64>) -> tensor<9x8x5x1xf64>
  %1 = ingot.reshape %x : (tensor<9x8x7xf64>) -> tensor<9x8x1x7xf64>
  %2 = ingot.mul_no_nan %0, %1 : (tensor<9x8x5x1xf64>, tensor<9x8x1x7xf64>) -> tensor<9x8x5x7xf64>
  %3 = ingot.reduce add %2 axes = [1] : (tensor<9x8x5x7xf64>) -> tensor<9x5x7xf64>
  %4 = ingot.reshape %3 : (tensor<9x5x7xf64>) -> tensor<9x1x5x7xf64>
  %5 = ingot.add %zeros, %4 : (tensor<9x1x5x7xf64>, tensor<9x1x5x7xf64>) -> tensor<9x1x5x7xf64>
  %6 = ingot.reduce add %5 axes = [0] : (tensor<9x1x5x7xf64>) -> tensor<1x5x7xf64>
  %7 = ingot.reshape %6 : (tensor<1x5x7xf64>) -> tensor<5x7xf64>
  return %7 : tensor<5x7xf64>
}

// -----

// A product that something else reads, and a maximum between sums.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: ingot.dot_general
func.func @kept(%g: tensor<9x8x5x1xf64>, %x: tensor<9x8x1x7xf64>) -> (tensor<5x7xf64>, tensor<9x8x5x7xf64>, tensor<5x7xf64>) {
  %0 = ingot.mul %g, %x : (tensor<9x8x5x1xf64>, tensor<9x8x1x7xf64>) -> tensor<9x8x5x7xf64>
  %1 = ingot.reduce add %0 axes = [1] : (tensor<9x8x5x7xf64>) -> tensor<9x5x7xf64>
  %2 = ingot.reduce add %1 axes = [0] : (tensor<9x5x7xf64>) -> tensor<5x7xf64>
  %3 = ingot.mul %x, %g : (tensor<9x8x1x7xf64>, tensor<9x8x5x1xf64>) -> tensor<9x8x5x7xf64>
  %4 = ingot.reduce max %3 axes = [1] : (tensor<9x8x5x7xf64>) -> tensor<9x5x7xf64>
  %5 = ingot.reduce add %4 axes = [0] : (tensor<9x5x7xf64>) -> tensor<5x7xf64>
  return %2, %0, %5 : tensor<5x7xf64>, tensor<9x8x5x7xf64>, tensor<5x7xf64>
}

// -----

// A sum over a batching axis of a product, and one over another axis, which stays.
// CHECK-LABEL: func.func @further
// CHECK: ingot.dot_general %arg0, %arg1 batching = [1] x [1] contracting = [3, 0] x [2, 0] {rhs_zeros} : (tensor<6x7x3x4xf64>, tensor<6x7x4x5xf64>) -> tensor<7x3x5xf64>
// CHECK-NEXT: %[[D:.*]] = ingot.dot_general
// CHECK-NEXT: ingot.reduce add %[[D]] axes = [0, 2]
func.func @further(%a: tensor<6x7x3x4xf64>, %b: tensor<6x7x4x5xf64>) -> (tensor<7x3x5xf64>, tensor<7x5xf64>) {
  %0 = ingot.dot_general %a, %b batching = [0, 1] x [0, 1] contracting = [3] x [2] {rhs_zeros} : (tensor<6x7x3x4xf64>, tensor<6x7x4x5xf64>) -> tensor<6x7x3x5xf64>
  %1 = ingot.reduce add %0 axes = [0] : (tensor<6x7x3x5xf64>) -> tensor<7x3x5xf64>
  %2 = ingot.dot_general %a, %b batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<6x7x3x4xf64>, tensor<6x7x4x5xf64>) -> tensor<6x7x3x5xf64>
  %3 = ingot.reduce add %2 axes = [0, 2] : (tensor<6x7x3x5xf64>) -> tensor<7x5xf64>
  return %1, %3 : tensor<7x3x5xf64>, tensor<7x5xf64>
}

// -----

// Neither a sum of something else than products, nor one of their largest ones.
// CHECK-LABEL: func.func @of_others
// CHECK-NOT: ingot.dot_general
func.func @of_others(%a: tensor<40x1x30xf64>, %b: tensor<20x30xf64>) -> (tensor<40x20xf64>, tensor<40xf64>) {
  %0 = ingot.mul %a, %b : (tensor<40x1x30xf64>, tensor<20x30xf64>) -> tensor<40x20x30xf64>
  %1 = ingot.exp %0 : tensor<40x20x30xf64>
  %2 = ingot.reduce add %1 axes = [2] : (tensor<40x20x30xf64>) -> tensor<40x20xf64>
  %3 = ingot.mul %a, %b : (tensor<40x1x30xf64>, tensor<20x30xf64>) -> tensor<40x20x30xf64>
  %4 = ingot.reduce max %3 axes = [2] : (tensor<40x20x30xf64>) -> tensor<40x20xf64>
  %5 = ingot.reduce add %4 axes = [1] : (tensor<40x20xf64>) -> tensor<40xf64>
  return %2, %5 : tensor<40x20xf64>, tensor<40xf64>
}

// -----

// An axis that a reshape adds is summed, too.
// CHECK-LABEL: func.func @of_ones
// CHECK: ingot.dot_general %{{.*}}, %{{.*}} batching = [] x [] contracting = [1] x [1] : (tensor<40x30xf64>, tensor<20x30xf64>) -> tensor<40x20xf64>
func.func @of_ones(%a: tensor<40x1x30xf64>, %b: tensor<20x30xf64>) -> tensor<40x20xf64> {
  %0 = ingot.mul %a, %b : (tensor<40x1x30xf64>, tensor<20x30xf64>) -> tensor<40x20x30xf64>
  %1 = ingot.reshape %0 : (tensor<40x20x30xf64>) -> tensor<40x20x30x1xf64>
  %2 = ingot.reduce add %1 axes = [2, 3] : (tensor<40x20x30x1xf64>) -> tensor<40x20xf64>
  return %2 : tensor<40x20xf64>
}
