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

/// A slice that is most of the array is faster added as a whole.
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
  // The part is read before it is overwritten.
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

/// More constant indices than these are not looked at.
static constexpr int64_t mostIndices = 1 << 14;

/// The elements of integers that are known: of constants and iotas, repeated,
/// and with what the frontend emits to count negative ones from the end.
static std::optional<SmallVector<int64_t>> knownIntegers(Value value) {
  auto type = typeOf(value);
  Operation *op = value.getDefiningOp();
  if (!op || type.getNumElements() > mostIndices)
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

/// Whether it is known that every place is written once at most.
static bool areUnique(ScatterOp op) {
  int64_t count = typeOf(op.getIndices()[0]).getNumElements();
  if (op.getUnique() || count > mostIndices)
    return op.getUnique();
  SmallVector<SmallVector<int64_t>> places(count);
  for (Value index : op.getIndices()) {
    // Places that differ along one axis do, whatever the others are.
    auto numbers = knownIntegers(index);
    if (!numbers)
      continue;
    for (auto [place, number] : llvm::zip_equal(places, *numbers))
      place.push_back(number);
  }
  llvm::sort(places);
  return std::adjacent_find(places.begin(), places.end()) == places.end();
}

/// Of what is written, which is not written over: a bool for each index. The
/// updates' numbers are scattered in the same way, and the largest is the last.
static Value lastWritten(ScatterOp op, OpBuilder &builder) {
  mlir::Location location = op.getLoc();
  auto indices = typeOf(op.getIndices()[0]);
  Type i64 = builder.getI64Type();
  auto line = RankedTensorType::get({indices.getNumElements()}, i64);
  Value numbers = ReshapeOp::create(
      builder, location, RankedTensorType::get(indices.getShape(), i64),
      IotaOp::create(builder, location, line, 0));
  auto places = RankedTensorType::get(
      op.getType().getShape().take_front(op.getIndices().size()), i64);
  Value last = ScatterOp::create(builder, location, ScatterKind::Max,
                                 zerosOf(builder, location, places), numbers,
                                 op.getIndices());
  last = GatherOp::create(builder, location, last, op.getIndices());
  return CompareOp::create(builder, location, Comparison::EQ, last, numbers);
}

/// Those updates that are not written over; zeros for the others.
static Value keepLast(ScatterOp op, OpBuilder &builder, Value update) {
  if (areUnique(op))
    return update;
  mlir::Location location = op.getLoc();
  Value isLast = lastWritten(op, builder);
  auto type = typeOf(isLast);
  // The indices' axes come first.
  SmallVector<int64_t> shape(type.getShape());
  shape.resize(op.getUpdate().getType().getRank(), 1);
  isLast = ReshapeOp::create(builder, location,
                             type.clone(shape, type.getElementType()), isLast);
  Value zero = numberOf(builder, location, 0, update.getType());
  return SelectOp::create(builder, location, isLast, update, zero);
}

/// Products and extrema are made loops before they are differentiated.
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
  Value kept = cotangents[0];
  if (getKind() == ScatterKind::Set) {
    kept = ScatterOp::create(builder, getLoc(), ScatterKind::Set, kept,
                             zerosOf(builder, getLoc(), getUpdate().getType()),
                             getIndices(), getUnique());
    part = keepLast(*this, builder, part);
  }
  results.push_back(kept);
  results.push_back(part);
  results.append(getIndices().size(), nullptr);
  return success();
}

LogicalResult BarrierOp::buildAdjoints(OpBuilder &, ArrayRef<Value> cotangents,
                                       ValueList &results) {
  results.append(cotangents.begin(), cotangents.end());
  return success();
}
