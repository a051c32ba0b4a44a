//===- Sdy.h - The Shardy that Ingot emits ----------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_SDY_SDY_H
#define INGOT_DIALECTS_SDY_SDY_H

#include "Ingot/Ingot.h"

#include "Sdy/Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Sdy/Attributes.h.inc"

#define GET_OP_CLASSES
#include "Sdy/Ops.h.inc"

#endif // INGOT_DIALECTS_SDY_SDY_H
