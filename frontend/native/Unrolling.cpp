//===- Unrolling.cpp - Which loops LLVM unrolls in full -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unrolling.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace {

/// The most iterations of a loop that is unrolled in full.
constexpr unsigned mostUnrolled = 8;

/// Whether an integer that a loop counts is used for addresses only, besides
/// the loop's own condition: its iterations compute the same then.
bool countsAddresses(const PHINode &counter) {
  SmallVector<const Value *> reached = {&counter};
  SmallPtrSet<const Value *, 16> seen;
  while (!reached.empty()) {
    for (const User *user : reached.pop_back_val()->users()) {
      if (isa<GetElementPtrInst>(user) || !seen.insert(user).second)
        continue;
      const auto *compare = dyn_cast<ICmpInst>(user);
      if (compare && compare->getParent() == counter.getParent())
        continue;
      if (!isa<BinaryOperator, PHINode>(user))
        return false;
      reached.push_back(user);
    }
  }
  return true;
}

struct KeepOuterLoops : PassInfoMixin<KeepOuterLoops> {
  static PreservedAnalyses run(Function &function,
                               FunctionAnalysisManager &analyses) {
    auto loops =
        analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
    auto &counts = analyses.getResult<ScalarEvolutionAnalysis>(function);
    SmallPtrSet<Loop *, 8> outer;
    for (Loop *loop : reverse(loops)) {
      unsigned count = counts.getSmallConstantTripCount(loop);
      Loop *parent = loop->getParentLoop();
      if (parent &&
          (outer.contains(loop) || count == 0 || count > mostUnrolled))
        outer.insert(parent);
      auto integers =
          make_filter_range(loop->getHeader()->phis(), [](const PHINode &each) {
            return each.getType()->isIntegerTy();
          });
      if (outer.contains(loop) && all_of(integers, countsAddresses))
        loop->setLoopAlreadyUnrolled();
    }
    return PreservedAnalyses::all();
  }
};

} // namespace

void ingot::limitUnrolling() {
  const std::pair<const char *, std::string> limits[] = {
      {"unroll-full-max-count", std::to_string(mostUnrolled)},
      {"unroll-threshold", "200"}};
  for (auto [name, limit] : limits) {
    cl::Option *option = cl::getRegisteredOptions().lookup(name);
    if (option && option->getNumOccurrences() == 0)
      option->addOccurrence(1, option->ArgStr, limit);
  }
}

void ingot::keepOuterLoops(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(createModuleToFunctionPassAdaptor(KeepOuterLoops()));
      });
}
