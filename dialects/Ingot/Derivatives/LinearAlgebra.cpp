//===- LinearAlgebra.cpp - Derivatives of factorisations -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tangents of factorisations; the adjoints are their transposes, which
// gives the adjoints of Seeger et al.
//
// M. B. Giles, "An extended collection of matrix derivative results for forward
// and reverse mode algorithmic differentiation", 2008.
// M. Seeger, A. Hetzel, Z. Dai, E. Meissner, N. D. Lawrence, "Auto-
// differentiating linear algebra", arXiv:1710.08717, 2017.
// S. F. Walter, L. Lehmann, "Algorithmic differentiation of linear algebra
// functions with application in optimum experimental design", arXiv:1001.1654,
// 2010.
//
//===----------------------------------------------------------------------===//

#include "Ingot/Slopes.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ingot;

namespace {

/// Arithmetic on the matrices in the last two axes of values.
class Matrices {
public:
  Matrices(OpBuilder &builder, Operation *op)
      : builder(builder), location(op->getLoc()) {}

  Expr expr(Value value) { return Expr(builder, location, value); }
  static int64_t rank(Value value) { return shapeOf(value).size(); }
  static int64_t rows(Value value) { return shapeOf(value)[rank(value) - 2]; }
  static int64_t columns(Value value) {
    return shapeOf(value)[rank(value) - 1];
  }
  static bool isComplex(Value value) {
    return isa<ComplexType>(elementOf(value));
  }

  Value product(Value a, Value b) {
    auto batches = llvm::to_vector(llvm::seq<int64_t>(0, rank(a) - 2));
    return DotGeneralOp::create(builder, location, a, b, batches, batches,
                                {rank(a) - 1}, {rank(a) - 2});
  }
  Value transposed(Value a) {
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rank(a)));
    std::swap(axes[rank(a) - 1], axes[rank(a) - 2]);
    return TransposeOp::create(builder, location, a, axes);
  }
  Value conjugated(Value a) {
    return isComplex(a) ? ConjOp::create(builder, location, a).getResult() : a;
  }
  Value adjoint(Value a) { return transposed(conjugated(a)); }
  Value real(Value a) {
    return isComplex(a) ? RealOp::create(builder, location, a).getResult() : a;
  }
  /// Converts a real value to the element type of `other`.
  Value likeComplex(Value a, Value other) {
    if (!isComplex(other) || isComplex(a))
      return a;
    auto type = typeOf(a);
    return ConvertOp::create(builder, location, type.clone(elementOf(other)),
                             a);
  }

  /// A mask of the elements (i, j) of a matrix for which i - j compares to
  /// `offset` as `how` says.
  Value mask(int64_t rows, int64_t columns, Comparison how, int64_t offset) {
    auto type = RankedTensorType::get({rows, columns}, builder.getI64Type());
    Expr i = expr(IotaOp::create(builder, location, type, 0));
    Expr j = expr(IotaOp::create(builder, location, type, 1));
    return (i - j).compare(how, expr(integer(builder, location, offset)));
  }
  Value masked(Value a, Comparison how, int64_t offset = 0) {
    Expr x = expr(a);
    return where(expr(mask(rows(a), columns(a), how, offset)), x, x.number(0));
  }
  Value lower(Value a) { return masked(a, Comparison::GE); }
  Value strictlyLower(Value a) { return masked(a, Comparison::GT); }
  Value upper(Value a) { return masked(a, Comparison::LE); }
  Value diagonalOnly(Value a) { return masked(a, Comparison::EQ); }
  /// The diagonals of matrices as vectors.
  Value diagonal(Value a) {
    return ReduceOp::create(builder, location, ReduceKind::Add, diagonalOnly(a),
                            {rank(a) - 1});
  }
  /// The diagonals of a^H b for a tangent b. Its transpose scales the columns
  /// of a: the gradient of eigenvalues is a function of the matrix, as
  /// MatrixFunctions.cpp finds them.
  Value diagonalOfProduct(Value a, Value b) {
    Expr products = Seed(builder, location, b) * expr(conjugated(a));
    return ReduceOp::create(builder, location, ReduceKind::Add, products.value,
                            {rank(a) - 2});
  }
  /// Vectors as matrices of one column, or of one row.
  Value column(Value v) { return reshaped(v, rank(v), 1); }
  Value row(Value v) { return reshaped(v, rank(v) - 1, 1); }

  /// The Hermitian matrix with this lower or upper triangle.
  Value hermitian(Value a, bool isLower) {
    Value half = isLower ? strictlyLower(a) : masked(a, Comparison::LT);
    Value middle = likeComplex(real(diagonalOnly(a)), a);
    return expr(half) + expr(adjoint(half)) + expr(middle);
  }
  Value triangularSolve(Value a, Value b, bool isLower, bool isUnit = false) {
    return TriangularSolveOp::create(builder, location, a, b, isLower, isUnit);
  }
  /// A square matrix, or the identity in place of one that has a NaN.
  Value orIdentity(Value a);
  /// Solves x a = b.
  Value triangularSolveRight(Value a, Value b, bool isLower) {
    return transposed(triangularSolve(transposed(a), transposed(b), !isLower));
  }
  /// The permutation matrices of the pivots of an LU factorisation.
  Value permutation(Value pivots, int64_t size, Value like);
  /// Solves a x = b.
  Value solve(Value a, Value b);
  /// Which differences v_j - v_i of different elements are no more than what
  /// rounding makes of equal ones.
  Expr areEqual(Value v, Expr differences);
  /// A tangent divided by v_j - v_i and another divisor, but 0 on the diagonal.
  /// Where others are equal, their vectors may turn into each other in any way:
  /// NaN.
  Expr overDifferences(Expr tangent, Value v,
                       std::optional<Expr> divisor = std::nullopt);

  OpBuilder &builder;
  mlir::Location location;

private:
  Value reshaped(Value v, int64_t axis, int64_t size) {
    SmallVector<int64_t> sizes(shapeOf(v));
    sizes.insert(sizes.begin() + axis, size);
    auto type = typeOf(v);
    return ReshapeOp::create(builder, location, type.clone(sizes), v);
  }
};

} // namespace

Expr Matrices::areEqual(Value v, Expr differences) {
  auto real = cast<FloatType>(realOf(elementOf(v)));
  double step = std::ldexp(1.0, 1 - int(real.getFPMantissaWidth()));
  Expr sizes = expr(AbsOp::create(builder, location, v));
  SmallVector<int64_t> last{rank(v) - 1};
  Expr largest = expr(
      ReduceOp::create(builder, location, ReduceKind::Max, sizes.value, last));
  Expr least = expr(row(column(largest))) * (step * shapeOf(v).back());
  Expr gaps = expr(AbsOp::create(builder, location, differences.value));
  return gaps.compare(Comparison::LE, least);
}

Expr Matrices::overDifferences(Expr tangent, Value v,
                               std::optional<Expr> divisor) {
  Expr differences = expr(row(v)) - expr(column(v));
  Expr nan = differences.number(std::numeric_limits<double>::quiet_NaN());
  Expr quotient = 1 / differences;
  if (divisor)
    quotient = quotient / *divisor;
  Expr factor = where(areEqual(v, differences), nan, quotient);
  Expr scaled =
      Seed(builder, location, tangent) * expr(likeComplex(factor, tangent));
  Expr isDiagonal =
      expr(mask(rows(tangent), columns(tangent), Comparison::EQ, 0));
  return where(isDiagonal, scaled.number(0), scaled);
}

Value Matrices::orIdentity(Value a) {
  auto boolean = typeOf(a).clone(builder.getI1Type());
  Value isNan = CompareOp::create(builder, location, Comparison::NE, a, a);
  SmallVector<int64_t> matrix{rank(a) - 2, rank(a) - 1};
  Value any =
      ReduceOp::create(builder, location, ReduceKind::Or, isNan, matrix);
  SmallVector<int64_t> sizes(shapeOf(a));
  sizes[rank(a) - 2] = sizes[rank(a) - 1] = 1;
  Value bad = ReshapeOp::create(builder, location, boolean.clone(sizes), any);
  Expr isDiagonal = expr(mask(rows(a), columns(a), Comparison::EQ, 0));
  Expr x = expr(a);
  return where(expr(bad), where(isDiagonal, x.number(1), x.number(0)), x);
}

/// A loop over the pivots exchanges two rows of a permutation at a time.
Value Matrices::permutation(Value pivots, int64_t size, Value like) {
  SmallVector<int64_t> sizes(shapeOf(pivots));
  int64_t last = sizes.size() - 1, count = sizes.back();
  sizes.back() = size;
  auto type = RankedTensorType::get(sizes, builder.getI64Type());
  auto number = [&](int64_t value) {
    return integer(builder, location, value);
  };
  Value positions = IotaOp::create(builder, location, type, last);
  Value wide = ConvertOp::create(
      builder, location, typeOf(pivots).clone(builder.getI64Type()), pivots);
  Value lower = number(0), upper = number(count), step = number(1);
  auto loop = ForOp::create(builder, location, TypeRange(type), lower, upper,
                            step, positions);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&loop.getBody());
    Value i = body->addArgument(lower.getType(), location);
    Expr rows = expr(body->addArgument(type, location));
    SmallVector<Value> starts(sizes.size(), number(0));
    starts.back() = i;
    SmallVector<int64_t> one(sizes), ones(sizes.size(), 1);
    one.back() = 1;
    Expr other = expr(
        DynamicSliceOp::create(builder, location, wide, starts, one, ones));
    Expr zero = expr(number(0));
    Expr isMine = expr(positions).compare(Comparison::EQ, expr(i));
    Expr isOther = expr(positions).compare(Comparison::EQ, other);
    auto valueAt = [&](Expr isThere) -> Expr {
      Value sum = ReduceOp::create(builder, location, ReduceKind::Add,
                                   where(isThere, rows, zero).value, {last});
      return expr(reshaped(sum, last, 1));
    };
    Expr mine = valueAt(isMine), theirs = valueAt(isOther);
    Value next = where(isMine, theirs, where(isOther, mine, rows));
    YieldOp::create(builder, location, next);
  }
  // Row i of the result is row rows[i].
  Value from = column(loop.getResult(0));
  Expr isOne = expr(from).compare(Comparison::EQ, expr(row(positions)));
  Expr x = expr(like);
  return where(isOne, x.number(1), x.number(0));
}

Value Matrices::solve(Value a, Value b) {
  auto lu = LuOp::create(builder, location, a);
  Value p = permutation(lu.getPivots(), rows(a), a);
  Value y = triangularSolve(lu.getLu(), product(p, b), true, true);
  return triangularSolve(lu.getLu(), y, false);
}

//===----------------------------------------------------------------------===//
// Triangular systems
//===----------------------------------------------------------------------===//

static Value triangleOf(Matrices &m, TriangularSolveOp op, Value a) {
  if (op.getUnit())
    return m.masked(a, op.getLower() ? Comparison::GT : Comparison::LT);
  return op.getLower() ? m.lower(a) : m.upper(a);
}

/// a dx = db - da x
LogicalResult TriangularSolveOp::buildTangents(OpBuilder &builder,
                                               ArrayRef<Value> tangents,
                                               ValueList &results) {
  Matrices m(builder, *this);
  Value right = tangents[1];
  if (tangents[0]) {
    Value part = m.product(triangleOf(m, *this, tangents[0]), getResult());
    right = right ? Value(m.expr(right) - m.expr(part)) : Value(-m.expr(part));
  }
  results.push_back(m.triangularSolve(getA(), right, getLower(), getUnit()));
  return success();
}

LogicalResult TriangularSolveOp::buildAdjoints(OpBuilder &builder,
                                               ArrayRef<Value> cotangents,
                                               ValueList &results) {
  Matrices m(builder, *this);
  Value b = m.triangularSolve(m.transposed(getA()), cotangents[0], !getLower(),
                              getUnit());
  Value a = m.product(b, m.transposed(getResult()));
  results.push_back(triangleOf(m, *this, -m.expr(a)));
  results.push_back(b);
  return success();
}

//===----------------------------------------------------------------------===//
// Factorisations
//===----------------------------------------------------------------------===//

/// L^-1 dA L^-H = L^-1 dL + (L^-1 dL)^H, so dL is L times the lower triangle of
/// the left-hand side with half of its diagonal.
LogicalResult CholeskyOp::buildTangents(OpBuilder &builder,
                                        ArrayRef<Value> tangents,
                                        ValueList &results) {
  Matrices m(builder, *this);
  // Of what is not positive definite the result is NaN. Where it is not used,
  // a zero cotangent must not meet it.
  Value l = m.orIdentity(getResult());
  Value half = m.triangularSolve(l, m.hermitian(tangents[0], true), true);
  Expr both = m.expr(m.triangularSolve(l, m.adjoint(half), true));
  Expr middle = m.expr(m.diagonalOnly(both));
  Expr part = m.expr(m.strictlyLower(both)) + middle * 0.5;
  results.push_back(m.product(l, part));
  return success();
}

/// L^-1 P dA U^-1 = L^-1 dL + dU U^-1, where the first term is strictly lower
/// and the second one upper triangular.
LogicalResult LuOp::buildTangents(OpBuilder &builder, ArrayRef<Value> tangents,
                                  ValueList &results) {
  Matrices m(builder, *this);
  int64_t rows = m.rows(getOperand());
  if (rows != m.columns(getOperand()))
    return emitError("only square matrices have a derivative of lu");
  Value p = m.permutation(getPivots(), rows, getOperand());
  Value left =
      m.triangularSolve(getLu(), m.product(p, tangents[0]), true, true);
  Value both = m.triangularSolveRight(getLu(), left, false);
  Expr identity = m.expr(getLu()).number(1);
  Expr isDiagonal = m.expr(m.mask(rows, rows, Comparison::EQ, 0));
  Expr l = where(isDiagonal, identity, m.expr(m.strictlyLower(getLu())));
  Expr dl = m.expr(m.product(l, m.strictlyLower(both)));
  Expr du = m.expr(m.product(m.upper(both), m.upper(getLu())));
  results.push_back(dl + du);
  results.push_back(nullptr);
  return success();
}

/// Q^H dA R^-1 = Q^H dQ + dR R^-1, where the first term is skew-Hermitian and
/// the second one upper triangular (Walter and Lehmann).
LogicalResult QrOp::buildTangents(OpBuilder &builder, ArrayRef<Value> tangents,
                                  ValueList &results) {
  Matrices m(builder, *this);
  int64_t rows = m.rows(getOperand()), columns = m.columns(getOperand());
  if (rows < columns || (getFull() && rows != columns))
    return emitError(
        "qr has a derivative only where the matrix has at least as "
        "many rows as columns, in mode 'reduced'");
  Value q = getQ(), r = m.upper(getR());
  Value c = m.triangularSolveRight(r, tangents[0], false);
  Value y = m.product(m.adjoint(q), c);
  Value below = m.strictlyLower(y);
  Expr skew = m.expr(below) - m.expr(m.adjoint(below));
  if (m.isComplex(y)) {
    Expr middle = m.expr(m.diagonalOnly(y));
    skew = skew + (middle - m.expr(m.likeComplex(m.real(middle), y)));
  }
  Expr rest = m.expr(y) - skew;
  results.push_back(m.expr(c) - m.expr(m.product(q, rest)));
  results.push_back(m.product(rest, r));
  return success();
}

/// dw = diag(V^H dA V), dV = V (F * (V^H dA V)), F = 1 / (w_j - w_i) and 0 on
/// the diagonal. Functions of the matrix, as (v * f(w)) @ v.T, have a
/// derivative where eigenvalues are equal, see Identities.cpp; other uses of
/// the vectors have none.
LogicalResult EighOp::buildTangents(OpBuilder &builder,
                                    ArrayRef<Value> tangents,
                                    ValueList &results) {
  Matrices m(builder, *this);
  Value v = getVectors();
  Value da = m.hermitian(tangents[0], getLower());
  Value turned = m.product(da, v);
  Value inner = m.product(m.adjoint(v), turned);
  Expr c = m.overDifferences(m.expr(inner), getValues());
  results.push_back(m.real(m.diagonalOfProduct(v, turned)));
  results.push_back(m.product(v, c));
  results.push_back(nullptr);
  return success();
}

LogicalResult SvdOp::buildTangents(OpBuilder &builder, ArrayRef<Value> tangents,
                                   ValueList &results) {
  Matrices m(builder, *this);
  Value da = tangents[0], u = getU(), vh = getVh();
  int64_t rows = m.rows(da), columns = m.columns(da);
  if (getFull() && rows != columns)
    return emitError("svd has a derivative only with full_matrices=False");
  Value uh = m.adjoint(u), v = m.adjoint(vh);
  Value moved = m.product(da, v);
  Value inner = m.product(uh, moved);
  Expr s = m.expr(m.likeComplex(getS(), da));
  Expr column = m.expr(m.column(s)), row = m.expr(m.row(s));
  // 1 / (s_j^2 - s_i^2) by factors: in a difference of squares, a compiler may
  // round one square and fuse the other, which leaves no zero where s_j = s_i.
  Expr sums = m.expr(m.row(getS())) + m.expr(m.column(getS()));
  Expr isZero = sums.compare(Comparison::EQ, sums.number(0));
  Expr divisor = where(isZero, sums.number(1), sums);
  auto turned = [&](Expr part) {
    // Where both values are zero, the vectors turn whatever the sum is.
    Expr both = where(isZero, m.expr(inner), part + m.expr(m.adjoint(part)));
    return m.overDifferences(both, getS(), divisor);
  };
  Expr left = m.expr(inner) * row, right = column * m.expr(inner);
  Expr du = turned(left), dv = turned(right);
  // The phases of singular vectors are arbitrary: the imaginary part of the
  // diagonal goes to dU.
  if (m.isComplex(da)) {
    Expr middle = m.expr(m.diagonalOnly(inner));
    du = du + (middle - m.expr(m.adjoint(middle))) * 0.5 / row;
  }
  Expr dU = m.expr(m.product(u, du)), dV = m.expr(m.product(v, dv));
  auto outside = [&](Value basis, Value part) -> Expr {
    Value inside = m.product(basis, m.product(m.adjoint(basis), part));
    return (m.expr(part) - m.expr(inside)) / row;
  };
  if (rows > columns)
    dU = dU + outside(u, moved);
  if (columns > rows)
    dV = dV + outside(v, m.product(m.adjoint(da), u));
  results.push_back(dU);
  results.push_back(m.real(m.diagonalOfProduct(u, moved)));
  results.push_back(m.adjoint(dV));
  results.push_back(nullptr);
  return success();
}

/// dw = diag(V^-1 dA V), dV = V (F * (V^-1 dA V)), F as for `eigh`, minus a
/// multiple of each vector so that its norm stays 1 and its largest element
/// real.
LogicalResult EigOp::buildTangents(OpBuilder &builder, ArrayRef<Value> tangents,
                                   ValueList &results) {
  Matrices m(builder, *this);
  Value v = getVectors();
  Value inner = m.solve(v, m.product(tangents[0], v));
  Expr turn = m.overDifferences(m.expr(inner), getValues());
  Expr d = m.expr(m.product(v, turn));
  SmallVector<int64_t> rowAxis{m.rank(v) - 2};
  auto total = [&](Value value) -> Expr {
    Value sum =
        ReduceOp::create(builder, getLoc(), ReduceKind::Add, value, rowAxis);
    return m.expr(m.row(sum));
  };
  Expr along = total(m.expr(m.conjugated(v)) * d);
  Expr sizes = m.expr(AbsOp::create(builder, getLoc(), v));
  Value most = m.row(ReduceOp::create(builder, getLoc(), ReduceKind::Max,
                                      sizes.value, rowAxis));
  Expr isLargest = sizes.compare(Comparison::EQ, m.expr(most));
  Expr there = total(where(isLargest, d / m.expr(v), d.number(0)));
  Value turned = ImagOp::create(builder, getLoc(), there.value);
  Value factor = ComplexOp::create(builder, getLoc(), m.real(along), turned);
  results.push_back(m.diagonal(inner));
  results.push_back(d - m.expr(v) * m.expr(factor));
  results.push_back(nullptr);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions of matrices by their eigenvalues and singular values
//===----------------------------------------------------------------------===//

/// The difference quotients of a function of v at its elements, continued by
/// the slopes where elements are close and so are the slopes: there is no way
/// from one to the other but through values of the function in between.
static Expr differenceQuotients(Matrices &m, Value v, Expr f, Expr slopes) {
  auto real = cast<FloatType>(elementOf(v));
  double step = std::ldexp(1.0, 1 - int(real.getFPMantissaWidth()));
  auto size = [&](Expr x) {
    return m.expr(AbsOp::create(m.builder, m.location, x.value));
  };
  Expr row = m.expr(m.row(v)), column = m.expr(m.column(v));
  Expr differences = row - column;
  Expr mean = (m.expr(m.row(slopes)) + m.expr(m.column(slopes))) * 0.5;
  Expr bend = size(m.expr(m.row(slopes)) - m.expr(m.column(slopes)));
  SmallVector<int64_t> last{m.rank(v) - 1};
  Value widest = ReduceOp::create(m.builder, m.location, ReduceKind::Max,
                                  size(m.expr(v)).value, last);
  Expr largest = m.expr(m.row(m.column(widest)));
  double close = std::cbrt(step);
  Expr gaps = m.expr(m.row(f)) - m.expr(m.column(f));
  Expr sizes = size(m.expr(m.row(f))) + size(m.expr(m.column(f)));
  // A projector, say, may take some of the equal ones only.
  Expr most = sizes * close + size(mean) * size(differences) * 4.0;
  auto isAtMost = [&](Expr x, Expr y) { return x.compare(Comparison::LE, y); };
  Expr areOne =
      apply<AndOp>(apply<AndOp>(isAtMost(size(differences), largest * close),
                                isAtMost(bend, size(mean) * close)),
                   isAtMost(size(gaps), most));
  Expr divisor = m.expr(
      m.likeComplex(where(areOne, differences.number(1), differences), f));
  return where(areOne, mean, gaps / divisor);
}

/// V (D * X) V^H with X = V^H dA V and the difference quotients D of f
/// (Daleckii and Krein, 1965), which are multiplied by X off the diagonal: on
/// it is df.
static Value tangentOfFunction(Matrices &m, EighOp op, Value tangent, Expr f,
                               Expr df, Expr slopes) {
  Value v = op.getVectors();
  Value da = m.hermitian(tangent, op.getLower());
  Expr x = m.expr(m.product(m.adjoint(v), m.product(da, v)));
  Expr quotients = differenceQuotients(m, op.getValues(), f, slopes);
  Expr isDiagonal = m.expr(m.mask(m.rows(v), m.rows(v), Comparison::EQ, 0));
  Expr middle = where(isDiagonal, m.expr(m.column(df)), quotients * x);
  return m.product(v, m.product(middle, m.adjoint(v)));
}

/// U (D * S + P * K + df) V^H with the Hermitian part S and the skew part K of
/// X = U^H dA V, where P_ij = (f_i + f_j) / (s_i + s_j), and what leaves the
/// spaces of the singular vectors.
static Value tangentOfFunction(Matrices &m, SvdOp op, Value da, Expr f, Expr df,
                               Expr slopes) {
  Value u = op.getU(), vh = op.getVh(), v = m.adjoint(vh);
  Expr s = m.expr(op.getS());
  Expr x = m.expr(m.product(m.adjoint(u), m.product(da, v)));
  Expr other = m.expr(m.adjoint(x));
  Expr quotients = differenceQuotients(m, s, f, slopes);
  Expr sums = m.expr(m.row(s)) + m.expr(m.column(s));
  Expr ofSums = m.expr(m.row(f)) + m.expr(m.column(f));
  Expr ofSlopes = m.expr(m.row(slopes)) + m.expr(m.column(slopes));
  // The function goes on beyond 0 as an odd one, if it is zero there.
  auto overSum = [&](Expr part, Expr slope, Expr sum) {
    Expr isZero = apply<AndOp>(sum.compare(Comparison::EQ, sum.number(0)),
                               part.compare(Comparison::EQ, part.number(0)));
    Expr divisor = m.expr(m.likeComplex(where(isZero, sum.number(1), sum), f));
    return where(isZero, slope, part / divisor);
  };
  Expr isDiagonal = m.expr(m.mask(m.rows(x), m.rows(x), Comparison::EQ, 0));
  Expr even = quotients * ((x + other) * 0.5);
  Expr odd = overSum(ofSums, ofSlopes * 0.5, sums) * ((x - other) * 0.5);
  Expr middle = where(isDiagonal, m.expr(m.column(df)), even) + odd;
  Expr sum = m.expr(m.product(u, m.product(middle, vh)));
  Expr ratios = overSum(f, slopes, s);
  auto outside = [&](Value basis, Value part) -> Expr {
    Value inside = m.product(basis, m.product(m.adjoint(basis), part));
    return m.expr(part) - m.expr(inside);
  };
  if (m.rows(da) > m.columns(da)) {
    Expr scaled = m.expr(m.column(ratios)) * m.expr(vh);
    sum = sum + m.expr(m.product(outside(u, m.product(da, v)), scaled));
  }
  if (m.columns(da) > m.rows(da)) {
    Expr scaled = m.expr(u) * m.expr(m.row(ratios));
    Expr rest = outside(v, m.product(m.adjoint(da), u));
    sum = sum + m.expr(m.product(scaled, m.adjoint(rest)));
  }
  return sum;
}

Value ingot::tangentOfFunction(OpBuilder &builder, Operation *op, Value tangent,
                               Value f, Value df, Value slopes) {
  Matrices m(builder, op);
  if (auto eigh = dyn_cast<EighOp>(op))
    return ::tangentOfFunction(m, eigh, tangent, m.expr(f), m.expr(df),
                               m.expr(slopes));
  return ::tangentOfFunction(m, cast<SvdOp>(op), tangent, m.expr(f), m.expr(df),
                             m.expr(slopes));
}
