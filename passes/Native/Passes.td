//===- Passes.td - The passes of native kernels ------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_NATIVE_PASSES_TD
#define INGOT_NATIVE_PASSES_TD

include "mlir/Pass/PassBase.td"

def CallLibm : Pass<"call-libm", "::mlir::ModuleOp"> {
  let summary = "Call the C library for functions that LLVM would compute inaccurately or in vain";
  let description = [{
    `convert-math-to-llvm` computes `math.expm1` as `exp(x) - 1`, and `math.log1p` as `log(1 + x)`.
    Both lose all digits near zero. This pass makes them calls of the C library's functions.

    LLVM computes `arith.remf` for all elements of a loop even where a branch needs it for few, as a
    call that does nothing else. The pass makes it a call that LLVM leaves in its branch.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def CallNumpy : Pass<"call-numpy", "::mlir::ModuleOp"> {
  let summary = "Call NumPy for products and functions of matrices";
  let description = [{
    Replaces a `linalg.generic` that has a `library_call` by a call of a function which the runtime
    gives to kernels: a loop of NumPy's, which calls the BLAS and LAPACK that NumPy has.

    For `multiply` it is `ingot.multiply`. The function takes the number of the element type
    (0 to 3: float32, float64, complex64, complex128), the addresses of both operands and of the
    result, the sizes of the batch, rows, sums and columns, and the distances in bytes between
    neighbours along these axes. Axes that play one role have to be adjacent in memory. A product
    for which they aren't is left to loops.

    The name of a function of np.linalg, as `solve`, stands for `ingot.solve`. The arrays have one
    axis before those of the function's signature, and the last output tells, for each item along it,
    if the function failed. The call takes the number of the element type of the operands and two
    addresses: of numbers in memory, which are the addresses of the other arrays and what NumPy passes
    to its loop, and of the last output.

    The outputs are overwritten, whatever the region says.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CastReshapes : Pass<"cast-reshapes", "::mlir::func::FuncOp"> {
  let summary = "View contiguous memory with fewer axes by a cast";
  let description = [{
    `fold-memref-alias-ops` replaces a load from a `memref.collapse_shape` by one from the array before,
    and computes the index along each of its axes by divisions. Contiguous memory needs none: a
    `memref.reinterpret_cast` takes the index as it is.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def CopiesToLoops : Pass<"copies-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Copy memory with strides by loops";
  let description = [{
    `finalize-memref-to-llvm` lowers a copy between contiguous buffers to `memcpy`, and every
    other copy to a call of a library that kernels don't have. This pass replaces the latter by
    `linalg.generic` operations, of which LLVM sees the loops.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def FuseLoops : Pass<"fuse-loops", "::mlir::func::FuncOp"> {
  let summary = "Compute operations on large arrays range by range, in one loop";
  let description = [{
    Operations that compute each index along an axis independently, as elementwise operations and
    sums of rows do, become one loop over ranges of that axis: what one of them makes of a range,
    the next one finds in the cache. Only results that are used outside are arrays, and of these
    not what is cheap and only padded: it is computed where it is used. A range is `part` bytes of
    the largest array; where one index has more, the loop's body is treated in the same way, along
    the next axis. A sum of all elements becomes one of partial sums, unless the
    function has the attribute `ingot.strict`.

    Applies where the largest array has `least` bytes and arrays of that size would be read or
    written more than once, or where many floats are reduced to one. The loop has the attributes
    `ingot.parallel` (each iteration has elements of its own) and `ingot.overwritten`: the carried
    arrays of which all elements are stored, so that their initial values are not needed.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"least", "least", "int64_t", "1 << 18", "The least number of bytes of the largest array">,
    Option<"part", "part", "int64_t", "1 << 14",
           "The bytes of a range of it: several of them stay in a core's cache">
  ];
}

def FuseProducts : Pass<"fuse-products", "::mlir::func::FuncOp"> {
  let summary = "Compute several products of a large matrix and vectors in one loop over its rows";
  let description = [{
    Products of one matrix by vectors, from either side, become two loops, over blocks of rows and over
    the rows of a block, that compute all of them: the matrix is read from memory once. A vector that
    sums rows may consist of elements of the other products' results, as in `A.T @ (A @ x - b)`.
    The loop over blocks has the attribute `ingot.parallel`: each block has sums of its own.

    It leaves functions alone that have the attribute `ingot.strict`, and matrices that a cache holds.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"least", "least", "int64_t", "1 << 20", "The least number of bytes of a matrix">
  ];
}

def HoistReads : Pass<"hoist-reads", "::mlir::func::FuncOp"> {
  let summary = "Compute what is read of an array before the array is overwritten";
  let description = [{
    Reverse mode reads the cotangent of a slice, stores zeros in its place, and computes with
    what it has read afterwards. `update_slice` and `scatter` overwrite an array in place only
    if nothing reads it later, so elementwise operations on the array and its parts, padded or not,
    move to before them.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def JamLoops : Pass<"jam-loops", "::mlir::func::FuncOp"> {
  let summary = "Unroll loops around inner loops, and join the inner loops";
  let description = [{
    Four iterations of a loop become one, and the four inner loops one ("unroll and jam"), where
    the inner loop loads the same in each of them: a sum of products of a matrix's rows loads the
    vector once for four rows, and one of its columns loads and stores the sums once. The order of
    what is added to an element stays.

    It applies to a loop with inner loops that follow each other, of which the bounds don't depend on
    the outer one. Each buffer that they store to has one store, and loads only of what that stores
    to. Buffers are other memory than each other if they are allocations or parameters with
    `llvm.noalias`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def LowerToLinalg : Pass<"lower-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to linalg and loops on tensors";
  let description = [{
    Lowers each function of the ingot dialect, as `outline-fusions` makes it, to one that reads
    and writes memory: its parameters are the operands, then the results. A result that is an
    operand with some elements overwritten is one parameter. The attribute `ingot.frame` has the
    operand's number of each parameter, or -1 minus the number of the result.

    Arrays of one element become scalars, and the others tensors without their axes of size 1.
    Elementwise operations, broadcasts, transposes and gathers are computed within the loops of
    the operation that uses them, if no other one does. A slice that its own elements are
    computed into is overwritten in place. Integers that may be out of range of an array are
    moved into it, so no kernel reads or writes other memory.

    Sums are reordered, and products contracted with sums, unless the function has the attribute
    `ingot.strict`.
  }];
  let dependentDialects = [
    "::ingot::IngotDialect", "::stablehlo::StablehloDialect", "::chlo::ChloDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def OrientProducts : Pass<"orient-products", "::mlir::func::FuncOp"> {
  let summary = "Have operands of large products be matrices in memory";
  let description = [{
    A library takes the batching axes, the contracting axes and the other ones of an operand as
    one axis each, with one stride. This pass rewrites products that kernels leave to a library:
    they read what is transposed as it was before that where the strides allow it, and copies where
    the axes are not adjacent in memory.

    A product of two vectors of many elements becomes a sum of products of elements, which
    `fuse-loops` computes in parts, unless the function has the attribute `ingot.strict`.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ExpandProducts : Pass<"expand-products", "::mlir::func::FuncOp"> {
  let summary = "Write short sums of products out";
  let description = [{
    A product of matrices whose sums have at most four terms, such as a rotation of many points,
    becomes elementwise: the sum of `x[:, 0] * y[0, :]`, `x[:, 1] * y[1, :]` and so on. Its loops
    store each element once, and `fuse-loops` computes it together with what uses it.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def MergeFills : Pass<"merge-fills", "::mlir::func::FuncOp"> {
  let summary = "Fill parts of arrays where the arrays are used next";
  let description = [{
    Where a constant is stored in a part of an array, and elementwise code takes the array next, such as
    `x[1:-1] = 0` and `x + y`, the code selects the constant for the part: `lower-to-linalg` computes
    each part by loops of its own, which neither store the constant nor read it. Adjoints of stencils
    do that to each array in each step. An array that a loop fills at the end of each iteration is
    filled at the beginning of the next one instead; the first iteration runs in front of the loop if
    the array does not have the constant yet.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def OutlineNests : Pass<"outline-nests", "::mlir::ModuleOp"> {
  let summary = "Make functions of the loops of large functions";
  let description = [{
    In a function of more nests of loops than `most`, each that takes longer than a call becomes a
    call of a function of its own. What LLVM's passes take for the loops of a function grows with the
    square of their number, and several threads compile functions.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"most", "most", "int64_t", "16", "The nests that a function keeps">
  ];
}

def OutlineParallelLoops : Pass<"outline-parallel-loops", "::mlir::ModuleOp"> {
  let summary = "Make functions of loops that threads can share";
  let description = [{
    A loop whose iterations are independent, and that takes long, becomes a call of a function of
    its range: `@kernel.part(begin, end, ...)` runs the iterations from `begin` to `end`, so calls
    of parts of the range, in any order or at once, do the same as one. Such loops are operations
    of linalg on buffers, by one of their parallel dimensions, and loops with the attribute
    `ingot.parallel`: the number of arrays in which each iteration has elements of its own, for which
    the maker of the loop vouches.

    The attribute `ingot.shared` of the function has the number of iterations that are worth a
    thread, by an estimate of the cost, and how many pieces of the range a thread should get:
    several, so that threads that are done early take those of others, but fewer where the loop
    lies within others, since short pieces would read memory by short rows. The code generation makes the calls ones of
    the runtime, which calls parts on several threads.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let options = [
    Option<"least", "least", "int64_t", "393216",
           "The cost of a thread's part, in units of 0.25 ns">
  ];
}

def PlaceAllocations : Pass<"place-allocations", "::mlir::func::FuncOp"> {
  let summary = "Allocate all buffers once, at the entry";
  let description = [{
    Each buffer of static size becomes an allocation in the entry block, so that loops allocate
    nothing. The smallest buffers are on the stack, each by itself, so that LLVM can keep their
    elements in registers. The others are on the heap until the function returns. Two of them
    share memory if no operation of the entry block uses both.

    A buffer of dynamic size gets memory for the array that it is a slice of, if a `memref.subview`
    of the same size in the same block shows that. If not, it is allocated where it is, and freed
    at the end of that block.

    The contract: a buffer that is allocated in a loop is not used in later iterations.
    `one-shot-bufferize` rejects loops that return such buffers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let options = [
    Option<"stack", "stack", "int64_t", "16384", "How many bytes the stack may hold">
  ];
}

def ReloadUpdates : Pass<"reload-updates", "::mlir::func::FuncOp"> {
  let summary = "Read values that were stored to an array from the array";
  let description = [{
    The elementwise update of an `update_slice` whose other users come later becomes a slice of
    the result for these, unless the result may be overwritten before. So the update is computed
    in the memory of the array, and needs no memory of its own. A slice of the operand that is
    read later, and that the update leaves as it is, becomes a slice of the result, so that the
    operand can be overwritten. Both undo `forward-updates` where XLA profits and memory does not.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SplitAxes : Pass<"split-axes", "::mlir::func::FuncOp"> {
  let summary = "Compute elementwise on the axes that a reshape merges";
  let description = [{
    Elementwise code that reads a transposed or broadcast array of which a reshape has merged axes,
    such as `x.T.reshape(-1) * y`, is computed on the axes before they are merged, and its result is
    reshaped. So the elements are read where they are, without a copy in their new order. Slices
    that take merged axes as a whole follow.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SplitIndexSets : Pass<"split-index-sets", "::mlir::func::FuncOp"> {
  let summary = "Split loops where conditions on their indices change";
  let description = [{
    An elementwise operation of linalg on buffers with branches that compare an index with a constant,
    as sums of padded arrays have, becomes several, each for a box of its indices. Each dimension is
    split at the ends of the ranges in which no condition changes and that have a quarter of the
    indices or more. What a condition is for all indices of a box is a constant there, so the largest
    boxes have no branches, and LLVM vectorises their loops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let options = [
    Option<"least", "least", "int64_t", "1024", "The least number of iterations to split">
  ];
}

def StoreCarried : Pass<"store-carried", "::mlir::func::FuncOp"> {
  let summary = "Store what branches yield to a loop in the array that it carries";
  let description = [{
    If the next value of a carried array comes from an `if`, one of whose branches leaves the array
    as it is (a `break`, say), the others store their value to the array by an `update_slice` of
    all elements. So the branches yield versions of one array, and none of them has to be copied.
    Where branches yield several arrays, the order of the stores keeps what one of them reads of
    another array before that is overwritten.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

#endif // INGOT_NATIVE_PASSES_TD
