//===- Ops.td - The StableHLO operations that Ingot emits --*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written from the public StableHLO specification. The dialect has only the
// operations that the lowering emits, and prints as StableHLO does: the tests
// have jaxlib parse, verify and print every lowered module.
//
//===----------------------------------------------------------------------===//

#ifndef STABLEHLO_OPS_TD
#define STABLEHLO_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StablehloDialect : Dialect {
  let name = "stablehlo";
  let summary = "the part of StableHLO that Ingot emits";
  let cppNamespace = "::stablehlo";
  let useDefaultAttributePrinterParser = 1;
}

class Shlo_Op<string mnemonic, list<Trait> traits = [Pure]>
    : Op<StablehloDialect, mnemonic, traits>;
class Shlo_Attr<string name, string attrMnemonic> : AttrDef<StablehloDialect, name> {
  let mnemonic = attrMnemonic;
}

def Shlo_Element : AnyTypeOf<[AnySignlessInteger, UI8, UI16, UI32, UI64, AnyFloat,
                              Complex<F32>, Complex<F64>]>;
def Shlo_Tensor : StaticShapeTensorOf<[Shlo_Element]>;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

class Shlo_Unary<string mnemonic>
    : Shlo_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Shlo_Tensor:$operand);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Shlo_CbrtOp : Shlo_Unary<"cbrt">;
def Shlo_CeilOp : Shlo_Unary<"ceil">;
def Shlo_CosineOp : Shlo_Unary<"cosine">;
def Shlo_ExponentialOp : Shlo_Unary<"exponential">;
def Shlo_ExponentialMinusOneOp : Shlo_Unary<"exponential_minus_one">;
def Shlo_FloorOp : Shlo_Unary<"floor">;
def Shlo_LogOp : Shlo_Unary<"log">;
def Shlo_LogPlusOneOp : Shlo_Unary<"log_plus_one">;
def Shlo_NegOp : Shlo_Unary<"negate">;
def Shlo_NotOp : Shlo_Unary<"not">;
def Shlo_RoundNearestEvenOp : Shlo_Unary<"round_nearest_even">;
def Shlo_SignOp : Shlo_Unary<"sign">;
def Shlo_SineOp : Shlo_Unary<"sine">;
def Shlo_SqrtOp : Shlo_Unary<"sqrt">;
def Shlo_TanOp : Shlo_Unary<"tan">;
def Shlo_TanhOp : Shlo_Unary<"tanh">;

class Shlo_Binary<string mnemonic>
    : Shlo_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Shlo_Tensor:$lhs, Shlo_Tensor:$rhs);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Shlo_AddOp : Shlo_Binary<"add">;
def Shlo_AndOp : Shlo_Binary<"and">;
def Shlo_Atan2Op : Shlo_Binary<"atan2">;
def Shlo_DivOp : Shlo_Binary<"divide">;
def Shlo_MaxOp : Shlo_Binary<"maximum">;
def Shlo_MinOp : Shlo_Binary<"minimum">;
def Shlo_MulOp : Shlo_Binary<"multiply">;
def Shlo_OrOp : Shlo_Binary<"or">;
def Shlo_PowOp : Shlo_Binary<"power">;
def Shlo_RemOp : Shlo_Binary<"remainder">;
def Shlo_ShiftLeftOp : Shlo_Binary<"shift_left">;
def Shlo_ShiftRightArithmeticOp : Shlo_Binary<"shift_right_arithmetic">;
def Shlo_ShiftRightLogicalOp : Shlo_Binary<"shift_right_logical">;
def Shlo_SubtractOp : Shlo_Binary<"subtract">;
def Shlo_XorOp : Shlo_Binary<"xor">;

class Shlo_Convert<string mnemonic> : Shlo_Op<mnemonic, [Pure, SameOperandsAndResultShape]> {
  let arguments = (ins Shlo_Tensor:$operand);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

def Shlo_BitcastConvertOp : Shlo_Convert<"bitcast_convert">;
def Shlo_ConvertOp : Shlo_Convert<"convert">;
def Shlo_ImagOp : Shlo_Convert<"imag">;
def Shlo_IsFiniteOp : Shlo_Convert<"is_finite">;
def Shlo_RealOp : Shlo_Convert<"real">;

def Shlo_AbsOp : Shlo_Op<"abs", [Pure, SameOperandsAndResultShape]> {
  let arguments = (ins Shlo_Tensor:$operand);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

def Shlo_ComplexOp : Shlo_Op<"complex", [Pure, SameTypeOperands, SameOperandsAndResultShape]> {
  let arguments = (ins Shlo_Tensor:$lhs, Shlo_Tensor:$rhs);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` custom<ComplexOpType>(type($lhs), type($rhs), type($result))
  }];
}

def Shlo_ComparisonDirection
    : I32EnumAttr<"ComparisonDirection", "", [
        I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
        I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]> {
  let cppNamespace = "::stablehlo";
  let genSpecializedAttr = 0;
}
def Shlo_ComparisonDirectionAttr
    : EnumAttr<StablehloDialect, Shlo_ComparisonDirection, "comparison_direction"> {
  let assemblyFormat = "`<` $value `>`";
}
def Shlo_ComparisonType
    : I32EnumAttr<"ComparisonType", "", [
        I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
        I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
        I32EnumAttrCase<"UNSIGNED", 4>]> {
  let cppNamespace = "::stablehlo";
  let genSpecializedAttr = 0;
}
def Shlo_ComparisonTypeAttr
    : EnumAttr<StablehloDialect, Shlo_ComparisonType, "comparison_type"> {
  let assemblyFormat = "`<` $value `>`";
}

def Shlo_CompareOp : Shlo_Op<"compare", [Pure, SameTypeOperands, SameOperandsAndResultShape]> {
  let arguments = (ins Shlo_Tensor:$lhs, Shlo_Tensor:$rhs,
                       Shlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Shlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    custom<ComparisonDirection>($comparison_direction) `,` $lhs `,` $rhs
    (`,` custom<ComparisonType>($compare_type)^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Shlo_SelectOp : Shlo_Op<"select"> {
  let arguments = (ins Shlo_Tensor:$pred, Shlo_Tensor:$on_true, Shlo_Tensor:$on_false);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` custom<SelectOpType>(type($pred), type($on_true), type($on_false), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Creation and shape
//===----------------------------------------------------------------------===//

def Shlo_ConstantOp
    : Shlo_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "output"]>,
                           DeclareOpInterfaceMethods<OpAsmOpInterface,
                                                     ["getAsmResultNames"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Shlo_Tensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Shlo_IotaOp : Shlo_Op<"iota"> {
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs Shlo_Tensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
}

def Shlo_ReshapeOp : Shlo_Op<"reshape"> {
  let arguments = (ins Shlo_Tensor:$operand);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

class Shlo_WithDims<string mnemonic, string attribute> : Shlo_Op<mnemonic> {
  let arguments = !con((ins Shlo_Tensor:$operand),
                       !dag(ins, [DenseI64ArrayAttr], [attribute]));
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "$operand `,` `dims` `=` $" # attribute #
                       " attr-dict `:` functional-type(operands, results)";
}

def Shlo_BroadcastInDimOp : Shlo_WithDims<"broadcast_in_dim", "broadcast_dimensions">;
def Shlo_TransposeOp : Shlo_WithDims<"transpose", "permutation">;

def Shlo_ReverseOp : Shlo_Op<"reverse", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Shlo_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "$operand `,` `dims` `=` $dimensions attr-dict `:` type($result)";
}

def Shlo_ConcatenateOp : Shlo_Op<"concatenate"> {
  let arguments = (ins Variadic<Shlo_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $inputs `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)
  }];
}

def Shlo_PadOp : Shlo_Op<"pad"> {
  let arguments = (ins Shlo_Tensor:$operand, Shlo_Tensor:$padding_value,
                       DenseI64ArrayAttr:$edge_padding_low, DenseI64ArrayAttr:$edge_padding_high,
                       DenseI64ArrayAttr:$interior_padding);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,`
    `high` `=` $edge_padding_high `,`
    `interior` `=` $interior_padding attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

def Shlo_SliceOp : Shlo_Op<"slice"> {
  let arguments = (ins Shlo_Tensor:$operand, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides) attr-dict `:`
    functional-type(operands, results)
  }];
}

def Shlo_DynamicSliceOp : Shlo_Op<"dynamic_slice"> {
  let arguments = (ins Shlo_Tensor:$operand, Variadic<Shlo_Tensor>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<VariadicOperandWithAttribute>($start_indices) `sizes` `=`
    $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
}

def Shlo_DynamicUpdateSliceOp : Shlo_Op<"dynamic_update_slice"> {
  let arguments = (ins Shlo_Tensor:$operand, Shlo_Tensor:$update,
                       Variadic<Shlo_Tensor>:$start_indices);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

class Shlo_DimensionNumbers<string name, string mnemonic, list<string> lists>
    : Shlo_Attr<name, mnemonic> {
  let parameters = !con(
      !dag(ins, !foreach(each, lists, ArrayRefParameter<"int64_t">), lists),
      (ins "int64_t":$index_vector_dim));
  let hasCustomAssemblyFormat = 1;
}

def Shlo_GatherDimensionNumbers
    : Shlo_DimensionNumbers<"GatherDimensionNumbers", "gather",
                            ["offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                             "start_indices_batching_dims", "start_index_map"]>;
def Shlo_ScatterDimensionNumbers
    : Shlo_DimensionNumbers<"ScatterDimensionNumbers", "scatter",
                            ["update_window_dims", "inserted_window_dims",
                             "input_batching_dims", "scatter_indices_batching_dims",
                             "scatter_dims_to_operand_dims"]>;

def Shlo_GatherOp : Shlo_Op<"gather"> {
  let arguments = (ins Shlo_Tensor:$operand, Shlo_Tensor:$start_indices,
                       Shlo_GatherDimensionNumbers:$dimension_numbers,
                       DenseI64ArrayAttr:$slice_sizes, BoolAttr:$indices_are_sorted);
  let results = (outs Shlo_Tensor:$result);
}

def Shlo_ScatterOp : Shlo_Op<"scatter"> {
  let arguments = (ins Shlo_Tensor:$input, Shlo_Tensor:$scatter_indices, Shlo_Tensor:$update,
                       Shlo_ScatterDimensionNumbers:$scatter_dimension_numbers,
                       BoolAttr:$indices_are_sorted, BoolAttr:$unique_indices);
  let results = (outs Shlo_Tensor:$result);
  let regions = (region SizedRegion<1>:$update_computation);
}

//===----------------------------------------------------------------------===//
// Reduction and contraction
//===----------------------------------------------------------------------===//

/// A reduction of one operand whose body is one operation on the two block
/// arguments, which StableHLO prints with `applies`.
def Shlo_ReduceOp : Shlo_Op<"reduce"> {
  let arguments = (ins Shlo_Tensor:$input, Shlo_Tensor:$init_value,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Shlo_Tensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

/// The region is the comparator; it takes a pair of scalars for each operand.
def Shlo_SortOp : Shlo_Op<"sort"> {
  let arguments = (ins Variadic<Shlo_Tensor>:$inputs, I64Attr:$dimension, BoolAttr:$is_stable);
  let results = (outs Variadic<Shlo_Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
}

def Shlo_Precision
    : I32EnumAttr<"Precision", "", [
        I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
        I32EnumAttrCase<"HIGHEST", 2>]> {
  let cppNamespace = "::stablehlo";
  let genSpecializedAttr = 0;
}
def Shlo_PrecisionAttr : EnumAttr<StablehloDialect, Shlo_Precision, "precision">;

def Shlo_DotDimensionNumbers : Shlo_Attr<"DotDimensionNumbers", "dot"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$lhs_batching_dimensions,
                        ArrayRefParameter<"int64_t">:$rhs_batching_dimensions,
                        ArrayRefParameter<"int64_t">:$lhs_contracting_dimensions,
                        ArrayRefParameter<"int64_t">:$rhs_contracting_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def Shlo_DotGeneralOp : Shlo_Op<"dot_general"> {
  let arguments = (ins Shlo_Tensor:$lhs, Shlo_Tensor:$rhs,
                       Shlo_DotDimensionNumbers:$dot_dimension_numbers,
                       OptionalAttr<TypedArrayAttrBase<Shlo_PrecisionAttr, "precisions">>:$precision_config);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers) ``
    custom<PrecisionConfig>($precision_config) attr-dict `:` functional-type(operands, results)
  }];
}

/// The axes are in this order: batch, features and positions of `lhs` and the result, features of
/// `lhs`, features of the result and positions of `rhs`. Nothing is reversed.
def Shlo_ConvolutionOp : Shlo_Op<"convolution"> {
  let arguments = (ins Shlo_Tensor:$lhs, Shlo_Tensor:$rhs, DenseI64ArrayAttr:$window_strides,
                       DenseI64ArrayAttr:$padding_low, DenseI64ArrayAttr:$padding_high,
                       DenseI64ArrayAttr:$lhs_dilation, DenseI64ArrayAttr:$rhs_dilation,
                       I64Attr:$batch_group_count, I64Attr:$feature_group_count,
                       TypedArrayAttrBase<Shlo_PrecisionAttr, "precisions">:$precision_config);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    `(` $lhs `,` $rhs `)`
    custom<Window>($window_strides, $padding_low, $padding_high, $lhs_dilation, $rhs_dilation)
    attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Linear algebra and Fourier transforms
//===----------------------------------------------------------------------===//

def Shlo_CholeskyOp : Shlo_Op<"cholesky", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Shlo_Tensor:$a, BoolAttr:$lower);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $a `,` `lower` `=` $lower attr-dict `:` type($a)
  }];
}

def Shlo_Transpose
    : I32EnumAttr<"Transpose", "", [
        I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
        I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>]> {
  let cppNamespace = "::stablehlo";
  let genSpecializedAttr = 0;
}
def Shlo_TransposeAttr : EnumAttr<StablehloDialect, Shlo_Transpose, "transpose">;

def Shlo_TriangularSolveOp : Shlo_Op<"triangular_solve"> {
  let arguments = (ins Shlo_Tensor:$a, Shlo_Tensor:$b, BoolAttr:$left_side, BoolAttr:$lower,
                       BoolAttr:$unit_diagonal, Shlo_TransposeAttr:$transpose_a);
  let results = (outs Shlo_Tensor:$result);
}

def Shlo_FftType
    : I32EnumAttr<"FftType", "", [
        I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>,
        I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>]> {
  let cppNamespace = "::stablehlo";
  let genSpecializedAttr = 0;
}
def Shlo_FftTypeAttr : EnumAttr<StablehloDialect, Shlo_FftType, "fft_type"> {
  let assemblyFormat = "`<` $value `>`";
}

def Shlo_FftOp : Shlo_Op<"fft"> {
  let arguments = (ins Shlo_Tensor:$operand, Shlo_FftTypeAttr:$fft_type,
                       DenseI64ArrayAttr:$fft_length);
  let results = (outs Shlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` custom<FftType>($fft_type) `,` `length` `=` $fft_length
    attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Control flow and calls out
//===----------------------------------------------------------------------===//

def Shlo_ReturnOp : Shlo_Op<"return", [Pure, Terminator]> {
  let arguments = (ins Variadic<Shlo_Tensor>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def Shlo_IfOp : Shlo_Op<"if", [RecursiveMemoryEffects, SingleBlock]> {
  let arguments = (ins Shlo_Tensor:$pred);
  let results = (outs Variadic<Shlo_Tensor>:$results);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}

def Shlo_WhileOp
    : Shlo_Op<"while", [RecursiveMemoryEffects, SingleBlock,
                        DeclareOpInterfaceMethods<OpAsmOpInterface,
                                                  ["getAsmBlockArgumentNames"]>]> {
  let arguments = (ins Variadic<Shlo_Tensor>:$operand);
  let results = (outs Variadic<Shlo_Tensor>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

def Shlo_OutputOperandAlias : Shlo_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$output_tuple_indices,
                        "int64_t":$operand_index,
                        ArrayRefParameter<"int64_t">:$operand_tuple_indices);
  let hasCustomAssemblyFormat = 1;
}

def Shlo_CustomCallOp : Shlo_Op<"custom_call", []> {
  let arguments = (ins Variadic<Shlo_Tensor>:$inputs, StrAttr:$call_target_name,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect, DictionaryAttr:$backend_config,
                       I32Attr:$api_version, OptionalAttr<ArrayAttr>:$operand_layouts,
                       OptionalAttr<ArrayAttr>:$result_layouts,
                       OptionalAttr<ArrayAttr>:$output_operand_aliases);
  let results = (outs Variadic<Shlo_Tensor>:$results);
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // STABLEHLO_OPS_TD
