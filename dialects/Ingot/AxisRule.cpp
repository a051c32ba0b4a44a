//===- AxisRule.cpp - How the axes of an operation correspond -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/AxisRule.h"
#include "Ingot/Values.h"

using namespace mlir;
using namespace ingot;

/// The rule that numbers the axes of each operand and result by `numbersOf`.
static AxisRule eachBy(Operation *op,
                       llvm::function_ref<AxisRule::Axes(Value)> numbersOf) {
  AxisRule rule;
  for (Value operand : op->getOperands())
    rule.operands.push_back(numbersOf(operand));
  for (Value result : op->getResults())
    rule.results.push_back(numbersOf(result));
  return rule;
}

static AxisRule::Axes numbersFrom(int64_t first, Value value) {
  return llvm::to_vector(llvm::seq(first, first + typeOf(value).getRank()));
}

/// The rule that numbers axes by their positions; those for which `isWhole`
/// holds are `whole`.
static AxisRule eachAxisBut(Operation *op,
                            llvm::function_ref<bool(int64_t)> isWhole) {
  return eachBy(op, [&](Value value) {
    AxisRule::Axes numbers = numbersFrom(0, value);
    for (int64_t &number : numbers)
      number = isWhole(number) ? AxisRule::whole : number;
    return numbers;
  });
}

AxisRule ingot::broadcastAxes(Operation *op) {
  int64_t rank = typeOf(op->getResult(0)).getRank();
  return eachBy(op, [&](Value value) {
    return numbersFrom(rank - typeOf(value).getRank(), value);
  });
}

AxisRule ingot::axesButLast(Operation *op, int64_t count) {
  int64_t first = typeOf(op->getOperand(0)).getRank() - count;
  return eachAxisBut(op, [&](int64_t axis) { return axis >= first; });
}

AxisRule ingot::axesBut(Operation *op, ArrayRef<int64_t> axes) {
  return eachAxisBut(
      op, [&](int64_t axis) { return llvm::is_contained(axes, axis); });
}

AxisRule ingot::axesWithout(Operation *op, ArrayRef<int64_t> axes) {
  AxisRule rule = axesBut(op, {});
  AxisRule::Axes kept = rule.operands[0];
  llvm::erase_if(kept,
                 [&](int64_t axis) { return llvm::is_contained(axes, axis); });
  llvm::fill(rule.results, kept);
  return rule;
}

AxisRule ingot::equalAxes(Operation *op) {
  SmallVector<Value> arrays(op->getOperands());
  llvm::append_range(arrays, op->getResults());
  llvm::erase_if(arrays, [](Value v) { return typeOf(v).getRank() == 0; });
  return eachAxisBut(op, [&](int64_t axis) {
    return !llvm::all_equal(llvm::map_range(
        arrays, [&](Value v) { return typeOf(v).getDimSize(axis); }));
  });
}

AxisRule ingot::pairedAxes(Operation *op) {
  AxisRule rule;
  int64_t count = 0;
  for (Value operand : op->getOperands()) {
    rule.operands.push_back(numbersFrom(count, operand));
    count += typeOf(operand).getRank();
  }
  rule.results = rule.operands;
  return rule;
}

void ingot::shiftAxes(NamedAttrList &attributes) {
  if (auto axis = dyn_cast_or_null<IntegerAttr>(attributes.get("axis")))
    attributes.set("axis", IntegerAttr::get(axis.getType(), axis.getInt() + 1));
  if (auto axes = dyn_cast_or_null<DenseI64ArrayAttr>(attributes.get("axes"))) {
    SmallVector<int64_t> shifted(axes.asArrayRef());
    for (int64_t &axis : shifted)
      ++axis;
    attributes.set("axes", DenseI64ArrayAttr::get(axes.getContext(), shifted));
  }
}
