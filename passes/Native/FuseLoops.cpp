//===- FuseLoops.cpp - Operations on the rows of arrays, row by row -------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Dependents.h"
#include "LoopCandidates.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace ingot {
#define GEN_PASS_DEF_FUSELOOPS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// From so many bytes on, threads share the work of a reduction of an array to
/// one element.
static constexpr int64_t manyBytes = 1 << 20;

namespace {

/// Where a result that is used outside is stored.
struct Target {
  Value result, init;
  /// The store to another array that the loop does instead.
  UpdateSliceOp store;
  Tiling tiling;
  /// Whether `init` is an array that members read, and nothing later.
  bool isInPlace = false;
};

/// Operations that one loop over ranges of an axis computes.
class Group {
public:
  Group(ArrayRef<Operation *> operations, const LoopCandidates &candidates)
      : candidates(candidates) {
    // Other loops may have moved them since.
    SmallVector<Operation *> ordered(operations);
    llvm::sort(ordered, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    members.insert_range(ordered);
    leaveViews();
    leaveTerms();
    findLargest();
  }

  bool isWorthwhile(int64_t least) const;
  /// Makes the loop. The largest part of an array has so many bytes. Returns
  /// the loop's body if a part is one index, and may have more.
  Block *emit(int64_t bytes);

private:
  const Tiling &tilingOf(Operation *op) const {
    return *candidates.tilingOf(op);
  }
  int64_t length() const { return tilingOf(members.front()).length; }
  bool isMember(Operation *op) const { return members.contains(op); }
  bool isUsedOutside(Operation *op) const {
    return !llvm::all_of(op->getUsers(),
                         [&](Operation *user) { return isMember(user); });
  }
  void findLargest();
  int64_t partSize(int64_t bytes) const;
  int64_t sweeps() const;
  bool reducesMany() const;
  bool readsIndices() const;
  bool readsWhatIsOverwritten() const;
  void leaveViews();
  void leaveTerms();
  UpdateSliceOp storeOf(Operation *op) const;
  Value carriedFor(Operation *op) const;
  SmallVector<Target> targets() const;
  SmallVector<Value> emitPart(OpBuilder &builder, Part part, Value number,
                              MutableArrayRef<Target> targets,
                              ValueRange carried) const;
  void replace(OpBuilder &builder, MutableArrayRef<Target> targets,
               ValueRange results);

  llvm::SetVector<Operation *> members;
  const LoopCandidates &candidates;
  /// The bytes of the largest array.
  int64_t largest = 0;
  /// The operations before the last member that depend on members.
  llvm::SetVector<Operation *> dependents;
};

/// Leaves out views that are used outside: those of other arrays, and slices,
/// of which the array is stored.
void Group::leaveViews() {
  members.remove_if([&](Operation *op) {
    Operation *source = op->getOperand(0).getDefiningOp();
    bool isOfMember = source && isMember(source);
    bool isLast = llvm::none_of(
        op->getUsers(), [&](Operation *user) { return isMember(user); });
    return isView(op) && isUsedOutside(op) &&
           (!isOfMember || (isa<SliceOp>(op) && isLast));
  });
}

/// Leaves out what only sums outside use, and is computed quickly in their
/// loops.
void Group::leaveTerms() {
  llvm::DenseSet<Operation *> left;
  for (Operation *op : llvm::reverse(members)) {
    bool isTerm = isCheap(op) && !op->use_empty() &&
                  llvm::all_of(op->getUsers(), [&](Operation *user) {
                    return left.contains(user) ||
                           (isa<ReduceOp>(user) && !isMember(user));
                  });
    if (isTerm)
      left.insert(op);
  }
  members.remove_if([&](Operation *op) { return left.contains(op); });
}

void Group::findLargest() {
  for (Operation *op : members) {
    if (tilingOf(op).axis != Tiling::whole)
      largest = std::max(largest, bytesOf(op->getResult(0).getType()));
    for (auto [operand, axis] :
         llvm::zip_equal(op->getOperands(), tilingOf(op).operands))
      if (axis != Tiling::whole)
        largest = std::max(largest, bytesOf(operand.getType()));
  }
}

/// How often large arrays would be read or written from end to end: once for
/// each operation that is not computed in the loop of a single other one.
int64_t Group::sweeps() const {
  int64_t count = 0;
  auto isLarge = [&](Value value) {
    return 2 * bytesOf(value.getType()) >= largest;
  };
  DenseMap<Operation *, llvm::SmallDenseSet<Operation *, 2>> roots;
  for (Operation *op : llvm::reverse(members)) {
    auto &found = roots[op];
    bool isRoot = isa<ReduceOp>(op) || isUsedOutside(op);
    for (Operation *user : op->getUsers())
      if (auto known = roots.find(user); !isRoot && known != roots.end())
        found.insert_range(known->second);
    if (!isRoot && (isView(op) || found.size() <= 1))
      continue;
    found = {op};
    count +=
        isLarge(op->getResult(0)) || llvm::any_of(op->getOperands(), isLarge);
  }
  return count;
}

/// Whether an operation among them overwrites an array that a member reads. It
/// would have to be copied.
bool Group::readsWhatIsOverwritten() const {
  llvm::DenseSet<Value> overwritten;
  for (Operation *op = members.front(); op != members.back();
       op = op->getNextNode()) {
    if (isa<UpdateSliceOp, ScatterOp>(op))
      overwritten.insert(op->getOperand(0));
    overwritten.insert_range(carriedOperands(op));
  }
  return llvm::any_of(members, [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return overwritten.contains(operand);
    });
  });
}

/// Whether a member reads what is computed from indices. That is done in the
/// loops of its users, and masks with indices say how long arrays are.
bool Group::readsIndices() const {
  SmallVector<Value> values;
  for (Operation *op : members)
    for (auto [operand, axis] :
         llvm::zip_equal(op->getOperands(), tilingOf(op).operands))
      if (axis != Tiling::whole)
        values.push_back(operand);
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    Operation *source = value.getDefiningOp();
    if (!source || !seen.insert(value).second)
      continue;
    if (isa<IotaOp>(source))
      return true;
    if (isView(source) || source->hasTrait<ElementwiseTrait>())
      llvm::append_range(values, source->getOperands());
  }
  return false;
}

/// Whether floats are reduced to one, so many that threads are to share the
/// work. Those of other types have loops of their own.
bool Group::reducesMany() const {
  return largest >= manyBytes && llvm::any_of(members, [&](Operation *op) {
           return tilingOf(op).axis == Tiling::whole &&
                  isa<FloatType>(elementOf(op->getResult(0)));
         });
}

bool Group::isWorthwhile(int64_t least) const {
  return !members.empty() && largest >= least &&
         (sweeps() > 1 || reducesMany()) && !readsIndices() &&
         !readsWhatIsOverwritten();
}

/// The only use of a member's result outside, if that stores it to an array
/// that has no other use.
UpdateSliceOp Group::storeOf(Operation *op) const {
  UpdateSliceOp store;
  for (Operation *user : op->getUsers()) {
    if (isMember(user))
      continue;
    if (store || user->getBlock() != op->getBlock())
      return {};
    store = dyn_cast<UpdateSliceOp>(user);
    if (!store)
      return {};
  }
  if (store.getUpdate() != op->getResult(0) ||
      !store.getOperand().hasOneUse() ||
      integerOf(store.getStarts()[tilingOf(op).axis]) != 0 ||
      !llvm::all_of(store.getStrides(), [](int64_t each) { return each == 1; }))
    return {};
  // All that it uses besides must be known before the loop.
  auto isKnown = [&](Value value) {
    Operation *source = value.getDefiningOp();
    return value == op->getResult(0) || !source ||
           source->getBlock() != op->getBlock() ||
           (source->isBeforeInBlock(members.back()) && !isMember(source) &&
            !dependents.contains(source));
  };
  return llvm::all_of(store->getOperands(), isKnown) ? store : UpdateSliceOp();
}

/// The number as which a block yields a value, or a version of it with other
/// elements stored.
static std::optional<unsigned> yieldedNumber(Value value) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (user == value.getParentBlock()->getTerminator())
      return use.getOperandNumber();
    if (!isa<UpdateSliceOp, ScatterOp>(user) || use.getOperandNumber() != 0 ||
        user->getBlock() != value.getParentBlock())
      continue;
    if (auto found = yieldedNumber(user->getResult(0)))
      return found;
  }
  return std::nullopt;
}

/// The array in whose place a loop around the block carries a member's result,
/// if only members read it, and the same parts of it as they compute.
Value Group::carriedFor(Operation *op) const {
  Block *block = op->getBlock();
  auto number = isa<ForOp, WhileOp>(block->getParentOp())
                    ? yieldedNumber(op->getResult(0))
                    : std::nullopt;
  if (!number)
    return {};
  Value array = carriedArguments(*block->getParent())[*number];
  bool isOurs = llvm::all_of(array.getUses(), [&](OpOperand &read) {
    return isMember(read.getOwner()) &&
           tilingOf(read.getOwner()).operands[read.getOperandNumber()] ==
               tilingOf(op).axis;
  });
  return isOurs ? array : Value();
}

SmallVector<Target> Group::targets() const {
  SmallVector<Target> found;
  for (Operation *op : members) {
    if (!isUsedOutside(op))
      continue;
    Target target{op->getResult(0), {}, {}, tilingOf(op)};
    if (target.tiling.axis != Tiling::whole) {
      target.store = storeOf(op);
      target.init = target.store ? target.store.getOperand() : carriedFor(op);
      target.isInPlace = target.init && !target.store;
    }
    found.push_back(target);
  }
  return found;
}

/// Computes a range of all results, and stores it to the targets.
SmallVector<Value> Group::emitPart(OpBuilder &builder, Part part, Value number,
                                   MutableArrayRef<Target> targets,
                                   ValueRange carried) const {
  // These are known before the operations, so that a loop within this one can
  // store to the targets, too.
  SmallVector<SmallVector<Value>> starts;
  for (Target &target : targets) {
    int64_t axis = target.tiling.axis;
    if (axis == Tiling::whole)
      starts.push_back({number});
    else if (target.store)
      starts.push_back(llvm::to_vector(target.store.getStarts()));
    else
      starts.push_back(
          startsOf(builder, part, axis, typeOf(target.result).getRank()));
    if (target.store)
      starts.back()[axis] = part.start;
  }

  DenseMap<Value, Value> arrays;
  for (auto [target, array] : llvm::zip_equal(targets, carried))
    if (target.isInPlace)
      arrays[target.init] = array;
  DenseMap<std::pair<Value, int64_t>, Value> parts;
  auto partAlong = [&](Value value, int64_t axis) {
    if (axis == Tiling::whole)
      return value;
    Value &found = parts[{value, axis}];
    Value array = arrays.lookup(value);
    if (!found)
      found = partOf(builder, array ? array : value, axis, part);
    return found;
  };
  SmallVector<Value> next(targets.size());
  auto store = [&](unsigned i) {
    Target &target = targets[i];
    Location location = target.result.getLoc();
    Value made = parts[{target.result, target.tiling.axis}];
    if (target.tiling.axis == Tiling::whole)
      made = ReshapeOp::create(
          builder, location, RankedTensorType::get({1}, elementOf(made)), made);
    next[i] =
        UpdateSliceOp::create(builder, location, carried[i], made, starts[i],
                              SmallVector<int64_t>(starts[i].size(), 1));
  };
  for (Operation *op : members) {
    const Tiling &tiling = tilingOf(op);
    SmallVector<Value> operands;
    for (auto [operand, axis] :
         llvm::zip_equal(op->getOperands(), tiling.operands))
      operands.push_back(partAlong(operand, axis));
    parts[{op->getResult(0), tiling.axis}] =
        computePart(builder, op, tiling, operands, part.size);
    // At once, so that its other users can read it from the array.
    for (auto [i, target] : llvm::enumerate(targets))
      if (target.result == op->getResult(0) && !target.isInPlace)
        store(i);
  }
  // After all that read the part as it was.
  for (auto [i, target] : llvm::enumerate(targets))
    if (target.isInPlace)
      store(i);
  return next;
}

/// Replaces the members' results and the stores that the loop does.
void Group::replace(OpBuilder &builder, MutableArrayRef<Target> targets,
                    ValueRange results) {
  for (auto [target, made] : llvm::zip_equal(targets, results)) {
    Location location = target.result.getLoc();
    if (target.store) {
      target.store.replaceAllUsesWith(made);
      target.store.erase();
      continue;
    }
    Value result = made;
    if (target.tiling.axis == Tiling::whole) {
      auto reduce = target.result.getDefiningOp<ReduceOp>();
      result = ReduceOp::create(builder, location, reduce.getKind(), made,
                                ArrayRef<int64_t>{0});
      RankedTensorType type = typeOf(target.result);
      if (elementOf(result) != type.getElementType())
        result = ConvertOp::create(builder, location,
                                   typeOf(result).clone(type.getElementType()),
                                   result);
      if (result.getType() != type)
        result = ReshapeOp::create(builder, location, type, result);
    }
    target.result.replaceUsesWithIf(
        result, [&](OpOperand &use) { return !isMember(use.getOwner()); });
  }
  for (Operation *op : llvm::reverse(members))
    op->erase();
}

/// The number of indices of a part: if possible, one that divides the length.
int64_t Group::partSize(int64_t bytes) const {
  int64_t each = std::max<int64_t>(1, largest / length()),
          most = std::clamp<int64_t>(bytes / each, 1, length());
  for (int64_t size = most; 2 * size > most; --size)
    if (length() % size == 0)
      return size;
  return most;
}

Block *Group::emit(int64_t bytes) {
  Operation *last = members.back();
  dependents = dependentsOf([&](Operation *op) { return isMember(op); },
                            members.front(), last);
  moveBehind(dependents.getArrayRef(), last);
  Location location = last->getLoc();
  remark::passed(location,
                 remark::RemarkOpts::name("fused").category("fuse-loops"))
      << llvm::formatv("{0} operations become one loop", members.size()).str();

  OpBuilder b(last);
  int64_t size = partSize(bytes), count = length() / size,
          rest = length() % size;
  SmallVector<Target> stored = targets();
  SmallVector<Value> inits;
  SmallVector<int64_t> overwritten;
  for (auto [i, target] : llvm::enumerate(stored)) {
    if (!target.init) {
      bool isPartial = target.tiling.axis == Tiling::whole;
      Type type = target.result.getType();
      if (isPartial)
        type = RankedTensorType::get(
            {count + (rest > 0)},
            partialType(target.result.getDefiningOp<ReduceOp>())
                .getElementType());
      target.init = zerosOf(b, location, type);
      overwritten.push_back(i);
    }
    inits.push_back(target.init);
  }
  ForOp loop = beginFor(b, location, integer(b, location, count), inits);
  loop->setAttr("ingot.parallel", b.getI64IntegerAttr(inits.size()));
  loop->setAttr("ingot.overwritten", b.getDenseI64ArrayAttr(overwritten));
  Block &body = loop.getBody().front();
  Value number = body.getArgument(0), start = number;
  if (size > 1)
    start = MulOp::create(b, location, number, integer(b, location, size));
  YieldOp::create(b, location,
                  emitPart(b, {start, size}, number, stored,
                           body.getArguments().drop_front()));
  b.setInsertionPointAfter(loop);
  SmallVector<Value> results(loop.getResults());
  if (rest > 0)
    results = emitPart(b, {integer(b, location, count * size), rest},
                       integer(b, location, count), stored, results);
  replace(b, stored, results);
  return size == 1 ? &body : nullptr;
}

struct FuseLoops : ingot::impl::FuseLoopsBase<FuseLoops> {
  using FuseLoopsBase::FuseLoopsBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      fuse(*block, least);
  }

private:
  void fuse(Block &block, int64_t leastBytes) {
    if (!llvm::all_of(block.without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); }))
      return;
    LoopCandidates candidates(block, getOperation()->hasAttr("ingot.strict"),
                              leastBytes);
    for (ArrayRef<Operation *> operations : candidates.groups()) {
      Group group(operations, candidates);
      if (!group.isWorthwhile(leastBytes))
        continue;
      if (Block *body = group.emit(part))
        fuse(*body, std::min<int64_t>(leastBytes, 2 * part));
    }
  }
};

} // namespace
