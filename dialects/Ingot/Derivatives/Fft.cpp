//===- Fft.cpp - The derivative of Fourier transforms --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

/// Transforms of complex signals are symmetric matrices.
LogicalResult FftOp::buildAdjoints(OpBuilder &builder,
                                   ArrayRef<Value> cotangents,
                                   ValueList &results) {
  if (getKind() != FftKind::Fft && getKind() != FftKind::Ifft)
    return emitError("real Fourier transforms have no reverse derivative yet");
  results.push_back(
      FftOp::create(builder, getLoc(), getKind(), cotangents[0], getLength()));
  return success();
}
