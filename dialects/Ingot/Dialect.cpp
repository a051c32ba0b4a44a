//===- Dialect.cpp - Registration, verifiers and folders ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"
#include "Ingot/Inference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

#include "Ingot/Dialect.cpp.inc"
#include "Ingot/Enums.cpp.inc"
#include "Ingot/Interfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Ingot/Attributes.cpp.inc"

#define GET_OP_CLASSES
#include "Ingot/Ops.cpp.inc"

void IngotDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Ingot/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Ingot/Ops.cpp.inc"
      >();
}

Operation *IngotDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             mlir::Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, type, elements);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult CompareOp::verify() {
  bool isOrder =
      getComparison() != Comparison::EQ && getComparison() != Comparison::NE;
  if (isOrder && isa<ComplexType>(getLhs().getType().getElementType()))
    return emitOpError("complex numbers have no order");
  return success();
}

LogicalResult IotaOp::verify() {
  int64_t rank = getResult().getType().getRank();
  if (static_cast<int64_t>(getAxis()) >= rank)
    return emitOpError("axis ")
           << getAxis() << " is out of bounds for array of dimension " << rank;
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getResult().getType();
  if (from.getNumElements() != to.getNumElements())
    return emitOpError("cannot reshape array of size ")
           << from.getNumElements() << " into shape "
           << shapeText(to.getShape());
  return success();
}

LogicalResult BroadcastToOp::verify() {
  ArrayRef<int64_t> from = getOperand().getType().getShape(),
                    to = getResult().getType().getShape();
  auto joint = broadcastShapes({from, to});
  if (!joint || ArrayRef(*joint) != to)
    return emitOpError("could not broadcast input array from shape ")
           << shapeText(from) << " into shape " << shapeText(to);
  return success();
}

/// The holes of a Python format string; doubled braces are none.
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

static LogicalResult checkHoles(Operation *op, StringRef format,
                                size_t values) {
  size_t holes = countHoles(format);
  if (holes == values)
    return success();
  return op->emitOpError("format has ")
         << holes << " holes for " << values << " values";
}

LogicalResult PrintOp::verify() {
  if (getCallback())
    return success();
  return checkHoles(*this, getFormat(), getValues().size());
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

LogicalResult OrderedPrintOp::verify() {
  if (getCallback())
    return success();
  return checkHoles(*this, getFormat(), getValues().size());
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

/// Pattern: convert(x : T) : T -> x
LogicalResult BitcastOp::verify() {
  Type from = getOperand().getType().getElementType(),
       to = getType().getElementType();
  if (from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
    return success();
  return emitOpError() << from << " and " << to << " differ in width";
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}

/// Pattern: select(true, a, b) -> a, select(false, a, b) -> b, select(c, a, a)
/// -> a, where no broadcast is needed
OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse() && getOnTrue().getType() == getType())
    return getOnTrue();
  auto condition = dyn_cast_or_null<DenseElementsAttr>(adaptor.getCondition());
  if (!condition || !condition.isSplat())
    return {};
  Value taken = condition.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
  return taken.getType() == getType() ? taken : OpFoldResult();
}

/// Pattern: reshape(x : T) : T -> x, reshape(reshape(x)) -> reshape(x),
/// reshape(constant) -> constant
OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto value = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand()))
    return value.reshape(getType());
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    setOperand(inner.getOperand());
    return getResult();
  }
  return {};
}

/// Pattern: transpose(x, [0, 1, ...]) -> x
OpFoldResult TransposeOp::fold(FoldAdaptor) {
  for (auto [i, axis] : llvm::enumerate(getAxes()))
    if (static_cast<int64_t>(i) != axis)
      return {};
  return getOperand();
}

/// Pattern: transpose(dot_general(a, b)) -> dot_general(b, a), where it moves
/// the axes of b before those of a: what gradients by the second factor are
LogicalResult TransposeOp::canonicalize(TransposeOp op,
                                        PatternRewriter &rewriter) {
  auto dot = op.getOperand().getDefiningOp<DotGeneralOp>();
  if (!dot || !dot->hasOneUse())
    return failure();
  int64_t batching = dot.getLhsBatching().size();
  int64_t left = dot.getLhs().getType().getRank() - batching -
                 dot.getLhsContracting().size();
  int64_t rank = dot.getType().getRank();
  auto swapped = llvm::to_vector(llvm::seq<int64_t>(0, batching));
  llvm::append_range(swapped, llvm::seq(batching + left, rank));
  llvm::append_range(swapped, llvm::seq(batching, batching + left));
  if (ArrayRef(swapped) != op.getAxes())
    return failure();
  rewriter.replaceOpWithNewOp<DotGeneralOp>(
      op, dot.getRhs(), dot.getLhs(), dot.getRhsBatching(),
      dot.getLhsBatching(), dot.getRhsContracting(), dot.getLhsContracting(),
      dot.getRhsZeros(), dot.getLhsZeros());
  return success();
}

/// Pattern: broadcast_to(x : T) : T -> x
OpFoldResult BroadcastToOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}

/// Pattern: dynamic_slice(update_slice(x, u, i), i) : T -> u : T
OpFoldResult DynamicSliceOp::fold(FoldAdaptor) {
  auto update = getOperand().getDefiningOp<UpdateSliceOp>();
  bool isSame = update && update.getUpdate().getType() == getType() &&
                update.getStarts() == getStarts() &&
                update.getStrides() == getStrides();
  return isSame ? update.getUpdate() : OpFoldResult();
}

/// Pattern: slice(x, all of x) -> x
OpFoldResult SliceOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() &&
                 llvm::all_of(getStrides(), [](int64_t s) { return s == 1; })
             ? getOperand()
             : OpFoldResult();
}
