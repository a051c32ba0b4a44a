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

/// A factorisation of the matrices in the last two axes; the axes before are batch axes.
class Ingot_Factorisation<string mnemonic, Trait derivative = Ingot_Transposed>
    : Ingot_InferredOp<mnemonic, [derivative, Ingot_Costly,
                                  Ingot_Batchable<"axesButLast(*this, 2)">]>;

def Ingot_CholeskyOp : Ingot_Factorisation<"cholesky"> {
  let summary = "np.linalg.cholesky";
  let description = [{
    Returns the lower triangular `L` with `L L^H = A` for a square (C1) Hermitian `A`, of
    which only the lower triangle is read. The elements above the diagonal of the result
    are zero. The diagonal has a NaN if `A` is not positive definite.

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
    Returns `x` with `a x = b`. Only the lower (or upper) triangle of the square (C1) `a` is
    read. With `unit`, the diagonal is taken to be 1 and is not read either. `a` and `b`
    have the same element type, and the same sizes along all axes but the last (C2).

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
    `lu` holds `U` at and above the diagonal and `L` below it; the diagonal of `L` is 1 and
    not stored. `pivots` holds, for each row in order, the row (counted from 0) with which
    it was exchanged.

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
    Returns an orthogonal (unitary) `q` and an upper triangular `r`; the elements of `r`
    below the diagonal are unspecified. With `full`, `q` is square.

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
    Returns the eigenvalues in ascending order and the eigenvectors, as columns, of square
    (C1) Hermitian matrices, of which only the lower (or upper) triangle is read. `info` is
    not 0 where the iteration did not converge.

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
    Returns `u`, the singular values in descending order, and `vh`. With `full`, `u` and
    `vh` are square. `info` is not 0 where the iteration did not converge.

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
    Returns the complex eigenvalues and the right eigenvectors, as columns, of square (C1)
    complex matrices. `info` is not 0 where the iteration did not converge.

    ```mlir
    %w, %v, %info = ingot.eig %0 : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
    ```
  }];
  let arguments = (ins Ingot_TensorOf<[Complex<F32>, Complex<F64>]>:$operand);
  let results = (outs Ingot_Tensor:$values, Ingot_Tensor:$vectors, Ingot_TensorOf<[I32]>:$info);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

/// A call of a function of np.linalg.
class Ingot_NumpyCall<string mnemonic, list<Trait> traits>
    : Ingot_Op<mnemonic, !listconcat(traits, [Ingot_Costly])> {
  let arguments = (ins StrAttr:$name, Variadic<Ingot_Matrices>:$operands);
  let results = (outs Variadic<Ingot_Tensor>:$results_);
}

def Ingot_NumpyFunctionOp
    : Ingot_NumpyCall<"numpy_function", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a function of np.linalg, with operations that compute the same";
  let description = [{
    Applies the generalised ufunc `name` of NumPy (C1) to stacks of matrices: the axes
    before those of its signature are batch axes, which are the same for all operands
    (C2). The last result is not 0 where the function failed. The region computes the
    results from its arguments, which are the operands (C3: types). Derivatives and other
    devices use the region: see `inline-rules`, which replaces the operation by it or by
    `ingot.call_numpy`.

    ```mlir
    %x, %failed = ingot.numpy_function "inv"(%a) {
    ^bb0(%0: tensor<1x1xf64>):
      %1 = ingot.constant dense<1.0> : tensor<1x1xf64>
      %2 = ingot.div %1, %0 : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
      %3 = ingot.constant dense<0> : tensor<i32>
      ingot.yield %2, %3 : tensor<1x1xf64>, tensor<i32>
    } : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<i32>)
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name `(` $operands `)` $body attr-dict `:` functional-type(operands, results)";
  let hasRegionVerifier = 1;
}

def Ingot_CallNumpyOp : Ingot_NumpyCall<"call_numpy", [Pure]> {
  let summary = "a call of a function of np.linalg";
  let description = [{
    Calls the generalised ufunc `name` of NumPy (C1) on stacks of matrices, see
    `ingot.numpy_function` (C2). Only Ingot's runtime on the CPU has it: passes make the
    operation once derivatives and batches are expanded.

    ```mlir
    %x, %failed = ingot.call_numpy "inv"(%a) : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
    ```
  }];
  let assemblyFormat = "$name `(` $operands `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // INGOT_LINEAR_ALGEBRA_TD
