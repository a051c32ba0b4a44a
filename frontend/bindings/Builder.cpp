//===- Builder.cpp - Emits a function -------------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ingot;

FunctionBuilder::FunctionBuilder(StringRef name)
    : holder{Context::acquire(), nullptr}, builder(context(), &counter),
      location(builder.getUnknownLoc()) {
  filename = builder.getStringAttr("<unknown>");
  holder.op = ModuleOp::create(location);
  builder.setInsertionPointToEnd(holder.op->getBody());
  function = func::FuncOp::create(builder, location, name,
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  errors.emplace(context());
}

FunctionBuilder::~FunctionBuilder() {
  // Drop all uses first, so that no operation is deleted while it has uses.
  if (holder.op)
    holder.op->getBodyRegion().dropAllReferences();
  dropRegions(0);
  for (std::unique_ptr<Region> &region : dropped)
    region->dropAllReferences();
}

void FunctionBuilder::dropRegions(size_t keep) {
  std::move(regions.begin() + keep, regions.end(), std::back_inserter(dropped));
  regions.resize(keep);
}

/// Whether a value that is computed in a region has a use.
static bool isUsed(Region &region) {
  auto isValueUsed = [](Value value) { return !value.use_empty(); };
  auto isOperationUsed = [](Operation &op) {
    return !op.use_empty() || llvm::any_of(op.getRegions(), isUsed);
  };
  return llvm::any_of(region, [&](Block &block) {
    return llvm::any_of(block.getArguments(), isValueUsed) ||
           llvm::any_of(block, isOperationUsed);
  });
}

void FunctionBuilder::freeDropped() {
  for (std::unique_ptr<Region> &region : dropped)
    region->dropAllReferences();
  for (std::unique_ptr<Region> &region : dropped)
    if (isUsed(*region))
      throw std::runtime_error(
          "a value is used that was computed in code that was given up");
  dropped.clear();
}

void FunctionBuilder::setFile(StringRef name) {
  here();
  filename = builder.getStringAttr(name);
}

mlir::Location FunctionBuilder::here() {
  if (!pending)
    return location;
  nanobind::object node = std::move(pending);
  // Interned, since this runs for nearly every operation.
  static PyObject *const names[] = {
      PyUnicode_InternFromString("lineno"),
      PyUnicode_InternFromString("col_offset"),
      PyUnicode_InternFromString("end_lineno"),
      PyUnicode_InternFromString("end_col_offset"),
  };
  auto number = [&](unsigned i) {
    return nanobind::cast<unsigned>(node.attr(nanobind::handle(names[i])));
  };
  // Python counts columns from 0.
  return location = FileLineColRange::get(filename, number(0), number(1) + 1,
                                          number(2), number(3) + 1);
}

Value FunctionBuilder::addArgument(Type type) {
  return function.getBody().front().addArgument(type, here());
}

Value FunctionBuilder::constant(DenseElementsAttr value) {
  return ConstantOp::create(builder, here(), value.getType(), value);
}

Value FunctionBuilder::convert(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return ConvertOp::create(builder, here(), type.clone(element), value);
}

Attribute FunctionBuilder::parseAttribute(StringRef text) {
  Attribute &attribute = parsed[text];
  if (!attribute) {
    attribute = mlir::parseAttribute(text, context());
    if (!attribute)
      errors->raise("malformed attribute");
  }
  return attribute;
}

/// Fills in the result types of an operation that infers them.
static LogicalResult inferResults(OperationState &state) {
  auto info = state.name.getRegisteredInfo();
  auto *interface = info ? info->getInterface<InferTypeOpInterface>() : nullptr;
  if (!interface)
    return success();
  DictionaryAttr attributes =
      state.attributes.getDictionary(state.getContext());
  std::unique_ptr<char[]> storage;
  OpaqueProperties properties = nullptr;
  if (info->getOpPropertyByteSize() > 0) {
    storage = std::make_unique<char[]>(info->getOpPropertyByteSize());
    properties = OpaqueProperties(storage.get());
    info->initOpProperties(properties, nullptr);
    auto report = [&] { return emitError(state.location); };
    if (failed(info->setOpPropertiesFromAttribute(state.name, properties,
                                                  attributes, report)))
      return failure();
  }
  LogicalResult result = interface->inferReturnTypes(
      state.getContext(), state.location, state.operands, attributes,
      properties, RegionRange(), state.types);
  if (properties)
    info->destroyOpProperties(properties);
  return result;
}

ResultRange FunctionBuilder::create(StringRef name, ValueRange operands,
                                    NamedAttrList attributes, TypeRange types,
                                    unsigned regionCount) {
  OperationState state(here(), name, operands, types, attributes);
  if (!state.name.isRegistered())
    errors->raise("unknown operation " + name.str());
  if (types.empty() && failed(inferResults(state)))
    errors->raise("can't infer the results of " + name.str());
  if (regions.size() < regionCount)
    errors->raise("regions are missing");
  for (size_t i = regions.size() - regionCount; i < regions.size(); ++i)
    state.addRegion()->takeBody(*regions[i]);
  regions.resize(regions.size() - regionCount);
  Operation *op = builder.create(state);
  // Inference verifies operations; those without inference are verified here.
  if (!types.empty() && regionCount == 0 &&
      failed(op->getName().verifyInvariants(op)))
    errors->raise("invalid operation");
  return op->getResults();
}

void FunctionBuilder::beginRegion(TypeRange arguments) {
  places.push_back(builder.saveInsertionPoint());
  regions.push_back(std::make_unique<Region>());
  SmallVector<mlir::Location> locations(arguments.size(), here());
  Block *block = new Block;
  block->addArguments(arguments, locations);
  regions.back()->push_back(block);
  builder.setInsertionPointToEnd(block);
}

Value FunctionBuilder::regionArgument(unsigned index) {
  return builder.getInsertionBlock()->getArgument(index);
}

void FunctionBuilder::leaveRegion() {
  builder.restoreInsertionPoint(places.back());
  places.pop_back();
}

void FunctionBuilder::enterRegion(size_t age) {
  places.push_back(builder.saveInsertionPoint());
  builder.setInsertionPointToEnd(&regions[regions.size() - 1 - age]->front());
}

void FunctionBuilder::inlineRegion() {
  leaveRegion();
  Block *block = builder.getInsertionBlock();
  block->getOperations().splice(builder.getInsertionPoint(),
                                regions.back()->front().getOperations());
  regions.pop_back();
}

void FunctionBuilder::endRegion(StringRef terminator, ValueRange values) {
  create(terminator, values, {}, {}, 0);
  leaveRegion();
}

size_t FunctionBuilder::keepRegion() {
  dropRegions(regions.size() - 1);
  return dropped.size() - 1;
}

SmallVector<Value> FunctionBuilder::copyKept(size_t number,
                                             ValueRange arguments,
                                             ArrayRef<unsigned> wanted) {
  Block &block = dropped[number]->front();
  Operation *end = block.getTerminator();
  llvm::DenseSet<Value> used;
  for (unsigned i : wanted)
    used.insert(end->getOperand(i));
  SmallVector<Operation *> live;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    bool isUsed = llvm::any_of(
        op.getResults(), [&](Value value) { return used.contains(value); });
    if (!isUsed && isMemoryEffectFree(&op))
      continue;
    live.push_back(&op);
    op.walk([&](Operation *inner) {
      used.insert(inner->operand_begin(), inner->operand_end());
    });
  }
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation *op : llvm::reverse(live))
    builder.clone(*op, mapping);
  return llvm::map_to_vector(wanted, [&](unsigned i) {
    return mapping.lookupOrDefault(end->getOperand(i));
  });
}

size_t FunctionBuilder::insertionPoint() {
  Block *block = builder.getInsertionBlock();
  positions.emplace_back(block, block->empty() ? nullptr : &block->back());
  return positions.size() - 1;
}

std::optional<size_t> FunctionBuilder::record(size_t start,
                                              ValueRange arguments,
                                              ValueRange results) {
  auto [block, last] = positions[start];
  if (builder.getInsertionBlock() != block)
    return std::nullopt;
  Recorded call{llvm::to_vector(arguments), llvm::to_vector(results), {}};
  llvm::DenseSet<Value> known(arguments.begin(), arguments.end());
  auto isKnown = [&](Value value) { return known.contains(value); };
  auto first = last ? std::next(Block::iterator(last)) : block->begin();
  for (Operation &op : llvm::make_range(first, block->end())) {
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op) ||
        !llvm::all_of(op.getOperands(), isKnown))
      return std::nullopt;
    known.insert(op.result_begin(), op.result_end());
    call.operations.push_back(&op);
  }
  if (!llvm::all_of(results, isKnown))
    return std::nullopt;
  recorded.push_back(std::move(call));
  return recorded.size() - 1;
}

SmallVector<Value> FunctionBuilder::replay(size_t number,
                                           ValueRange arguments) {
  const Recorded &call = recorded[number];
  IRMapping mapping;
  mapping.map(call.arguments, arguments);
  for (Operation *op : call.operations)
    builder.clone(*op, mapping);
  return llvm::map_to_vector(
      call.results, [&](Value value) { return mapping.lookup(value); });
}

using Pairs = llvm::DenseSet<std::pair<Value, Value>>;

static bool isSame(Value lhs, Value rhs, Pairs &proven) {
  if (lhs == rhs || proven.contains({lhs, rhs}))
    return true;
  Operation *a = lhs.getDefiningOp(), *b = rhs.getDefiningOp();
  if (!a || !b || a->getNumRegions() != 0 || !isMemoryEffectFree(a))
    return false;
  bool isOneOperation = a->getName() == b->getName() &&
                        a->getAttrDictionary() == b->getAttrDictionary() &&
                        a->getResultTypes() == b->getResultTypes() &&
                        a->getNumOperands() == b->getNumOperands() &&
                        cast<OpResult>(lhs).getResultNumber() ==
                            cast<OpResult>(rhs).getResultNumber();
  if (!isOneOperation)
    return false;
  for (auto [x, y] : llvm::zip_equal(a->getOperands(), b->getOperands()))
    if (!isSame(x, y, proven))
      return false;
  proven.insert({lhs, rhs});
  return true;
}

bool FunctionBuilder::same(Value lhs, Value rhs) {
  Pairs proven;
  return isSame(lhs, rhs, proven);
}

FunctionBuilder::Mark FunctionBuilder::mark() {
  return {regions.size(), places.size(), insertionPoint()};
}

void FunctionBuilder::rollback(const Mark &mark) {
  auto [openRegions, openPlaces, position] = mark;
  if (places.size() > openPlaces) {
    builder.restoreInsertionPoint(places[openPlaces]);
    places.resize(openPlaces);
  }
  dropRegions(openRegions);
  auto [block, last] = positions[position];
  auto first = last ? std::next(Block::iterator(last)) : block->begin();
  if (first == block->end())
    return;
  auto region = std::make_unique<Region>();
  Block &given = region->emplaceBlock();
  given.getOperations().splice(given.end(), block->getOperations(), first,
                               block->end());
  dropped.push_back(std::move(region));
}

ModuleHolder FunctionBuilder::finish(ValueRange results) {
  if (!places.empty())
    throw std::runtime_error("a region was not ended");
  func::ReturnOp::create(builder, here(), results);
  Block &block = function.getBody().front();
  function.setFunctionType(builder.getFunctionType(
      block.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
  freeDropped();
  // Passes may crash on what does not verify; a fault of the frontend is an
  // exception instead.
  if (failed(mlir::verify(*holder.op)))
    throw std::runtime_error("the frontend made an invalid module");
  errors.reset();
  return std::move(holder);
}
