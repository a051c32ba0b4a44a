//===- StrictFp.cpp - Every operation rounds by itself --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace ingot {
#define GEN_PASS_DEF_STRICTFP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

/// Whether all that is done with a product stays the same if it is not rounded
/// before; what adds may be a fused multiplication and addition.
static bool roundsAnyway(stablehlo::MulOp op) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return user->getBlock() == op->getBlock() &&
           isa<stablehlo::MulOp, stablehlo::DivOp, stablehlo::SqrtOp,
               stablehlo::CompareOp>(user);
  });
}

/// Whether an operation may use values of the function around it; what reduces
/// or sorts may not.
static bool seesFunction(Operation *op) {
  while (isa<stablehlo::WhileOp, stablehlo::IfOp>(op->getParentOp()))
    op = op->getParentOp();
  return isa<func::FuncOp>(op->getParentOp());
}

/// The operations of a kind on floats that may use values of the function.
template <typename Op>
static SmallVector<Op> operationsOf(func::FuncOp function) {
  SmallVector<Op> found;
  function.walk([&](Op op) {
    if (isa<FloatType>(elementType(op)) && seesFunction(op))
      found.push_back(op);
  });
  return found;
}

/// Pattern: maximum(a, b) -> select(a > b || a != a, a, b)
/// Pattern: minimum(a, b) -> select(a < b || a != a, a, b)
/// Of two zeros NumPy takes the second, of halves the first.
template <typename Op>
static void choose(func::FuncOp function, ComparisonDirection direction) {
  for (Op op : operationsOf<Op>(function)) {
    OpBuilder builder(op);
    Emitter emitter(builder, op.getLoc());
    Value a = op.getLhs(), b = op.getRhs();
    if (elementType(op).isF16())
      std::swap(a, b);
    Value isNan = emitter.compare(ComparisonDirection::NE, a, a);
    Value isFirst =
        emitter.emit<stablehlo::OrOp>(emitter.compare(direction, a, b), isNan);
    op.replaceAllUsesWith(emitter.select(isFirst, a, b));
    op.erase();
  }
}

namespace {
struct StrictFp : public ingot::impl::StrictFpBase<StrictFp> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isDeclaration())
        continue;
      bool isEntry = !function.isPrivate();
      func::FuncOp inner = isEntry ? outline(function, symbols) : function;
      takeOne(inner);
      if (isEntry)
        begin(function, inner);
    }
  }

private:
  /// A private function with the body of an entry.
  func::FuncOp outline(func::FuncOp entry, SymbolTable &symbols) {
    auto inner = func::FuncOp::create(entry.getLoc(),
                                      (entry.getSymName() + "_strict").str(),
                                      entry.getFunctionType());
    inner.setPrivate();
    symbols.insert(inner);
    inner.getBody().takeBody(entry.getBody());
    return inner;
  }

  /// One more argument, a 1, with which products and callees are multiplied.
  void takeOne(func::FuncOp function) {
    auto type = RankedTensorType::get({}, Float64Type::get(&getContext()));
    unsigned last = function.getNumArguments();
    (void)function.insertArgument(last, type, {}, function.getLoc());
    Value one = function.getArgument(last);
    function.walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee.isPrivate() && !callee.isDeclaration())
        call.getOperandsMutable().append(one);
    });

    DenseMap<Type, Value> ones;
    for (stablehlo::MulOp op : operationsOf<stablehlo::MulOp>(function))
      if (!roundsAnyway(op))
        round(op, one, ones);
    choose<stablehlo::MaxOp>(function, ComparisonDirection::GT);
    choose<stablehlo::MinOp>(function, ComparisonDirection::LT);
  }

  /// Pattern: a * b -> (a * b) * 1, which a fused operation takes for the
  /// product
  void round(stablehlo::MulOp op, Value one, DenseMap<Type, Value> &ones) {
    OpBuilder builder(op->getContext());
    Emitter emitter(builder, op.getLoc());
    Value &factor = ones[elementType(op)];
    if (!factor) {
      builder.setInsertionPointAfterValue(one);
      factor = emitter.convert(one, elementType(op));
    }
    builder.setInsertionPointAfter(op);
    Value spread = emitter.broadcast(factor, tensorType(op).getShape());
    Value rounded = emitter.emit<stablehlo::MulOp>(op, spread);
    op.getResult().replaceAllUsesExcept(rounded, rounded.getDefiningOp());
  }

  /// The entry calls its former body, which begins when XLA's runtime no longer
  /// flushes subnormal numbers.
  void begin(func::FuncOp entry, func::FuncOp inner) {
    OpBuilder builder = OpBuilder::atBlockEnd(entry.addEntryBlock());
    mlir::Location location = entry.getLoc();
    auto one = stablehlo::CustomCallOp::create(
        builder, location, inner.getArgumentTypes().back(), ValueRange(),
        "ingot.strict_fp", /*has_side_effect=*/true,
        builder.getDictionaryAttr({}), /*api_version=*/4,
        /*operand_layouts=*/ArrayAttr(), /*result_layouts=*/ArrayAttr());
    SmallVector<Value> operands(entry.getArguments());
    operands.push_back(one.getResult(0));
    auto call = func::CallOp::create(builder, location, inner, operands);
    keepCall(call);
    func::ReturnOp::create(builder, location, call.getResults());
  }
};
} // namespace
