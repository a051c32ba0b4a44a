// RUN: ingot-opt %s --call-numpy --split-input-file | FileCheck %s

#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>

// CHECK: func.func private @ingot.multiply({{[index, ]*}})
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.*]]: memref<40x30xf64>, %[[B:.*]]: memref<30x50xf64>, %[[C:.*]]: memref<40x50xf64>)
// CHECK: memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: memref.extract_aligned_pointer_as_index %[[C]]
// CHECK-NOT: linalg
// CHECK: call @ingot.multiply
func.func @product(%a: memref<40x30xf64>, %b: memref<30x50xf64>, %c: memref<40x50xf64>) {
  linalg.generic {indexing_maps = [#left, #right, #result], library_call = "multiply",
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<40x30xf64>, memref<30x50xf64>) outs(%c : memref<40x50xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %z, %p : f64
    linalg.yield %s : f64
  }
  return
}

// -----

#left = affine_map<(b, i, j, k) -> (k, b, i)>
#right = affine_map<(b, i, j, k) -> (b, k, j)>
#result = affine_map<(b, i, j, k) -> (b, i, j)>

// The operand's rows are 1 element apart, what is summed up 60 elements of 8 bytes. The batch's
// items begin after 20 elements.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[BATCH:.*]] = arith.constant 3 : index
// CHECK: %[[ROWS:.*]] = arith.constant 20 : index
// CHECK: %[[SUMS:.*]] = arith.constant 30 : index
// CHECK: %[[COLUMNS:.*]] = arith.constant 40 : index
// CHECK: %[[OF_BATCH:.*]] = arith.constant 160 : index
// CHECK: arith.constant 9600 : index
// CHECK: arith.constant 6400 : index
// CHECK: %[[OF_ROWS:.*]] = arith.constant 8 : index
// CHECK: %[[OF_SUMS:.*]] = arith.constant 800 : index
// CHECK: memref.extract_strided_metadata %{{.*}} : memref<30x3x20xcomplex<f32>, strided<[100, 20, 1], offset: 7>>
// CHECK: call @ingot.multiply(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[BATCH]], %[[ROWS]], %[[SUMS]], %[[COLUMNS]], %[[OF_BATCH]], %{{.*}}, %{{.*}}, %[[OF_ROWS]], %[[OF_SUMS]],
func.func @transposed(%a: memref<30x3x20xcomplex<f32>, strided<[100, 20, 1], offset: 7>>,
                      %b: memref<3x30x40xcomplex<f32>>, %c: memref<3x20x40xcomplex<f32>>) {
  linalg.generic {indexing_maps = [#left, #right, #result], library_call = "multiply",
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<30x3x20xcomplex<f32>, strided<[100, 20, 1], offset: 7>>, memref<3x30x40xcomplex<f32>>)
      outs(%c : memref<3x20x40xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %z: complex<f32>):
    %p = complex.mul %x, %y : complex<f32>
    %s = complex.add %z, %p : complex<f32>
    linalg.yield %s : complex<f32>
  }
  return
}

// -----

#left = affine_map<(i, j, k, l) -> (k, i, l)>
#right = affine_map<(i, j, k, l) -> (k, l, j)>
#result = affine_map<(i, j, k, l) -> (i, j)>

// What is summed up is not adjacent in memory.
// CHECK-LABEL: func.func @apart
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: linalg.fill ins(%[[ZERO]] : f64) outs(%{{.*}} : memref<40x50xf64>)
// CHECK: linalg.generic
// CHECK-NOT: library_call
// CHECK-NOT: call
func.func @apart(%a: memref<5x40x6xf64>, %b: memref<5x6x50xf64>, %c: memref<40x50xf64>) {
  linalg.generic {indexing_maps = [#left, #right, #result], library_call = "multiply",
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : memref<5x40x6xf64>, memref<5x6x50xf64>) outs(%c : memref<40x50xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %z, %p : f64
    linalg.yield %s : f64
  }
  return
}

// -----

#a = affine_map<(i, j, k, l, m, n, o) -> (i, j, k)>
#b = affine_map<(i, j, k, l, m, n, o) -> (i, l, m)>
#x = affine_map<(i, j, k, l, m, n, o) -> (i, n, o)>
#each = affine_map<(i, j, k, l, m, n, o) -> (i)>

// NumPy takes the addresses of the arrays, the sizes (5 systems of 20 equations with 3 right-hand
// sides) and the distances in bytes: between the systems, then along the axes of each.
// CHECK: func.func private @ingot.solve(index, index, index)
// CHECK-LABEL: func.func @solve
// CHECK-SAME: (%[[A:.*]]: memref<5x20x20xf64, strided<[?, 40, 2], offset: ?>>, %[[B:.*]]: memref<5x20x3xf64>, %[[X:.*]]: memref<5x20x3xf64>, %[[FAILED:.*]]: memref<5xi32>,
// CHECK: %[[NUMBERS:.*]] = memref.alloca() : memref<15xindex>
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK-NOT: memref.alloca
// CHECK: %[[OF_FAILED:.*]] = memref.extract_aligned_pointer_as_index %[[FAILED]]
// CHECK: %[[OF_EACH:.*]] = arith.addi %[[OF_FAILED]],
// CHECK: %[[BATCH:.*]] = arith.constant 5 : index
// CHECK: %[[SIZE:.*]] = arith.constant 20 : index
// CHECK: %[[SIDES:.*]] = arith.constant 3 : index
// CHECK-COUNT-3: memref.store {{.*}}, %[[NUMBERS]]
// CHECK: memref.store %[[BATCH]], %[[NUMBERS]]
// CHECK: memref.store %[[SIZE]], %[[NUMBERS]]
// CHECK: memref.store %[[SIDES]], %[[NUMBERS]]
// CHECK-COUNT-9: memref.store {{.*}}, %[[NUMBERS]]
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[NUMBERS]]
// CHECK: call @ingot.solve(%{{.*}}, %[[ADDRESS]], %[[OF_EACH]])
func.func @solve(%a: memref<5x20x20xf64, strided<[?, 40, 2], offset: ?>>, %b: memref<5x20x3xf64>,
                 %x: memref<5x20x3xf64>, %failed: memref<5xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %t = %zero to %n step %one {
    linalg.generic {indexing_maps = [#a, #b, #x, #each], library_call = "solve",
                    iterator_types = ["parallel", "reduction", "reduction", "reduction", "reduction", "parallel", "parallel"]}
        ins(%a, %b : memref<5x20x20xf64, strided<[?, 40, 2], offset: ?>>, memref<5x20x3xf64>)
        outs(%x, %failed : memref<5x20x3xf64>, memref<5xi32>) {
    ^bb0(%p: f64, %q: f64, %r: f64, %s: i32):
      linalg.yield %r, %s : f64, i32
    }
  }
  return
}

// -----

#x = affine_map<(i, j, k) -> (i, j)>
#factor = affine_map<(i, j, k) -> ()>
#y = affine_map<(i, j, k) -> (i, k)>

// All of the stack at once, with the same factor: its distance is 0, and no array tells of failures.
// CHECK-LABEL: func.func @transform
// CHECK: %[[NUMBERS:.*]] = memref.alloca() : memref<11xindex>
// CHECK: %[[NONE:.*]] = arith.constant 0 : index
// CHECK: call @ingot.fft(%{{.*}}, %{{.*}}, %[[NONE]])
func.func @transform(%x: memref<6x12xcomplex<f64>>, %factor: memref<f64>, %y: memref<6x12xcomplex<f64>>) {
  linalg.generic {indexing_maps = [#x, #factor, #y], library_call = "fft",
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x, %factor : memref<6x12xcomplex<f64>>, memref<f64>) outs(%y : memref<6x12xcomplex<f64>>) {
  ^bb0(%p: complex<f64>, %q: f64, %r: complex<f64>):
    linalg.yield %r : complex<f64>
  }
  return
}
