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
    The derivative of an operation. Tangents and cotangents have the types of the
    values that they belong to; a null value is one that is zero. Values that are
    neither floating nor complex have none.

    An elementwise operation that is differentiable in the complex sense gives
    `scaled` alone, a linear one `buildAdjoints` alone, one whose adjoint is the transpose
    of its tangent `buildTangents` alone; other operations give both. Adjoints are transposes without conjugation, as JAX's.
  }];
  let methods = [
    InterfaceMethod<
      [{The seed times the derivative of the result by an operand, element by element,
      before it is summed to the operand's shape.}],
      "::mlir::Value", "scaled",
      (ins "::mlir::OpBuilder &":$builder, "unsigned":$operand, "::mlir::Value":$seed), [{}],
      [{ return nullptr; }]>,
    InterfaceMethod<
      "The results' tangents of the operands'.", "::mlir::LogicalResult", "buildTangents",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ArrayRef<::mlir::Value>":$tangents,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results), [{}], [{
        if constexpr (ConcreteOp::template hasTrait<::ingot::LinearTrait>())
          return ::ingot::buildLinearTangents($_op.getOperation(), builder, tangents, results);
        return ::ingot::buildScaledTangents($_op.getOperation(), builder, tangents, results);
      }]>,
    InterfaceMethod<
      "The operands' cotangents of the results'.", "::mlir::LogicalResult", "buildAdjoints",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ArrayRef<::mlir::Value>":$cotangents,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results), [{}], [{
        if constexpr (ConcreteOp::template hasTrait<::ingot::TransposedTrait>())
          return ::ingot::buildTransposedAdjoints($_op.getOperation(), builder, cotangents,
                                                  results);
        return ::ingot::buildScaledAdjoints($_op.getOperation(), builder, cotangents, results);
      }]>,
    InterfaceMethod<
      [{Adds the first operand's cotangent to a sum, where the operation reads a small
      part of it: the sum is updated in place. Null for other operations.}],
      "::mlir::Value", "accumulate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$cotangent,
           "::mlir::Value":$sum), [{}], [{ return nullptr; }]>
  ];
}

/// An operation that is linear in all of its floating operands together: the tangents
/// of its results are the same operation of those of its operands.
def Ingot_IsLinear : NativeOpTrait<"LinearTrait"> {
  let cppNamespace = "::ingot";
}
def Ingot_Linear
    : TraitList<[Ingot_IsLinear,
                 DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                           ["buildAdjoints"]>]>;

/// An operation whose adjoint is made from `buildTangents`, which emits linear operations.
def Ingot_IsTransposed : NativeOpTrait<"TransposedTrait"> {
  let cppNamespace = "::ingot";
}
def Ingot_Transposed
    : TraitList<[Ingot_IsTransposed,
                 DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                           ["buildTangents"]>]>;

/// An operation that reads a part of its first operand.
def Ingot_Reads
    : TraitList<[Ingot_IsLinear,
                 DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                           ["buildAdjoints", "accumulate"]>]>;

/// An operation whose result a derivative keeps rather than computes again.
def Ingot_Costly : NativeOpTrait<"CostlyTrait"> {
  let cppNamespace = "::ingot";
}

/// An operation with a derivative of its own, in Derivatives/.
def Ingot_Differentiable
    : DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface,
                                ["buildTangents", "buildAdjoints"]>;

#endif // INGOT_DIFFERENTIABLE_TD
