//===- Codegen.cpp - From a kernel's text to a shared object --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "Allocation.h"
#include "EntryPoints.h"
#include "ModuleParts.h"
#include "NumpyFunctions.h"
#include "SharedObject.h"
#include "Target.h"
#include "Threads.h"
#include "Unrolling.h"
#include "VectorFunctions.h"

#include "Fusion/Fusion.h"
#include "Native/NativePasses.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <atomic>
#include <functional>
#include <pthread.h>
#include <shared_mutex>
#include <thread>

using namespace ingot;
using llvm::ArrayRef;
using llvm::CodeGenFileType;
using llvm::Expected;
using llvm::TargetMachine;

namespace {

llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

const mlir::DialectRegistry &registry() {
  static const mlir::DialectRegistry *all = [] {
    auto *registry = new mlir::DialectRegistry;
    registerNativeDialects(*registry);
    mlir::registerBuiltinDialectTranslation(*registry);
    mlir::registerLLVMDialectTranslation(*registry);
    return registry;
  }();
  return *all;
}

mlir::LogicalResult
run(mlir::ModuleOp module,
    llvm::function_ref<void(mlir::OpPassManager &)> addPasses) {
  mlir::PassManager manager(module.getContext());
  // The parser has verified the module, and lit's tests verify each pass.
  manager.enableVerifier(false);
  addPasses(manager);
  return manager.run(module);
}

template <typename T>
void keep(Steps *steps, const char *name, const T &object) {
  if (steps)
    llvm::raw_string_ostream((*steps)[name]) << object;
}

/// LLVM's options belong to the process: linking sets them back to defaults,
/// when nothing else may read them.
std::shared_mutex &options() {
  static std::shared_mutex mutex;
  return mutex;
}

/// Runs LLVM's passes, those that vectorise if \p vectorise is set.
///
/// \returns whether they left valid code: SROA (of LLVM 22) may place the merge
/// of vectors behind its use, and the passes after it crash.
bool optimise(llvm::Module &module, TargetMachine &machine, bool strict,
              bool vectorise) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = vectorise;
  bool isValid = true;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerAfterPassCallback(
      [&](llvm::StringRef pass, llvm::Any ir, const llvm::PreservedAnalyses &) {
        const auto *function = llvm::any_cast<const llvm::Function *>(&ir);
        if (pass == "SROAPass" && function)
          isValid &= !llvm::verifyFunction(**function);
      });
  callbacks.registerShouldRunOptionalPassCallback(
      [&](llvm::StringRef, llvm::Any) { return isValid; });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  // They have errors of up to 4 ulp.
  if (!strict)
    addVectorFunctions(library, machine);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  keepOuterLoops(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
  return isValid;
}

Expected<std::string> emit(llvm::Module &module, TargetMachine &machine,
                           CodeGenFileType type) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager manager;
  if (machine.addPassesToEmitFile(manager, stream, nullptr, type))
    return fail("this processor has no emitter of machine code");
  manager.run(module);
  return bytes.str().str();
}

/// A module after LLVM's passes.
struct Generated {
  std::string llvm, assembly, object;
};

/// How code is generated.
struct Generation {
  /// See `targetMachine`.
  std::string processor;
  bool strict;
  /// Whether to keep texts.
  bool explain;
};

Expected<Generated> generate(std::unique_ptr<llvm::Module> module,
                             const Generation &how) {
  auto machine = targetMachine(how.processor, how.strict);
  if (!machine)
    return machine.takeError();
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  auto copy = llvm::CloneModule(*module);
  if (!optimise(*module, **machine, how.strict, /*vectorise=*/true)) {
    module = std::move(copy);
    if (!optimise(*module, **machine, how.strict, /*vectorise=*/false))
      return fail("LLVM makes invalid code of the kernel");
  }
  allocateByPointers(*module);
  Generated made;
  if (how.explain) {
    llvm::raw_string_ostream(made.llvm) << *module;
    // Emission changes the module.
    copy = llvm::CloneModule(*module);
    auto assembly = emit(*copy, **machine, CodeGenFileType::AssemblyFile);
    if (!assembly)
      return assembly.takeError();
    made.assembly = std::move(*assembly);
  }
  auto object = emit(*module, **machine, CodeGenFileType::ObjectFile);
  if (!object)
    return object.takeError();
  made.object = std::move(*object);
  return made;
}

/// Threads take one part after the other, each in a context of its own.
std::vector<Expected<Generated>> generateParts(ArrayRef<std::string> parts,
                                               const Generation &how) {
  std::vector<std::optional<Expected<Generated>>> found(parts.size());
  std::atomic<size_t> next = 0;
  std::function<void()> work = [&] {
    for (size_t i; (i = next++) < parts.size();) {
      llvm::LLVMContext context;
      auto module = llvm::parseBitcodeFile(
          llvm::MemoryBufferRef(parts[i], "part"), context);
      if (module)
        found[i].emplace(generate(std::move(*module), how));
      else
        found[i].emplace(module.takeError());
    }
  };
  size_t count =
      std::min<size_t>(parts.size(), std::thread::hardware_concurrency());
  std::vector<pthread_t> others;
  for (pthread_t thread; others.size() + 1 < count; others.push_back(thread)) {
    auto run = [](void *work) -> void * {
      (*static_cast<std::function<void()> *>(work))();
      return nullptr;
    };
    // This thread does what no other one can be started for.
    if (pthread_create(&thread, nullptr, run, &work))
      break;
  }
  work();
  for (pthread_t each : others)
    pthread_join(each, nullptr);
  std::vector<Expected<Generated>> all;
  for (auto &each : found)
    all.push_back(std::move(*each));
  return all;
}

Expected<std::string> libraryOf(std::unique_ptr<llvm::Module> module,
                                const Generation &how, Steps *steps) {
  static const bool isLimited = (limitUnrolling(), true);
  (void)isLimited;
  std::vector<Expected<Generated>> made;
  {
    std::shared_lock lock(options());
    std::vector<std::string> parts = partsOf(*module);
    if (parts.empty())
      made.push_back(generate(std::move(module), how));
    else
      made = generateParts(parts, how);
  }
  llvm::Error error = llvm::Error::success();
  std::vector<std::string> objects;
  for (Expected<Generated> &each : made) {
    if (!each) {
      error = llvm::joinErrors(std::move(error), each.takeError());
      continue;
    }
    keep(steps, "llvm", each->llvm);
    keep(steps, "assembly", each->assembly);
    objects.push_back(std::move(each->object));
  }
  if (error)
    return error;
  std::unique_lock lock(options());
  auto library = linkSharedObject(objects);
  limitUnrolling();
  return library;
}

} // namespace

Expected<std::string> ingot::compileKernel(llvm::StringRef text,
                                           llvm::StringRef processor,
                                           Steps *steps) {
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &each) {
    stream << each.getLocation() << ": " << each << '\n';
    return mlir::success();
  });

  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return fail(errors);
  mlir::Operation *function = module->lookupSymbol("kernel");
  if (!function)
    return fail("the module has no function `kernel`");
  bool isStrict = function->hasAttr("ingot.strict");
  std::vector<std::string> without;
  if (auto names = function->getAttrOfType<mlir::ArrayAttr>(withoutName))
    for (auto name : names.getAsRange<mlir::StringAttr>())
      without.push_back(name.str());
  if (failed(run(*module, [&](mlir::OpPassManager &manager) {
        addKernelToLinalg(manager, without);
      })))
    return fail(errors);
  keep(steps, "linalg", *module);
  if (failed(run(*module, [&](mlir::OpPassManager &manager) {
        addLinalgToLlvm(manager, without);
      })))
    return fail(errors);
  keep(steps, "llvm-dialect", *module);

  auto kernel = module->lookupSymbol<mlir::LLVM::LLVMFuncOp>("kernel");
  auto frame = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>("ingot.frame");
  if (!frame || frame.size() != kernel.getNumArguments())
    return fail("`ingot.frame` must have a number for each parameter");

  int64_t memory = 0;
  if (auto bytes = kernel->getAttrOfType<mlir::IntegerAttr>("ingot.memory"))
    memory = bytes.getInt();

  // By name: the iterations of a thread, and the pieces for each.
  llvm::StringMap<std::pair<int64_t, int64_t>> parts;
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>())
    if (auto shared =
            function->getAttrOfType<mlir::DenseI64ArrayAttr>("ingot.shared"))
      parts[function.getName()] = {shared[0], shared[1]};

  llvm::LLVMContext llvmContext;
  auto translated = mlir::translateModuleToLLVMIR(*module, llvmContext);
  if (!translated)
    return fail(errors);
  addEntryPoints(*translated->getFunction("kernel"), frame);
  // What the kernel allocates, for the runtime to tell.
  llvm::Constant *bytes =
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(llvmContext), memory);
  new llvm::GlobalVariable(*translated, bytes->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, bytes,
                           "ingot_memory");
  defineNumpyFunctions(*translated);
  for (const auto &[name, shared] : parts)
    shareCalls(*translated->getFunction(name), shared.first, shared.second);
  Generation how{processor.str(), isStrict, /*explain=*/steps != nullptr};
  return libraryOf(std::move(translated), how, steps);
}
