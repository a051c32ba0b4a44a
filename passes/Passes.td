//===- Passes.td - Every pass of Ingot ---------------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_TD
#define INGOT_PASSES_TD

include "mlir/Pass/PassBase.td"

def AlignArguments : Pass<"align-arguments", "::mlir::ModuleOp"> {
  let summary = "Take large arguments from wherever they lie in memory";
  let description = [{
    XLA's CPU runtime takes arrays that begin at a multiple of 64 bytes, and copies
    others. An argument of the entry becomes a flat array that holds it, with room for
    all items before it, of which the caller passes the one that begins at such an
    address; the entry's last argument says where each of them begins. The module's
    attribute `ingot.aligned`, which XLA keeps with an executable, lists their numbers.
    Only Ingot's runtime calls such programs. Loops, too, read elements and rows of it
    there. An argument stays as it is if what reads it needs an array of its own: XLA
    would copy it more slowly than the runtime does.
  }];
  let dependentDialects = ["::ingot::IngotDialect", "::stablehlo::StablehloDialect"];
  let options = [
    Option<"least", "least", "int64_t", "1 << 20", "The bytes of an argument at least">
  ];
}

def ApplyRewrites : Pass<"apply-rewrites", "::mlir::ModuleOp"> {
  let summary = "Apply the rules that users write";
  let description = [{
    A rule is a function with the attribute `ingot.rewrite` that gives two values of the
    same arguments: where the first is computed, the second is instead. Arguments stand
    for floating arrays, of any shape if all operations are elementwise, else of as many
    axes as the rule's. All elements are of one type, and so are those of what matches;
    numbers are rounded to it. In an elementwise rule `broadcast_to` stands for what it
    repeats. Rules that still apply after 10,000 times, and 10 times each operation of the
    function, are an error with their names; `rewrite.NAME.I` is called `NAME`. The
    attribute lists conditions, each `left, relation, right`: the relation is `eq`,
    `ne`, `lt`, `le`, `gt` or `ge`, and the sides are `ndim I`, `size I`, `shape I K` or
    `dtype I` of argument `I`, `int N` or `type T`. Rules in the module are removed.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"rulesFile", "rules", "std::string", "", "A file with more rules">
  ];
}

def CallLibraries : Pass<"call-libraries", "::mlir::func::FuncOp"> {
  let summary = "Call libraries where XLA is slow on the CPU";
  let description = [{
    Products of matrices, Cholesky factorisations, sorting by one key and running
    reductions become calls of the loops in C that NumPy computes them by, which give
    NumPy's result to the last bit; triangular systems become calls of LAPACK. Only
    Ingot's runtime has them, on the CPU: what is exported to be compiled elsewhere
    does without this pass. Small products and short axes are left to XLA, which
    computes them with what is around them.

    XLA computes transcendental functions by formulas that take 5 to 40 ns an element;
    NumPy takes about 1 ns where it has vector instructions for them. Those are named by
    `vectorised`, with the type of their elements.
  }];
  let dependentDialects = ["::ingot::IngotDialect", "::stablehlo::StablehloDialect"];
  let options = [
    ListOption<"vectorised", "vectorised", "std::string", "Functions of elements: `exp/f64`">
  ];
}

def ChunkReductions : Pass<"chunk-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reduce the chunks of an axis that hold live elements";
  let description = [{
    In a loop, a `reduce` or a product of vectors whose elements are the neutral one outside
    a range that run time knows, as `select(iota < n, x, 0)` is from `n` on, goes through the
    chunks of the axis from the beginning of the range to its end, and computes the elements
    that lead to it chunk by chunk: time follows the range, not the axis. For the CPU, where a
    loop of small steps costs little. Axes with fewer than four chunks stay whole.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"size", "size", "int64_t", "256", "The elements of a chunk">
  ];
}

def CheckBatch : Pass<"check-batch", "::mlir::func::FuncOp"> {
  let summary = "Fail unless each item of a batch is treated by itself";
  let description = [{
    The axes of extent `batch` of the arguments and results count the items of a
    batch. The pass succeeds if item `i` of each result depends on the items `i` of
    the arguments alone, wherever they are in the batch and whatever its size: calls
    can then be joined to one call along these axes, whose results are split. Checks
    may look at all items if repeating one changes nothing, as `all` does. Where the
    function does something else, the pass fails with an error there.
  }];
  let options = [
    Option<"batch", "batch", "int64_t", "0", "The extent that counts the items">,
    ListOption<"open", "open", "int64_t", "Other extents that follow from it">
  ];
}

def ExpandTransformations : Pass<"expand-transformations", "::mlir::ModuleOp"> {
  let summary = "Replace each ingot.jvp, ingot.vjp and ingot.vmap, the innermost first";
  let description = [{
    Does what `expand-jvp`, `expand-vjp` and `expand-vmap` do, in one walk.
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
    The region's operations take the place of the operation, each followed by
    what computes the tangents of its results from those of its operands
    (`DifferentiableOpInterface`). Values to which no derivative flows have none.
    `if`, `for` and `while` carry the tangents beside the values.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ExpandVjp : Pass<"expand-vjp", "::mlir::ModuleOp"> {
  let summary = "Replace each ingot.vjp by its region and the adjoints";
  let description = [{
    The region's operations take the place of the operation; then, in reverse order,
    each one to which a derivative flows from the arguments adds to the cotangents of
    its operands what those of its results give (`DifferentiableOpInterface`). The
    adjoint of an `if` is that of the side that was taken, the adjoint of a loop goes
    through its iterations from the last to the first.

    What adjoints need of a side or an iteration is kept by the forward code, or
    computed again, whichever keeps less: results of matrix products, factorisations,
    reductions and loops are kept, other values are computed again from what is kept
    if that is not more than the value itself. An array that is updated in place is
    carried backwards, and each `update_slice` of it undone by what it overwrote; the
    cotangents of what is read of an array are added to a sum in place. So the adjoint
    of an update of one element is one of one element.

    Loops of unknown length (`while`, and `for` with limits known only at run time), or
    that would keep more than 1 GiB, keep at most 64 iterations at a time: going back,
    iterations run again from stored states, of which there are at most 85, and
    `log8(iterations / 64)` more times forwards in all.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
  let options = [
    Option<"countsKnown", "counts-known", "bool", "false",
           "Fail at a `for` whose number of iterations has no known limit">
  ];
}

def ExpandVmap : Pass<"expand-vmap", "::mlir::ModuleOp"> {
  let summary = "Replace each ingot.vmap by code for all lanes at once";
  let description = [{
    What differs between lanes gets one more axis, the first; what does not is computed
    once. Slices at places that differ become gathers and scatters, matrix products get a
    batching axis.

    Where a condition differs, both sides of an `if` run and each lane takes its own; else
    it stays a branch. A loop whose length differs runs until the last lane has ended.
    Lanes that do not take part in a side or an iteration change nothing: updates of parts
    of arrays write what is there, checks hold, prints are silent.

    Other transformations inside have to be expanded before.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ForwardUpdates : Pass<"forward-updates", "::mlir::func::FuncOp"> {
  let summary = "Read what was written without the array";
  let description = [{
    A `slice` of what `update_slice` gives is the part that was written, if that is what it
    reads, or a slice of the array before the update, if it reads elsewhere. An element of
    which that is known only at run time is chosen by its indices. An update that the next one
    overwrites is dropped. XLA would make the update again as a part of what reads it, and copy
    the array: `a[i, j] /= a[j, j]` in a loop would take time in the array's size.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def HoistChecks : Pass<"hoist-checks", "::mlir::func::FuncOp"> {
  let summary = "Check before a loop what holds for all of its iterations";
  let description = [{
    An `ingot.assert` in a `for` of step 1 or -1 whose condition compares the index
    (plus or minus what the loop does not change) is made once before the loop, for
    the most and the least that the index gets to; a check of a condition that was
    checked before is dropped. Afterwards the first check that fails need not be the
    one that fails first in the source: who wants to know runs the program again
    without this pass.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def InlineRules : Pass<"inline-rules", "::mlir::func::FuncOp"> {
  let summary = "Replace ingot.checkpoint and ingot.custom_derivative by their bodies";
  let description = [{
    For after the derivatives are expanded, which look at them.
  }];
}

def LowerEffects : Pass<"lower-effects", "::mlir::ModuleOp"> {
  let summary = "Turn run-time checks into a status result, and put prints in order";
  let description = [{
    Each function that contains `ingot.assert` or `ingot.print` gets one more
    result, a 0-d `i32` that is 0 if every check held and otherwise the number, from
    1, of the first one that failed. The status passes through `if`, `for` and
    `while` as one more carried value, and through each print, which so comes after
    the effects before it and stays silent once a check has failed; a `while` ends
    then. The function's `ingot.checks` attribute lists, for each number, the
    exception, its message and the source position.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def LowerToStablehlo : Pass<"lower-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "Lower the ingot dialect to StableHLO";
  let description = [{
    Makes NumPy's broadcasting explicit and replaces every operation by
    StableHLO's, one set of patterns for each family of operations. Run
    `lower-effects` first: an `ingot.assert` or `ingot.print` that is left is an error.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect", "::chlo::ChloDialect"];
}

def OrderReads : Pass<"order-reads", "::mlir::func::FuncOp"> {
  let summary = "Read arrays before they are overwritten";
  let description = [{
    Where an array is read, then overwritten by `update_slice` or a loop, and what was
    read is needed later, the write waits for the read by an `ingot.barrier`. XLA
    would otherwise read again later, as a part of what needs the value, and so copy
    the array: an exchange of two elements would take time in the array's size.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def PruneCarried : Pass<"prune-carried", "::mlir::func::FuncOp"> {
  let summary = "Drop what loops and branches carry for nobody";
  let description = [{
    Removes the carried values of `for` and `while` and the results of `if` on which
    no result of the function and no effect depends: those, too, that are needed for
    nothing but themselves, by way of several loops. What is not needed then is
    removed with them. Other operations with regions are kept as they are, or removed
    as a whole.
  }];
}

def RelaxProducts : Pass<"relax-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply plainly where zero can't meet infinity";
  let description = [{
    `mul_no_nan` becomes `mul`, and `div_no_nan` `div`, if the second operand is known to
    be finite (not zero, as a divisor), the first not to be zero, or the first to be
    infinite or NaN wherever the second makes the difference: as the cotangent `(p + p) / s`
    of `p = e / s` is where `s` is zero. XLA fuses plain products with more. In the same way
    `mul_no_nan` with `both` loses what one of its operands does not need, and `dot_general`
    its `lhs_zeros` where `rhs` is known to be finite, and `rhs_zeros` where `lhs` is.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def ScaleProducts : Pass<"scale-products", "::mlir::func::FuncOp"> {
  let summary = "Scale the result of a product where it is the smaller array";
  let description = [{
    `s * a @ x` multiplies each element of `a` by the number `s`; to multiply those of
    the result gives the same but for rounding and overflow, and reads `a` once, where
    it lies. This is for floats, and for what only the product reads.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SeparateUpdates : Pass<"separate-updates", "::mlir::func::FuncOp"> {
  let summary = "Compute what overwrites a part of an array before it is written";
  let description = [{
    Where what `update_slice` writes reads the same array at other places than those it
    overwrites, as `z[1:] = z[:-1]` does, an `ingot.barrier` computes it before. XLA:CPU
    would write in place while it reads, and read what it wrote, as soon as one of the two
    has the array under another shape (`reshape`, `transpose`), which its own
    simplifications may bring about; else it would copy the whole array.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def SinkUpdates : Pass<"sink-updates", "::mlir::func::FuncOp"> {
  let summary = "Update arrays after branches, not in them";
  let description = [{
    In loops, an `if` whose sides update small parts of an array gives the parts and
    their places instead, and the array is updated after it, by what is there already
    if the side was not taken. What a side computes from the updated array moves with
    it, if that is cheap. XLA would copy the whole array around such a branch.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

def StrictFp : Pass<"strict-fp", "::mlir::ModuleOp"> {
  let summary = "Have each operation on floats round by itself";
  let description = [{
    For StableHLO that is compiled for a CPU. Each entry function calls what was its body
    with a 1 that the call of `ingot.strict_fp` gives, which the runtime provides: the
    compiler does not know the number, and the threads that run the program keep
    subnormal numbers after it. Products of floats are multiplied by this 1: the processor
    may do that and the addition behind it in one step, but not the product and the
    addition, which would round once. Of two zeros the larger is the one that NumPy takes.
    Products of complex numbers, of matrices and within reductions are left as they are.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect", "::mlir::func::FuncDialect"];
}

def TrapNans : Pass<"trap-nans", "::mlir::func::FuncOp"> {
  let summary = "Check where values cease to be finite";
  let description = [{
    After each operation whose results are infinite or NaN somewhere, though its operands
    are finite, an `ingot.assert` fails, with the operation's position. For debugging.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

#endif // INGOT_PASSES_TD
