//===- MatrixFunctions.cpp - Functions of matrices by their eigenvalues ---===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pattern: (v * f(w)) @ v.T of w, v = eigh(a) and (u * f(s)) @ vh of
// u, s, vh = svd(a) have a derivative by `a` where values are equal and the
// vectors, by themselves, have none.
//
//===----------------------------------------------------------------------===//

#include "Identities.h"
#include "Ingot/Slopes.h"

using namespace mlir;
using namespace ingot;

namespace {

/// A factor of what eigenvalues are replaced by: an array that is constant
/// along the rows of the matrix that it scales.
struct Scale {
  Value value;
  bool isDivisor;
  /// The axis of the eigenvalues, and the rank of the scaled matrix.
  int64_t axis, rank;
};

/// A product of a matrix of vectors and scales.
struct Scaled {
  /// `eigh`, or `svd` with the number of the result.
  OpResult vectors;
  bool isConjugated = false;
  SmallVector<Scale> scales;
};

} // namespace

/// The size of an array along an axis of one of a higher rank, with which it
/// broadcasts.
static int64_t sizeAlong(Value value, int64_t axis, int64_t rank) {
  int64_t here = axis - (rank - typeOf(value).getRank());
  return here < 0 ? 1 : shapeOf(value)[here];
}

/// Whether an array scales the vectors along an axis of a matrix.
static bool scalesVectors(Value value, int64_t axis, Value matrix) {
  int64_t rank = typeOf(matrix).getRank();
  int64_t other = axis == rank - 1 ? rank - 2 : rank - 1;
  return typeOf(value).getRank() <= rank &&
         sizeAlong(value, other, rank) == 1 && shapeOf(matrix)[axis] != 1;
}

/// The numbers on the diagonal of a matrix of zeros that is made by np.diag, or
/// null.
static Value diagonalOf(Operation *op, Value matrix) {
  while (auto convert = matrix.getDefiningOp<ConvertOp>())
    matrix = convert.getOperand();
  auto scatter = matrix.getDefiningOp<ScatterOp>();
  if (!scatter || scatter->getBlock() != op->getBlock() ||
      scatter.getKind() != ScatterKind::Set || typeOf(matrix).getRank() != 2 ||
      scatter.getIndices().size() != 2 ||
      shapeOf(scatter.getUpdate()) != shapeOf(matrix).take_front() ||
      shapeOf(matrix)[0] != shapeOf(matrix)[1])
    return {};
  std::optional<APFloat> rest = floatOf(scatter.getOperand());
  if (!rest || !rest->isZero())
    return {};
  for (Value indices : scatter.getIndices()) {
    auto constant = indices.getDefiningOp<ConstantOp>();
    auto elements =
        constant ? dyn_cast<DenseIntElementsAttr>(constant.getValueAttr())
                 : DenseIntElementsAttr();
    if (!elements)
      return {};
    for (auto [i, each] : llvm::enumerate(elements.getValues<APInt>()))
      if (each != i)
        return {};
  }
  return scatter.getUpdate();
}

/// The matrix that a product of it and numbers along its first axis scales, as
/// `einsum` writes it, or null.
static Value scaledByProduct(Operation *op, int64_t axis) {
  auto product = dyn_cast<DotGeneralOp>(op);
  if (!product || axis != 0 || product.getLhsBatching().size() != 1 ||
      !product.getLhsContracting().empty() || product.getType().getRank() != 2)
    return {};
  bool isLeft = product.getLhs().getType().getRank() == 2;
  return isLeft ? product.getLhs() : product.getRhs();
}

static bool isPlain(DotGeneralOp op);

/// Looks through transposes, conversions and scales for the vectors that lie
/// along an axis of a value. All operations are in the block of `op`: what a
/// region uses from outside is not looked through.
static std::optional<Scaled> scaledVectors(Operation *op, Value value,
                                           int64_t axis) {
  Scaled found;
  while (Operation *made = value.getDefiningOp()) {
    if (made->getBlock() != op->getBlock())
      return {};
    int64_t rank = typeOf(value).getRank();
    if (auto transpose = dyn_cast<TransposeOp>(made)) {
      axis = transpose.getAxes()[axis];
      if (axis < rank - 2)
        return {};
      value = transpose.getOperand();
    } else if (auto conj = dyn_cast<ConjOp>(made)) {
      found.isConjugated = !found.isConjugated;
      value = conj.getOperand();
    } else if (auto convert = dyn_cast<ConvertOp>(made)) {
      if (isa<ComplexType>(elementOf(convert)) !=
          isa<ComplexType>(elementOf(convert.getOperand())))
        return {};
      value = convert.getOperand();
    } else if (isa<MulOp, DivOp>(made)) {
      Value lhs = made->getOperand(0), rhs = made->getOperand(1);
      bool isDivisor = isa<DivOp>(made);
      bool isLeft =
          lhs.getType() == value.getType() && scalesVectors(rhs, axis, value);
      bool isRight = !isDivisor && rhs.getType() == value.getType() &&
                     scalesVectors(lhs, axis, value);
      if (!isLeft && !isRight)
        return {};
      found.scales.push_back({isLeft ? rhs : lhs, isDivisor, axis, rank});
      value = isLeft ? lhs : rhs;
    } else if (Value matrix = scaledByProduct(made, axis)) {
      // The axes of the product are those of the numbers, and the other one.
      auto product = cast<DotGeneralOp>(made);
      bool isLeft = matrix == product.getLhs();
      Value numbers = isLeft ? product.getRhs() : product.getLhs();
      found.scales.push_back({numbers, false, /*axis=*/1, /*rank=*/2});
      axis = (isLeft ? product.getLhsBatching() : product.getRhsBatching())[0];
      value = matrix;
    } else if (auto product = dyn_cast<DotGeneralOp>(made)) {
      bool isLast = axis == rank - 1;
      Value rest = isLast ? product.getLhs() : product.getRhs();
      Value numbers =
          isPlain(product)
              ? diagonalOf(op, isLast ? product.getRhs() : product.getLhs())
              : Value();
      if (!numbers)
        return {};
      found.scales.push_back({numbers, false, /*axis=*/1, /*rank=*/2});
      axis = (isLast ? product.getLhsContracting()
                     : product.getRhsContracting())[0];
      value = rest;
    } else {
      break;
    }
  }
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  int64_t rank = typeOf(value).getRank(), number = result.getResultNumber();
  Operation *made = result.getOwner();
  bool isColumns =
      (isa<EighOp>(made) && number == 1) || (isa<SvdOp>(made) && number == 0);
  bool isRows = isa<SvdOp>(made) && number == 2;
  if ((!isColumns && !isRows) || axis != rank - (isColumns ? 1 : 2))
    return {};
  found.vectors = result;
  return found;
}

/// Whether a product has only batches in front, in the same order.
static bool isPlain(DotGeneralOp op) {
  int64_t rank = typeOf(op.getLhs()).getRank();
  if (rank < 2 || typeOf(op.getRhs()).getRank() != rank)
    return false;
  auto batches = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  return op.getLhsBatching() == ArrayRef(batches) &&
         op.getRhsBatching() == ArrayRef(batches) &&
         op.getLhsContracting().size() == 1;
}

namespace {

/// The function of a matrix that an operation computes.
struct MatrixFunction {
  Operation *factorisation;
  SmallVector<Scale> scales;
  /// Whether the result is transposed.
  bool isTransposed;

  Type vectorType() const;
};

/// Computes the tangent of a function of a matrix.
class Tangent {
public:
  Tangent(OpBuilder &builder, Operation *op, const MatrixFunction &function,
          Mapped get)
      : builder(builder), location(op->getLoc()), op(op), function(function),
        get(get) {}
  Value build(ArrayRef<Value> tangents);

private:
  Value asVector(Value value, const Scale &scale);
  Value slopeOf(Value value);
  Value slopeOf(Operation *made);
  Operation *here(Operation *made);
  void dropClones();
  Seed seed(Value value) { return Seed(builder, location, value); }
  Expr expr(Value value) { return Expr(builder, location, value); }

  OpBuilder &builder;
  mlir::Location location;
  Operation *op;
  const MatrixFunction &function;
  Mapped get;
  DenseMap<Value, Value> slopes;
  SmallVector<std::pair<Operation *, Operation *>> clones;
};

} // namespace

static std::optional<MatrixFunction> matrixFunction(Operation *op) {
  auto product = dyn_cast<DotGeneralOp>(op);
  if (!product || !isPlain(product))
    return {};
  auto left =
      scaledVectors(op, product.getLhs(), product.getLhsContracting()[0]);
  if (!left)
    return {};
  auto right =
      scaledVectors(op, product.getRhs(), product.getRhsContracting()[0]);
  if (!right || left->vectors.getOwner() != right->vectors.getOwner())
    return {};
  Operation *made = left->vectors.getOwner();
  bool isComplex = isa<ComplexType>(elementOf(left->vectors));
  bool isSvd = isa<SvdOp>(made);
  bool isTransposed = isSvd ? left->vectors.getResultNumber() == 2
                            : isComplex && left->isConjugated;
  // u of svd on one side, vh on the other; v of eigh on one side, its conjugate
  // on the other.
  if (isSvd ? left->vectors == right->vectors
            : isComplex && left->isConjugated == right->isConjugated)
    return {};
  if (isSvd && isComplex && (left->isConjugated || right->isConjugated))
    return {};
  MatrixFunction found{made, std::move(left->scales), isTransposed};
  llvm::append_range(found.scales, right->scales);
  return found;
}

/// The type of one number for each eigenvalue, with the element type of the
/// vectors.
Type MatrixFunction::vectorType() const {
  bool isSvd = isa<SvdOp>(factorisation);
  Value values = factorisation->getResult(isSvd ? 1 : 0);
  Type element = elementOf(factorisation->getResult(isSvd ? 0 : 1));
  return typeOf(values).clone(element);
}

Value Tangent::asVector(Value value, const Scale &scale) {
  auto type = cast<RankedTensorType>(function.vectorType());
  SmallVector<int64_t> sizes;
  for (int64_t axis = 0; axis < scale.rank; ++axis)
    if (axis < scale.rank - 2 || axis == scale.axis)
      sizes.push_back(sizeAlong(value, axis, scale.rank));
  if (elementOf(value) != type.getElementType())
    value = ConvertOp::create(
        builder, location, typeOf(value).clone(type.getElementType()), value);
  if (shapeOf(value) != ArrayRef(sizes))
    value =
        ReshapeOp::create(builder, location, typeOf(value).clone(sizes), value);
  if (value.getType() != type)
    value = BroadcastToOp::create(builder, location, type, value);
  return value;
}

/// An operation on values of the derivative's code, whose results are replaced
/// by the known ones at the end.
Operation *Tangent::here(Operation *made) {
  IRMapping mapping;
  for (Value operand : made->getOperands())
    mapping.map(operand, get(operand));
  Operation *clone = builder.clone(*made, mapping);
  clones.push_back({clone, made});
  return clone;
}

void Tangent::dropClones() {
  for (auto [clone, made] : llvm::reverse(clones)) {
    for (auto [from, to] : llvm::zip(clone->getResults(), made->getResults()))
      if (!from.use_empty())
        from.replaceAllUsesWith(get(to));
    clone->erase();
  }
}

/// How a value changes with the eigenvalue at its own position; null if it
/// doesn't. What is computed from all of them counts as a constant: it is the
/// same at the positions of equal ones.
Value Tangent::slopeOf(Value value) {
  auto [known, isNew] = slopes.try_emplace(value, nullptr);
  if (!isNew)
    return known->second;
  Operation *made = value.getDefiningOp();
  Value found;
  if (value == function.factorisation->getResult(
                   isa<SvdOp>(function.factorisation) ? 1 : 0))
    found =
        BroadcastToOp::create(builder, location, value.getType(),
                              numberOf(builder, location, 1, value.getType()));
  else if (made && made->getBlock() == op->getBlock() &&
           made->getNumResults() == 1 && isDifferentiable(value.getType()))
    found = slopeOf(made);
  return slopes[value] = found;
}

Value Tangent::slopeOf(Operation *made) {
  auto rule = dyn_cast<DifferentiableOpInterface>(made);
  bool isOwn =
      made->hasTrait<ElementwiseTrait>() || isa<ReshapeOp, BroadcastToOp>(made);
  if (!rule || !isOwn)
    return {};
  SmallVector<Value> given, found;
  for (Value operand : made->getOperands())
    given.push_back(isDifferentiable(operand.getType()) ? slopeOf(operand)
                                                        : Value());
  if (llvm::none_of(given, [](Value v) { return v != nullptr; }))
    return {};
  Operation *clone = here(made);
  if (failed(cast<DifferentiableOpInterface>(clone).buildTangents(
          builder, given, found)))
    return {};
  return found[0];
}

Value Tangent::build(ArrayRef<Value> tangents) {
  Type type = function.vectorType();
  Value one = BroadcastToOp::create(builder, location, type,
                                    numberOf(builder, location, 1, type));
  Value f = one, df, slope;
  auto times = [&](Value t, Value factor, bool isDivisor) -> Value {
    if (!t)
      return t;
    return isDivisor ? seed(t) / expr(factor) : seed(t) * expr(factor);
  };
  auto add = [&](Value a, Value b) {
    return accumulated(builder, location, a, b);
  };
  for (auto [i, scale] : llvm::enumerate(function.scales)) {
    Value factor = asVector(get(scale.value), scale);
    Value t = tangents[i + 1] ? asVector(tangents[i + 1], scale) : nullptr;
    Value own = slopeOf(scale.value);
    own = own ? asVector(own, scale) : nullptr;
    Expr next =
        scale.isDivisor ? expr(f) / expr(factor) : expr(f) * expr(factor);
    // d(f * s) = s df + f ds, d(f / s) = df / s - (f / s) / s ds
    auto change = [&](Value before, Value by) {
      Value part = scale.isDivisor
                       ? times(times(by, -next, false), factor, true)
                       : times(by, f, false);
      return add(times(before, factor, scale.isDivisor), part);
    };
    df = change(df, t);
    slope = change(slope, own);
    f = next;
  }
  Value zeros = zerosOf(builder, location, type);
  Operation *made = here(function.factorisation);
  Value found = tangentOfFunction(builder, made, tangents[0], f,
                                  df ? df : zeros, slope ? slope : zeros);
  if (function.isTransposed) {
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(found).getRank()));
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    found = TransposeOp::create(builder, location, found, axes);
  }
  if (found.getType() != op->getResult(0).getType())
    found =
        ConvertOp::create(builder, location, op->getResult(0).getType(), found);
  dropClones();
  return found;
}

std::optional<Identity> ingot::functionOfMatrix(Operation *op) {
  auto function = matrixFunction(op);
  if (!function)
    return {};
  SmallVector<Value> arguments{function->factorisation->getOperand(0)};
  for (const Scale &scale : function->scales)
    arguments.push_back(scale.value);
  auto tangent = [op, function = *function](
                     OpBuilder &builder, ArrayRef<Value> tangents, Mapped get) {
    return Tangent(builder, op, function, get).build(tangents);
  };
  return Identity{std::move(arguments), tangent};
}
