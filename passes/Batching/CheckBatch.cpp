//===- CheckBatch.cpp - Whether a function treats a batch item by item ----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ingot {
#define GEN_PASS_DEF_CHECKBATCH
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// How a value depends on the items of the batch.
struct State {
  enum Kind {
    /// Not at all; where an axis has their number, it repeats one value.
    Uniform,
    /// Item by item, along `axis`.
    Along,
    /// On all of them, in a way that repeating some does not change.
    Folded,
    /// On all of them, on their number or on their places.
    Mixed
  };
  Kind kind = Uniform;
  int64_t axis = 0;

  bool operator==(const State &other) const {
    return kind == other.kind && (kind != Along || axis == other.axis);
  }
  bool operator!=(const State &other) const { return !(*this == other); }
};

State along(int64_t axis) { return {State::Along, axis}; }
const State mixed{State::Mixed};

/// What is known of a value that is one or the other, or made of both.
State join(State a, State b) {
  if (a == b || b.kind == State::Uniform)
    return a;
  return a.kind == State::Uniform ? b : mixed;
}

bool isAboutArrays(Operation *op) {
  auto isArray = llvm::IsaPred<RankedTensorType>;
  return llvm::all_of(op->getOperandTypes(), isArray) &&
         llvm::all_of(op->getResultTypes(), isArray);
}

class Checker {
public:
  Checker(int64_t batch, ArrayRef<int64_t> open) : batch(batch), open(open) {}

  LogicalResult check(func::FuncOp function);

private:
  bool isOpen(int64_t extent) { return llvm::is_contained(open, extent); }
  bool hasOpen(Value value) {
    return llvm::any_of(shapeOf(value),
                        [&](int64_t extent) { return isOpen(extent); });
  }
  State &of(Value value) { return states[value]; }
  void set(Operation *op, State state);
  /// Remembers the first operation that mixes the items.
  void visitBlock(Block &block, bool isControlled);
  void visit(Operation *op, bool isControlled);
  State transfer(Operation *op);
  State broadcast(Operation *op);
  State reshape(ReshapeOp op);
  State reduce(ReduceOp op);
  State gather(GatherOp op);
  State scatter(ScatterOp op);
  State dot(DotGeneralOp op);
  /// An operation that treats each position along all but some axes by itself.
  State apart(Operation *op, llvm::function_ref<bool(int64_t)> isTouched);
  void visitIf(IfOp op, bool isControlled);
  void visitLoop(Operation *op, bool isControlled);

  int64_t batch;
  ArrayRef<int64_t> open;
  DenseMap<Value, State> states;
  Operation *culprit = nullptr;
};

} // namespace

void Checker::set(Operation *op, State state) {
  for (Value result : op->getResults())
    of(result) = state;
}

/// NumPy's broadcasting: axes correspond from the last one on.
State Checker::broadcast(Operation *op) {
  int64_t rank = typeOf(op->getResult(0)).getRank();
  State state;
  for (Value operand : op->getOperands()) {
    State one = of(operand);
    if (one.kind == State::Along)
      one.axis += rank - typeOf(operand).getRank();
    state = join(state, one);
  }
  return state;
}

State Checker::reshape(ReshapeOp op) {
  State state = of(op.getOperand());
  if (state.kind == State::Uniform)
    return hasOpen(op.getOperand()) ? mixed : state;
  if (state.kind != State::Along)
    return state;
  ArrayRef<int64_t> from = shapeOf(op.getOperand());
  ArrayRef<int64_t> to = op.getType().getShape();
  int64_t before = 1, reached = 1;
  for (int64_t i = 0; i < state.axis; ++i)
    before *= from[i];
  for (auto [i, extent] : llvm::enumerate(to)) {
    if (reached == before && extent == from[state.axis])
      return along(i);
    reached *= extent;
  }
  return mixed;
}

State Checker::apart(Operation *op,
                     llvm::function_ref<bool(int64_t)> isTouched) {
  State state;
  for (Value operand : op->getOperands())
    state = join(state, of(operand));
  for (Value operand : op->getOperands())
    for (auto [i, extent] : llvm::enumerate(shapeOf(operand)))
      if (isOpen(extent) && isTouched(i))
        return mixed;
  return state;
}

State Checker::reduce(ReduceOp op) {
  ArrayRef<int64_t> axes = op.getAxes();
  State state = of(op.getOperand());
  bool isIdempotent =
      op.getKind() != ReduceKind::Add && op.getKind() != ReduceKind::Mul;
  bool isOverOpen = llvm::any_of(axes, [&](int64_t axis) {
    return isOpen(typeOf(op.getOperand()).getDimSize(axis));
  });
  if (state.kind == State::Along && llvm::is_contained(axes, state.axis))
    return isIdempotent ? State{State::Folded} : mixed;
  if (isOverOpen && !isIdempotent)
    return mixed;
  if (state.kind == State::Along)
    state.axis -=
        llvm::count_if(axes, [&](int64_t axis) { return axis < state.axis; });
  return state;
}

State Checker::gather(GatherOp op) {
  State operand = of(op.getOperand()), indices;
  int64_t count = op.getIndices().size();
  for (Value index : op.getIndices())
    indices = join(indices, of(index));
  for (int64_t i = 0; i < count; ++i)
    if (isOpen(typeOf(op.getOperand()).getDimSize(i)))
      return mixed;
  if (operand.kind != State::Along)
    return join(operand, indices);
  if (indices.kind != State::Uniform)
    return mixed;
  int64_t rank = count ? typeOf(op.getIndices()[0]).getRank() : 0;
  return along(operand.axis - count + rank);
}

State Checker::scatter(ScatterOp op) {
  State operand = of(op.getOperand()), update = of(op.getUpdate());
  int64_t count = op.getIndices().size();
  for (Value index : op.getIndices())
    if (of(index).kind != State::Uniform || hasOpen(index))
      return mixed;
  int64_t rank = count ? typeOf(op.getIndices()[0]).getRank() : 0;
  if (update.kind == State::Along)
    update = update.axis < rank ? mixed : along(update.axis - rank + count);
  return join(operand, update);
}

State Checker::dot(DotGeneralOp op) {
  State lhs = of(op.getLhs()), rhs = of(op.getRhs());
  auto isSummed = [&](Value value, ArrayRef<int64_t> axes) {
    return llvm::any_of(axes, [&](int64_t axis) {
      return isOpen(typeOf(value).getDimSize(axis));
    });
  };
  if (isSummed(op.getLhs(), op.getLhsContracting()))
    return mixed;
  // Where the axis of an operand is in the result.
  auto place = [&](State state, ArrayRef<int64_t> batching,
                   ArrayRef<int64_t> contracting, int64_t first) -> State {
    if (state.kind != State::Along)
      return state;
    const int64_t *found = llvm::find(batching, state.axis);
    if (found != batching.end())
      return along(found - batching.begin());
    int64_t before = first;
    for (int64_t i = 0; i < state.axis; ++i)
      before += !llvm::is_contained(batching, i) &&
                !llvm::is_contained(contracting, i);
    return along(before);
  };
  int64_t pairs = op.getLhsBatching().size();
  int64_t rest =
      typeOf(op.getLhs()).getRank() - pairs - op.getLhsContracting().size();
  return join(
      place(lhs, op.getLhsBatching(), op.getLhsContracting(), pairs),
      place(rhs, op.getRhsBatching(), op.getRhsContracting(), pairs + rest));
}

State Checker::transfer(Operation *op) {
  if (op->hasTrait<ElementwiseTrait>() || isa<BroadcastToOp>(op))
    return broadcast(op);
  return llvm::TypeSwitch<Operation *, State>(op)
      .Case([&](ConstantOp each) {
        return isa<SplatElementsAttr>(each.getValue()) ||
                       !hasOpen(each.getResult())
                   ? State{}
                   : mixed;
      })
      .Case([&](SizeOp each) {
        return isOpen(each.getValue()) ? mixed : State{};
      })
      .Case([&](IotaOp each) {
        return isOpen(each.getType().getDimSize(each.getAxis())) ? mixed
                                                                 : State{};
      })
      .Case([&](ReshapeOp each) { return reshape(each); })
      .Case([&](ReduceOp each) { return reduce(each); })
      .Case([&](GatherOp each) { return gather(each); })
      .Case([&](ScatterOp each) { return scatter(each); })
      .Case([&](DotGeneralOp each) { return dot(each); })
      .Case([&](TransposeOp each) {
        State state = of(each.getOperand());
        if (state.kind == State::Along)
          state.axis =
              llvm::find(each.getAxes(), state.axis) - each.getAxes().begin();
        return state;
      })
      .Case([&](ConcatenateOp each) {
        return apart(op,
                     [&](int64_t i) { return i == (int64_t)each.getAxis(); });
      })
      .Case([&](CumulativeOp each) {
        return apart(op,
                     [&](int64_t i) { return i == (int64_t)each.getAxis(); });
      })
      .Case([&](SortOp each) {
        return apart(op,
                     [&](int64_t i) { return i == (int64_t)each.getAxis(); });
      })
      .Case([&](ArgReduceOp each) {
        int64_t axis = each.getAxis();
        State state = apart(op, [&](int64_t i) { return i == axis; });
        state.axis -= axis < state.axis;
        return state;
      })
      .Case([&](FlipOp each) {
        return apart(op, [&](int64_t i) {
          return llvm::is_contained(each.getAxes(), i);
        });
      })
      .Case([&](PadOp each) {
        return apart(op, [&](int64_t i) {
          return each.getLow()[i] || each.getHigh()[i] || each.getInterior()[i];
        });
      })
      .Case<SliceOp, DynamicSliceOp>([&](auto each) {
        auto from = shapeOf(each.getOperand());
        auto to = shapeOf(each.getResult());
        return apart(op, [&](int64_t i) { return from[i] != to[i]; });
      })
      .Case([&](UpdateSliceOp each) {
        auto from = shapeOf(each.getOperand());
        auto to = shapeOf(each.getUpdate());
        return apart(op, [&](int64_t i) { return from[i] != to[i]; });
      })
      .Case([&](FftOp each) {
        int64_t last = typeOf(each.getOperand()).getRank() - 1;
        return apart(op, [&](int64_t i) { return i == last; });
      })
      .Case<CholeskyOp, TriangularSolveOp, LuOp, QrOp, EighOp, SvdOp, EigOp>(
          [&](auto) {
            int64_t rank = typeOf(op->getOperand(0)).getRank();
            return apart(op, [&](int64_t i) { return i >= rank - 2; });
          })
      .Default(
          [&](Operation *) { return apart(op, [](int64_t) { return true; }); });
}

void Checker::visitIf(IfOp op, bool isControlled) {
  State condition = of(op.getCondition());
  isControlled |= condition.kind != State::Uniform;
  for (Region &region : op->getRegions())
    visitBlock(region.front(), isControlled);
  for (OpResult result : op->getResults()) {
    State state;
    for (Value source : sourcesOf(result))
      state = join(state, of(source));
    // What a fold decides is a fold, of values that no item has a part in.
    of(result) = join(condition, state);
  }
}

void Checker::visitLoop(Operation *op, bool isControlled) {
  State control;
  for (Value value : controlsOf(op))
    control = join(control, of(value));
  SmallVector<State> carried;
  for (Value init : carriedOperands(op))
    carried.push_back(of(init));
  for (bool isDone = false; !isDone;) {
    for (Region &region : op->getRegions()) {
      Block &block = region.front();
      // An index is what the bounds are.
      for (BlockArgument argument : block.getArguments())
        of(argument) = control;
      for (auto [argument, state] :
           llvm::zip_equal(carriedArguments(region), carried))
        of(argument) = state;
      visitBlock(block, isControlled || control.kind != State::Uniform);
      if (auto condition = dyn_cast<ConditionOp>(block.getTerminator()))
        control = join(control, of(condition.getCondition()));
    }
    isDone = true;
    Operation *yield = op->getRegions().back().front().getTerminator();
    for (auto [i, state] : llvm::enumerate(carried)) {
      State next = join(state, of(yield->getOperand(i)));
      next = join(next, control);
      isDone &= next == state;
      state = next;
    }
  }
  for (auto [result, state] : llvm::zip_equal(op->getResults(), carried))
    of(result) = state;
}

void Checker::visit(Operation *op, bool isControlled) {
  if (auto branch = dyn_cast<IfOp>(op)) {
    visitIf(branch, isControlled);
  } else if (isa<ForOp, WhileOp>(op)) {
    visitLoop(op, isControlled);
  } else if (auto check = dyn_cast<AssertOp>(op)) {
    if ((isControlled || of(check.getCondition()).kind == State::Mixed) &&
        !culprit)
      culprit = op;
  } else if (isa<PrintOp>(op)) {
    culprit = culprit ? culprit : op;
  } else if (op->getNumRegions() != 0) {
    // What the region takes from outside is no operand of it.
    set(op, mixed);
    if (!isMemoryEffectFree(op) && !culprit)
      culprit = op;
  } else if (!op->hasTrait<OpTrait::IsTerminator>()) {
    set(op, isAboutArrays(op) ? transfer(op) : mixed);
  }
}

void Checker::visitBlock(Block &block, bool isControlled) {
  for (Operation &op : block)
    visit(&op, isControlled);
}

LogicalResult Checker::check(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("a function of one block is needed");
  auto types = llvm::concat<const Type>(function.getArgumentTypes(),
                                        function.getResultTypes());
  if (!llvm::all_of(types, llvm::IsaPred<RankedTensorType>))
    return function.emitError("has arguments or results that are no arrays");
  for (BlockArgument argument : function.getArguments()) {
    ArrayRef<int64_t> shape = shapeOf(argument);
    int64_t count = llvm::count_if(shape, [&](int64_t e) { return isOpen(e); });
    const int64_t *axis = llvm::find(shape, batch);
    if (count > 1 || (count == 1 && axis == shape.end()))
      return function.emitError("argument #")
             << argument.getArgNumber() << " has no single axis of the batch";
    if (count == 1)
      of(argument) = along(axis - shape.begin());
  }
  Block &block = function.getBody().front();
  visitBlock(block, false);
  if (culprit)
    return culprit->emitError("an effect that depends on the whole batch");
  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    State state = of(operand.get());
    ArrayRef<int64_t> shape = shapeOf(operand.get());
    int64_t count = llvm::count_if(shape, [&](int64_t e) { return isOpen(e); });
    const int64_t *axis = llvm::find(shape, batch);
    bool isItemwise =
        count == 1 && axis != shape.end() &&
        (state.kind == State::Uniform || state == along(axis - shape.begin()));
    if (isItemwise || (count == 0 && state.kind == State::Uniform))
      continue;
    Operation *source = operand.get().getDefiningOp();
    return emitError(source ? source->getLoc() : function.getLoc())
           << "result #" << operand.getOperandNumber()
           << " depends on more than its own item of the batch";
  }
  return success();
}

namespace {

struct CheckBatch : public ingot::impl::CheckBatchBase<CheckBatch> {
  using CheckBatchBase::CheckBatchBase;
  void runOnOperation() override {
    SmallVector<int64_t> all(open.begin(), open.end());
    all.push_back(batch);
    if (failed(Checker(batch, all).check(getOperation())))
      signalPassFailure();
  }
};

} // namespace
