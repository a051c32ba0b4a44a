//===- HoistChecks.cpp - Hoist run-time checks out of loops ---------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/ADT/DenseSet.h"

namespace ingot {
#define GEN_PASS_DEF_HOISTCHECKS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Derives conditions before a loop from conditions of its body.
class Hoister {
public:
  explicit Hoister(ForOp loop)
      : loop(loop), index(loop->getRegion(0).getArgument(0)), builder(loop) {}

  /// A condition before the loop that implies `condition` in every iteration,
  /// or null.
  Value imply(Value condition);
  /// Whether the trip count is 0.
  Value isEmpty();

private:
  /// 1, -1, or 0 for any other step.
  int64_t step();
  Value bound(Value value, bool isMost);
  Value number(int64_t value) { return integer(builder, loop.getLoc(), value); }

  ForOp loop;
  Value index;
  OpBuilder builder;
  DenseMap<Value, Value> implied;
};

} // namespace

int64_t Hoister::step() {
  int64_t value = integerOf(loop.getStep()).value_or(0);
  return value == 1 || value == -1 ? value : 0;
}

/// The greatest (or least) value of an integer over all iterations, or null.
Value Hoister::bound(Value value, bool isMost) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Location location = loop.getLoc();
  if (value == index) {
    int64_t by = step();
    if (by == 0)
      return {};
    if (isMost == (by < 0))
      return loop.getLower();
    return SubOp::create(builder, location, loop.getUpper(), number(by));
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<ConstantOp>(op))
    return builder.clone(*op)->getResult(0);
  if (!isa_and_nonnull<AddOp, SubOp>(op))
    return {};
  Value lhs = bound(op->getOperand(0), isMost);
  Value rhs = bound(op->getOperand(1), isMost != isa<SubOp>(op));
  if (!lhs || !rhs)
    return {};
  if (isa<AddOp>(op))
    return AddOp::create(builder, location, lhs, rhs);
  return SubOp::create(builder, location, lhs, rhs);
}

Value Hoister::isEmpty() {
  Location location = loop.getLoc();
  auto compare = [&](Comparison how, Value lhs, Value rhs) -> Value {
    return CompareOp::create(builder, location, how, lhs, rhs);
  };
  if (step() != 0)
    return compare(step() > 0 ? Comparison::GE : Comparison::LE,
                   loop.getLower(), loop.getUpper());
  Value isUp = compare(Comparison::GT, loop.getStep(), number(0));
  return SelectOp::create(
      builder, location, isUp,
      compare(Comparison::GE, loop.getLower(), loop.getUpper()),
      compare(Comparison::LE, loop.getLower(), loop.getUpper()));
}

Value Hoister::imply(Value condition) {
  if (loop.isDefinedOutsideOfLoop(condition))
    return condition;
  if (Value known = implied.lookup(condition))
    return known;
  Operation *op = condition.getDefiningOp();
  Value result;
  if (isa_and_nonnull<AndOp, OrOp>(op)) {
    Value lhs = imply(op->getOperand(0)), rhs = imply(op->getOperand(1));
    if (!lhs || !rhs)
      return {};
    result = isa<AndOp>(op)
                 ? Value(AndOp::create(builder, loop.getLoc(), lhs, rhs))
                 : Value(OrOp::create(builder, loop.getLoc(), lhs, rhs));
  } else if (auto compare = dyn_cast_or_null<CompareOp>(op)) {
    Comparison how = compare.getComparison();
    bool isUpper = how == Comparison::LE || how == Comparison::LT;
    bool isScalar = typeOf(compare).getRank() == 0;
    if (!isScalar || how == Comparison::EQ || how == Comparison::NE)
      return {};
    Value lhs = bound(compare.getLhs(), isUpper);
    Value rhs = bound(compare.getRhs(), !isUpper);
    if (!lhs || !rhs)
      return {};
    result = CompareOp::create(builder, loop.getLoc(), how, lhs, rhs);
  }
  if (result)
    implied[condition] = result;
  return result;
}

/// Moves checks from the loop's body before the loop. A loop of trip count 0
/// checks nothing.
static void hoist(ForOp loop) {
  Hoister hoister(loop);
  OpBuilder builder(loop);
  Value isEmpty;
  SmallVector<AssertOp> checks;
  for (Operation &op : loop->getRegion(0).front())
    if (auto check = dyn_cast<AssertOp>(op))
      checks.push_back(check);
  for (AssertOp check : checks) {
    Value condition = hoister.imply(check.getCondition());
    if (!condition)
      continue;
    if (!isEmpty)
      isEmpty = hoister.isEmpty();
    Value holds = OrOp::create(builder, check.getLoc(), isEmpty, condition);
    auto hoisted = AssertOp::create(builder, check.getLoc(), holds,
                                    check.getException(), check.getMessage());
    hoisted->setDiscardableAttrs(check->getDiscardableAttrDictionary());
    check.erase();
  }
}

/// Pattern: assert(c), where c was asserted before -> nothing
static void dropRepeated(Block &block, DenseSet<Value> known) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto check = dyn_cast<AssertOp>(op)) {
      if (!known.insert(check.getCondition()).second)
        check.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        dropRepeated(inner, known);
  }
}

namespace {
struct HoistChecks : public ingot::impl::HoistChecksBase<HoistChecks> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      dropRepeated(block, {});
    // Inner loops first: their checks may leave the outer loops, too.
    getOperation().walk([](ForOp loop) { hoist(loop); });
    for (Block &block : getOperation().getBody())
      dropRepeated(block, {});
  }
};
} // namespace
