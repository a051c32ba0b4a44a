//===- Barrier.h - What simplifiers do not see through ----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_STABLEHLO_BARRIER_H
#define INGOT_DIALECTS_STABLEHLO_BARRIER_H

#include "StableHLO/StableHLO.h"

#define GET_OP_CLASSES
#include "StableHLO/Barrier.h.inc"

#endif // INGOT_DIALECTS_STABLEHLO_BARRIER_H
