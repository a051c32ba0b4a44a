//===- ContractSums.cpp - Sums of broadcast products to contractions ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Simplify/Products.h"
#include "Simplify/Simplification.h"

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
  MulOp product;
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

static std::optional<Sum> sumOf(ReduceOp op) {
  if (op.getKind() != ReduceKind::Add)
    return std::nullopt;
  Value terms = op.getOperand();
  SmallVector<int64_t> axes(op.getAxes());
  if (auto reshape = terms.getDefiningOp<ReshapeOp>();
      reshape && reshape->hasOneUse()) {
    auto from = sameAxes(shapeOf(reshape.getOperand()), shapeOf(terms));
    if (!from)
      return std::nullopt;
    for (int64_t &axis : axes)
      axis = (*from)[axis];
    terms = reshape.getOperand();
  }
  auto product = withoutZero(terms).getDefiningOp<MulOp>();
  if (!product || !product->hasOneUse())
    return std::nullopt;
  llvm::erase_if(axes, [&](int64_t axis) {
    return axis < 0 || shapeOf(product)[axis] == 1;
  });
  return Sum{product, axes};
}

/// Whether sums of elements of this type are as precise in any order.
static bool isPrecise(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  auto number = dyn_cast<FloatType>(element);
  return number && number.getWidth() >= 32;
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

/// Pattern: reduce add(mul(a, b)) -> dot_general(a, b), where a and b are
/// repeated along axes of each other
static void contract(ReduceOp op, int64_t least) {
  auto sum = sumOf(op);
  if (!sum || sum->axes.empty() || !isPrecise(elementOf(op.getResult())))
    return;
  ArrayRef<int64_t> shape = shapeOf(sum->product);
  Factor factors[2];
  for (unsigned i : {0, 1})
    factors[i] = factorOf(sum->product->getOperand(i), shape.size());
  SmallVector<int64_t> batching, free[2], places[2][2];
  int64_t multiplications = 1;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    bool isSummed = llvm::is_contained(sum->axes, axis),
         isIn[] = {factors[0].has(axis), factors[1].has(axis)};
    bool isShared = isIn[0] && isIn[1];
    // What only one factor has can't be summed in a contraction.
    if (isSummed && !isShared)
      return;
    if (isShared && !isSummed) {
      batching.push_back(axis);
      continue;
    }
    multiplications *= size;
    if (isIn[0] != isIn[1])
      free[isIn[1]].push_back(axis);
  }
  if (free[0].empty() || free[1].empty() || multiplications < least)
    return;

  for (unsigned i : {0, 1}) {
    for (int64_t axis : batching)
      places[i][0].push_back(factors[i].placeOf(axis));
    for (int64_t axis : sum->axes)
      places[i][1].push_back(factors[i].placeOf(axis));
  }
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  Value found = DotGeneralOp::create(
      builder, location, withoutOnes(builder, factors[0]),
      withoutOnes(builder, factors[1]), places[0][0], places[1][0],
      places[0][1], places[1][1], /*lhs_zeros=*/false, /*rhs_zeros=*/false);
  SmallVector<int64_t> made(batching);
  llvm::append_range(made, free[0]);
  llvm::append_range(made, free[1]);
  SmallVector<int64_t> wanted =
      llvm::to_vector(llvm::seq<int64_t>(made.size()));
  llvm::sort(wanted, [&](int64_t a, int64_t b) { return made[a] < made[b]; });
  if (!llvm::is_sorted(wanted))
    found = TransposeOp::create(builder, location, found, wanted);
  if (found.getType() != op.getType())
    found = ReshapeOp::create(builder, location, op.getType(), found);
  op.replaceAllUsesWith(found);
  eraseDead(op);
}

namespace {
struct ContractSums : public ingot::impl::ContractSumsBase<ContractSums> {
  using ContractSumsBase::ContractSumsBase;

  void runOnOperation() override {
    SmallVector<ReduceOp> sums;
    getOperation().walk([&](ReduceOp op) { sums.push_back(op); });
    for (ReduceOp op : sums)
      contract(op, least);
  }
};
} // namespace
