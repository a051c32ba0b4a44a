//===- Assembly.cpp - How StableHLO prints --------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace stablehlo {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult parseSameOperandsAndResultType(OpAsmParser &parser, Type &operand,
                                           Type &result) {
  Type type;
  if (parser.parseType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (!function) {
    operand = result = type;
    return success();
  }
  if (function.getNumInputs() != 1 || function.getNumResults() != 1)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected one operand and one result");
  operand = function.getInput(0);
  result = function.getResult(0);
  return success();
}

void printSameOperandsAndResultType(OpAsmPrinter &printer, Operation *op,
                                    Type operand, Type result) {
  if (operand == result)
    printer << result;
  else
    printer.printFunctionalType(op);
}

ParseResult parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs,
                               Type &result) {
  if (parser.parseType(result))
    return failure();
  auto shaped = dyn_cast<ShapedType>(result);
  auto complex =
      shaped ? dyn_cast<ComplexType>(shaped.getElementType()) : ComplexType();
  if (!complex)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected a complex tensor type");
  lhs = rhs = shaped.clone(complex.getElementType());
  return success();
}

void printComplexOpType(OpAsmPrinter &printer, Operation *, Type, Type,
                        Type result) {
  printer << result;
}

ParseResult parseSelectOpType(OpAsmParser &parser, Type &pred, Type &onTrue,
                              Type &onFalse, Type &result) {
  if (parser.parseType(pred) || parser.parseComma() || parser.parseType(result))
    return failure();
  onTrue = onFalse = result;
  return success();
}

void printSelectOpType(OpAsmPrinter &printer, Operation *, Type pred, Type,
                       Type, Type result) {
  printer << pred << ", " << result;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

template <typename Attr, typename Symbolize>
static ParseResult parseEnum(OpAsmParser &parser, Attr &attr,
                             Symbolize symbolize) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  auto value = symbolize(keyword);
  if (!value)
    return parser.emitError(loc, "unknown keyword ") << keyword;
  attr = Attr::get(parser.getContext(), *value);
  return success();
}

ParseResult parseComparisonDirection(OpAsmParser &parser,
                                     ComparisonDirectionAttr &direction) {
  return parseEnum(parser, direction, [](StringRef text) {
    return symbolizeComparisonDirection(text);
  });
}

void printComparisonDirection(OpAsmPrinter &printer, Operation *,
                              ComparisonDirectionAttr direction) {
  printer << stringifyComparisonDirection(direction.getValue());
}

ParseResult parseComparisonType(OpAsmParser &parser, ComparisonTypeAttr &type) {
  return parseEnum(parser, type, [](StringRef text) {
    return symbolizeComparisonType(text);
  });
}

void printComparisonType(OpAsmPrinter &printer, Operation *,
                         ComparisonTypeAttr type) {
  printer << stringifyComparisonType(type.getValue());
}

ParseResult parseFftType(OpAsmParser &parser, FftTypeAttr &type) {
  return parseEnum(parser, type,
                   [](StringRef text) { return symbolizeFftType(text); });
}

void printFftType(OpAsmPrinter &printer, Operation *, FftTypeAttr type) {
  printer << stringifyFftType(type.getValue());
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseOne = [&]() -> ParseResult {
    stride.push_back(1);
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limit.emplace_back()))
      return failure();
    if (succeeded(parser.parseOptionalColon()))
      return parser.parseInteger(stride.back());
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne))
    return failure();
  Builder &builder = parser.getBuilder();
  starts = builder.getDenseI64ArrayAttr(start);
  limits = builder.getDenseI64ArrayAttr(limit);
  strides = builder.getDenseI64ArrayAttr(stride);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr starts, DenseI64ArrayAttr limits,
                      DenseI64ArrayAttr strides) {
  printer << '[';
  llvm::interleaveComma(llvm::zip_equal(starts.asArrayRef(),
                                        limits.asArrayRef(),
                                        strides.asArrayRef()),
                        printer, [&](auto range) {
                          auto [start, limit, stride] = range;
                          printer << start << ':' << limit;
                          if (stride != 1)
                            printer << ':' << stride;
                        });
  printer << ']';
}

ParseResult parseVariadicOperandWithAttribute(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  OptionalParseResult result;
  do {
    OpAsmParser::UnresolvedOperand operand;
    result = parser.parseOptionalOperand(operand);
    if (!result.has_value())
      break;
    if (failed(*result) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  } while (true);
  return success();
}

void printVariadicOperandWithAttribute(OpAsmPrinter &printer, Operation *,
                                       OperandRange operands) {
  llvm::interleaveComma(operands, printer);
  printer << ',';
}

static void printList(AsmPrinter &printer, ArrayRef<int64_t> list) {
  printer << '[';
  llvm::interleaveComma(list, printer);
  printer << ']';
}

static ParseResult parseList(AsmParser &parser,
                             SmallVectorImpl<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
    return parser.parseInteger(list.emplace_back());
  });
}

ParseResult parseDotDimensionNumbers(OpAsmParser &parser,
                                     DotDimensionNumbersAttr &numbers) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsSum, rhsSum;
  auto parsePair = [&](SmallVectorImpl<int64_t> &lhs,
                       SmallVectorImpl<int64_t> &rhs) -> ParseResult {
    return failure(parser.parseEqual() || parseList(parser, lhs) ||
                   parser.parseKeyword("x") || parseList(parser, rhs));
  };
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair(lhsBatch, rhsBatch) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parsePair(lhsSum, rhsSum))
    return failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch,
                                         rhsBatch, lhsSum, rhsSum);
  return success();
}

void printDotDimensionNumbers(OpAsmPrinter &printer, Operation *,
                              DotDimensionNumbersAttr numbers) {
  auto printPair = [&](StringRef name, ArrayRef<int64_t> lhs,
                       ArrayRef<int64_t> rhs) {
    printer << name << " = ";
    printList(printer, lhs);
    printer << " x ";
    printList(printer, rhs);
  };
  if (!numbers.getLhsBatchingDimensions().empty()) {
    printPair("batching_dims", numbers.getLhsBatchingDimensions(),
              numbers.getRhsBatchingDimensions());
    printer << ", ";
  }
  printPair("contracting_dims", numbers.getLhsContractingDimensions(),
            numbers.getRhsContractingDimensions());
}

ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  SmallVector<Attribute> list;
  if (parser.parseKeyword("precision") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
        PrecisionAttr attr;
        if (parseEnum(parser, attr,
                      [](StringRef text) { return symbolizePrecision(text); }))
          return failure();
        list.push_back(attr);
        return success();
      }))
    return failure();
  precision = parser.getBuilder().getArrayAttr(list);
  return success();
}

void printPrecisionConfig(OpAsmPrinter &printer, Operation *,
                          ArrayAttr precision) {
  if (!precision)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(
      precision.getAsRange<PrecisionAttr>(), printer,
      [&](auto attr) { printer << stringifyPrecision(attr.getValue()); });
  printer << ']';
}

/// `[b, f, 0, 1]` of two axes and \p count positions.
static void printLayout(OpAsmPrinter &printer, StringRef axes, size_t count) {
  printer << '[' << axes;
  for (size_t i = 0; i < count; ++i)
    printer << ", " << i;
  printer << ']';
}

static ParseResult parseLayout(OpAsmParser &parser, StringRef first,
                               StringRef second, int64_t &count) {
  count = -2;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        int64_t position = ++count - 1, found = 0;
        if (position < 0)
          return parser.parseKeyword(position == -2 ? first : second);
        auto location = parser.getCurrentLocation();
        if (parser.parseInteger(found))
          return failure();
        return found == position
                   ? success()
                   : parser.emitError(location, "positions are in order");
      });
}

ParseResult parseWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                        DenseI64ArrayAttr &low, DenseI64ArrayAttr &high,
                        DenseI64ArrayAttr &lhsDilation,
                        DenseI64ArrayAttr &rhsDilation) {
  int64_t counts[3];
  if (parser.parseKeyword("dim_numbers") || parser.parseEqual() ||
      parseLayout(parser, "b", "f", counts[0]) || parser.parseKeyword("x") ||
      parseLayout(parser, "i", "o", counts[1]) || parser.parseArrow() ||
      parseLayout(parser, "b", "f", counts[2]) || parser.parseComma() ||
      parser.parseKeyword("window") || parser.parseEqual() ||
      parser.parseLBrace())
    return failure();
  auto list = [&](StringRef name, DenseI64ArrayAttr &made) -> ParseResult {
    SmallVector<int64_t> numbers;
    if (parser.parseKeyword(name) || parser.parseEqual() ||
        parseList(parser, numbers) || parser.parseComma())
      return failure();
    made = parser.getBuilder().getDenseI64ArrayAttr(numbers);
    return success();
  };
  SmallVector<int64_t> before, after;
  auto pair = [&]() -> ParseResult {
    return failure(
        parser.parseLSquare() || parser.parseInteger(before.emplace_back()) ||
        parser.parseComma() || parser.parseInteger(after.emplace_back()) ||
        parser.parseRSquare());
  };
  auto isFalse = [&]() { return parser.parseKeyword("false"); };
  if (list("stride", strides) || parser.parseKeyword("pad") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, pair) ||
      parser.parseComma() || list("lhs_dilate", lhsDilation) ||
      list("rhs_dilate", rhsDilation) || parser.parseKeyword("reverse") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, isFalse) ||
      parser.parseRBrace())
    return failure();
  low = parser.getBuilder().getDenseI64ArrayAttr(before);
  high = parser.getBuilder().getDenseI64ArrayAttr(after);
  return success();
}

void printWindow(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr strides,
                 DenseI64ArrayAttr low, DenseI64ArrayAttr high,
                 DenseI64ArrayAttr lhsDilation, DenseI64ArrayAttr rhsDilation) {
  size_t count = strides.size();
  printer << "dim_numbers = ";
  printLayout(printer, "b, f", count);
  printer << 'x';
  printLayout(printer, "i, o", count);
  printer << "->";
  printLayout(printer, "b, f", count);
  printer << ", window = {stride = ";
  printList(printer, strides);
  printer << ", pad = [";
  llvm::interleaveComma(llvm::zip_equal(low.asArrayRef(), high.asArrayRef()),
                        printer, [&](auto pair) {
                          auto [before, after] = pair;
                          printer << '[' << before << ", " << after << ']';
                        });
  printer << "], lhs_dilate = ";
  printList(printer, lhsDilation);
  printer << ", rhs_dilate = ";
  printList(printer, rhsDilation);
  printer << ", reverse = [";
  llvm::interleaveComma(SmallVector<StringRef>(count, "false"), printer);
  printer << "]}";
}

ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCustomCallTarget(OpAsmPrinter &printer, Operation *,
                           StringAttr target) {
  printer.printSymbolName(target.getValue());
}

/// `<name = [..], name = 1>`, without empty lists and an index of 0.
static void printStruct(AsmPrinter &printer,
                        ArrayRef<std::pair<StringRef, ArrayRef<int64_t>>> lists,
                        int64_t indexVectorDim) {
  printer << '<';
  bool isFirst = true;
  auto printName = [&](StringRef name) {
    printer << (isFirst ? "" : ", ") << name << " = ";
    isFirst = false;
  };
  for (auto [name, list] : lists) {
    if (list.empty())
      continue;
    printName(name);
    printList(printer, list);
  }
  if (indexVectorDim != 0) {
    printName("index_vector_dim");
    printer << indexVectorDim;
  }
  printer << '>';
}

static ParseResult parseStruct(AsmParser &parser, ArrayRef<StringRef> names,
                               MutableArrayRef<SmallVector<int64_t>> lists,
                               int64_t &indexVectorDim) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
        StringRef keyword;
        if (parser.parseKeyword(&keyword) || parser.parseEqual())
          return failure();
        if (keyword == "index_vector_dim")
          return parser.parseInteger(indexVectorDim);
        const auto *found = llvm::find(names, keyword);
        if (found == names.end())
          return parser.emitError(parser.getCurrentLocation(), "unknown field ")
                 << keyword;
        return parseList(parser, lists[found - names.begin()]);
      });
}

template <typename Attr>
static Attribute parseNumbers(AsmParser &parser, ArrayRef<StringRef> names) {
  SmallVector<int64_t> lists[5];
  int64_t indexVectorDim = 0;
  if (parseStruct(parser, names, lists, indexVectorDim))
    return {};
  return Attr::get(parser.getContext(), lists[0], lists[1], lists[2], lists[3],
                   lists[4], indexVectorDim);
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  return parseNumbers<GatherDimensionNumbersAttr>(
      parser, {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
               "start_indices_batching_dims", "start_index_map"});
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printStruct(printer,
              {{"offset_dims", getOffsetDims()},
               {"collapsed_slice_dims", getCollapsedSliceDims()},
               {"operand_batching_dims", getOperandBatchingDims()},
               {"start_indices_batching_dims", getStartIndicesBatchingDims()},
               {"start_index_map", getStartIndexMap()}},
              getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  return parseNumbers<ScatterDimensionNumbersAttr>(
      parser,
      {"update_window_dims", "inserted_window_dims", "input_batching_dims",
       "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"});
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printStruct(
      printer,
      {{"update_window_dims", getUpdateWindowDims()},
       {"inserted_window_dims", getInsertedWindowDims()},
       {"input_batching_dims", getInputBatchingDims()},
       {"scatter_indices_batching_dims", getScatterIndicesBatchingDims()},
       {"scatter_dims_to_operand_dims", getScatterDimsToOperandDims()}},
      getIndexVectorDim());
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lists[4];
  StringRef names[] = {"lhs_batching_dimensions", "rhs_batching_dimensions",
                       "lhs_contracting_dimensions",
                       "rhs_contracting_dimensions"};
  int64_t unused = 0;
  if (parseStruct(parser, names, lists, unused))
    return {};
  return DotDimensionNumbersAttr::get(parser.getContext(), lists[0], lists[1],
                                      lists[2], lists[3]);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printStruct(printer,
              {{"lhs_batching_dimensions", getLhsBatchingDimensions()},
               {"rhs_batching_dimensions", getRhsBatchingDimensions()},
               {"lhs_contracting_dimensions", getLhsContractingDimensions()},
               {"rhs_contracting_dimensions", getRhsContractingDimensions()}},
              0);
}

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> result, inOperand;
  int64_t operand = 0;
  if (parser.parseLess() || parser.parseKeyword("output_tuple_indices") ||
      parser.parseEqual() || parseList(parser, result) || parser.parseComma() ||
      parser.parseKeyword("operand_index") || parser.parseEqual() ||
      parser.parseInteger(operand) || parser.parseComma() ||
      parser.parseKeyword("operand_tuple_indices") || parser.parseEqual() ||
      parseList(parser, inOperand) || parser.parseGreater())
    return {};
  return get(parser.getContext(), result, operand, inOperand);
}

void OutputOperandAliasAttr::print(AsmPrinter &printer) const {
  printer << "<output_tuple_indices = [" << getOutputTupleIndices()
          << "], operand_index = " << getOperandIndex()
          << ", operand_tuple_indices = [" << getOperandTupleIndices() << "]>";
}

//===----------------------------------------------------------------------===//
// Operations with regions
//===----------------------------------------------------------------------===//

// `(%x init: %i) applies stablehlo.add across dimensions = [0] : ...`
ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand input, init;
  StringAttr name;
  DenseI64ArrayAttr dimensions;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperand(input) ||
      parser.parseKeyword("init") || parser.parseColon() ||
      parser.parseOperand(init) || parser.parseRParen() ||
      parser.parseKeyword("applies"))
    return failure();
  auto opName = parser.parseCustomOperationName();
  if (failed(opName) || parser.parseKeyword("across") ||
      parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parser.parseCustomAttributeWithFallback(dimensions) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands({input, init}, type.getInputs(), loc,
                             state.operands))
    return failure();
  state.addAttribute("dimensions", dimensions);
  state.addTypes(type.getResults());
  Type scalar = type.getInput(1);
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments({scalar, scalar}, {state.location, state.location});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  OperationState body(state.location, *opName, block.getArguments(), scalar);
  ReturnOp::create(builder, state.location, builder.create(body)->getResults());
  return success();
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << '(' << getInput() << " init: " << getInitValue() << ") applies "
          << getBody().front().front().getName() << " across dimensions = ";
  printer.printStrippedAttrOrType(getDimensionsAttr());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
}

LogicalResult ReduceOp::verify() {
  Block &block = getBody().front();
  if (llvm::hasSingleElement(block.without_terminator()) &&
      block.front().getOperands() == ValueRange(block.getArguments()))
    return success();
  return emitOpError("body is not one operation on its arguments");
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  bool isInteger = isa<IntegerType>(getOutput().getType().getElementType());
  setName(getOutput(), isInteger ? "c" : "cst");
}

void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne) ||
      (!inits.empty() && parser.parseColonTypeList(types)) ||
      parser.resolveOperands(inits, types, loc, state.operands) ||
      (succeeded(parser.parseOptionalKeyword("attributes")) &&
       parser.parseOptionalAttrDict(state.attributes)) ||
      parser.parseKeyword("cond"))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  state.addTypes(types);
  return failure(parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*state.addRegion(), arguments));
}

void WhileOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(llvm::zip_equal(getCond().getArguments(), getOperand()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair);
                        });
  printer << ')';
  if (getNumOperands() > 0)
    printer << " : " << getOperandTypes();
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.shadowRegionArgs(getBody(), getCond().getArguments());
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

} // namespace stablehlo
