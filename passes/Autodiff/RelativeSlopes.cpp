//===- RelativeSlopes.cpp - Slopes of what divides by exponentials --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an exponential is infinite, what divides by it or takes its logarithm
// is finite or large, but the product of the slopes is zero times infinity. The
// relative slope ds / s is finite there: it is 1 for exp(u), tanh(u) for
// cosh(u), and for a sum the mean of those of the terms, weighted by their
// shares.
//
// Pattern: log(s) has the slope ds / s.
// Pattern: a / s has the slope da / s - a / s * (ds / s).
// Pattern: s**c with c < 0 has the slope c * s**c * (ds / s).
//
// The shares are written such that they match these patterns again, for the
// derivatives of higher order.
//
//===----------------------------------------------------------------------===//

#include "Identities.h"

using namespace mlir;
using namespace ingot;

/// A factor in the code that computes the derivative. The expression says where
/// this is.
using Factor = std::function<Expr(Expr, Mapped)>;

namespace {

/// A tangent and what it is multiplied by.
struct Part {
  Value argument;
  Factor factor;
};

/// ds / s of a value s, as the sum of its parts.
struct Relative {
  SmallVector<Part> parts;
  /// Whether s is known to be positive, or so small that it is rounded to 0.
  bool isPositive = true;
};

/// Relative slopes of values that are computed in one block.
class Relatives {
public:
  explicit Relatives(Block *block) : block(block) {}

  /// None if a value is not made of exponentials.
  std::optional<Relative> of(Value value, unsigned depth = 6);
  /// That of a / (a + b) as the share of b times the difference of those of a
  /// and b, which does not cancel.
  std::optional<Relative> ofShare(DivOp op, unsigned depth = 6);

private:
  std::optional<Relative> ofSum(Operation *op, unsigned depth);
  std::optional<Relative> ofProduct(MulOp op, unsigned depth);
  std::optional<Relative> ofQuotient(DivOp op, unsigned depth);
  std::optional<Relative> ofPositive(Value value, unsigned depth);

  Block *block;
};

} // namespace

static bool isReal(Value value) { return isa<FloatType>(elementOf(value)); }

static Relative scaled(Relative relative, const Factor &by) {
  for (Part &part : relative.parts)
    part.factor = [=, own = part.factor](Expr x, Mapped get) {
      return own(x, get) * by(x, get);
    };
  return relative;
}

static Relative scaled(Relative relative, double number) {
  if (number == 1)
    return relative;
  return scaled(std::move(relative),
                [=](Expr x, Mapped) { return x.number(number); });
}

static Relative joined(Relative a, Relative b) {
  llvm::append_range(a.parts, b.parts);
  a.isPositive &= b.isPositive;
  return a;
}

/// term / (term + other), or term / (term - other): also where the term is
/// infinite.
static Factor shareOf(Value term, Value other, bool isDifference) {
  return [=](Expr x, Mapped get) {
    Expr ratio = x.with(get(other)) / x.with(get(term));
    Expr one = x.number(1);
    return 1 / (isDifference ? one - ratio : one + ratio);
  };
}

std::optional<Relative> Relatives::ofPositive(Value value, unsigned depth) {
  std::optional<Relative> found = of(value, depth);
  return found && found->isPositive ? found : std::nullopt;
}

std::optional<Relative> Relatives::ofSum(Operation *op, unsigned depth) {
  bool isDifference = isa<SubOp>(op);
  Relative found, rest;
  found.isPositive = !isDifference;
  Value sum = op->getResult(0);
  for (unsigned i : {0, 1}) {
    Value term = op->getOperand(i), other = op->getOperand(1 - i);
    if (std::optional<APFloat> number = floatOf(term)) {
      found.isPositive &= !number->isNegative();
      continue;
    }
    if (std::optional<Relative> relative = ofPositive(term, depth)) {
      found = joined(std::move(found),
                     scaled(*relative, shareOf(term, other, isDifference)));
      continue;
    }
    double sign = isDifference && i == 1 ? -1 : 1;
    rest.parts.push_back(
        {term, [=](Expr x, Mapped get) { return sign / x.with(get(sum)); }});
    rest.isPositive = false;
  }
  if (found.parts.empty())
    return {};
  return joined(std::move(found), std::move(rest));
}

std::optional<Relative> Relatives::ofProduct(MulOp op, unsigned depth) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (floatOf(lhs))
    std::swap(lhs, rhs);
  std::optional<Relative> found = of(lhs, depth);
  if (!found)
    return {};
  if (std::optional<APFloat> number = floatOf(rhs)) {
    if (!number->isFinite() || number->isZero())
      return {};
    found->isPositive &= !number->isNegative();
    return found;
  }
  if (lhs == rhs)
    return scaled(*found, 2);
  std::optional<Relative> other = of(rhs, depth);
  return other ? std::optional(joined(*found, *other)) : std::nullopt;
}

std::optional<Relative> Relatives::ofShare(DivOp op, unsigned depth) {
  Value term = op.getLhs();
  auto sum = op.getRhs().getDefiningOp<AddOp>();
  if (!sum || (sum.getLhs() != term && sum.getRhs() != term))
    return {};
  Value other = sum.getLhs() == term ? sum.getRhs() : sum.getLhs();
  std::optional<Relative> found = ofPositive(term, depth), more = Relative();
  std::optional<APFloat> number = floatOf(other);
  if (!number)
    more = ofPositive(other, depth);
  if (!found || !more || (number && number->isNegative()))
    return {};
  return scaled(joined(*found, scaled(*more, -1)),
                shareOf(other, term, /*isDifference=*/false));
}

std::optional<Relative> Relatives::ofQuotient(DivOp op, unsigned depth) {
  if (std::optional<Relative> found = ofShare(op, depth))
    return found;
  std::optional<Relative> divisor = of(op.getRhs(), depth);
  if (!divisor)
    return {};
  Relative inverse = scaled(*divisor, -1);
  if (std::optional<APFloat> number = floatOf(op.getLhs())) {
    inverse.isPositive &= !number->isNegative() && !number->isZero();
    return inverse;
  }
  std::optional<Relative> dividend = of(op.getLhs(), depth);
  return dividend ? std::optional(joined(*dividend, inverse)) : std::nullopt;
}

std::optional<Relative> Relatives::of(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth-- == 0 || op->getBlock() != block || !isReal(value))
    return {};
  std::optional<Relative> found;
  if (auto exp = dyn_cast<ExpOp>(op)) {
    Factor one = [](Expr x, Mapped) { return x.number(1); };
    found = Relative{{{exp.getOperand(), one}}};
  } else if (auto cosh = dyn_cast<CoshOp>(op)) {
    Value argument = cosh.getOperand();
    Factor slope = [=](Expr x, Mapped get) {
      return apply<TanhOp>(x.with(get(argument)));
    };
    found = Relative{{{argument, slope}}};
  } else if (isa<AddOp, SubOp>(op)) {
    found = ofSum(op, depth);
  } else if (auto product = dyn_cast<MulOp>(op)) {
    found = ofProduct(product, depth);
  } else if (auto quotient = dyn_cast<DivOp>(op)) {
    found = ofQuotient(quotient, depth);
  } else if (auto root = dyn_cast<SqrtOp>(op)) {
    found = ofPositive(root.getOperand(), depth);
    if (found)
      found = scaled(*found, 0.5);
  } else if (auto power = dyn_cast<PowOp>(op)) {
    std::optional<APFloat> exponent = floatOf(power.getRhs());
    if (exponent && exponent->isFinite() && !exponent->isZero())
      found = ofPositive(power.getLhs(), depth);
    if (found)
      found = scaled(*found, exponent->convertToDouble());
  }
  // Each part is code.
  return found && found->parts.size() <= 4 ? found : std::nullopt;
}

/// The identity of an operation whose slope is the sum of parts.
static Identity ofParts(Operation *op, ArrayRef<Part> parts) {
  Identity identity;
  SmallVector<Factor> factors;
  for (const Part &part : parts) {
    identity.arguments.push_back(part.argument);
    factors.push_back(part.factor);
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  identity.tangent = [=](OpBuilder &builder, ArrayRef<Value> tangents,
                         Mapped get) -> Value {
    Value sum;
    for (auto [tangent, factor] : llvm::zip_equal(tangents, factors)) {
      if (!tangent)
        continue;
      Seed t(builder, op->getLoc(), tangent);
      sum = accumulated(builder, op->getLoc(), sum, t * factor(t, get));
    }
    if (shapeOf(sum) == type.getShape())
      return sum;
    return BroadcastToOp::create(builder, op->getLoc(), type, sum);
  };
  return identity;
}

/// The parts of the slope of a / s.
static std::optional<Relative> slopeOfQuotient(DivOp op, Relatives &relatives) {
  Value quotient = op.getResult();
  Factor itself = [=](Expr x, Mapped get) { return x.with(get(quotient)); };
  if (std::optional<Relative> share = relatives.ofShare(op))
    return scaled(*share, itself);
  std::optional<Relative> divisor = relatives.of(op.getRhs());
  if (!divisor)
    return {};
  Relative found = scaled(scaled(*divisor, itself), -1);
  Value by = op.getRhs();
  if (!floatOf(op.getLhs()))
    found.parts.push_back(
        {op.getLhs(), [=](Expr x, Mapped get) { return 1 / x.with(get(by)); }});
  return found;
}

static std::optional<Relative> slopeOf(Operation *op) {
  Relatives relatives(op->getBlock());
  if (auto log = dyn_cast<LogOp>(op))
    return relatives.of(log.getOperand());
  if (auto log = dyn_cast<Log1pOp>(op)) {
    Value term = log.getOperand();
    std::optional<Relative> found = relatives.of(term);
    if (!found || !found->isPositive)
      return {};
    return scaled(*found, [=](Expr x, Mapped get) {
      return 1 / (1 / x.with(get(term)) + 1);
    });
  }
  if (auto quotient = dyn_cast<DivOp>(op))
    return slopeOfQuotient(quotient, relatives);
  auto power = dyn_cast<PowOp>(op);
  std::optional<APFloat> exponent =
      power ? floatOf(power.getRhs()) : std::nullopt;
  if (!exponent || !exponent->isFinite() || !exponent->isNegative())
    return {};
  std::optional<Relative> found = relatives.of(power.getLhs());
  if (!found)
    return {};
  Value result = power.getResult();
  Factor itself = [=](Expr x, Mapped get) { return x.with(get(result)); };
  return scaled(scaled(*found, itself), exponent->convertToDouble());
}

std::optional<Identity> ingot::byRelativeSlope(Operation *op) {
  if (!isa<LogOp, Log1pOp, DivOp, PowOp>(op) || !isReal(op->getResult(0)))
    return {};
  std::optional<Relative> found = slopeOf(op);
  if (!found)
    return {};
  return ofParts(op, found->parts);
}
