//===- LowerToLinalg.cpp - Kernels on tensors, linalg and loops -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion/Fusion.h"
#include "KernelBody.h"
#include "Lowering/Lowering.h"
#include "NativePasses.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ingot {
#define GEN_PASS_DEF_LOWERTOLINALG
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// Makes a function on tensors one that reads and writes memory.
class KernelLowering {
public:
  KernelLowering(func::FuncOp from, bool isStrict)
      : from(from), b(from.getContext()), location(from.getLoc()),
        isStrict(isStrict) {
    if (auto listed = from->getAttrOfType<DenseI64ArrayAttr>("ingot.updates"))
      updates = listed;
  }

  FailureOr<func::FuncOp> run();

private:
  void skipReshapes();
  void declare();
  void takeArguments();
  void placeResults();
  void returnResults();
  /// The operand whose memory a result takes, or -1.
  int64_t updatedBy(size_t result) const {
    return result < updates.size() ? updates[result] : -1;
  }
  Value memory(int64_t parameter) { return to.getArgument(parameter); }
  Value asTensor(int64_t parameter, bool isWritable);

  func::FuncOp from, to;
  OpBuilder b;
  mlir::Location location;
  bool isStrict;
  NeededElements needed;
  InlinePlan plan;
  IRMapping values, destinations;
  /// The parameters of each argument and each result.
  SmallVector<int64_t> inputs, outputs;
  /// The operand whose memory each result takes, or -1.
  ArrayRef<int64_t> updates;
};

} // namespace

/// A scalar in memory is an array without axes.
static MemRefType memoryOf(Type type) {
  RankedTensorType tensor = squeezed(cast<RankedTensorType>(type));
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

/// The end of the function returns what is reshaped before it: callers know the
/// shape of a result, which is computed in its memory.
void KernelLowering::skipReshapes() {
  for (OpOperand &result :
       from.getBody().front().getTerminator()->getOpOperands()) {
    if (updatedBy(result.getOperandNumber()) >= 0)
      continue;
    while (auto reshape = result.get().getDefiningOp<ReshapeOp>()) {
      result.set(reshape.getOperand());
      if (reshape->use_empty())
        reshape->erase();
    }
  }
}

/// Creates the function: its parameters are the operands that are not updated,
/// then the results.
void KernelLowering::declare() {
  SmallVector<Type> types;
  SmallVector<int64_t> frame;
  inputs.assign(from.getNumArguments(), -1);
  for (auto [i, type] : llvm::enumerate(from.getArgumentTypes())) {
    if (llvm::is_contained(updates, i))
      continue;
    inputs[i] = types.size();
    types.push_back(memoryOf(type));
    frame.push_back(i);
  }
  Operation *end = from.getBody().front().getTerminator();
  for (auto [i, type] : llvm::enumerate(end->getOperandTypes())) {
    outputs.push_back(types.size());
    if (int64_t operand = updatedBy(i); operand >= 0)
      inputs[operand] = types.size();
    types.push_back(memoryOf(type));
    frame.push_back(-1 - static_cast<int64_t>(i));
  }
  b.setInsertionPoint(from);
  to =
      func::FuncOp::create(b, location, "kernel", b.getFunctionType(types, {}));
  to->setAttr("ingot.frame", b.getDenseI64ArrayAttr(frame));
  for (unsigned i = 0; i < types.size(); ++i) {
    to.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    to.setArgAttr(i, LLVM::LLVMDialect::getNonNullAttrName(), b.getUnitAttr());
  }
  b.setInsertionPointToStart(to.addEntryBlock());
}

Value KernelLowering::asTensor(int64_t parameter, bool isWritable) {
  auto type = cast<MemRefType>(memory(parameter).getType());
  return bufferization::ToTensorOp::create(
      b, location,
      RankedTensorType::get(type.getShape(), type.getElementType()),
      memory(parameter), /*restrict=*/true, isWritable);
}

void KernelLowering::takeArguments() {
  Scalars scalars(b, location, isStrict);
  for (auto [argument, parameter] :
       llvm::zip_equal(from.getArguments(), inputs)) {
    bool isUpdated = llvm::is_contained(outputs, parameter);
    if (!isScalar(argument.getType())) {
      values.map(argument, asTensor(parameter, isUpdated));
      continue;
    }
    Value stored =
        memref::LoadOp::create(b, location, memory(parameter), ValueRange());
    values.map(argument, scalars.load(stored, elementOf(argument)));
  }
}

/// Has results computed in their memory from the start.
void KernelLowering::placeResults() {
  Operation *end = from.getBody().front().getTerminator();
  for (auto [result, parameter] :
       llvm::zip_equal(end->getOperands(), outputs)) {
    Value origin = originOf(result, plan);
    bool isUpdated = llvm::is_contained(inputs, parameter);
    if (isScalar(result.getType()) || isUpdated || !origin.getDefiningOp() ||
        destinations.contains(origin) || !isInPlace(result, origin, plan))
      continue;
    destinations.map(origin, asTensor(parameter, /*isWritable=*/true));
  }
}

void KernelLowering::returnResults() {
  Scalars scalars(b, location, isStrict);
  auto end = cast<func::ReturnOp>(from.getBody().front().getTerminator());
  auto store = [&](Value result, int64_t parameter) {
    Value value = values.lookup(result);
    if (isScalar(result.getType()))
      memref::StoreOp::create(b, location,
                              scalars.store(value, elementOf(result)),
                              memory(parameter), ValueRange());
    else
      bufferization::MaterializeInDestinationOp::create(
          b, location, TypeRange(), value, memory(parameter),
          /*restrict=*/true, /*writable=*/true);
  };
  // A result may be an operand as it was before another result updates it.
  for (bool isUpdate : {false, true})
    for (auto [result, parameter] : llvm::zip_equal(end.getOperands(), outputs))
      if (llvm::is_contained(inputs, parameter) == isUpdate)
        store(result, parameter);
  func::ReturnOp::create(b, location);
}

FailureOr<func::FuncOp> KernelLowering::run() {
  skipReshapes();
  declare();
  takeArguments();
  needed.analyse(from);
  plan.add(from.getBody().front());
  placeResults();
  KernelBody body(b, plan, needed, values, destinations, isStrict);
  if (failed(body.lower(from.getBody().front())))
    return failure();
  returnResults();
  from.erase();
  return to;
}

namespace {
struct LowerToLinalg : public ingot::impl::LowerToLinalgBase<LowerToLinalg> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateElementwiseLowering(set);
    populateComplexLowering(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      // It has been lowered before.
      if (function->hasAttr("ingot.frame") || function.isDeclaration())
        continue;
      if (failed(check(function)))
        return signalPassFailure();
      walkAndApplyPatterns(function, patterns);
      bool isStrict = function->hasAttr("ingot.strict");
      // Outside, -0.0 would become 0.0.
      if (!isStrict)
        chooseWithinLimits(function);
      if (failed(KernelLowering(function, isStrict).run()))
        return signalPassFailure();
    }
  }

  static LogicalResult check(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("is no kernel: it has not one block");
    if (!llvm::all_of(function.getArgumentTypes(), isNativeType))
      return function.emitOpError("is no kernel: it takes other types");
    WalkResult result = function.getBody().walk([](Operation *op) {
      if (isa<func::ReturnOp>(op) || isNativeAlone(op))
        return WalkResult::advance();
      op->emitOpError("has no lowering to linalg");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
