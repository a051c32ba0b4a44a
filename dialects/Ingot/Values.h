//===- Values.h - Types and constants of values -----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_VALUES_H
#define INGOT_DIALECTS_INGOT_VALUES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ingot {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}
inline mlir::Type elementOf(mlir::Value value) {
  return typeOf(value).getElementType();
}
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return typeOf(value).getShape();
}
/// An element type itself, or the type of the parts of a complex one.
mlir::Type realOf(mlir::Type element);
/// Adds an entry for a new first axis to a list with one entry for each axis.
llvm::SmallVector<int64_t> prefixed(int64_t first,
                                    llvm::ArrayRef<int64_t> rest);
/// The type of an array that stacks `size` values of a type along a new first
/// axis.
mlir::RankedTensorType stacked(mlir::Type type, int64_t size);

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Zeros of a tensor type.
mlir::Value zerosOf(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Type type);
/// A 0-d constant of the element type of `like`.
mlir::Value numberOf(mlir::OpBuilder &builder, mlir::Location location,
                     double value, mlir::Type like);
/// A 0-d constant of type i64.
mlir::Value integer(mlir::OpBuilder &builder, mlir::Location location,
                    int64_t value);
/// A constant of `shape` whose elements are all `number`.
mlir::Value constantOf(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::TypedAttr number,
                       llvm::ArrayRef<int64_t> shape = {});

/// The value of all elements, if these come from a splat constant by way of
/// `broadcast_to` and `reshape`; else null.
mlir::TypedAttr splatOf(mlir::Value value);
/// `splatOf` for floats and for integers.
std::optional<llvm::APFloat> floatOf(mlir::Value value);
std::optional<int64_t> integerOf(mlir::Value value);

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_VALUES_H
