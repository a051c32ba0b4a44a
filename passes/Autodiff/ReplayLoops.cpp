//===- ReplayLoops.cpp - Adjoints of loops by checkpoints and replay ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Loops.h"
#include "Reverse.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ingot;

/// The limits of the number of iterations whose residuals are held at a time.
/// Between these, a chunk has as many as take the memory of one checkpoint.
static constexpr int64_t smallestChunk = 64, largestChunk = 1 << 16;

/// Adds a counter of the iterations to a loop, as its last result.
static WhileOp counted(WhileOp op) {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  auto made = cast<WhileOp>(rebuildWith(op, integer(builder, location, 0)));
  Region &body = made.getBody();
  builder.setInsertionPoint(body.front().getTerminator());
  Value next = AddOp::create(builder, location, body.getArguments().back(),
                             integer(builder, location, 1));
  yieldMore(body, next);
  return made;
}

LogicalResult Reverse::visitWhile(WhileOp op, Frame &frame) {
  WhileOp made = counted(op);
  replace(op, made, frame);
  Value count = frame.get(made.getResults().back());
  return reverseByReplay(made, count, frame);
}

namespace {

/// Runs iterations of a loop again, without checks and prints.
class Replay {
public:
  Replay(Operation *op, Frame &frame);

  /// Emits a loop over `count` iterations, from iteration `first` with the
  /// carried values `state` on.
  ForOp run(OpBuilder &builder, Value first, Value count,
            ArrayRef<Value> state);
  /// Marks the values of the last copy as active where those of the loop are.
  /// Returns the marked values.
  SmallVector<Value> mark(Activity &activity, ForOp copy) const;
  Value outside(Value value) const { return captures.lookupOrDefault(value); }

private:
  Operation *op;
  Block &body;
  std::optional<Range> range;
  IRMapping captures;
  IRMapping last;
};

} // namespace

Replay::Replay(Operation *op, Frame &frame)
    : op(op), body(op->getRegions().back().front()) {
  if (auto loop = dyn_cast<ForOp>(op))
    range = rangeOf(loop, frame);
  SetVector<Value> used;
  getUsedValuesDefinedAbove(*body.getParent(), *body.getParent(), used);
  for (Value value : used)
    captures.map(value, frame.get(value));
}

ForOp Replay::run(OpBuilder &builder, Value first, Value count,
                  ArrayRef<Value> state) {
  OpBuilder::InsertionGuard guard(builder);
  ForOp made = beginFor(builder, op->getLoc(), count, state);
  Block *block = builder.getInsertionBlock();
  last = captures;
  ArrayRef<BlockArgument> carried = block->getArguments();
  if (range) {
    Value number =
        AddOp::create(builder, op->getLoc(), first, block->getArgument(0));
    last.map(body.getArgument(0), range->index(builder, number));
  }
  last.map(body.getArguments().take_back(state.size()), carried.drop_front());
  for (Operation &each : body)
    builder.clone(each, last);
  eraseEffects(made);
  return made;
}

SmallVector<Value> Replay::mark(Activity &activity, ForOp copy) const {
  SmallVector<Value> marked;
  auto set = [&](Value value) {
    if (activity.isActive(value))
      return;
    activity.set(value);
    marked.push_back(value);
  };
  for (auto [from, to] : last.getValueMap())
    if (activity.isActive(from))
      set(to);
  Block &made = copy.getBody().front();
  for (auto [argument, init, result] :
       llvm::zip_equal(made.getArguments().drop_front(), copy.getInitArgs(),
                       copy.getResults())) {
    if (!activity.isActive(argument))
      continue;
    set(init);
    set(result);
  }
  return marked;
}

namespace {

/// A checkpoint schedule: a stack of checkpoints, each an iteration of a loop
/// and the carried values there.
///
/// The distance from a checkpoint to the next is `chunk` times the largest
/// power of `radix` that does not pass the target, the iteration that is wanted
/// next. So there are at most `radix - 1` checkpoints of each distance, and
/// each of the `levels` of distances costs one more run of an iteration.
///
/// Revolve (Griewank and Walther, "Algorithm 799: revolve", ACM TOMS 26, 2000)
/// replays the fewest iterations for a given number of checkpoints. Its
/// distances are binomial coefficients that depend on the trip count, which
/// here is known only at run time. Powers of a radix need neither a table nor
/// the trip count, at the price of more replays.
struct CheckpointSchedule {
  static constexpr int64_t radix = 8, levels = 12;
  static constexpr int64_t size = 1 + (radix - 1) * levels;

  /// The values that loops carry for a stack: the position of its top, the
  /// iterations of all checkpoints, and an array of checkpoints for each
  /// carried value.
  static SmallVector<Value> create(OpBuilder &builder, mlir::Location location,
                                   ArrayRef<Value> state) {
    Value zero = integer(builder, location, 0);
    SmallVector<Value> stack{zero,
                             stackOf(builder, location, zero.getType(), size)};
    for (Value value : state)
      stack.push_back(writeAt(builder,
                              stackOf(builder, location, value.getType(), size),
                              zero, value));
    return stack;
  }
  static Value iteration(OpBuilder &builder, ValueRange stack) {
    return readAt(builder, stack[1], stack[0], stack[0].getType());
  }
  static SmallVector<Value> state(OpBuilder &builder, ValueRange stack) {
    SmallVector<Value> found;
    for (Value all : stack.drop_front(2)) {
      Type one = typeOf(all).clone(shapeOf(all).drop_front());
      found.push_back(readAt(builder, all, stack[0], one));
    }
    return found;
  }
  static SmallVector<Value> push(OpBuilder &builder, ValueRange stack,
                                 Value iteration, ValueRange state) {
    mlir::Location location = iteration.getLoc();
    Value top = AddOp::create(builder, location, stack[0],
                              integer(builder, location, 1));
    SmallVector<Value> made{top, writeAt(builder, stack[1], top, iteration)};
    for (auto [all, value] : llvm::zip_equal(stack.drop_front(2), state))
      made.push_back(writeAt(builder, all, top, value));
    return made;
  }
};

} // namespace

/// The largest of chunk, chunk * radix, ... that is at most `distance`.
static Value strideOf(OpBuilder &builder, Value distance, Value chunk) {
  mlir::Location location = distance.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  WhileOp loop = beginWhile(builder, location, chunk);
  auto next = [&](Block &block) -> Value {
    return MulOp::create(builder, location, block.getArgument(0),
                         integer(builder, location, CheckpointSchedule::radix));
  };
  Value goesOn = CompareOp::create(builder, location, Comparison::LE,
                                   next(loop.getCond().front()), distance);
  ConditionOp::create(builder, location, goesOn);
  builder.setInsertionPointToEnd(&loop.getBody().front());
  YieldOp::create(builder, location, next(loop.getBody().front()));
  return loop.getResult(0);
}

/// Runs from the last checkpoint to the iteration `target`, pushing checkpoints
/// on the way; the last one is that of `target`.
static SmallVector<Value> advance(OpBuilder &builder, Replay &replay,
                                  ArrayRef<Value> stack, Value target,
                                  Value chunk) {
  mlir::Location location = target.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  WhileOp loop = beginWhile(builder, location, stack);
  Value here = CheckpointSchedule::iteration(
      builder, loop.getCond().front().getArguments());
  Value goesOn =
      CompareOp::create(builder, location, Comparison::LT, here, target);
  ConditionOp::create(builder, location, goesOn);

  Block &body = loop.getBody().front();
  builder.setInsertionPointToEnd(&body);
  ValueRange carried = body.getArguments();
  here = CheckpointSchedule::iteration(builder, carried);
  Value distance = SubOp::create(builder, location, target, here);
  Value stride = strideOf(builder, distance, chunk);
  ForOp run = replay.run(builder, here, stride,
                         CheckpointSchedule::state(builder, carried));
  Value there = AddOp::create(builder, location, here, stride);
  YieldOp::create(
      builder, location,
      CheckpointSchedule::push(builder, carried, there, run.getResults()));
  return loop.getResults();
}

LogicalResult Reverse::reverseByReplay(Operation *op, Value count,
                                       Frame &frame) {
  mlir::Location location = op->getLoc();
  Flow flow = flowOf(op);
  Replay replay(op, frame);
  SmallVector<Value> state;
  for (Value init : carriedOperands(op))
    state.push_back(frame.get(init));
  SmallVector<Value> inits{count};
  llvm::append_range(inits,
                     CheckpointSchedule::create(builder, location, state));
  unsigned skipped = inits.size();
  llvm::append_range(inits, cotangentsOf(op, flow));

  DenseMap<Value, Value> outside = std::move(cotangents);
  OpBuilder::InsertionGuard guard(builder);
  WhileOp made = beginWhile(builder, location, inits);
  Value zero = integer(builder, location, 0);
  Value goesOn = CompareOp::create(builder, location, Comparison::GT,
                                   made.getCond().front().getArgument(0), zero);
  ConditionOp::create(builder, location, goesOn);

  // The next chunk has the iterations from `target` to before `left`.
  Block &body = made.getBody().front();
  builder.setInsertionPointToEnd(&body);
  ValueRange carried = body.getArguments();
  Value left = carried[0], one = integer(builder, location, 1);
  // A stand-in, until the size of an iteration's residuals is known.
  Value size = integer(builder, location, smallestChunk);
  Value number = SubOp::create(builder, location, left, one);
  number = FloorDivOp::create(builder, location, number, size);
  Value target = MulOp::create(builder, location, number, size);
  SmallVector<Value> stack(carried.slice(1, skipped - 1));
  stack = advance(builder, replay, stack, target, size);
  Value length = SubOp::create(builder, location, left, target);
  ForOp run = replay.run(builder, target, length,
                         CheckpointSchedule::state(builder, stack));
  SmallVector<Value> marked = replay.mark(activity, run);

  cotangents.clear();
  ValueRange sums = carried.drop_front(skipped);
  for (auto [i, position] : llvm::enumerate(flow.active))
    add(run.getResult(position), sums[i]);
  SmallVector<Value> captures;
  for (auto [i, value] : llvm::enumerate(flow.captures)) {
    captures.push_back(replay.outside(value));
    cotangents[captures.back()] = sums[flow.active.size() + i];
  }
  SmallVector<Value> starts(run.getInitArgs());
  Frame inner;
  double stateBytes = 0;
  for (Value value : state)
    stateBytes += bytesOf(value.getType());
  auto chunkOf = [&](double bytes) {
    int64_t chunk =
        std::clamp<double>(stateBytes / bytes, smallestChunk, largestChunk);
    Value chosen = integer(builder, location, chunk);
    size.replaceAllUsesWith(chosen);
    chosen.getDefiningOp()->moveAfter(size.getDefiningOp());
    return chunk;
  };
  if (failed(reverseBySaving(run, inner, chunkOf)))
    return failure();
  SmallVector<Value> yielded{target};
  yielded.push_back(SubOp::create(builder, location, stack[0], one));
  llvm::append_range(yielded, ArrayRef(stack).drop_front());
  for (unsigned position : flow.active)
    yielded.push_back(cotangentOrZeros(starts[position]));
  for (Value value : captures)
    yielded.push_back(cotangents.lookup(value));
  YieldOp::create(builder, location, yielded);
  // Values that are created later may reuse the addresses of erased ones.
  for (Value value : marked)
    activity.erase(value);
  cotangents = std::move(outside);
  for (unsigned position : flow.active)
    cotangents.erase(op->getResult(position));
  builder.setInsertionPointAfter(made);
  setCotangents(op, flow, made.getResults().drop_front(skipped));
  return success();
}
