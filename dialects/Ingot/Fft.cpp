//===- Fft.cpp - Fourier transforms ---------------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

using namespace mlir;

namespace ingot {

LogicalResult FftOp::inferReturnTypes(MLIRContext *, Location location,
                                      Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  int64_t length = adaptor.getLength();
  FftKind kind = adaptor.getKind();
  if (type.getRank() == 0 || length < 1)
    return emitOptionalError(location, "Invalid number of FFT data points (",
                             length, ") specified.");
  Type element = type.getElementType();
  if (isa<ComplexType>(element) == (kind == FftKind::Rfft))
    return emitOptionalError(location, stringifyFftKind(kind), " of ", element);
  int64_t half = length / 2 + 1, size = type.getShape().back();
  if (size != (kind == FftKind::Irfft ? half : length))
    return emitOptionalError(location, stringifyFftKind(kind), " of ", size,
                             " elements has not length ", length);
  SmallVector<int64_t> shape(type.getShape());
  if (kind == FftKind::Rfft) {
    shape.back() = half;
    element = ComplexType::get(element);
  } else if (kind == FftKind::Irfft) {
    shape.back() = length;
    element = cast<ComplexType>(element).getElementType();
  }
  results.push_back(RankedTensorType::get(shape, element));
  return success();
}

} // namespace ingot
