// RUN: ingot-opt %s --lower-to-linalg --cse --split-input-file | FileCheck %s

// Elementwise code is one loop nest that reads its operands where they are. What has one element is
// computed once. The parameters are the operands, then the results; `ingot.frame` numbers them.
// CHECK: #[[SAME:[a-z0-9_]+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @kernel(%arg0: memref<3x4xf64> {llvm.noalias, llvm.nonnull}
// CHECK-SAME: %arg1: memref<4x3xf64> {{.*}}, %arg2: memref<f64> {{.*}}, %arg3: memref<3x4xf64>
// CHECK-SAME: attributes {ingot.frame = array<i64: 0, 1, 2, -1>}
// CHECK: %[[Y:[a-z0-9_]+]] = bufferization.to_tensor %arg1 restrict :
// CHECK: %[[S:[a-z0-9_]+]] = memref.load %arg2[]
// CHECK: %[[R:[a-z0-9_]+]] = bufferization.to_tensor %arg3 restrict writable :
// CHECK: %[[SIN:[a-z0-9_]+]] = math.sin %[[S]]
// CHECK: linalg.generic {indexing_maps = [#[[SAME]], #[[SAME]]], iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<3x4xf64>) outs(%[[R]] :
// CHECK: %[[I:[a-z0-9_]+]] = linalg.index 0
// CHECK: %[[J:[a-z0-9_]+]] = linalg.index 1
// CHECK: %[[FLIPPED:[a-z0-9_]+]] = arith.subi %{{.*}}, %[[J]]
// CHECK: tensor.extract %[[Y]][%[[FLIPPED]], %[[I]]]
// CHECK: arith.mulf
// CHECK: arith.subf %{{.*}}, %[[SIN]]
// CHECK-NOT: linalg.generic
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg3
func.func @inlined(%x: tensor<3x4xf64>, %y: tensor<4x3xf64>, %s: tensor<f64>) -> tensor<3x4xf64> {
  %0 = ingot.transpose %y axes = [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
  %1 = ingot.flip %0 axes = [1] : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %2 = ingot.mul %x, %1 : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %3 = ingot.sin %s : tensor<f64>
  %4 = ingot.sub %2, %3 : (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  return %4 : tensor<3x4xf64>
}

// -----

// A sum along the last axis is a number in the loop over the others, and its terms are computed in
// that loop. Along other axes whole rows are combined.
// CHECK-LABEL: func.func @kernel(%arg0: memref<3x4xf64>
// CHECK: scf.for %[[I:[a-z0-9_]+]] = %{{.*}} iter_args(%[[R:[a-z0-9_]+]] = %{{.*}}) -> (tensor<3xf64>)
// CHECK: %[[SUM:[a-z0-9_]+]] = scf.for %[[J:[a-z0-9_]+]] = {{.*}} -> (f64)
// CHECK: tensor.extract %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: arith.mulf {{.*}} fastmath<contract>
// CHECK-NEXT: arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK: tensor.insert %[[SUM]] into %[[R]][%[[I]]]
// CHECK: %[[INIT:[a-z0-9_]+]] = arith.constant 0xFFF0000000000000
// CHECK-NEXT: linalg.fill ins(%[[INIT]]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
// CHECK: arith.maximumf
func.func @reduce(%x: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<4xf64>) {
  %0 = ingot.mul %x, %x : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %1 = ingot.reduce add %0 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  %2 = ingot.reduce max %x axes = [0] : (tensor<3x4xf64>) -> tensor<4xf64>
  return %1, %2 : tensor<3xf64>, tensor<4xf64>
}

// -----

// The same without reordering and contraction.
// CHECK-LABEL: func.func @kernel(%arg0: memref<3x4xf64>
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : f64
func.func @reduce(%x: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<4xf64>) attributes {ingot.strict} {
  %0 = ingot.mul %x, %x : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %1 = ingot.reduce add %0 axes = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  %2 = ingot.reduce max %x axes = [0] : (tensor<3x4xf64>) -> tensor<4xf64>
  return %1, %2 : tensor<3xf64>, tensor<4xf64>
}

// -----

// A slice that is read, changed and written is changed where it is. Starts are clamped, as NumPy's
// checks have been made before. The result takes the memory of the operand.
// CHECK-LABEL: func.func @kernel(%arg0: memref<i64>
// CHECK-SAME: %arg1: memref<10xf64> {{.*}} attributes {ingot.frame = array<i64: 0, -1>}
// CHECK: %[[X:[a-z0-9_]+]] = bufferization.to_tensor %arg1 restrict writable
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9_]+]] = %[[X]])
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: %[[SLICE:[a-z0-9_]+]] = tensor.extract_slice %[[A]][%[[AT:[a-z0-9_]+]]] [4] [1]
// CHECK-NEXT: %[[NEW:[a-z0-9_]+]] = linalg.generic {{.*}} outs(%[[SLICE]] :
// CHECK-NEXT: ^bb0(%[[OLD:[a-z0-9_]+]]: f64):
// CHECK-NEXT: arith.addf %[[OLD]], %[[OLD]]
// CHECK: tensor.insert_slice %[[NEW]] into %[[A]][%[[AT]]] [4] [1]
// CHECK-NOT: alloc_tensor
func.func @update(%n: tensor<i64>, %x: tensor<10xf64>) -> tensor<10xf64> attributes {ingot.updates = array<i64: 1>} {
  %c0 = ingot.constant dense<0> : tensor<i64>
  %c1 = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.for %i = %c0 to %n step %c1 carry (%a = %x) : tensor<10xf64> {
    %1 = ingot.dynamic_slice %a[%i] sizes = [4] strides = [1] : (tensor<10xf64>, tensor<i64>) -> tensor<4xf64>
    %2 = ingot.add %1, %1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %3 = ingot.update_slice %a, %2[%i] strides = [1] : (tensor<10xf64>, tensor<4xf64>, tensor<i64>) -> tensor<10xf64>
    ingot.yield %3 : tensor<10xf64>
  }
  return %0 : tensor<10xf64>
}

// -----

// Gathered elements are read in the loop that uses them, with indices in range. A scatter adds to
// one element after the other.
// CHECK-LABEL: func.func @kernel(%arg0: memref<8x3xf64>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<5xi64>)
// CHECK: %[[K:[a-z0-9_]+]] = arith.index_cast %in
// CHECK: %[[LOW:[a-z0-9_]+]] = arith.maxsi %[[K]], %c0{{.*}}
// CHECK: %[[IN:[a-z0-9_]+]] = arith.minsi %[[LOW]], %c7
// CHECK: tensor.extract %{{.*}}[%[[IN]], %{{.*}}] : tensor<8x3xf64>
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9_]+]] = %{{.*}}) -> (tensor<8x3xf64>)
// CHECK: %[[OLD:[a-z0-9_]+]] = tensor.extract %[[A]][%[[AT:[a-z0-9_]+]], %[[J:[a-z0-9_]+]]]
// CHECK: %[[NEW:[a-z0-9_]+]] = arith.addf %[[OLD]]
// CHECK: tensor.insert %[[NEW]] into %[[A]][%[[AT]], %[[J]]]
func.func @indexed(%x: tensor<8x3xf64>, %k: tensor<5xi64>, %u: tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<8x3xf64>) {
  %0 = ingot.gather %x[%k] : (tensor<8x3xf64>, tensor<5xi64>) -> tensor<5x3xf64>
  %1 = ingot.scatter add %x, %u[%k] : (tensor<8x3xf64>, tensor<5x3xf64>, tensor<5xi64>) -> tensor<8x3xf64>
  return %0, %1 : tensor<5x3xf64>, tensor<8x3xf64>
}

// -----

// Positions are written behind those found before, and counted if the mask holds there. Zeros follow.
// CHECK-LABEL: func.func @kernel(%arg0: memref<8xi8>
// CHECK: %[[LENGTH:[a-z0-9_]+]] = arith.subi %c8{{.*}}, %c0
// CHECK: %[[END:[a-z0-9_]+]] = arith.minsi %c8{{.*}}, %[[LENGTH]]
// CHECK: %[[FOUND:[a-z0-9_]+]]:2 = scf.for %[[I:[a-z0-9_]+]] = %c0{{.*}} to %[[END]] step %{{.*}} iter_args(%[[P:[a-z0-9_]+]] = %{{.*}}, %[[N:[a-z0-9_]+]] = %c0{{.*}}) -> (tensor<8xi64>, index)
// CHECK: %[[INDEX:[a-z0-9_]+]] = arith.addi %c0{{.*}}, %[[I]]
// CHECK: %[[AT:[a-z0-9_]+]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK: %[[NEXT:[a-z0-9_]+]] = tensor.insert %[[AT]] into %[[P]][%[[N]]]
// CHECK: %[[MORE:[a-z0-9_]+]] = arith.addi %[[N]], %{{.*}} : index
// CHECK: scf.yield %[[NEXT]], %[[MORE]]
// CHECK: %[[REST:[a-z0-9_]+]] = arith.maxsi %c0{{.*}}, %[[FOUND]]#1
// CHECK: scf.for %{{.*}} = %[[REST]] to %c8
// CHECK: %[[ZERO:[a-z0-9_]+]] = arith.index_cast %c0{{.*}} : index to i64
// CHECK: tensor.insert %[[ZERO]]
func.func @nonzero(%m: tensor<8xi1>) -> tensor<8xi64> {
  %0 = ingot.nonzero %m : (tensor<8xi1>) -> tensor<8xi64>
  return %0 : tensor<8xi64>
}

// -----

// What a mask selects is stored as it is found, without an array of positions. Of a long mask, 32
// elements are counted at once: none, all, or some of them hold. In the loops over these, eight
// elements are read before they are stored. What is left over comes last, and the first element fills
// the rest.
// CHECK-LABEL: func.func @kernel(%arg0: memref<100xf64>
// CHECK: %[[X:[a-z0-9_]+]] = bufferization.to_tensor %arg0
// CHECK-NOT: tensor<100xi64>
// CHECK: %[[BLOCKS:[a-z0-9_]+]] = arith.divui %{{.*}}, %c32
// CHECK: %[[TO:[a-z0-9_]+]] = arith.minsi %c3{{.*}}, %[[BLOCKS]]
// CHECK: %[[WHOLE:[a-z0-9_]+]]:2 = scf.for %{{.*}} to %[[TO]] {{.*}} iter_args(%[[P:[a-z0-9_]+]] = %{{.*}}, %[[N:[a-z0-9_]+]] = %{{.*}}) -> (tensor<100xf64>, index)
// CHECK: %[[COUNT:[a-z0-9_]+]] = scf.for {{.*}} -> (i8)
// CHECK: %[[NONE:[a-z0-9_]+]] = arith.cmpi eq, %[[COUNT]], %c0_i8
// CHECK: scf.if %[[NONE]]
// CHECK-NEXT: scf.yield %[[P]], %[[N]]
// CHECK: %[[ALL:[a-z0-9_]+]] = arith.cmpi eq, %[[COUNT]], %c32_i8
// CHECK-NEXT: scf.if %[[ALL]]
// CHECK: scf.for %{{.*}} to %c4{{.*}} step
// CHECK-COUNT-8: tensor.extract %[[X]][%{{.*}}] : tensor<100xf64>
// CHECK-COUNT-8: tensor.insert
// CHECK: arith.addi %{{.*}}, %c8
// CHECK: else
// CHECK: scf.for %{{.*}} to %c4{{.*}} step
// CHECK-COUNT-8: tensor.insert
// CHECK: %[[FOUND:[a-z0-9_]+]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[WHOLE]]#0, %{{.*}} = %[[WHOLE]]#1)
// CHECK: arith.maxsi %{{.*}}, %[[FOUND]]#1
// CHECK: scf.for
// CHECK: tensor.extract %[[X]][%c0
func.func @selected(%x: tensor<100xf64>, %m: tensor<100xi1>) -> tensor<100xf64> {
  %0 = ingot.nonzero %m : (tensor<100xi1>) -> tensor<100xi64>
  %1 = ingot.gather %x[%0] : (tensor<100xf64>, tensor<100xi64>) -> tensor<100xf64>
  return %1 : tensor<100xf64>
}

// -----

// A scatter drops what is out of bounds. What a mask puts there bounds its loop.
// CHECK-LABEL: func.func @kernel(%arg0: memref<100xf64>
// CHECK: %[[N:[a-z0-9_]+]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[END:[a-z0-9_]+]] = arith.minsi %c50, %[[N]]
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[END]] {{.*}} iter_args(%[[X:[a-z0-9_]+]] = %{{.*}}) -> (tensor<100xf64>)
// CHECK: %[[INSIDE:[a-z0-9_]+]] = arith.cmpi ult, %[[AT:[a-z0-9_]+]], %c100
// CHECK: scf.if %[[INSIDE]] -> (tensor<100xf64>)
// CHECK: tensor.insert %{{.*}} into %[[X]][%[[AT]]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[X]]
func.func @stores(%x: tensor<100xf64>, %u: tensor<50xf64>, %n: tensor<i64>, %k: tensor<i64>) -> tensor<100xf64> {
  %nowhere = ingot.constant dense<100> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<50xi64>
  %m = ingot.compare lt %i, %n : (tensor<50xi64>, tensor<i64>) -> tensor<50xi1>
  %far = ingot.mul %i, %k : (tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %at = ingot.select %m, %far, %nowhere : (tensor<50xi1>, tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %0 = ingot.scatter set %x, %u[%at] : (tensor<100xf64>, tensor<50xf64>, tensor<50xi64>) -> tensor<100xf64>
  return %0 : tensor<100xf64>
}

// -----

// A mask that compares indices with a number bounds the loop: what is outside adds nothing.
// CHECK-LABEL: func.func @kernel(%arg0: memref<100xf64>
// CHECK: %[[N:[a-z0-9_]+]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[END:[a-z0-9_]+]] = arith.minsi %c100, %[[N]]
// CHECK: scf.for %{{.*}} = %c0 to %[[END]]
func.func @mask(%x: tensor<100xf64>, %n: tensor<i64>) -> tensor<f64> {
  %z = ingot.constant dense<0.0> : tensor<f64>
  %i = ingot.iota axis = 0 : tensor<100xi64>
  %m = ingot.compare lt %i, %n : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
  %0 = ingot.select %m, %x, %z : (tensor<100xi1>, tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
  %1 = ingot.reduce add %0 axes = [0] : (tensor<100xf64>) -> tensor<f64>
  return %1 : tensor<f64>
}

// -----

// Here it adds 1.
// CHECK-LABEL: func.func @kernel(%arg0: memref<100xf64>
// CHECK: scf.for %{{.*}} = %c0 to %c100
func.func @mask_of_others(%x: tensor<100xf64>, %n: tensor<i64>) -> tensor<f64> {
  %z = ingot.constant dense<1.0> : tensor<f64>
  %i = ingot.iota axis = 0 : tensor<100xi64>
  %m = ingot.compare lt %i, %n : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
  %0 = ingot.select %m, %x, %z : (tensor<100xi1>, tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
  %1 = ingot.reduce add %0 axes = [0] : (tensor<100xf64>) -> tensor<f64>
  return %1 : tensor<f64>
}

// -----

// What a mask leaves and its conversion are computed in the loops of both users, instead of being
// stored for all indices: the check is true of 0, so that both loops have the mask's bound.
// CHECK-LABEL: func.func @kernel(%arg0: memref<5000xi32>
// CHECK-NOT: alloc_tensor
// CHECK: %[[END:[a-z0-9_]+]] = arith.minsi %c5000{{[_0-9]*}}, %{{.*}} : index
// CHECK: scf.for %{{.*}} = %c0{{[_0-9]*}} to %[[END]]
// CHECK: arith.cmpi slt
// CHECK: scf.for %{{.*}} = %c0{{[_0-9]*}} to %[[END]]
// CHECK: arith.addf
func.func @indices_of_a_mask(%k: tensor<5000xi32>, %x: tensor<4096xf64>, %n: tensor<i64>) -> (tensor<i1>, tensor<f64>) {
  %z = ingot.constant dense<0.0> : tensor<f64>
  %z32 = ingot.constant dense<0> : tensor<i32>
  %size = ingot.constant dense<4096> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<5000xi64>
  %m = ingot.compare lt %i, %n : (tensor<5000xi64>, tensor<i64>) -> tensor<5000xi1>
  %0 = ingot.select %m, %k, %z32 : (tensor<5000xi1>, tensor<5000xi32>, tensor<i32>) -> tensor<5000xi32>
  %1 = ingot.convert %0 : (tensor<5000xi32>) -> tensor<5000xi64>
  %2 = ingot.compare lt %1, %size : (tensor<5000xi64>, tensor<i64>) -> tensor<5000xi1>
  %3 = ingot.reduce and %2 axes = [0] : (tensor<5000xi1>) -> tensor<i1>
  %4 = ingot.gather %x[%1] : (tensor<4096xf64>, tensor<5000xi64>) -> tensor<5000xf64>
  %5 = ingot.select %m, %4, %z : (tensor<5000xi1>, tensor<5000xf64>, tensor<f64>) -> tensor<5000xf64>
  %6 = ingot.reduce add %5 axes = [0] : (tensor<5000xf64>) -> tensor<f64>
  return %3, %6 : tensor<i1>, tensor<f64>
}

// -----

// A row that is read after another one is stored is copied, so that the array need not be.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9_]+]] = %{{.*}}) -> (tensor<8x9xf64>)
// CHECK: %[[ROW:[a-z0-9_]+]] = tensor.extract_slice %[[A]][%{{.*}}, 0] [1, 9] [1, 1] : tensor<8x9xf64> to tensor<9xf64>
// CHECK: %[[COPY:[a-z0-9_]+]] = bufferization.alloc_tensor() copy(%[[ROW]])
// CHECK: %[[B:[a-z0-9_]+]] = tensor.insert_slice
// CHECK-NOT: alloc_tensor
// CHECK: linalg.generic {{.*}} ins(%[[COPY]]
// CHECK: scf.yield
func.func @rows(%x: tensor<8x9xf64>, %n: tensor<i64>) -> tensor<8x9xf64> attributes {ingot.updates = array<i64: 0>} {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<2.0> : tensor<1x9xf64>
  %r = ingot.for %i = %0 to %n step %1 carry (%a = %x) : tensor<8x9xf64> {
    %3 = ingot.dynamic_slice %a[%i, %0] sizes = [1, 9] strides = [1, 1] : (tensor<8x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x9xf64>
    %4 = ingot.update_slice %a, %2[%i, %0] strides = [1, 1] : (tensor<8x9xf64>, tensor<1x9xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
    %5 = ingot.sin %3 : tensor<1x9xf64>
    %6 = ingot.update_slice %4, %5[%0, %0] strides = [1, 1] : (tensor<8x9xf64>, tensor<1x9xf64>, tensor<i64>, tensor<i64>) -> tensor<8x9xf64>
    ingot.yield %6 : tensor<8x9xf64>
  }
  return %r : tensor<8x9xf64>
}

// -----

// Booleans are bytes in memory, as in NumPy, and bits in between.
// CHECK-LABEL: func.func @kernel(%arg0: memref<4xi8> {{.*}}, %arg1: memref<i8> {{.*}}, %arg2: memref<4xi8> {{.*}}, %arg3: memref<i8>
// CHECK: %[[C:[a-z0-9_]+]] = arith.cmpi ne, %{{.*}} : i8
// CHECK: linalg.generic
// CHECK: %[[P:[a-z0-9_]+]] = arith.cmpi ne, %in, %{{.*}} : i8
// CHECK: %[[AND:[a-z0-9_]+]] = arith.andi %[[P]], %[[C]] : i1
// CHECK: arith.extui %[[AND]] : i1 to i8
// CHECK: %[[NOT:[a-z0-9_]+]] = arith.xori %[[C]], %true
// CHECK: %[[BYTE:[a-z0-9_]+]] = arith.extui %[[NOT]] : i1 to i8
// CHECK: memref.store %[[BYTE]], %arg3[]
func.func @bools(%p: tensor<4xi1>, %c: tensor<i1>) -> (tensor<4xi1>, tensor<i1>) {
  %0 = ingot.and %p, %c : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  %1 = ingot.not %c : tensor<i1>
  return %0, %1 : tensor<4xi1>, tensor<i1>
}

// -----

// Parts are written to the memory of the result. A running sum carries the sum.
// CHECK-LABEL: func.func @kernel(%arg0: memref<3xf64>
// CHECK: %[[FULL:[a-z0-9_]+]] = linalg.fill
// CHECK: tensor.insert_slice %{{.*}} into %[[FULL]][2] [3] [1]
// CHECK: %[[FIRST:[a-z0-9_]+]] = tensor.insert_slice %{{.*}} into %{{.*}}[0] [3] [1] : tensor<3xf64> into tensor<6xf64>
// CHECK: tensor.insert_slice %{{.*}} into %[[FIRST]][3] [3] [1]
// CHECK: scf.for %[[I:[a-z0-9_]+]] = {{.*}} iter_args(%[[R:[a-z0-9_]+]] = %{{.*}}, %[[SUM:[a-z0-9_]+]] = %{{.*}}) -> (tensor<3xf64>, f64)
// CHECK: %[[NEW:[a-z0-9_]+]] = arith.addf %[[SUM]]
// CHECK: tensor.insert %[[NEW]] into %[[R]][%[[I]]]
func.func @shapes(%x: tensor<3xf64>, %s: tensor<f64>) -> (tensor<8xf64>, tensor<6xf64>, tensor<3xf64>) {
  %0 = ingot.pad %x, %s low = [2] high = [3] interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<8xf64>
  %1 = ingot.concatenate %x, %x axis = 0 : (tensor<3xf64>, tensor<3xf64>) -> tensor<6xf64>
  %2 = ingot.cumulative add %x axis = 0 : (tensor<3xf64>) -> tensor<3xf64>
  return %0, %1, %2 : tensor<8xf64>, tensor<6xf64>, tensor<3xf64>
}

// -----

// A slice of padding is read in the padded array where that is in memory. The loop runs over the
// slice, also where it begins with the first element.
// CHECK-LABEL: func.func @kernel(%arg0: memref<12xf64>
// CHECK: %[[PADDED:[a-z0-9_]+]] = tensor.insert_slice {{.*}} tensor<12xf64> into tensor<18xf64>
// CHECK: %[[FIRST:[a-z0-9_]+]] = tensor.extract_slice %[[PADDED]][0] [15] [1]
// CHECK: linalg.generic {{.*}} ins(%[[FIRST]] : tensor<15xf64>) outs(%{{.*}} : tensor<15xf64>)
func.func @slice_of_padding(%x: tensor<12xf64>, %s: tensor<f64>, %u: tensor<2xf64>, %at: tensor<i64>)
    -> (tensor<15xf64>, tensor<18xf64>) {
  %0 = ingot.pad %x, %s low = [3] high = [3] interior = [0] : (tensor<12xf64>, tensor<f64>) -> tensor<18xf64>
  %1 = ingot.slice %0 starts = [0] sizes = [15] strides = [1] : (tensor<18xf64>) -> tensor<15xf64>
  %2 = ingot.sin %1 : tensor<15xf64>
  %3 = ingot.update_slice %0, %u[%at] strides = [1] : (tensor<18xf64>, tensor<2xf64>, tensor<i64>) -> tensor<18xf64>
  return %2, %3 : tensor<15xf64>, tensor<18xf64>
}

// -----

// Of a product, the innermost loop runs along the rows of the result, which are contiguous.
// CHECK: #[[X:[a-z0-9_]+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK: #[[Y:[a-z0-9_]+]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK: #[[R:[a-z0-9_]+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[Y]], #[[R]]], iterator_types = ["parallel", "reduction", "parallel"]}
func.func @dot(%x: tensor<3x4xf64>, %y: tensor<4x5xf64>) -> tensor<3x5xf64> {
  %0 = ingot.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<3x4xf64>, tensor<4x5xf64>) -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}

// -----

// A loop downwards counts upwards. What branches yield is memory of their own.
// CHECK-LABEL: func.func @kernel(%arg0: memref<i64>
// CHECK: %[[TRIPS:[a-z0-9_]+]] = arith.ceildivsi
// CHECK: %[[SUM:[a-z0-9_]+]] = scf.for %[[T:[a-z0-9_]+]] = %{{.*}} to %[[TRIPS]]
// CHECK: %[[D:[a-z0-9_]+]] = arith.muli %[[T]], %c-2
// CHECK: arith.addi %{{.*}}, %[[D]]
// CHECK: scf.while (%{{.*}} = %[[SUM]]) : (f64) -> f64 {
// CHECK-NEXT: %[[GO:[a-z0-9_]+]] = arith.cmpf ogt
// CHECK-NEXT: scf.condition(%[[GO]])
// CHECK: scf.if %{{.*}} -> (tensor<4xf64>) {
// CHECK-NEXT: bufferization.alloc_tensor() copy
// CHECK: } else {
// CHECK-NEXT: bufferization.alloc_tensor() :
func.func @control(%n: tensor<i64>, %x: tensor<4xf64>, %c: tensor<i1>) -> (tensor<4xf64>, tensor<f64>) {
  %c0 = ingot.constant dense<0> : tensor<i64>
  %m = ingot.constant dense<-2> : tensor<i64>
  %f = ingot.constant dense<0.5> : tensor<f64>
  %0 = ingot.for %i = %n to %c0 step %m carry (%a = %f) : tensor<f64> {
    %k = ingot.convert %i : (tensor<i64>) -> tensor<f64>
    %1 = ingot.add %a, %k : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %1 : tensor<f64>
  }
  %2 = ingot.while (%a = %0) : tensor<f64> cond {
    %3 = ingot.compare gt %a, %f : (tensor<f64>, tensor<f64>) -> tensor<i1>
    ingot.condition %3 : tensor<i1>
  } do {
    %3 = ingot.mul %a, %f : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %3 : tensor<f64>
  }
  %4 = ingot.if %c : tensor<4xf64> {
    ingot.yield %x : tensor<4xf64>
  } else {
    %5 = ingot.mul %x, %2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
    ingot.yield %5 : tensor<4xf64>
  }
  return %4, %2 : tensor<4xf64>, tensor<f64>
}

// -----

// Complex numbers are computed by parts.
// CHECK-LABEL: func.func @kernel(%arg0: memref<4xcomplex<f64>>
// CHECK: complex.re
// CHECK: complex.im
// CHECK: arith.subf
// CHECK: complex.create
func.func @complex(%z: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xf64>) {
  %0 = ingot.mul %z, %z : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  %1 = ingot.real %0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return %0, %1 : tensor<4xcomplex<f64>>, tensor<4xf64>
}

// -----

// Axes of size 1 are left out, and an array of one element is a number.
// CHECK-LABEL: func.func @kernel(%arg0: memref<5xf64> {{.*}}, %arg1: memref<f64> {{.*}}, %arg2: memref<5xf64> {{.*}}, %arg3: memref<f64>
// CHECK: %[[Y:[a-z0-9_]+]] = memref.load %arg1[]
// CHECK: linalg.generic
// CHECK: arith.mulf %in, %[[Y]]
// CHECK: memref.store %[[Y]], %arg3[]
func.func @ones(%x: tensor<1x5x1xf64>, %y: tensor<1x1xf64>) -> (tensor<5x1xf64>, tensor<1xf64>) {
  %0 = ingot.reshape %x : (tensor<1x5x1xf64>) -> tensor<5x1xf64>
  %1 = ingot.mul %0, %y : (tensor<5x1xf64>, tensor<1x1xf64>) -> tensor<5x1xf64>
  %2 = ingot.reshape %y : (tensor<1x1xf64>) -> tensor<1xf64>
  return %1, %2 : tensor<5x1xf64>, tensor<1xf64>
}

// -----

// A mask of indices chooses between new and old elements: the loops run over the new ones, in the
// memory of the old ones. What they read of it elsewhere is copied before.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[OLD:.*]][%{{.*}}, 0] [1, 6] [1, 1]
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[ROW]])
// CHECK: %[[READ:.*]] = tensor.extract_slice %[[COPY]][0] [6] [1]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[OLD]][%[[START:.*]], 0] [%[[LENGTH:.*]], 6] [1, 1] : tensor<6x6xf64> to tensor<?x6xf64>
// CHECK: %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[READ]] : tensor<6xf64>) outs(%[[PART]] : tensor<?x6xf64>)
// CHECK: tensor.insert_slice %[[NEW]] into %[[OLD]][%[[START]], 0] [%[[LENGTH]], 6] [1, 1]
func.func @kernel(%a: tensor<6x6xf64>, %n: tensor<i64>) -> tensor<6x6xf64> attributes {ingot.updates = array<i64: 0>} {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<6x1xi64>
  %2 = ingot.for %k = %0 to %n step %1 carry (%x = %a) : tensor<6x6xf64> {
    %3 = ingot.dynamic_slice %x[%k, %0] sizes = [1, 6] strides = [1, 1] : (tensor<6x6xf64>, tensor<i64>, tensor<i64>) -> tensor<1x6xf64>
    %4 = ingot.sub %x, %3 : (tensor<6x6xf64>, tensor<1x6xf64>) -> tensor<6x6xf64>
    %5 = ingot.compare gt %i, %k : (tensor<6x1xi64>, tensor<i64>) -> tensor<6x1xi1>
    %6 = ingot.select %5, %4, %x : (tensor<6x1xi1>, tensor<6x6xf64>, tensor<6x6xf64>) -> tensor<6x6xf64>
    ingot.yield %6 : tensor<6x6xf64>
  }
  return %2 : tensor<6x6xf64>
}

// -----

// Without the copy of what is read, the old array is needed as it was: it is computed anew.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic
func.func @kernel(%a: tensor<6x6xf64>, %n: tensor<i64>) -> tensor<6x6xf64> attributes {ingot.updates = array<i64: 0>} {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<6x1xi64>
  %2 = ingot.for %k = %0 to %n step %1 carry (%x = %a) : tensor<6x6xf64> {
    %3 = ingot.transpose %x axes = [1, 0] : (tensor<6x6xf64>) -> tensor<6x6xf64>
    %4 = ingot.sub %x, %3 : (tensor<6x6xf64>, tensor<6x6xf64>) -> tensor<6x6xf64>
    %5 = ingot.compare gt %i, %k : (tensor<6x1xi64>, tensor<i64>) -> tensor<6x1xi1>
    %6 = ingot.select %5, %4, %x : (tensor<6x1xi1>, tensor<6x6xf64>, tensor<6x6xf64>) -> tensor<6x6xf64>
    ingot.yield %6 : tensor<6x6xf64>
  }
  return %2 : tensor<6x6xf64>
}

// -----

// A loop that keeps the elements above zero: of each array it computes, and copies, only those that
// count. Nothing is known of the elements that the kernel gives back.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for %{{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}) -> (tensor<100xf64>, i64)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xi8>)
// CHECK-NOT: tensor<100x{{.*}}>) outs
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf64>)
// CHECK: scf.yield
// CHECK: scf.for
func.func @shrinking(%x: tensor<100xf64>, %steps: tensor<i64>) -> tensor<f64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<100> : tensor<i64>
  %3 = ingot.constant dense<0.0> : tensor<f64>
  %4 = ingot.iota axis = 0 : tensor<100xi64>
  %5:2 = ingot.for %i = %0 to %steps step %1 carry (%y = %x, %n = %2) : tensor<100xf64>, tensor<i64> {
    %8 = ingot.sub %y, %3 : (tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
    %9 = ingot.compare lt %4, %n : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
    %10 = ingot.compare gt %8, %3 : (tensor<100xf64>, tensor<f64>) -> tensor<100xi1>
    %11 = ingot.and %9, %10 : (tensor<100xi1>, tensor<100xi1>) -> tensor<100xi1>
    %12 = ingot.nonzero %11 : (tensor<100xi1>) -> tensor<100xi64>
    %13 = ingot.gather %y[%12] : (tensor<100xf64>, tensor<100xi64>) -> tensor<100xf64>
    %14 = ingot.convert %11 : (tensor<100xi1>) -> tensor<100xi64>
    %15 = ingot.reduce add %14 axes = [0] : (tensor<100xi64>) -> tensor<i64>
    ingot.yield %13, %15 : tensor<100xf64>, tensor<i64>
  }
  %6 = ingot.compare lt %4, %5#1 : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
  %7 = ingot.select %6, %5#0, %3 : (tensor<100xi1>, tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
  %16 = ingot.reduce add %7 axes = [0] : (tensor<100xf64>) -> tensor<f64>
  return %16 : tensor<f64>
}

// -----

// Where a branch stores in the carried array what a mask keeps of it, elements move to its front, in
// its own memory.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.if
// CHECK: } else {
// CHECK-NOT: tensor<100xi64>
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}) -> (tensor<100xf64>, index)
// CHECK: scf.for {{.*}} iter_args(%[[Y:.*]] = %{{.*}}, %{{.*}}) -> (tensor<100xf64>, index)
// CHECK: %[[E:.*]] = tensor.extract %[[Y]][%{{.*}}] : tensor<100xf64>
// CHECK-COUNT-7: tensor.extract %[[Y]][%{{.*}}] : tensor<100xf64>
// CHECK: tensor.insert %[[E]] into %[[Y]]
func.func @kept(%x: tensor<100xf64>, %steps: tensor<i64>) -> tensor<f64> {
  %0 = ingot.constant dense<0> : tensor<i64>
  %1 = ingot.constant dense<1> : tensor<i64>
  %2 = ingot.constant dense<100> : tensor<i64>
  %3 = ingot.constant dense<0.0> : tensor<f64>
  %4 = ingot.iota axis = 0 : tensor<100xi64>
  %5:2 = ingot.for %i = %0 to %steps step %1 carry (%y = %x, %n = %2) : tensor<100xf64>, tensor<i64> {
    %none = ingot.compare eq %n, %0 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %8:2 = ingot.if %none : tensor<100xf64>, tensor<i64> {
      ingot.yield %y, %n : tensor<100xf64>, tensor<i64>
    } else {
      %9 = ingot.compare lt %4, %n : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
      %10 = ingot.compare gt %y, %3 : (tensor<100xf64>, tensor<f64>) -> tensor<100xi1>
      %11 = ingot.and %9, %10 : (tensor<100xi1>, tensor<100xi1>) -> tensor<100xi1>
      %12 = ingot.nonzero %11 : (tensor<100xi1>) -> tensor<100xi64>
      %13 = ingot.gather %y[%12] : (tensor<100xf64>, tensor<100xi64>) -> tensor<100xf64>
      %14 = ingot.convert %11 : (tensor<100xi1>) -> tensor<100xi64>
      %15 = ingot.reduce add %14 axes = [0] : (tensor<100xi64>) -> tensor<i64>
      %16 = ingot.update_slice %y, %13[%0] strides = [1] : (tensor<100xf64>, tensor<100xf64>, tensor<i64>) -> tensor<100xf64>
      ingot.yield %16, %15 : tensor<100xf64>, tensor<i64>
    }
    ingot.yield %8#0, %8#1 : tensor<100xf64>, tensor<i64>
  }
  %6 = ingot.compare lt %4, %5#1 : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
  %7 = ingot.select %6, %5#0, %3 : (tensor<100xi1>, tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
  %17 = ingot.reduce add %7 axes = [0] : (tensor<100xf64>) -> tensor<f64>
  return %17 : tensor<f64>
}

// -----

// What is needed at several places of the same loop is computed once for all of them, unless it is
// one operation on what is in memory.
// CHECK-LABEL: func.func @kernel
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: math.sin
// CHECK: linalg.generic
// CHECK-NOT: math.sin
// CHECK: arith.negf
// CHECK: arith.negf
// CHECK: linalg.yield
// CHECK-NOT: linalg.generic
func.func @shifted(%x: tensor<8xf64>, %y: tensor<8xf64>) -> tensor<9xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %0 = ingot.exp %x : tensor<8xf64>
  %1 = ingot.sin %0 : tensor<8xf64>
  %2 = ingot.neg %y : tensor<8xf64>
  %3 = ingot.pad %1, %zero low = [0] high = [1] interior = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<9xf64>
  %4 = ingot.pad %1, %zero low = [1] high = [0] interior = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<9xf64>
  %5 = ingot.pad %2, %zero low = [0] high = [1] interior = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<9xf64>
  %6 = ingot.pad %2, %zero low = [1] high = [0] interior = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<9xf64>
  %7 = ingot.add %3, %4 : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
  %8 = ingot.add %5, %6 : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
  %9 = ingot.mul %7, %8 : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
  return %9 : tensor<9xf64>
}

// -----

// Where an update adds to what is there, and what it adds is zero outside of a window, only the window
// is computed. That -0.0 + 0.0 is 0.0 is kept where the function is strict.
// CHECK-LABEL: func.func @kernel
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf64>)
func.func @kernel(%a: tensor<100xf64>, %u: tensor<50xf64>, %s: tensor<i64>, %n: tensor<i64>) -> tensor<100xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %i = ingot.iota axis = 0 : tensor<50xi64>
  %0 = ingot.compare lt %i, %n : (tensor<50xi64>, tensor<i64>) -> tensor<50xi1>
  %1 = ingot.select %0, %u, %zero : (tensor<50xi1>, tensor<50xf64>, tensor<f64>) -> tensor<50xf64>
  %2 = ingot.dynamic_slice %a[%s] sizes = [50] strides = [1] : (tensor<100xf64>, tensor<i64>) -> tensor<50xf64>
  %3 = ingot.add %2, %1 : (tensor<50xf64>, tensor<50xf64>) -> tensor<50xf64>
  %4 = ingot.update_slice %a, %3[%s] strides = [1] : (tensor<100xf64>, tensor<50xf64>, tensor<i64>) -> tensor<100xf64>
  return %4 : tensor<100xf64>
}

// -----

// CHECK-LABEL: func.func @kernel
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<50xf64>)
func.func @strict(%a: tensor<100xf64>, %u: tensor<50xf64>, %s: tensor<i64>, %n: tensor<i64>) -> tensor<100xf64> attributes {ingot.strict} {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %i = ingot.iota axis = 0 : tensor<50xi64>
  %0 = ingot.compare lt %i, %n : (tensor<50xi64>, tensor<i64>) -> tensor<50xi1>
  %1 = ingot.select %0, %u, %zero : (tensor<50xi1>, tensor<50xf64>, tensor<f64>) -> tensor<50xf64>
  %2 = ingot.dynamic_slice %a[%s] sizes = [50] strides = [1] : (tensor<100xf64>, tensor<i64>) -> tensor<50xf64>
  %3 = ingot.add %2, %1 : (tensor<50xf64>, tensor<50xf64>) -> tensor<50xf64>
  %4 = ingot.update_slice %a, %3[%s] strides = [1] : (tensor<100xf64>, tensor<50xf64>, tensor<i64>) -> tensor<100xf64>
  return %4 : tensor<100xf64>
}

// -----

// The same where the term gets an axis of size 1, and where a column of such terms is repeated.
// CHECK-LABEL: func.func @kernel
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf64>)
func.func @column(%a: tensor<50x40xf64>, %u: tensor<50xf64>, %k: tensor<i64>, %n: tensor<i64>) -> tensor<50x40xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %first = ingot.constant dense<0> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<50xi64>
  %0 = ingot.compare lt %i, %n : (tensor<50xi64>, tensor<i64>) -> tensor<50xi1>
  %1 = ingot.select %0, %u, %zero : (tensor<50xi1>, tensor<50xf64>, tensor<f64>) -> tensor<50xf64>
  %2 = ingot.reshape %1 : (tensor<50xf64>) -> tensor<50x1xf64>
  %3 = ingot.dynamic_slice %a[%first, %k] sizes = [50, 1] strides = [1, 1] : (tensor<50x40xf64>, tensor<i64>, tensor<i64>) -> tensor<50x1xf64>
  %4 = ingot.add %3, %2 : (tensor<50x1xf64>, tensor<50x1xf64>) -> tensor<50x1xf64>
  %5 = ingot.update_slice %a, %4[%first, %k] strides = [1, 1] : (tensor<50x40xf64>, tensor<50x1xf64>, tensor<i64>, tensor<i64>) -> tensor<50x40xf64>
  return %5 : tensor<50x40xf64>
}

// -----

// CHECK-LABEL: func.func @kernel
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x30xf64>)
func.func @columns(%a: tensor<50x40xf64>, %u: tensor<50xf64>, %v: tensor<30xf64>, %k: tensor<i64>, %n: tensor<i64>) -> tensor<50x40xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %first = ingot.constant dense<0> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<50xi64>
  %0 = ingot.compare lt %i, %n : (tensor<50xi64>, tensor<i64>) -> tensor<50xi1>
  %1 = ingot.select %0, %u, %zero : (tensor<50xi1>, tensor<50xf64>, tensor<f64>) -> tensor<50xf64>
  %2 = ingot.reshape %1 : (tensor<50xf64>) -> tensor<50x1xf64>
  %3 = ingot.mul_no_nan %2, %v : (tensor<50x1xf64>, tensor<30xf64>) -> tensor<50x30xf64>
  %4 = ingot.dynamic_slice %a[%first, %k] sizes = [50, 30] strides = [1, 1] : (tensor<50x40xf64>, tensor<i64>, tensor<i64>) -> tensor<50x30xf64>
  %5 = ingot.add %4, %3 : (tensor<50x30xf64>, tensor<50x30xf64>) -> tensor<50x30xf64>
  %6 = ingot.update_slice %a, %5[%first, %k] strides = [1, 1] : (tensor<50x40xf64>, tensor<50x30xf64>, tensor<i64>, tensor<i64>) -> tensor<50x40xf64>
  return %6 : tensor<50x40xf64>
}

// -----

// A loop adds a window to what it carries, twice: the sum of all elements is not computed.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf64>)
// CHECK-NOT: tensor<100xf64>) outs
// CHECK: scf.yield
func.func @sums(%u: tensor<100xf64>, %s: tensor<i64>, %n: tensor<i64>) -> tensor<100xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %zeros = ingot.constant dense<0.0> : tensor<100xf64>
  %first = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<100xi64>
  %0 = ingot.for %k = %first to %n step %one carry (%a = %zeros) : tensor<100xf64> {
    %1 = ingot.compare ge %i, %k : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
    %2 = ingot.add %k, %s : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %3 = ingot.compare lt %i, %2 : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
    %4 = ingot.and %1, %3 : (tensor<100xi1>, tensor<100xi1>) -> tensor<100xi1>
    %5 = ingot.select %4, %u, %zero : (tensor<100xi1>, tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
    %6 = ingot.add %a, %5 : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    %7 = ingot.add %6, %5 : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    ingot.yield %7 : tensor<100xf64>
  }
  return %0 : tensor<100xf64>
}

// -----

// A limit may be an array of one element.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf64>)
// CHECK: scf.yield
func.func @from(%u: tensor<100xf64>, %s: tensor<1xi64>, %n: tensor<i64>) -> tensor<100xf64> {
  %zero = ingot.constant dense<0.0> : tensor<f64>
  %zeros = ingot.constant dense<0.0> : tensor<100xf64>
  %first = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %i = ingot.iota axis = 0 : tensor<100xi64>
  %0 = ingot.for %k = %first to %n step %one carry (%a = %zeros) : tensor<100xf64> {
    %1 = ingot.compare gt %i, %s : (tensor<100xi64>, tensor<1xi64>) -> tensor<100xi1>
    %2 = ingot.select %1, %u, %zero : (tensor<100xi1>, tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
    %3 = ingot.add %a, %2 : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    ingot.yield %3 : tensor<100xf64>
  }
  return %0 : tensor<100xf64>
}

// -----

// An elementwise result has the memory of a carried array of which it reads the same elements
// at most. Neither array is copied.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK-NOT: alloc_tensor
// CHECK-NOT: linalg.copy
// CHECK: %[[A:.*]] = linalg.generic
// CHECK-NOT: alloc_tensor
// CHECK-NOT: linalg.copy
// CHECK: %[[B:.*]] = linalg.generic
// CHECK-NOT: alloc_tensor
// CHECK-NOT: linalg.copy
// CHECK: scf.yield %[[A]], %{{.*}} : tensor<100xf64>, tensor<100xf64>
func.func @decay(%a: tensor<100xf64>, %b: tensor<100xf64>, %n: tensor<i64>) -> (tensor<100xf64>, tensor<100xf64>) {
  %rate = ingot.constant dense<0.5> : tensor<f64>
  %first = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %0:2 = ingot.for %k = %first to %n step %one carry (%x = %a, %y = %b) : tensor<100xf64>, tensor<100xf64> {
    %1 = ingot.mul %x, %rate : (tensor<100xf64>, tensor<f64>) -> tensor<100xf64>
    %2 = ingot.add %1, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    %3 = ingot.flip %2 axes = [0] : (tensor<100xf64>) -> tensor<100xf64>
    %4 = ingot.sub %y, %3 : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    ingot.yield %2, %4 : tensor<100xf64>, tensor<100xf64>
  }
  return %0#0, %0#1 : tensor<100xf64>, tensor<100xf64>
}

// -----

// The first result needs other elements of the array that it replaces, so it has memory of its
// own. The second one reads that array, too, and is stored in the other one.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK: bufferization.alloc_tensor() : tensor<100xf64>
// CHECK-NEXT: linalg.generic
// CHECK-NOT: alloc_tensor
// CHECK: linalg.generic
// CHECK-NOT: alloc_tensor
// CHECK: %[[NEXT:.*]] = linalg.copy
// CHECK-NEXT: scf.yield %[[NEXT]], %{{.*}}
func.func @mirrored(%a: tensor<100xf64>, %b: tensor<100xf64>, %n: tensor<i64>) -> (tensor<100xf64>, tensor<100xf64>) {
  %first = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %0:2 = ingot.for %k = %first to %n step %one carry (%x = %a, %y = %b) : tensor<100xf64>, tensor<100xf64> {
    %1 = ingot.flip %x axes = [0] : (tensor<100xf64>) -> tensor<100xf64>
    %2 = ingot.add %x, %1 : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    %3 = ingot.add %x, %y : (tensor<100xf64>, tensor<100xf64>) -> tensor<100xf64>
    ingot.yield %2, %3 : tensor<100xf64>, tensor<100xf64>
  }
  return %0#0, %0#1 : tensor<100xf64>, tensor<100xf64>
}

// -----

// NumPy's functions get arrays with one axis before the matrices, here in the memory of the result.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-DAG: #[[TO:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-DAG: #[[EACH:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0)>
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[A:.*]]: memref<20x20xf64> {{.*}}, %[[X:.*]]: memref<20x20xf64> {{.*}})
// CHECK: %[[RESULT:.*]] = bufferization.to_tensor %[[X]]
// CHECK: %[[OPERAND:.*]] = tensor.expand_shape %{{.*}} into tensor<1x20x20xf64>
// CHECK: %[[STACK:.*]] = tensor.expand_shape %{{.*}} into tensor<1x20x20xf64>
// CHECK: linalg.generic {indexing_maps = [#[[FROM]], #[[TO]], #[[EACH]]], iterator_types = ["parallel", "reduction", "reduction", "parallel", "parallel"], library_call = "inv"}
// CHECK-SAME: ins(%[[OPERAND]] : tensor<1x20x20xf64>) outs(%[[STACK]], %{{.*}} : tensor<1x20x20xf64>, tensor<1xi32>)
func.func @inverse(%a: tensor<20x20xf64>) -> tensor<20x20xf64> {
  %0:2 = ingot.call_numpy "inv"(%a) : (tensor<20x20xf64>) -> (tensor<20x20xf64>, tensor<i32>)
  return %0#0 : tensor<20x20xf64>
}

// -----

// Single elements are numbers in kernels.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[OPERAND:.*]] = tensor.from_elements %{{.*}} : tensor<1x1x1xf64>
// CHECK: %[[X:.*]]:2 = linalg.generic {{.*}}library_call = "inv"{{.*}} ins(%[[OPERAND]] : tensor<1x1x1xf64>)
// CHECK: tensor.extract %[[X]]#0
// CHECK: tensor.extract %[[X]]#1
func.func @number(%a: tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>) {
  %0:2 = ingot.call_numpy "inv"(%a) : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>)
  return %0#0, %0#1 : tensor<1x1xf64>, tensor<i32>
}

// -----

// What is reshaped at the end is computed in the memory of the result.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%{{.*}}: memref<20x30xf64> {{.*}}, %[[R:.*]]: memref<20x30xf64> {{.*}})
// CHECK: %[[RESULT:.*]] = bufferization.to_tensor %[[R]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[RESULT]] : tensor<20x30xf64>)
// CHECK-NOT: tensor.collapse_shape
// CHECK: bufferization.materialize_in_destination %[[SUM]] in restrict writable %[[R]]
func.func @flat(%a: tensor<20x30xf64>) -> tensor<600xf64> {
  %0 = ingot.add %a, %a : (tensor<20x30xf64>, tensor<20x30xf64>) -> tensor<20x30xf64>
  %1 = ingot.reshape %0 : (tensor<20x30xf64>) -> tensor<2x10x30xf64>
  %2 = ingot.reshape %1 : (tensor<2x10x30xf64>) -> tensor<600xf64>
  return %2 : tensor<600xf64>
}

// -----

// What is behind the length of a result is not computed.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[N:.*]] = arith.addi
// CHECK: %[[LENGTH:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK: arith.minsi %{{.*}}, %[[LENGTH]] : index
// CHECK: %[[COUNT:.*]] = arith.maxsi
// CHECK: tensor.extract_slice %{{.*}} [%[[COUNT]]] [1] : tensor<100xf64> to tensor<?xf64>
func.func @result_with_a_length(%x: tensor<100xf64>, %m: tensor<i64>) -> (tensor<100xf64> {ingot.length = 1 : i64}, tensor<i64>) {
  %0 = ingot.add %m, %m : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %1 = ingot.sin %x : tensor<100xf64>
  return %1, %0 : tensor<100xf64>, tensor<i64>
}

// -----

// True elements are counted by blocks, as integers of 8 bits, and what is left one by one.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for {{.*}} -> (i64) {
// CHECK: %[[BLOCK:.*]] = scf.for {{.*}} -> (i8) {
// CHECK: arith.addi %{{.*}}, %{{.*}} : i8
// CHECK: arith.extui %[[BLOCK]] : i8 to i64
// CHECK: scf.for {{.*}} -> (i64) {
// CHECK: arith.extui %{{.*}} : i1 to i64
func.func @count(%m: tensor<300xi1>) -> tensor<i64> {
  %0 = ingot.convert %m : (tensor<300xi1>) -> tensor<300xi64>
  %1 = ingot.reduce add %0 axes = [0] : (tensor<300xi64>) -> tensor<i64>
  return %1 : tensor<i64>
}

// -----

// A block in which an element is better than those before is searched for it, the rest is compared
// one by one.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for {{.*}} -> (f64, index) {
// CHECK: scf.for {{.*}} -> (f64) {
// CHECK: arith.maximumf
// CHECK: scf.if {{.*}} -> (f64, index) {
// CHECK: scf.for {{.*}} -> (index) {
// CHECK: arith.minsi
// CHECK: scf.for {{.*}} -> (f64, index) {
func.func @place(%x: tensor<200xf64>) -> tensor<i64> {
  %0 = ingot.arg_reduce max %x axis = 0 : (tensor<200xf64>) -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

// What is joined is computed in the memory of the result.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[RESULT:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NOT: alloc_tensor
// CHECK: %[[PLACE:.*]] = tensor.extract_slice %[[RESULT]][0] [8] [1]
// CHECK: linalg.generic {{.*}} outs(%[[PLACE]]
// CHECK-NOT: alloc_tensor
func.func @joined(%x: tensor<8xf64>, %y: tensor<4xf64>) -> tensor<12xf64> {
  %0 = ingot.sin %x : tensor<8xf64>
  %1 = ingot.concatenate %0, %y axis = 0 : (tensor<8xf64>, tensor<4xf64>) -> tensor<12xf64>
  return %1 : tensor<12xf64>
}

// -----

// A mask is read up to the block of rows in which an element is true.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[NO:.*]] = arith.constant false
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[FOUND:.*]] = %[[NO]]) -> (i1) {
// CHECK: %[[OPEN:.*]] = arith.cmpi eq, %[[FOUND]], %[[NO]] : i1
// CHECK: scf.if %[[OPEN]] -> (i1) {
// CHECK: arith.minsi
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.ori
// CHECK: } else {
// CHECK: scf.yield %[[FOUND]] : i1
func.func @any(%m: tensor<1000x300xi1>) -> tensor<i1> {
  %0 = ingot.reduce or %m axes = [0, 1] : (tensor<1000x300xi1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

// A transform takes a factor, which all items of the stack have in common.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[FACTOR:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @kernel
// CHECK: %[[THIRD:.*]] = arith.constant 2.500000e-01 : f64
// CHECK: %[[OF_ALL:.*]] = tensor.from_elements %[[THIRD]] : tensor<f64>
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[FACTOR]], #[[Y]]], iterator_types = ["parallel", "reduction", "parallel"], library_call = "irfft"}
// CHECK-SAME: ins(%{{.*}}, %[[OF_ALL]] : tensor<6x3xcomplex<f64>>, tensor<f64>) outs(%{{.*}} : tensor<6x4xf64>)
func.func @inverse(%x: tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x4xf64> {
  %0 = ingot.fft irfft %x length = 4 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

// -----

// Transforms along the first axis read columns of a matrix, and store columns.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%{{.*}}: memref<8x6xcomplex<f64>> {{.*}}, %[[R:.*]]: memref<8x6xcomplex<f64>> {{.*}})
// CHECK: %[[RESULT:.*]] = bufferization.to_tensor %[[R]]
// CHECK-NOT: linalg.generic
// CHECK: linalg.generic {indexing_maps = [#[[X]], #{{.*}}, #[[Y]]], {{.*}}library_call = "fft"}
// CHECK-SAME: outs(%[[RESULT]] : tensor<8x6xcomplex<f64>>)
// CHECK-NOT: linalg.generic
func.func @columns(%x: tensor<8x6xcomplex<f64>>) -> tensor<8x6xcomplex<f64>> {
  %0 = ingot.transpose %x axes = [1, 0] : (tensor<8x6xcomplex<f64>>) -> tensor<6x8xcomplex<f64>>
  %1 = ingot.fft fft %0 length = 8 : (tensor<6x8xcomplex<f64>>) -> tensor<6x8xcomplex<f64>>
  %2 = ingot.transpose %1 axes = [1, 0] : (tensor<6x8xcomplex<f64>>) -> tensor<8x6xcomplex<f64>>
  return %2 : tensor<8x6xcomplex<f64>>
}

// -----

// Many elements in a row are stored together, and few of them one by one.
// CHECK-LABEL: func.func @kernel(%arg0: memref<
// CHECK: %[[MANY:.*]] = tensor.from_elements %{{.*}} : tensor<16xf64>
// CHECK: tensor.insert_slice %[[MANY]] into %{{.*}}[0] [16] [1] : tensor<16xf64> into tensor<19xf64>
// CHECK: tensor.insert_slice %{{.*}}[16] [2] [1]
// CHECK: tensor.insert %{{.*}}[%{{.*}}] : tensor<19xf64>
func.func @elements(%u: tensor<1xf64>, %v: tensor<1xf64>, %x: tensor<2xf64>) -> tensor<19xf64> {
  %0 = ingot.concatenate %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %v, %x, %u axis = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<2xf64>, tensor<1xf64>) -> tensor<19xf64>
  return %0 : tensor<19xf64>
}

// -----

// A stencil in place. Its neighbours are read from one copy of the array, which is smaller than
// copies of them, and the middle from the array.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[A:.*]] = bufferization.to_tensor
// CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %[[A]][1] [48] [1]
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A]]) : tensor<50xf64>
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %[[COPY]][0] [48] [1]
// CHECK: %[[RIGHT:.*]] = tensor.extract_slice %[[COPY]][2] [48] [1]
// CHECK: linalg.generic {{.*}} ins(%[[MIDDLE]], %[[LEFT]], %[[RIGHT]] : {{.*}}) outs(%[[MIDDLE]]
func.func @kernel(%a: tensor<50xf64>) -> tensor<50xf64> attributes {ingot.updates = array<i64: 0>} {
  %one = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.slice %a starts = [0] sizes = [48] strides = [1] : (tensor<50xf64>) -> tensor<48xf64>
  %1 = ingot.slice %a starts = [2] sizes = [48] strides = [1] : (tensor<50xf64>) -> tensor<48xf64>
  %2 = ingot.slice %a starts = [1] sizes = [48] strides = [1] : (tensor<50xf64>) -> tensor<48xf64>
  %3 = ingot.add %0, %1 : (tensor<48xf64>, tensor<48xf64>) -> tensor<48xf64>
  %4 = ingot.add %2, %3 : (tensor<48xf64>, tensor<48xf64>) -> tensor<48xf64>
  %5 = ingot.update_slice %a, %4[%one] strides = [1] : (tensor<50xf64>, tensor<48xf64>, tensor<i64>) -> tensor<50xf64>
  return %5 : tensor<50xf64>
}

// -----

// Not in a branch, if the slices are read after it.
// CHECK-LABEL: func.func @kernel
// CHECK-COUNT-2: tensor.extract_slice
// CHECK: scf.if
// CHECK-NOT: bufferization.alloc_tensor() copy
// CHECK: return
func.func @kernel(%a: tensor<50xf64>, %p: tensor<i1>) -> (tensor<50xf64>, tensor<48xf64>) attributes {ingot.updates = array<i64: 0, -1>} {
  %one = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.slice %a starts = [0] sizes = [48] strides = [1] : (tensor<50xf64>) -> tensor<48xf64>
  %1 = ingot.slice %a starts = [2] sizes = [48] strides = [1] : (tensor<50xf64>) -> tensor<48xf64>
  %2 = ingot.if %p : tensor<50xf64> {
    %4 = ingot.add %0, %1 : (tensor<48xf64>, tensor<48xf64>) -> tensor<48xf64>
    %5 = ingot.update_slice %a, %4[%one] strides = [1] : (tensor<50xf64>, tensor<48xf64>, tensor<i64>) -> tensor<50xf64>
    ingot.yield %5 : tensor<50xf64>
  } else {
    ingot.yield %a : tensor<50xf64>
  }
  %3 = ingot.mul %0, %1 : (tensor<48xf64>, tensor<48xf64>) -> tensor<48xf64>
  return %2, %3 : tensor<50xf64>, tensor<48xf64>
}

// -----

// All rows of a stack are stored, so it has no initial values, wherever the index begins.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[OUT:.*]] = bufferization.to_tensor %arg1
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[OUT]])
func.func @kernel(%x: tensor<10xf64>) -> tensor<19x10xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %end = ingot.constant dense<20> : tensor<i64>
  %none = ingot.constant dense<0.0> : tensor<19x10xf64>
  %r:2 = ingot.for %i = %one to %end step %one carry (%v = %x, %s = %none) : tensor<10xf64>, tensor<19x10xf64> {
    %at = ingot.sub %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %row = ingot.reshape %v : (tensor<10xf64>) -> tensor<1x10xf64>
    %s1 = ingot.update_slice %s, %row[%at, %zero] strides = [1, 1] : (tensor<19x10xf64>, tensor<1x10xf64>, tensor<i64>, tensor<i64>) -> tensor<19x10xf64>
    %v1 = ingot.sin %v : tensor<10xf64>
    ingot.yield %v1, %s1 : tensor<10xf64>, tensor<19x10xf64>
  }
  return %r#1 : tensor<19x10xf64>
}

// -----

// Iterations of which each stores rows of its own, and nothing else, may run at once.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK: } {ingot.parallel = 2 : i64}
func.func @kernel(%x: tensor<20x10xf64>) -> (tensor<30x10xf64>, tensor<20xf64>) {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %end = ingot.constant dense<20> : tensor<i64>
  %a = ingot.constant dense<0.0> : tensor<30x10xf64>
  %b = ingot.constant dense<0.0> : tensor<20xf64>
  %r:2 = ingot.for %i = %zero to %end step %one carry (%p = %a, %q = %b) : tensor<30x10xf64>, tensor<20xf64> {
    %row = ingot.dynamic_slice %x[%i, %zero] sizes = [1, 10] strides = [1, 1] : (tensor<20x10xf64>, tensor<i64>, tensor<i64>) -> tensor<1x10xf64>
    %s = ingot.sin %row : tensor<1x10xf64>
    %at = ingot.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %p1 = ingot.update_slice %p, %s[%at, %zero] strides = [1, 1] : (tensor<30x10xf64>, tensor<1x10xf64>, tensor<i64>, tensor<i64>) -> tensor<30x10xf64>
    %sum = ingot.reduce add %s axes = [1] : (tensor<1x10xf64>) -> tensor<1xf64>
    %q1 = ingot.update_slice %q, %sum[%i] strides = [1] : (tensor<20xf64>, tensor<1xf64>, tensor<i64>) -> tensor<20xf64>
    ingot.yield %p1, %q1 : tensor<30x10xf64>, tensor<20xf64>
  }
  return %r#0, %r#1 : tensor<30x10xf64>, tensor<20xf64>
}

// -----

// One reads the row that the iteration before has stored.
// CHECK-LABEL: func.func @kernel
// CHECK-NOT: ingot.parallel
// CHECK: return
func.func @kernel(%x: tensor<20xf64>) -> tensor<20xf64> {
  %zero = ingot.constant dense<0> : tensor<i64>
  %one = ingot.constant dense<1> : tensor<i64>
  %end = ingot.constant dense<20> : tensor<i64>
  %r = ingot.for %i = %one to %end step %one carry (%p = %x) : tensor<20xf64> {
    %before = ingot.sub %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %row = ingot.dynamic_slice %p[%before] sizes = [1] strides = [1] : (tensor<20xf64>, tensor<i64>) -> tensor<1xf64>
    %s = ingot.sin %row : tensor<1xf64>
    %p1 = ingot.update_slice %p, %s[%i] strides = [1] : (tensor<20xf64>, tensor<1xf64>, tensor<i64>) -> tensor<20xf64>
    ingot.yield %p1 : tensor<20xf64>
  }
  return %r : tensor<20xf64>
}

// -----

// What is only declared is left.
// CHECK: func.func private @declared(tensor<4xf64>) -> tensor<4xf64>
func.func private @declared(tensor<4xf64>) -> tensor<4xf64>

// -----

// An array that both regions leave as it is does not pass through the branch.
// CHECK-LABEL: func.func @kernel
// CHECK: scf.if %{{.*}} -> (f64) {
// CHECK-NOT: scf.if
func.func @unchanged(%x: tensor<9xf64>, %c: tensor<i1>, %s: tensor<f64>) -> (tensor<9xf64>, tensor<f64>) {
  %0 = ingot.add %x, %x : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
  %1:2 = ingot.if %c : tensor<9xf64>, tensor<f64> {
    ingot.yield %0, %s : tensor<9xf64>, tensor<f64>
  } else {
    %2 = ingot.neg %s : tensor<f64>
    ingot.yield %0, %2 : tensor<9xf64>, tensor<f64>
  }
  return %1#0, %1#1 : tensor<9xf64>, tensor<f64>
}
