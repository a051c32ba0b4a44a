//===- CheckBatch.cpp - Check that batch items are independent ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include "llvm/ADT/STLExtras.h"

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
    /// On no item. If the value has a batch axis, it is constant along it.
    Uniform,
    /// Element `i` along `axis` depends on item `i` only.
    Along,
    /// On all items, but repeating an item changes nothing.
    Folded,
    /// On several items, on their number or on their positions.
    Mixed
  };
  Kind kind = Uniform;
  int64_t axis = 0;

  bool operator==(const State &other) const {
    return kind == other.kind && (kind != Along || axis == other.axis);
  }
};

State along(int64_t axis) { return {State::Along, axis}; }
const State mixed{State::Mixed};

/// The state of a value that is either of two values or computed from both.
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
  /// The state that the type of an argument or result asks for: `Along` its
  /// batch axis, or `Uniform` if it has none.
  State itemwise(Value value);
  void set(Operation *op, State state);
  void visitBlock(Block &block, bool isControlled);
  /// Also records the first effect that depends on the whole batch.
  void visit(Operation *op, bool isControlled);
  void transfer(Operation *op);
  /// The state of the results of an operation without an axis rule, which may
  /// combine elements along every axis.
  State withoutRule(Operation *op);
  /// The state that a result has because of one operand. `from` and `to` are
  /// the axis numbers of the operand and the result.
  State follow(Value operand, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
               bool isIdempotent);
  void visitIf(IfOp op, bool isControlled);
  void visitLoop(Operation *op, bool isControlled);

  int64_t batch;
  ArrayRef<int64_t> open;
  DenseMap<Value, State> states;
  Operation *culprit = nullptr;
};

} // namespace

State Checker::itemwise(Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  if (!hasOpen(value))
    return {};
  bool isOne = llvm::count_if(shape, [&](int64_t e) { return isOpen(e); }) == 1;
  const int64_t *axis = llvm::find(shape, batch);
  return isOne && axis != shape.end() ? along(axis - shape.begin()) : mixed;
}

void Checker::set(Operation *op, State state) {
  for (Value result : op->getResults())
    of(result) = state;
}

State Checker::withoutRule(Operation *op) {
  if (auto size = dyn_cast<SizeOp>(op))
    return isOpen(size.getValue()) ? mixed : State{};
  if (auto iota = dyn_cast<IotaOp>(op))
    return isOpen(iota.getType().getDimSize(iota.getAxis())) ? mixed : State{};
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    bool repeats = isa<SplatElementsAttr>(constant.getValue());
    return !repeats && hasOpen(constant) ? mixed : State{};
  }
  State state;
  for (Value operand : op->getOperands())
    state = hasOpen(operand) ? mixed : join(state, of(operand));
  return state;
}

State Checker::follow(Value operand, ArrayRef<int64_t> from,
                      ArrayRef<int64_t> to, bool isIdempotent) {
  State state = of(operand), next = state;
  for (auto [i, extent] : llvm::enumerate(shapeOf(operand))) {
    if (!isOpen(extent))
      continue;
    const int64_t *found = llvm::find(to, from[i]);
    bool isKept = found != to.end();
    if (from[i] == AxisRule::whole || !(isKept || isIdempotent))
      return mixed;
    if (state == along(i))
      next = isKept ? along(found - to.begin()) : State{State::Folded};
  }
  return next;
}

void Checker::transfer(Operation *op) {
  auto batchable = dyn_cast<BatchableOpInterface>(op);
  if (!batchable)
    return set(op, withoutRule(op));
  AxisRule rule = batchable.getAxisRule();
  for (auto [result, to] : llvm::zip_equal(op->getResults(), rule.results)) {
    State state;
    for (auto [operand, from] :
         llvm::zip_equal(op->getOperands(), rule.operands))
      state = join(state, follow(operand, from, to, rule.isIdempotent));
    of(result) = state;
  }
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
    // A folded condition makes the result folded if both values are uniform.
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
      // The induction variable has the state of the bounds.
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
    // Its region may use values from outside, which are not operands.
    set(op, mixed);
    if (!isMemoryEffectFree(op) && !culprit)
      culprit = op;
  } else if (op->hasTrait<OpTrait::IsTerminator>()) {
    return;
  } else if (isAboutArrays(op)) {
    transfer(op);
  } else {
    set(op, mixed);
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
    of(argument) = itemwise(argument);
    if (of(argument) == mixed)
      return function.emitError("argument #")
             << argument.getArgNumber() << " has no single axis of the batch";
  }
  Block &block = function.getBody().front();
  visitBlock(block, false);
  if (culprit)
    return culprit->emitError("an effect that depends on the whole batch");
  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    State state = of(operand.get()), wanted = itemwise(operand.get());
    bool isItemwise = state.kind == State::Uniform || state == wanted;
    if (isItemwise && !(wanted == mixed))
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
