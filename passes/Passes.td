//===- Passes.td - Every pass of Ingot ---------------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_TD
#define INGOT_PASSES_TD

include "mlir/Pass/PassBase.td"

def AbsorbNegations : Pass<"absorb-negations", "::mlir::func::FuncOp"> {
  let summary = "Subtract an array instead of adding its negative";
  let description = [{
    Derivatives are full of negatives. They move from factors, parts and sides of selections to the
    result, until a sum takes them up: `a + pad(-x * y)` becomes `a - pad(x * y)`. All results are
    the same to the last bit, except for the signs of NaNs.

    Afterwards, what is subtracted here and added there may be one array.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def AlignArguments : Pass<"align-arguments", "::mlir::ModuleOp"> {
  let summary = "Read large arguments at any address";
  let description = [{
    XLA's CPU runtime takes arrays whose address is a multiple of 64, and copies others.
    This pass replaces a large argument of the entry by a flat array that contains it. The
    caller passes the memory from the aligned address before the argument on. A new last
    argument of the entry holds the offset of each such argument in its flat array, in
    elements. The module's attribute `ingot.aligned`, which XLA stores with the executable,
    lists the argument numbers. Only Ingot's runtime calls such programs.

    Loops read elements and rows directly from the flat array. An argument is left as it is
    if one of its users needs it as an array of its own: XLA would copy it more slowly than
    the runtime does.
  }];
  let dependentDialects = ["::ingot::IngotDialect", "::stablehlo::StablehloDialect"];
  let options = [
    Option<"least", "least", "int64_t", "1 << 20",
           "The size of the smallest large argument, in bytes">
  ];
}

def ApplyRewrites : Pass<"apply-rewrites", "::mlir::ModuleOp"> {
  let summary = "Apply users' rewrite rules";
  let description = [{
    A rule is a function with the attribute `ingot.rewrite` and two results. Code that
    matches the first result is replaced by the second. The function's arguments match
    floating arrays: of any shape if all operations of the rule are elementwise, else of
    the same rank as the argument. A rule has one element type. It matches code of any
    floating type whose elements all have the same type, to which the rule's constants are
    rounded. In an elementwise rule, `broadcast_to` matches what its operand matches.

    The attribute lists the conditions of the rule, each as `left, relation, right`. The
    relation is `eq`, `ne`, `lt`, `le`, `gt` or `ge`. The sides are `ndim I`, `size I`,
    `shape I K` or `dtype I` of argument `I`, `int N` or `type T`.

    It is an error if rules still apply after 10,000 rewrites, plus 10 rewrites for each
    operation of the function. The message names the rules; the name of a function
    `rewrite.NAME.I` is `NAME`. The pass removes the rules from the module.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"rulesFile", "rules", "std::string", "", "A file with more rules">
  ];
}

def BroadcastProducts : Pass<"broadcast-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply elementwise where a product has no sums";
  let description = [{
    Replaces a `dot_general` without contracting axes, as of an outer product, by a `mul` (or
    `mul_no_nan`) of operands that broadcast. It is fused with what uses the product, which is
    as large as the result then.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def CallLinalg : Pass<"call-linalg", "::mlir::func::FuncOp"> {
  let summary = "Call NumPy's functions for factorisations of matrices";
  let description = [{
    Replaces `cholesky`, `eig`, `eigh` and `svd` by `call_numpy` if the function is one of
    `functions`: which ones there are depends on NumPy's version. Of the functions for eigenvalues
    and singular values it takes those that compute no vectors, if nothing uses them.
    What is left to StableHLO and to jaxlib's LAPACK would run on the threads of another BLAS
    than NumPy's products, and both would wait for the same cores.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    ListOption<"functions", "functions", "std::string", "As for inline-rules">
  ];
}

def CallLibraries : Pass<"call-libraries", "::mlir::func::FuncOp"> {
  let summary = "Call libraries where XLA is slow on the CPU";
  let description = [{
    Replaces matrix products, functions of matrices, Fourier transforms, sorts by one key and
    running reductions by calls of NumPy's own inner loops, whose results are those of NumPy to
    the last bit, and triangular systems by calls of LAPACK. Only Ingot's runtime on the CPU
    provides these functions, so the pass does not run on modules that are exported. XLA
    still compiles small products and short axes, which it fuses with the code around them,
    and batches of many small triangular systems, which it solves at once.

    LAPACK is there wherever XLA is used through jaxlib: with `lapack-only`, the pass is for
    the programs of JAX and for those that XLA partitions.

    XLA's formulas for transcendental functions take 5 to 40 ns for each element; NumPy
    takes about 1 ns where it has vector instructions. `vectorised` lists those functions
    with their element types.
  }];
  let dependentDialects = ["::ingot::IngotDialect", "::stablehlo::StablehloDialect"];
  let options = [
    Option<"lapackOnly", "lapack-only", "bool", "false",
           "Call LAPACK for triangular systems, and nothing else">,
    ListOption<"vectorised", "vectorised", "std::string",
               "The elementwise functions to call, each as `exp/f64`">
  ];
}

def CancelTransposes : Pass<"cancel-transposes", "::mlir::func::FuncOp"> {
  let summary = "Transpose operands of elementwise operations in the place of results";
  let description = [{
    NumPy computes `x.T + 1` in the order of memory, and so does a result that is laid out as NumPy
    lays it out: it is transposed back. Where an elementwise result is only transposed, and an
    operand of it is transposed the other way round, the pass computes it from operands that are
    transposed by the former, of which that one is then as it was. It follows elementwise operations
    from one to the next.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ChunkReductions : Pass<"chunk-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reduce only the chunks of an axis that are not masked";
  let description = [{
    Some reductions in a loop have a mask that is a range known at run time: outside of it
    the elements are the neutral element, as those of `select(iota < n, x, 0)` from `n` on.
    The pass turns such a `reduce`, or product of vectors, into a loop over the chunks of
    the axis that meet the range. The loop also computes the elementwise operands chunk by
    chunk, so the time depends on the range and not on the length of the axis. The pass is
    for the CPU, where a loop of small steps costs little. Axes of fewer than four chunks
    are left alone.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"size", "size", "int64_t", "256", "The number of elements of a chunk">
  ];
}

def CheckBatch : Pass<"check-batch", "::mlir::func::FuncOp"> {
  let summary = "Fail unless the items of a batch are independent";
  let description = [{
    The axes of extent `batch` of the arguments and results are batch axes. The pass
    succeeds if item `i` of each result depends only on the items `i` of the arguments,
    and neither on their position in the batch nor on its size. Several calls can then be
    concatenated along these axes into one call whose results are split. Checks may
    combine all items if repeating an item changes nothing, as `all` does. Otherwise the
    pass fails with an error at the operation that combines items.
  }];
  let options = [
    Option<"batch", "batch", "int64_t", "0", "The extent of the batch axes">,
    ListOption<"open", "open", "int64_t", "Other extents that depend on it">
  ];
}

def DistributeLoops : Pass<"distribute-loops", "::mlir::func::FuncOp"> {
  let summary = "Sum up products in a loop of its own";
  let description = [{
    Divides a `for` into two loops if it carries an array on which nothing else in it depends,
    and adds products to that array. The first loop stacks what the products are computed
    from; the second one reads that, and computes the array. `raise-products` then makes one
    product of those of all iterations. Such sums are the gradients by the weights of a
    recurrent network, for example:

    ```mlir
    %r:2 = ingot.for %i = %zero to %n step %one carry (%h = %x, %w = %zeros) : ... {
      %g = ...
      %outer = ingot.dot_general %g, %row batching = [] x [] contracting = [] x [] : ...
      %sum = ingot.add %w, %outer : ...
      ingot.yield %g, %sum : ...
    }
    ```

    The trip count must be known, and what is stacked must be smaller than 64 MiB. Values are
    the same, rounding included. "Loop distribution" is also known as loop fission.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ExpandTransformations : Pass<"expand-transformations", "::mlir::ModuleOp"> {
  let summary = "Replace each ingot.jvp, ingot.vjp and ingot.vmap, innermost first";
  let description = [{
    Does the work of `expand-jvp`, `expand-vjp` and `expand-vmap` in one walk.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"countsKnown", "counts-known", "bool", "false",
           "As for expand-vjp">
  ];
}

def ExpandJvp : Pass<"expand-jvp", "::mlir::ModuleOp"> {
  let summary = "Replace each ingot.jvp by its region and the tangents";
  let description = [{
    Inlines the region. After each of its operations come those that compute the tangents
    of its results from the tangents of its operands (`DifferentiableOpInterface`). Values
    that do not depend differentiably on the region's arguments have no tangents. `if`,
    `for` and `while` yield and carry tangents in addition to the primal values.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ExpandNonzero : Pass<"expand-nonzero", "::mlir::func::FuncOp"> {
  let summary = "Find positions of true elements by a running sum and a scatter";
  let description = [{
    StableHLO has no operation for `nonzero`. The number of true elements before each one is
    where its position goes; the positions of false elements go to one more element, which
    is cut off. Kernels, which loop over the elements instead, are made before.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ExpandVjp : Pass<"expand-vjp", "::mlir::ModuleOp"> {
  let summary = "Replace each ingot.vjp by its region and the adjoints";
  let description = [{
    Inlines the region as the forward code. The backward code follows: it visits the
    operations that depend differentiably on the arguments in reverse order and adds to
    the cotangents of their operands (`DifferentiableOpInterface`). The adjoint of an `if`
    is that of the region that ran. The adjoint of a loop runs through the iterations from
    the last to the first.

    Adjoints use primal values of regions and iterations. The forward code saves these
    residuals, or the backward code recomputes them, whichever takes less memory: the
    results of matrix products, factorisations, reductions and loops are saved; another
    value is recomputed if the residuals for that are not larger than the value itself. An
    array that is updated in place is carried backwards, and each `update_slice` is undone
    with the elements that it overwrote. The cotangents of slices are added to that of the
    array in place. So the adjoint of an update of one element takes constant time.

    A loop without a static limit of its trip count (`while`, and `for` with dynamic
    bounds), or with more than 1 GiB of residuals, uses checkpoints of its loop-carried
    values instead. The backward code replays chunks of 64 or more iterations from the
    checkpoints, and holds the residuals of one chunk at a time. There are at most 85
    checkpoints, and each iteration runs about `log8(iterations / 64)` more times.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"countsKnown", "counts-known", "bool", "false",
           "Fail at a `for` whose trip count has no static limit">
  ];
}

def ExpandVmap : Pass<"expand-vmap", "::mlir::ModuleOp"> {
  let summary = "Replace each ingot.vmap by code for all lanes at once";
  let description = [{
    Values that differ between lanes get a new first axis; other values are computed once.
    Slices whose starts differ become gathers and scatters, and matrix products get a
    batching axis.

    If the condition of an `if` differs between lanes, both regions run and each lane
    selects its results; else the `if` remains a branch. A loop whose trip count differs
    runs until the last lane has finished. Lanes are masked in a region or an iteration
    that they do not run: `update_slice` writes the elements that the array already has,
    checks hold, and prints print nothing.

    Transformations inside the region must be expanded first.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def FactorProducts : Pass<"factor-products", "::mlir::func::FuncOp"> {
  let summary = "Compute a sum of products that share an operand as one product";
  let description = [{
    Rewrites `a @ x + b @ x` to `(a + b) @ x`, with half of the multiplications. The gradient of
    `x.T @ x` is such a sum, where one of the operands is transposed. The products may be
    transposed, flipped and padded, and stand in a sum `(a @ x + y) + b @ x` of more values. Both have
    no other use, and each element of `a` is multiplied with 8 elements of `x` at least. The
    results are the same except for rounding and overflow.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SumOperands : Pass<"sum-operands", "::mlir::func::FuncOp"> {
  let summary = "Compute a sum of a product's elements by sums of its operands";
  let description = [{
    The sum of all elements of `a @ b` is `a.sum(0) @ b.sum(1)`: this pass sums operands along
    free axes along which the product is summed, where that is much less work. It looks through
    other products, sums, differences, transpositions and factors that are the same along these axes,
    if nothing else uses them.

    The results are the same except for rounding and overflow. Where one is not finite, the
    function computes the sum as before, in a branch, since infinite elements could cancel.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def FormConvolutions : Pass<"form-convolutions", "::mlir::func::FuncOp"> {
  let summary = "Make products of sliding windows convolutions";
  let description = [{
    A `dot_general` of windows of an array, as loops over positions gather them, becomes a
    `stablehlo.convolution` of the array: each axis of the array is indexed by the sum of a multiple
    of a position, that is an axis of the result, and a multiple of an index in the window, along
    which is summed, or the other way round, as in the derivative by the weights. A `scatter add` of
    a product to such windows, as in the derivative by the array, becomes a convolution, too, of the
    other operand by the reversed weights. No array of all windows is made.

    A convolution multiplies all weights by zeros, too, where windows have holes or end outside of
    the array, and may compute sums by transforms. So its result is only taken if it is finite;
    otherwise the windows are gathered.
  }];
  let dependentDialects = ["::ingot::IngotDialect", "::stablehlo::StablehloDialect"];
}

def FormFusions : Pass<"form-fusions", "::mlir::func::FuncOp"> {
  let summary = "Group operations that run as one kernel on the CPU";
  let description = [{
    Moves operations into `ingot.fusion`: whole loops and branches, and elementwise
    operations, reductions, scans, indexing and small products around them. What XLA or a
    library computes better stays outside, and so do loops that contain it:
    convolutions, factorisations, sorts, prints and callbacks. Products and functions that
    kernels call NumPy for are part of them.

    Operations of a block are in one fusion if the same number of changes between the two
    kinds of operations is on the longest path to each of them. So no fusion waits for
    another one that waits for it. A fusion has a loop, or at least `least` elements in
    one array that it computes, or 100 operations, or is the whole function.

    The time to compile a kernel grows faster than its size, so operations that become
    more than 100 loops are several fusions of at most 50. A loop or branch of more than
    400 loops, or with more than 8 branches within each other, stays, and its parts are
    fused.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"least", "least", "int64_t", "1024",
           "The size of the smallest array for which a fusion is made, in elements">
  ];
}

def ForwardUpdates : Pass<"forward-updates", "::mlir::func::FuncOp"> {
  let summary = "Forward updates to the slices that read them";
  let description = [{
    A slice of the result of `update_slice` is replaced: by the update, if it reads exactly
    the updated elements, or by a slice of the array before the update, if it reads none of
    them. For a single element whose indices are dynamic, a `select` on the indices chooses
    between the two. An update that the next one overwrites is removed.

    XLA would otherwise fuse the update into its users and copy the array: the time of
    `a[i, j] /= a[j, j]` in a loop would depend on the size of the array.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def GuardProducts : Pass<"guard-products", "::mlir::func::FuncOp"> {
  let summary = "Use plain products while no operand is infinite or NaN";
  let description = [{
    Replaces a `dot_general` with `lhs_zeros` or `rhs_zeros`, as gradients have them, by a plain
    one, which libraries compute, and by the given one only if a zero may have met an infinite
    or NaN element: if one is found in the result or in the operands, whichever is smaller.
    Before kernels are formed, it replaces large products only: kernels treat zeros as they
    multiply.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"large", "large", "bool", "false", "Leave products that kernels compute themselves">
  ];
}

def HoistChecks : Pass<"hoist-checks", "::mlir::func::FuncOp"> {
  let summary = "Hoist checks of the induction variable out of loops";
  let description = [{
    Replaces an `ingot.assert` in a `for` of step 1 or -1 by checks before the loop if its
    condition compares the induction variable, plus or minus a loop invariant. The new
    checks test the least and the greatest value of the variable. The pass also removes
    checks of conditions that were checked before.

    Afterwards the first check that fails need not be the one that fails first in the
    source. The runtime finds that one by running the program again, compiled without
    this pass.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def HoistParts : Pass<"hoist-parts", "::mlir::func::FuncOp"> {
  let summary = "Hoist parts and paddings of arrays that don't change out of loops";
  let description = [{
    Moves pads, slices, reshapes, transposes, flips, broadcasts, concatenations and the real and
    imaginary parts of loop invariants before the loop. It runs before derivatives are expanded: the
    adjoint of a part that is taken in each iteration adds to an array of the padded shape then, at
    the elements that the iteration reads, and drops the padding once.

    `loop-invariant-code-motion` would move computations as well, and `trap-nans` would check those
    of loops that never run.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def InlineRules : Pass<"inline-rules", "::mlir::func::FuncOp"> {
  let summary = "Replace ingot.checkpoint and ingot.custom_derivative by their bodies";
  let description = [{
    Also replaces `ingot.custom_vmap` and `ingot.fusion` by their bodies, and
    `ingot.stop_gradient` by its operand. Runs after the expansion of transformations,
    which uses the rules. An `ingot.numpy_function` becomes an `ingot.call_numpy` if it is one
    of `functions`, and is replaced by its body otherwise.
  }];
  let options = [
    ListOption<"functions", "functions", "std::string",
               "The functions of np.linalg to call, as `solve`">
  ];
}

def KeepLastStores : Pass<"keep-last-stores", "::mlir::func::FuncOp"> {
  let summary = "Drop stores that later ones to the same element overwrite";
  let description = [{
    `scatter set` leaves the last of several updates of an element, as NumPy does. GPUs run
    updates in any order, so the others get an index behind the array, and are dropped.
    Which update is the last one is found by comparing each two indices where these are few,
    and else by a scatter of the updates' numbers by `max`.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def LowerEffects : Pass<"lower-effects", "::mlir::ModuleOp"> {
  let summary = "Turn run-time checks into a status result, and put prints in order";
  let description = [{
    Adds a status to the results of each function that contains `ingot.assert` or
    `ingot.print`. The status is a 0-d `i32`: 0 if every check held, else the number
    (counted from 1) of the first check that failed. `if`, `for` and `while` carry the
    status as an additional value. Each print takes and returns it, so prints keep their
    order among the effects and print nothing after a check has failed. A `while` ends
    when a check fails. The function's attribute `ingot.checks` lists the exception, the
    message and the source position of each check.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def LowerShardings : Pass<"lower-shardings", "::mlir::ModuleOp"> {
  let summary = "Lower meshes and shardings to Shardy";
  let description = [{
    Replaces the module's `ingot.mesh` by `sdy.mesh`, the attribute `ingot.sharding` of
    arguments and results by `sdy.sharding`, and each `ingot.shard` by
    `sdy.sharding_constraint`. XLA partitions such a program for the devices of the mesh.
    Runs after `lower-to-stablehlo`, which leaves `ingot.shard` as it is. In a module without
    a mesh, shardings are removed.
  }];
  let dependentDialects = ["::sdy::SdyDialect"];
}

def LowerToStablehlo : Pass<"lower-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "Lower the ingot dialect to StableHLO";
  let description = [{
    Makes NumPy's broadcasting explicit and replaces every operation by StableHLO
    operations; each family of operations has its set of patterns. Run `lower-effects`
    first: a remaining `ingot.assert` or `ingot.print` is an error. `lower-shardings` lowers
    `ingot.shard`.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect", "::chlo::ChloDialect"];
}

def OrderReads : Pass<"order-reads", "::mlir::func::FuncOp"> {
  let summary = "Read arrays before they are overwritten";
  let description = [{
    Applies where a slice of an array is read, `update_slice` or a loop then overwrites the
    array, and the slice has uses after that. An `ingot.barrier` makes the write depend on
    the read. XLA would otherwise fuse the read into its later uses, and therefore copy the
    array: the time to exchange two elements would depend on the size of the array.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def OutlineFusions : Pass<"outline-fusions", "::mlir::ModuleOp"> {
  let summary = "Make each fusion a kernel, and call it";
  let description = [{
    Moves the region of each `ingot.fusion` into the function `kernel` of a module of its
    own, named `ingot.native.` and a hash of its text. A custom call with that name takes
    the place of the fusion. If a result is an operand with some elements overwritten, the
    call states that they share memory; the function's attribute `ingot.updates` lists
    the operand for each result, or -1. With `strict`, it has the attribute `ingot.strict`, and
    `ingot.without` lists the passes on kernels that are to be left out.
  }];
  let dependentDialects = ["::ingot::IngotDialect", "::stablehlo::StablehloDialect"];
  let options = [
    Option<"strict", "strict", "bool", "false", "Each operation on floats rounds by itself">,
    ListOption<"without", "without", "std::string", "Passes on kernels to leave out">
  ];
}

def NarrowProducts : Pass<"narrow-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply repeated rows once";
  let description = [{
    If an operand of a `dot_general` repeats along a free axis, as a `broadcast_to` does, the pass
    multiplies it at one index of that axis and repeats the product. If all of it is one finite
    number, it multiplies the sum of the other operand along the contracted axes. Derivatives of
    sums and means of products have such operands: in the gradient of `(a @ b @ c).sum()`, no
    product of matrices is left. The results differ in rounding, and where sums overflow.

    An operand is followed back through transposes, reshapes that add or remove axes of size 1, and
    elementwise operations. Floats of less than 32 bits stay, since their sums would be less precise
    than their products, as do products that hide infinities where zeros could come from a sum.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ContractSums : Pass<"contract-sums", "::mlir::func::FuncOp"> {
  let summary = "Sums of products of repeated arrays become contractions";
  let description = [{
    `(a[:, None, :] * b).sum(axis=2)` becomes a `dot_general`, without the product of all elements.
    Programs have such sums where they are written by broadcasting, and where `raise-loops` runs the
    iterations of a matrix product's loops together. Each array has an axis of its own, both are
    floats of at least 32 bits or complex, and a product of matrices takes `least` multiplications
    or more; else the loops of kernels and XLA's fusions are as fast. Sums round in another order.

    Sums of such sums are looked through, as derivatives leave them. A sum over batching axes of a
    `dot_general` becomes one that contracts them.
  }];
  let options = [
    Option<"least", "least", "int64_t", /*default=*/"512",
           "The fewest multiplications of a product of matrices">
  ];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def OutlineProducts : Pass<"outline-products", "::mlir::ModuleOp"> {
  let summary = "Call one function for many guarded products";
  let description = [{
    StableHLO has no `mul_no_nan` and `div_no_nan`: each becomes four to six operations. If
    `least` or more of a module agree in their types and attributes, they become calls of a
    private function with the one operation; a few are easier to read where they are. High
    derivatives of long functions have thousands of them. Two `dot_general` with `lhs_zeros` or
    `rhs_zeros`, each of which becomes about fifteen operations, are called already. XLA inlines
    the calls before any of its optimisations.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"least", "least", "uint64_t", "32", "The fewest equal products that are called">
  ];
}

def CarryStored : Pass<"carry-stored", "::mlir::func::FuncOp"> {
  let summary = "Carry what the iteration before has stored";
  let description = [{
    If each iteration of a `for` stores one part of an array, and reads the part that the iteration
    before has stored, the loop carries that part: as in `x[i] = a[i] * x[i - 1] + b[i]`. Then
    `raise-loops` sees the recurrence. If the next iteration also stores there, as in its gradient,
    the array is updated by the last part only, after the loop.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}
def TurnLoops : Pass<"turn-loops", "::mlir::func::FuncOp"> {
  let summary = "Count down where the index of a loop is only subtracted";
  let description = [{
    `for i in range(n)` with no use of `i` but in `m - i` counts from `m` down to `m - n`, as loops
    over reversed arrays and reverse passes do. Other passes look for indices plus a constant.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}
def PromoteElements : Pass<"promote-elements", "::mlir::func::FuncOp"> {
  let summary = "Carry elements through loops instead of their arrays";
  let description = [{
    If the iterations of a `for` read and update one part of an array only, which is the same in
    all of them, the loop carries that part, and the array is updated once after the loop, as in
    `for k in range(n): c[i, j] += a[i, k] * b[k, j]`.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"elements", "elements", "bool", "false", "Carry parts of one element only">
  ];
}

def PruneCarried : Pass<"prune-carried", "::mlir::func::FuncOp"> {
  let summary = "Remove dead loop-carried values and dead results of branches";
  let description = [{
    Replaces loop-carried values of `for` and `while` that no iteration changes by the initial
    values, and results of `if` that are one value from outside in both branches by that value.
    Then it removes the carried values and results on which no result of the function and no
    effect depends. This includes cycles of values, also
    through several loops, that only depend on each other. Operations that are dead
    afterwards are removed, too. Other operations with regions are removed only as a whole.
  }];
}

def RaiseLoops : Pass<"raise-loops", "::mlir::func::FuncOp"> {
  let summary = "Run the iterations of a loop together, as lanes of a batch";
  let description = [{
    Replaces a `for` by its body for all iterations at once, by the rules of `expand-vmap`, if each
    value that the loop carries is one of these:

    - An array of which each iteration updates, along one axis, the element at its own index plus
      a constant. It may also read that, elements that only later iterations update, and those
      that none does.
    - An array to whose parts, at any indices, iterations add values and do nothing else. It
      becomes a `scatter`.
    - A number or array to which each iteration adds a value (or multiplies it, or takes the
      maximum, the minimum, `and` or `or`) and does nothing else. It becomes a reduction.
    - One that is read as well, if what each iteration adds does not depend on it. It becomes a
      `cumulative` operation. `x if x > m else m` counts as a maximum.
    - With `recurrences`, one of which each iteration makes a multiple, plus a value, where neither
      the factor nor that value depends on it: `s = a[i] * s + b[i]`. All are found by cyclic
      reduction, in twice as many operations as the number of iterations has binary digits. They
      are those of the loop but for rounding if all are finite, and no factor is beyond -1 and 1 or
      no number cancels another one; else the steps run one after the other.
    - A value that some iterations replace and none reads. The last one is taken that does.
    - A value that no iteration reads. The last iteration's is taken.

    Iterations whose number is not known are lanes of a mask: those that the bounds of the range
    allow, or those of the updated axis. Inner loops come first. The values of all iterations take
    at most `most-bytes`, each. Remarks say which loops are raised, and why others are not.
    A function with loops is simplified afterwards.

    A loop on a GPU costs at least one launch for each step; on the CPU, kernels run loops as they
    are, and this pass is not needed there.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"mostBytes", "most-bytes", "int64_t", "int64_t(1) << 24",
           "The most bytes of a value in all iterations">,
    Option<"gatherCost", "gather-cost", "int64_t", "32",
           "How often a gathered or scattered byte counts: on a CPU, XLA takes one element after the other">,
    Option<"recurrences", "recurrences", "bool", "false", "Raise linear recurrences, too">
  ];
}

def RaiseAdditions : Pass<"raise-additions", "::mlir::func::FuncOp"> {
  let summary = "Add the rows that iterations add to rows of an array at once";
  let description = [{
    In a `for` whose range is known: if all that iterations do with a carried array is to add
    row `a[i]` of an array from outside of the loop to its row at `i` (or another number minus or
    plus `i`, along any axis), the rows are added by one addition after the loop. `raise-products`
    leaves such loops, of the rows of a product, and `factor-products` looks at sums of whole
    products.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def RaiseProducts : Pass<"raise-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply matrices once instead of vectors in each iteration";
  let description = [{
    In a `for` whose trip count is known:

    - The product of a matrix and a row `a[i]`, both of arrays from outside of the loop,
      becomes row `i` of the product of the matrix and the whole of `a`, which is computed
      before the loop. It may have rows that no iteration reads, but not more than twice as
      many rows as there are iterations.
    - Products of rows `a[i]` and `b[i]` that all iterations add to an array, to which they
      do nothing else than to add, become one product of `a` and `b` after the loop. If zeros
      in `b` rule and iterations read nearly all rows of `a`, the others are multiplied by zeros.

    Products of matrices with vectors are as slow as memory is. The results differ in how
    they are rounded.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def RelaxProducts : Pass<"relax-products", "::mlir::func::FuncOp"> {
  let summary = "Use plain products and quotients where they give the same result";
  let description = [{
    Replaces `mul_no_nan` by `mul` and `div_no_nan` by `div` if one of these is known: the
    second operand is finite (as a divisor, not zero); the first operand is not zero; or the
    first operand is infinite or NaN wherever the two operations could differ, as the
    cotangent `(p + p) / s` of `p = e / s` is where `s` is zero. XLA fuses plain products
    with more of the code around them. A product by ones, the cotangents of sums, is the other
    factor, and one by their negatives its negative.

    By the same rules, the pass removes `both` from `mul_no_nan`, `lhs_zeros` from
    `dot_general` if `rhs` is known to be finite, and `rhs_zeros` if `lhs` is.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ScaleProducts : Pass<"scale-products", "::mlir::func::FuncOp"> {
  let summary = "Scale the result of a matrix product instead of a larger operand";
  let description = [{
    Rewrites `(s * a) @ x` for a number `s` to `s * (a @ x)` if the result is smaller than
    `a`. The results are the same except for rounding and overflow, and no scaled copy of
    `a` is made. The pass applies to floats, and only if `s * a` has no other use.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SelectBranches : Pass<"select-branches", "::mlir::func::FuncOp"> {
  let summary = "Compute both sides of small branches, and select one";
  let description = [{
    Applies to an `if` whose regions have few operations, on numbers, that are cheap and can't fail.
    A branch costs more than these on a GPU, whose kernels the CPU launches when it knows the
    condition; and `raise-loops` looks for selections.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SeparateCompared : Pass<"separate-compared", "::mlir::func::FuncOp"> {
  let summary = "Compute a value once that is compared with its own extremum";
  let description = [{
    Inserts an `ingot.barrier` after a float that is compared with its largest or smallest
    element, or with the running one, as the derivatives of reductions do, and before an
    `arg_reduce`, whose lowering does. XLA may otherwise compute the value once for the
    extremum and again for the comparison, and round it in another way there, since it fuses
    products with sums: then no element equals the extremum.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SeparateUpdates : Pass<"separate-updates", "::mlir::func::FuncOp"> {
  let summary = "Compute an update before it is written to the array that it reads";
  let description = [{
    Inserts an `ingot.barrier` before an `update_slice` whose update is computed from other
    elements of the same array than those it overwrites, as in `z[1:] = z[:-1]`. XLA:CPU
    would otherwise copy the whole array. Worse, if one of the two accesses sees the array
    through a `reshape` or `transpose`, which XLA's own simplifications may introduce, it
    writes in place while it reads, and so reads elements that it has already overwritten.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SinkUpdates : Pass<"sink-updates", "::mlir::func::FuncOp"> {
  let summary = "Sink updates of arrays out of branches";
  let description = [{
    Applies to an `if` in a loop whose regions update small slices of an array. The `if`
    yields the updates and their starts instead of the array, and the array is updated
    after it; for a region that did not run, the update is what the array already holds.
    Cheap operations on the updated array move out of the region, too. XLA would otherwise
    copy the whole array for the branch.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SplitComplexStores : Pass<"split-complex-stores", "::mlir::func::FuncOp"> {
  let summary = "Scatter the real and imaginary parts of double precision by themselves";
  let description = [{
    Applies to sums, and to stores of which no two are to one element. XLA runs a scatter of
    elements of 128 bits as a loop over the updates, which on a GPU launches a kernel or
    more for each of them.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ShareConstants : Pass<"share-constants", "::mlir::func::FuncOp"> {
  let summary = "Make equal constants of a block one operation";
  let description = [{
    Runs on StableHLO. `lower-to-stablehlo` emits constants and broadcasts where a formula
    needs them, so many are equal: in the third derivative of 200 statements they are two
    fifths of all operations. Each is replaced by the first one of its block; a region keeps its
    own, since those of reductions capture nothing.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def ShareEqual : Pass<"share-equal"> {
  let summary = "Compute equal values once";
  let description = [{
    Replaces an operation without effects by an equal one before it, in the same block or around
    it, and removes operations that nothing uses, and checks of a condition that has been checked.
    Otherwise it does what the pass `cse` of MLIR does, which hashes each operation five times: a
    third of the time in which the third derivative of 200 statements was lowered.
  }];
}

def StrictFp : Pass<"strict-fp", "::mlir::ModuleOp"> {
  let summary = "Round each floating-point operation separately";
  let description = [{
    Runs on StableHLO for the CPU, and prevents the contraction of a product and a sum to a
    fused multiply-add, which rounds once instead of twice. Each entry function first calls
    the runtime's `ingot.strict_fp`, which returns 1 and makes the program's threads keep
    subnormal numbers. The former body becomes a function that takes this 1, of which the
    compiler knows nothing. Each floating product is multiplied by it: the compiler may
    fuse that multiplication with a following addition, which changes no result, but not
    the product itself.

    For `maximum` and `minimum` of zeros of both signs, the pass selects the zero that NumPy
    returns. Products of complex numbers, matrix products and products in reductions are
    left alone.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect", "::mlir::func::FuncDialect"];
}

def TrapNans : Pass<"trap-nans", "::mlir::func::FuncOp"> {
  let summary = "Check that finite operands give finite results";
  let description = [{
    For debugging. Inserts an `ingot.assert` after each operation. It fails, with the
    operation's position, if a result has infinite or NaN elements though all operands are
    finite.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

#endif // INGOT_PASSES_TD
