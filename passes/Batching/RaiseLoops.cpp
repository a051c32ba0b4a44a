//===- RaiseLoops.cpp - Independent iterations as lanes of a batch --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"
#include "Bytes.h"
#include "CarriedArrays.h"
#include "Regions.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ingot {
#define GEN_PASS_DEF_RAISELOOPS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// A gather takes as long as this many copies of what it reads: XLA reads one
/// element after the other.
static constexpr int64_t gatherCost = 32;

//===----------------------------------------------------------------------===//
// Bounds of indices
//===----------------------------------------------------------------------===//

namespace {
/// The least and the greatest value of an integer.
struct Interval {
  int64_t least, most;
};
} // namespace

static std::optional<Interval> intervalOf(Value value);

static std::optional<Interval> intervalOf(BlockArgument index) {
  auto loop = dyn_cast<ForOp>(index.getOwner()->getParentOp());
  auto step = loop ? boundOf(loop.getStep()) : std::nullopt;
  if (!step || *step == 0 || index.getArgNumber() != 0)
    return std::nullopt;
  auto lower = intervalOf(loop.getLower()), upper = intervalOf(loop.getUpper());
  if (!lower || !upper)
    return std::nullopt;
  if (*step > 0)
    return Interval{lower->least, upper->most - 1};
  return Interval{upper->least + 1, lower->most};
}

static std::optional<Interval> intervalOf(Value value) {
  if (auto number = boundOf(value))
    return Interval{*number, *number};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return intervalOf(argument);
  Operation *op = value.getDefiningOp();
  if (!isa<AddOp, SubOp, MinimumOp, MaximumOp>(op))
    return std::nullopt;
  auto lhs = intervalOf(op->getOperand(0)), rhs = intervalOf(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return TypeSwitch<Operation *, Interval>(op)
      .Case([&](AddOp) {
        return Interval{lhs->least + rhs->least, lhs->most + rhs->most};
      })
      .Case([&](SubOp) {
        return Interval{lhs->least - rhs->most, lhs->most - rhs->least};
      })
      .Case([&](MinimumOp) {
        return Interval{std::min(lhs->least, rhs->least),
                        std::min(lhs->most, rhs->most)};
      })
      .Default([&](Operation *) {
        return Interval{std::max(lhs->least, rhs->least),
                        std::max(lhs->most, rhs->most)};
      });
}

//===----------------------------------------------------------------------===//
// What the iterations do to a carried value
//===----------------------------------------------------------------------===//

namespace {
enum class Role {
  /// Each iteration reads and updates elements of its own, or adds to any.
  Common,
  /// Each iteration combines a value with it, and does nothing else to it.
  Reduced,
  /// Each iteration combines a value with it that does not depend on it.
  Running,
  /// No iteration reads it.
  Last
};

struct Carried {
  BlockArgument argument;
  Role role;
  ReduceKind kind = ReduceKind::Add;
  /// What combines it, and with what, if it is running.
  Operation *step = nullptr;
  Value value;
};

/// Raises one loop.
class Raising {
public:
  Raising(ForOp loop, int64_t mostBytes)
      : loop(loop), body(loop.getBody().front()), mostBytes(mostBytes) {}

  /// Returns why the loop stays, or null.
  const char *find();
  LogicalResult apply();
  int64_t count() const { return index.count; }

private:
  bool findIndex();
  bool findRole(BlockArgument argument);
  std::optional<int64_t> ownAxis(const CarriedArray &array);
  bool isOwn(const Part &part, int64_t axis, int64_t offset);
  bool limitTo(int64_t size, int64_t offset);
  std::optional<ReduceKind> reductionOf(BlockArgument argument);
  bool isRunning(BlockArgument argument);
  Lanes lanesOf();
  bool isGather(DynamicSliceOp read, const Lanes &lanes);
  bool isSmall();
  bool findOrder();

  Value initOf(const Carried &each) {
    return loop.getInits()[each.argument.getArgNumber() - 1];
  }
  Value runsOf(OpBuilder &builder, Value number);
  void bindRunning(OpBuilder &builder, Batcher &batcher, const Carried &each,
                   Value runs);
  Value neutralOf(OpBuilder &builder, const Carried &each);
  Value resultOf(OpBuilder &builder, Batcher &batcher, const Carried &each,
                 Value runs);

  ForOp loop;
  Block &body;
  int64_t mostBytes;
  /// The index of each lane, in ascending order.
  Steps index;
  bool isDescending;
  /// Whether a lane may be no iteration, and an iteration no lane.
  bool hasOthers = false, isCut = false;
  SmallVector<Carried> carried;
  SmallVector<Addition> additions;
  /// The operations of the body in an order in which the lanes can run them,
  /// and after each number of them the running values that are known then.
  SmallVector<Operation *> order;
  SmallVector<std::pair<size_t, const Carried *>> known;
};
} // namespace

/// Finds the indices that the iterations may have.
bool Raising::findIndex() {
  auto step = boundOf(loop.getStep());
  if (!step || *step == 0)
    return false;
  isDescending = *step < 0;
  if (auto count = rangeOf(loop).knownCount()) {
    int64_t first = *boundOf(loop.getLower());
    if (isDescending)
      first += *step * (*count - 1);
    index = {first, std::abs(*step), *count};
    return true;
  }
  if (std::abs(*step) != 1)
    return false;
  hasOthers = true;
  auto interval = intervalOf(body.getArgument(0));
  isCut = !interval;
  // Without bounds, the axes of the updated arrays are what limits it.
  if (!interval)
    interval = {-largestBound, largestBound};
  index = {interval->least, 1, interval->most - interval->least + 1};
  return true;
}

/// Limits the lanes to those whose index, plus an offset, is one of an axis.
bool Raising::limitTo(int64_t size, int64_t offset) {
  Steps own = index;
  own.first += offset;
  if (own.isWithin(size))
    return true;
  if (!hasOthers)
    return false;
  isCut = true;
  int64_t first = std::max<int64_t>(own.first, 0),
          last = std::min<int64_t>(own.last(), size - 1);
  index = {first - offset, 1, last - first + 1};
  return true;
}

/// Whether a part has one element along an axis, that of the iteration.
bool Raising::isOwn(const Part &part, int64_t axis, int64_t offset) {
  return part.starts[axis] == Index{body.getArgument(0), offset} &&
         part.sizes[axis] == 1;
}

/// The axis along which each iteration has elements of its own.
std::optional<int64_t> Raising::ownAxis(const CarriedArray &array) {
  if (array.updates.empty() || !array.scatters.empty())
    return std::nullopt;
  UpdateSliceOp first = array.updates.front();
  SmallVector<Index> starts = partOf(first).starts;
  for (auto [axis, start] : llvm::enumerate(starts)) {
    if (start.base != body.getArgument(0))
      continue;
    bool isOnly = llvm::all_of(array.updates, [&](Operation *update) {
      return isOwn(partOf(update), axis, start.offset);
    });
    isOnly = isOnly && llvm::all_of(array.reads, [&](Operation *read) {
               return isOwn(partOf(read), axis, start.offset) ||
                      spanOf(loop, read, axis)
                          .isApartFrom(spanOf(loop, first, axis));
             });
    int64_t size = shapeOf(first.getOperand())[axis];
    if (isOnly && limitTo(size, start.offset))
      return axis;
  }
  return std::nullopt;
}

/// How an operation of two values of one type combines them.
static std::optional<ReduceKind> kindOf(Operation *op) {
  bool isPred = elementOf(op->getResult(0)).isInteger(1);
  return TypeSwitch<Operation *, std::optional<ReduceKind>>(op)
      .Case<AddOp, SubOp>([&](auto) {
        return isPred ? std::nullopt : std::optional(ReduceKind::Add);
      })
      .Case([&](MulOp) {
        return isPred ? std::nullopt : std::optional(ReduceKind::Mul);
      })
      .Case([](MaximumOp) { return ReduceKind::Max; })
      .Case([](MinimumOp) { return ReduceKind::Min; })
      .Case([&](AndOp) {
        return isPred ? std::optional(ReduceKind::And) : std::nullopt;
      })
      .Case([&](OrOp) {
        return isPred ? std::optional(ReduceKind::Or) : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// How the iterations combine values with a carried one, if none does anything
/// else with what it is before or after that.
std::optional<ReduceKind> Raising::reductionOf(BlockArgument argument) {
  llvm::SetVector<Value> values;
  values.insert(argument);
  std::optional<ReduceKind> found;
  SmallVector<Operation *> combined;
  for (unsigned i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      auto select = dyn_cast<SelectOp>(user);
      if (isa<ReshapeOp>(user) || (select && use.getOperandNumber() != 0)) {
        values.insert(user->getResult(0));
        continue;
      }
      if (addPassedOn(loop, argument, use, values))
        continue;
      auto kind = user->getNumResults() == 1 ? kindOf(user) : std::nullopt;
      bool isSame = kind && (!found || *kind == *found) &&
                    user->getResult(0).getType() == values[i].getType() &&
                    !(isa<SubOp>(user) && use.getOperandNumber() == 1);
      if (!isSame)
        return std::nullopt;
      found = kind;
      combined.push_back(user);
      values.insert(user->getResult(0));
    }
  for (Operation *op : combined)
    if (values.contains(op->getOperand(0)) &&
        values.contains(op->getOperand(1)))
      return std::nullopt;
  for (Value value : values)
    for (unsigned i : {1, 2})
      if (auto select = value.getDefiningOp<SelectOp>();
          select && (select->getOperand(i).getType() != select.getType() ||
                     !values.contains(select->getOperand(i))))
        return std::nullopt;
  Value next = body.getTerminator()->getOperand(argument.getArgNumber() - 1);
  return values.contains(next) && isClosed(values) ? found : std::nullopt;
}

bool Raising::findRole(BlockArgument argument) {
  if (argument.use_empty()) {
    carried.push_back({argument, Role::Last});
    return !hasOthers ||
           loop.getResult(argument.getArgNumber() - 1).use_empty();
  }
  auto array = carriedArrayOf(loop, argument);
  auto added = array ? additionsTo(*array) : std::nullopt;
  if (array && (ownAxis(*array) || added)) {
    if (!ownAxis(*array))
      llvm::append_range(additions, *added);
    carried.push_back({argument, Role::Common});
    return true;
  }
  if (auto kind = reductionOf(argument)) {
    carried.push_back({argument, Role::Reduced, *kind});
    return true;
  }
  return isRunning(argument);
}

/// Whether a step of the body combines the value with another one.
bool Raising::isRunning(BlockArgument argument) {
  Operation *step = body.getTerminator()
                        ->getOperand(argument.getArgNumber() - 1)
                        .getDefiningOp();
  auto kind = step && step->getBlock() == &body && !isa<SubOp>(step)
                  ? kindOf(step)
                  : std::nullopt;
  if (!kind || *kind == ReduceKind::And || *kind == ReduceKind::Or)
    return false;
  bool isRight = step->getOperand(1) == argument;
  Value value = step->getOperand(isRight ? 0 : 1);
  if (step->getOperand(isRight ? 1 : 0) != argument || value == argument ||
      value.getType() != argument.getType() ||
      step->getResult(0).getType() != argument.getType())
    return false;
  carried.push_back({argument, Role::Running, *kind, step, value});
  return true;
}

/// Orders the operations so that those come first which compute what running
/// values are combined with. False if that depends on the running values.
bool Raising::findOrder() {
  SmallVector<const Carried *> open;
  for (const Carried &each : carried)
    if (each.role == Role::Running)
      open.push_back(&each);
  SmallVector<Operation *> rest;
  for (Operation &op : body.without_terminator())
    if (llvm::none_of(open, [&](auto *each) { return each->step == &op; }))
      rest.push_back(&op);
  while (true) {
    DenseSet<Value> unknown;
    for (const Carried *each : open) {
      unknown.insert(each->argument);
      unknown.insert(each->step->getResult(0));
    }
    llvm::erase_if(rest, [&](Operation *op) {
      bool isKnown = true;
      op->walk([&](Operation *inner) {
        isKnown &= llvm::none_of(inner->getOperands(), [&](Value operand) {
          return unknown.contains(operand);
        });
      });
      if (isKnown)
        order.push_back(op);
      else
        unknown.insert(op->result_begin(), op->result_end());
      return isKnown;
    });
    auto next = llvm::find_if(open, [&](const Carried *each) {
      return !unknown.contains(each->value);
    });
    if (next == open.end())
      return open.empty();
    known.emplace_back(order.size(), *next);
    open.erase(next);
  }
}

/// The values that differ between the lanes.
Lanes Raising::lanesOf() {
  SmallVector<Value> differing{body.getArgument(0)};
  DenseSet<Value> common;
  for (const Carried &each : carried) {
    if (each.role != Role::Common) {
      differing.push_back(each.argument);
      continue;
    }
    auto array = carriedArrayOf(loop, each.argument);
    common.insert(array->values.begin(), array->values.end());
  }
  return Lanes(loop.getBody(), differing, std::move(common));
}

/// Whether the lanes read slices of more than one element, from other indices
/// than one each.
bool Raising::isGather(DynamicSliceOp read, const Lanes &lanes) {
  Part part = partOf(read);
  int64_t differing = 0;
  for (auto [axis, start] : llvm::enumerate(read.getStarts()))
    if (lanes.differ(start)) {
      bool isOne = part.starts[axis].base == body.getArgument(0) &&
                   part.sizes[axis] == 1;
      differing += isOne ? 1 : 2;
    }
  return differing > 1 && typeOf(read.getResult()).getNumElements() > 1;
}

/// Whether the values of all lanes take little memory.
bool Raising::isSmall() {
  Lanes lanes = lanesOf();
  int64_t most = 0;
  loop.getBody().walk([&](Operation *op) {
    auto read = dyn_cast<DynamicSliceOp>(op);
    int64_t cost = read && isGather(read, lanes) ? gatherCost : 1;
    for (Value result : op->getResults())
      if (lanes.differ(result))
        most = std::max(most, cost * bytesOf(result.getType()));
  });
  return index.count <= mostBytes / std::max<int64_t>(most, 1);
}

/// Whether lanes can run an operation at the same time.
static bool canRunTogether(Operation *op) {
  if (isa<IfOp, ForOp, WhileOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (isa<AllGatherOp, AxisIndexOp, PpermuteOp, PsumOp, ShardOp>(op))
    return false;
  return op->getNumRegions() == 0 && (isPure(op) || isa<AssertOp>(op)) &&
         (op->hasTrait<ElementwiseTrait>() ||
          isa<AssertOp, BroadcastToOp, ConstantOp, DotGeneralOp, DynamicSliceOp,
              GatherOp, IotaOp, PadOp, ScatterOp, SliceOp, UpdateSliceOp,
              BatchableOpInterface>(op));
}

const char *Raising::find() {
  if (!findIndex())
    return "its range is not known";
  bool canRun = true, hasChecks = false;
  loop.getBody().walk([&](Operation *op) {
    canRun &= canRunTogether(op);
    hasChecks |= isa<AssertOp>(op);
  });
  if (!canRun)
    return "it has operations that run one after the other";
  for (BlockArgument argument : body.getArguments().drop_front())
    if (!findRole(argument))
      return "an iteration depends on earlier ones";
  if (index.count < 2)
    return "it has one iteration";
  if (!findOrder())
    return "an iteration depends on earlier ones";
  if (isCut && hasChecks)
    return "it has checks, and its range is not known";
  if (!isSmall())
    return "the values of all iterations would take much memory";
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

static Value combined(OpBuilder &builder, ReduceKind kind, Value lhs,
                      Value rhs) {
  mlir::Location location = rhs.getLoc();
  switch (kind) {
  case ReduceKind::Add:
    return AddOp::create(builder, location, lhs, rhs);
  case ReduceKind::Mul:
    return MulOp::create(builder, location, lhs, rhs);
  case ReduceKind::Max:
    return MaximumOp::create(builder, location, lhs, rhs);
  case ReduceKind::Min:
    return MinimumOp::create(builder, location, lhs, rhs);
  case ReduceKind::And:
    return AndOp::create(builder, location, lhs, rhs);
  case ReduceKind::Or:
    return OrOp::create(builder, location, lhs, rhs);
  }
  llvm_unreachable("each kind combines two values");
}

/// In each lane, a value that changes nothing if it is combined with the
/// carried one.
Value Raising::neutralOf(OpBuilder &builder, const Carried &each) {
  Value neutral = initOf(each);
  mlir::Location location = loop.getLoc();
  if (each.kind == ReduceKind::Add)
    neutral = zerosOf(builder, location, neutral.getType());
  if (each.kind == ReduceKind::Mul)
    neutral = numberOf(builder, location, 1, neutral.getType());
  return BroadcastToOp::create(
      builder, location, stacked(initOf(each).getType(), index.count), neutral);
}

/// The running value before and after each lane's step.
void Raising::bindRunning(OpBuilder &builder, Batcher &batcher,
                          const Carried &each, Value runs) {
  mlir::Location location = each.step->getLoc();
  Value init = initOf(each), all = batcher.stackOf(each.value);
  if (runs)
    all = batcher.choose(runs, all, neutralOf(builder, each));
  auto inOrder = [&](Value stack) -> Value {
    if (!isDescending)
      return stack;
    return FlipOp::create(builder, location, stack, ArrayRef<int64_t>{0});
  };
  all = CumulativeOp::create(builder, location, each.kind, inOrder(all), 0);
  all = combined(builder, each.kind, init, all);
  SmallVector<int64_t> none(typeOf(all).getRank(), 0), ones(none.size(), 1),
      sizes(shapeOf(all));
  --sizes[0];
  Value first =
      ReshapeOp::create(builder, location, stacked(init.getType(), 1), init);
  Value rest = SliceOp::create(builder, location, all, none, sizes, ones);
  Value before =
      ConcatenateOp::create(builder, location, ValueRange{first, rest}, 0);
  batcher.bind(each.argument, inOrder(before));
  batcher.bind(each.step->getResult(0), inOrder(all));
}

Value Raising::resultOf(OpBuilder &builder, Batcher &batcher,
                        const Carried &each, Value runs) {
  Value yielded =
      body.getTerminator()->getOperand(each.argument.getArgNumber() - 1);
  Value init = initOf(each), copy = batcher.copyOf(yielded);
  mlir::Location location = loop.getLoc();
  if (each.role == Role::Common || copy.getType() == init.getType())
    return copy;
  if (each.role != Role::Reduced) {
    int64_t last = isDescending ? 0 : index.count - 1;
    return readAt(builder, copy, integer(builder, location, last),
                  init.getType());
  }
  if (runs)
    copy = batcher.choose(runs, copy, batcher.copyOf(each.argument));
  Value made = ReduceOp::create(builder, location, each.kind, copy,
                                ArrayRef<int64_t>{0});
  // The lanes of the other kinds begin with the initial value.
  bool isNeutral = each.kind == ReduceKind::Add || each.kind == ReduceKind::Mul;
  return isNeutral ? combined(builder, each.kind, init, made) : made;
}

/// The lanes that are iterations, or null if all are.
Value Raising::runsOf(OpBuilder &builder, Value number) {
  if (!hasOthers)
    return {};
  mlir::Location location = loop.getLoc();
  Value begun = CompareOp::create(
      builder, location, isDescending ? Comparison::LE : Comparison::GE, number,
      loop.getLower());
  Value isBefore = CompareOp::create(
      builder, location, isDescending ? Comparison::GT : Comparison::LT, number,
      loop.getUpper());
  return AndOp::create(builder, location, begun, isBefore);
}

LogicalResult Raising::apply() {
  for (const Addition &each : additions)
    makeScatter(each);
  order.clear();
  known.clear();
  if (!findOrder())
    return failure();
  Lanes lanes = lanesOf();
  OpBuilder builder(loop);
  Batcher batcher(builder, lanes, loop, index);
  Value runs = runsOf(builder, batcher.copyOf(body.getArgument(0)));
  if (runs)
    batcher.limit(runs);
  for (const Carried &each : carried) {
    if (each.role == Role::Common)
      batcher.bind(each.argument, initOf(each));
    if (each.role == Role::Reduced)
      batcher.bind(each.argument, neutralOf(builder, each));
  }
  const auto *next = known.begin();
  for (size_t i = 0; i <= order.size(); ++i) {
    for (; next != known.end() && next->first == i; ++next)
      bindRunning(builder, batcher, *next->second, runs);
    if (i < order.size() && failed(batcher.copy(order[i])))
      return failure();
  }
  SmallVector<Value> results;
  for (const Carried &each : carried) {
    bool isUnused =
        loop.getResult(each.argument.getArgNumber() - 1).use_empty();
    results.push_back(isUnused ? initOf(each)
                               : resultOf(builder, batcher, each, runs));
  }
  loop.replaceAllUsesWith(results);
  loop.erase();
  return success();
}

namespace {
struct RaiseLoops : public ingot::impl::RaiseLoopsBase<RaiseLoops> {
  using RaiseLoopsBase::RaiseLoopsBase;

  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops) {
      auto options = [](StringRef name) {
        return remark::RemarkOpts::name(name).category("raise-loops");
      };
      mlir::Location location = loop.getLoc();
      Raising raising(loop, mostBytes);
      if (const char *reason = raising.find()) {
        remark::missed(location, options("loop"))
            << ("the loop stays, since " + Twine(reason)).str();
        continue;
      }
      remark::passed(location, options("raised"))
          << (Twine(raising.count()) + " iterations run together").str();
      if (failed(raising.apply()))
        return signalPassFailure();
    }
  }
};
} // namespace
