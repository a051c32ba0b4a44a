//===- Dialect.cpp - Registration of Shardy -------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sdy/Sdy.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sdy;

#include "Sdy/Dialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Sdy/Attributes.cpp.inc"

#define GET_OP_CLASSES
#include "Sdy/Ops.cpp.inc"

void SdyDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Sdy/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Sdy/Ops.cpp.inc"
      >();
}

// `<@mesh, [{"data"}, {}]>`: the list is that of the ingot dialect.

Attribute TensorShardingAttr::parse(AsmParser &parser, Type) {
  StringAttr mesh;
  if (parser.parseLess() || parser.parseSymbolName(mesh) || parser.parseComma())
    return {};
  auto sharding = ingot::ShardingAttr::parseAxes(parser);
  if (failed(sharding) || parser.parseGreater())
    return {};
  return get(parser.getContext(), FlatSymbolRefAttr::get(mesh), *sharding);
}

void TensorShardingAttr::print(AsmPrinter &printer) const {
  printer << '<' << getMesh() << ", ";
  getSharding().printAxes(printer.getStream());
  printer << '>';
}
