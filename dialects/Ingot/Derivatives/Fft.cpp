//===- Fft.cpp - The derivative of Fourier transforms --------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

/// The matrix of a complex transform is symmetric, so the transform is its own
/// transpose. `rfft` returns only half of the spectrum: its adjoint transforms
/// the cotangent padded by zeros. `irfft` takes half of a spectrum whose other
/// half is the conjugate.
LogicalResult FftOp::buildAdjoints(OpBuilder &builder,
                                   ArrayRef<Value> cotangents,
                                   ValueList &results) {
  Value given = cotangents[0];
  int64_t length = getLength();
  auto type = typeOf(given);
  int64_t last = type.getRank() - 1;
  if (getKind() == FftKind::Rfft) {
    SmallVector<int64_t> none(type.getRank(), 0), more(none);
    more[last] = length - type.getShape()[last];
    Value zero = numberOf(builder, getLoc(), 0, type);
    Value whole =
        PadOp::create(builder, getLoc(), given, zero, none, more, none);
    Value sum = FftOp::create(builder, getLoc(), FftKind::Fft, whole, length);
    results.push_back(RealOp::create(builder, getLoc(), sum));
    return success();
  }
  if (getKind() == FftKind::Irfft) {
    Value half = FftOp::create(builder, getLoc(), FftKind::Rfft, given, length);
    Expr x(builder, getLoc(), ConjOp::create(builder, getLoc(), half));
    // Elements count twice because of their conjugates, except the first one,
    // and the last one of an even length.
    auto line = RankedTensorType::get({length / 2 + 1}, type.getElementType());
    Expr i(builder, getLoc(), IotaOp::create(builder, getLoc(), line, 0));
    Expr isOne = i.compare(Comparison::EQ, i.number(0));
    if (length % 2 == 0)
      isOne = isOne.with(OrOp::create(
          builder, getLoc(), isOne,
          i.compare(Comparison::EQ, i.number(double(length / 2)))));
    results.push_back(where(isOne, x * (1.0 / length), x * (2.0 / length)));
    return success();
  }
  results.push_back(FftOp::create(builder, getLoc(), getKind(), given, length));
  return success();
}
