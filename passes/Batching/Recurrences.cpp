//===- Recurrences.cpp - Linear recurrences in loops ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recurrences.h"
#include "Ingot/Recurrence.h"
#include "Regions.h"
#include "Simplify/Finite.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Finding recurrences
//===----------------------------------------------------------------------===//

/// The values of the body that depend on a carried value.
static DenseSet<Value> dependentsOf(BlockArgument carried) {
  DenseSet<Value> found{carried};
  for (Operation &op : *carried.getOwner()) {
    bool depends = false;
    op.walk([&](Operation *inner) {
      depends |= llvm::any_of(inner->getOperands(), [&](Value operand) {
        return found.contains(operand);
      });
    });
    if (depends)
      found.insert(op.result_begin(), op.result_end());
  }
  return found;
}

namespace {
/// How an operation may be linear in what it takes.
enum class Linear {
  Sum,
  Difference,
  Product,
  Quotient,
  Negation,
  Choice,
  Shape
};
} // namespace

static std::optional<Linear> linearOf(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Linear>>(op)
      .Case([](AddOp) { return Linear::Sum; })
      .Case([](SubOp) { return Linear::Difference; })
      // Where a product or quotient is NaN, the steps run as they are.
      .Case<MulOp, MulNoNanOp>([](auto) { return Linear::Product; })
      .Case<DivOp, DivNoNanOp>([](auto) { return Linear::Quotient; })
      .Case([](NegOp) { return Linear::Negation; })
      .Case([](SelectOp) { return Linear::Choice; })
      .Case([](ReshapeOp) { return Linear::Shape; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether a result is linear in those operands that depend on the value.
static bool isLinear(Operation *op, const DenseSet<Value> &dependent) {
  auto depends = [&](unsigned i) {
    return dependent.contains(op->getOperand(i));
  };
  auto kind = linearOf(op);
  if (kind == Linear::Product)
    return !depends(0) || !depends(1);
  if (kind == Linear::Quotient)
    return !depends(1) && isa<FloatType>(elementOf(op->getResult(0)));
  if (kind == Linear::Choice)
    return !depends(0);
  return kind.has_value();
}

std::optional<Recurrence> ingot::recurrenceOf(ForOp loop,
                                              BlockArgument carried) {
  Block &body = loop.getBody().front();
  Type element = elementOf(carried);
  if (!isa<FloatType, IntegerType>(element) || element.isInteger(1))
    return std::nullopt;
  Value next = body.getTerminator()->getOperand(carried.getArgNumber() - 1);
  DenseSet<Value> dependent = dependentsOf(carried);
  if (next == carried || !dependent.contains(next))
    return std::nullopt;
  llvm::SetVector<Value> values, others;
  values.insert(next);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (values[i] == carried)
      continue;
    Operation *op = values[i].getDefiningOp();
    if (!op || !isLinear(op, dependent) || elementOf(values[i]) != element)
      return std::nullopt;
    for (Value operand : op->getOperands())
      (dependent.contains(operand) ? values : others).insert(operand);
  }
  Recurrence found;
  found.others = others.takeVector();
  for (Operation &op : body.without_terminator())
    if (op.getNumResults() == 1 && values.contains(op.getResult(0)))
      found.path.push_back(&op);
  return found;
}

//===----------------------------------------------------------------------===//
// Factors and terms
//===----------------------------------------------------------------------===//

namespace {
/// Computes factors and terms of the values on the path. A factor of 1 and a
/// term of 0 are null.
class LinearForms {
public:
  LinearForms(OpBuilder &builder, BlockArgument carried)
      : builder(builder), carried(carried) {
    forms[carried] = {};
  }

  void add(Operation *op);
  FactorAndTerm formOf(Value value);

private:
  Value number(double x) {
    return numberOf(builder, location, x, carried.getType());
  }
  FactorAndTerm made(Operation *op);
  bool isOnPath(Value value) const { return forms.contains(value); }
  Value factor(Value value) {
    Value found = forms.lookup(value).factor;
    return found ? found : number(1);
  }
  template <typename Op> FactorAndTerm sum(Value lhs, Value rhs);
  template <typename Op> FactorAndTerm scaled(Value value, Value by);
  FactorAndTerm negated(Value value);
  FactorAndTerm selected(SelectOp op);
  FactorAndTerm reshaped(ReshapeOp op);
  Value shaped(Value value, Type type);

  OpBuilder &builder;
  BlockArgument carried;
  mlir::Location location = carried.getLoc();
  DenseMap<Value, FactorAndTerm> forms;
};
} // namespace

/// The form of a sum or a difference.
template <typename Op> FactorAndTerm LinearForms::sum(Value lhs, Value rhs) {
  auto combined = [&](Value x, Value y) -> Value {
    if (!y)
      return x;
    if (x)
      return Op::create(builder, location, x, y);
    return std::is_same_v<Op, SubOp>
               ? NegOp::create(builder, location, y).getResult()
               : y;
  };
  auto termOf = [&](Value value) {
    return isOnPath(value) ? forms[value].term : value;
  };
  Value term = combined(termOf(lhs), termOf(rhs));
  if (!isOnPath(rhs))
    return {forms[lhs].factor, term};
  Value before = isOnPath(lhs) ? factor(lhs) : Value();
  return {combined(before, factor(rhs)), term};
}

/// The form of a product or a quotient.
template <typename Op>
FactorAndTerm LinearForms::scaled(Value value, Value by) {
  Value term = forms[value].term;
  if (term)
    term = Op::create(builder, location, term, by);
  return {Op::create(builder, location, factor(value), by), term};
}

FactorAndTerm LinearForms::negated(Value value) {
  Value term = forms[value].term;
  if (term)
    term = NegOp::create(builder, location, term);
  return {NegOp::create(builder, location, factor(value)), term};
}

FactorAndTerm LinearForms::selected(SelectOp op) {
  Value condition = op->getOperand(0);
  auto partsOf = [&](Value value) -> FactorAndTerm {
    if (!isOnPath(value))
      return {number(0), value};
    Value term = forms[value].term;
    return {factor(value), term ? term : number(0)};
  };
  FactorAndTerm then = partsOf(op->getOperand(1)),
                otherwise = partsOf(op->getOperand(2));
  auto select = [&](Value x, Value y) -> Value {
    return SelectOp::create(builder, location, condition, x, y);
  };
  return {select(then.factor, otherwise.factor),
          select(then.term, otherwise.term)};
}

FactorAndTerm LinearForms::reshaped(ReshapeOp op) {
  auto reshape = [&](Value value) -> Value {
    if (!value || typeOf(value).getRank() == 0)
      return value;
    return ReshapeOp::create(builder, location, op.getType(),
                             shaped(value, op.getOperand().getType()));
  };
  FactorAndTerm form = forms[op.getOperand()];
  return {reshape(form.factor), reshape(form.term)};
}

Value LinearForms::shaped(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return BroadcastToOp::create(builder, location, type, value);
}

void LinearForms::add(Operation *op) {
  location = op->getLoc();
  forms[op->getResult(0)] = made(op);
}

FactorAndTerm LinearForms::made(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperands().back();
  switch (*linearOf(op)) {
  case Linear::Sum:
    return sum<AddOp>(lhs, rhs);
  case Linear::Difference:
    return sum<SubOp>(lhs, rhs);
  case Linear::Product:
    return isOnPath(lhs) ? scaled<MulOp>(lhs, rhs) : scaled<MulOp>(rhs, lhs);
  case Linear::Quotient:
    return scaled<DivOp>(lhs, rhs);
  case Linear::Negation:
    return negated(lhs);
  case Linear::Choice:
    return selected(cast<SelectOp>(op));
  case Linear::Shape:
    return reshaped(cast<ReshapeOp>(op));
  }
  llvm_unreachable("covered switch");
}

FactorAndTerm LinearForms::formOf(Value value) {
  Value term = forms[value].term;
  return {shaped(factor(value), carried.getType()),
          shaped(term ? term : number(0), carried.getType())};
}

FactorAndTerm ingot::makeFactorAndTerm(BlockArgument carried,
                                       const Recurrence &recurrence) {
  OpBuilder builder(recurrence.path.back());
  LinearForms forms(builder, carried);
  for (Operation *op : recurrence.path)
    forms.add(op);
  return forms.formOf(recurrence.path.back()->getResult(0));
}

//===----------------------------------------------------------------------===//
// Solving recurrences
//===----------------------------------------------------------------------===//

/// Whether the values are those of the steps, but for rounding: products of
/// factors neither overflow nor magnify what cancels afterwards.
static Value areSteps(Expr factors, Expr terms, Expr values) {
  auto all = [](Expr condition) -> Expr {
    auto axes =
        llvm::to_vector(llvm::seq<int64_t>(typeOf(condition.value).getRank()));
    return condition.make<ReduceOp>(ReduceKind::And, condition.value,
                                    ArrayRef<int64_t>(axes));
  };
  auto both = [](Expr a, Expr b) { return a.make<AndOp>(a.value, b.value); };
  auto either = [](Expr a, Expr b) { return a.make<OrOp>(a.value, b.value); };
  auto atLeast = [](Expr x, double bound) {
    return x.compare(Comparison::GE, x.number(bound));
  };
  auto atMost = [](Expr x, double bound) {
    return x.compare(Comparison::LE, x.number(bound));
  };
  Expr areFinite =
      values.with(allFinite(*values.builder, values.location, values.value));
  Expr shrink = all(both(atLeast(factors, -1), atMost(factors, 1)));
  // Nothing cancels.
  Expr grow = both(all(atLeast(factors, 0)),
                   either(all(atLeast(terms, 0)), all(atMost(terms, 0))));
  return both(areFinite, either(shrink, grow));
}

Value ingot::valuesOf(
    OpBuilder &builder, Value init, const FactorAndTerm &stacks,
    llvm::function_ref<Value(Value number, Value value)> step) {
  mlir::Location location = init.getLoc();
  int64_t count = shapeOf(stacks.factor)[0];
  // The initial value is the term of a step before the first one.
  auto preceded = [&](Value first, Value rest) -> Value {
    Value row =
        ReshapeOp::create(builder, location, stacked(init.getType(), 1), first);
    return ConcatenateOp::create(builder, location, ValueRange{row, rest}, 0);
  };
  Value zeros = zerosOf(builder, location, init.getType());
  Expr factors(builder, location, preceded(zeros, stacks.factor));
  Expr terms = factors.with(preceded(init, stacks.term));
  Expr values = factors.with(
      solveRecurrence({builder, location, 0}, factors, terms,
                      [](Expr value, Expr factor) { return value * factor; }));
  // Products and sums of integers are exact in any order.
  if (!isa<FloatType>(elementOf(init)))
    return values;

  auto branch =
      IfOp::create(builder, location, TypeRange(values.value.getType()),
                   areSteps(factors, terms, values));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&branch.getThenRegion());
  YieldOp::create(builder, location, ValueRange(values.value));
  builder.createBlock(&branch.getElseRegion());
  Value all = stackOf(builder, location, init.getType(), count + 1);
  all = writeAt(builder, all, integer(builder, location, 0), init);
  ForOp loop = beginFor(builder, location, integer(builder, location, count),
                        {init, all});
  Value number = loop.getBody().getArgument(0);
  Value next = step(number, loop.getBody().getArgument(1));
  Value position =
      AddOp::create(builder, location, number, integer(builder, location, 1));
  all = writeAt(builder, loop.getBody().getArgument(2), position, next);
  YieldOp::create(builder, location, ValueRange{next, all});
  builder.setInsertionPointAfter(loop);
  YieldOp::create(builder, location, ValueRange(loop.getResult(1)));
  return branch.getResult(0);
}
