//===- RaiseLoops.cpp - Independent iterations as lanes of a batch --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Recurrence.h"
#include "LoopRoles.h"
#include "Reductions.h"
#include "Regions.h"
#include "Simplify/Simplification.h"

#include "mlir/IR/Remarks.h"

namespace ingot {
#define GEN_PASS_DEF_RAISELOOPS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
/// Replaces a loop by its body for all iterations.
class Raising {
public:
  Raising(LoopRoles &roles, const Lanes &lanes)
      : roles(roles), lanes(lanes), loop(roles.loop), count(roles.index.count),
        location(loop.getLoc()), builder(loop),
        batcher(builder, lanes, loop, roles.index) {}

  LogicalResult run();

private:
  Value initOf(const Carried &each) {
    return loop.getInits()[each.argument.getArgNumber() - 1];
  }
  Value neutralOf(const Carried &each);
  Value lanesThatRun();
  void bindRunning(const Carried &each);
  void bindRecurrent(const Carried &each);
  Value stepOf(const Carried &each, Value number, Value value);
  Value inOrder(Value stack);
  Value resultOf(const Carried &each);
  Value lastOf(const Carried &each, Value stack);
  Value chosenOf(const Carried &each);

  LoopRoles &roles;
  const Lanes &lanes;
  ForOp loop;
  int64_t count;
  mlir::Location location;
  OpBuilder builder;
  Batcher batcher;
  /// The lanes that are iterations, or null if all are.
  Value runs;
};
} // namespace

/// In each lane, a value that changes nothing if it is combined with the
/// carried one.
Value Raising::neutralOf(const Carried &each) {
  Value neutral = initOf(each);
  Type type = neutral.getType();
  if (each.kind == ReduceKind::Add)
    neutral = zerosOf(builder, location, type);
  if (each.kind == ReduceKind::Mul)
    neutral = numberOf(builder, location, 1, type);
  return BroadcastToOp::create(builder, location, stacked(type, count),
                               neutral);
}

Value Raising::lanesThatRun() {
  if (!roles.hasOthers)
    return {};
  Value number = batcher.copyOf(roles.body.getArgument(0));
  Value begun = CompareOp::create(
      builder, location, roles.isDescending ? Comparison::LE : Comparison::GE,
      number, loop.getLower());
  Value isBefore = CompareOp::create(
      builder, location, roles.isDescending ? Comparison::GT : Comparison::LT,
      number, loop.getUpper());
  return AndOp::create(builder, location, begun, isBefore);
}

/// What lanes have, in the order of the iterations, or the other way round.
Value Raising::inOrder(Value stack) {
  if (!roles.isDescending)
    return stack;
  return FlipOp::create(builder, location, stack, ArrayRef<int64_t>{0});
}

/// The running value before and after each lane's step.
void Raising::bindRunning(const Carried &each) {
  Value init = initOf(each), all = batcher.stackOf(each.values[0]);
  if (runs)
    all = batcher.choose(runs, all, neutralOf(each));
  // A comparison with NaN is false, so it is not chosen.
  if (isa<SelectOp>(each.step) && isa<FloatType>(elementOf(all))) {
    Value isNumber =
        CompareOp::create(builder, location, Comparison::EQ, all, all);
    all = SelectOp::create(builder, location, isNumber, all, neutralOf(each));
  }
  all = CumulativeOp::create(builder, location, each.kind, inOrder(all), 0);
  all = combine(builder, location, each.kind, init, all);
  Value first =
      ReshapeOp::create(builder, location, stacked(init.getType(), 1), init);
  Value rest = Along{builder, location, 0}.slice(all, 0, count - 1, 1);
  Value before =
      ConcatenateOp::create(builder, location, ValueRange{first, rest}, 0);
  batcher.bind(each.argument, inOrder(before));
  batcher.bind(each.step->getResult(0), inOrder(all));
}

/// The step of one iteration, as in the loop.
Value Raising::stepOf(const Carried &each, Value number, Value value) {
  Value lane = number;
  if (roles.isDescending)
    lane = SubOp::create(builder, location,
                         integer(builder, location, count - 1), number);
  IRMapping copies;
  copies.map(each.argument, value);
  for (Value other : each.recurrence.others) {
    Value copy = batcher.copyOf(other);
    Type type = typeOf(copy).clone(batcher.laneShape(other));
    copies.map(other,
               lanes.differ(other) ? readAt(builder, copy, lane, type) : copy);
  }
  for (Operation *op : each.recurrence.path)
    builder.clone(*op, copies);
  Value next = copies.lookup(each.step->getResult(0));
  if (!runs)
    return next;
  auto flag = RankedTensorType::get({}, builder.getI1Type());
  Value isStep = readAt(builder, runs, lane, flag);
  return SelectOp::create(builder, location, isStep, next, value);
}

/// The recurrent value before and after each lane's step.
void Raising::bindRecurrent(const Carried &each) {
  FactorAndTerm stacks{batcher.stackOf(each.form.factor),
                       batcher.stackOf(each.form.term)};
  if (runs) {
    Value one = numberOf(builder, location, 1, each.argument.getType()),
          zero = numberOf(builder, location, 0, each.argument.getType());
    stacks = {batcher.choose(runs, stacks.factor, one),
              batcher.choose(runs, stacks.term, zero)};
  }
  stacks = {inOrder(stacks.factor), inOrder(stacks.term)};
  Value all =
      valuesOf(builder, initOf(each), stacks, [&](Value number, Value value) {
        return stepOf(each, number, value);
      });
  Along along{builder, location, 0};
  batcher.bind(each.argument, inOrder(along.slice(all, 0, count, 1)));
  batcher.bind(each.step->getResult(0), inOrder(along.slice(all, 1, count, 1)));
}

/// What the last iteration has.
Value Raising::lastOf(const Carried &each, Value stack) {
  Value lane = integer(builder, location, roles.isDescending ? 0 : count - 1);
  return readAt(builder, stack, lane, each.argument.getType());
}

/// What the last iteration has that chooses a value, or the initial value.
Value Raising::chosenOf(const Carried &each) {
  bool isSecond = each.step->getOperand(2) == each.values[0];
  Value chosen = batcher.copyOf(each.step->getOperand(0));
  if (isSecond)
    chosen = NotOp::create(builder, location, chosen);
  auto type = RankedTensorType::get({count}, builder.getI1Type());
  if (chosen.getType() != type)
    chosen = BroadcastToOp::create(builder, location, type, chosen);
  if (runs)
    chosen = AndOp::create(builder, location, chosen, runs);
  // Iterations are counted from 1, in their order.
  Value numbers =
      IotaOp::create(builder, location, type.clone(builder.getI64Type()), 0);
  Value size = integer(builder, location, count),
        zero = integer(builder, location, 0),
        one = integer(builder, location, 1);
  numbers = roles.isDescending
                ? SubOp::create(builder, location, size, numbers).getResult()
                : AddOp::create(builder, location, numbers, one).getResult();
  numbers = SelectOp::create(builder, location, chosen, numbers, zero);
  Value last = ReduceOp::create(builder, location, ReduceKind::Max, numbers,
                                ArrayRef<int64_t>{0});
  Value lane = roles.isDescending
                   ? SubOp::create(builder, location, size, last).getResult()
                   : SubOp::create(builder, location, last, one).getResult();
  Value value = batcher.copyOf(each.values[0]);
  if (value.getType() != each.argument.getType())
    value = readAt(builder, value, lane, each.argument.getType());
  Value isAny =
      CompareOp::create(builder, location, Comparison::GT, last, zero);
  return SelectOp::create(builder, location, isAny, value, initOf(each));
}

Value Raising::resultOf(const Carried &each) {
  if (each.role == Role::Chosen)
    return chosenOf(each);
  unsigned number = each.argument.getArgNumber() - 1;
  Value copy = batcher.copyOf(roles.body.getTerminator()->getOperand(number));
  bool isSame = copy.getType() == each.argument.getType();
  if (each.role == Role::Common || isSame)
    return copy;
  if (each.role != Role::Reduced)
    return lastOf(each, copy);
  if (runs)
    copy = batcher.choose(runs, copy, batcher.copyOf(each.argument));
  Value made = ReduceOp::create(builder, location, each.kind, copy,
                                ArrayRef<int64_t>{0});
  // The lanes of the other kinds begin with the initial value.
  bool isNeutral = each.kind == ReduceKind::Add || each.kind == ReduceKind::Mul;
  return isNeutral ? combine(builder, location, each.kind, initOf(each), made)
                   : made;
}

LogicalResult Raising::run() {
  runs = lanesThatRun();
  if (runs)
    batcher.limit(runs);
  for (const Carried &each : roles.carried) {
    if (each.role == Role::Common)
      batcher.bind(each.argument, initOf(each));
    if (each.role == Role::Reduced)
      batcher.bind(each.argument, neutralOf(each));
  }
  const auto *next = roles.known.begin();
  for (size_t i = 0; i <= roles.order.size(); ++i) {
    for (; next != roles.known.end() && next->first == i; ++next)
      next->second->role == Role::Running ? bindRunning(*next->second)
                                          : bindRecurrent(*next->second);
    if (i < roles.order.size() && failed(batcher.copy(roles.order[i])))
      return failure();
  }
  SmallVector<Value> results;
  for (const Carried &each : roles.carried) {
    Value result = loop.getResult(each.argument.getArgNumber() - 1);
    results.push_back(result.use_empty() ? initOf(each) : resultOf(each));
  }
  loop.replaceAllUsesWith(results);
  loop.erase();
  return success();
}

static LogicalResult raise(LoopRoles &roles) {
  for (const Addition &each : roles.additions)
    makeScatter(each);
  for (auto [read, array] : roles.early)
    read->setOperand(0, array);
  for (Carried &each : roles.carried)
    if (each.role == Role::Recurrent) {
      each.form = makeFactorAndTerm(each.argument, each.recurrence);
      llvm::append_values(each.values, each.form.factor, each.form.term);
    }
  if (!roles.findOrder())
    return failure();
  Lanes lanes = roles.lanesOf();
  return Raising(roles, lanes).run();
}

namespace {
struct RaiseLoops : public ingot::impl::RaiseLoopsBase<RaiseLoops> {
  using RaiseLoopsBase::RaiseLoopsBase;

  LogicalResult initialize(MLIRContext *) override {
    simplification = OpPassManager(func::FuncOp::getOperationName());
    addSimplification(simplification);
    return success();
  }

  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops) {
      auto options = [](StringRef name) {
        return remark::RemarkOpts::name(name).category("raise-loops");
      };
      mlir::Location location = loop.getLoc();
      LoopRoles roles(loop, {mostBytes, gatherCost, recurrences});
      if (const char *reason = roles.find()) {
        remark::missed(location, options("loop"))
            << ("the loop stays, since " + Twine(reason)).str();
        continue;
      }
      remark::passed(location, options("raised"))
          << (Twine(roles.index.count) + " iterations run together").str();
      if (failed(raise(roles)))
        return signalPassFailure();
    }
    // Other code is as simple as it was.
    if (!loops.empty() && failed(runPipeline(simplification, getOperation())))
      signalPassFailure();
  }

private:
  OpPassManager simplification;
};
} // namespace
