//===- Lowering.h - Patterns of lower-to-stablehlo --------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_LOWERING_LOWERING_H
#define INGOT_PASSES_LOWERING_LOWERING_H

#include "Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace ingot {

// The patterns of each family of operations are in the file with its name.
void populateElementwiseLowering(mlir::RewritePatternSet &patterns);
void populateComplexLowering(mlir::RewritePatternSet &patterns);
void populateShapeLowering(mlir::RewritePatternSet &patterns);
void populateIndexingLowering(mlir::RewritePatternSet &patterns);
void populateReductionLowering(mlir::RewritePatternSet &patterns);
void populateContractionLowering(mlir::RewritePatternSet &patterns);
void populateLinearAlgebraLowering(mlir::RewritePatternSet &patterns);
void populateFftLowering(mlir::RewritePatternSet &patterns);
void populateControlFlowLowering(mlir::RewritePatternSet &patterns);
/// Replaces barriers by calls of functions of the module. Runs before the
/// patterns.
void lowerBarriers(mlir::ModuleOp module);
void lowerStablehloCalls(mlir::ModuleOp module);
/// The letter of an element type in the names of LAPACK's routines.
char letterOf(mlir::Type element);
/// NumPy's transform, and the factor that it takes.
llvm::StringRef numpyName(FftOp op);
double numpyFactor(FftOp op);
/// The largest (or smallest) value of an ordered element type.
mlir::TypedAttr extremum(mlir::Type element, bool isLargest);
/// An array's layout in row-major order, as an attribute for XLA.
mlir::Attribute rowMajor(mlir::Builder &builder, mlir::Type type);
/// Prevents XLA from inlining a call.
void keepCall(mlir::func::CallOp call);

/// Replaces an operation by a call that takes its operands and gives its
/// results.
mlir::func::CallOp replaceByCall(mlir::Operation *op,
                                 mlir::func::FuncOp function);
void populateEffectsLowering(mlir::RewritePatternSet &patterns);

/// Emits StableHLO operations with the same location.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  /// A constant of this type whose elements are all `value`.
  mlir::Value splat(mlir::Type type, double value);
  mlir::Value splatLike(mlir::Value other, double value) {
    return splat(other.getType(), value);
  }
  /// Broadcasts as NumPy does. Emits nothing if the value has the shape.
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value convert(mlir::Value value, mlir::Type element);
  mlir::Value compare(stablehlo::ComparisonDirection direction, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value onTrue,
                     mlir::Value onFalse);
  mlir::Value slice(mlir::Value operand, llvm::ArrayRef<int64_t> starts,
                    llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides);
  mlir::Value pad(mlir::Value operand, mlir::Value value,
                  llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                  llvm::ArrayRef<int64_t> interior);
  /// A reduction over `axes` by the operation of `kind`.
  mlir::Value reduce(ReduceKind kind, mlir::Value operand,
                     llvm::ArrayRef<int64_t> axes);
  /// The operation of `kind` on two values of the same type.
  mlir::Value combine(ReduceKind kind, mlir::Value lhs, mlir::Value rhs);
  /// The neutral element of `combine`.
  mlir::Value identity(ReduceKind kind, mlir::Type type);

  template <typename Op, typename... Args> mlir::Value emit(Args &&...args) {
    return Op::create(builder, location, std::forward<Args>(args)...);
  }

  mlir::OpBuilder &builder;
  mlir::Location location;
};

// Formulas that other files use, too.
mlir::Value lowerSinh(Emitter &e, mlir::Value x);
mlir::Value lowerCosh(Emitter &e, mlir::Value x);
mlir::Value lowerAsinh(Emitter &e, mlir::Value x);
mlir::Value lowerComplexDivide(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value lowerPow(Emitter &e, mlir::Value a, mlir::Value b);

/// The exponent of a power that is lowered to multiplications.
std::optional<int64_t> multipliedExponent(mlir::Value exponent);

} // namespace ingot

#endif // INGOT_PASSES_LOWERING_LOWERING_H
