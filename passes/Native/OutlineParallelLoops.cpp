//===- OutlineParallelLoops.cpp - Loops that threads can share ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "LoopCosts.h"
#include "LoopFunctions.h"
#include "Memory.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ingot {
#define GEN_PASS_DEF_OUTLINEPARALLELLOOPS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace ingot;

namespace {

/// The length from which on a loop is long enough for all threads.
constexpr int64_t longEnough = 64;

/// The most pieces for each thread, and the least length of a piece of a loop
/// that lies within others.
constexpr int64_t mostPieces = 4, leastInnerLength = 1024;

/// A nest of loops, one of which is shared by threads. `length` is what it is
/// taken to have in the estimate of the cost.
struct Nest {
  scf::ForOp root, shared;
  int64_t length;
};

/// Whether a loop stores to so many buffers at most, besides those that it
/// allocates. If there is another one, it has intermediate results, which two
/// iterations would store to the same place.
bool hasTargets(scf::ForOp loop, size_t most) {
  llvm::SetVector<Value> targets;
  auto add = [&](Value memory) {
    Value buffer = bufferOf(memory);
    Operation *allocation = buffer.getDefiningOp<memref::AllocOp>();
    if (!allocation || !loop->isAncestor(allocation))
      targets.insert(buffer);
  };
  WalkResult result = loop.walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      add(store.getMemRef());
    } else if (isCall(op)) {
      return WalkResult::interrupt();
    } else if (auto nest = dyn_cast<linalg::LinalgOp>(op)) {
      for (Value output : nest.getDpsInits())
        add(output);
    } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      add(copy.getTarget());
    } else if (!isMemoryEffectFree(op) &&
               !isa<memref::LoadOp, memref::AllocOp>(op) &&
               op->getNumRegions() == 0) {
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted() && targets.size() <= most;
}

struct OutlineParallelLoops
    : ingot::impl::OutlineParallelLoopsBase<OutlineParallelLoops> {
  using OutlineParallelLoopsBase::OutlineParallelLoopsBase;

  void runOnOperation() override {
    SmallVector<Operation *> loops;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isParallel(op) || costOf(op) < 2 * least)
          return WalkResult::advance();
        loops.push_back(op);
        return WalkResult::skip();
      });
    SymbolTable symbols(getOperation());
    for (Operation *op : loops)
      share(op, symbols);
  }

private:
  static bool isParallel(Operation *op) {
    if (auto nest = dyn_cast<linalg::LinalgOp>(op))
      return nest.hasPureBufferSemantics() && nest.getNumParallelLoops() > 0 &&
             !isCall(op);
    return isa<scf::ForOp>(op) && arraysOf(op) > 0 && op->getNumResults() == 0;
  }

  /// The number of arrays in which each iteration of a loop has elements of its
  /// own.
  static int64_t arraysOf(Operation *loop) {
    auto number = loop->getAttrOfType<IntegerAttr>("ingot.parallel");
    return number ? number.getInt() : 0;
  }

  /// The first loop that is long enough, or the longest.
  static unsigned sharedLoop(linalg::LinalgOp op) {
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    SmallVector<int64_t> lengths = op.getStaticLoopRanges();
    unsigned best = parallel.front();
    for (unsigned each : parallel)
      if (lengths[best] < longEnough && lengths[each] > lengths[best])
        best = each;
    return best;
  }

  static std::optional<Nest> nestOf(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return Nest{loop, loop, lengthOf(loop)};
    auto nest = cast<linalg::LinalgOp>(op);
    unsigned shared = sharedLoop(nest);
    int64_t length = mostOf(nest)[shared];
    IRRewriter rewriter(op->getContext());
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::LinalgLoops> loops =
        linalg::linalgOpToLoops(rewriter, nest);
    if (failed(loops))
      return std::nullopt;
    op->erase();
    return Nest{cast<scf::ForOp>(loops->front()),
                cast<scf::ForOp>((*loops)[shared]), length};
  }

  void share(Operation *op, SymbolTable &symbols) {
    int64_t most = costOf(op) / least;
    int64_t arrays = std::max<int64_t>(1, arraysOf(op));
    std::optional<Nest> nest = nestOf(op);
    if (!nest || !matchPattern(nest->shared.getStep(), m_One()) ||
        !hasTargets(nest->root, arrays))
      return;
    Captured captured(nest->root);
    if (captured.arePassed())
      outline(*nest, captured, most, symbols);
  }

  void outline(Nest nest, const Captured &captured, int64_t most,
               SymbolTable &symbols) {
    int64_t pieces = mostPieces;
    if (nest.shared != nest.root)
      pieces = std::clamp<int64_t>(lengthOf(nest.shared) / leastInnerLength, 1,
                                   mostPieces);
    int64_t perThread = std::max<int64_t>(1, nest.length / most);
    IRMapping map;
    func::FuncOp function = makeFunction(
        symbols, nest.root, "part", captured,
        {nest.shared.getLowerBound(), nest.shared.getUpperBound()}, map);
    function->setAttr(
        "ingot.shared",
        Builder(&getContext()).getDenseI64ArrayAttr({perThread, pieces}));
    auto shared = cast<scf::ForOp>(map.lookup(nest.shared.getOperation()));
    shared.setLowerBound(function.getArgument(0));
    shared.setUpperBound(function.getArgument(1));
    nest.root->erase();
  }
};

} // namespace
