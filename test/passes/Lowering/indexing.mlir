// RUN: %lower-and-verify

// CHECK-LABEL: func.func @slices
func.func @slices(%x: tensor<8x9xf64>, %i: tensor<i64>, %u: tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<1x4xf64>, tensor<8x9xf64>) {
  // CHECK: stablehlo.slice %arg0 [1:5:3, 0:3] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  %0 = ingot.slice %x starts = [1, 0] sizes = [2, 3] strides = [3, 1] : (tensor<8x9xf64>) -> tensor<2x3xf64>
  // CHECK: %[[W:.*]] = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [1, 7]
  // CHECK-NEXT: stablehlo.slice %[[W]] [0:1, 0:7:2]
  %1 = ingot.dynamic_slice %x[%i, %i] sizes = [1, 4] strides = [1, 2] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
  // CHECK: stablehlo.dynamic_update_slice %arg0, %arg2, %arg1, %arg1
  %2 = ingot.update_slice %x, %u[%i, %i] strides = [1, 1] : (tensor<8x9xf64>, tensor<2x3xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
  return %0, %1, %2 : tensor<2x3xf64>, tensor<1x4xf64>, tensor<8x9xf64>
}

// The elements between those of a strided update stay as they are.
// CHECK-LABEL: func.func @strided_update
func.func @strided_update(%x: tensor<8xf64>, %u: tensor<3xf64>, %i: tensor<i64>) -> tensor<8xf64> {
  // CHECK: %[[OLD:.*]] = stablehlo.dynamic_slice %arg0, %arg2, sizes = [5]
  // CHECK: %[[NEW:.*]] = stablehlo.pad %arg1, %{{.*}}, low = [0], high = [0], interior = [1]
  // CHECK: %[[FILLED:.*]] = stablehlo.select %{{.*}}, %[[NEW]], %[[OLD]]
  // CHECK: stablehlo.dynamic_update_slice %arg0, %[[FILLED]], %arg2
  %0 = ingot.update_slice %x, %u[%i] strides = [2] : (tensor<8xf64>, tensor<3xf64>, tensor<i64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// CHECK-LABEL: func.func @empty_update
func.func @empty_update(%x: tensor<8xf64>, %u: tensor<0xf64>, %i: tensor<i64>) -> tensor<8xf64> {
  // CHECK-NEXT: return %arg0
  %0 = ingot.update_slice %x, %u[%i] strides = [1] : (tensor<8xf64>, tensor<0xf64>, tensor<i64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<8x9x3xf64>, %i: tensor<5xi32>, %j: tensor<5xi64>) -> tensor<5x3xf64> {
  // CHECK: %[[I:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<5x1xi64>, tensor<5x1xi64>) -> tensor<5x2xi64>
  // CHECK: "stablehlo.gather"(%arg0, %[[I]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>
  %0 = ingot.gather %x[%i, %j] : (tensor<8x9x3xf64>, tensor<5xi32>, tensor<5xi64>) -> tensor<5x3xf64>
  return %0 : tensor<5x3xf64>
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<8x3xf64>, %u: tensor<5x3xf64>, %i: tensor<5xi64>) -> (tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>) {
  // CHECK: "stablehlo.scatter"
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f64>, %[[NEW:.*]]: tensor<f64>):
  // CHECK-NEXT: stablehlo.return %[[NEW]]
  %0 = ingot.scatter set %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.add
  %1 = ingot.scatter add %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.multiply
  %2 = ingot.scatter mul %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.minimum
  %3 = ingot.scatter min %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  // CHECK: stablehlo.maximum
  %4 = ingot.scatter max %x, %u[%i] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  return %0, %1, %2, %3, %4 : tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x3xf64>
}

// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<0x3xf64>, %i: tensor<0xi64>, %u: tensor<0x3xf64>) -> (tensor<0x3xf64>, tensor<0x3xf64>) {
  // CHECK-NOT: stablehlo.gather
  // CHECK-NOT: stablehlo.scatter
  // CHECK: return %{{.*}}, %arg0
  %0 = ingot.gather %x[%i] : (tensor<0x3xf64>, tensor<0xi64>) -> tensor<0x3xf64>
  %1 = ingot.scatter set %x, %u[%i] : (tensor<0x3xf64>, tensor<0x3xf64>, tensor<0xi64>) -> tensor<0x3xf64>
  return %0, %1 : tensor<0x3xf64>, tensor<0x3xf64>
}

// An index array that counts along one of its axes makes batching axes.
// CHECK-LABEL: func.func @paired
func.func @paired(%x: tensor<8x9x3xf64>, %j: tensor<8xi64>, %u: tensor<8x3xf64>) -> (tensor<8x3xf64>, tensor<8x9x3xf64>) {
  %i = ingot.iota axis = 0 : tensor<8xi64>
  // CHECK: %[[J:.*]] = stablehlo.reshape %arg1 : (tensor<8xi64>) -> tensor<8x1xi64>
  // CHECK: "stablehlo.gather"(%arg0, %[[J]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 3>}>
  %0 = ingot.gather %x[%i, %j] : (tensor<8x9x3xf64>, tensor<8xi64>, tensor<8xi64>) -> tensor<8x3xf64>
  // CHECK: "stablehlo.scatter"(%arg0, %{{.*}}, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>
  %1 = ingot.scatter add %x, %u[%i, %j] : (tensor<8x9x3xf64>, tensor<8x3xf64>, tensor<8xi64>, tensor<8xi64>) -> tensor<8x9x3xf64>
  return %0, %1 : tensor<8x3xf64>, tensor<8x9x3xf64>
}

// The arrays of np.take_along_axis, with the indexed axis first.
// CHECK-LABEL: func.func @paired_by_reshapes
func.func @paired_by_reshapes(%x: tensor<4x8x9xf64>, %k: tensor<2x8x9xi64>) -> tensor<2x8x9xf64> {
  %0 = ingot.iota axis = 0 : tensor<8xi32>
  %1 = ingot.convert %0 : (tensor<8xi32>) -> tensor<8xi64>
  %2 = ingot.reshape %1 : (tensor<8xi64>) -> tensor<1x8x1xi64>
  %i = ingot.broadcast_to %2 : (tensor<1x8x1xi64>) -> tensor<2x8x9xi64>
  %3 = ingot.iota axis = 0 : tensor<9x8xi64>
  %4 = ingot.transpose %3 axes = [1, 0] : (tensor<9x8xi64>) -> tensor<8x9xi64>
  %j = ingot.broadcast_to %4 : (tensor<8x9xi64>) -> tensor<2x8x9xi64>
  // CHECK: collapsed_slice_dims = [0], operand_batching_dims = [1, 2], start_indices_batching_dims = [1, 2], start_index_map = [0], index_vector_dim = 3>
  %5 = ingot.gather %x[%k, %i, %j] : (tensor<4x8x9xf64>, tensor<2x8x9xi64>, tensor<2x8x9xi64>, tensor<2x8x9xi64>) -> tensor<2x8x9xf64>
  return %5 : tensor<2x8x9xf64>
}

// CHECK-LABEL: func.func @paired_once
func.func @paired_once(%x: tensor<8x8xf64>) -> (tensor<8xf64>, tensor<8x8xf64>) {
  %i = ingot.iota axis = 0 : tensor<8xi64>
  // An axis of the indices is paired with one axis only.
  // CHECK: collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>
  %0 = ingot.gather %x[%i, %i] : (tensor<8x8xf64>, tensor<8xi64>, tensor<8xi64>) -> tensor<8xf64>
  %j = ingot.iota axis = 1 : tensor<8x8xi64>
  %k = ingot.iota axis = 0 : tensor<8x8xi64>
  // An index stays besides the batching axes.
  // CHECK: collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>
  %1 = ingot.gather %x[%j, %k] : (tensor<8x8xf64>, tensor<8x8xi64>, tensor<8x8xi64>) -> tensor<8x8xf64>
  return %0, %1 : tensor<8xf64>, tensor<8x8xf64>
}

// CHECK-LABEL: func.func @not_paired
func.func @not_paired(%x: tensor<400x3xf64>, %j: tensor<8xi64>, %k: tensor<400xi64>, %l: tensor<2x400xi64>) -> (tensor<8xf64>, tensor<400xf64>, tensor<2x400xf64>) {
  // CHECK-NOT: batching_dims
  // Not the whole axis.
  %i = ingot.iota axis = 0 : tensor<8xi64>
  %0 = ingot.gather %x[%i, %j] : (tensor<400x3xf64>, tensor<8xi64>, tensor<8xi64>) -> tensor<8xf64>
  // The numbers wrap around.
  %1 = ingot.iota axis = 0 : tensor<400xi64>
  %2 = ingot.convert %1 : (tensor<400xi64>) -> tensor<400xui8>
  %3 = ingot.convert %2 : (tensor<400xui8>) -> tensor<400xi64>
  %4 = ingot.gather %x[%3, %k] : (tensor<400x3xf64>, tensor<400xi64>, tensor<400xi64>) -> tensor<400xf64>
  // The axis is not kept.
  %5 = ingot.iota axis = 1 : tensor<2x400xi64>
  %6 = ingot.reshape %5 : (tensor<2x400xi64>) -> tensor<400x2xi64>
  %7 = ingot.transpose %6 axes = [1, 0] : (tensor<400x2xi64>) -> tensor<2x400xi64>
  %8 = ingot.gather %x[%7, %l] : (tensor<400x3xf64>, tensor<2x400xi64>, tensor<2x400xi64>) -> tensor<2x400xf64>
  return %0, %4, %8 : tensor<8xf64>, tensor<400xf64>, tensor<2x400xf64>
}
