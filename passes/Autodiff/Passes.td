//===- Passes.td - Passes on derivatives that are expanded --*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_AUTODIFF_PASSES_TD
#define INGOT_AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def ResolveAbsentTangents
    : Pass<"resolve-absent-tangents", "::mlir::func::FuncOp"> {
  let summary = "Let zeros of tangents rule products only where no path leads to them";
  let description = [{
    An element of a tangent or cotangent is absent if no path of the derivative leads to it: it is
    in the arm of a `select` that is not taken, outside of a part that is read, or zero in the seed.
    It makes products zero, whatever the slope is. Other zeros are products of slopes, of which zero
    times infinity is NaN.

    The rules of derivatives multiply by `mul_no_nan`, `div_no_nan` and `dot_general` with
    `lhs_zeros` or `rhs_zeros`, of which all zeros rule. Where no element is absent the pass makes
    plain products of these. Where an element is zero for either reason it selects by a mask,
    which it computes from what the tangent is made of. Values that loops carry with absent
    elements keep their products.

    It has to run after all transformations are expanded: the derivative of `select(m, t * f, 0)` by
    `f` would lose what `both` says.
  }];
  let dependentDialects = ["::ingot::IngotDialect"];
}

#endif // INGOT_AUTODIFF_PASSES_TD
