//===- Dialect.cpp - Registration of StableHLO ----------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "Barrier.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stablehlo;

#include "StableHLO/Dialect.cpp.inc"
#include "StableHLO/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "StableHLO/Attributes.cpp.inc"

#define GET_OP_CLASSES
#include "StableHLO/Ops.cpp.inc"
#define GET_OP_CLASSES
#include "StableHLO/Barrier.cpp.inc"

void StablehloDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "StableHLO/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "StableHLO/Ops.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "StableHLO/Barrier.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }
