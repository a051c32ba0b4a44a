//===- Elementwise.td - Broadcasting elementwise operations *- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_ELEMENTWISE_TD
#define INGOT_ELEMENTWISE_TD

include "Base.td"

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

class OneFormula<list<string> formulas>
    : Ingot_Formulas<"[[maybe_unused]] Expr x = t.with(getOperand());", formulas>;
class TwoFormulas<list<string> formulas>
    : Ingot_Formulas<"[[maybe_unused]] Expr a = t.with(getLhs()), b = t.with(getRhs());",
                     formulas>;

/// An operation that broadcasts its operands. `element` is a C++ expression over
/// `operands` for the element type of the result.
class Ingot_BroadcastingOp<string mnemonic, string element, list<Trait> traits = [],
                           string definitions = "">
    : Ingot_InferredOp<mnemonic, !listconcat([Ingot_Elementwise], traits)> {
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> location, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      ::mlir::ValueRange operands = adaptor.getOperands();
      return inferBroadcast(location, operands, }] # element # [{, results);
    }
  }] # definitions;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

/// The result has the operand's type. `formulas` define the derivative, see
/// Ingot_Formulas.
class Ingot_Unary<string mnemonic, list<Type> types, string numpyName,
                  list<string> formulas = [], list<Trait> traits = []>
    : Ingot_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType, Ingot_Elementwise],
                                     OneFormula<formulas>.traits, traits)> {
  let extraClassDefinition = OneFormula<formulas>.definition;
  let summary = "np." # numpyName;
  let description = "Computes NumPy's `" # numpyName # [{` of each element.

    ```mlir
    %1 = ingot.}] # mnemonic # [{ %0 : tensor<4xT>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<types>:$operand);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

defvar FloatOrComplex = [Ingot_Float, Ingot_Complex];

def Ingot_NegOp : Ingot_Unary<"neg", [Ingot_Number], "negative", ["-t"]>;
def Ingot_SignOp : Ingot_Unary<"sign", [Ingot_Number], "sign", [], [Ingot_Transposed]>;
def Ingot_NotOp : Ingot_Unary<"not", [I1, Ingot_Int], "invert">;
def Ingot_ConjOp : Ingot_Unary<"conj", [Ingot_Complex], "conjugate", ["apply<ConjOp>(t)"]>;
def Ingot_ExpOp : Ingot_Unary<"exp", FloatOrComplex, "exp", ["t * y"]>;
def Ingot_Expm1Op : Ingot_Unary<"expm1", FloatOrComplex, "expm1", ["t * (y + 1)"]>;
def Ingot_LogOp : Ingot_Unary<"log", FloatOrComplex, "log", ["t / x"]>;
def Ingot_Log1pOp : Ingot_Unary<"log1p", FloatOrComplex, "log1p", ["t / (x + 1)"]>;
def Ingot_SqrtOp : Ingot_Unary<"sqrt", FloatOrComplex, "sqrt", ["timesSlopeOfRoot(t, x, y)"]>;
def Ingot_CbrtOp : Ingot_Unary<"cbrt", [Ingot_Float], "cbrt", ["t * where(y.compare(Comparison::EQ, y.number(0)), markOfKink(y), 1.0 / (3 * y * y))"]>;
def Ingot_SinOp : Ingot_Unary<"sin", FloatOrComplex, "sin", ["t * apply<CosOp>(x)"]>;
def Ingot_CosOp : Ingot_Unary<"cos", FloatOrComplex, "cos", ["t * -apply<SinOp>(x)"]>;
def Ingot_TanOp : Ingot_Unary<"tan", FloatOrComplex, "tan", ["t * (y * y + 1)"]>;
def Ingot_AsinOp : Ingot_Unary<"asin", FloatOrComplex, "arcsin", ["t * rootOfInverse(oneMinusSquare(x))"]>;
def Ingot_AcosOp : Ingot_Unary<"acos", FloatOrComplex, "arccos", ["-t * rootOfInverse(oneMinusSquare(x))"]>;
def Ingot_AtanOp : Ingot_Unary<"atan", FloatOrComplex, "arctan", ["t / (x * x + 1)"]>;
def Ingot_SinhOp : Ingot_Unary<"sinh", FloatOrComplex, "sinh", ["t * apply<CoshOp>(x)"]>;
def Ingot_CoshOp : Ingot_Unary<"cosh", FloatOrComplex, "cosh", ["t * apply<SinhOp>(x)"]>;
def Ingot_TanhOp : Ingot_Unary<"tanh", FloatOrComplex, "tanh", ["t * (1 - y * y)"]>;
def Ingot_AsinhOp : Ingot_Unary<"asinh", FloatOrComplex, "arcsinh", ["t / apply<SqrtOp>(x * x - -1.0)"]>;
def Ingot_AcoshOp : Ingot_Unary<"acosh", FloatOrComplex, "arccosh", ["t * (rootOfInverse(x - 1) * rootOfInverse(x - -1.0))"]>;
def Ingot_AtanhOp : Ingot_Unary<"atanh", FloatOrComplex, "arctanh", ["t / (1 - x * x)"]>;
def Ingot_FloorOp : Ingot_Unary<"floor", [Ingot_Float], "floor", [""]>;
def Ingot_CeilOp : Ingot_Unary<"ceil", [Ingot_Float], "ceil", [""]>;
def Ingot_TruncOp : Ingot_Unary<"trunc", [Ingot_Float], "trunc", [""]>;
def Ingot_RintOp : Ingot_Unary<"rint", [Ingot_Float], "rint", [""]>;

/// A function of scipy.special.
class Ingot_Special<string mnemonic, string scipyName, list<string> formulas = []>
    : Ingot_Unary<mnemonic, [Ingot_Float], scipyName, formulas> {
  let summary = "scipy.special." # scipyName;
  let description = "Computes scipy.special's `" # scipyName # [{` of each element.

    ```mlir
    %1 = ingot.}] # mnemonic # [{ %0 : tensor<4xT>
    ```
  }];
}

def Ingot_ErfOp
    : Ingot_Special<"erf", "erf", ["t * (1.1283791670955126 * apply<ExpOp>(-(x * x)))"]>;
def Ingot_ErfcOp
    : Ingot_Special<"erfc", "erfc", ["t * (-1.1283791670955126 * apply<ExpOp>(-(x * x)))"]>;
def Ingot_ErfInvOp
    : Ingot_Special<"erf_inv", "erfinv", ["t * (0.886226925452758 * apply<ExpOp>(y * y))"]>;
def Ingot_LgammaOp
    : Ingot_Special<"lgamma", "gammaln", ["t * apply<DigammaOp>(x)"]>;
def Ingot_DigammaOp
    : Ingot_Special<"digamma", "digamma", ["t * apply<PolygammaOp>(x.number(1), x)"]>;

/// The result has the operand's element type, or for complex operands the type of their
/// parts.
class Ingot_ToReal<string mnemonic, list<Type> types, string numpyName, Trait derivative>
    : Ingot_BroadcastingOp<mnemonic, "realOf(elementOf(operands[0]))", [derivative]> {
  let summary = "np." # numpyName;
  let description = "Computes NumPy's `" # numpyName # [{` of each element. For complex
    operands, the result has the type of the real part.

    ```mlir
    %1 = ingot.}] # mnemonic # [{ %0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<types>:$operand);
  let results = (outs Ingot_Tensor:$result);
}

def Ingot_AbsOp : Ingot_ToReal<"abs", [Ingot_Number], "absolute", Ingot_Differentiable>;
def Ingot_RealOp : Ingot_ToReal<"real", [Ingot_Complex], "real", Ingot_Linear>;
def Ingot_ImagOp : Ingot_ToReal<"imag", [Ingot_Complex], "imag", Ingot_Linear>;

def Ingot_IsFiniteOp
    : Ingot_BroadcastingOp<"is_finite", "boolOf(operands)"> {
  let summary = "np.isfinite";
  let description = [{
    True where an element is neither infinite nor NaN.

    ```mlir
    %1 = ingot.is_finite %0 : (tensor<4xf64>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[Ingot_Float]>:$operand);
  let results = (outs Ingot_Pred:$result);
}

def Ingot_ConvertOp
    : Ingot_Op<"convert", [Pure, Ingot_Elementwise, Ingot_Linear,
                           SameOperandsAndResultShape]> {
  let summary = "ndarray.astype";
  let description = [{
    Converts each element as C does: conversion to an integer truncates, conversion to
    `bool` tests for non-zero, and conversion from complex drops the imaginary part.

    ```mlir
    %1 = ingot.convert %0 : (tensor<4xi64>) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins Ingot_Tensor:$operand);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Ingot_BitcastOp : Ingot_Op<"bitcast", [Pure, Ingot_Elementwise, SameOperandsAndResultShape]> {
  let summary = "ndarray.view of another dtype, as a copy";
  let description = [{
    Reinterprets the bits of each element as another type of the same width (C1).

    ```mlir
    %1 = ingot.bitcast %0 : (tensor<4xf64>) -> tensor<4xi64>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[Ingot_Int, Ingot_Float]>:$operand);
  let results = (outs Ingot_TensorOf<[Ingot_Int, Ingot_Float]>:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

/// The operands have the same element type and broadcast against each other.
class Ingot_Binary<string mnemonic, list<Type> types, string numpyName,
                   list<Trait> traits = [], list<string> formulas = []>
    : Ingot_BroadcastingOp<mnemonic, "elementOf(operands[0])",
                           !listconcat(traits, TwoFormulas<formulas>.traits),
                           TwoFormulas<formulas>.definition> {
  let summary = "np." # numpyName;
  let description = "Computes NumPy's `" # numpyName # [{`, broadcasting.

    ```mlir
    %2 = ingot.}] # mnemonic # [{ %0, %1 : (tensor<3x1xT>, tensor<4xT>) -> tensor<3x4xT>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<types>:$lhs, Ingot_TensorOf<types>:$rhs);
  let results = (outs Ingot_Tensor:$result);
}

def Ingot_AddOp
    : Ingot_Binary<"add", [Ingot_Number], "add", [Commutative],
                  ["t",
                   "t"]>;
def Ingot_SubOp
    : Ingot_Binary<"sub", [Ingot_Number], "subtract", [],
                  ["t",
                   "-t"]>;
def Ingot_MulOp
    : Ingot_Binary<"mul", [Ingot_Number], "multiply", [Commutative],
                  ["t * b",
                   "t * a"]>;
def Ingot_DivOp
    : Ingot_Binary<"div", FloatOrComplex, "divide", [],
                  ["t / b",
                   "-(t.over(b) * y)"]>;

/// Derivative rules multiply tangents and cotangents by these.
class Ingot_NoNan<string mnemonic, string plain, list<string> formulas>
    : Ingot_Binary<mnemonic, FloatOrComplex, plain, [], formulas> {
  let summary = "np." # plain # ", but zero where the first operand is zero";
  let description = "Computes NumPy's `" # plain # [{`, broadcasting, but the result is zero
    where `lhs` is zero, even if `rhs` is infinite, NaN or zero there. The sign of a zero result
    is unspecified.

    Derivative rules use it to multiply or divide tangents and cotangents, which are zero in
    a branch of `np.where` that is not taken, whatever the derivative is there. `mul_no_nan`
    with `both` is also zero where `rhs` is zero: in second derivatives both factors are
    derivatives, and each of them may belong to a branch that is not taken.

    ```mlir
    %2 = ingot.}] # mnemonic # [{ %0, %1 : (tensor<3x1xT>, tensor<4xT>) -> tensor<3x4xT>
    ```
  }];
}

def Ingot_MulNoNanOp
    : Ingot_NoNan<"mul_no_nan", "multiply",
                  ["getBoth() ? zeroingProduct(t, b) : t * b", "slopeOfFactor(*this, t, a)"]> {
  let arguments = (ins Ingot_TensorOf<FloatOrComplex>:$lhs, Ingot_TensorOf<FloatOrComplex>:$rhs,
                       UnitAttr:$both);
}
def Ingot_DivNoNanOp
    : Ingot_NoNan<"div_no_nan", "divide", ["t / b", "-zeroingProduct(t.over(b), y)"]>;

def Ingot_FloorDivOp
    : Ingot_Binary<"floor_div", [Ingot_Int, Ingot_Float], "floor_divide", [],
                  ["",
                   ""]>;
def Ingot_ModOp
    : Ingot_Binary<"mod", [Ingot_Int, Ingot_Float], "remainder", [],
                  ["t",
                   "t * -a.make<FloorDivOp>(a.value, b.value)"]>;
def Ingot_FmodOp
    : Ingot_Binary<"fmod", [Ingot_Int, Ingot_Float], "fmod", [],
                  ["t",
                   "t * -apply<TruncOp>(a / b)"]>;
def Ingot_PowOp
    : Ingot_Binary<"pow", [Ingot_Number], "power", [],
                  ["timesPowerByBase(t, a, b)",
                   "t * powerByExponent(a, b, y)"]>;
def Ingot_MaximumOp
    : Ingot_Binary<"maximum", [I1, Ingot_Int, Ingot_Float], "maximum", [],
                  ["t * shareOfGreater(a, b)",
                   "t * shareOfGreater(b, a)"]>;
def Ingot_MinimumOp
    : Ingot_Binary<"minimum", [I1, Ingot_Int, Ingot_Float], "minimum", [],
                  ["t * shareOfGreater(b, a)",
                   "t * shareOfGreater(a, b)"]>;
def Ingot_Atan2Op
    : Ingot_Binary<"atan2", [Ingot_Float], "arctan2", [],
                  ["t * (b / oneForZero(a * a + b * b))",
                   "t * -(a / oneForZero(a * a + b * b))"]>;
def Ingot_PolygammaOp
    : Ingot_Binary<"polygamma", [Ingot_Float], "scipy.special.polygamma", [],
                  ["",
                   "t * apply<PolygammaOp>(a + 1, b)"]>;
def Ingot_AndOp : Ingot_Binary<"and", [I1, Ingot_Int], "bitwise_and", [Commutative]>;
def Ingot_OrOp : Ingot_Binary<"or", [I1, Ingot_Int], "bitwise_or", [Commutative]>;
def Ingot_XorOp : Ingot_Binary<"xor", [I1, Ingot_Int], "bitwise_xor", [Commutative]>;
def Ingot_ShiftLeftOp : Ingot_Binary<"shift_left", [Ingot_Int], "left_shift">;
def Ingot_ShiftRightOp : Ingot_Binary<"shift_right", [Ingot_Int], "right_shift">;

def Ingot_ComplexOp
    : Ingot_BroadcastingOp<"complex", "::mlir::ComplexType::get(elementOf(operands[0]))",
                           [Ingot_Linear]> {
  let summary = "complex numbers from real and imaginary parts";
  let description = [{
    ```mlir
    %2 = ingot.complex %re, %im : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[F32, F64]>:$real, Ingot_TensorOf<[F32, F64]>:$imag);
  let results = (outs Ingot_TensorOf<[Ingot_Complex]>:$result);
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

def Ingot_Comparison
    : Ingot_I32Enum<"Comparison", "how two elements compare", [
        I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
        I32EnumAttrCase<"LT", 2, "lt">, I32EnumAttrCase<"LE", 3, "le">,
        I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def Ingot_ComparisonAttr : EnumAttr<IngotDialect, Ingot_Comparison, "comparison">;

def Ingot_CompareOp
    : Ingot_BroadcastingOp<"compare", "boolOf(operands)"> {
  let summary = "np.equal, not_equal, less, less_equal, greater, greater_equal";
  let description = [{
    Compares elements, broadcasting. Complex numbers have `eq` and `ne` only (C1).

    ```mlir
    %2 = ingot.compare lt %0, %1 : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xi1>
    ```
  }];
  let arguments = (ins Ingot_ComparisonAttr:$comparison, Ingot_Tensor:$lhs, Ingot_Tensor:$rhs);
  let results = (outs Ingot_Pred:$result);
  let assemblyFormat = [{
    `` $comparison $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Ingot_SelectOp
    : Ingot_BroadcastingOp<"select", "elementOf(operands[1])", [Ingot_Linear]> {
  let summary = "np.where";
  let description = [{
    Selects elements of `on_true` where `condition` holds and of `on_false` elsewhere. The
    three operands broadcast against each other.

    ```mlir
    %3 = ingot.select %c, %0, %1 : (tensor<4xi1>, tensor<3x1xf64>, tensor<f64>) -> tensor<3x4xf64>
    ```
  }];
  let arguments = (ins Ingot_Pred:$condition, Ingot_Tensor:$on_true, Ingot_Tensor:$on_false);
  let results = (outs Ingot_Tensor:$result);
  let hasFolder = 1;
}

#endif // INGOT_ELEMENTWISE_TD
