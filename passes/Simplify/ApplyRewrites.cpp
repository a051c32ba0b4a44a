//===- ApplyRewrites.cpp - Apply users' rewrite rules ---------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"
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

/// The attribute that makes a function a rule. It lists the conditions on the
/// arguments.
static constexpr StringRef ruleName = "ingot.rewrite";

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {

/// A side of a condition: a number or an element type.
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

/// Whether "left, relation, right" holds. A condition without meaning for the
/// arguments, as the size of a missing axis, does not hold.
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

/// Rounds a number to a type.
APFloat rounded(APFloat number, FloatType element) {
  bool isInexact;
  number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &isInexact);
  return number;
}

/// "rewrite.NAME.RANKS" is an instance of the rule that the user calls NAME.
StringRef nameOf(func::FuncOp rule) {
  StringRef name = rule.getSymName();
  return name.consume_front("rewrite.") ? name.split('.').first : name;
}

/// The number of times that rules may still apply to a function. Whether
/// rewriting terminates is undecidable, so there is a limit.
class Budget {
public:
  static constexpr int64_t least = 10000, perOp = 10, mostNamed = 256;

  explicit Budget(func::FuncOp function) {
    function.walk([&](Operation *) { left += perOp; });
  }

  bool isSpent() const { return left <= 0; }
  void spend(func::FuncOp rule, mlir::Location location) {
    if (--left < mostNamed)
      last.insert(nameOf(rule));
    where = location;
  }
  /// Reports the names of the rules that applied last, at the last location.
  void report() const {
    auto names = llvm::map_range(
        last, [](StringRef name) { return ("`" + name + "`").str(); });
    InFlightDiagnostic error =
        emitError(*where) << (last.size() == 1 ? "the rewrite rule "
                                               : "the rewrite rules ")
                          << llvm::join(names, ", ")
                          << (last.size() == 1
                                  ? " applies to what it makes without end"
                                  : " apply to what they make without end");
    error.attachNote() << "take one of these rules back by its remove(), or "
                          "give it a condition by when=";
  }

private:
  int64_t left = least;
  llvm::SmallSetVector<StringRef, 4> last;
  std::optional<mlir::Location> where;
};

/// Whether all operations of a rule are elementwise.
bool isElementwise(func::FuncOp function) {
  return llvm::all_of(function.getBody().front().without_terminator(),
                      [](Operation &op) {
                        return isa<ConstantOp, BroadcastToOp>(op) ||
                               op.hasTrait<ElementwiseTrait>();
                      });
}

/// The pattern of a rule: replaces its first result by its second.
class Rule : public RewritePattern {
public:
  Rule(func::FuncOp function, Budget *&budget)
      : RewritePattern(rootOf(function)->getName().getStringRef(),
                       PatternBenefit(1), function.getContext()),
        function(function), budget(budget),
        isOfAnyRank(isElementwise(function)) {
    setDebugName(function.getSymName());
  }

  static Operation *rootOf(func::FuncOp function) {
    Operation *end = function.getBody().front().getTerminator();
    Operation *root = end->getOperand(0).getDefiningOp();
    while (auto repeated = dyn_cast_or_null<BroadcastToOp>(root))
      root = repeated.getOperand().getDefiningOp();
    return root;
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Operation *end = function.getBody().front().getTerminator();
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (budget->isSpent() || !type || !isa<FloatType>(type.getElementType()))
      return failure();
    IRMapping found;
    if (!match(end->getOperand(0), op->getResult(0), type.getElementType(),
               found))
      return failure();
    // The replacement must not use the operation that it replaces.
    found.erase(rootOf(function)->getResult(0));
    SmallVector<Value> arguments;
    for (BlockArgument argument : function.getArguments())
      arguments.push_back(found.lookupOrNull(argument));
    if (auto conditions = function->getAttrOfType<ArrayAttr>(ruleName))
      for (auto each : conditions.getAsRange<StringAttr>())
        if (!holds(each.getValue(), arguments, getContext()))
          return failure();
    SmallVector<Operation *> made;
    Value value = build(end->getOperand(1), op, found, rewriter, made);
    if (value && value.getType() != type && isOfAnyRank)
      value = broadcast(value, op, rewriter, made);
    if (value && value.getType() == type) {
      budget->spend(function, op->getLoc());
      rewriter.replaceOp(op, value);
      return success();
    }
    for (Operation *each : llvm::reverse(made))
      rewriter.eraseOp(each);
    return failure();
  }

private:
  /// All values of a rule have the same element type, and so have those that it
  /// matches.
  bool matchType(Value pattern, Value actual, Type element) const {
    auto type = dyn_cast<RankedTensorType>(actual.getType());
    return type && type.getElementType() == element &&
           (isOfAnyRank || type.getRank() == typeOf(pattern).getRank());
  }

  bool match(Value pattern, Value actual, Type element,
             IRMapping &found) const {
    if (Value before = found.lookupOrNull(pattern))
      return before == actual;
    if (isa<BlockArgument>(pattern)) {
      if (!matchType(pattern, actual, element))
        return false;
      found.map(pattern, actual);
      return true;
    }
    // Elementwise rules match element by element, so broadcasts can be ignored.
    if (auto repeated = pattern.getDefiningOp<BroadcastToOp>())
      return match(repeated.getOperand(), actual, element, found);
    if (auto repeated = actual.getDefiningOp<BroadcastToOp>();
        repeated && isOfAnyRank)
      return match(pattern, repeated.getOperand(), element, found);
    if (std::optional<APFloat> number = floatOf(pattern)) {
      std::optional<APFloat> other = floatOf(actual);
      return other && matchType(pattern, actual, element) &&
             other->bitwiseIsEqual(rounded(*number, cast<FloatType>(element)));
    }
    Operation *mine = pattern.getDefiningOp(), *theirs = actual.getDefiningOp();
    bool isAlike = theirs && mine->getName() == theirs->getName() &&
                   mine->getAttrDictionary() == theirs->getAttrDictionary() &&
                   mine->getNumOperands() == theirs->getNumOperands() &&
                   cast<OpResult>(pattern).getResultNumber() ==
                       cast<OpResult>(actual).getResultNumber();
    if (!isAlike)
      return false;
    IRMapping saved = found;
    if (matchAll(mine->getOperands(), theirs->getOperands(), element, found)) {
      found.map(pattern, actual);
      return true;
    }
    if (!mine->hasTrait<OpTrait::IsCommutative>() ||
        mine->getNumOperands() != 2)
      return false;
    found = saved;
    SmallVector<Value> swapped(llvm::reverse(theirs->getOperands()));
    if (!matchAll(mine->getOperands(), swapped, element, found))
      return false;
    found.map(pattern, actual);
    return true;
  }

  bool matchAll(ValueRange patterns, ValueRange actuals, Type element,
                IRMapping &found) const {
    for (auto [pattern, actual] : llvm::zip_equal(patterns, actuals))
      if (!match(pattern, actual, element, found))
        return false;
    return true;
  }

  /// Builds the replacement. Returns null if the types do not fit.
  Value build(Value pattern, Operation *root, IRMapping &found,
              PatternRewriter &rewriter,
              SmallVectorImpl<Operation *> &made) const {
    if (Value before = found.lookupOrNull(pattern))
      return before;
    Operation *op = pattern.getDefiningOp();
    if (!op)
      return nullptr;
    if (auto repeated = dyn_cast<BroadcastToOp>(op))
      return build(repeated.getOperand(), root, found, rewriter, made);
    mlir::Location location = root->getLoc();
    if (std::optional<APFloat> number = floatOf(pattern)) {
      auto element = cast<FloatType>(elementOf(root->getResult(0)));
      auto value = FloatAttr::get(element, rounded(*number, element));
      made.push_back(constantOf(rewriter, location, value).getDefiningOp());
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

  /// Broadcasts a value to the shape of the matched expression. Returns null if
  /// the shapes do not fit.
  Value broadcast(Value value, Operation *root, PatternRewriter &rewriter,
                  SmallVectorImpl<Operation *> &made) const {
    RankedTensorType from = typeOf(value), to = typeOf(root->getResult(0));
    auto shape = broadcastShapes({from.getShape(), to.getShape()});
    if (!shape || ArrayRef<int64_t>(*shape) != to.getShape() ||
        from.getElementType() != to.getElementType())
      return nullptr;
    made.push_back(BroadcastToOp::create(rewriter, root->getLoc(), to, value));
    return made.back()->getResult(0);
  }

  mutable func::FuncOp function;
  Budget *&budget;
  bool isOfAnyRank;
};

/// Verifies that a rule consists of operations whose result types follow from
/// their operands.
LogicalResult verifyRule(func::FuncOp function) {
  if (function.isExternal() || function.getNumResults() != 2)
    return function.emitError("a rule gives two values");
  if (!function.getBody().hasOneBlock())
    return function.emitError("a rule has no branches");
  auto conditions = dyn_cast<ArrayAttr>(function->getAttr(ruleName));
  if (!conditions || !llvm::all_of(conditions, llvm::IsaPred<StringAttr>))
    return function.emitError("the conditions of a rule are strings");
  auto isTensor = llvm::IsaPred<RankedTensorType>;
  if (!llvm::all_of(function.getArgumentTypes(), isTensor) ||
      !llvm::all_of(function.getResultTypes(), isTensor))
    return function.emitError("a rule is about arrays");
  if (!Rule::rootOf(function))
    return function.emitError(
        "the first expression of a rule computes nothing");
  if (Rule::rootOf(function)->getNumResults() != 1)
    return function.emitError("the first expression of a rule is one of "
                              "several results of an operation");
  bool isOfAnyRank = isElementwise(function);
  for (Operation &op : function.getBody().front().without_terminator()) {
    bool isNumber = isa<ConstantOp>(op) && floatOf(op.getResult(0)) &&
                    (isOfAnyRank || typeOf(op.getResult(0)).getRank() == 0);
    if (isNumber || (isa<BroadcastToOp>(op) && isOfAnyRank))
      continue;
    if (!isa<InferTypeOpInterface>(op) || isa<ConstantOp>(op) ||
        op.getNumRegions() != 0)
      return op.emitError()
             << "'" << op.getName() << "' can't be part of a rule";
  }
  // Matching the first expression must bind all arguments that are used.
  llvm::SmallSetVector<Value, 8> known;
  known.insert(function.getBody().front().getTerminator()->getOperand(0));
  for (unsigned i = 0; i < known.size(); ++i)
    if (Operation *op = known[i].getDefiningOp())
      known.insert(op->operand_begin(), op->operand_end());
  for (BlockArgument argument : function.getArguments())
    if (!known.contains(argument))
      return function.emitError("the first expression of a rule does not use "
                                "all of its arguments");
  Operation *end = function.getBody().front().getTerminator();
  if (end->getOperand(0) == end->getOperand(1))
    return function.emitError("both expressions of a rule are the same");
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
    Budget *budget = nullptr;
    for (func::FuncOp rule : rules) {
      if (failed(verifyRule(rule)))
        return signalPassFailure();
      patterns.add(std::make_unique<Rule>(rule, budget));
    }
    FrozenRewritePatternSet frozen(std::move(patterns));
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function->hasAttr(ruleName))
        continue;
      Budget whole(function);
      budget = &whole;
      // If the driver runs out of iterations, the code is correct as it is.
      (void)applyPatternsGreedily(function, frozen, config);
      if (!whole.isSpent())
        continue;
      whole.report();
      return signalPassFailure();
    }
    for (func::FuncOp rule : rules)
      if (rule->getParentOp() == module)
        rule.erase();
  }
};

} // namespace
