//===- KernelCall.h - Programs that only call a kernel ----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_FUSION_KERNELCALL_H
#define INGOT_PASSES_FUSION_KERNELCALL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <string>
#include <vector>

namespace ingot {

/// A program that calls one kernel and does nothing else, so that the runtime
/// can call the kernel itself.
struct KernelCall {
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;

  std::string kernel;
  /// The types of the program's inputs and outputs.
  mlir::FunctionType type;
  /// The input and the output of the program that each parameter of the kernel
  /// is, or -1. A parameter that is both is overwritten in place.
  Pairs parameters;
  /// Outputs that are inputs: pairs of the input and the output.
  Pairs passed;
  /// Outputs that are the same as an earlier one: pairs of this and the output.
  Pairs repeated;
  /// The inputs of shape () that tell the lengths of the kernel's loops; none
  /// if other values tell them, too.
  std::optional<std::vector<int64_t>> lengths;
};

/// The arguments that tell the lengths of a kernel's loops, if these are all of
/// shape () and no condition tells whether a loop runs.
std::optional<llvm::SmallVector<unsigned>> lengthsOf(mlir::func::FuncOp kernel);

/// The call of a module after `lower-to-stablehlo`, which still has its
/// kernels; none if the program does anything else.
std::optional<KernelCall> kernelCallOf(mlir::ModuleOp module);

} // namespace ingot

#endif // INGOT_PASSES_FUSION_KERNELCALL_H
