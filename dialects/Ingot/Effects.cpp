//===- Effects.cpp - Operations with effects ------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

using namespace mlir;

namespace ingot {

/// Counts the fields `{}` of a Python format string; `{{` and `}}` are literal
/// braces.
static size_t countHoles(StringRef format) {
  size_t holes = 0;
  while (!format.empty()) {
    bool isEscaped = format.consume_front("{{") || format.consume_front("}}");
    if (isEscaped)
      continue;
    holes += format.front() == '{';
    format = format.drop_front();
  }
  return holes;
}

static LogicalResult checkHoles(Operation *op, StringRef format, size_t values,
                                size_t results) {
  if (results)
    return op->emitOpError("has results, but is no callback");
  size_t holes = countHoles(format);
  if (holes == values)
    return success();
  return op->emitOpError("format has ")
         << holes << " holes for " << values << " values";
}

LogicalResult PrintOp::verify() {
  if (getCallback())
    return success();
  return checkHoles(*this, getFormat(), getValues().size(),
                    getResults_().size());
}

LogicalResult OrderedPrintOp::verify() {
  if (getCallback())
    return success();
  return checkHoles(*this, getFormat(), getValues().size(),
                    getResults_().size());
}

ParseResult BarrierOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  auto place = parser.getCurrentLocation();
  return failure(
      parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonTypeList(state.types) ||
      parser.resolveOperands(operands, state.types, place, state.operands));
}

void BarrierOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getOperands();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getOperandTypes();
}

LogicalResult BarrierOp::verify() {
  if (getOperandTypes() == getResultTypes())
    return success();
  return emitOpError("results have types (")
         << getResultTypes() << ") and not the operands' (" << getOperandTypes()
         << ")";
}

} // namespace ingot
