//===- NativePasses.h - From linalg to the LLVM dialect ---------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_NATIVE_NATIVEPASSES_H
#define INGOT_NATIVE_NATIVEPASSES_H

#include "CHLO/CHLO.h"
#include "Ingot/Ingot.h"
#include "StableHLO/StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace ingot {

#define GEN_PASS_DECL
#include "Native/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Native/Passes.h.inc"

/// The `library_call` of products of matrices, which NumPy computes. Others are
/// the names of NumPy's functions.
inline constexpr llvm::StringLiteral multiplyCall = "multiply";

/// Loads the dialects of native kernels, with their models of interfaces.
void registerNativeDialects(mlir::DialectRegistry &registry);

/// Registers the passes of native kernels and their pipelines,
/// `ingot-linalg-to-llvm` and `ingot-kernel-to-llvm`.
void registerNativePasses();

/// Adds the passes from the ingot dialect to linalg on tensors, without some of
/// those that only make kernels faster.
void addKernelToLinalg(mlir::OpPassManager &manager,
                       llvm::ArrayRef<std::string> without = {});

/// Adds the passes from linalg on tensors to the LLVM dialect.
void addLinalgToLlvm(mlir::OpPassManager &manager,
                     llvm::ArrayRef<std::string> without = {});

} // namespace ingot

#endif // INGOT_NATIVE_NATIVEPASSES_H
