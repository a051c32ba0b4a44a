//===- FactorProducts.cpp - One product for a sum of two ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "Simplify/Products.h"

#include "mlir/IR/Builders.h"

namespace ingot {
#define GEN_PASS_DEF_FACTORPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {
/// The fewest products with each element of the operands that are added.
constexpr int64_t leastUses = 8;

/// An operand of a product without its transpositions, and which of its axes
/// the operand's axes are.
struct Untransposed {
  Value array;
  SmallVector<int64_t> axes;

  explicit Untransposed(Value operand)
      : array(operand),
        axes(llvm::to_vector(llvm::seq<int64_t>(typeOf(operand).getRank()))) {
    while (auto transpose = array.getDefiningOp<TransposeOp>()) {
      for (int64_t &axis : axes)
        axis = transpose.getAxes()[axis];
      array = transpose.getOperand();
    }
  }

  SmallVector<int64_t> of(ArrayRef<int64_t> some) const {
    return llvm::map_to_vector(some, [&](int64_t axis) { return axes[axis]; });
  }
};

/// The free axes of an operand, in the order of the result.
SmallVector<int64_t> freeAxes(const Product &product, unsigned i) {
  return llvm::to_vector(llvm::make_filter_range(
      llvm::seq<int64_t>(typeOf(product.operands[i]).getRank()),
      [&](int64_t axis) { return product.isFree(i, axis); }));
}

/// Two products of which operand `shared` is one array, with the same roles of
/// its axes.
class Sum {
public:
  static std::optional<Sum> of(AddOp op, unsigned shared) {
    auto lhs = op.getLhs().getDefiningOp<DotGeneralOp>(),
         rhs = op.getRhs().getDefiningOp<DotGeneralOp>();
    if (!lhs || !rhs || !lhs->hasOneUse() || !rhs->hasOneUse() ||
        lhs.getType() != rhs.getType() || lhs->getBlock() != op->getBlock() ||
        rhs->getBlock() != op->getBlock())
      return std::nullopt;
    Sum sum(lhs, rhs, shared);
    return sum.isOne() && sum.isWorthIt() ? std::optional(sum) : std::nullopt;
  }

  DotGeneralOp create(OpBuilder &builder, mlir::Location location) const {
    unsigned other = 1 - shared;
    Value added = second.operands[other];
    SmallVector<int64_t> axes = otherAxes();
    if (!llvm::equal(axes, llvm::seq<int64_t>(axes.size())))
      added = TransposeOp::create(builder, location, added, axes);
    Product product = first;
    product.operands[other] =
        AddOp::create(builder, location, first.operands[other], added);
    return product.create(builder, location);
  }

private:
  Sum(DotGeneralOp lhs, DotGeneralOp rhs, unsigned shared)
      : first(lhs), second(rhs), shared(shared) {}

  bool isOne() const {
    Untransposed a(first.operands[shared]), b(second.operands[shared]);
    if (a.array != b.array || !llvm::equal(first.zeros, second.zeros) ||
        typeOf(first.operands[1 - shared]).getRank() !=
            typeOf(second.operands[1 - shared]).getRank())
      return false;
    auto sorted = [](SmallVector<int64_t> axes) {
      llvm::sort(axes);
      return axes;
    };
    return a.of(first.batching[shared]) == b.of(second.batching[shared]) &&
           a.of(freeAxes(first, shared)) == b.of(freeAxes(second, shared)) &&
           sorted(a.of(first.contracting[shared])) ==
               sorted(b.of(second.contracting[shared]));
  }

  bool isWorthIt() const {
    int64_t uses = 1;
    for (int64_t axis : freeAxes(first, shared))
      uses *= shapeOf(first.operands[shared])[axis];
    return uses >= leastUses;
  }

  /// For each axis of the first product's other operand that of the second's.
  SmallVector<int64_t> otherAxes() const {
    unsigned other = 1 - shared;
    SmallVector<int64_t> axes(typeOf(first.operands[other]).getRank());
    for (auto [to, from] :
         llvm::zip_equal(first.batching[other], second.batching[other]))
      axes[to] = from;
    for (auto [to, from] :
         llvm::zip_equal(freeAxes(first, other), freeAxes(second, other)))
      axes[to] = from;
    Untransposed a(first.operands[shared]), b(second.operands[shared]);
    auto summed = b.of(second.contracting[shared]);
    for (auto [i, axis] : llvm::enumerate(a.of(first.contracting[shared])))
      axes[first.contracting[other][i]] =
          second.contracting[other][llvm::find(summed, axis) - summed.begin()];
    return axes;
  }

  Product first, second;
  unsigned shared;
};

struct FactorProducts : public ingot::impl::FactorProductsBase<FactorProducts> {
  void runOnOperation() override {
    // A sum of three products is a sum of a product and one that was made.
    getOperation().walk([](AddOp op) {
      if (isa<IntegerType>(elementOf(op.getResult())))
        return;
      for (unsigned shared : {0u, 1u})
        if (auto sum = Sum::of(op, shared)) {
          factor(op, *sum);
          return;
        }
    });
  }

private:
  static void factor(AddOp op, const Sum &sum) {
    OpBuilder builder(op);
    Operation *lhs = op.getLhs().getDefiningOp(),
              *rhs = op.getRhs().getDefiningOp();
    op.replaceAllUsesWith(sum.create(builder, op.getLoc()).getResult());
    op.erase();
    lhs->erase();
    rhs->erase();
  }
};
} // namespace
