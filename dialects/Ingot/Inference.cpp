//===- Inference.cpp - Result types from operands -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/Inference.h"
#include "Ingot/Values.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace ingot {

/// The distinct axes of an array of this rank, or a report.
static LogicalResult checkAxes(Location location, ArrayRef<int64_t> axes,
                               int64_t rank) {
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      return emitOptionalError(location, "axis ", axis,
                               " is out of bounds for array of dimension ",
                               rank);
    if (!seen.insert(axis).second)
      return emitOptionalError(location, "duplicate axis ", axis);
  }
  return success();
}

static LogicalResult checkLength(Location location, StringRef what,
                                 size_t length, int64_t rank) {
  if (static_cast<int64_t>(length) == rank)
    return success();
  return emitOptionalError(location, what, " has ", length,
                           " entries for array of dimension ", rank);
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '(';
  llvm::interleave(shape, stream, ",");
  stream << (shape.size() == 1 ? ",)" : ")");
  return text;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>>
broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes)
    rank = std::max(rank, shape.size());
  SmallVector<int64_t> result(rank, 1);
  for (ArrayRef<int64_t> shape : shapes) {
    size_t offset = rank - shape.size();
    for (auto [i, size] : llvm::enumerate(shape)) {
      int64_t &extent = result[offset + i];
      if (extent == 1)
        extent = size;
      else if (size != 1 && size != extent)
        return std::nullopt;
    }
  }
  return result;
}

/// The broadcast of all operands with the given element type.
static LogicalResult inferWithElement(Location location, ValueRange operands,
                                      Type element, Types &results) {
  SmallVector<ArrayRef<int64_t>, 3> shapes(llvm::map_range(operands, shapeOf));
  auto shape = broadcastShapes(shapes);
  if (!shape) {
    std::string text;
    for (ArrayRef<int64_t> each : shapes)
      text += ' ' + shapeText(each);
    return emitOptionalError(
        location, "operands could not be broadcast together with shapes", text);
  }
  results.push_back(RankedTensorType::get(*shape, element));
  return success();
}

static LogicalResult checkSameElement(Location location, Value lhs, Value rhs) {
  Type a = elementOf(lhs), b = elementOf(rhs);
  if (a == b)
    return success();
  return emitOptionalError(location, "operands have different element types ",
                           a, " and ", b);
}

LogicalResult inferSameType(ValueRange operands, Types &results) {
  results.push_back(operands[0].getType());
  return success();
}

LogicalResult inferRealType(ValueRange operands, Types &results) {
  RankedTensorType type = typeOf(operands[0]);
  if (auto complex = dyn_cast<ComplexType>(type.getElementType()))
    type = type.clone(complex.getElementType());
  results.push_back(type);
  return success();
}

LogicalResult inferPredicate(ValueRange operands, Types &results) {
  RankedTensorType type = typeOf(operands[0]);
  results.push_back(type.clone(IntegerType::get(type.getContext(), 1)));
  return success();
}

LogicalResult inferBroadcast(Location location, ValueRange operands,
                             Types &results) {
  if (failed(checkSameElement(location, operands[0], operands[1])))
    return failure();
  return inferWithElement(location, operands, elementOf(operands[0]), results);
}

LogicalResult inferComparison(Location location, ValueRange operands,
                              Types &results) {
  if (failed(checkSameElement(location, operands[0], operands[1])))
    return failure();
  return inferWithElement(location, operands,
                          IntegerType::get(operands[0].getContext(), 1),
                          results);
}

LogicalResult inferComplex(Location location, ValueRange operands,
                           Types &results) {
  if (failed(checkSameElement(location, operands[0], operands[1])))
    return failure();
  return inferWithElement(location, operands,
                          ComplexType::get(elementOf(operands[0])), results);
}

LogicalResult inferSelect(Location location, ValueRange operands,
                          Types &results) {
  if (failed(checkSameElement(location, operands[1], operands[2])))
    return failure();
  return inferWithElement(location, operands, elementOf(operands[1]), results);
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

LogicalResult inferTranspose(Location location, TransposeOp::Adaptor adaptor,
                             Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  if (failed(checkLength(location, "axes", axes.size(), type.getRank())) ||
      failed(checkAxes(location, axes, type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t axis : axes)
    shape.push_back(type.getDimSize(axis));
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult inferConcatenate(Location location,
                               ConcatenateOp::Adaptor adaptor, Types &results) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(location,
                             "need at least one array to concatenate");
  RankedTensorType first = typeOf(adaptor.getInputs()[0]);
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxes(location, axis, first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  for (auto [i, input] : llvm::enumerate(adaptor.getInputs().drop_front())) {
    RankedTensorType type = typeOf(input);
    if (failed(checkSameElement(location, adaptor.getInputs()[0], input)))
      return failure();
    if (type.getRank() != first.getRank())
      return emitOptionalError(
          location,
          "all the input array dimensions must match exactly, but the array at "
          "index 0 has ",
          first.getRank(), " dimension(s) and the array at index ", i + 1,
          " has ", type.getRank(), " dimension(s)");
    for (int64_t dim = 0; dim < first.getRank(); ++dim)
      if (dim != axis && type.getDimSize(dim) != shape[dim])
        return emitOptionalError(
            location,
            "all the input array dimensions except for the concatenation axis "
            "must match exactly, but along dimension ",
            dim, ", the array at index 0 has size ", shape[dim],
            " and the array at index ", i + 1, " has size ",
            type.getDimSize(dim));
    shape[axis] += type.getDimSize(axis);
  }
  results.push_back(first.clone(shape));
  return success();
}

LogicalResult inferPad(Location location, PadOp::Adaptor adaptor,
                       Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh(),
                    interior = adaptor.getInterior();
  if (failed(checkSameElement(location, adaptor.getOperand(),
                              adaptor.getValue())) ||
      failed(checkLength(location, "low", low.size(), type.getRank())) ||
      failed(checkLength(location, "high", high.size(), type.getRank())) ||
      failed(
          checkLength(location, "interior", interior.size(), type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (low[i] < 0 || high[i] < 0 || interior[i] < 0)
      return emitOptionalError(location, "padding can't be negative");
    int64_t gaps = std::max<int64_t>(size - 1, 0) * interior[i];
    shape.push_back(low[i] + size + gaps + high[i]);
  }
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult inferFlip(Location location, FlipOp::Adaptor adaptor,
                        Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  results.push_back(type);
  return checkAxes(location, adaptor.getAxes(), type.getRank());
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

/// That `sizes` elements, `strides` apart, fit into the shape from `starts` on.
static LogicalResult checkWindow(Location location, ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> starts,
                                 ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> strides) {
  int64_t rank = shape.size();
  if (failed(checkLength(location, "starts", starts.size(), rank)) ||
      failed(checkLength(location, "sizes", sizes.size(), rank)) ||
      failed(checkLength(location, "strides", strides.size(), rank)))
    return failure();
  for (int64_t i = 0; i < rank; ++i) {
    if (strides[i] < 1)
      return emitOptionalError(location, "stride ", strides[i], " along axis ",
                               i, " is not positive");
    if (starts[i] < 0 || sizes[i] < 0)
      return emitOptionalError(location, "negative start or size along axis ",
                               i);
    int64_t end = starts[i] + (sizes[i] - 1) * strides[i] + 1;
    if (sizes[i] > 0 && end > shape[i])
      return emitOptionalError(location, "slice [", starts[i], ":", end,
                               "] is out of bounds for axis ", i, " with size ",
                               shape[i]);
    if (starts[i] > shape[i])
      return emitOptionalError(location, "start ", starts[i],
                               " is out of bounds for axis ", i, " with size ",
                               shape[i]);
  }
  return success();
}

LogicalResult inferSlice(Location location, SliceOp::Adaptor adaptor,
                         Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  if (failed(checkWindow(location, type.getShape(), adaptor.getStarts(),
                         adaptor.getSizes(), adaptor.getStrides())))
    return failure();
  results.push_back(type.clone(adaptor.getSizes()));
  return success();
}

LogicalResult inferDynamicSlice(Location location,
                                DynamicSliceOp::Adaptor adaptor,
                                Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  SmallVector<int64_t> zeros(adaptor.getStarts().size(), 0);
  if (failed(checkWindow(location, type.getShape(), zeros, adaptor.getSizes(),
                         adaptor.getStrides())))
    return failure();
  results.push_back(type.clone(adaptor.getSizes()));
  return success();
}

LogicalResult inferUpdateSlice(Location location,
                               UpdateSliceOp::Adaptor adaptor, Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  SmallVector<int64_t> zeros(adaptor.getStarts().size(), 0);
  if (failed(checkSameElement(location, adaptor.getOperand(),
                              adaptor.getUpdate())) ||
      failed(checkWindow(location, type.getShape(), zeros,
                         shapeOf(adaptor.getUpdate()), adaptor.getStrides())))
    return failure();
  results.push_back(type);
  return success();
}

/// The shape of `operand[indices...]`.
static FailureOr<SmallVector<int64_t>>
gatherShape(Location location, Value operand, ValueRange indices) {
  if (indices.empty())
    return emitOptionalError(location, "no index array");
  ArrayRef<int64_t> shape = shapeOf(operand), index = shapeOf(indices[0]);
  for (Value each : indices)
    if (shapeOf(each) != index)
      return emitOptionalError(location, "index arrays have different shapes ",
                               shapeText(index), " and ",
                               shapeText(shapeOf(each)));
  if (indices.size() > shape.size())
    return emitOptionalError(location, "too many indices for array: array is ",
                             shape.size(), "-dimensional, but ", indices.size(),
                             " were indexed");
  SmallVector<int64_t> result(index);
  llvm::append_range(result, shape.drop_front(indices.size()));
  return result;
}

LogicalResult inferGather(Location location, ValueRange operands,
                          Types &results) {
  auto shape = gatherShape(location, operands[0], operands.drop_front());
  if (failed(shape))
    return failure();
  results.push_back(typeOf(operands[0]).clone(*shape));
  return success();
}

LogicalResult inferScatter(Location location, ValueRange operands,
                           Types &results) {
  auto shape = gatherShape(location, operands[0], operands.drop_front(2));
  if (failed(shape) ||
      failed(checkSameElement(location, operands[0], operands[1])))
    return failure();
  if (shapeOf(operands[1]) != ArrayRef(*shape))
    return emitOptionalError(
        location, "shape mismatch: value array of shape ",
        shapeText(shapeOf(operands[1])),
        " could not be broadcast to indexing result of shape ",
        shapeText(*shape));
  results.push_back(operands[0].getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

static LogicalResult checkReduceKind(Location location, ReduceKind kind,
                                     Type element) {
  bool isPred = element.isInteger(1);
  bool isLogical = kind == ReduceKind::And || kind == ReduceKind::Or;
  bool isOrder = kind == ReduceKind::Min || kind == ReduceKind::Max;
  if (isLogical ? isPred : isOrder ? !isa<ComplexType>(element) : !isPred)
    return success();
  return emitOptionalError(location, "can't reduce ", element, " by ",
                           stringifyReduceKind(kind));
}

LogicalResult inferReduce(Location location, ReduceOp::Adaptor adaptor,
                          Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  if (failed(checkAxes(location, axes, type.getRank())) ||
      failed(
          checkReduceKind(location, adaptor.getKind(), type.getElementType())))
    return failure();
  bool hasIdentity = adaptor.getKind() != ReduceKind::Min &&
                     adaptor.getKind() != ReduceKind::Max;
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (!llvm::is_contained(axes, i)) {
      shape.push_back(size);
      continue;
    }
    if (size == 0 && !hasIdentity)
      return emitOptionalError(location, "zero-size array to reduction "
                                         "operation which has no identity");
  }
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult inferArgReduce(Location location, ArgReduceOp::Adaptor adaptor,
                             Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxes(location, axis, type.getRank())))
    return failure();
  if (adaptor.getKind() != ReduceKind::Min &&
      adaptor.getKind() != ReduceKind::Max)
    return emitOptionalError(location, "kind is neither min nor max");
  if (isa<ComplexType>(type.getElementType()))
    return emitOptionalError(location, "complex numbers have no order");
  if (type.getDimSize(axis) == 0)
    return emitOptionalError(
        location, "attempt to get argmin or argmax of an empty sequence");
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  results.push_back(
      RankedTensorType::get(shape, IntegerType::get(type.getContext(), 64)));
  return success();
}

LogicalResult inferCumulative(Location location, CumulativeOp::Adaptor adaptor,
                              Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  results.push_back(type);
  if (failed(checkAxes(location, adaptor.getAxis(), type.getRank())))
    return failure();
  return checkReduceKind(location, adaptor.getKind(), type.getElementType());
}

LogicalResult inferSort(Location location, SortOp::Adaptor adaptor,
                        Types &results) {
  ValueRange operands = adaptor.getOperands_();
  int64_t keys = adaptor.getNumKeys();
  if (keys < 1 || keys > static_cast<int64_t>(operands.size()))
    return emitOptionalError(location, keys, " keys for ", operands.size(),
                             " operands");
  RankedTensorType first = typeOf(operands[0]);
  if (failed(checkAxes(location, adaptor.getAxis(), first.getRank())))
    return failure();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (shapeOf(operand) != first.getShape())
      return emitOptionalError(
          location, "operands of a sort have different shapes ",
          shapeText(first.getShape()), " and ", shapeText(shapeOf(operand)));
    if (static_cast<int64_t>(i) < keys && isa<ComplexType>(elementOf(operand)))
      return emitOptionalError(location, "complex numbers have no order");
    results.push_back(operand.getType());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

LogicalResult inferFft(Location location, FftOp::Adaptor adaptor,
                       Types &results) {
  RankedTensorType type = typeOf(adaptor.getOperand());
  int64_t length = adaptor.getLength();
  FftKind kind = adaptor.getKind();
  if (type.getRank() == 0 || length < 1)
    return emitOptionalError(location, "Invalid number of FFT data points (",
                             length, ") specified.");
  Type element = type.getElementType();
  if (isa<ComplexType>(element) == (kind == FftKind::Rfft))
    return emitOptionalError(location, stringifyFftKind(kind), " of ", element);
  int64_t half = length / 2 + 1, size = type.getShape().back();
  if (size != (kind == FftKind::Irfft ? half : length))
    return emitOptionalError(location, stringifyFftKind(kind), " of ", size,
                             " elements has not length ", length);
  SmallVector<int64_t> shape(type.getShape());
  if (kind == FftKind::Rfft) {
    shape.back() = half;
    element = ComplexType::get(element);
  } else if (kind == FftKind::Irfft) {
    shape.back() = length;
    element = cast<ComplexType>(element).getElementType();
  }
  results.push_back(RankedTensorType::get(shape, element));
  return success();
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

/// A stack of matrices: its last two sizes and types built from the others.
namespace {
struct Matrices {
  explicit Matrices(RankedTensorType type)
      : type(type), batch(type.getShape().drop_back(2)),
        rows(type.getShape().end()[-2]), columns(type.getShape().end()[-1]) {}

  Type of(ArrayRef<int64_t> core, Type element) const {
    SmallVector<int64_t> shape(batch);
    llvm::append_range(shape, core);
    return RankedTensorType::get(shape, element);
  }
  Type of(ArrayRef<int64_t> core) const {
    return of(core, type.getElementType());
  }
  Type real() const {
    auto complex = dyn_cast<ComplexType>(type.getElementType());
    return complex ? complex.getElementType() : type.getElementType();
  }
  Type i32() const { return IntegerType::get(type.getContext(), 32); }

  RankedTensorType type;
  ArrayRef<int64_t> batch;
  int64_t rows, columns;
};
} // namespace

static FailureOr<Matrices> matrices(Location location, Value value,
                                    bool isSquare) {
  RankedTensorType type = typeOf(value);
  if (type.getRank() < 2)
    return emitOptionalError(location, type.getRank(),
                             "-dimensional array given. Array must be at least "
                             "two-dimensional");
  Matrices found(type);
  if (isSquare && found.rows != found.columns)
    return emitOptionalError(location,
                             "Last 2 dimensions of the array must be square");
  return found;
}

LogicalResult inferCholesky(Location location, CholeskyOp::Adaptor adaptor,
                            Types &results) {
  results.push_back(adaptor.getOperand().getType());
  return matrices(location, adaptor.getOperand(), /*isSquare=*/true);
}

LogicalResult inferTriangularSolve(Location location,
                                   TriangularSolveOp::Adaptor adaptor,
                                   Types &results) {
  Value a = adaptor.getA(), b = adaptor.getB();
  results.push_back(b.getType());
  if (failed(matrices(location, a, /*isSquare=*/true)) ||
      failed(matrices(location, b, /*isSquare=*/false)) ||
      failed(checkSameElement(location, a, b)))
    return failure();
  if (shapeOf(a).drop_back() != shapeOf(b).drop_back())
    return emitOptionalError(location, "shapes ", shapeText(shapeOf(a)),
                             " and ", shapeText(shapeOf(b)),
                             " do not make a system of equations");
  return success();
}

LogicalResult inferLu(Location location, LuOp::Adaptor adaptor,
                      Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/false);
  if (failed(found))
    return failure();
  results.push_back(found->type);
  results.push_back(
      found->of(std::min(found->rows, found->columns), found->i32()));
  return success();
}

LogicalResult inferQr(Location location, QrOp::Adaptor adaptor,
                      Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/false);
  if (failed(found))
    return failure();
  int64_t inner =
      adaptor.getFull() ? found->rows : std::min(found->rows, found->columns);
  results.push_back(found->of({found->rows, inner}));
  results.push_back(found->of({inner, found->columns}));
  return success();
}

LogicalResult inferEigh(Location location, EighOp::Adaptor adaptor,
                        Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/true);
  if (failed(found))
    return failure();
  results.push_back(found->of(found->rows, found->real()));
  results.push_back(found->type);
  results.push_back(found->of({}, found->i32()));
  return success();
}

LogicalResult inferSvd(Location location, SvdOp::Adaptor adaptor,
                       Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/false);
  if (failed(found))
    return failure();
  int64_t rows = found->rows, columns = found->columns,
          inner = std::min(rows, columns);
  bool isFull = adaptor.getFull();
  results.push_back(found->of({rows, isFull ? rows : inner}));
  results.push_back(found->of(inner, found->real()));
  results.push_back(found->of({isFull ? columns : inner, columns}));
  results.push_back(found->of({}, found->i32()));
  return success();
}

LogicalResult inferEig(Location location, EigOp::Adaptor adaptor,
                       Types &results) {
  auto found = matrices(location, adaptor.getOperand(), /*isSquare=*/true);
  if (failed(found))
    return failure();
  results.push_back(found->of(found->rows));
  results.push_back(found->type);
  results.push_back(found->of({}, found->i32()));
  return success();
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

LogicalResult inferDotGeneral(Location location, DotGeneralOp::Adaptor adaptor,
                              Types &results) {
  RankedTensorType lhs = typeOf(adaptor.getLhs()),
                   rhs = typeOf(adaptor.getRhs());
  ArrayRef<int64_t> lhsBatch = adaptor.getLhsBatching(),
                    rhsBatch = adaptor.getRhsBatching(),
                    lhsSum = adaptor.getLhsContracting(),
                    rhsSum = adaptor.getRhsContracting();
  if (failed(checkSameElement(location, adaptor.getLhs(), adaptor.getRhs())))
    return failure();
  if (lhsBatch.size() != rhsBatch.size() || lhsSum.size() != rhsSum.size())
    return emitOptionalError(location, "axes do not come in pairs");
  SmallVector<int64_t> lhsAxes(lhsBatch), rhsAxes(rhsBatch);
  llvm::append_range(lhsAxes, lhsSum);
  llvm::append_range(rhsAxes, rhsSum);
  if (failed(checkAxes(location, lhsAxes, lhs.getRank())) ||
      failed(checkAxes(location, rhsAxes, rhs.getRank())))
    return failure();
  for (auto [l, r] : llvm::zip_equal(lhsAxes, rhsAxes))
    if (lhs.getDimSize(l) != rhs.getDimSize(r))
      return emitOptionalError(location, "shapes ", shapeText(lhs.getShape()),
                               " and ", shapeText(rhs.getShape()),
                               " not aligned: ", lhs.getDimSize(l), " (dim ", l,
                               ") != ", rhs.getDimSize(r), " (dim ", r, ")");

  SmallVector<int64_t> shape;
  for (int64_t axis : lhsBatch)
    shape.push_back(lhs.getDimSize(axis));
  for (int64_t axis = 0; axis < lhs.getRank(); ++axis)
    if (!llvm::is_contained(lhsAxes, axis))
      shape.push_back(lhs.getDimSize(axis));
  for (int64_t axis = 0; axis < rhs.getRank(); ++axis)
    if (!llvm::is_contained(rhsAxes, axis))
      shape.push_back(rhs.getDimSize(axis));
  results.push_back(lhs.clone(shape));
  return success();
}

} // namespace ingot
