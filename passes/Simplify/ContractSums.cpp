//===- ContractSums.cpp - Sums of broadcast products to contractions ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Erasure.h"
#include "Passes.h"
#include "Simplify/Products.h"

namespace ingot {
#define GEN_PASS_DEF_CONTRACTSUMS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// An operand of an elementwise product: an array, and for each of its axes
/// that is longer than 1 the axis of the product along which it lies.
struct Factor {
  Value array;
  SmallVector<int64_t> axes;

  bool has(int64_t axis) const { return llvm::is_contained(axes, axis); }
  int64_t placeOf(int64_t axis) const {
    return std::distance(axes.begin(), llvm::find(axes, axis));
  }
};

/// A product of all elements, and the axes along which it is summed.
struct Sum {
  /// A `mul`, `mul_no_nan` or `dot_general`.
  Operation *product;
  SmallVector<int64_t> axes;
};
} // namespace

static Factor factorOf(Value operand, int64_t rank) {
  while (auto broadcast = operand.getDefiningOp<BroadcastToOp>())
    operand = broadcast.getOperand();
  Factor factor{operand, {}};
  int64_t first = rank - typeOf(operand).getRank();
  for (auto [axis, size] : llvm::enumerate(shapeOf(operand)))
    if (size > 1)
      factor.axes.push_back(first + axis);
  return factor;
}

/// The term of `zero + term`, with which loops begin their sums.
static Value withoutZero(Value value) {
  auto add = value.getDefiningOp<AddOp>();
  if (!add || !add->hasOneUse())
    return value;
  for (unsigned i : {0, 1}) {
    Value term = add->getOperand(1 - i);
    std::optional<APFloat> other = floatOf(add->getOperand(i));
    if (other && other->isZero() && term.getType() == add.getType())
      return term;
  }
  return value;
}

/// For each axis of a sum the one of what it sums.
static SmallVector<int64_t> otherAxes(ReduceOp sum) {
  return llvm::filter_to_vector(
      llvm::seq<int64_t>(typeOf(sum.getOperand()).getRank()),
      [&](int64_t axis) { return !llvm::is_contained(sum.getAxes(), axis); });
}

/// Follows a sum to the product of which it is: through sums of sums and axes
/// of size 1.
static std::optional<Sum> sumOf(ReduceOp op) {
  if (op.getKind() != ReduceKind::Add)
    return std::nullopt;
  Value terms = op.getOperand();
  SmallVector<int64_t> axes(op.getAxes());
  while (Operation *made = withoutZero(terms).getDefiningOp()) {
    if (!made->hasOneUse())
      return std::nullopt;
    if (isa<MulOp, MulNoNanOp, DotGeneralOp>(made)) {
      llvm::erase_if(axes, [&](int64_t axis) {
        return axis < 0 || shapeOf(made->getResult(0))[axis] == 1;
      });
      llvm::sort(axes);
      return Sum{made, axes};
    }
    auto sum = dyn_cast<ReduceOp>(made);
    std::optional<SmallVector<int64_t>> from;
    if (isa<ReshapeOp>(made))
      from =
          sameAxes(shapeOf(made->getOperand(0)), shapeOf(made->getResult(0)));
    else if (sum && sum.getKind() == ReduceKind::Add)
      from = otherAxes(sum);
    if (!from)
      return std::nullopt;
    for (int64_t &axis : axes)
      axis = axis < 0 ? axis : (*from)[axis];
    if (sum)
      llvm::append_range(axes, sum.getAxes());
    terms = made->getOperand(0);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// An array without its axes of size 1.
static Value withoutOnes(OpBuilder &builder, const Factor &factor) {
  SmallVector<int64_t> shape(shapeOf(factor.array));
  llvm::erase(shape, 1);
  RankedTensorType type = typeOf(factor.array).clone(shape);
  return type == factor.array.getType()
             ? factor.array
             : ReshapeOp::create(builder, factor.array.getLoc(), type,
                                 factor.array);
}

/// Pattern: a sum over batching axes of a `dot_general` -> dot_general
static Value contractedFurther(OpBuilder &builder, DotGeneralOp op,
                               ArrayRef<int64_t> axes) {
  Product product(op);
  int64_t count = product.batching[0].size();
  if (llvm::any_of(axes, [&](int64_t axis) { return axis >= count; }))
    return {};
  for (unsigned i : {0, 1}) {
    SmallVector<int64_t> kept;
    for (auto [number, axis] : llvm::enumerate(product.batching[i]))
      (llvm::is_contained(axes, number) ? product.contracting[i] : kept)
          .push_back(axis);
    product.batching[i] = kept;
  }
  return product.create(builder, op.getLoc());
}

/// Pattern: reduce add(mul(a, b)) -> dot_general(a, b), where a and b are
/// repeated along axes of each other
static Value contracted(OpBuilder &builder, const Sum &sum, int64_t least) {
  ArrayRef<int64_t> shape = shapeOf(sum.product->getResult(0));
  Factor factors[2];
  for (unsigned i : {0, 1})
    factors[i] = factorOf(sum.product->getOperand(i), shape.size());
  SmallVector<int64_t> batching, free[2], places[2][2];
  int64_t multiplications = 1;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    bool isSummed = llvm::is_contained(sum.axes, axis),
         isIn[] = {factors[0].has(axis), factors[1].has(axis)};
    bool isShared = isIn[0] && isIn[1];
    // What only one factor has can't be summed in a contraction.
    if (isSummed && !isShared)
      return {};
    if (isShared && !isSummed) {
      batching.push_back(axis);
      continue;
    }
    multiplications *= size;
    if (isIn[0] != isIn[1])
      free[isIn[1]].push_back(axis);
  }
  if (free[0].empty() || free[1].empty() || multiplications < least)
    return {};

  for (unsigned i : {0, 1}) {
    for (int64_t axis : batching)
      places[i][0].push_back(factors[i].placeOf(axis));
    for (int64_t axis : sum.axes)
      places[i][1].push_back(factors[i].placeOf(axis));
  }
  // Zeros of the first factor, or of both.
  auto noNan = dyn_cast<MulNoNanOp>(sum.product);
  bool lhsZeros = noNan != nullptr, rhsZeros = noNan && noNan.getBoth();
  mlir::Location location = sum.product->getLoc();
  Value found = DotGeneralOp::create(
      builder, location, withoutOnes(builder, factors[0]),
      withoutOnes(builder, factors[1]), places[0][0], places[1][0],
      places[0][1], places[1][1], lhsZeros, rhsZeros);
  SmallVector<int64_t> made(batching);
  llvm::append_range(made, free[0]);
  llvm::append_range(made, free[1]);
  SmallVector<int64_t> wanted =
      llvm::to_vector(llvm::seq<int64_t>(made.size()));
  llvm::sort(wanted, [&](int64_t a, int64_t b) { return made[a] < made[b]; });
  if (!llvm::is_sorted(wanted))
    found = TransposeOp::create(builder, location, found, wanted);
  return found;
}

/// Replaces a sum of products by a contraction, and adds what that erases.
static void contract(ReduceOp op, int64_t least,
                     DenseSet<Operation *> &erased) {
  auto sum = sumOf(op);
  if (!sum || sum->axes.empty() || !isPrecise(elementOf(op.getResult())))
    return;
  OpBuilder builder(op);
  auto dot = dyn_cast<DotGeneralOp>(sum->product);
  Value found = dot ? contractedFurther(builder, dot, sum->axes)
                    : contracted(builder, *sum, least);
  if (!found)
    return;
  if (found.getType() != op.getType())
    found = ReshapeOp::create(builder, op.getLoc(), op.getType(), found);
  op.replaceAllUsesWith(found);
  eraseDead(op.getOperation(), /*isKept=*/nullptr,
            [&](Operation *each) { erased.insert(each); });
}

namespace {
struct ContractSums : public ingot::impl::ContractSumsBase<ContractSums> {
  using ContractSumsBase::ContractSumsBase;

  void runOnOperation() override {
    SmallVector<ReduceOp> sums;
    getOperation().walk([&](ReduceOp op) { sums.push_back(op); });
    // Outer sums first: they may be sums of sums.
    DenseSet<Operation *> erased;
    for (ReduceOp op : llvm::reverse(sums))
      if (!erased.contains(op))
        contract(op, least, erased);
  }
};
} // namespace
