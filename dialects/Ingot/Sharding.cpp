//===- Sharding.cpp - Where values lie on a mesh --------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ingot {

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static ParseResult parseName(AsmParser &parser, StringAttr &name) {
  std::string text;
  if (parser.parseString(&text))
    return failure();
  name = StringAttr::get(parser.getContext(), text);
  return success();
}

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  auto parseAxis = [&]() -> ParseResult {
    return failure(parseName(parser, names.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseInteger(sizes.emplace_back()));
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), names, sizes);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(
      llvm::zip_equal(getNames(), getSizes()), printer, [&](auto axis) {
        printer << std::get<0>(axis) << '=' << std::get<1>(axis);
      });
  printer << "]>";
}

FailureOr<ShardingAttr> ShardingAttr::parseAxes(AsmParser &parser) {
  SmallVector<ArrayAttr> axes;
  SmallVector<bool> open;
  Builder builder(parser.getContext());
  auto parseAxis = [&]() -> ParseResult {
    SmallVector<Attribute> names;
    bool isOpen = false;
    auto parseEntry = [&]() -> ParseResult {
      if (isOpen)
        return parser.emitError(parser.getCurrentLocation(), "`?` is not last");
      if (succeeded(parser.parseOptionalQuestion())) {
        isOpen = true;
        return success();
      }
      StringAttr name;
      if (parseName(parser, name))
        return failure();
      names.push_back(name);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                       parseEntry))
      return failure();
    axes.push_back(builder.getArrayAttr(names));
    open.push_back(isOpen);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
    return failure();
  return get(parser.getContext(), axes, open);
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  auto found = parseAxes(parser);
  if (failed(found) || parser.parseGreater())
    return {};
  return *found;
}

void ShardingAttr::printAxes(llvm::raw_ostream &stream) const {
  auto printAxis = [&](auto axis) {
    auto [names, isOpen] = axis;
    stream << '{';
    llvm::interleaveComma(names, stream);
    if (isOpen)
      stream << (names.empty() ? "?" : ", ?");
    stream << '}';
  };
  stream << '[';
  llvm::interleaveComma(llvm::zip_equal(getAxes(), getOpen()), stream,
                        printAxis);
  stream << ']';
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printAxes(printer.getStream());
  printer << '>';
}

ShardingAttr ShardingAttr::withLeadingAxis(StringAttr axis) const {
  Builder builder(getContext());
  SmallVector<Attribute> names;
  if (axis)
    names.push_back(axis);
  SmallVector<ArrayAttr> axes{builder.getArrayAttr(names)};
  SmallVector<bool> open{!axis};
  llvm::append_range(axes, getAxes());
  llvm::append_range(open, getOpen());
  return get(getContext(), axes, open);
}

bool ShardingAttr::uses(StringAttr axis) const {
  return llvm::any_of(getAxes(), [&](ArrayAttr names) {
    return llvm::is_contained(names, axis);
  });
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

using Report = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifySharding(ShardingAttr sharding, Type type,
                                    Operation *op, Report report) {
  auto shaped = dyn_cast<ShapedType>(type);
  int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
  if (static_cast<int64_t>(sharding.getAxes().size()) != rank)
    return report() << "has a sharding of " << sharding.getAxes().size()
                    << " axes for an array of " << rank;
  auto module = op->getParentOfType<ModuleOp>();
  auto mesh = module ? module->getAttrOfType<MeshAttr>("ingot.mesh") : nullptr;
  llvm::SmallPtrSet<Attribute, 4> seen;
  for (ArrayAttr names : sharding.getAxes())
    for (Attribute name : names) {
      if (!seen.insert(name).second)
        return report() << "is divided by the axis " << name << " twice";
      if (mesh && !llvm::is_contained(mesh.getNames(), name))
        return report() << "is divided by " << name
                        << ", which is no axis of the mesh";
    }
  return success();
}

LogicalResult ShardOp::verify() {
  return verifySharding(getSharding(), getType(), *this,
                        [&] { return emitOpError(); });
}

LogicalResult verifyShardingOf(Operation *op, NamedAttribute attribute,
                               StringRef kind, unsigned index,
                               bool isArgument) {
  auto report = [&] { return op->emitError() << kind << " #" << index << ' '; };
  auto sharding = dyn_cast<ShardingAttr>(attribute.getValue());
  if (!sharding)
    return report() << "has an `ingot.sharding` that is no sharding";
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return report() << "is not a function's, and has an `ingot.sharding`";
  Type type = isArgument ? function.getArgumentTypes()[index]
                         : function.getResultTypes()[index];
  return verifySharding(sharding, type, op, report);
}

LogicalResult IngotDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() != "ingot.mesh")
    return success();
  auto mesh = dyn_cast<MeshAttr>(attribute.getValue());
  if (!mesh || !isa<ModuleOp>(op))
    return op->emitError("`ingot.mesh` is a mesh, of a module");
  llvm::SmallPtrSet<Attribute, 4> seen;
  for (auto [name, size] : llvm::zip_equal(mesh.getNames(), mesh.getSizes())) {
    if (!seen.insert(name).second)
      return op->emitError("`ingot.mesh` has two axes ") << name;
    if (size <= 0)
      return op->emitError("`ingot.mesh` has no devices along ") << name;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ShardOp
//===----------------------------------------------------------------------===//

AxisRule ShardOp::getAxisRule() { return axesBut(*this, {}); }

void ShardOp::addLeadingAxis(NamedAttrList &attributes) {
  attributes.set("sharding", getSharding().withLeadingAxis());
}

/// Pattern: shard(shard(x, s), s) -> shard(x, s)
OpFoldResult ShardOp::fold(FoldAdaptor) {
  auto inner = getOperand().getDefiningOp<ShardOp>();
  return inner && inner.getSharding() == getSharding() ? getOperand()
                                                       : OpFoldResult();
}

} // namespace ingot
