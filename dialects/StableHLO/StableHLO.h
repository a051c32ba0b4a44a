//===- StableHLO.h - The StableHLO that Ingot emits -------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_STABLEHLO_STABLEHLO_H
#define INGOT_DIALECTS_STABLEHLO_STABLEHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "StableHLO/Dialect.h.inc"
#include "StableHLO/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "StableHLO/Attributes.h.inc"

#define GET_OP_CLASSES
#include "StableHLO/Ops.h.inc"

#endif // INGOT_DIALECTS_STABLEHLO_STABLEHLO_H
