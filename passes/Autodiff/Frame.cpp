//===- Frame.cpp - Residuals: primal values in the backward code ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "Bytes.h"
#include "Erasure.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace ingot;

/// Erases dead operations, except placeholders and available primal values.
void Frame::eraseDead() {
  DenseSet<Operation *> live;
  for (auto [value, here] : available)
    live.insert(here.getDefiningOp());
  eraseDeadInside(*backward, [&](Operation *op) {
    return isa<UnrealizedConversionCastOp>(op) || live.contains(op);
  });
}

//===----------------------------------------------------------------------===//
// Placeholders
//===----------------------------------------------------------------------===//

bool Frame::isOutside(Value value) const {
  return !forward->getParent()->isAncestor(value.getParentRegion());
}

OpBuilder Frame::builderAfter(Operation *op) const {
  OpBuilder builder = OpBuilder::atBlockBegin(backward);
  if (op)
    builder.setInsertionPointAfter(op);
  return builder;
}

Operation *Frame::placeholderOf(Value value) {
  OpBuilder builder = builderAfter(prologue);
  return UnrealizedConversionCastOp::create(
      builder, value.getLoc(), TypeRange(value.getType()), ValueRange());
}

Value Frame::get(Value value) {
  if (!isDeferred())
    return value;
  if (isOutside(value) && !available.contains(value) && !start)
    return outer->get(value);
  Operation *&found = placeholders[value];
  if (!found)
    found = placeholderOf(value);
  return found->getResult(0);
}

void Frame::replaced(Operation *op, Operation *made) {
  for (auto [from, to] : llvm::zip(op->getResults(), made->getResults())) {
    auto here = available.find(from);
    if (here != available.end()) {
      Value value = here->second;
      available.erase(here);
      available[to] = value;
    }
    auto unresolved = placeholders.find(from);
    if (unresolved != placeholders.end()) {
      Operation *placeholder = unresolved->second;
      placeholders.erase(unresolved);
      placeholders[to] = placeholder;
    }
  }
}

//===----------------------------------------------------------------------===//
// Saving or recomputing
//===----------------------------------------------------------------------===//

/// Whether the results of an operation are always saved: to recompute them
/// would take more than a pass over their elements.
bool Frame::isSaved(Operation *op) const {
  if (start)
    return false;
  return op->getNumRegions() > 0 || op->hasTrait<CostlyTrait>() ||
         !isMemoryEffectFree(op);
}

/// The operands of an operation, and the values that its regions use from
/// outside.
static SetVector<Value> usesOf(Operation *op) {
  SetVector<Value> found(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), found);
  return found;
}

/// A value from outside for use in the backward block. Where nothing is saved,
/// a barrier hides which value it is: otherwise common-subexpression
/// elimination would replace the recomputation by the forward values.
Value Frame::bringIn(Value value) {
  OpBuilder builder = builderAfter(prologue);
  if (matchPattern(value, m_Constant()))
    return builder.clone(*value.getDefiningOp())->getResult(0);
  Value there = outer->get(value);
  if (!start)
    return there;
  Type types[] = {there.getType(), start.getType()};
  Value values[] = {there, start};
  return BarrierOp::create(builder, value.getLoc(), types, values)
      ->getResult(0);
}

bool Frame::isBefore(Value value, Operation *point) const {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != backward)
    return true;
  return op->isBeforeInBlock(point);
}

void ingot::eraseEffects(Operation *op) {
  SmallVector<Operation *> effects;
  op->walk([&](Operation *inner) {
    // Only a checkpoint recomputes the results of callbacks: it calls again.
    if (isa<AssertOp, PrintOp>(inner) && inner->use_empty())
      effects.push_back(inner);
  });
  for (Operation *effect : effects)
    effect->erase();
}

/// Finds the costs of a value and all values from which it is recomputed, each
/// once.
void Frame::estimate(Value root, Operation *point, Costs &costs) {
  constexpr double never = std::numeric_limits<double>::infinity();
  SmallVector<Value> stack{root};
  while (!stack.empty()) {
    Value value = stack.back();
    if (costs.contains(value)) {
      stack.pop_back();
      continue;
    }
    double bytes = bytesOf(value.getType());
    auto here = available.find(value);
    if (here != available.end() || isOutside(value)) {
      bool isThere = here == available.end() || isBefore(here->second, point);
      // A value that becomes available after `point` can still be saved.
      costs[value] = isThere ? Cost{0, false} : Cost{never, false};
      stack.pop_back();
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || isSaved(op)) {
      costs[value] = {bytes, true};
      stack.pop_back();
      continue;
    }
    size_t before = stack.size();
    double sum = 0;
    bool isOnlyUse = true;
    for (Value operand : usesOf(op)) {
      auto found = costs.find(operand);
      if (found == costs.end()) {
        stack.push_back(operand);
        continue;
      }
      sum += found->second.bytes;
      isOnlyUse &= found->second.bytes == 0 || operand.hasOneUse();
    }
    if (stack.size() != before)
      continue;
    // Of a residual and what is computed from nothing else, the latter is
    // saved: nothing else could be recomputed from the residual.
    bool isInstead = bytes == sum && isOnlyUse && sum > 0;
    costs[value] =
        bytes < sum || isInstead ? Cost{bytes, true} : Cost{sum, false};
    stack.pop_back();
  }
}

/// Makes a value available, and all values from which it is recomputed.
void Frame::recompute(Value root, const Costs &costs) {
  SmallVector<Value> stack{root};
  while (!stack.empty()) {
    Value value = stack.back();
    if (available.contains(value)) {
      stack.pop_back();
      continue;
    }
    if (isOutside(value)) {
      available[value] = bringIn(value);
      stack.pop_back();
      continue;
    }
    if (costs.at(value).isSaved) {
      Operation *placeholder = placeholderOf(value);
      residuals.push_back({value, placeholder});
      available[value] = placeholder->getResult(0);
      stack.pop_back();
      continue;
    }
    Operation *op = value.getDefiningOp();
    size_t before = stack.size();
    Operation *last = prologue;
    IRMapping mapping;
    for (Value operand : usesOf(op)) {
      Value here = available.lookup(operand);
      if (!here) {
        stack.push_back(operand);
        continue;
      }
      mapping.map(operand, here);
      Operation *def = here.getDefiningOp();
      bool isLater = def && def->getBlock() == backward &&
                     (!last || last->isBeforeInBlock(def));
      last = isLater ? def : last;
    }
    if (stack.size() != before)
      continue;
    OpBuilder builder = builderAfter(last);
    Operation *made = builder.clone(*op, mapping);
    eraseEffects(made);
    for (auto [from, to] : llvm::zip(op->getResults(), made->getResults()))
      available[from] = to;
    stack.pop_back();
  }
}

static Operation *firstUse(Value value, Block *block) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (here && (!first || here->isBeforeInBlock(first)))
      first = here;
  }
  return first;
}

SmallVector<Frame::Residual> Frame::resolve() {
  eraseDead();
  SmallVector<std::pair<Value, Operation *>> needed;
  for (auto [value, placeholder] : placeholders.takeVector())
    if (placeholder->use_empty())
      placeholder->erase();
    else
      needed.push_back({value, placeholder});
  // Small values first: if a slice of an array is all that the adjoints need,
  // the array must not already be saved when the slice's cost is estimated.
  // Values of one size in program order, so that a residual comes before the
  // values that are recomputed from it.
  llvm::stable_sort(needed, [&](auto &a, auto &b) {
    double left = bytesOf(a.first.getType()),
           right = bytesOf(b.first.getType());
    if (left != right)
      return left < right;
    Operation *lhs = a.first.getDefiningOp(), *rhs = b.first.getDefiningOp();
    if (!lhs || !rhs)
      return !lhs && rhs;
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  });
  for (auto [value, placeholder] : needed) {
    Value unresolved = placeholder->getResult(0);
    Costs costs;
    Operation *point = firstUse(unresolved, backward);
    estimate(value, point, costs);
    Value here = available.lookup(value);
    // The backward code restores the array too late for this use: save it.
    if (here && !isBefore(here, point)) {
      residuals.push_back({value, placeholder});
      continue;
    }
    recompute(value, costs);
    unresolved.replaceAllUsesWith(available.lookup(value));
    placeholder->erase();
  }
  return std::move(residuals);
}
