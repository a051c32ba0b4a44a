//===- Fft.cpp - Fourier transforms to StableHLO --------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ingot;

StringRef ingot::numpyName(FftOp op) {
  switch (op.getKind()) {
  case FftKind::Fft:
    return "fft";
  case FftKind::Ifft:
    return "ifft";
  case FftKind::Rfft:
    return op.getLength() % 2 ? "rfft_n_odd" : "rfft_n_even";
  case FftKind::Irfft:
    return "irfft";
  }
  llvm_unreachable("a kind of transform");
}

double ingot::numpyFactor(FftOp op) {
  bool isInverse =
      op.getKind() == FftKind::Ifft || op.getKind() == FftKind::Irfft;
  return isInverse ? 1.0 / op.getLength() : 1.0;
}

namespace {

/// Pattern: fft(x) -> stablehlo.fft(x); the kinds have the same names
struct FftLowering : public OpRewritePattern<FftOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FftOp op,
                                PatternRewriter &rewriter) const override {
    static const stablehlo::FftType types[] = {
        stablehlo::FftType::FFT, stablehlo::FftType::IFFT,
        stablehlo::FftType::RFFT, stablehlo::FftType::IRFFT};
    stablehlo::FftType type = types[static_cast<int>(op.getKind())];
    rewriter.replaceOpWithNewOp<stablehlo::FftOp>(
        op, op.getType(), op.getOperand(),
        stablehlo::FftTypeAttr::get(getContext(), type),
        rewriter.getDenseI64ArrayAttr(op.getLength()));
    return success();
  }
};

} // namespace

void ingot::populateFftLowering(RewritePatternSet &patterns) {
  patterns.add<FftLowering>(patterns.getContext());
}
