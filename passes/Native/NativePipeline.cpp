//===- NativePipeline.cpp - The order of the passes of native kernels -----===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferTypes.h"
#include "NativePasses.h"
#include "Passes.h"

#include "Ingot/Ingot.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {

void simplify(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// From tensors to buffers.
void addBufferization(OpPassManager &manager) {
  // The lowering repeats constants and slices. Only equal slices are seen to be
  // the same memory. Canonicalization would remove carried values of
  // `scf.while` that its condition does not need, and bufferization knows those
  // by their position.
  manager.addPass(createCSEPass());
  manager.addPass(bufferization::createOneShotBufferizePass());
  // Equal views become one, so that a copy of a buffer to itself is removed.
  simplify(manager);
  manager.addPass(createCanonicalizerPass());
}

/// Adds a pass that only makes kernels faster, unless it is left out.
void optimize(OpPassManager &manager, ArrayRef<std::string> without,
              std::unique_ptr<Pass> pass) {
  if (!llvm::is_contained(without, pass->getArgument()))
    manager.addNestedPass<func::FuncOp>(std::move(pass));
}

/// From operations on buffers to loops with loads and stores.
void addLoops(OpPassManager &manager, ArrayRef<std::string> without) {
  manager.addNestedPass<func::FuncOp>(ingot::createSplitIndexSets());
  // It makes `linalg` operations, so these are lowered after it.
  manager.addNestedPass<func::FuncOp>(ingot::createCopiesToLoops());
  manager.addPass(ingot::createOutlineParallelLoops());
  manager.addPass(ingot::createOutlineNests());
  // What a loop needs for itself is allocated in the function that the loop has
  // become: each thread has its own. It asks which operations use a buffer,
  // while loops are still operations.
  manager.addNestedPass<func::FuncOp>(ingot::createPlaceAllocations());
  manager.addPass(ingot::createCallNumpy());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(ingot::createCastReshapes());
  // A load from a view becomes a load from the buffer, so that LLVM sees plain
  // indices instead of pointers that change.
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  simplify(manager);
  // It compares the indices of loads and stores.
  optimize(manager, without, ingot::createJamLoops());
  simplify(manager);
  manager.addPass(createSCFToControlFlowPass());
}

/// From all dialects to LLVM's.
void addConversions(OpPassManager &manager) {
  // Views become arithmetic of the affine dialect, which becomes arith's.
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  // Each of these takes what is left of the math dialect: first what LLVM would
  // compute inaccurately, then what it computes, then the rest.
  manager.addPass(ingot::createCallLibm());
  manager.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertComplexToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  // LLVM knows that memory of `aligned_alloc` has no other name. It can't know
  // it of an address that is rounded up after `malloc`.
  manager.addPass(
      createFinalizeMemRefToLLVMConversionPass({/*useAlignedAlloc=*/true}));
  ConvertFuncToLLVMPassOptions barePointers;
  barePointers.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(barePointers));
  manager.addPass(createConvertControlFlowToLLVMPass());
  // Casts between types of both sides are left by each conversion.
  manager.addPass(createReconcileUnrealizedCastsPass());
}

struct KernelOptions : PassPipelineOptions<KernelOptions> {
  ListOption<std::string> without{
      *this, "without",
      llvm::cl::desc("Passes to leave out that only make kernels faster")};
};

} // namespace

void ingot::addKernelToLinalg(OpPassManager &manager,
                              ArrayRef<std::string> without) {
  // An array that a loop carries and leaves as it is would be copied, and
  // bufferization may not see that the copy is the same.
  manager.addNestedPass<func::FuncOp>(createPruneCarried());
  manager.addNestedPass<func::FuncOp>(createExpandProducts());
  optimize(manager, without, createSplitAxes());
  optimize(manager, without, createMergeFills());
  optimize(manager, without, createOrientProducts());
  optimize(manager, without, createFuseProducts());
  optimize(manager, without, createFuseLoops());
  optimize(manager, without, createStoreCarried());
  optimize(manager, without, createHoistReads());
  optimize(manager, without, createReloadUpdates());
  manager.addPass(createLowerToLinalg());
}

void ingot::addLinalgToLlvm(OpPassManager &manager,
                            ArrayRef<std::string> without) {
  addBufferization(manager);
  addLoops(manager, without);
  addConversions(manager);
}

void ingot::registerNativeDialects(DialectRegistry &registry) {
  registry.insert<
      IngotDialect, arith::ArithDialect, bufferization::BufferizationDialect,
      complex::ComplexDialect, cf::ControlFlowDialect, func::FuncDialect,
      linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
      memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
  // Without these, passes leave what they should transform, and say nothing.
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferViewFlowOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerSubsetOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  memref::registerBufferViewFlowOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBufferTypesOnce(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
}

void ingot::registerNativePasses() {
  registerIngotNativePasses();
  PassPipelineRegistration<>(
      "ingot-linalg-to-llvm", "Lower linalg on tensors to the LLVM dialect",
      [](OpPassManager &manager) { addLinalgToLlvm(manager); });
  PassPipelineRegistration<KernelOptions>(
      "ingot-kernel-to-llvm", "Lower a native kernel to the LLVM dialect",
      [](OpPassManager &manager, const KernelOptions &options) {
        auto without = llvm::to_vector(ArrayRef<std::string>(options.without));
        addKernelToLinalg(manager, without);
        addLinalgToLlvm(manager, without);
      });
}
