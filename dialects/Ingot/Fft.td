//===- Fft.td - Fourier transforms -------------------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FFT_TD
#define INGOT_FFT_TD

include "Base.td"

def Ingot_FftKind
    : Ingot_I32Enum<"FftKind", "the direction and domain of a Fourier transform", [
        I32EnumAttrCase<"Fft", 0, "fft">, I32EnumAttrCase<"Ifft", 1, "ifft">,
        I32EnumAttrCase<"Rfft", 2, "rfft">, I32EnumAttrCase<"Irfft", 3, "irfft">]>;
def Ingot_FftKindAttr : EnumAttr<IngotDialect, Ingot_FftKind, "fft_kind">;

def Ingot_FftOp : Ingot_InferredOp<"fft", [Ingot_Linear, Ingot_Costly,
                                           Ingot_Batchable<"axesButLast(*this, 1)">]> {
  let summary = "np.fft.fft, ifft, rfft, irfft";
  let description = [{
    The transform along the last axis (C1: there is one), with NumPy's default
    normalisation: inverse transforms divide by the length. `length` is the length of the
    signal. The last axis of the operand has `length` elements, or `length / 2 + 1` for
    `irfft` (C2). `rfft` takes floats, the others take complex numbers (C3).

    ```mlir
    %1 = ingot.fft rfft %0 length = 8 : (tensor<8xf64>) -> tensor<5xcomplex<f64>>
    ```
  }];
  let arguments = (ins Ingot_FftKindAttr:$kind,
                       Ingot_TensorOf<[F32, F64, Complex<F32>, Complex<F64>]>:$operand,
                       I64Attr:$length);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $operand `length` `=` $length attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INGOT_FFT_TD
