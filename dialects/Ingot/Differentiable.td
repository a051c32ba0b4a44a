//===- Differentiable.td - Tangents and adjoints -----------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIFFERENTIABLE_TD
#define INGOT_DIFFERENTIABLE_TD

include "mlir/IR/OpBase.td"

def Ingot_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{
    The derivative of an operation. A tangent or cotangent has the type of its primal
    value; a null value stands for zero. Only floating and complex values have
    tangents and cotangents.

    Which methods an operation implements depends on its kind: a holomorphic elementwise
    operation implements `scaled` only, a linear operation `buildAdjoints` only, an
    operation whose adjoint is the transpose of its tangent `buildTangents` only, and any
    other operation both. As in JAX, adjoints are transposes without conjugation.
  }];
  let methods = [
    InterfaceMethod<
      [{Returns the seed times the derivative of the result by an operand, element by
      element, in the result's shape: the caller undoes the broadcasting.}],
      "::mlir::Value", "scaled",
      (ins "::mlir::OpBuilder &":$builder, "unsigned":$operand, "::mlir::Value":$seed), [{}],
      [{ return nullptr; }]>,
    InterfaceMethod<
      "Computes the tangents of the results from those of the operands.",
      "::mlir::LogicalResult", "buildTangents",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ArrayRef<::mlir::Value>":$tangents,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results), [{}], [{
        if constexpr (ConcreteOp::template hasTrait<::ingot::LinearTrait>())
          return ::ingot::buildLinearTangents($_op.getOperation(), builder, tangents, results);
        return ::ingot::buildScaledTangents($_op.getOperation(), builder, tangents, results);
      }]>,
    InterfaceMethod<
      "Computes the cotangents of the operands from those of the results.",
      "::mlir::LogicalResult", "buildAdjoints",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ArrayRef<::mlir::Value>":$cotangents,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results), [{}], [{
        if constexpr (ConcreteOp::template hasTrait<::ingot::TransposedTrait>())
          return ::ingot::buildTransposedAdjoints($_op.getOperation(), builder, cotangents,
                                                  results);
        return ::ingot::buildScaledAdjoints($_op.getOperation(), builder, cotangents, results);
      }]>,
    InterfaceMethod<
      [{Adds the first operand's cotangent to a sum. Operations that read a small part of
      the operand update only that part of the sum; others return null.}],
      "::mlir::Value", "accumulate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$cotangent,
           "::mlir::Value":$sum), [{}], [{ return nullptr; }]>
  ];
}

/// An operation that is jointly linear in its floating operands: the same operation
/// applied to the tangents of the operands computes the tangents of the results.
def Ingot_IsLinear : NativeOpTrait<"LinearTrait"> {
  let cppNamespace = "::ingot";
}
def Ingot_Linear
    : TraitList<[Ingot_IsLinear,
                 DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                           ["buildAdjoints"]>]>;

/// An operation whose adjoint is derived from `buildTangents` by transposing the linear
/// operations that it emits.
def Ingot_IsTransposed : NativeOpTrait<"TransposedTrait"> {
  let cppNamespace = "::ingot";
}
def Ingot_Transposed
    : TraitList<[Ingot_IsTransposed,
                 DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                           ["buildTangents"]>]>;

/// A linear operation that reads a part of its first operand.
def Ingot_Reads
    : TraitList<[Ingot_IsLinear,
                 DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                           ["buildAdjoints", "accumulate"]>]>;

/// An operation whose results reverse mode saves as residuals instead of recomputing them.
def Ingot_Costly : NativeOpTrait<"CostlyTrait"> {
  let cppNamespace = "::ingot";
}

/// An operation whose derivative is written in Derivatives/.
def Ingot_Differentiable
    : DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                ["buildTangents", "buildAdjoints"]>;

#endif // INGOT_DIFFERENTIABLE_TD
