//===- Chunks.cpp - Masked ranges and chunks of an axis -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify/Chunks.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;

static RankedTensorType scalarOf(Type element) {
  return RankedTensorType::get({}, element);
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// The axis of an operand that corresponds to an axis of a result; none if the
/// operand is broadcast along it.
static std::optional<unsigned>
broadcastAxis(Value operand, RankedTensorType result, unsigned axis) {
  int64_t missing = result.getRank() - typeOf(operand).getRank();
  if (axis < missing ||
      typeOf(operand).getDimSize(axis - missing) != result.getDimSize(axis))
    return std::nullopt;
  return axis - missing;
}

/// The axis of a reshape's operand that corresponds to an axis of its result.
static std::optional<unsigned> axisBefore(ReshapeOp op, unsigned axis) {
  ArrayRef<int64_t> from = op.getOperand().getType().getShape(),
                    to = op.getType().getShape();
  int64_t before = llvm::product_of(to.take_front(axis));
  for (unsigned i = 0; i < from.size(); ++i)
    if (from[i] == to[axis] && llvm::product_of(from.take_front(i)) == before)
      return i;
  return std::nullopt;
}

/// Looks through broadcasts and reshapes. Returns their operand, and its axis
/// that corresponds to `axis`; none if the operand is broadcast along that.
static std::pair<Value, std::optional<unsigned>> sourceOf(Value value,
                                                          unsigned axis) {
  while (Operation *op = value.getDefiningOp()) {
    std::optional<unsigned> found;
    if (auto broadcast = dyn_cast<BroadcastToOp>(op))
      found = broadcastAxis(broadcast.getOperand(), broadcast.getType(), axis);
    else if (auto reshape = dyn_cast<ReshapeOp>(op))
      found = axisBefore(reshape, axis);
    else
      break;
    value = op->getOperand(0);
    if (!found)
      return {value, std::nullopt};
    axis = *found;
  }
  return {value, axis};
}

Expr ingot::movedInside(Expr start, int64_t last) {
  Value most = integer(*start.builder, start.location, last);
  return apply<MaximumOp>(start.number(0),
                          apply<MinimumOp>(start, start.with(most)));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static Value plus(OpBuilder &builder, mlir::Location location,
                  const Bound &bound) {
  if (bound.more == 0)
    return bound.value;
  return AddOp::create(builder, location, bound.value,
                       integer(builder, location, bound.more));
}

Value LiveRange::lower(OpBuilder &builder, mlir::Location location) const {
  Value found = integer(builder, location, 0);
  for (const Bound &bound : lowers)
    found = MaximumOp::create(builder, location, found,
                              plus(builder, location, bound));
  return found;
}

Value LiveRange::upper(OpBuilder &builder, mlir::Location location,
                       int64_t extent) const {
  Value found = integer(builder, location, extent);
  for (const Bound &bound : uppers)
    found = MinimumOp::create(builder, location, found,
                              plus(builder, location, bound));
  return found;
}

/// Whether the elements of a value are their indices along an axis.
static bool isPositions(Value value, unsigned axis) {
  auto [source, found] = sourceOf(value, axis);
  auto iota = source.getDefiningOp<IotaOp>();
  return iota && found && iota.getAxis() == *found &&
         elementOf(iota).isSignlessInteger(64);
}

/// The 0-d value from which a value is broadcast, or null.
static Value scalarBehind(Value value) {
  while (typeOf(value).getRank() > 0 && value.getDefiningOp() &&
         isa<BroadcastToOp, ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return typeOf(value).getRank() == 0 ? value : Value();
}

/// The range in which the indices compare to `bound` as `kind` says.
static LiveRange rangeOf(Comparison kind, Value bound) {
  switch (kind) {
  case Comparison::LT:
    return {{}, {{bound, 0}}};
  case Comparison::LE:
    return {{}, {{bound, 1}}};
  case Comparison::GE:
    return {{{bound, 0}}, {}};
  case Comparison::GT:
    return {{{bound, 1}}, {}};
  default:
    return {};
  }
}

static Comparison mirrored(Comparison kind) {
  switch (kind) {
  case Comparison::LT:
    return Comparison::GT;
  case Comparison::LE:
    return Comparison::GE;
  case Comparison::GE:
    return Comparison::LE;
  case Comparison::GT:
    return Comparison::LT;
  default:
    return kind;
  }
}

static LiveRange rangeOf(CompareOp op, unsigned axis) {
  Value sides[] = {op.getLhs(), op.getRhs()};
  for (bool isMirrored : {false, true}) {
    Value positions = sides[isMirrored],
          bound = scalarBehind(sides[!isMirrored]);
    std::optional<unsigned> found =
        broadcastAxis(positions, op.getType(), axis);
    if (bound && found && isPositions(positions, *found))
      return rangeOf(isMirrored ? mirrored(op.getComparison())
                                : op.getComparison(),
                     bound);
  }
  return {};
}

/// A range outside which a condition does not hold.
static LiveRange rangeOf(Value condition, unsigned axis) {
  auto [source, found] = sourceOf(condition, axis);
  if (!found)
    return {};
  if (auto compare = source.getDefiningOp<CompareOp>())
    return rangeOf(compare, *found);
  auto both = source.getDefiningOp<AndOp>();
  LiveRange range;
  if (!both)
    return range;
  for (Value operand : both->getOperands()) {
    std::optional<unsigned> inner =
        broadcastAxis(operand, both.getType(), *found);
    if (!inner)
      continue;
    LiveRange part = rangeOf(operand, *inner);
    range.lowers.append(part.lowers);
    range.uppers.append(part.uppers);
  }
  return range;
}

static std::optional<Masked> maskOf(SelectOp select, unsigned axis) {
  std::optional<unsigned> found =
      broadcastAxis(select.getCondition(), select.getType(), axis);
  TypedAttr outside = splatOf(select.getOnFalse());
  if (!found || !outside)
    return std::nullopt;
  LiveRange range = rangeOf(select.getCondition(), *found);
  if (range.isEverything())
    return std::nullopt;
  return Masked{range, outside};
}

std::optional<Masked> ingot::maskOf(Value value, unsigned axis) {
  auto [source, found] = sourceOf(value, axis);
  auto select = source.getDefiningOp<SelectOp>();
  if (!select || !found)
    return std::nullopt;
  return ::maskOf(select, *found);
}

Value ingot::outsideOf(OpBuilder &builder, Value value, unsigned axis,
                       LiveRange &range) {
  if (TypedAttr number = splatOf(value))
    return constantOf(builder, value.getLoc(), number);
  if (Value scalar = scalarBehind(value))
    return scalar;
  auto [source, found] = sourceOf(value, axis);
  Operation *op = source.getDefiningOp();
  if (!op || !found)
    return nullptr;
  auto select = dyn_cast<SelectOp>(op);
  if (std::optional<Masked> masked =
          select ? ::maskOf(select, *found) : std::nullopt) {
    if (!range.isEverything() && range != masked->range)
      return nullptr;
    range = masked->range;
    return constantOf(builder, value.getLoc(), masked->outside);
  }
  if (!op->hasTrait<ElementwiseTrait>())
    return nullptr;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    std::optional<unsigned> inner =
        broadcastAxis(operand, typeOf(source), *found);
    Value outside = inner ? outsideOf(builder, operand, *inner, range)
                          : scalarBehind(operand);
    if (!outside)
      return nullptr;
    operands.push_back(outside);
  }
  Operation *made = builder.clone(*op);
  made->setOperands(operands);
  made->getResult(0).setType(scalarOf(elementOf(source)));
  return made->getResult(0);
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

namespace {
/// `select(iota < length, pad(array)[start:], 0)`
struct Shifted {
  SelectOp select;
  Value array, start, length, zero;
  int64_t room;
};
} // namespace

static std::optional<Shifted> shiftedOf(Value value) {
  auto select = value.getDefiningOp<SelectOp>();
  std::optional<Masked> masked =
      select ? maskOf(select, 0) : std::optional<Masked>();
  if (!masked || masked->range.uppers.size() != 1 ||
      !masked->range.lowers.empty() || masked->range.uppers[0].more != 0)
    return std::nullopt;
  auto slice = select.getOnTrue().getDefiningOp<DynamicSliceOp>();
  auto pad = slice ? slice.getOperand().getDefiningOp<PadOp>() : PadOp();
  if (!pad || pad.getLow()[0] != 0 || pad.getInterior()[0] != 0 ||
      slice.getStrides()[0] != 1 ||
      slice.getType() != pad.getOperand().getType() ||
      splatOf(pad.getValue()) != masked->outside)
    return std::nullopt;
  return Shifted{select,
                 pad.getOperand(),
                 slice.getStarts()[0],
                 masked->range.uppers[0].value,
                 pad.getValue(),
                 pad.getHigh()[0]};
}

void ingot::unshift(OpBuilder &builder, Value &lhs, Value &rhs) {
  std::optional<Shifted> left = shiftedOf(lhs), right = shiftedOf(rhs);
  if (!left || !right || left->start != right->start ||
      left->length != right->length || left->room != right->room ||
      left->array.getType() != right->array.getType())
    return;
  mlir::Location location = lhs.getLoc();
  Expr start(builder, location, left->start);
  Expr first = movedInside(start, left->room);
  auto type = RankedTensorType::get(shapeOf(lhs), elementOf(left->start));
  Expr positions =
      start.with(IotaOp::create(builder, location, type, /*axis=*/0));
  Value isLive = apply<AndOp>(
      positions.compare(Comparison::GE, first),
      positions.compare(Comparison::LT, first + first.with(left->length)));
  lhs = SelectOp::create(builder, location, isLive, left->array, left->zero);
  rhs = SelectOp::create(builder, location, isLive, right->array, right->zero);
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

RankedTensorType Chunker::chunkType(Value value, unsigned axis) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape[axis] = size;
  return RankedTensorType::get(shape, elementOf(value));
}

Value Chunker::positions(RankedTensorType type, unsigned axis) {
  SmallVector<int64_t> shape(type.getRank() - axis, 1);
  shape[0] = size;
  mlir::Location location = base.getLoc();
  Value counted = IotaOp::create(builder, location,
                                 RankedTensorType::get(shape, elementOf(base)),
                                 /*axis=*/0);
  return AddOp::create(builder, location, counted, base);
}

Value Chunker::chunk(Value value, unsigned axis) {
  Value &found = chunks[{value, axis}];
  if (found)
    return found;
  Value made = computeChunk(value, axis);
  return chunks[{value, axis}] = made;
}

Value Chunker::computeChunk(Value value, unsigned axis) {
  Operation *op = value.getDefiningOp();
  mlir::Location location = value.getLoc();
  RankedTensorType type = chunkType(value, axis);
  if (TypedAttr number = splatOf(value))
    return constantOf(builder, location, number, type.getShape());
  if (auto iota = dyn_cast_or_null<IotaOp>(op)) {
    Value made = IotaOp::create(builder, location, type, iota.getAxis());
    if (iota.getAxis() != axis)
      return made;
    Value first =
        ConvertOp::create(builder, location, scalarOf(elementOf(value)), base);
    return AddOp::create(builder, location, made, first);
  }
  if (!op || !loop->isProperAncestor(op))
    return readChunk(value, axis);
  if (op->hasTrait<ElementwiseTrait>() || isa<BroadcastToOp>(op))
    return chunkElementwise(op, axis);
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    std::optional<unsigned> before = axisBefore(reshape, axis);
    if (!before)
      return readChunk(value, axis);
    return ReshapeOp::create(builder, location, type,
                             chunk(reshape.getOperand(), *before));
  }
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return TransposeOp::create(
        builder, location,
        chunk(transpose.getOperand(), transpose.getAxes()[axis]),
        transpose.getAxes());
  if (isa<SliceOp, DynamicSliceOp>(op))
    return chunkSlice(op, axis);
  auto gather = dyn_cast<GatherOp>(op);
  if (!gather || axis >= typeOf(gather.getIndices()[0]).getRank())
    return readChunk(value, axis);
  SmallVector<Value> indices;
  for (Value index : gather.getIndices())
    indices.push_back(chunk(index, axis));
  return GatherOp::create(builder, location, gather.getOperand(), indices);
}

/// Reads a chunk of a value that is computed as a whole.
Value Chunker::readChunk(Value value, unsigned axis) {
  mlir::Location location = value.getLoc();
  RankedTensorType type = chunkType(value, axis);
  SmallVector<Value> starts(type.getRank(), integer(builder, location, 0));
  starts[axis] = base;
  SmallVector<int64_t> strides(type.getRank(), 1);
  return DynamicSliceOp::create(builder, location, value, starts,
                                type.getShape(), strides);
}

Value Chunker::chunkElementwise(Operation *op, unsigned axis) {
  Value result = op->getResult(0);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    std::optional<unsigned> inner =
        broadcastAxis(operand, typeOf(result), axis);
    operands.push_back(inner ? chunk(operand, *inner) : operand);
  }
  Operation *made = builder.clone(*op);
  made->setOperands(operands);
  made->getResult(0).setType(chunkType(result, axis));
  return made->getResult(0);
}

/// Reads a chunk of a slice directly from the array.
Value Chunker::chunkSlice(Operation *op, unsigned axis) {
  mlir::Location location = op->getLoc();
  Value array = op->getOperand(0), result = op->getResult(0);
  SmallVector<Value> starts;
  SmallVector<int64_t> strides;
  if (auto slice = dyn_cast<SliceOp>(op)) {
    strides.assign(slice.getStrides().begin(), slice.getStrides().end());
    for (int64_t start : slice.getStarts())
      starts.push_back(integer(builder, location, start));
  } else {
    auto dynamic = cast<DynamicSliceOp>(op);
    strides.assign(dynamic.getStrides().begin(), dynamic.getStrides().end());
    llvm::append_range(starts, dynamic.getStarts());
  }
  Expr first(builder, location, base);
  if (strides[axis] != 1)
    first = first * first.with(integer(builder, location, strides[axis]));
  int64_t last =
      typeOf(array).getDimSize(axis) - (extent - 1) * strides[axis] - 1;
  if (last > 0)
    first = first + movedInside(first.with(starts[axis]), last);
  starts[axis] = first;
  return DynamicSliceOp::create(builder, location, array, starts,
                                chunkType(result, axis).getShape(), strides);
}
