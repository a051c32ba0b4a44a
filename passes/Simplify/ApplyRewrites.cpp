//===- ApplyRewrites.cpp - Rules that users write -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace ingot {
#define GEN_PASS_DEF_APPLYREWRITES
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// What makes a function a rule, and lists the conditions on its arguments.
static constexpr StringRef ruleName = "ingot.rewrite";

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {

/// A number or a type of elements, of the values that arguments stand for.
struct Term {
  std::optional<int64_t> number;
  Type type;
};

/// "ndim 0", "size 0", "shape 0 1", "dtype 0", "int 3", or "type f32".
FailureOr<Term> termOf(StringRef text, ArrayRef<Value> arguments,
                       MLIRContext *context) {
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  int64_t first = 0, second = 0;
  if (words.size() < 2)
    return failure();
  if (words[0] == "type")
    return Term{{}, parseType(words[1], context)};
  if (words[1].getAsInteger(10, first))
    return failure();
  if (words[0] == "int")
    return Term{first, {}};
  if (first < 0 || first >= static_cast<int64_t>(arguments.size()) ||
      !arguments[first])
    return failure();
  RankedTensorType type = typeOf(arguments[first]);
  if (words[0] == "ndim")
    return Term{type.getRank(), {}};
  if (words[0] == "size")
    return Term{type.getNumElements(), {}};
  if (words[0] == "dtype")
    return Term{{}, type.getElementType()};
  if (words[0] != "shape" || words.size() != 3 ||
      words[2].getAsInteger(10, second))
    return failure();
  second += second < 0 ? type.getRank() : 0;
  if (second < 0 || second >= type.getRank())
    return failure();
  return Term{type.getDimSize(second), {}};
}

/// Whether "left, relation, right" holds; what can't be asked does not.
bool holds(StringRef condition, ArrayRef<Value> arguments,
           MLIRContext *context) {
  SmallVector<StringRef> parts;
  condition.split(parts, ", ");
  if (parts.size() != 3)
    return false;
  auto left = termOf(parts[0], arguments, context),
       right = termOf(parts[2], arguments, context);
  if (failed(left) || failed(right))
    return false;
  StringRef how = parts[1];
  if (!left->number || !right->number)
    return (how == "eq" && left->type == right->type) ||
           (how == "ne" && left->type != right->type);
  int64_t a = *left->number, b = *right->number;
  return (how == "eq" && a == b) || (how == "ne" && a != b) ||
         (how == "lt" && a < b) || (how == "le" && a <= b) ||
         (how == "gt" && a > b) || (how == "ge" && a >= b);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// The number that a constant is all of.
std::optional<double> numberOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant
                      ? dyn_cast<DenseElementsAttr>(constant.getValueAttr())
                      : DenseElementsAttr();
  if (!elements || !elements.isSplat() ||
      !isa<FloatType>(elements.getElementType()))
    return {};
  return elements.getSplatValue<APFloat>().convertToDouble();
}

/// A function whose first result is replaced by its second.
class Rule : public RewritePattern {
public:
  explicit Rule(func::FuncOp function)
      : RewritePattern(rootOf(function)->getName().getStringRef(),
                       PatternBenefit(1), function.getContext()),
        function(function) {
    isOfAnyRank = true;
    function.walk([&](Operation *op) {
      if (!isa<func::FuncOp, func::ReturnOp, ConstantOp>(op))
        isOfAnyRank &= op->hasTrait<ElementwiseTrait>();
    });
    setDebugName(function.getSymName());
  }

  static Operation *rootOf(func::FuncOp function) {
    return function.getBody()
        .front()
        .getTerminator()
        ->getOperand(0)
        .getDefiningOp();
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Operation *end = function.getBody().front().getTerminator();
    if (!isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
      return failure();
    IRMapping found;
    if (!match(end->getOperand(0), op->getResult(0), found))
      return failure();
    SmallVector<Value> arguments;
    for (BlockArgument argument : function.getArguments())
      arguments.push_back(found.lookupOrNull(argument));
    if (auto conditions = function->getAttrOfType<ArrayAttr>(ruleName))
      for (auto each : conditions.getAsRange<StringAttr>())
        if (!holds(each.getValue(), arguments, getContext()))
          return failure();
    SmallVector<Operation *> made;
    Value value = build(end->getOperand(1), op, found, rewriter, made);
    if (value && value.getType() == op->getResult(0).getType()) {
      rewriter.replaceOp(op, value);
      return success();
    }
    for (Operation *each : llvm::reverse(made))
      rewriter.eraseOp(each);
    return failure();
  }

private:
  bool matchArgument(BlockArgument argument, Value actual) const {
    return isa<FloatType>(typeOf(actual).getElementType()) &&
           (isOfAnyRank ||
            typeOf(actual).getRank() == typeOf(argument).getRank());
  }

  bool match(Value pattern, Value actual, IRMapping &found) const {
    if (Value before = found.lookupOrNull(pattern))
      return before == actual;
    if (auto argument = dyn_cast<BlockArgument>(pattern)) {
      if (!matchArgument(argument, actual))
        return false;
      found.map(pattern, actual);
      return true;
    }
    if (std::optional<double> number = numberOf(pattern))
      return numberOf(actual) == number;
    Operation *mine = pattern.getDefiningOp(), *theirs = actual.getDefiningOp();
    bool isAlike = theirs && mine->getName() == theirs->getName() &&
                   mine->getAttrDictionary() == theirs->getAttrDictionary() &&
                   mine->getNumOperands() == theirs->getNumOperands() &&
                   cast<OpResult>(pattern).getResultNumber() ==
                       cast<OpResult>(actual).getResultNumber();
    if (!isAlike)
      return false;
    IRMapping saved = found;
    if (matchAll(mine->getOperands(), theirs->getOperands(), found)) {
      found.map(pattern, actual);
      return true;
    }
    if (!mine->hasTrait<OpTrait::IsCommutative>() ||
        mine->getNumOperands() != 2)
      return false;
    found = saved;
    SmallVector<Value> swapped(llvm::reverse(theirs->getOperands()));
    if (!matchAll(mine->getOperands(), swapped, found))
      return false;
    found.map(pattern, actual);
    return true;
  }

  bool matchAll(ValueRange patterns, ValueRange actuals,
                IRMapping &found) const {
    for (auto [pattern, actual] : llvm::zip_equal(patterns, actuals))
      if (!match(pattern, actual, found))
        return false;
    return true;
  }

  /// Null where the types do not fit.
  Value build(Value pattern, Operation *root, IRMapping &found,
              PatternRewriter &rewriter,
              SmallVectorImpl<Operation *> &made) const {
    if (Value before = found.lookupOrNull(pattern))
      return before;
    Operation *op = pattern.getDefiningOp();
    if (!op)
      return nullptr;
    mlir::Location location = root->getLoc();
    if (std::optional<double> number = numberOf(pattern)) {
      auto element =
          cast<FloatType>(getElementTypeOrSelf(root->getResult(0).getType()));
      auto type = RankedTensorType::get(typeOf(pattern).getShape(), element);
      auto value = DenseElementsAttr::get(
          type, Attribute(FloatAttr::get(element, *number)));
      made.push_back(ConstantOp::create(rewriter, location, type, value));
      found.map(pattern, made.back()->getResult(0));
      return made.back()->getResult(0);
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(build(operand, root, found, rewriter, made));
      if (!operands.back())
        return nullptr;
    }
    SmallVector<Type> types;
    if (failed(cast<InferTypeOpInterface>(op).inferReturnTypes(
            getContext(), std::nullopt, operands, op->getAttrDictionary(),
            op->getPropertiesStorage(), {}, types)))
      return nullptr;
    OperationState state(location, op->getName(), operands, types,
                         op->getAttrs());
    made.push_back(rewriter.create(state));
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), made.back()->getResults()))
      found.map(from, to);
    return found.lookup(pattern);
  }

  mutable func::FuncOp function;
  bool isOfAnyRank;
};

/// What a rule is made of follows from its operands: types, and nothing else.
LogicalResult verifyRule(func::FuncOp function) {
  if (function.isExternal() || function.getNumResults() != 2)
    return function.emitError("a rule gives two values");
  if (!Rule::rootOf(function))
    return function.emitError(
        "the first expression of a rule computes nothing");
  if (Rule::rootOf(function)->getNumResults() != 1)
    return function.emitError("the first expression of a rule is one of "
                              "several results of an operation");
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<ConstantOp>(op) && numberOf(op.getResult(0)))
      continue;
    if (!isa<InferTypeOpInterface>(op) || op.getNumRegions() != 0)
      return op.emitError()
             << "'" << op.getName() << "' can't be part of a rule";
  }
  // Each argument that is used is known once the first one has matched.
  llvm::SmallSetVector<Value, 8> known;
  known.insert(function.getBody().front().getTerminator()->getOperand(0));
  for (unsigned i = 0; i < known.size(); ++i)
    if (Operation *op = known[i].getDefiningOp())
      known.insert(op->operand_begin(), op->operand_end());
  for (BlockArgument argument : function.getArguments())
    if (!known.contains(argument))
      return function.emitError("the first expression of a rule does not use "
                                "all of its arguments");
  return success();
}

struct ApplyRewrites : public ingot::impl::ApplyRewritesBase<ApplyRewrites> {
  using ApplyRewritesBase::ApplyRewritesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OwningOpRef<ModuleOp> file;
    SmallVector<func::FuncOp> rules;
    auto collect = [&](ModuleOp from) {
      for (auto function : from.getOps<func::FuncOp>())
        if (function->hasAttr(ruleName))
          rules.push_back(function);
    };
    if (!rulesFile.empty()) {
      file = parseSourceFile<ModuleOp>(rulesFile, &getContext());
      if (!file)
        return signalPassFailure();
      collect(*file);
    }
    collect(module);
    RewritePatternSet patterns(&getContext());
    for (func::FuncOp rule : rules) {
      if (failed(verifyRule(rule)))
        return signalPassFailure();
      patterns.add(std::make_unique<Rule>(rule));
    }
    FrozenRewritePatternSet frozen(std::move(patterns));
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    // Rules may lead in circles; then it ends after some rounds.
    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr(ruleName))
        (void)applyPatternsGreedily(function, frozen, config);
    for (func::FuncOp rule : rules)
      if (rule->getParentOp() == module)
        rule.erase();
  }
};

} // namespace
