//===- PlainProducts.h - Products without a rule for zeros ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_PLAINPRODUCTS_H
#define INGOT_PASSES_PLAINPRODUCTS_H

#include "Ingot/Ingot.h"

#include <optional>

namespace ingot {

/// The one float that all elements are, if it is known, also behind negations.
std::optional<llvm::APFloat> numberBehindNegations(mlir::Value value);

/// What takes the place of a product if zeros need no rule:
///   1 * x -> x
///   -1 * x -> -x
///   a * x -> mul(a, x)
mlir::Value plainProduct(MulNoNanOp op);

} // namespace ingot

#endif // INGOT_PASSES_PLAINPRODUCTS_H
