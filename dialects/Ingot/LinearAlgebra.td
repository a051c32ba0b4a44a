//===- LinearAlgebra.td - Factorisations of matrices -------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_LINEAR_ALGEBRA_TD
#define INGOT_LINEAR_ALGEBRA_TD

include "Base.td"

def Ingot_Matrices
    : Ingot_TensorOf<[F32, F64, Complex<F32>, Complex<F64>]>;

/// A factorisation of the matrices in the last two axes; the axes before count them.
class Ingot_Factorisation<string mnemonic, Trait derivative = Ingot_Transposed>
    : Ingot_InferredOp<mnemonic, [derivative, Ingot_Costly,
                                  Ingot_Batchable<"axesButLast(*this, 2)">]>;

def Ingot_CholeskyOp : Ingot_Factorisation<"cholesky"> {
  let summary = "np.linalg.cholesky";
  let description = [{
    The lower triangular `L` with `L L^H` equal to the square (C1) Hermitian
    operand, of which only the lower triangle is read. What lies above the
    diagonal of the result is unspecified; a matrix that is not positive definite
    gives NaN.

    ```mlir
    %1 = ingot.cholesky %0 : (tensor<3x3xf64>) -> tensor<3x3xf64>
    ```
  }];
  let arguments = (ins Ingot_Matrices:$operand);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

def Ingot_TriangularSolveOp
    : Ingot_Factorisation<"triangular_solve", Ingot_Differentiable> {
  let summary = "the solution of a triangular system";
  let description = [{
    `x` with `a x = b`, reading only the lower (or upper) triangle of the square
    (C1) `a`, and not its diagonal if that is `unit`. Both have one element type and
    the same axes but the last (C2).

    ```mlir
    %2 = ingot.triangular_solve %0, %1 lower = true unit = false : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    ```
  }];
  let arguments = (ins Ingot_Matrices:$a, Ingot_Matrices:$b, BoolAttr:$lower, BoolAttr:$unit);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `lower` `=` $lower `unit` `=` $unit attr-dict `:` functional-type(operands, results)
  }];
}

def Ingot_LuOp : Ingot_Factorisation<"lu"> {
  let summary = "LU factorisation with partial pivoting";
  let description = [{
    `L` (below the diagonal, its own diagonal is 1) and `U` in one matrix, and for
    each row the row, from 0, that it was exchanged with, in order.

    ```mlir
    %lu, %pivots = ingot.lu %0 : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>)
    ```
  }];
  let arguments = (ins Ingot_Matrices:$operand);
  let results = (outs Ingot_Tensor:$lu, Ingot_TensorOf<[I32]>:$pivots);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

def Ingot_QrOp : Ingot_Factorisation<"qr"> {
  let summary = "np.linalg.qr";
  let description = [{
    An orthogonal (unitary) `q` and, at and above its diagonal, the triangular `r`;
    what lies below is unspecified. With `full`, `q` is square.

    ```mlir
    %q, %r = ingot.qr %0 full = false : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3x3xf64>)
    ```
  }];
  let arguments = (ins Ingot_Matrices:$operand, BoolAttr:$full);
  let results = (outs Ingot_Tensor:$q, Ingot_Tensor:$r);
  let assemblyFormat = "$operand `full` `=` $full attr-dict `:` functional-type(operands, results)";
}

def Ingot_EighOp : Ingot_Factorisation<"eigh"> {
  let summary = "np.linalg.eigh";
  let description = [{
    The eigenvalues, ascending, and eigenvectors (as columns) of square (C1)
    Hermitian matrices, of which one triangle is read. `info` is not 0 where the
    iteration did not converge.

    ```mlir
    %w, %v, %info = ingot.eigh %0 lower = true : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ```
  }];
  let arguments = (ins Ingot_Matrices:$operand, BoolAttr:$lower);
  let results = (outs Ingot_Tensor:$values, Ingot_Tensor:$vectors, Ingot_TensorOf<[I32]>:$info);
  let assemblyFormat = "$operand `lower` `=` $lower attr-dict `:` functional-type(operands, results)";
}

def Ingot_SvdOp : Ingot_Factorisation<"svd"> {
  let summary = "np.linalg.svd";
  let description = [{
    `u`, the singular values, descending, and `vh`; with `full`, `u` and `vh` are
    square. `info` is not 0 where the iteration did not converge.

    ```mlir
    %u, %s, %vh, %info = ingot.svd %0 full = false : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>)
    ```
  }];
  let arguments = (ins Ingot_Matrices:$operand, BoolAttr:$full);
  let results = (outs Ingot_Tensor:$u, Ingot_Tensor:$s, Ingot_Tensor:$vh,
                      Ingot_TensorOf<[I32]>:$info);
  let assemblyFormat = "$operand `full` `=` $full attr-dict `:` functional-type(operands, results)";
}

def Ingot_EigOp : Ingot_Factorisation<"eig"> {
  let summary = "np.linalg.eig";
  let description = [{
    The complex eigenvalues and right eigenvectors (as columns) of square (C1)
    complex matrices. `info` is not 0 where the iteration did not converge.

    ```mlir
    %w, %v, %info = ingot.eig %0 : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[Complex<F32>, Complex<F64>]>:$operand);
  let results = (outs Ingot_Tensor:$values, Ingot_Tensor:$vectors, Ingot_TensorOf<[I32]>:$info);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

#endif // INGOT_LINEAR_ALGEBRA_TD
