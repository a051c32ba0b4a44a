// RUN: ingot-opt %s --form-fusions --split-input-file | FileCheck %s
// RUN: ingot-opt %s --form-fusions=least=4 --split-input-file | FileCheck %s --check-prefix=LEAST
// RUN: ingot-opt %s --form-fusions --split-input-file --remarks-filter=form-fusions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A function of native operations alone is one fusion, however small. Constants move into it.
// CHECK-LABEL: @whole
// CHECK-NOT: ingot.constant
// CHECK: %[[R:.*]]:2 = ingot.fusion {
// CHECK-NEXT: %[[C:.*]] = ingot.constant
// CHECK-NEXT: %[[M:.*]] = ingot.mul %arg0, %[[C]]
// CHECK-NEXT: %[[S:.*]] = ingot.sin %[[M]]
// CHECK-NEXT: ingot.yield %[[M]], %[[S]]
// CHECK-NEXT: } : tensor<4xf64>, tensor<4xf64>
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @whole(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %c = ingot.constant dense<2.0> : tensor<f64>
  %0 = ingot.mul %x, %c : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  // REMARK: :[[#@LINE+1]]:8: remark: [Passed] fused {{.*}}"2 operations become one kernel"
  %1 = ingot.sin %0 : tensor<4xf64>
  return %0, %1 : tensor<4xf64>, tensor<4xf64>
}

// -----

// Beside a sort, small arrays are left to XLA.
// CHECK-LABEL: @small
// CHECK-NOT: ingot.fusion
// LEAST-LABEL: @small
// LEAST: ingot.fusion {
// LEAST-NEXT: ingot.sin
// LEAST: ingot.sort
func.func @small(%x: tensor<4xf64>) -> tensor<4xf64> {
  // REMARK: :[[#@LINE+1]]:8: remark: [Missed] small {{.*}}"1 operation on fewer than 1024 elements: a call of a kernel would take longer"
  %0 = ingot.sin %x : tensor<4xf64>
  // REMARK: :[[#@LINE+1]]:8: remark: [Missed] other {{.*}}"`ingot.sort` is left to XLA or a library"
  %1 = ingot.sort %0 axis = 0 keys = 1 : (tensor<4xf64>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

// -----

// What is before a sort and what is after it are two fusions, and what does not depend on it is in
// the first one.
// CHECK-LABEL: @stages
// CHECK: %[[A:.*]]:2 = ingot.fusion {
// CHECK-NEXT: ingot.sin %arg0
// CHECK-NEXT: ingot.cos %arg0
// CHECK: %[[S:.*]] = ingot.sort %[[A]]#0
// CHECK-NEXT: %[[B:.*]] = ingot.fusion {
// CHECK-NEXT: ingot.add %[[S]], %[[A]]#1
// CHECK: return %[[B]]
func.func @stages(%x: tensor<2048xf64>) -> tensor<2048xf64> {
  %0 = ingot.sin %x : tensor<2048xf64>
  %1 = ingot.sort %0 axis = 0 keys = 1 : (tensor<2048xf64>) -> tensor<2048xf64>
  %2 = ingot.cos %x : tensor<2048xf64>
  %3 = ingot.add %1, %2 : (tensor<2048xf64>, tensor<2048xf64>) -> tensor<2048xf64>
  return %3 : tensor<2048xf64>
}

// -----

// A loop with a large product of integers stays; what it repeats around the product is fused.
// CHECK-LABEL: @loop_with_a_product
// CHECK: ingot.for
// CHECK-NEXT: %[[D:.*]] = ingot.dot_general
// CHECK-NEXT: %[[F:.*]] = ingot.fusion {
// CHECK-NEXT: ingot.neg %[[D]]
// CHECK: ingot.yield %[[F]] : tensor<64x64xi64>
func.func @loop_with_a_product(%n: tensor<i64>, %x: tensor<64x64xi64>) -> tensor<64x64xi64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  // REMARK: :[[#@LINE+1]]:8: remark: [Missed] other {{.*}}"`ingot.for` is not in a kernel, since it contains `ingot.dot_general`"
  %2 = ingot.for %i = %0 to %n step %1 carry (%a = %x) : tensor<64x64xi64> {
    %3 = ingot.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<64x64xi64>, tensor<64x64xi64>) -> tensor<64x64xi64>
    %4 = ingot.neg %3 : tensor<64x64xi64>
    ingot.yield %4 : tensor<64x64xi64>
  }
  return %2 : tensor<64x64xi64>
}

// -----

// Kernels call a library for those of floats.
// CHECK-LABEL: @loop_with_a_product_of_floats
// CHECK: ingot.fusion {
// CHECK: ingot.for
// CHECK: ingot.dot_general
func.func @loop_with_a_product_of_floats(%n: tensor<i64>, %x: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.for %i = %0 to %n step %1 carry (%a = %x) : tensor<64x64xf64> {
    %3 = ingot.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
    %4 = ingot.tanh %3 : tensor<64x64xf64>
    ingot.yield %4 : tensor<64x64xf64>
  }
  return %2 : tensor<64x64xf64>
}

// -----

// Kernels call NumPy for functions of matrices.
// CHECK-LABEL: @factors
// CHECK: ingot.fusion {
// CHECK-NEXT: ingot.call_numpy "cholesky_lo"(%arg0)
// CHECK-NEXT: ingot.tanh
func.func @factors(%a: tensor<4x32x32xf64>) -> tensor<4x32x32xf64> {
  %0:2 = ingot.call_numpy "cholesky_lo"(%a) : (tensor<4x32x32xf64>) -> (tensor<4x32x32xf64>, tensor<4xi32>)
  %1 = ingot.tanh %0#0 : tensor<4x32x32xf64>
  return %1 : tensor<4x32x32xf64>
}

// -----

// A loop with a product that is small, or of a matrix and a vector, becomes a fusion, beside a sort
// however small its arrays are.
// CHECK-LABEL: @loop_with_small_products
// CHECK: ingot.fusion {
// CHECK: ingot.for
// CHECK: ingot.dot_general
// CHECK: ingot.dot_general
// CHECK: ingot.sort
func.func @loop_with_small_products(%n: tensor<i64>, %x: tensor<64xf64>, %m: tensor<64x64xf64>, %s: tensor<4x4xf64>) -> (tensor<64xf64>, tensor<4x4xf64>) {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2:2 = ingot.for %i = %0 to %n step %1 carry (%a = %x, %b = %s) : tensor<64xf64>, tensor<4x4xf64> {
    %3 = ingot.dot_general %m, %a batching = [] x [] contracting = [1] x [0] : (tensor<64x64xf64>, tensor<64xf64>) -> tensor<64xf64>
    %4 = ingot.dot_general %b, %b batching = [] x [] contracting = [1] x [0] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    ingot.yield %3, %4 : tensor<64xf64>, tensor<4x4xf64>
  }
  %5 = ingot.sort %2#0 axis = 0 keys = 1 : (tensor<64xf64>) -> tensor<64xf64>
  return %5, %2#1 : tensor<64xf64>, tensor<4x4xf64>
}

// -----

// Prints stay, and so do the loops that contain them.
// CHECK-LABEL: @prints
// CHECK: ingot.for
// CHECK-NEXT: ingot.print
// CHECK-NEXT: ingot.fusion {
// CHECK-NEXT: ingot.sin
func.func @prints(%n: tensor<i64>, %x: tensor<2048xf64>) -> tensor<2048xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.for %i = %0 to %n step %1 carry (%a = %x) : tensor<2048xf64> {
    ingot.print "{}"(%i) : tensor<i64>
    %3 = ingot.sin %a : tensor<2048xf64>
    ingot.yield %3 : tensor<2048xf64>
  }
  return %2 : tensor<2048xf64>
}

// -----

// No product is large that uses each element of an operand a few times only.
// CHECK-LABEL: @few_uses
// CHECK: ingot.fusion {
// CHECK-NEXT: ingot.dot_general
func.func @few_uses(%x: tensor<2x2xf64>, %y: tensor<2x4096xf64>) -> tensor<2x4096xf64> {
  %0 = ingot.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<2x2xf64>, tensor<2x4096xf64>) -> tensor<2x4096xf64>
  return %0 : tensor<2x4096xf64>
}

// -----

// A transpose that only a library reads is no reason to copy the array.
// CHECK-LABEL: @transposed
// CHECK: %[[F:.*]] = ingot.fusion {
// CHECK-NOT: ingot.transpose
// CHECK: } : tensor<64x64xi64>
// CHECK-NEXT: %[[T:.*]] = ingot.transpose %[[F]]
// CHECK-NEXT: ingot.dot_general %[[F]], %[[T]]
func.func @transposed(%x: tensor<64x64xi64>) -> tensor<64x64xi64> {
  %0 = ingot.neg %x : tensor<64x64xi64>
  %1 = ingot.transpose %0 axes = [1, 0] : (tensor<64x64xi64>) -> tensor<64x64xi64>
  %2 = ingot.dot_general %0, %1 batching = [] x [] contracting = [1] x [0] : (tensor<64x64xi64>, tensor<64x64xi64>) -> tensor<64x64xi64>
  return %2 : tensor<64x64xi64>
}

// -----

// Kernels have no code for these: other element types, empty arrays, powers of integers, and
// some functions of real and of complex numbers.
// CHECK-LABEL: @others
// CHECK-NOT: ingot.fusion
func.func @others(%h: tensor<2048xf16>, %e: tensor<0xf64>, %i: tensor<2048xi64>, %x: tensor<2048xf64>, %z: tensor<2048xcomplex<f64>>) -> (tensor<2048xf16>, tensor<0xf64>, tensor<2048xi64>, tensor<2048xf64>, tensor<2048xcomplex<f64>>) {
  %0 = ingot.sin %h : tensor<2048xf16>
  %1 = ingot.sin %e : tensor<0xf64>
  %2 = ingot.pow %i, %i : (tensor<2048xi64>, tensor<2048xi64>) -> tensor<2048xi64>
  %3 = ingot.lgamma %x : tensor<2048xf64>
  %4 = ingot.log %z : tensor<2048xcomplex<f64>>
  return %0, %1, %2, %3, %4 : tensor<2048xf16>, tensor<0xf64>, tensor<2048xi64>, tensor<2048xf64>, tensor<2048xcomplex<f64>>
}

// -----

// Branches that yield arrays, nine within each other: the analysis of their memory would take long.
// Eight may be one kernel.
// CHECK-LABEL: func.func @nested
// CHECK: ingot.if
// CHECK-NEXT: ingot.fusion
// REMARK: form-fusions.mlir:[[#]]:{{.*}}`ingot.if` has 9 loops and 9 branches within each other, and overwrites 0 parts of an array: a kernel may have 400, 8 and 50
func.func @nested(%x: tensor<2048xf64>, %c: tensor<i1>) -> tensor<2048xf64> {
  %b9 = ingot.if %c : tensor<2048xf64> {
    %b8 = ingot.if %c : tensor<2048xf64> {
      %b7 = ingot.if %c : tensor<2048xf64> {
        %b6 = ingot.if %c : tensor<2048xf64> {
          %b5 = ingot.if %c : tensor<2048xf64> {
            %b4 = ingot.if %c : tensor<2048xf64> {
              %b3 = ingot.if %c : tensor<2048xf64> {
                %b2 = ingot.if %c : tensor<2048xf64> {
                  %b1 = ingot.if %c : tensor<2048xf64> {
                    %s1 = ingot.sin %x : tensor<2048xf64>
                    ingot.yield %s1 : tensor<2048xf64>
                  } else {
                    ingot.yield %x : tensor<2048xf64>
                  }
                  %s2 = ingot.sin %b1 : tensor<2048xf64>
                  ingot.yield %s2 : tensor<2048xf64>
                } else {
                  ingot.yield %x : tensor<2048xf64>
                }
                %s3 = ingot.sin %b2 : tensor<2048xf64>
                ingot.yield %s3 : tensor<2048xf64>
              } else {
                ingot.yield %x : tensor<2048xf64>
              }
              %s4 = ingot.sin %b3 : tensor<2048xf64>
              ingot.yield %s4 : tensor<2048xf64>
            } else {
              ingot.yield %x : tensor<2048xf64>
            }
            %s5 = ingot.sin %b4 : tensor<2048xf64>
            ingot.yield %s5 : tensor<2048xf64>
          } else {
            ingot.yield %x : tensor<2048xf64>
          }
          %s6 = ingot.sin %b5 : tensor<2048xf64>
          ingot.yield %s6 : tensor<2048xf64>
        } else {
          ingot.yield %x : tensor<2048xf64>
        }
        %s7 = ingot.sin %b6 : tensor<2048xf64>
        ingot.yield %s7 : tensor<2048xf64>
      } else {
        ingot.yield %x : tensor<2048xf64>
      }
      %s8 = ingot.sin %b7 : tensor<2048xf64>
      ingot.yield %s8 : tensor<2048xf64>
    } else {
      ingot.yield %x : tensor<2048xf64>
    }
    %s9 = ingot.sin %b8 : tensor<2048xf64>
    ingot.yield %s9 : tensor<2048xf64>
  } else {
    ingot.yield %x : tensor<2048xf64>
  }
  return %b9 : tensor<2048xf64>
}

// -----

// A branch has a loop that XLA would run slowly, though its arrays are small.
// CHECK-LABEL: func.func @loop_in_a_branch
// CHECK: ingot.fusion
// CHECK: ingot.if
func.func @loop_in_a_branch(%x: tensor<64xf64>, %n: tensor<i64>, %c: tensor<i1>) -> tensor<64xf64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.sin %x : tensor<64xf64>
  %3 = ingot.if %c : tensor<64xf64> {
    %4 = ingot.for %i = %0 to %n step %1 carry (%a = %2) : tensor<64xf64> {
      %5 = ingot.mul %a, %a : (tensor<64xf64>, tensor<64xf64>) -> tensor<64xf64>
      ingot.yield %5 : tensor<64xf64>
    }
    ingot.yield %4 : tensor<64xf64>
  } else {
    ingot.yield %x : tensor<64xf64>
  }
  return %3 : tensor<64xf64>
}

// -----

// Two arrays of 26 parts each may be one kernel: bufferization compares the parts of each.
// CHECK-LABEL: @two_arrays
// CHECK: ingot.fusion {
func.func @two_arrays(%x: tensor<100xf64>, %y: tensor<100xf64>) -> (tensor<2600xf64>, tensor<2600xf64>) {
  %0 = ingot.concatenate %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  // REMARK: :[[#@LINE+1]]:8: remark: [Passed] fused {{.*}}"2 operations become one kernel"
  %1 = ingot.concatenate %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  return %0, %1 : tensor<2600xf64>, tensor<2600xf64>
}

// -----

// Here both may be one array: which of them is known at run time.
// CHECK-LABEL: @one_array
// CHECK-NOT: ingot.fusion
func.func @one_array(%c: tensor<i1>, %x: tensor<100xf64>, %y: tensor<100xf64>) -> tensor<2600xf64> {
  %0 = ingot.concatenate %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  %1 = ingot.concatenate %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y, %y axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  // REMARK: :[[#@LINE+1]]:8: remark: [Missed] parts {{.*}}"3 operations overwrite 52 parts of an array, and a kernel may overwrite 50"
  %2 = ingot.if %c : tensor<2600xf64> {
    ingot.yield %0 : tensor<2600xf64>
  } else {
    ingot.yield %1 : tensor<2600xf64>
  }
  return %2 : tensor<2600xf64>
}

// -----

// Indices that are sorted with the keys stay, so that a library call is found for them; kernels have
// a copy.
// CHECK-LABEL: @order
// CHECK: %[[I:.*]] = ingot.iota axis = 0 : tensor<2048xi64>
// CHECK: %[[FUSED:.*]]:2 = ingot.fusion {
// CHECK: ingot.iota
// CHECK: ingot.sort %[[FUSED]]#{{.}}, %[[I]]
func.func @order(%x: tensor<2048xf64>) -> (tensor<2048xi64>, tensor<2048xi64>) {
  %i = ingot.iota axis = 0 : tensor<2048xi64>
  %0 = ingot.mul %x, %x : (tensor<2048xf64>, tensor<2048xf64>) -> tensor<2048xf64>
  %1 = ingot.add %i, %i : (tensor<2048xi64>, tensor<2048xi64>) -> tensor<2048xi64>
  %2:2 = ingot.sort %0, %i axis = 0 keys = 1 : (tensor<2048xf64>, tensor<2048xi64>) -> (tensor<2048xf64>, tensor<2048xi64>)
  return %1, %2#1 : tensor<2048xi64>, tensor<2048xi64>
}

// -----

// Elements in a row are one part.
// CHECK-LABEL: func.func @elements
// CHECK: ingot.fusion
func.func @elements(%u: tensor<1xf64>) -> tensor<60xf64> {
  // REMARK: :[[#@LINE+1]]:8: remark: [Passed] fused {{.*}}"1 operation becomes one kernel"
  %0 = ingot.concatenate %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u axis = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<60xf64>
  return %0 : tensor<60xf64>
}

// -----

// Each part of a group that is cut reads its own slices of what comes from outside; the first does not
// yield those of the second.
// CHECK-LABEL: func.func @slices
// CHECK: ingot.fusion {
// CHECK-NEXT: ingot.slice %arg0 starts = [0]
// CHECK-NEXT: ingot.concatenate
// CHECK-NEXT: ingot.yield
// CHECK: ingot.fusion {
// CHECK-NEXT: ingot.slice %arg0 starts = [100]
// CHECK: ingot.fusion {
// CHECK-NEXT: ingot.slice %arg0 starts = [200]
func.func @slices(%x: tensor<300xf64>) -> (tensor<2600xf64>, tensor<2600xf64>, tensor<2600xf64>, tensor<2600xf64>) {
  %p = ingot.slice %x starts = [0] sizes = [100] strides = [1] : (tensor<300xf64>) -> tensor<100xf64>
  %q = ingot.slice %x starts = [100] sizes = [100] strides = [1] : (tensor<300xf64>) -> tensor<100xf64>
  %r = ingot.slice %x starts = [200] sizes = [100] strides = [1] : (tensor<300xf64>) -> tensor<100xf64>
  %0 = ingot.concatenate %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  %1 = ingot.concatenate %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  %2 = ingot.concatenate %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  %3 = ingot.concatenate %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p axis = 0 : (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) -> tensor<2600xf64>
  return %0, %1, %2, %3 : tensor<2600xf64>, tensor<2600xf64>, tensor<2600xf64>, tensor<2600xf64>
}
