//===- CHLO.h - The CHLO that Ingot emits -----------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_CHLO_CHLO_H
#define INGOT_DIALECTS_CHLO_CHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "CHLO/Dialect.h.inc"

#define GET_OP_CLASSES
#include "CHLO/Ops.h.inc"

#endif // INGOT_DIALECTS_CHLO_CHLO_H
