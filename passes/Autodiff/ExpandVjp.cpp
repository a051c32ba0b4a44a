//===- ExpandVjp.cpp - Reverse-mode derivatives ---------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_EXPANDVJP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Adds up cotangents, from the last operation to the first. They are kept by
/// the callee's values; what is emitted uses the copies of these.
class Reverse {
public:
  Reverse(OpBuilder &builder, Activity &activity)
      : builder(builder), activity(activity) {}

  /// Adds to the cotangent of a value; nothing where no derivative flows.
  void add(Value value, Value cotangent) {
    if (!cotangent || !activity.isActive(value))
      return;
    Value &sum = cotangents[value];
    sum = accumulated(builder, value.getLoc(), sum, cotangent);
  }
  Value cotangentOrZeros(Value value) {
    Value found = cotangents.lookup(value);
    return found ? found : zerosOf(builder, value.getLoc(), value.getType());
  }
  /// Emits the adjoints of a block whose operations were copied.
  LogicalResult sweep(Block &block, IRMapping &copies);

private:
  LogicalResult visit(Operation *op, IRMapping &copies);
  LogicalResult visitIf(IfOp op, IRMapping &copies);
  LogicalResult visitFor(ForOp op, IRMapping &copies);
  /// Emits a block once more, and its adjoints; `seeds` are the cotangents of
  /// what it ends with.
  LogicalResult repeat(Block &block, IRMapping &copies, ArrayRef<Value> seeds);

  OpBuilder &builder;
  Activity &activity;
  DenseMap<Value, Value> cotangents;
};

} // namespace

static void copyBlock(OpBuilder &builder, Block &block, IRMapping &copies) {
  for (Operation &op : block.without_terminator()) {
    // Cloning keeps arguments that are mapped, as those of an earlier copy are.
    op.walk([&](Block *inner) {
      for (BlockArgument argument : inner->getArguments())
        copies.erase(argument);
    });
    builder.clone(op, copies);
  }
}

/// What runs a second time has been checked, and has printed.
static void eraseEffects(Block &block) {
  SmallVector<Operation *> effects;
  block.walk([&](Operation *op) {
    if (isa<AssertOp, PrintOp>(op))
      effects.push_back(op);
  });
  for (Operation *op : effects)
    op->erase();
}

LogicalResult Reverse::sweep(Block &block, IRMapping &copies) {
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (llvm::any_of(op.getResults(),
                     [&](Value v) { return cotangents.contains(v); }) &&
        failed(visit(&op, copies)))
      return failure();
  return success();
}

LogicalResult Reverse::repeat(Block &block, IRMapping &copies,
                              ArrayRef<Value> seeds) {
  copyBlock(builder, block, copies);
  eraseEffects(*builder.getInsertionBlock());
  cotangents.clear();
  Operation *end = block.getTerminator();
  for (auto [value, seed] : llvm::zip_equal(end->getOperands(), seeds))
    add(value, seed);
  return sweep(block, copies);
}

LogicalResult Reverse::visit(Operation *op, IRMapping &copies) {
  if (auto branch = dyn_cast<IfOp>(op))
    return visitIf(branch, copies);
  if (auto loop = dyn_cast<ForOp>(op))
    return visitFor(loop, copies);
  if (isa<WhileOp>(op))
    return op->emitError("a loop of unknown length has no reverse derivative "
                         "yet; use jvp, or count its iterations");
  auto rule = dyn_cast<DifferentiableOpInterface>(copies.lookup(op));
  if (!rule)
    return emitNoDerivative(op);
  SmallVector<Value> given, found;
  for (Value result : op->getResults())
    given.push_back(cotangents.lookup(result));
  if (failed(rule.buildAdjoints(builder, given, found)))
    return failure();
  for (auto [operand, value] : llvm::zip_equal(op->getOperands(), found))
    add(operand, value);
  return success();
}

/// The values from outside of an operation's regions that have derivatives.
static SetVector<Value> activeCaptures(Operation *op, Activity &activity) {
  SetVector<Value> found;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Region *home = operand.getParentRegion();
      if (inner != op && !op->isAncestor(home->getParentOp()) &&
          activity.isActive(operand))
        found.insert(operand);
    }
  });
  return found;
}

LogicalResult Reverse::visitIf(IfOp op, IRMapping &copies) {
  SetVector<Value> captures = activeCaptures(op, activity);
  SmallVector<Type> types;
  for (Value value : captures)
    types.push_back(value.getType());
  auto made = IfOp::create(builder, op.getLoc(), types,
                           copies.lookupOrDefault(op.getCondition()));
  DenseMap<Value, Value> outside = std::move(cotangents);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), made->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&to);
    IRMapping inner = copies;
    SmallVector<Value> seeds;
    for (Value result : op.getResults())
      seeds.push_back(outside.lookup(result));
    if (failed(repeat(from.front(), inner, seeds)))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : captures)
      yielded.push_back(cotangentOrZeros(value));
    YieldOp::create(builder, op.getLoc(), yielded);
  }
  cotangents = std::move(outside);
  for (auto [value, part] : llvm::zip_equal(captures, made.getResults()))
    add(value, part);
  return success();
}

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

namespace {
/// The indices of a loop, `count` of them.
struct Range {
  int64_t lower, step, count;
};
} // namespace

static std::optional<int64_t> constantOf(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  return elements.getSplatValue<APInt>().getSExtValue();
}

static std::optional<Range> rangeOf(ForOp op) {
  auto lower = constantOf(op.getLower()), upper = constantOf(op.getUpper());
  auto step = constantOf(op.getStep());
  if (!lower || !upper || !step || *step == 0)
    return std::nullopt;
  int64_t way = *step > 0 ? *upper - *lower : *lower - *upper;
  int64_t stride = std::abs(*step);
  return Range{*lower, *step, way <= 0 ? 0 : (way + stride - 1) / stride};
}

static Value integer(OpBuilder &builder, mlir::Location location,
                     int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  auto attribute =
      DenseElementsAttr::get(type, builder.getI64IntegerAttr(value));
  return ConstantOp::create(builder, location, type, attribute);
}

/// A loop whose body is to be filled.
static ForOp createFor(OpBuilder &builder, mlir::Location location, Value lower,
                       Value upper, Value step, ArrayRef<Value> inits) {
  SmallVector<Value> operands{lower, upper, step};
  llvm::append_range(operands, inits);
  OperationState state(location, ForOp::getOperationName(), operands,
                       llvm::to_vector(ValueRange(inits).getTypes()), {});
  state.addRegion();
  return cast<ForOp>(builder.create(state));
}

static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// The type of a value of each iteration, and of what holds one of them.
static RankedTensorType stacked(Type type, int64_t count) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, tensor.getShape());
  return RankedTensorType::get(shape, tensor.getElementType());
}

static SmallVector<Value> placeOf(OpBuilder &builder, mlir::Location location,
                                  Value number, int64_t rank) {
  SmallVector<Value> starts(rank, integer(builder, location, 0));
  starts[0] = number;
  return starts;
}

/// Makes a loop also give, for each of some carried values, all that it was at
/// the beginnings of iterations.
static ForOp tape(ForOp loop, ArrayRef<unsigned> places, Range range) {
  OpBuilder builder(loop);
  mlir::Location location = loop.getLoc();
  SmallVector<Value> inits(loop.getInitArgs());
  for (unsigned place : places) {
    Type type = stacked(inits[place].getType(), range.count);
    Value zero =
        isDifferentiable(type)
            ? zerosOf(builder, location, type)
            : ConstantOp::create(builder, location, type,
                                 cast<ElementsAttr>(builder.getZeroAttr(type)));
    inits.push_back(zero);
  }
  ForOp made = createFor(builder, location, loop.getLower(), loop.getUpper(),
                         loop.getStep(), inits);
  made.getBody().takeBody(loop.getBody());
  Block &body = made.getBody().front();
  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  Value first = integer(builder, location, range.lower);
  Value step = integer(builder, location, range.step);
  Value way = SubOp::create(builder, location, body.getArgument(0), first);
  Value number = FloorDivOp::create(builder, location, way, step);
  SmallVector<Value> yielded(end->getOperands());
  for (unsigned place : places) {
    Value value = body.getArgument(1 + place);
    Type type = stacked(value.getType(), range.count);
    Value all = body.addArgument(type, location);
    Value one = ReshapeOp::create(builder, location,
                                  stacked(value.getType(), 1), value);
    int64_t rank = cast<RankedTensorType>(type).getRank();
    yielded.push_back(UpdateSliceOp::create(
        builder, location, all, one, placeOf(builder, location, number, rank),
        SmallVector<int64_t>(rank, 1)));
  }
  end->setOperands(yielded);
  loop->replaceAllUsesWith(
      made->getResults().take_front(loop->getNumResults()));
  loop.erase();
  return made;
}

/// A value of one iteration, of a tape.
static Value untaped(OpBuilder &builder, Value tape, Value number, Type type) {
  mlir::Location location = tape.getLoc();
  int64_t rank = cast<RankedTensorType>(tape.getType()).getRank();
  Value one = DynamicSliceOp::create(
      builder, location, tape, placeOf(builder, location, number, rank),
      stacked(type, 1).getShape(), SmallVector<int64_t>(rank, 1));
  return ReshapeOp::create(builder, location, type, one);
}

/// What the tapes of a derivative may take in all: 4 GiB.
static constexpr int64_t largestTape = int64_t(1) << 32;

static LogicalResult checkSize(ForOp op, ArrayRef<unsigned> places,
                               Range range) {
  int64_t bits = 0;
  for (unsigned place : places) {
    auto type = cast<RankedTensorType>(op.getResult(place).getType());
    Type element = type.getElementType();
    int64_t width = 0;
    if (auto complex = dyn_cast<ComplexType>(element))
      width = 2 * complex.getElementType().getIntOrFloatBitWidth();
    else
      width = element.getIntOrFloatBitWidth();
    bits += range.count * type.getNumElements() * width;
  }
  if (bits / 8 <= largestTape)
    return success();
  return op->emitError() << "the reverse derivative of this loop would keep "
                         << (bits / 8 >> 30)
                         << " GiB of values; use jvp, or fewer iterations";
}

/// The number of the iteration that is run after `done` others, backwards.
static Value iterationOf(OpBuilder &builder, mlir::Location location,
                         Value done, Range range) {
  Value last = integer(builder, location, range.count - 1);
  return SubOp::create(builder, location, last, done);
}

static Value indexOf(OpBuilder &builder, mlir::Location location, Value number,
                     Range range) {
  Value step = integer(builder, location, range.step);
  Value way = MulOp::create(builder, location, number, step);
  Value lower = integer(builder, location, range.lower);
  return AddOp::create(builder, location, way, lower);
}

/// Runs the iterations once more, from the last to the first, each with what
/// was carried into it; their adjoints carry the cotangents of the carried
/// values, and sums of those of values from outside.
LogicalResult Reverse::visitFor(ForOp op, IRMapping &copies) {
  mlir::Location location = op.getLoc();
  auto copy = cast<ForOp>(copies.lookup(op));
  std::optional<Range> range = rangeOf(copy);
  if (!range)
    return op->emitError(
        "a loop whose number of iterations is not known when it "
        "is compiled has no reverse derivative yet; use jvp");
  Block &body = op.getBody().front();
  SetVector<Value> captures = activeCaptures(op, activity);
  SmallVector<unsigned> active;
  for (auto [i, argument] : llvm::enumerate(body.getArguments().drop_front()))
    if (activity.isActive(argument))
      active.push_back(i);
  SmallVector<Value> inits;
  for (unsigned i : active)
    inits.push_back(cotangentOrZeros(op.getResult(i)));
  for (Value value : captures)
    inits.push_back(zerosOf(builder, location, value.getType()));
  if (range->count == 0) {
    for (auto [i, place] : llvm::enumerate(active))
      add(op.getInitArgs()[place], inits[i]);
    return success();
  }

  Value zero = integer(builder, location, 0),
        one = integer(builder, location, 1);
  Value count = integer(builder, location, range->count);
  ForOp made = createFor(builder, location, zero, count, one, inits);
  DenseMap<Value, Value> outside = std::move(cotangents);
  SmallVector<unsigned> needed;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&made.getBody());
    Value done = block->addArgument(zero.getType(), location);
    for (Value init : inits)
      block->addArgument(init.getType(), location);
    Value number = iterationOf(builder, location, done, *range);
    Value index = indexOf(builder, location, number, *range);
    IRMapping inner = copies;
    inner.map(body.getArgument(0), index);
    // Stand for what was carried until it is known which of it is needed.
    for (BlockArgument argument : body.getArguments().drop_front())
      inner.map(argument, block->addArgument(argument.getType(), location));

    SmallVector<Value> seeds(op.getNumResults());
    for (auto [i, place] : llvm::enumerate(active))
      seeds[place] = block->getArgument(1 + i);
    if (failed(repeat(body, inner, seeds)))
      return failure();
    SmallVector<Value> yielded;
    for (unsigned i : active)
      yielded.push_back(cotangentOrZeros(body.getArgument(1 + i)));
    for (auto [i, value] : llvm::enumerate(captures))
      yielded.push_back(accumulated(builder, location,
                                    block->getArgument(1 + active.size() + i),
                                    cotangents.lookup(value)));
    YieldOp::create(builder, location, yielded);
    eraseDead(*block);

    unsigned first = 1 + inits.size();
    for (unsigned i = 0; i < op.getNumResults(); ++i)
      if (!block->getArgument(first + i).use_empty())
        needed.push_back(i);
    if (failed(checkSize(op, needed, *range)))
      return failure();
    copy = tape(copy, needed, *range);
    for (auto [from, to] : llvm::zip(op.getResults(), copy.getResults()))
      copies.map(from, to);
    copies.map(op.getOperation(), copy.getOperation());
    builder.setInsertionPointToStart(block);
    number = iterationOf(builder, location, done, *range);
    for (auto [i, place] : llvm::enumerate(needed)) {
      Value argument = block->getArgument(first + place);
      Value kept = copy.getResult(op.getNumResults() + i);
      argument.replaceAllUsesWith(
          untaped(builder, kept, number, argument.getType()));
    }
    block->eraseArguments(first, op.getNumResults());
  }
  cotangents = std::move(outside);
  for (auto [i, place] : llvm::enumerate(active))
    add(op.getInitArgs()[place], made.getResult(i));
  for (auto [i, value] : llvm::enumerate(captures))
    add(value, made.getResult(active.size() + i));
  return success();
}

static LogicalResult expand(VjpOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  Block &body = callee.getBody().front();
  Activity activity(body, op.getWrt());

  OpBuilder builder(op);
  IRMapping copies;
  unsigned count = body.getNumArguments();
  copies.map(body.getArguments(), op.getOperands().take_front(count));
  copyBlock(builder, body, copies);
  Reverse reverse(builder, activity);
  Operation *end = body.getTerminator();
  for (auto [i, place] : llvm::enumerate(op.getOf()))
    reverse.add(end->getOperand(place), op.getOperand(count + i));
  if (failed(reverse.sweep(body, copies)))
    return failure();
  SmallVector<Value> results;
  for (Value value : end->getOperands())
    results.push_back(copies.lookupOrDefault(value));
  for (int64_t place : op.getWrt())
    results.push_back(reverse.cotangentOrZeros(body.getArgument(place)));
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}

namespace {
struct ExpandVjp : public ingot::impl::ExpandVjpBase<ExpandVjp> {
  void runOnOperation() override {
    if (failed(expandCalls<VjpOp>(getOperation(), expand)))
      signalPassFailure();
  }
};
} // namespace
