//===- KernelParts.cpp - Reads and stores of parts of arrays --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "Fusion/Fusion.h"
#include "Parts.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ingot;

static SmallVector<OpFoldResult>
insideStarts(Scalars &scalars, const IRMapping &values, ValueRange starts,
             RankedTensorType type, ArrayRef<int64_t> sizes,
             ArrayRef<int64_t> strides) {
  Builder builder(type.getContext());
  SmallVector<OpFoldResult> found;
  for (auto [axis, start] : llvm::enumerate(starts)) {
    int64_t last =
        type.getDimSize(axis) - (sizes[axis] - 1) * strides[axis] - 1;
    std::optional<int64_t> known = last == 0 ? 0 : integerOf(start);
    if (known) {
      found.push_back(
          builder.getIndexAttr(std::clamp<int64_t>(*known, 0, last)));
      continue;
    }
    Value index = scalars.toIndex(values.lookup(start), /*isUnsigned=*/false);
    auto range = rangeOf(start);
    if (!range || range->least < 0 || range->most > last)
      index = scalars.clamp(index, last);
    found.push_back(index);
  }
  return found;
}

SmallVector<OpFoldResult> ingot::insideStarts(Scalars &scalars,
                                              const IRMapping &values,
                                              DynamicSliceOp op) {
  return ::insideStarts(scalars, values, op.getStarts(),
                        op.getOperand().getType(), op.getSizes(),
                        op.getStrides());
}

SmallVector<OpFoldResult> ingot::insideStarts(Scalars &scalars,
                                              const IRMapping &values,
                                              UpdateSliceOp op) {
  return ::insideStarts(scalars, values, op.getStarts(),
                        op.getOperand().getType(),
                        op.getUpdate().getType().getShape(), op.getStrides());
}

/// Drops the entries of axes of size 1.
template <typename T>
static SmallVector<T> atWide(RankedTensorType type, ArrayRef<T> all) {
  SmallVector<T> found;
  for (int64_t axis : wideAxes(type))
    found.push_back(all[axis]);
  return found;
}

static SmallVector<OpFoldResult> attributes(OpBuilder &b,
                                            ArrayRef<int64_t> list) {
  return getAsIndexOpFoldResult(b.getContext(), list);
}

Value KernelBody::take(Value operand, RankedTensorType result,
                       ArrayRef<OpFoldResult> starts, ArrayRef<int64_t> sizes,
                       ArrayRef<int64_t> strides) {
  Scalars scalars = scalarsAt();
  Value source = values.lookup(operand);
  RankedTensorType type = typeOf(operand);
  if (isScalar(type))
    return source;
  SmallVector<OpFoldResult> offsets = atWide(type, starts);
  if (isScalar(result)) {
    SmallVector<Value> places =
        getValueOrCreateConstantIndexOp(b, *location, offsets);
    Value element = tensor::ExtractOp::create(b, *location, source, places);
    return scalars.load(element, type.getElementType());
  }
  return tensor::ExtractSliceOp::create(
      b, *location, squeezed(result), source, offsets,
      attributes(b, atWide(type, sizes)), attributes(b, atWide(type, strides)));
}

Value KernelBody::put(Value value, RankedTensorType type, Value into,
                      RankedTensorType intoType, ArrayRef<OpFoldResult> starts,
                      ArrayRef<int64_t> strides) {
  Scalars scalars = scalarsAt();
  SmallVector<OpFoldResult> offsets = atWide(intoType, starts);
  if (isScalar(type)) {
    SmallVector<Value> places =
        getValueOrCreateConstantIndexOp(b, *location, offsets);
    Value stored = scalars.store(value, type.getElementType());
    return tensor::InsertOp::create(b, *location, stored, into, places);
  }
  return tensor::InsertSliceOp::create(
      b, *location, value, into, offsets,
      attributes(b, atWide(intoType, type.getShape())),
      attributes(b, atWide(intoType, strides)));
}

/// A read of the slice that the operation overwrites, if there is one.
static DynamicSliceOp readOf(UpdateSliceOp op) {
  for (Operation *user : op.getOperand().getUsers()) {
    auto slice = dyn_cast<DynamicSliceOp>(user);
    if (slice && slice.getOperand() == op.getOperand() &&
        slice.getStarts() == op.getStarts() &&
        slice.getStrides() == op.getStrides() &&
        slice.getSizes() == op.getUpdate().getType().getShape() &&
        slice->getBlock() == op->getBlock())
      return slice;
  }
  return {};
}

Value KernelBody::overwritten(Operation *op) {
  Value value = values.lookup(op->getOperand(0));
  // Bufferization takes slices that are read and overwritten at the same place
  // for equal, also in different iterations.
  if (isScalar(op->getOperand(0).getType()) ||
      !isFromOutsideLoop(op->getOperand(0), op))
    return value;
  return copyOf(value);
}

/// The value before reshapes that add or remove axes of size 1.
static Value beforeReshapes(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape ||
      squeezed(reshape.getType()) != squeezed(reshape.getOperand().getType()))
    return value;
  return beforeReshapes(reshape.getOperand());
}

/// The limits outside of which an update is what is read of the array before:
/// it chooses between that and other values, adds to it or subtracts from it.
static SmallVector<Limit> limitsOfChange(Value update, DynamicSliceOp read,
                                         bool isStrict) {
  Operation *op = beforeReshapes(update).getDefiningOp();
  auto isRead = [&](unsigned number) {
    return beforeReshapes(op->getOperand(number)) == read.getResult();
  };
  SmallVector<Limit> limits;
  if (isa<stablehlo::SelectOp>(op) && isRead(2))
    limits = limitsOf(op->getOperand(0));
  // Where zero is added to it, -0.0 would become 0.0.
  for (unsigned number : {0, 1})
    if (!isStrict && isTermOf(number, op) && isRead(1 - number))
      limits = limitsOfTerm(op->getOperand(number));
  if (limits.empty())
    return {};
  SmallVector<int64_t> from = wideAxes(typeOf(op->getResult(0))),
                       to = wideAxes(typeOf(update));
  for (Limit &limit : limits)
    limit.axis = to[std::distance(from.begin(), llvm::find(from, limit.axis))];
  return limits;
}

/// Finds the slices in memory, next to an update, of the array that it updates,
/// from which a value is computed.
static void findSlices(Value value, UpdateSliceOp update,
                       const InlinePlan &plan,
                       llvm::SetVector<Operation *> &found,
                       DenseSet<Value> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(value).second)
    return;
  if (plan.isInlined(value))
    for (Value operand : op->getOperands())
      findSlices(operand, update, plan, found, seen);
  else if (isa<SliceOp, DynamicSliceOp>(op) &&
           op->getOperand(0) == update.getOperand() &&
           op->getBlock() == update->getBlock() && !isScalar(value.getType()) &&
           !isCopiedSlice(op, plan))
    found.insert(op);
}

/// What an update reads of other elements of the array is copied. Takes it from
/// one copy of the array, if that has fewer elements than these.
void KernelBody::copyParts(UpdateSliceOp op) {
  Value array = op.getOperand(), into = values.lookup(array);
  llvm::SetVector<Operation *> slices;
  DenseSet<Value> seen;
  findSlices(op.getUpdate(), op, plan, slices, seen);
  slices.remove_if([&](Operation *slice) {
    return overlapOf(partOf(slice), partOf(op)) == Overlap::Same;
  });
  int64_t count = 0;
  for (Operation *slice : slices)
    count += typeOf(slice->getResult(0)).getNumElements();
  if (count <= typeOf(array).getNumElements())
    return;
  values.map(array, copyOf(into));
  for (Operation *slice : slices)
    values.map(slice->getResult(0), lowerTensor(slice));
  values.map(array, into);
}

Value KernelBody::updateSlice(UpdateSliceOp op) {
  RankedTensorType type = op.getOperand().getType(),
                   part = op.getUpdate().getType();
  auto gather = op.getUpdate().getDefiningOp<GatherOp>();
  Value count = needed.countOfSelected(op);
  if (count && plan.isInlined(op.getUpdate()) && isSelection(gather))
    return select(gather, overwritten(op), count, /*isInPlace=*/true);
  Value into = overwritten(op), update = op.getUpdate();
  Scalars scalars = scalarsAt();
  SmallVector<OpFoldResult> starts = insideStarts(scalars, values, op);
  if (isScalar(part) || !plan.isInlined(update))
    return put(values.lookup(update), part, into, type, starts,
               op.getStrides());
  copyParts(op);
  Value before = tensor::ExtractSliceOp::create(
      b, *location, squeezed(part), into, atWide<OpFoldResult>(type, starts),
      attributes(b, atWide(type, part.getShape())),
      attributes(b, atWide(type, op.getStrides())));
  DynamicSliceOp read = readOf(op);
  Value same = read ? values.lookupOrNull(read.getResult()) : Value();
  Value made = elementwise(update.getDefiningOp(), before, same,
                           same ? limitsOfChange(update, read, isStrict)
                                : SmallVector<Limit>());
  return put(made, part, into, type, starts, op.getStrides());
}

Value KernelBody::storeOver(Operation *op, Value array) {
  for (Value part : partsRead(op, array, plan))
    values.map(part, copyOf(values.lookup(part)));
  Value into = values.lookup(array);
  return elementwise(op, into, into,
                     isWindowStore(op, plan) ? limitsOf(op->getOperand(0))
                                             : SmallVector<Limit>());
}

static ReduceKind reductionOf(ScatterKind kind) {
  switch (kind) {
  case ScatterKind::Add:
    return ReduceKind::Add;
  case ScatterKind::Mul:
    return ReduceKind::Mul;
  case ScatterKind::Min:
    return ReduceKind::Min;
  default:
    return ReduceKind::Max;
  }
}

Value KernelBody::scatter(ScatterOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = op.getOperand().getType(),
                   part = op.getUpdate().getType();
  Type element = type.getElementType();
  int64_t rank = typeOf(op.getIndices()[0]).getRank(),
          count = op.getIndices().size();
  SmallVector<Value> indices(part.getRank());
  Position position = atLoops(part);
  Position head(ArrayRef<AxisIndex>(position).take_front(rank));
  auto combined = [&](Value old, Value next) {
    return op.getKind() == ScatterKind::Set
               ? next
               : scalars.combine(reductionOf(op.getKind()), element, old, next);
  };
  SmallVector<Loop> nest = loopsOver(part.getShape());
  SmallVector<Limit> limits = limitsOfElements(op);
  for (const Limit &limit : limits)
    apply(limit, nest[limit.axis]);
  // Within the limits, the index is what their mask chooses.
  auto chosen = [&](Value index) {
    auto select = index.getDefiningOp<stablehlo::SelectOp>();
    bool isWithin =
        select && consistsOfLimits(select.getPred()) &&
        llvm::all_of(limitsOf(select.getPred()), [&](const Limit &limit) {
          return llvm::is_contained(limits, limit);
        });
    return isWithin ? select.getOnTrue() : index;
  };
  return loops.nest(
      nest, overwritten(op), indices,
      [&](ValueRange carried) -> SmallVector<Value> {
        std::unique_ptr<Elements> elements = loops.elementsAt(indices);
        SmallVector<Value> places(type.getRank());
        Value isInside;
        for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
          bool noSign = cast<IntegerType>(elementOf(index)).isUnsigned();
          places[axis] =
              scalars.toIndex(elements->at(chosen(index), head), noSign);
          // As numbers without a sign, negative ones are above all sizes.
          Value fits = scalars.emit<arith::CmpIOp>(
              arith::CmpIPredicate::ult, places[axis],
              scalars.index(type.getDimSize(axis)));
          isInside =
              isInside ? scalars.emit<arith::AndIOp>(isInside, fits) : fits;
        }
        for (int64_t axis : llvm::seq(count, type.getRank()))
          places[axis] = indices[rank + axis - count];
        Value into = carried[0];
        auto made = [&]() -> Value {
          Value next = elements->at(op.getUpdate(), position);
          if (isScalar(type))
            return combined(into, next);
          SmallVector<Value> wide = atWide<Value>(type, places);
          Value old;
          if (op.getKind() != ScatterKind::Set)
            old = scalars.load(
                tensor::ExtractOp::create(b, *location, into, wide), element);
          return tensor::InsertOp::create(
              b, *location, scalars.store(combined(old, next), element), into,
              wide);
        };
        return {scalars.choose(isInside, made, into)};
      })[0];
}

Value KernelBody::ofElements(ValueRange elements, RankedTensorType type) {
  Scalars scalars = scalarsAt();
  SmallVector<Value> stored;
  for (Value element : elements)
    stored.push_back(
        scalars.store(values.lookup(element), type.getElementType()));
  return tensor::FromElementsOp::create(b, *location, squeezed(type), stored);
}

Value KernelBody::concatenate(ConcatenateOp op) {
  RankedTensorType type = op.getType();
  Value found = empty(op.getResult());
  int64_t offset = 0, axis = op.getAxis();
  SmallVector<int64_t> ones(type.getRank(), 1), starts(type.getRank(), 0);
  for (OperandRange piece : piecesOf(op)) {
    Value input = piece.front();
    RankedTensorType part = typeOf(input);
    starts[axis] = offset;
    Value made;
    if (piece.size() > 1) {
      SmallVector<int64_t> shape(part.getShape());
      shape[axis] = piece.size();
      part = part.clone(shape);
      made = ofElements(piece, part);
    } else if (isScalar(part) || !plan.isInlined(input)) {
      made = values.lookup(input);
    } else {
      Value place = tensor::ExtractSliceOp::create(
          b, *location, squeezed(part), found,
          attributes(b, atWide<int64_t>(type, starts)),
          attributes(b, atWide(type, part.getShape())),
          attributes(b, atWide<int64_t>(type, ones)));
      made = elementwise(input.getDefiningOp(), place, {});
    }
    found = put(made, part, found, type, attributes(b, starts), ones);
    offset += part.getDimSize(axis);
  }
  return found;
}

Value KernelBody::pad(PadOp op) {
  Scalars scalars = scalarsAt();
  RankedTensorType type = op.getType();
  Value filler =
      scalars.store(values.lookup(op.getValue()), type.getElementType());
  Value filled =
      linalg::FillOp::create(b, *location, filler, empty(op.getResult()))
          .getResult(0);
  SmallVector<int64_t> strides;
  for (int64_t interior : op.getInterior())
    strides.push_back(interior + 1);
  return put(values.lookup(op.getOperand()), op.getOperand().getType(), filled,
             type, attributes(b, op.getLow()), strides);
}

/// Reshapes by way of an array with one axis.
Value KernelBody::reshaped(Value array, RankedTensorType type) {
  auto from = cast<RankedTensorType>(array.getType());
  if (from == type)
    return array;
  auto allOf = [](RankedTensorType type) {
    ReassociationIndices all =
        llvm::to_vector<2>(llvm::seq<int64_t>(type.getRank()));
    return SmallVector<ReassociationIndices>{all};
  };
  auto flat =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  if (from.getRank() > 1)
    array =
        tensor::CollapseShapeOp::create(b, *location, flat, array, allOf(from));
  if (type.getRank() > 1)
    array =
        tensor::ExpandShapeOp::create(b, *location, type, array, allOf(type));
  return array;
}

Value KernelBody::constant(Operation *op, DenseElementsAttr value) {
  Scalars scalars = scalarsAt();
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  if (value.isSplat()) {
    Value one = scalars.constant(value.getSplatValue<Attribute>(), element);
    return linalg::FillOp::create(b, *location, scalars.store(one, element),
                                  empty(op->getResult(0)))
        .getResult(0);
  }
  if (auto integers = dyn_cast<DenseIntElementsAttr>(value)) {
    unsigned width = cast<IntegerType>(storedType(element)).getWidth();
    value = integers.mapValues(storedType(element), [&](const APInt &each) {
      return each.zextOrTrunc(width);
    });
  }
  return arith::ConstantOp::create(b, *location, value.reshape(squeezed(type)));
}
