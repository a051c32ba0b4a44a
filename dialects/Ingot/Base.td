//===- Base.td - Dialect, element types and base classes ---*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_BASE_TD
#define INGOT_BASE_TD

include "Batchable.td"
include "Differentiable.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def IngotDialect : Dialect {
  let name = "ingot";
  let summary = "NumPy-level array programs";
  let description = [{
    Operations follow NumPy: elementwise operations broadcast their operands,
    scalars are 0-d tensors, and control flow carries values through regions.
    NumPy's unsigned integers are `ui8` to `ui64`, its signed integers are the
    signless `i8` to `i64`, and `bool` is `i1`.
  }];
  let cppNamespace = "::ingot";
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

def Ingot_SInt : AnyTypeOf<[I8, I16, I32, I64], "signed integer">;
def Ingot_UInt : AnyTypeOf<[UI8, UI16, UI32, UI64], "unsigned integer">;
def Ingot_Float : AnyTypeOf<[F16, BF16, F32, F64], "float">;
def Ingot_Complex : AnyTypeOf<[Complex<F32>, Complex<F64>], "complex">;
def Ingot_Int : AnyTypeOf<[Ingot_SInt, Ingot_UInt], "integer">;
def Ingot_Number : AnyTypeOf<[Ingot_Int, Ingot_Float, Ingot_Complex], "number">;
def Ingot_Element : AnyTypeOf<[I1, Ingot_Number], "NumPy element">;

class Ingot_TensorOf<list<Type> types> : StaticShapeTensorOf<types>;
def Ingot_Tensor : Ingot_TensorOf<[Ingot_Element]>;
def Ingot_Pred : Ingot_TensorOf<[I1]>;
def Ingot_IntTensor : Ingot_TensorOf<[Ingot_Int]>;
def Ingot_Scalar
    : Type<And<[Ingot_Tensor.predicate,
                CPred<"::mlir::cast<::mlir::ShapedType>($_self).getRank() == 0">]>,
           "0-d tensor", "::mlir::RankedTensorType">;
def Ingot_Index
    : Type<And<[Ingot_TensorOf<[I64]>.predicate,
                CPred<"::mlir::cast<::mlir::ShapedType>($_self).getRank() == 0">]>,
           "0-d tensor of i64", "::mlir::RankedTensorType">;
def Ingot_ScalarPred
    : Type<And<[Ingot_Pred.predicate,
                CPred<"::mlir::cast<::mlir::ShapedType>($_self).getRank() == 0">]>,
           "0-d tensor of i1", "::mlir::RankedTensorType">;

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

class Ingot_Op<string mnemonic, list<Trait> traits = []>
    : Op<IngotDialect, mnemonic, traits>;

/// An operation whose result types follow from its operands and attributes. The .cpp file
/// of its family defines `inferReturnTypes`; errors print shapes as NumPy does.
class Ingot_InferredOp<string mnemonic, list<Trait> traits = []>
    : Ingot_Op<mnemonic, !listconcat(traits, [Pure, InferTypeOpAdaptor])>;

/// Defines `scaled` by one C++ formula for each operand: the seed `t` times the derivative
/// of the result by that operand. Formulas may use `t`, the result `y`, and the operands,
/// which `names` declares. "" means that the derivative is zero.
class Ingot_Formulas<string names, list<string> formulas> {
  string cases = !interleave(
      !foreach(i, !range(formulas),
               "case " # i # ": return " # !if(!empty(formulas[i]), "nullptr", formulas[i]) # ";"),
      "\n");
  string definition = !if(!empty(formulas), "", [{
    ::mlir::Value $cppClass::scaled(::mlir::OpBuilder &builder, unsigned operand,
                                    ::mlir::Value seed) {
      Seed t(builder, getLoc(), seed);
      [[maybe_unused]] Expr y = t.with(getResult());
      }] # names # [{
      switch (operand) {
      }] # cases # [{
      }
      llvm_unreachable("an operand without a formula");
    }
  }]);
  list<Trait> traits = !if(!empty(formulas), []<Trait>,
      [DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface, ["scaled"]>]);
}

def Ingot_IsElementwise : NativeOpTrait<"ElementwiseTrait"> {
  let cppNamespace = "::ingot";
}
def Ingot_Elementwise
    : TraitList<[Ingot_IsElementwise, Ingot_Batchable<"broadcastAxes(*this)">]>;

class Ingot_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::ingot";
  let genSpecializedAttr = 0;
}

#endif // INGOT_BASE_TD
