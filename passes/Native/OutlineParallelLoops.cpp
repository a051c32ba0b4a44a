//===- OutlineParallelLoops.cpp - Loops that threads can share ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Memory.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ingot {
#define GEN_PASS_DEF_OUTLINEPARALLELLOOPS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace ingot;

namespace {

/// The iterations that a loop of unknown length is taken to have.
constexpr int64_t unknownLength = 16;

/// The length from which on a loop is long enough for all threads.
constexpr int64_t longEnough = 64;

/// The most pieces for each thread, and the least length of a piece of a loop
/// that lies within others.
constexpr int64_t mostPieces = 4, leastInnerLength = 1024;

int64_t lengthOf(scf::ForOp loop) {
  std::optional<llvm::APInt> length = loop.getStaticTripCount();
  return length ? length->getSExtValue() : unknownLength;
}

/// The lengths of the loops. Those that run time knows are at most as long as
/// the arrays of which an operand is a part.
SmallVector<int64_t> mostOf(linalg::LinalgOp nest) {
  SmallVector<int64_t> lengths = nest.getStaticLoopRanges();
  for (OpOperand &operand : nest->getOpOperands()) {
    auto part = operand.get().getDefiningOp<memref::SubViewOp>();
    if (!part || part.getType().getRank() != part.getSourceType().getRank())
      continue;
    AffineMap map = nest.getMatchingIndexingMap(&operand);
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), part.getSourceType().getShape()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && ShapedType::isDynamic(lengths[loop.getPosition()]))
        lengths[loop.getPosition()] = size;
  }
  for (int64_t &length : lengths)
    if (ShapedType::isDynamic(length))
      length = unknownLength;
  return lengths;
}

int64_t costOf(Region &region);

/// Whether an operation computes or compares positions, which a loop does not
/// do for each element.
bool isPosition(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    return type.isIndex() || type.isInteger(1);
  });
}

/// About how often 0.25 ns an operation takes in vectorised code.
int64_t costOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return lengthOf(loop) * costOf(loop.getRegion());
  if (auto nest = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t cost = costOf(op->getRegion(0)) + op->getNumOperands();
    for (int64_t length : mostOf(nest))
      cost *= length;
    return cost;
  }
  if (op->getNumRegions() > 0) {
    int64_t cost = 0;
    for (Region &region : op->getRegions())
      cost += costOf(region);
    return cost;
  }
  if (isa<arith::ConstantOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      isPosition(op))
    return 0;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp>(op))
    return 1;
  if (isa<math::MathDialect>(op->getDialect()))
    return 12;
  return isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
             arith::RemSIOp, arith::RemUIOp, complex::DivOp>(op)
             ? 4
             : 1;
}

int64_t costOf(Region &region) {
  int64_t cost = 0;
  for (Block &block : region)
    for (Operation &op : block)
      cost += costOf(&op);
  return cost;
}

/// A nest of loops, one of which is shared by threads. `length` is what it is
/// taken to have in the estimate of the cost.
struct Nest {
  scf::ForOp root, shared;
  int64_t length;
};

/// What a nest takes from outside. It has copies of constants and views.
struct Captured {
  llvm::SetVector<Value> values;
  llvm::SetVector<Operation *> copied;

  explicit Captured(Nest nest) {
    llvm::SetVector<Value> found;
    getUsedValuesDefinedAbove(nest.root.getRegion(), found);
    found.insert_range(nest.root->getOperands());
    for (Value value : found)
      add(value);
  }

private:
  void add(Value value) {
    Operation *source = value.getDefiningOp();
    if (!isa_and_nonnull<arith::ConstantOp, ViewLikeOpInterface>(source)) {
      values.insert(value);
      return;
    }
    for (Value operand : source->getOperands())
      add(operand);
    copied.insert(source);
  }
};

/// Whether a function can take a value as one number or one pointer.
bool isPassed(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return !type || (type.hasStaticShape() && type.getLayout().isIdentity());
}

/// Whether a library computes a nest of loops, with threads of its own.
bool isCall(Operation *op) {
  auto nest = dyn_cast<linalg::GenericOp>(op);
  return nest && nest.getLibraryCallAttr();
}

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
    for (Operation *op : loops)
      share(op);
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

  void share(Operation *op) {
    int64_t most = costOf(op) / least;
    int64_t arrays = std::max<int64_t>(1, arraysOf(op));
    std::optional<Nest> nest = nestOf(op);
    if (!nest || !matchPattern(nest->shared.getStep(), m_One()) ||
        !hasTargets(nest->root, arrays))
      return;
    Captured captured(*nest);
    if (llvm::all_of(captured.values, isPassed))
      outline(*nest, captured, most);
  }

  void outline(Nest nest, const Captured &captured, int64_t most) {
    auto kernel = nest.root->getParentOfType<func::FuncOp>();
    Location location = nest.root.getLoc();
    OpBuilder builder(nest.root);
    SmallVector<Value> operands = {nest.shared.getLowerBound(),
                                   nest.shared.getUpperBound()};
    llvm::append_range(operands, captured.values);

    auto type = builder.getFunctionType(TypeRange(ValueRange(operands)), {});
    auto function = func::FuncOp::create(
        location, (kernel.getName() + ".part").str(), type);
    function.setPrivate();
    int64_t pieces = mostPieces;
    if (nest.shared != nest.root)
      pieces = std::clamp<int64_t>(lengthOf(nest.shared) / leastInnerLength, 1,
                                   mostPieces);
    int64_t perThread = std::max<int64_t>(1, nest.length / most);
    function->setAttr("ingot.shared",
                      builder.getDenseI64ArrayAttr({perThread, pieces}));
    SymbolTable(getOperation()).insert(function);
    Block *block = function.addEntryBlock();
    func::CallOp::create(builder, location, function, operands);

    IRMapping map;
    map.map(captured.values.getArrayRef(), block->getArguments().drop_front(2));
    builder.setInsertionPointToStart(block);
    for (Operation *op : captured.copied)
      builder.clone(*op, map);
    builder.clone(*nest.root, map);
    auto shared = cast<scf::ForOp>(map.lookup(nest.shared.getOperation()));
    shared.setLowerBound(block->getArgument(0));
    shared.setUpperBound(block->getArgument(1));
    func::ReturnOp::create(builder, location);
    nameMemory(function, captured);
    nest.root->erase();
  }

  /// Says of the parameters of the function what is known of the memory.
  static void nameMemory(func::FuncOp function, const Captured &captured) {
    auto isMemory = [](Value value) {
      return isa<MemRefType>(value.getType());
    };
    if (!llvm::all_of(captured.values, [&](Value value) {
          return !isMemory(value) || isDistinct(value);
        }))
      return;
    auto noalias = StringAttr::get(function.getContext(),
                                   LLVM::LLVMDialect::getNoAliasAttrName());
    for (auto [i, value] : llvm::enumerate(captured.values))
      if (isMemory(value))
        function.setArgAttr(i + 2, noalias,
                            UnitAttr::get(function.getContext()));
  }
};

} // namespace
