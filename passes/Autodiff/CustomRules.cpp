//===- CustomRules.cpp - Code in place of users' rules --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace ingot;

LogicalResult ingot::checkCaptures(CustomDerivativeOp op,
                                   const Activity &activity) {
  if (activeCaptures(op, activity).empty())
    return success();
  return op.emitError("a function with a rule of its own uses a value that is "
                      "differentiated; pass it as an argument");
}

/// Maps values of the body to equal ones of the rule: most rules first call the
/// function itself.
static IRMapping equalValues(CustomDerivativeOp op) {
  Block &body = op.getBody().front(), &rule = op.getRule().front();
  IRMapping inRule;
  inRule.map(body.getArguments(),
             rule.getArguments().take_front(body.getNumArguments()));
  auto hashOf = [&](Operation &each) {
    return OperationEquivalence::computeHash(
        &each, [&](Value v) { return hash_value(inRule.lookupOrDefault(v)); },
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  };
  auto areEqual = [&](Operation *ofBody, Operation *ofRule) {
    return OperationEquivalence::isEquivalentTo(
        ofBody, ofRule,
        [&](Value a, Value b) {
          return success(inRule.lookupOrDefault(a) == b);
        },
        /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
  };
  DenseMap<size_t, SmallVector<Operation *, 1>> found;
  for (Operation &each : rule.without_terminator())
    if (isMemoryEffectFree(&each))
      found[hashOf(each)].push_back(&each);
  for (Operation &each : body.without_terminator())
    for (Operation *there : found.lookup(hashOf(each)))
      if (areEqual(&each, there))
        inRule.map(each.getResults(), there->getResults());
  return inRule;
}

/// Whether a value takes more than passes over the elements of arrays.
static bool isCostly(Value value) {
  SmallVector<Value> stack{value};
  llvm::DenseSet<Operation *> seen;
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != value.getParentBlock() ||
        !seen.insert(op).second)
      continue;
    if (op->hasTrait<CostlyTrait>() || op->getNumRegions() > 0)
      return true;
    llvm::append_range(stack, op->getOperands());
  }
  return false;
}

SmallVector<Value> ingot::inlineRule(OpBuilder &builder, CustomDerivativeOp op,
                                     ValueRange arguments, IRMapping mapping,
                                     llvm::function_ref<Value(Value)> here) {
  Block &rule = op.getRule().front();
  mapping.map(rule.getArguments(), arguments);
  for (Operation &each : rule.without_terminator())
    builder.clone(each, mapping);
  SmallVector<Value> found;
  for (Value value : rule.getTerminator()->getOperands())
    found.push_back(mapping.lookupOrDefault(value));

  IRMapping equal = equalValues(op);
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(),
                       op.getBody().front().getTerminator()->getOperands()))
    if (Value there = equal.lookupOrNull(value); there && isCostly(there))
      mapping.lookup(there).replaceAllUsesWith(here(result));
  return found;
}
