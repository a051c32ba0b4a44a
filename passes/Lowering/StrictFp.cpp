//===- StrictFp.cpp - Round each floating-point operation separately ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatOperations.h"
#include "Fusion/KernelCall.h"
#include "Lowering.h"

#include "mlir/IR/SymbolTable.h"

namespace ingot {
#define GEN_PASS_DEF_STRICTFP
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

/// Whether no user of a product can be contracted with it, as an addition can
/// to a fused multiply-add.
static bool roundsAnyway(stablehlo::MulOp op) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return user->getBlock() == op->getBlock() &&
           isa<stablehlo::MulOp, stablehlo::DivOp, stablehlo::SqrtOp,
               stablehlo::CompareOp>(user);
  });
}

/// The operations of type `Op` on floats that may use values of the function.
template <typename Op>
static SmallVector<Op> operationsOf(func::FuncOp function) {
  SmallVector<Op> found;
  function.walk([&](Op op) {
    if (isa<FloatType>(elementOf(op)) && seesFunction(op))
      found.push_back(op);
  });
  return found;
}

/// Whether a constant has subnormal numbers, which LLVM folds as zeros.
static bool hasSubnormal(stablehlo::ConstantOp op) {
  auto values = dyn_cast<DenseElementsAttr>(op.getValue());
  return values && llvm::any_of(values.getValues<APFloat>(),
                                [](APFloat each) { return each.isDenormal(); });
}

/// Pattern: maximum(a, b) -> select(a > b || a != a, a, b)
/// Pattern: minimum(a, b) -> select(a < b || a != a, a, b)
/// Of two zeros, NumPy returns the second one, but for f16 the first one.
template <typename Op>
static void choose(func::FuncOp function, ComparisonDirection direction) {
  for (Op op : operationsOf<Op>(function)) {
    OpBuilder builder(op);
    Emitter emitter(builder, op.getLoc());
    Value a = op.getLhs(), b = op.getRhs();
    if (elementOf(op).isF16())
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
    // The kernel is strict itself, and is called without XLA.
    if (kernelCallOf(getOperation()))
      return;
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
  /// Creates a private function with the body of an entry.
  func::FuncOp outline(func::FuncOp entry, SymbolTable &symbols) {
    auto inner = func::FuncOp::create(entry.getLoc(),
                                      (entry.getSymName() + "_strict").str(),
                                      entry.getFunctionType());
    inner.setPrivate();
    symbols.insert(inner);
    inner.getBody().takeBody(entry.getBody());
    return inner;
  }

  /// Adds an argument that is 1. Products are multiplied by it, and calls pass
  /// it on.
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
    for (auto op : operationsOf<stablehlo::ConstantOp>(function))
      if (hasSubnormal(op))
        compute(op, one, ones);
    choose<stablehlo::MaxOp>(function, ComparisonDirection::GT);
    choose<stablehlo::MinOp>(function, ComparisonDirection::LT);
  }

  /// Pattern: a * b -> (a * b) * 1, of which only the second product can be
  /// fused
  void round(stablehlo::MulOp op, Value one, DenseMap<Type, Value> &ones) {
    OpBuilder builder(op->getContext());
    Emitter emitter(builder, op.getLoc());
    Value spread = spreadOne(emitter, builder, op, one, ones);
    Value rounded = emitter.emit<stablehlo::MulOp>(op, spread);
    op.getResult().replaceAllUsesExcept(rounded, rounded.getDefiningOp());
  }

  /// The function's 1 in the type and shape of an operation's result. Moves the
  /// insertion point after the operation.
  Value spreadOne(Emitter &emitter, OpBuilder &builder, Operation *op,
                  Value one, DenseMap<Type, Value> &ones) {
    Value result = op->getResult(0);
    Value &factor = ones[elementOf(result)];
    if (!factor) {
      builder.setInsertionPointAfterValue(one);
      factor = emitter.convert(one, elementOf(result));
    }
    builder.setInsertionPointAfter(op);
    return emitter.broadcast(factor, shapeOf(result));
  }

  /// Pattern: constant -> larger constant * (smaller constant * 1)
  void compute(stablehlo::ConstantOp op, Value one,
               DenseMap<Type, Value> &ones) {
    OpBuilder builder(op->getContext());
    Emitter emitter(builder, op.getLoc());
    Value spread = spreadOne(emitter, builder, op, one, ones);
    auto type = typeOf(op);
    const auto &semantics =
        cast<FloatType>(type.getElementType()).getFloatSemantics();
    int bits = APFloat::semanticsPrecision(semantics);
    SmallVector<APFloat> large, small;
    auto values = cast<DenseElementsAttr>(op.getValue());
    for (const APFloat &each : values.getValues<APFloat>()) {
      int power = each.isDenormal() ? bits : 0;
      auto rounding = APFloat::rmNearestTiesToEven;
      large.push_back(scalbn(each, power, rounding));
      small.push_back(scalbn(APFloat::getOne(semantics), -power, rounding));
    }
    auto constant = [&](ArrayRef<APFloat> numbers) {
      return stablehlo::ConstantOp::create(
          builder, op.getLoc(), DenseElementsAttr::get(type, numbers));
    };
    Value scale = emitter.emit<stablehlo::MulOp>(constant(small), spread);
    Value made = emitter.emit<stablehlo::MulOp>(constant(large), scale);
    op.getResult().replaceAllUsesWith(made);
    op.erase();
  }

  /// Makes the entry call its former body with the result of `ingot.strict_fp`,
  /// which makes XLA's threads keep subnormal numbers.
  void begin(func::FuncOp entry, func::FuncOp inner) {
    OpBuilder builder = OpBuilder::atBlockEnd(entry.addEntryBlock());
    mlir::Location location = entry.getLoc();
    auto one = stablehlo::CustomCallOp::create(
        builder, location, inner.getArgumentTypes().back(), ValueRange(),
        "ingot.strict_fp", /*has_side_effect=*/true,
        builder.getDictionaryAttr({}), /*api_version=*/4,
        /*operand_layouts=*/ArrayAttr(), /*result_layouts=*/ArrayAttr(),
        /*output_operand_aliases=*/ArrayAttr());
    SmallVector<Value> operands(entry.getArguments());
    operands.push_back(one.getResult(0));
    auto call = func::CallOp::create(builder, location, inner, operands);
    keepCall(call);
    func::ReturnOp::create(builder, location, call.getResults());
  }
};
} // namespace
