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
  /// Each iteration reads and updates elements of its own.
  Common,
  /// Each iteration combines a value with it, and does nothing else to it.
  Reduced,
  /// No iteration reads it.
  Last
};

struct Carried {
  BlockArgument argument;
  Role role;
  ReduceKind kind = ReduceKind::Add;
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
  bool isSmall();

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
  std::optional<Lanes> lanes;
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
             spanOf(loop, read, axis).isApartFrom(spanOf(loop, first, axis));
    });
    int64_t size = shapeOf(first.getOperand())[axis];
    if (isOnly && limitTo(size, start.offset))
      return axis;
  }
  return std::nullopt;
}

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
  if (array && !array->updates.empty() && ownAxis(*array)) {
    carried.push_back({argument, Role::Common});
    return true;
  }
  auto kind = reductionOf(argument);
  if (kind)
    carried.push_back({argument, Role::Reduced, *kind});
  return kind.has_value();
}

/// Whether the values of all lanes take little memory.
bool Raising::isSmall() {
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
  lanes.emplace(loop.getBody(), differing, std::move(common));
  int64_t most = 0;
  loop.getBody().walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (lanes->differ(result))
        most = std::max(most, bytesOf(result.getType()));
  });
  return index.count <= mostBytes / std::max<int64_t>(most, 1);
}

/// Whether lanes can run an operation at the same time.
static bool canRunTogether(Operation *op) {
  if (isa<IfOp, ForOp, WhileOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return true;
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
  if (isCut && hasChecks)
    return "it has checks, and its range is not known";
  if (!isSmall())
    return "the values of all iterations would take much memory";
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

/// What a lane begins with, so that it yields what the iteration adds.
Value Raising::neutralOf(OpBuilder &builder, const Carried &each) {
  Value init = loop.getInits()[each.argument.getArgNumber() - 1];
  mlir::Location location = loop.getLoc();
  if (each.kind == ReduceKind::Add)
    return zerosOf(builder, location, init.getType());
  if (each.kind != ReduceKind::Mul)
    return init;
  Value one = numberOf(builder, location, 1, init.getType());
  return BroadcastToOp::create(builder, location, init.getType(), one);
}

Value Raising::resultOf(OpBuilder &builder, Batcher &batcher,
                        const Carried &each, Value runs) {
  unsigned number = each.argument.getArgNumber() - 1;
  Value yielded = body.getTerminator()->getOperand(number),
        init = loop.getInits()[number];
  mlir::Location location = loop.getLoc();
  if (each.role == Role::Common)
    return batcher.copyOf(yielded);
  if (each.role == Role::Last && !lanes->differ(yielded))
    return batcher.copyOf(yielded);
  if (each.role == Role::Last) {
    int64_t last = isDescending ? 0 : index.count - 1;
    return readAt(builder, batcher.copyOf(yielded),
                  integer(builder, location, last), init.getType());
  }
  Value all = batcher.stackOf(yielded);
  if (runs)
    all = batcher.choose(runs, all, batcher.copyOf(each.argument));
  Value made =
      ReduceOp::create(builder, location, each.kind, all, ArrayRef<int64_t>{0});
  if (each.kind == ReduceKind::Add)
    return AddOp::create(builder, location, init, made);
  if (each.kind == ReduceKind::Mul)
    return MulOp::create(builder, location, init, made);
  return made;
}

LogicalResult Raising::apply() {
  OpBuilder builder(loop);
  mlir::Location location = loop.getLoc();
  Batcher batcher(builder, *lanes, loop, index);
  Value runs;
  if (hasOthers) {
    Value number = batcher.copyOf(body.getArgument(0));
    runs = CompareOp::create(
        builder, location, isDescending ? Comparison::LE : Comparison::GE,
        number, loop.getLower());
    Value before = CompareOp::create(
        builder, location, isDescending ? Comparison::GT : Comparison::LT,
        number, loop.getUpper());
    runs = AndOp::create(builder, location, runs, before);
    batcher.limit(runs);
  }
  for (const Carried &each : carried) {
    Value init = loop.getInits()[each.argument.getArgNumber() - 1];
    if (each.role == Role::Common)
      batcher.bind(each.argument, init);
    if (each.role == Role::Reduced)
      batcher.bind(each.argument,
                   BroadcastToOp::create(
                       builder, location,
                       stacked(init.getType(), index.count),
                       neutralOf(builder, each)));
  }
  if (failed(batcher.copyBlock(body)))
    return failure();
  SmallVector<Value> results;
  for (const Carried &each : carried) {
    unsigned number = each.argument.getArgNumber() - 1;
    results.push_back(loop.getResult(number).use_empty()
                          ? loop.getInits()[number]
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
