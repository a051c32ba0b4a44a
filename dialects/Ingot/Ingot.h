//===- Ingot.h - The ingot dialect ------------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_INGOT_H
#define INGOT_DIALECTS_INGOT_INGOT_H

#include "Ingot/AxisRule.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ingot {
/// The side-effect resource that `assert` and `print` write, so that no pass
/// reorders or removes them.
struct EffectResource
    : public mlir::SideEffects::Resource::Base<EffectResource> {
  llvm::StringRef getName() final { return "<ingot effects>"; }
};

/// Arithmetic on constants that have equal elements.
mlir::LogicalResult
foldElementwise(mlir::Operation *op, mlir::ArrayRef<mlir::Attribute> operands,
                llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

/// Each element of the result depends only on the elements of the operands at
/// its index, after NumPy's broadcasting.
template <typename ConcreteType>
struct ElementwiseTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, ElementwiseTrait> {
  static mlir::LogicalResult
  foldTrait(mlir::Operation *op, mlir::ArrayRef<mlir::Attribute> operands,
            llvm::SmallVectorImpl<mlir::OpFoldResult> &results) {
    return foldElementwise(op, operands, results);
  }
};

/// The operation's .td entry gives its axis rule.
template <typename ConcreteType>
struct AxisRuleTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, AxisRuleTrait> {};

/// The result is linear in all floating operands together.
template <typename ConcreteType>
struct LinearTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, LinearTrait> {};

/// The adjoint is the transpose of the operations that `buildTangents` emits.
template <typename ConcreteType>
struct TransposedTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, TransposedTrait> {};

/// Reverse mode saves the results as residuals: to recompute them takes more
/// than a pass over their elements.
template <typename ConcreteType>
struct CostlyTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, CostlyTrait> {};

/// The tangents of a linear operation: the same operation applied to the
/// operands' tangents. Null tangents of floating operands become zeros.
mlir::LogicalResult
buildLinearTangents(mlir::Operation *op, mlir::OpBuilder &builder,
                    mlir::ArrayRef<mlir::Value> tangents,
                    llvm::SmallVectorImpl<mlir::Value> &results);

/// Tangents and adjoints by `scaled`, and adjoints as transposes of the
/// tangents: see DifferentiableOpInterface.
mlir::LogicalResult
buildScaledTangents(mlir::Operation *op, mlir::OpBuilder &builder,
                    mlir::ArrayRef<mlir::Value> tangents,
                    llvm::SmallVectorImpl<mlir::Value> &results);
mlir::LogicalResult
buildTransposedAdjoints(mlir::Operation *op, mlir::OpBuilder &builder,
                        mlir::ArrayRef<mlir::Value> cotangents,
                        llvm::SmallVectorImpl<mlir::Value> &results);
mlir::LogicalResult
buildScaledAdjoints(mlir::Operation *op, mlir::OpBuilder &builder,
                    mlir::ArrayRef<mlir::Value> cotangents,
                    llvm::SmallVectorImpl<mlir::Value> &results);
} // namespace ingot

#include "Ingot/Batchable.h.inc"
#include "Ingot/Dialect.h.inc"
#include "Ingot/Differentiable.h.inc"
#include "Ingot/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Ingot/Attributes.h.inc"

#define GET_OP_CLASSES
#include "Ingot/Ops.h.inc"

#endif // INGOT_DIALECTS_INGOT_INGOT_H
