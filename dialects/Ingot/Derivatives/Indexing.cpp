//===- Indexing.cpp - Derivatives of reading and writing parts -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Derivatives.h"

using namespace mlir;
using namespace ingot;

LogicalResult SliceOp::buildAdjoints(OpBuilder &builder,
                                     ArrayRef<Value> cotangents,
                                     ValueList &results) {
  SmallVector<int64_t> high, interior;
  ArrayRef<int64_t> shape = getOperand().getType().getShape();
  for (auto [axis, size] : llvm::enumerate(getSizes())) {
    int64_t stride = getStrides()[axis];
    int64_t end = getStarts()[axis] + (size == 0 ? 0 : (size - 1) * stride + 1);
    high.push_back(shape[axis] - end);
    interior.push_back(stride - 1);
  }
  Value zero = numberOf(builder, getLoc(), 0, cotangents[0].getType());
  results.push_back(PadOp::create(builder, getLoc(), cotangents[0], zero,
                                  getStarts(), high, interior));
  return success();
}

/// Whether it is faster to add to a part of a sum in place: for a large part,
/// the addition of a padded array is.
static bool isSmall(RankedTensorType part, RankedTensorType whole) {
  return part.getNumElements() * 4 <= whole.getNumElements();
}

Value SliceOp::accumulate(OpBuilder &builder, Value cotangent, Value sum) {
  if (!isSmall(getType(), getOperand().getType()))
    return nullptr;
  Value old = SliceOp::create(builder, getLoc(), sum, getStarts(), getSizes(),
                              getStrides());
  Value more = AddOp::create(builder, getLoc(), old, cotangent);
  SmallVector<Value> starts;
  for (int64_t start : getStarts())
    starts.push_back(integer(builder, getLoc(), start));
  return UpdateSliceOp::create(builder, getLoc(), sum, more, starts,
                               getStrides());
}

LogicalResult DynamicSliceOp::buildAdjoints(OpBuilder &builder,
                                            ArrayRef<Value> cotangents,
                                            ValueList &results) {
  Value zeros = zerosOf(builder, getLoc(), getOperand().getType());
  results.push_back(UpdateSliceOp::create(
      builder, getLoc(), zeros, cotangents[0], getStarts(), getStrides()));
  results.append(getStarts().size(), nullptr);
  return success();
}

Value DynamicSliceOp::accumulate(OpBuilder &builder, Value cotangent,
                                 Value sum) {
  Value old = DynamicSliceOp::create(builder, getLoc(), sum, getStarts(),
                                     getSizes(), getStrides());
  Value more = AddOp::create(builder, getLoc(), old, cotangent);
  return UpdateSliceOp::create(builder, getLoc(), sum, more, getStarts(),
                               getStrides());
}

LogicalResult UpdateSliceOp::buildAdjoints(OpBuilder &builder,
                                           ArrayRef<Value> cotangents,
                                           ValueList &results) {
  // Read the slice before the next operation overwrites it.
  ArrayRef<int64_t> sizes = getUpdate().getType().getShape();
  Value part = DynamicSliceOp::create(builder, getLoc(), cotangents[0],
                                      getStarts(), sizes, getStrides());
  Value zeros = zerosOf(builder, getLoc(), getUpdate().getType());
  results.push_back(UpdateSliceOp::create(builder, getLoc(), cotangents[0],
                                          zeros, getStarts(), getStrides()));
  results.push_back(part);
  results.append(getStarts().size(), nullptr);
  return success();
}

LogicalResult GatherOp::buildAdjoints(OpBuilder &builder,
                                      ArrayRef<Value> cotangents,
                                      ValueList &results) {
  Value zeros = zerosOf(builder, getLoc(), getOperand().getType());
  results.push_back(ScatterOp::create(builder, getLoc(), ScatterKind::Add,
                                      zeros, cotangents[0], getIndices()));
  results.append(getIndices().size(), nullptr);
  return success();
}

Value GatherOp::accumulate(OpBuilder &builder, Value cotangent, Value sum) {
  return ScatterOp::create(builder, getLoc(), ScatterKind::Add, sum, cotangent,
                           getIndices());
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// The largest number of indices that are compared at compile time.
static constexpr int64_t maxIndices = 1 << 14;

/// The elements of an integer array, if they are static: of constants, iotas,
/// broadcast numbers, and the code that wraps negative indices.
static std::optional<SmallVector<int64_t>> knownIntegers(Value value) {
  auto type = typeOf(value);
  Operation *op = value.getDefiningOp();
  if (!op || type.getNumElements() > maxIndices)
    return {};
  SmallVector<int64_t> found;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseIntElementsAttr>(constant.getValueAttr());
    if (!elements)
      return {};
    for (const APInt &each : elements.getValues<APInt>())
      found.push_back(each.getSExtValue());
    return found;
  }
  if (isa<BroadcastToOp>(op) && typeOf(op->getOperand(0)).getRank() == 0) {
    auto number = knownIntegers(op->getOperand(0));
    if (number)
      found.assign(type.getNumElements(), number->front());
    return number ? std::optional(found) : std::nullopt;
  }
  auto iota = dyn_cast<IotaOp>(op);
  if (iota && type.getRank() == 1)
    return llvm::to_vector(llvm::seq<int64_t>(0, type.getNumElements()));
  auto select = dyn_cast<SelectOp>(op);
  auto wrapped = select ? select.getOnTrue().getDefiningOp<AddOp>() : nullptr;
  if (!wrapped || wrapped.getLhs() != select.getOnFalse())
    return {};
  auto plain = knownIntegers(wrapped.getLhs());
  auto extent = knownIntegers(wrapped.getRhs());
  if (!plain || !extent || extent->size() != 1)
    return {};
  for (int64_t each : *plain)
    found.push_back(each < 0 ? each + extent->front() : each);
  return found;
}

bool ingot::areUnique(ScatterOp op) {
  int64_t count = typeOf(op.getIndices()[0]).getNumElements();
  if (op.getUnique() || count > maxIndices)
    return op.getUnique();
  SmallVector<SmallVector<int64_t>> indices(count);
  for (Value along : op.getIndices()) {
    // Indices that differ along one axis differ, whatever the other axes have.
    auto numbers = knownIntegers(along);
    if (!numbers)
      continue;
    for (auto [index, number] : llvm::zip_equal(indices, *numbers))
      index.push_back(number);
  }
  llvm::sort(indices);
  return std::adjacent_find(indices.begin(), indices.end()) == indices.end();
}

/// Compares the indices of each two updates.
static Value areLastOfEqual(ScatterOp op, OpBuilder &builder) {
  mlir::Location location = op.getLoc();
  auto indices = typeOf(op.getIndices()[0]);
  int64_t count = indices.getNumElements();
  auto laid = [&](Value array, int64_t rows, int64_t columns) -> Value {
    return ReshapeOp::create(builder, location,
                             typeOf(array).clone({rows, columns}), array);
  };
  auto compared = [&](Comparison how, Value array) -> Value {
    return CompareOp::create(builder, location, how, laid(array, count, 1),
                             laid(array, 1, count));
  };
  auto line = RankedTensorType::get({count}, builder.getI64Type());
  Value hide =
      compared(Comparison::LT, IotaOp::create(builder, location, line, 0));
  for (Value each : op.getIndices())
    hide =
        AndOp::create(builder, location, hide, compared(Comparison::EQ, each));
  Value isHidden =
      ReduceOp::create(builder, location, ReduceKind::Or, hide, {1});
  Value isLast = NotOp::create(builder, location, isHidden);
  return ReshapeOp::create(
      builder, location,
      RankedTensorType::get(indices.getShape(), builder.getI1Type()), isLast);
}

/// Either compares the indices of all updates, or scatters the numbers of the
/// updates by `max` with the same indices, and gathers them again.
Value ingot::areLast(ScatterOp op, OpBuilder &builder) {
  mlir::Location location = op.getLoc();
  auto indices = typeOf(op.getIndices()[0]);
  int64_t count = indices.getNumElements();
  Type i64 = builder.getI64Type();
  auto indexed = RankedTensorType::get(
      op.getType().getShape().take_front(op.getIndices().size()), i64);
  if (count <= maxIndices && count * count <= indexed.getNumElements())
    return areLastOfEqual(op, builder);
  auto line = RankedTensorType::get({count}, i64);
  Value numbers = ReshapeOp::create(
      builder, location, RankedTensorType::get(indices.getShape(), i64),
      IotaOp::create(builder, location, line, 0));
  Value last = ScatterOp::create(builder, location, ScatterKind::Max,
                                 zerosOf(builder, location, indexed), numbers,
                                 op.getIndices());
  last = GatherOp::create(builder, location, last, op.getIndices());
  return CompareOp::create(builder, location, Comparison::EQ, last, numbers);
}

Value ingot::areInside(ScatterOp op, OpBuilder &builder) {
  mlir::Location location = op.getLoc();
  Value all;
  auto require = [&](Comparison how, Value index, int64_t bound) {
    Value holds = CompareOp::create(builder, location, how, index,
                                    integer(builder, location, bound));
    all =
        all ? AndOp::create(builder, location, all, holds).getResult() : holds;
  };
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    int64_t size = op.getType().getDimSize(axis);
    auto isInside = [&](int64_t each) { return each >= 0 && each < size; };
    auto numbers = knownIntegers(index);
    if (numbers && llvm::all_of(*numbers, isInside))
      continue;
    Value number = ConvertOp::create(
        builder, location, typeOf(index).clone(builder.getI64Type()), index);
    require(Comparison::GE, number, 0);
    require(Comparison::LT, number, size);
  }
  return all;
}

/// The updates that the result has, and zeros for those that are dropped, or
/// that later ones overwrite.
static Value keepStored(ScatterOp op, OpBuilder &builder, Value update) {
  mlir::Location location = op.getLoc();
  Value isStored = areInside(op, builder);
  if (op.getKind() == ScatterKind::Set && !areUnique(op)) {
    Value isLast = areLast(op, builder);
    isStored =
        isStored
            ? AndOp::create(builder, location, isStored, isLast).getResult()
            : isLast;
  }
  if (!isStored)
    return update;
  auto type = typeOf(isStored);
  // The leading axes of the update are those of the indices.
  SmallVector<int64_t> shape(type.getShape());
  shape.resize(op.getUpdate().getType().getRank(), 1);
  isStored = ReshapeOp::create(
      builder, location, type.clone(shape, type.getElementType()), isStored);
  Value zero = numberOf(builder, location, 0, update.getType());
  return SelectOp::create(builder, location, isStored, update, zero);
}

/// serialiseScatters replaces the other kinds before they are differentiated.
static LogicalResult checkKind(ScatterOp op) {
  if (op.getKind() == ScatterKind::Set || op.getKind() == ScatterKind::Add)
    return success();
  return op.emitError("a scatter of this kind has no derivative");
}

LogicalResult ScatterOp::buildTangents(OpBuilder &builder,
                                       ArrayRef<Value> tangents,
                                       ValueList &results) {
  if (failed(checkKind(*this)))
    return failure();
  return buildLinearTangents(*this, builder, tangents, results);
}

LogicalResult ScatterOp::buildAdjoints(OpBuilder &builder,
                                       ArrayRef<Value> cotangents,
                                       ValueList &results) {
  if (failed(checkKind(*this)))
    return failure();
  Value part = GatherOp::create(builder, getLoc(), cotangents[0], getIndices());
  Value whole = cotangents[0];
  if (getKind() == ScatterKind::Set)
    whole = ScatterOp::create(builder, getLoc(), ScatterKind::Set, whole,
                              zerosOf(builder, getLoc(), getUpdate().getType()),
                              getIndices(), getUnique());
  results.push_back(whole);
  results.push_back(keepStored(*this, builder, part));
  results.append(getIndices().size(), nullptr);
  return success();
}

LogicalResult BarrierOp::buildAdjoints(OpBuilder &, ArrayRef<Value> cotangents,
                                       ValueList &results) {
  results.append(cotangents.begin(), cotangents.end());
  return success();
}
