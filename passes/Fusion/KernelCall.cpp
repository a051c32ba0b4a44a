//===- KernelCall.cpp - Programs that only call a kernel ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCall.h"
#include "Fusion.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ingot;

/// Adds a number and the values that tell it to a set; false if arrays or
/// values that loops carry are among them. Which of two numbers is chosen does
/// not count: once a check has failed, loops have another length, which is 0.
static bool addSources(Value number, llvm::SetVector<Value> &sources) {
  if (!sources.insert(number))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(number)) {
    Operation *owner = argument.getOwner()->getParentOp();
    return isa<ForOp>(owner)
               ? argument.getArgNumber() == 0
               : isa<func::FuncOp>(owner) && typeOf(number).getRank() == 0;
  }
  Operation *op = number.getDefiningOp();
  OperandRange operands = op->getOperands().drop_front(isa<SelectOp>(op));
  return op->getNumRegions() == 0 && llvm::all_of(operands, [&](Value operand) {
           return addSources(operand, sources);
         });
}

std::optional<SmallVector<unsigned>> ingot::lengthsOf(func::FuncOp kernel) {
  llvm::SetVector<Value> sources;
  WalkResult result = kernel.walk([&](Operation *op) {
    auto loop = dyn_cast<ForOp>(op);
    bool isUnknown =
        isa<WhileOp>(op) || (loop && (op->getParentOfType<IfOp>() ||
                                      !addSources(loop.getLower(), sources) ||
                                      !addSources(loop.getUpper(), sources) ||
                                      !addSources(loop.getStep(), sources)));
    return isUnknown ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  SmallVector<unsigned> arguments;
  for (BlockArgument each : kernel.getArguments())
    if (sources.contains(each))
      arguments.push_back(each.getArgNumber());
  return arguments;
}

static func::FuncOp programOf(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate())
      return function;
  return {};
}

/// The only operation of a program besides its return, if it calls a kernel.
static stablehlo::CustomCallOp onlyCallOf(Block &block, ModuleOp module) {
  if (!llvm::hasNItems(block, 2))
    return {};
  auto call = dyn_cast<stablehlo::CustomCallOp>(block.front());
  bool isKernel =
      call && module.lookupSymbol<ModuleOp>(call.getCallTargetName());
  return isKernel ? call : stablehlo::CustomCallOp();
}

std::optional<KernelCall> ingot::kernelCallOf(ModuleOp module) {
  func::FuncOp program = programOf(module);
  if (!program || program.isDeclaration())
    return std::nullopt;
  Block &block = program.getBody().front();
  auto call = onlyCallOf(block, module);
  if (!call)
    return std::nullopt;
  KernelCall found;
  found.kernel = call.getCallTargetName().str();
  found.type = program.getFunctionType();
  auto holder = module.lookupSymbol<ModuleOp>(found.kernel);
  auto kernel = *holder.getOps<func::FuncOp>().begin();

  // The output of the program that each result of the kernel is.
  SmallVector<int64_t> outputs(call.getNumResults(), -1);
  for (auto [i, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      found.passed.emplace_back(argument.getArgNumber(), i);
      continue;
    }
    int64_t &first = outputs[cast<OpResult>(value).getResultNumber()];
    if (first < 0)
      first = i;
    else
      found.repeated.emplace_back(first, i);
  }
  if (llvm::is_contained(outputs, -1))
    return std::nullopt;

  auto updates = kernel->getAttrOfType<DenseI64ArrayAttr>("ingot.updates");
  auto inputOf = [&](int64_t operand) -> int64_t {
    return cast<BlockArgument>(call->getOperand(operand)).getArgNumber();
  };
  if (auto lengths = lengthsOf(kernel)) {
    found.lengths.emplace();
    for (unsigned operand : *lengths)
      found.lengths->push_back(inputOf(operand));
  }
  for (int64_t i = 0; i < call->getNumOperands(); ++i)
    if (!llvm::is_contained(updates.asArrayRef(), i))
      found.parameters.emplace_back(inputOf(i), -1);
  for (auto [operand, output] : llvm::zip(updates.asArrayRef(), outputs))
    found.parameters.emplace_back(operand < 0 ? -1 : inputOf(operand), output);
  return found;
}
