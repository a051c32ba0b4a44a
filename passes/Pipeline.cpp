//===- Pipeline.cpp - Registration and the order of passes ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion/Fusion.h"
#include "Passes.h"
#include "Simplify/Simplification.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace ingot {
#define GEN_PASS_DECL
#include "Autodiff/Passes.h.inc"
#define GEN_PASS_DECL
#include "Lowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Autodiff/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "Lowering/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using llvm::cl::desc;

namespace {

struct ExpandOptions : PassPipelineOptions<ExpandOptions> {
  Option<bool> countsKnown{*this, "counts-known", desc("As for expand-vjp")};
};

struct BatchOptions : PassPipelineOptions<BatchOptions> {
  Option<int64_t> batch{*this, "batch", desc("As for check-batch")};
  ListOption<int64_t> open{*this, "open", desc("As for check-batch")};
};

struct LoweringOptions : PassPipelineOptions<LoweringOptions> {
  Option<bool> precise{*this, "precise",
                       desc("Leave each check where the source has it")};
  Option<bool> strictFp{*this, "strict-fp",
                        desc("Have each operation on floats round by itself")};
  Option<bool> trapNans{*this, "trap-nans",
                        desc("Check where values cease to be finite")};
  Option<bool> rules{*this, "rules",
                     desc("Apply the rewrite rules in the module")};
  Option<std::string> extra{*this, "extra",
                            desc("Passes on the ingot dialect, as a pipeline")};
  Option<bool> libraries{
      *this, "call-libraries",
      desc("Lower for Ingot's runtime on the CPU of this process")};
  ListOption<std::string> functions{*this, "functions",
                                    desc("As for inline-rules")};
  Option<bool> lapack{*this, "call-lapack",
                      desc("Lower for a CPU on which XLA has LAPACK")};
  ListOption<std::string> vectorised{*this, "vectorised",
                                     desc("As for call-libraries")};
  Option<bool> accelerator{
      *this, "accelerator",
      desc("Lower for a device on which each step of a loop is a launch")};
  Option<bool> native{*this, "native",
                      desc("Make kernels of what LLVM compiles better")};
  Option<bool> donate{*this, "donate",
                      desc("Results may take the memory of arguments")};
  ListOption<std::string> without{
      *this, "without", desc("Passes to leave out that only make code faster")};
};

void addExpansion(OpPassManager &manager, const ExpandOptions &options) {
  // Transformations copy code, so it is simplified first. Updates of arrays
  // leave branches, since the adjoint of a branch saves the elements that
  // the branch overwrites.
  ingot::addSimplification(manager);
  manager.addNestedPass<func::FuncOp>(ingot::createHoistParts());
  manager.addNestedPass<func::FuncOp>(ingot::createSinkUpdates());
  manager.addPass(ingot::createExpandTransformations({options.countsKnown}));
  // After all of them: outer derivatives need to know which products zeros
  // rule.
  manager.addNestedPass<func::FuncOp>(ingot::createResolveAbsentTangents());
}

void addCheckBatch(OpPassManager &manager, const BatchOptions &options) {
  manager.addNestedPass<func::FuncOp>(ingot::createInlineRules());
  ingot::addSimplification(manager);
  manager.addNestedPass<func::FuncOp>(ingot::createCheckBatch(
      {options.batch, llvm::to_vector(ArrayRef<int64_t>(options.open))}));
}

bool isKernelSwitch(StringRef name) {
  return llvm::is_contained(ingot::kernelSwitches, name);
}

LogicalResult addLowering(OpPassManager &manager,
                          const LoweringOptions &options) {
  auto onFunctions = [&](std::unique_ptr<Pass> pass) {
    manager.addNestedPass<func::FuncOp>(std::move(pass));
  };
  auto optimize = [&](std::unique_ptr<Pass> pass) {
    if (!llvm::is_contained(ArrayRef<std::string>(options.without),
                            pass->getArgument()))
      onFunctions(std::move(pass));
  };
  // Only the expansion looks at rules; their bodies are simplified with the
  // code around them.
  auto functions = llvm::to_vector(ArrayRef<std::string>(options.functions));
  onFunctions(ingot::createInlineRules({functions}));
  ingot::addSimplification(manager);

  // The passes and rewrite rules of users run on simple code from which
  // nothing has been removed for XLA's sake, and NaNs are trapped in the
  // result.
  if (options.rules) {
    manager.addPass(ingot::createApplyRewrites());
    ingot::addSimplification(manager);
  }
  if (failed(parsePassPipeline(options.extra, manager)))
    return failure();
  if (options.trapNans)
    onFunctions(ingot::createTrapNans());

  optimize(ingot::createRelaxProducts());
  // `scale-products` looks for plain products. All change how products round.
  if (!options.strictFp) {
    // An accelerator would wait for the condition of its branch.
    if (!options.accelerator)
      optimize(ingot::createSumOperands());
    optimize(ingot::createFactorProducts());
    optimize(ingot::createScaleProducts());
    optimize(ingot::createNarrowProducts());
  }

  // An update outside of a branch can be forwarded to the slices that read it.
  // Arrays that nothing reads afterwards are no longer carried.
  optimize(ingot::createSinkUpdates());
  optimize(ingot::createForwardUpdates());
  optimize(ingot::createPruneCarried());
  manager.addPass(createLoopInvariantCodeMotionPass());
  // What does not change in a loop is outside of it now, and so are the
  // operands of products that change with the index only.
  if (!options.strictFp) {
    optimize(ingot::createDistributeLoops());
    optimize(ingot::createRaiseProducts());
    optimize(ingot::createRaiseAdditions());
    optimize(ingot::createPruneCarried());
    // Of the products that were raised.
    optimize(ingot::createFactorProducts());
  }
  // Sums of outer products have been found.
  optimize(ingot::createBroadcastProducts());
  // Checks compare an index with values that are now computed outside of the
  // loop. Hoisted, another check may fail first than in the source, or for an
  // index that no iteration has; kernels check at no cost where the source
  // does.
  if (!options.precise && !options.native) {
    optimize(ingot::createHoistChecks());
    // Sums over all iterations round in another way than one after the other.
    // On a CPU, the values of all iterations are to stay in a core's cache.
    if (!options.strictFp) {
      optimize(ingot::createSelectBranches());
      optimize(ingot::createTurnLoops());
      optimize(ingot::createPromoteElements({/*elements=*/false}));
      int64_t mostBytes = options.accelerator ? 1 << 26 : 1 << 18,
              gatherCost = options.accelerator ? 1 : 32;
      optimize(ingot::createRaiseLoops({mostBytes, gatherCost}));
      // A CPU runs the steps of a recurrence faster than the operations that
      // find all of them. Independent iterations are lanes now.
      if (options.accelerator) {
        optimize(ingot::createCarryStored());
        optimize(ingot::createRaiseLoops(
            {mostBytes, gatherCost, /*recurrences=*/true}));
      }
    }
  }
  // Kernels update larger parts in place.
  if (options.native)
    optimize(ingot::createPromoteElements({/*elements=*/true}));
  optimize(ingot::createCancelTransposes());
  if (!functions.empty())
    optimize(ingot::createCallLinalg({functions}));
  // Kernels compute smaller ones as fast as the library that multiplies.
  if (!options.strictFp)
    optimize(ingot::createContractSums({options.native ? 1 << 21 : 1 << 9}));
  if (options.accelerator && !options.strictFp)
    optimize(ingot::createFormConvolutions());
  // What other passes recognise has been found.
  optimize(ingot::createAbsorbNegations());

  // Kernels take the status of checks as any other value. What follows is for
  // XLA, and does not see them.
  if (options.native) {
    manager.addPass(ingot::createLowerEffects());
    onFunctions(ingot::createGuardProducts({/*large=*/true}));
    ingot::addSimplification(manager);
    optimize(ingot::createFormFusions());
    auto onKernels = llvm::to_vector(llvm::make_filter_range(
        ArrayRef<std::string>(options.without), isKernelSwitch));
    manager.addPass(ingot::createOutlineFusions({options.strictFp, onKernels}));
  }

  onFunctions(ingot::createGuardProducts());
  // A CPU runs scatters in order. Those that find positions store what counts
  // to elements of their own.
  if (!options.libraries && !options.lapack)
    onFunctions(ingot::createKeepLastStores());
  if (options.accelerator)
    onFunctions(ingot::createSplitComplexStores());
  // Kernels find positions by a loop over the elements. XLA takes the running
  // sum in parallel, and it can be a library call.
  onFunctions(ingot::createExpandNonzero());
  // Only a CPU runs loops of small steps well. These loops read arrays, too, so
  // they are made before reads are ordered.
  if (options.libraries)
    optimize(ingot::createChunkReductions());
  // The barriers that these insert hide values from other simplifications.
  onFunctions(ingot::createOrderReads());
  onFunctions(ingot::createSeparateUpdates());
  onFunctions(ingot::createSeparateCompared());

  // StableHLO has no checks: their status becomes a result.
  manager.addPass(ingot::createLowerEffects());
  // No pass sees through a library call, but `align-arguments` lets it read an
  // argument at any address.
  if (options.libraries || options.lapack)
    onFunctions(ingot::createCallLibraries(
        {options.lapack,
         llvm::to_vector(ArrayRef<std::string>(options.vectorised))}));
  // A donated array is an earlier result: it is aligned, and keeps its type so
  // that a result can take its memory.
  if (options.libraries && !options.donate)
    manager.addPass(ingot::createAlignArguments());
  manager.addPass(ingot::createOutlineProducts());
  manager.addPass(ingot::createLowerToStablehlo());
  onFunctions(ingot::createShareConstants());
  // Both are on StableHLO, whose formulas XLA would change. Strict programs are
  // compiled without XLA's algebraic simplifier.
  if (options.strictFp)
    manager.addPass(ingot::createStrictFp());
  else
    manager.addPass(ingot::createKeepRoundings());
  // Shardings are attributes of functions and operations that are final now.
  manager.addPass(ingot::createLowerShardings());
  return success();
}

} // namespace

void ingot::registerDialects(DialectRegistry &registry) {
  registry.insert<IngotDialect, stablehlo::StablehloDialect, chlo::ChloDialect,
                  sdy::SdyDialect, func::FuncDialect>();
}

void ingot::registerPasses() {
  registerIngotPasses();
  registerIngotAutodiffPasses();
  registerIngotLoweringPasses();
  registerTransformsPasses();
  PassPipelineRegistration<ExpandOptions>(
      "ingot-expand", "Expand derivatives and batches", addExpansion);
  PassPipelineRegistration<BatchOptions>(
      "ingot-check-batch", "Fail unless items are treated by themselves",
      addCheckBatch);
  // Registered as a function, since parsing `extra` may fail.
  registerPassPipeline(
      "ingot-to-stablehlo", "Lower the ingot dialect, without transformations",
      [](OpPassManager &manager, StringRef text, auto fail) -> LogicalResult {
        LoweringOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        for (const std::string &name : options.without)
          if (!PassInfo::lookup(name) && !isKernelSwitch(name))
            return fail("there is no pass `" + name + "` to leave out");
        return addLowering(manager, options);
      },
      [](auto handle) { handle(LoweringOptions()); });
}
