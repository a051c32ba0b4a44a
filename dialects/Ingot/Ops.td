//===- Ops.td - Every operation of the dialect, by family --*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "Collective.td"
include "Contraction.td"
include "ControlFlow.td"
include "Creation.td"
include "Effects.td"
include "Elementwise.td"
include "Fft.td"
include "Indexing.td"
include "LinearAlgebra.td"
include "Reduction.td"
include "Shape.td"
include "Sharding.td"
include "Transformation.td"
