//===- Operation.cpp - An operation of one's own --------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `example.smooth` works along an axis. Its axis rule is all that batches need.
//
//===----------------------------------------------------------------------===//

#include "Ingot/Ingot.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;

namespace {

class SmoothOp
    : public Op<SmoothOp, OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                OpTrait::OneOperand, OpTrait::OneResult,
                OpTrait::SameOperandsAndResultType,
                ingot::BatchableOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SmoothOp)
  using Op::Op;
  static StringRef getOperationName() { return "example.smooth"; }
  static ArrayRef<StringRef> getAttributeNames() {
    static StringRef names[] = {"axis"};
    return names;
  }

  LogicalResult verify() {
    if ((*this)->getAttrOfType<IntegerAttr>("axis"))
      return success();
    return emitOpError("has no axis");
  }
  ingot::AxisRule getAxisRule() {
    return ingot::axesBut(*this,
                          (*this)->getAttrOfType<IntegerAttr>("axis").getInt());
  }
};

struct ExampleDialect : public Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExampleDialect)
  static StringRef getDialectNamespace() { return "example"; }

  explicit ExampleDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<ExampleDialect>()) {
    addOperations<SmoothOp>();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "IngotExample", LLVM_VERSION_STRING,
      [](DialectRegistry *registry) { registry->insert<ExampleDialect>(); }};
}
