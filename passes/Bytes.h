//===- Bytes.h - The sizes of values in memory ------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_BYTES_H
#define INGOT_PASSES_BYTES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace ingot {

/// The bytes of an array's element in memory.
inline int64_t itemBytes(mlir::Type element) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element))
    return 2 * itemBytes(complex.getElementType());
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// The bytes of an array.
inline int64_t bytesOf(mlir::Type type) {
  auto array = mlir::cast<mlir::ShapedType>(type);
  return array.getNumElements() * itemBytes(array.getElementType());
}

} // namespace ingot

#endif // INGOT_PASSES_BYTES_H
