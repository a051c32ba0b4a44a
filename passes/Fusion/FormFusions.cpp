//===- FormFusions.cpp - Group operations into kernels --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "Regions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace ingot {
#define GEN_PASS_DEF_FORMFUSIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The most elements of a constant that kernels contain; larger ones are
/// operands.
static constexpr int64_t largestConstant = 64;

/// The most parts of one array that a kernel overwrites: bufferization compares
/// each two of them, with all between, once for each. That takes 0.7 s for 50,
/// and 16 times as long for twice as many.
static constexpr int64_t mostParts = 50;

/// The most loops of a kernel that can be cut: the time of LLVM's passes grows
/// with the square of those that follow each other in a function.
static constexpr int64_t mostLoops = 2 * mostParts;

/// The most loops within one loop or branch, which can be cut only if XLA runs
/// it, and calls kernels for its parts.
static constexpr int64_t mostOfOne = 4 * mostLoops;

/// The operations that are a kernel also if their arrays are small: XLA takes
/// 10 ms for each to compile them.
static constexpr size_t manyOperations = 100;

namespace {
/// The parts of each array that operations overwrite. Values that may share
/// memory after bufferization are one array.
class OverwrittenParts {
  llvm::EquivalenceClasses<Value> arrays;
  DenseMap<Value, int64_t> parts;
  DenseMap<Value, Operation *> lastUsers;

  /// An elementwise operation stores its result over the first operand that
  /// nothing reads after it.
  Value overwrittenBy(Operation *op) const {
    if (!op->hasTrait<ElementwiseTrait>())
      return {};
    auto operands = op->getOperands();
    auto found = llvm::find_if(operands, [&](Value operand) {
      return operand.getType() == op->getResult(0).getType() &&
             operand.getParentBlock() == op->getBlock() &&
             lastUsers.lookup(operand) == op;
    });
    return found == operands.end() ? Value() : *found;
  }

  /// Each array that begins as a constant has memory of its own.
  void share(Value value, Value source) {
    if (!source.getDefiningOp<ConstantOp>())
      arrays.unionSets(value, source);
  }

  void visit(Operation *op) {
    for (OpResult result : op->getResults())
      for (Value carrier : carriersOf(result))
        for (Value source : sourcesOf(result))
          share(carrier, source);
    if (Value operand = overwrittenBy(op))
      share(op->getResult(0), operand);
    if (isa<UpdateSliceOp, ScatterOp>(op))
      share(op->getResult(0), op->getOperand(0));
    if (auto update = dyn_cast<UpdateSliceOp>(op))
      parts[update] = update.getUpdate().getType().getNumElements() > 1;
    if (auto join = dyn_cast<ConcatenateOp>(op))
      parts[join] = piecesOf(join).size();
    if (auto pad = dyn_cast<PadOp>(op))
      parts[pad] = 1;
  }

public:
  explicit OverwrittenParts(ArrayRef<Operation *> group) {
    for (Operation *op : group)
      op->walk([&](Operation *each) {
        for (Value operand : each->getOperands())
          lastUsers[operand] = each;
      });
    for (Operation *op : group)
      op->walk([&](Operation *each) { visit(each); });
  }

  /// Those of the array with the most parts.
  int64_t most() {
    DenseMap<Value, int64_t> sums;
    int64_t most = 0;
    for (auto [value, count] : parts)
      most =
          std::max(most, sums[arrays.getOrInsertLeaderValue(value)] += count);
    return most;
  }
};
} // namespace

/// The most branches that yield arrays, each within another one: the time of
/// bufferization doubles with each, and more.
static constexpr int64_t mostNested = 8;

/// How many such branches an operation consists of.
static int64_t nestedOf(Operation *op) {
  int64_t most = 0;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      most = std::max(most, nestedOf(&inner));
  bool yieldsArrays =
      isa<IfOp>(op) && llvm::any_of(op->getResultTypes(), [](Type type) {
        return cast<RankedTensorType>(type).getRank() > 0;
      });
  return most + yieldsArrays;
}

/// Whether kernels that use it have a copy of it.
static bool isSmallConstant(Operation *op) {
  // A library that sorts has to see that what moves with the keys are indices.
  if (isa_and_nonnull<IotaOp>(op) &&
      llvm::any_of(op->getUsers(), llvm::IsaPred<SortOp>))
    return isNative(op);
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant || !isNative(op))
    return false;
  auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
  return value &&
         (value.isSplat() || value.getNumElements() <= largestConstant);
}

/// The values that an operation uses, also in its regions.
static llvm::SetVector<Value> usedBy(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

/// Whether an operation only says how others read its operand, none of which is
/// native: libraries read transposed arrays as they are.
static bool isForOthers(Operation *op) {
  return isa<TransposeOp, ReshapeOp>(op) && !op->use_empty() &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return !isNative(user) && !user->hasTrait<OpTrait::IsTerminator>();
         });
}

/// About how many loops an operation becomes. Most elementwise ones are
/// computed in loops of their users, and those that read or store single
/// elements in none. Parts of an array that are overwritten count twice, since
/// they have a limit, too.
static int64_t loopsOf(Operation *op) {
  auto hasElements = [](Type type) {
    return cast<RankedTensorType>(type).getNumElements() > 1;
  };
  int64_t count = 0;
  op->walk([&](Operation *each) {
    bool isInlined =
        each->hasTrait<ElementwiseTrait>() ||
        each->hasTrait<OpTrait::IsTerminator>() ||
        isa<BroadcastToOp, ConstantOp, IotaOp, ReshapeOp, SliceOp, TransposeOp>(
            each);
    if (isInlined)
      return;
    if (auto read = dyn_cast<DynamicSliceOp>(each))
      count += hasElements(read.getType());
    else if (auto update = dyn_cast<UpdateSliceOp>(each))
      count += 2 * hasElements(update.getUpdate().getType());
    else if (auto join = dyn_cast<ConcatenateOp>(each))
      count += piecesOf(join).size();
    else if (llvm::any_of(each->getOperandTypes(), hasElements) ||
             llvm::any_of(each->getResultTypes(), hasElements))
      count += isa<PadOp>(each) ? 2 : 1;
  });
  return count;
}

/// Whether a loop or a branch is compiled in parts: the time for one kernel
/// grows faster than its size.
static bool isTooLarge(Operation *op) {
  return op->getNumRegions() &&
         (loopsOf(op) > mostOfOne || nestedOf(op) > mostNested ||
          OverwrittenParts(op).most() > mostParts);
}

/// The number of changes between operations that are native and others on the
/// longest path to each operation of a block. It is odd for native ones.
static DenseMap<Operation *, unsigned> stagesOf(Block &block) {
  DenseMap<Operation *, unsigned> stages;
  for (Operation &op : block.without_terminator()) {
    bool isKernel = isNative(&op) && !isa<ConstantOp>(op) &&
                    !isForOthers(&op) && !isTooLarge(&op);
    unsigned kind = isKernel, stage = kind;
    for (Value value : usedBy(&op)) {
      Operation *source = value.getDefiningOp();
      auto found = source ? stages.find(source) : stages.end();
      if (found == stages.end() || isSmallConstant(source))
        continue;
      unsigned least = found->second;
      stage = std::max(stage, least % 2 == kind ? least : least + 1);
    }
    stages[&op] = stage;
  }
  return stages;
}

/// Sorts the operations of a block by their stages. Operands are never of a
/// later stage.
static void sortByStage(Block &block,
                        const DenseMap<Operation *, unsigned> &stages) {
  SmallVector<Operation *> order;
  for (Operation &op : block.without_terminator())
    order.push_back(&op);
  auto key = [&](Operation *op) {
    return isSmallConstant(op) ? 0 : stages.lookup(op);
  };
  llvm::stable_sort(
      order, [&](Operation *a, Operation *b) { return key(a) < key(b); });
  for (Operation *op : order)
    op->moveBefore(block.getTerminator());
}

/// Moves slices of what a group reads from outside to their first users. Where
/// the group is cut, the first part would yield the slices of all others.
static void sinkSlices(SmallVectorImpl<Operation *> &group) {
  SmallPtrSet<Operation *, 16> inside(group.begin(), group.end());
  Block *block = group.front()->getBlock();
  for (Operation *op : llvm::reverse(group)) {
    auto slice = dyn_cast<SliceOp>(op);
    if (!slice || inside.contains(slice.getOperand().getDefiningOp()))
      continue;
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!first || ancestor->isBeforeInBlock(first))
        first = ancestor;
    }
    if (inside.contains(first))
      op->moveBefore(first);
  }
  llvm::sort(group,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

/// Cuts a group between operations if it has too many loops, into parts of half
/// as many at most, for each of which bufferization takes a fraction of the
/// time.
static SmallVector<ArrayRef<Operation *>>
partsOf(SmallVectorImpl<Operation *> &group) {
  int64_t whole = 0;
  for (Operation *op : group)
    whole += loopsOf(op);
  if (whole <= mostLoops)
    return {group};
  sinkSlices(group);
  SmallVector<ArrayRef<Operation *>> parts;
  // What becomes no loop of its own is computed in those of its users.
  ArrayRef<Operation *> all = group;
  size_t begin = 0, end = 0;
  int64_t sum = 0;
  for (auto [i, op] : llvm::enumerate(all)) {
    int64_t loops = loopsOf(op);
    if (loops == 0)
      continue;
    if (sum > 0 && sum + loops > mostLoops / 2) {
      parts.push_back(all.slice(begin, end - begin));
      begin = end;
      sum = 0;
    }
    sum += loops;
    end = i + 1;
  }
  parts.push_back(all.drop_front(begin));
  return parts;
}

/// Moves operations of a block, in its order, into a fusion.
static void fuse(ArrayRef<Operation *> group) {
  SmallPtrSet<Operation *, 16> inside(group.begin(), group.end());
  auto isOutside = [&](OpOperand &use) {
    Operation *user =
        group.front()->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !inside.contains(user);
  };
  SmallVector<Value> yielded;
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUses(), isOutside))
        yielded.push_back(result);

  OpBuilder builder(group.front());
  Location location = group.back()->getLoc();
  auto fusion =
      FusionOp::create(builder, location, TypeRange(ValueRange(yielded)));
  Block &body = fusion.getBody().emplaceBlock();
  for (auto [value, result] : llvm::zip(yielded, fusion.getResults()))
    value.replaceUsesWithIf(result, isOutside);
  for (Operation *op : group)
    op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  YieldOp::create(builder, location, yielded);

  // Kernels have copies of the constants, which they simplify.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(fusion->getRegions(), captured);
  builder.setInsertionPointToStart(&body);
  for (Value value : captured) {
    if (!isSmallConstant(value.getDefiningOp()))
      continue;
    Value copy = builder.clone(*value.getDefiningOp())->getResult(0);
    value.replaceUsesWithIf(copy, [&](OpOperand &use) {
      return fusion->isProperAncestor(use.getOwner());
    });
  }
}

static remark::RemarkOpts remarkOf(StringRef name) {
  return remark::RemarkOpts::name(name).category("form-fusions");
}

static std::string counted(ArrayRef<Operation *> group) {
  return llvm::formatv("{0} operation{1}", group.size(),
                       group.size() == 1 ? "" : "s");
}

static std::string quoted(Operation *op) {
  return ("`" + op->getName().getStringRef() + "`").str();
}

/// Reports why an operation is not a part of a kernel.
static void reportOther(Operation *op) {
  if (isa<ConstantOp>(op) || isForOthers(op))
    return;
  if (isNative(op)) {
    remark::missed(op->getLoc(), remarkOf("large"))
        << llvm::formatv("{0} has {1} loops and {2} branches within each "
                         "other, and overwrites {3} parts of an array: a "
                         "kernel may have {4}, {5} and {6}",
                         quoted(op), loopsOf(op), nestedOf(op),
                         OverwrittenParts(op).most(), mostOfOne, mostNested,
                         mostParts)
               .str();
    return;
  }
  Operation *cause = op;
  op->walk([&](Operation *each) {
    if (isNativeAlone(each))
      return WalkResult::advance();
    cause = each;
    return WalkResult::interrupt();
  });
  auto remark = remark::missed(op->getLoc(), remarkOf("other"));
  if (cause == op)
    remark << (quoted(op) + " is left to XLA or a library");
  else
    remark << (quoted(op) + " is not in a kernel, since it contains " +
               quoted(cause));
}

namespace {
struct FormFusions : public ingot::impl::FormFusionsBase<FormFusions> {
  using FormFusionsBase::FormFusionsBase;

  void runOnOperation() override {
    for (Region &region : getOperation()->getRegions())
      for (Block &block : region)
        visit(block);
  }

private:
  /// Decides whether a call of a kernel takes less time than XLA, or reports
  /// that it doesn't.
  bool isWorthwhile(ArrayRef<Operation *> group) const {
    if (group.size() >= manyOperations)
      return true;
    auto isLarge = [&](Value result) {
      return typeOf(result).getNumElements() >= least;
    };
    auto visit = [&](Operation *op) {
      bool isOne =
          isa<ForOp, WhileOp>(op) || llvm::any_of(op->getResults(), isLarge);
      return isOne ? WalkResult::interrupt() : WalkResult::advance();
    };
    bool isOne = llvm::any_of(
        group, [&](Operation *op) { return op->walk(visit).wasInterrupted(); });
    if (!isOne)
      remark::missed(group.back()->getLoc(), remarkOf("small"))
          << llvm::formatv("{0} on fewer than {1} elements: a call of a kernel "
                           "would take longer",
                           counted(group), int64_t(least))
                 .str();
    return isOne;
  }

  void visit(Block &block) {
    DenseMap<Operation *, unsigned> stages = stagesOf(block);
    std::map<unsigned, SmallVector<Operation *>> stageGroups;
    SmallVector<Operation *> others;
    sortByStage(block, stages);
    for (Operation &op : block.without_terminator()) {
      if (isSmallConstant(&op))
        continue;
      unsigned stage = stages.lookup(&op);
      (stage % 2 ? stageGroups[stage] : others).push_back(&op);
    }
    // The runtime calls a kernel that is the whole program without XLA.
    bool isWhole = isa<func::FuncOp>(block.getParentOp()) && others.empty() &&
                   stageGroups.size() == 1;
    for (auto &[stage, group] : stageGroups)
      if (isWhole || isWorthwhile(group))
        for (ArrayRef<Operation *> part : partsOf(group))
          if (isSmallEnough(part))
            fuse(part);
    // Constants of which only kernels have copies.
    for (Operation &op : llvm::make_early_inc_range(block))
      if (op.use_empty() && isSmallConstant(&op))
        op.erase();
    for (Operation *op : others) {
      reportOther(op);
      for (Region &region : op->getRegions())
        for (Block &inner : region)
          visit(inner);
    }
  }

  /// Reports a group that becomes a kernel, or why it doesn't.
  bool isSmallEnough(ArrayRef<Operation *> group) const {
    Location location = group.back()->getLoc();
    std::string count = counted(group);
    if (int64_t parts = OverwrittenParts(group).most(); parts > mostParts) {
      remark::missed(location, remarkOf("parts"))
          << llvm::formatv("{0} overwrite {1} parts of an array, and a kernel "
                           "may overwrite {2}",
                           count, parts, mostParts)
                 .str();
      return false;
    }
    remark::passed(location, remarkOf("fused"))
        << (count + (group.size() == 1 ? " becomes" : " become") +
            " one kernel");
    return true;
  }
};
} // namespace
