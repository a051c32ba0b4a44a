//===- Scalars.h - Operations on single elements ----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_SCALARS_H
#define INGOT_PASSES_NATIVE_SCALARS_H

#include "CHLO/CHLO.h"
#include "Ingot/Ingot.h"
#include "Ingot/Values.h"
#include "StableHLO/StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ingot {

/// The type of one element as a value: signless integers, and `i1` for bool.
mlir::Type scalarType(mlir::Type element);
/// The type of one element in memory: a bool takes a byte.
mlir::Type storedType(mlir::Type element);

/// Emits code for single elements.
class Scalars {
public:
  Scalars(mlir::OpBuilder &builder, mlir::Location location, bool isStrict)
      : b(builder), location(location), isStrict(isStrict) {}

  /// One element of the result of an elementwise operation of StableHLO, from
  /// the elements of its operands. Null if there is no code for it.
  mlir::Value elementwise(mlir::Operation *op, mlir::ValueRange operands);

  /// A product, or zero where this factor of it is zero.
  mlir::Value unlessZero(mlir::Value factor, mlir::Value product);
  /// The operation of a reduction; `element` is the type in the program. Sums
  /// and products may be reordered unless the program is strict.
  mlir::Value combine(ReduceKind kind, mlir::Type element, mlir::Value lhs,
                      mlir::Value rhs);
  /// The neutral element of a reduction.
  mlir::Value identity(ReduceKind kind, mlir::Type element);

  mlir::Value constant(mlir::Attribute value, mlir::Type element);
  mlir::Value number(double value, mlir::Type type);
  mlir::Value index(int64_t value);
  /// An integer of any type as an index.
  mlir::Value toIndex(mlir::Value value, bool isUnsigned);
  mlir::Value fromIndex(mlir::Value index, mlir::Type type);
  /// Converts between an element in memory and as a value.
  mlir::Value load(mlir::Value stored, mlir::Type element);
  mlir::Value store(mlir::Value value, mlir::Type element);
  /// Converts a value between element types as `ndarray.astype` does.
  mlir::Value convert(mlir::Value value, mlir::Type from, mlir::Type to);
  /// `index` moved into `[0, last]`.
  mlir::Value clamp(mlir::Value index, int64_t last);

  /// `then` where the condition holds, computed only there, and else `other`.
  mlir::Value choose(mlir::Value condition,
                     llvm::function_ref<mlir::Value()> then, mlir::Value other);

  template <typename Op, typename... Args> mlir::Value emit(Args &&...args) {
    return Op::create(b, location, std::forward<Args>(args)...);
  }

private:
  mlir::Value onFloats(mlir::Operation *op, mlir::ValueRange operands);
  mlir::Value onIntegers(mlir::Operation *op, mlir::ValueRange operands,
                         bool isUnsigned);
  mlir::Value onComplex(mlir::Operation *op, mlir::ValueRange operands);
  /// The first of two floats if it is NaN or the comparison holds, else the
  /// second one, as NumPy chooses.
  mlir::Value chosen(mlir::arith::CmpFPredicate how, mlir::Value x,
                     mlir::Value y);
  mlir::Value remainder(mlir::Value x, mlir::Value y);
  /// The angle of (x, y).
  mlir::Value angle(mlir::Value y, mlir::Value x);
  mlir::Value divide(mlir::Value a, mlir::Value b, bool isUnsigned,
                     bool remainder);
  mlir::Value shift(mlir::Operation *op, mlir::Value a, mlir::Value b);
  mlir::Value compare(stablehlo::CompareOp op, mlir::ValueRange operands);
  mlir::Value toInteger(mlir::Value value, mlir::Type to);
  mlir::Value complexOf(mlir::Value re, mlir::Value im);
  std::pair<mlir::Value, mlir::Value> partsOf(mlir::Value value);
  mlir::arith::FastMathFlagsAttr flags(mlir::arith::FastMathFlags wanted);
  /// The flags of a sum or difference. That of two products is not contracted:
  /// one of them would not be rounded, and equal ones leave a remainder.
  mlir::arith::FastMathFlagsAttr flagsOfSum(mlir::Value x, mlir::Value y);

  mlir::OpBuilder &b;
  mlir::Location location;
  bool isStrict;
};

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_SCALARS_H
