//===- KernelArrays.cpp - Operations on arrays in kernels -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The neutral element of a reduction, as a number.
static double neutralNumber(ReduceKind kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case ReduceKind::Add:
  case ReduceKind::Or:
    return 0;
  case ReduceKind::Mul:
  case ReduceKind::And:
    return 1;
  case ReduceKind::Min:
    return infinity;
  case ReduceKind::Max:
    return -infinity;
  }
  llvm_unreachable("covered switch");
}

void KernelBody::apply(const Limit &limit, Loop &loop) {
  Scalars scalars = scalarsAt();
  Value bound = indexOf(limit.bound);
  if (limit.plus != 0) {
    // Bounds beyond the array could overflow.
    bound = scalars.emit<arith::MinSIOp>(bound, scalars.index(loop.size));
    bound = scalars.emit<arith::AddIOp>(bound, scalars.index(limit.plus));
  }
  Value &end = limit.isLeast ? loop.least : loop.most;
  if (!end)
    end = bound;
  else
    end = limit.isLeast ? scalars.emit<arith::MaxSIOp>(end, bound)
                        : scalars.emit<arith::MinSIOp>(end, bound);
}

Value KernelBody::reduce(ReduceOp op) {
  Scalars scalars = scalarsAt();
  SmallVector<Loop> nest;
  for (auto [axis, size] :
       llvm::enumerate(op.getOperand().getType().getShape()))
    nest.push_back({size, llvm::is_contained(op.getAxes(), axis)});
  for (const Limit &limit : limitsWithin(op.getOperand(), plan))
    if (nest[limit.axis].isReduced &&
        valueOutside(op.getOperand(), limit, plan) ==
            neutralNumber(op.getKind()))
      apply(limit, nest[limit.axis]);
  Position position = atLoops(op.getOperand().getType());
  bool one = isScalar(op.getType());
  return loopsAt(scalars).reduce(
      nest, op.getType(), one ? Value() : empty(op.getResult()), op.getKind(),
      [&](Elements &elements) {
        return elements.at(op.getOperand(), position);
      });
}

/// Whether a value is computed before an operation.
static bool isDefinedBefore(Value value, Operation *op) {
  Operation *source = value.getDefiningOp();
  if (!source)
    return value.getParentRegion()->isAncestor(op->getParentRegion());
  Operation *place = source->getBlock()->findAncestorOpInBlock(*op);
  return place && source->isBeforeInBlock(place);
}

/// Whether elements along an axis follow each other in memory.
static bool isContiguous(Value value, int64_t axis) {
  while (auto transpose = value.getDefiningOp<TransposeOp>()) {
    axis = transpose.getAxes()[axis];
    value = transpose.getOperand();
  }
  SmallVector<int64_t> wide = wideAxes(typeOf(value));
  return !wide.empty() && wide.back() == axis;
}

/// The loops of a product. Innermost is the sum, or the rows or columns of an
/// operand, whichever reads the larger operand in the order of its memory.
Value KernelBody::contract(DotGeneralOp op) {
  Scalars scalars = scalarsAt();
  RankedTensorType left = op.getLhs().getType(), right = op.getRhs().getType();
  Position inLeft(left.getRank()), inRight(right.getRank());
  SmallVector<Loop> nest;
  auto addLoop = [&](int64_t size, bool isReduced) {
    nest.push_back({size, isReduced});
    return size == 1 ? -1 : static_cast<int64_t>(nest.size()) - 1;
  };
  auto addFree = [&](RankedTensorType type, Position &position,
                     ArrayRef<int64_t> batch, ArrayRef<int64_t> sums) {
    for (int64_t axis : llvm::seq(type.getRank()))
      if (!llvm::is_contained(batch, axis) && !llvm::is_contained(sums, axis))
        position[axis].loop = addLoop(type.getDimSize(axis), false);
  };
  auto addSums = [&]() {
    for (auto [i, j] :
         llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting()))
      inLeft[i].loop = inRight[j].loop = addLoop(left.getDimSize(i), true);
  };
  for (auto [i, j] : llvm::zip_equal(op.getLhsBatching(), op.getRhsBatching()))
    inLeft[i].loop = inRight[j].loop = addLoop(left.getDimSize(i), false);
  bool hasColumns =
      freeCount(op.getRhs(), op.getRhsBatching(), op.getRhsContracting()) > 1;
  bool hasSums = !op.getLhsContracting().empty();
  bool sumsLast =
      hasSums &&
      (hasColumns ? isContiguous(op.getRhs(), op.getRhsContracting().back())
                  : isContiguous(op.getLhs(), op.getLhsContracting().back()));
  if (!sumsLast && !hasColumns)
    addSums();
  addFree(left, inLeft, op.getLhsBatching(), op.getLhsContracting());
  if (!sumsLast && hasColumns)
    addSums();
  addFree(right, inRight, op.getRhsBatching(), op.getRhsContracting());
  if (sumsLast)
    addSums();
  limit(op, nest, inLeft);
  bool one = isScalar(op.getType());
  return loopsAt(scalars).reduce(
      nest, op.getType(), one ? Value() : empty(op.getResult()),
      ReduceKind::Add, [&](Elements &elements) {
        Value x = elements.at(op.getLhs(), inLeft),
              y = elements.at(op.getRhs(), inRight);
        Value found =
            scalars.combine(ReduceKind::Mul, left.getElementType(), x, y);
        if (op.getLhsZeros())
          found = scalars.unlessZero(x, found);
        return op.getRhsZeros() ? scalars.unlessZero(y, found) : found;
      });
}

void KernelBody::limit(DotGeneralOp op, MutableArrayRef<Loop> nest,
                       const Position &inLeft) {
  // What is zero in both operands adds nothing.
  for (auto [i, j] :
       llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting())) {
    for (Limit limit : limitsWithin(op.getLhs(), plan)) {
      Limit other = limit;
      other.axis = j;
      if (limit.axis == i && inLeft[i].loop >= 0 &&
          valueOutside(op.getLhs(), limit, plan) == 0.0 &&
          (op.getLhsZeros() || valueOutside(op.getRhs(), other, plan) == 0.0))
        apply(limit, nest[inLeft[i].loop]);
    }
  }
  // The loops over the result, in the order of its axes.
  SmallVector<Loop *> axes;
  for (Loop &loop : nest)
    if (!loop.isReduced)
      axes.push_back(&loop);
  for (const Limit &limit : limitsOfUses(op.getResult()))
    if (isDefinedBefore(limit.bound, op))
      apply(limit, *axes[limit.axis]);
}

Value KernelBody::argReduce(ArgReduceOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = op.getOperand().getType();
  Type element = type.getElementType();
  int64_t axis = op.getAxis(), size = type.getDimSize(axis);
  if (size == 1)
    return isScalar(op.getType())
               ? scalars.number(0, b.getI64Type())
               : linalg::FillOp::create(b, *location,
                                        scalars.number(0, b.getI64Type()),
                                        empty(op.getResult()))
                     .getResult(0);
  SmallVector<Loop> outer = loopsOver(type.getShape());
  outer[axis].size = 1;
  SmallVector<Value> indices(type.getRank());
  bool isMax = op.getKind() == ReduceKind::Max,
       isFloat = isa<FloatType>(element);
  auto integer = dyn_cast<IntegerType>(element);
  bool noSign = integer && (integer.isUnsigned() || integer.getWidth() == 1);
  Position position = atLoops(type);
  auto isBetter = [&](Value next, Value best) -> Value {
    if (!isFloat) {
      auto how = isMax ? (noSign ? arith::CmpIPredicate::ugt
                                 : arith::CmpIPredicate::sgt)
                       : (noSign ? arith::CmpIPredicate::ult
                                 : arith::CmpIPredicate::slt);
      return scalars.emit<arith::CmpIOp>(how, next, best);
    }
    // The comparison holds for NaN, unless the best one is NaN already.
    auto how = isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
    Value isNumber =
        scalars.emit<arith::CmpFOp>(arith::CmpFPredicate::ORD, best, best);
    return scalars.emit<arith::AndIOp>(
        isNumber, scalars.emit<arith::CmpFOp>(how, next, best));
  };
  auto found = [&]() -> Value {
    SmallVector<Value> inits{scalars.identity(op.getKind(), element),
                             scalars.index(0)};
    SmallVector<Value> ends = loops.nest(
        loopsOver(size), inits, MutableArrayRef(indices).slice(axis, 1),
        [&](ValueRange carried) {
          Value next = loops.elementsAt(indices)->at(op.getOperand(), position);
          Value better = isBetter(next, carried[0]);
          return SmallVector<Value>{
              scalars.emit<arith::SelectOp>(better, next, carried[0]),
              scalars.emit<arith::SelectOp>(better, indices[axis], carried[1])};
        });
    return scalars.fromIndex(ends[1], b.getI64Type());
  };
  if (isScalar(op.getType()))
    return found();
  SmallVector<Value> rest(type.getRank());
  return loops.nest(outer, empty(op.getResult()), rest,
                    [&](ValueRange carried) {
                      SmallVector<Value> places;
                      for (auto [i, index] : llvm::enumerate(rest)) {
                        indices[i] = index;
                        if (index)
                          places.push_back(index);
                      }
                      return SmallVector<Value>{tensor::InsertOp::create(
                          b, *location, found(), carried[0], places)};
                    })[0];
}

Value KernelBody::cumulate(CumulativeOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = op.getType();
  Type element = type.getElementType();
  int64_t axis = op.getAxis();
  Position position = atLoops(type);
  if (type.getDimSize(axis) == 1)
    return loops.fill(loopsOver(type.getShape()), type, empty(op.getResult()),
                      {}, [&](Elements &elements) {
                        return elements.at(op.getOperand(), position);
                      });
  SmallVector<Value> indices(type.getRank());
  MutableArrayRef<Value> all(indices);
  auto placesOf = [&](Value along) {
    SmallVector<Value> places;
    for (int64_t each : wideAxes(type))
      places.push_back(each == axis ? along : indices[each]);
    return places;
  };
  auto insert = [&](Value value, Value into) -> Value {
    return tensor::InsertOp::create(b, *location, scalars.store(value, element),
                                    into, placesOf(indices[axis]));
  };
  ArrayRef<int64_t> shape = type.getShape();
  bool isLast = wideAxes(type).back() == axis;
  return loops.nest(
      loopsOver(shape.take_front(axis)), empty(op.getResult()),
      all.take_front(axis), [&](ValueRange outer) -> SmallVector<Value> {
        if (isLast) {
          // The running value is kept in a register.
          SmallVector<Value> inits{outer[0],
                                   scalars.identity(op.getKind(), element)};
          return {loops.nest(
              loopsOver(shape.drop_front(axis)), inits, all.drop_front(axis),
              [&](ValueRange carried) {
                Value next =
                    loops.elementsAt(indices)->at(op.getOperand(), position);
                Value sum =
                    scalars.combine(op.getKind(), element, carried[1], next);
                return SmallVector<Value>{insert(sum, carried[0]), sum};
              })[0]};
        }
        // The first row is that of the operand; each other one adds to the row
        // before it.
        return loops.nest(
            loopsOver(shape.drop_front(axis)), outer, all.drop_front(axis),
            [&](ValueRange carried) -> SmallVector<Value> {
              Value next =
                  loops.elementsAt(indices)->at(op.getOperand(), position);
              Value zero = scalars.index(0);
              Value isFirst = scalars.emit<arith::CmpIOp>(
                  arith::CmpIPredicate::eq, indices[axis], zero);
              Value before =
                  scalars.emit<arith::SubIOp>(indices[axis], scalars.index(1));
              Value place = scalars.emit<arith::MaxSIOp>(before, zero);
              Value last =
                  scalars.load(tensor::ExtractOp::create(
                                   b, *location, carried[0], placesOf(place)),
                               element);
              Value sum = scalars.combine(op.getKind(), element, last, next);
              Value found = scalars.emit<arith::SelectOp>(isFirst, next, sum);
              return {insert(found, carried[0])};
            });
      })[0];
}

/// Each position is written behind those found before, and counts if its
/// element is true: there is no branch to mispredict.
Value KernelBody::nonzero(NonzeroOp op) {
  Scalars scalars = scalarsAt();
  Loops loops = loopsAt(scalars);
  RankedTensorType type = op.getType();
  ArrayRef<int64_t> shape = type.getShape();
  int64_t last = type.getRank() - 1;
  Type integer = type.getElementType();
  Value zero = scalars.number(0, integer);
  if (shape[last] == 1)
    return linalg::FillOp::create(b, *location, zero, empty(op.getResult()))
        .getResult(0);
  Position position = atLoops(type);
  SmallVector<Value> indices(type.getRank());
  MutableArrayRef<Value> all(indices);
  auto insert = [&](Value value, Value into, Value along) -> Value {
    SmallVector<Value> places;
    for (int64_t each : wideAxes(type))
      places.push_back(each == last ? along : indices[each]);
    return tensor::InsertOp::create(b, *location, value, into, places);
  };
  return loops.nest(
      loopsOver(shape.drop_back()), empty(op.getResult()), all.drop_back(),
      [&](ValueRange outer) -> SmallVector<Value> {
        SmallVector<Value> inits{outer[0], scalars.index(0)};
        SmallVector<Value> found = loops.nest(
            loopsOver(shape.back()), inits, all.take_back(),
            [&](ValueRange carried) -> SmallVector<Value> {
              Value holds =
                  loops.elementsAt(indices)->at(op.getOperand(), position);
              Value place = scalars.fromIndex(indices[last], integer);
              return {insert(place, carried[0], carried[1]),
                      scalars.emit<arith::AddIOp>(
                          carried[1], scalars.toIndex(holds, true))};
            });
        Loop rest{shape.back()};
        rest.least = found[1];
        return loops.nest(rest, found[0], all.take_back(),
                          [&](ValueRange carried) -> SmallVector<Value> {
                            return {insert(zero, carried[0], indices[last])};
                          });
      })[0];
}

//===----------------------------------------------------------------------===//
// Parts of arrays
//===----------------------------------------------------------------------===//

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

/// The limits outside of which an update is what is read of the array before.
static SmallVector<Limit> limitsOfChange(Value update, DynamicSliceOp read) {
  auto select = beforeReshapes(update).getDefiningOp<stablehlo::SelectOp>();
  if (!select || beforeReshapes(select.getOnFalse()) != read.getResult())
    return {};
  SmallVector<Limit> limits = limitsOf(select.getPred());
  SmallVector<int64_t> from = wideAxes(select.getType()),
                       to = wideAxes(typeOf(update));
  for (Limit &limit : limits)
    limit.axis = to[std::distance(from.begin(), llvm::find(from, limit.axis))];
  return limits;
}

Value KernelBody::updateSlice(UpdateSliceOp op) {
  RankedTensorType type = op.getOperand().getType(),
                   part = op.getUpdate().getType();
  Value into = overwritten(op), update = op.getUpdate();
  Scalars scalars = scalarsAt();
  SmallVector<OpFoldResult> starts = insideStarts(scalars, values, op);
  if (isScalar(part) || !plan.isInlined(update))
    return put(values.lookup(update), part, into, type, starts,
               op.getStrides());
  Value before = tensor::ExtractSliceOp::create(
      b, *location, squeezed(part), into, atWide<OpFoldResult>(type, starts),
      attributes(b, atWide(type, part.getShape())),
      attributes(b, atWide(type, op.getStrides())));
  DynamicSliceOp read = readOf(op);
  Value same = read ? values.lookupOrNull(read.getResult()) : Value();
  Value made =
      elementwise(update.getDefiningOp(), before, same,
                  same ? limitsOfChange(update, read) : SmallVector<Limit>());
  return put(made, part, into, type, starts, op.getStrides());
}

Value KernelBody::windowStore(Operation *op) {
  for (Value part : partsRead(op, plan))
    values.map(part, copyOf(values.lookup(part)));
  Value into = values.lookup(op->getOperand(2));
  return elementwise(op, into, into, limitsOf(op->getOperand(0)));
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

/// Whether a scatter drops elements with this index along an axis.
static bool isDropped(std::optional<double> index, int64_t size) {
  return index && (*index < 0 || *index >= size);
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
  for (auto [axis, index] : llvm::enumerate(op.getIndices()))
    for (const Limit &limit : limitsWithin(index, plan))
      if (isDropped(valueOutside(index, limit, plan), type.getDimSize(axis)))
        apply(limit, nest[limit.axis]);
  return loops.nest(
      nest, overwritten(op), indices,
      [&](ValueRange carried) -> SmallVector<Value> {
        std::unique_ptr<Elements> elements = loops.elementsAt(indices);
        SmallVector<Value> places(type.getRank());
        Value isInside;
        for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
          bool noSign = cast<IntegerType>(elementOf(index)).isUnsigned();
          places[axis] = scalars.toIndex(elements->at(index, head), noSign);
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

Value KernelBody::concatenate(ConcatenateOp op) {
  RankedTensorType type = op.getType();
  Value found = empty(op.getResult());
  int64_t offset = 0, axis = op.getAxis();
  SmallVector<int64_t> ones(type.getRank(), 1), starts(type.getRank(), 0);
  for (Value input : op.getInputs()) {
    starts[axis] = offset;
    found = put(values.lookup(input), typeOf(input), found, type,
                attributes(b, starts), ones);
    offset += shapeOf(input)[axis];
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
Value KernelBody::reshape(ReshapeOp op) {
  Value value = values.lookup(op.getOperand());
  auto from = cast<RankedTensorType>(value.getType());
  RankedTensorType to = squeezed(op.getType());
  if (from == to)
    return value;
  auto allOf = [](RankedTensorType type) {
    ReassociationIndices all =
        llvm::to_vector<2>(llvm::seq<int64_t>(type.getRank()));
    return SmallVector<ReassociationIndices>{all};
  };
  auto flat =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  if (from.getRank() > 1)
    value =
        tensor::CollapseShapeOp::create(b, *location, flat, value, allOf(from));
  if (to.getRank() > 1)
    value = tensor::ExpandShapeOp::create(b, *location, to, value, allOf(to));
  return value;
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
