//===- Derivatives.h - Building blocks of derivative rules ------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_DIALECTS_INGOT_DERIVATIVES_H
#define INGOT_DIALECTS_INGOT_DERIVATIVES_H

#include "Ingot/Ingot.h"
#include "Ingot/Values.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace ingot {

using ValueList = llvm::SmallVectorImpl<mlir::Value>;

/// Whether values of a type have tangents: floats and complex numbers do.
bool isDifferentiable(mlir::Type type);

/// The sum of two (co)tangents, either of which may be null.
mlir::Value accumulated(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::Value lhs, mlir::Value rhs);
/// The adjoint of broadcasting `type` to the shape of `value`: sums `value`
/// over the broadcast axes.
mlir::Value unbroadcast(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::Value value, mlir::Type type);
/// For each update of a scatter, whether its indices are in bounds; null if all
/// are known to be.
mlir::Value areInside(ScatterOp op, mlir::OpBuilder &builder);
/// Whether it is known that no element is updated twice.
bool areUnique(ScatterOp op);
/// For each update of a scatter, whether it is the last one of its element.
mlir::Value areLast(ScatterOp op, mlir::OpBuilder &builder);
/// Computes the cotangents of `tangents` from those of the values that `emit`
/// computes from them. `emit` emits linear operations; the transpose walks them
/// in reverse order. `tangents` are zeros that stand for arbitrary values. The
/// emitted operations have no uses afterwards, except where the adjoints need
/// values that do not depend on the tangents.
mlir::LogicalResult
transpose(mlir::Operation *op, mlir::OpBuilder &builder,
          mlir::ArrayRef<mlir::Value> tangents,
          llvm::function_ref<mlir::LogicalResult(ValueList &)> emit,
          mlir::ArrayRef<mlir::Value> cotangents, ValueList &results);

/// The functions of the process that calls of StableHLO refer to by number.
class CallSources {
public:
  virtual ~CallSources() = default;
  /// The number of the function that computes a derivative or a batch of
  /// another one. `kind` is one of
  /// "jvp": takes the operands, and the tangents of those at `which`; gives the
  /// tangents of all results that have one;
  /// "vjp": takes the operands, and the cotangents of the results at `which`;
  /// gives the cotangents of all operands that have one;
  /// "vmap": computes all lanes, along the first axis of all results and of the
  /// operands at `which`, whose first element is the number of lanes instead.
  virtual std::optional<int64_t> derive(int64_t source, llvm::StringRef kind,
                                        llvm::ArrayRef<int64_t> which) = 0;
};
/// Sets what `derivedCall` uses; without it, calls have no derivatives.
void setCallSources(CallSources *sources);
/// Emits the call of a function derived from that of a call, which has a
/// source. An error is reported, and null returned.
CallStablehloOp derivedCall(mlir::OpBuilder &builder, CallStablehloOp op,
                            llvm::StringRef kind, llvm::ArrayRef<int64_t> which,
                            mlir::ValueRange operands, mlir::TypeRange types);

/// A value with arithmetic operators, for formulas. Shapes broadcast.
class Expr {
public:
  Expr(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value)
      : builder(&builder), location(location), value(value) {}
  operator mlir::Value() const { return value; }

  Expr with(mlir::Value other) const { return {*builder, location, other}; }
  Expr number(double x) const {
    return with(numberOf(*builder, location, x, value.getType()));
  }
  template <typename Op, typename... Operands>
  Expr make(Operands... operands) const {
    return with(Op::create(*builder, location, operands...)->getResult(0));
  }
  Expr compare(Comparison kind, Expr other) const {
    return make<CompareOp>(kind, value, other.value);
  }

  friend Expr operator+(Expr a, Expr b) {
    return a.make<AddOp>(a.value, b.value);
  }
  friend Expr operator-(Expr a, Expr b) {
    return a.make<SubOp>(a.value, b.value);
  }
  friend Expr operator*(Expr a, Expr b) {
    return a.make<MulOp>(a.value, b.value);
  }
  friend Expr operator/(Expr a, Expr b) {
    return a.make<DivOp>(a.value, b.value);
  }
  friend Expr operator-(Expr a) { return a.make<NegOp>(a.value); }
  friend Expr operator+(Expr a, double b) { return a + a.number(b); }
  friend Expr operator-(double a, Expr b) { return b.number(a) - b; }
  friend Expr operator-(Expr a, double b) { return a - a.number(b); }
  friend Expr operator*(double a, Expr b) { return b.number(a) * b; }
  friend Expr operator*(Expr a, double b) { return a * a.number(b); }
  friend Expr operator/(double a, Expr b) { return b.number(a) / b; }

  mlir::OpBuilder *builder;
  mlir::Location location;
  mlir::Value value;
};

/// A tangent or cotangent in a formula. Its product with a derivative is zero
/// where it is zero, even if the derivative is infinite or NaN there: elements
/// that `where` does not select contribute nothing.
class Seed : public Expr {
public:
  using Expr::Expr;
  friend Expr operator*(Seed seed, Expr factor);
  friend Expr operator/(Seed seed, Expr divisor);
  friend Seed operator-(Seed seed) {
    return {*seed.builder, seed.location, (-Expr(seed)).value};
  }
  /// The quotient as a seed. It is zero where the seed is zero.
  Seed over(Expr divisor) const {
    return {*builder, location, (*this / divisor).value};
  }
};

Expr where(Expr condition, Expr then, Expr otherwise);

/// The product of two (co)tangents or of their multiples. It is zero where
/// either factor is zero.
Expr zeroingProduct(Expr a, Expr b);

// Formulas that are too long for the .td files.

/// d(a**b)/da; 0 where b is 0, for any a, and at a == 0 for 0 < b < 1.
Expr powerByBase(Expr a, Expr b);
/// d(a**b)/db; 0 where a is 0.
Expr powerByExponent(Expr a, Expr b, Expr y);
/// 1 - x**2. Its sign of zero is that of the square root's argument: positive
/// for real numbers, on the function's side of its branch cut for complex ones.
Expr oneMinusSquare(Expr x);
/// 1 / sqrt(x); 0 where x is 0.
Expr rootOfInverse(Expr x);
/// x; 1 where x is 0.
Expr oneForZero(Expr x);
/// The derivative of a maximum: 1 where `greater` is greater than `other`, 1/2
/// where both are equal, else 0. It selects from a seed: what is not the
/// maximum has zero, also where the seed is infinite or NaN. No result is
/// compared: a reverse pass may round what it computes again in another way.
struct Share {
  Expr isGreater, areEqual;
  friend Expr operator*(Seed seed, Share share);
};
Share shareOfGreater(Expr greater, Expr other);
template <typename Op> Expr apply(Expr x) { return x.make<Op>(x.value); }
template <typename Op> Expr apply(Expr a, Expr b) {
  return b.make<Op>(a.value, b.value);
}

} // namespace ingot

#endif // INGOT_DIALECTS_INGOT_DERIVATIVES_H
