//===- ControlFlow.cpp - Syntax and flow of if, for, while ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

/// Parses carried values, `(%a = %x, ...) : type, ...`.
static ParseResult
parseCarried(OpAsmParser &parser, OperationState &state,
             SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> types;
  auto parseOne = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  if (!inits.empty() && (parser.parseColon() || parser.parseTypeList(types)))
    return failure();
  if (types.size() != inits.size())
    return parser.emitError(parser.getCurrentLocation(), "expected ")
           << inits.size() << " types";
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  state.addTypes(types);
  return parser.resolveOperands(inits, types, parser.getCurrentLocation(),
                                state.operands);
}

static void printCarried(OpAsmPrinter &printer, ArrayRef<BlockArgument> args,
                         ValueRange inits) {
  printer << " (";
  llvm::interleaveComma(llvm::zip_equal(args, inits), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair);
  });
  printer << ")";
  if (!inits.empty())
    printer << " : " << inits.getTypes();
}

static LogicalResult checkTypes(Operation *op, StringRef what, TypeRange types,
                                TypeRange expected) {
  if (types == expected)
    return success();
  return op->emitOpError() << what << " have types (" << types
                           << ") and not the carried values' (" << expected
                           << ")";
}

/// ODS can't say that a region ends with `yield`: a terminator of another
/// dialect would verify.
static LogicalResult checkYield(Operation *op, Operation *terminator) {
  if (isa<YieldOp>(terminator))
    return success();
  return op->emitOpError("a region does not end in ingot.yield");
}

/// Verifies C1 of `for` and `while`.
static LogicalResult verifyLoop(Operation *op, ValueRange inits,
                                TypeRange arguments, Operation *yield) {
  TypeRange types = inits.getTypes();
  return failure(
      failed(checkYield(op, yield)) ||
      failed(checkTypes(op, "results", op->getResultTypes(), types)) ||
      failed(checkTypes(op, "region arguments", arguments, types)) ||
      failed(
          checkTypes(op, "yielded values", yield->getOperandTypes(), types)));
}

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

ParseResult IfOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand condition;
  Type pred = RankedTensorType::get({}, parser.getBuilder().getI1Type());
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, pred, state.operands))
    return failure();
  if (succeeded(parser.parseOptionalColon()) &&
      parser.parseTypeList(state.types))
    return failure();
  return failure(parser.parseRegion(*state.addRegion()) ||
                 parser.parseKeyword("else") ||
                 parser.parseRegion(*state.addRegion()) ||
                 parser.parseOptionalAttrDict(state.attributes));
}

void IfOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition();
  if (getNumResults() > 0)
    printer << " : " << getResultTypes();
  printer << ' ';
  printer.printRegion(getThenRegion());
  printer << " else ";
  printer.printRegion(getElseRegion());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult IfOp::verify() {
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    Operation *terminator = region->front().getTerminator();
    if (failed(checkYield(*this, terminator)))
      return failure();
    TypeRange types = terminator->getOperandTypes();
    if (types != getResultTypes())
      return emitOpError("yields (")
             << types << ") but results are (" << getResultTypes() << ")";
  }
  return success();
}

void IfOp::getSuccessorRegions(RegionBranchPoint point,
                               SmallVectorImpl<RegionSuccessor> &successors) {
  if (!point.isParent()) {
    successors.emplace_back(getOperation(), getResults());
    return;
  }
  successors.emplace_back(&getThenRegion());
  successors.emplace_back(&getElseRegion());
}

namespace {
/// Pattern: if true {a} else {b} -> a
struct TakeKnownBranch : public OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> condition = integerOf(op.getCondition());
    if (!condition)
      return failure();
    Block &taken =
        (*condition ? op.getThenRegion() : op.getElseRegion()).front();
    Operation *end = taken.getTerminator();
    SmallVector<Value> results(end->getOperands());
    rewriter.eraseOp(end);
    rewriter.inlineBlockBefore(&taken, op);
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Within the first region the condition is true, within the second one false.
struct KnowCondition : public OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    Value condition = op.getCondition();
    bool isUsed = false;
    for (auto [region, holds] :
         {std::pair(&op.getThenRegion(), true), {&op.getElseRegion(), false}}) {
      auto isInside = [region](OpOperand &use) {
        return region->isAncestor(use.getOwner()->getParentRegion());
      };
      if (llvm::none_of(condition.getUses(), isInside))
        continue;
      isUsed = true;
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op);
      Value known =
          constantOf(rewriter, op.getLoc(), rewriter.getBoolAttr(holds));
      rewriter.replaceUsesWithIf(condition, known, isInside);
    }
    return success(isUsed);
  }
};

/// Pattern: if c {true} else {false} -> c
struct UseCondition : public OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    auto yielded = [](Region &region, OpResult result) {
      Operation *end = region.front().getTerminator();
      return integerOf(end->getOperand(result.getResultNumber()));
    };
    bool isUsed = false;
    for (OpResult result : op->getResults()) {
      if (result.use_empty() || result.getType() != op.getCondition().getType())
        continue;
      std::optional<int64_t> then = yielded(op.getThenRegion(), result),
                             otherwise = yielded(op.getElseRegion(), result);
      if (!then || !otherwise || *then == 0 || *otherwise != 0)
        continue;
      isUsed = true;
      rewriter.replaceAllUsesWith(result, op.getCondition());
    }
    return success(isUsed);
  }
};
} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<TakeKnownBranch, KnowCondition, UseCondition>(context);
}

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &state) {
  Type index = RankedTensorType::get({}, parser.getBuilder().getI64Type());
  SmallVector<OpAsmParser::Argument> arguments(1);
  arguments[0].type = index;
  SmallVector<OpAsmParser::UnresolvedOperand, 3> range(3);
  if (parser.parseArgument(arguments[0]) || parser.parseEqual() ||
      parser.parseOperand(range[0]) || parser.parseKeyword("to") ||
      parser.parseOperand(range[1]) || parser.parseKeyword("step") ||
      parser.parseOperand(range[2]) ||
      parser.resolveOperands(range, index, state.operands) ||
      parser.parseKeyword("carry"))
    return failure();
  SmallVector<OpAsmParser::Argument> carried;
  if (parseCarried(parser, state, carried))
    return failure();
  llvm::append_range(arguments, carried);
  return failure(parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseOptionalAttrDict(state.attributes));
}

void ForOp::print(OpAsmPrinter &printer) {
  ArrayRef<BlockArgument> arguments = getBody().getArguments();
  printer << ' ' << arguments[0] << " = " << getLower() << " to " << getUpper()
          << " step " << getStep() << " carry";
  printCarried(printer, arguments.drop_front(), getInitArgs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult ForOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() == 0 ||
      block.getArgument(0).getType() != getLower().getType())
    return emitOpError("the body's first argument is not the index");
  return verifyLoop(*this, getInitArgs(),
                    TypeRange(block.getArgumentTypes()).drop_front(),
                    block.getTerminator());
}

SmallVector<Region *> ForOp::getLoopRegions() { return {&getBody()}; }

MutableArrayRef<OpOperand> ForOp::getInitsMutable() {
  return getOperation()->getOpOperands().drop_front(3);
}

Block::BlockArgListType ForOp::getRegionIterArgs() {
  return getBody().getArguments().drop_front();
}

std::optional<MutableArrayRef<OpOperand>> ForOp::getYieldedValuesMutable() {
  return getBody().front().getTerminator()->getOpOperands();
}

std::optional<ResultRange> ForOp::getLoopResults() { return getResults(); }

OperandRange ForOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInitArgs();
}

void ForOp::getSuccessorRegions(RegionBranchPoint,
                                SmallVectorImpl<RegionSuccessor> &successors) {
  successors.emplace_back(&getBody(), getBody().getArguments().drop_front());
  successors.emplace_back(getOperation(), getResults());
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parseCarried(parser, state, arguments) ||
                 parser.parseKeyword("cond") ||
                 parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseOptionalAttrDict(state.attributes));
}

void WhileOp::print(OpAsmPrinter &printer) {
  // Both regions have arguments of the same names, as stablehlo.while prints.
  printCarried(printer, getCond().getArguments(), getInitArgs());
  printer << " cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.shadowRegionArgs(getBody(), getCond().getArguments());
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult WhileOp::verify() {
  if (failed(checkTypes(*this, "condition's arguments",
                        getCond().getArgumentTypes(),
                        getInitArgs().getTypes())))
    return failure();
  if (!isa<ConditionOp>(getCond().front().getTerminator()))
    return emitOpError("the first region does not end in ingot.condition");
  return verifyLoop(*this, getInitArgs(), getBody().getArgumentTypes(),
                    getBody().front().getTerminator());
}

SmallVector<Region *> WhileOp::getLoopRegions() {
  return {&getCond(), &getBody()};
}

MutableArrayRef<OpOperand> WhileOp::getInitsMutable() {
  return getOperation()->getOpOperands();
}

Block::BlockArgListType WhileOp::getRegionIterArgs() {
  return getCond().getArguments();
}

std::optional<MutableArrayRef<OpOperand>> WhileOp::getYieldedValuesMutable() {
  return getBody().front().getTerminator()->getOpOperands();
}

std::optional<ResultRange> WhileOp::getLoopResults() { return getResults(); }

OperandRange WhileOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInitArgs();
}

void WhileOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  Operation *terminator = point.getTerminatorPredecessorOrNull();
  bool isFromCond = terminator && terminator->getParentRegion() == &getCond();
  if (!isFromCond) {
    successors.emplace_back(&getCond(), getCond().getArguments());
    return;
  }
  // The carried values are no operands of the terminator, so the successors
  // have no inputs here.
  successors.emplace_back(&getBody());
  successors.emplace_back(getOperation(), getResults().take_front(0));
}

MutableOperandRange ConditionOp::getMutableSuccessorOperands(RegionSuccessor) {
  return MutableOperandRange(getOperation(), 0, 0);
}

//===----------------------------------------------------------------------===//
// fusion
//===----------------------------------------------------------------------===//

LogicalResult FusionOp::verify() {
  Operation *end = getBody().front().getTerminator();
  if (failed(checkYield(*this, end)))
    return failure();
  TypeRange types = end->getOperandTypes();
  if (types == getResultTypes())
    return success();
  return emitOpError("yields (")
         << types << ") and not (" << getResultTypes() << ")";
}

void FusionOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&getBody());
  else
    successors.emplace_back(getOperation(), getResults());
}
