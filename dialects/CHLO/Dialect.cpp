//===- Dialect.cpp - Registration of CHLO ---------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CHLO/CHLO.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace chlo;

#include "CHLO/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "CHLO/Ops.cpp.inc"

void ChloDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "CHLO/Ops.cpp.inc"
      >();
}
