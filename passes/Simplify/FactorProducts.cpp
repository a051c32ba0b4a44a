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

/// A product whose result is transposed, flipped and padded with zeros: as one
/// of operands that are, instead.
struct Term : Product {
  /// The free axes along which each operand is flipped, and then the zeros
  /// before and after it along all axes.
  SmallVector<int64_t> flips[2], low[2], high[2];
  /// The operations that compute it, the last one first.
  SmallVector<Operation *> operations;

  /// The term that a value is, if nothing else uses it.
  static std::optional<Term> of(Value value);
  Value operand(OpBuilder &builder, unsigned i) const;
  bool isChanged(unsigned i) const { return !flips[i].empty() || isPadded(i); }

private:
  explicit Term(DotGeneralOp op) : Product(op) {
    for (unsigned i : {0, 1})
      for (auto *zeros : {&low[i], &high[i]})
        zeros->assign(typeOf(operands[i]).getRank(), 0);
  }
  bool isPadded(unsigned i) const {
    auto isSome = [](int64_t size) { return size != 0; };
    return llvm::any_of(low[i], isSome) || llvm::any_of(high[i], isSome);
  }
  bool transpose(ArrayRef<int64_t> axes);
  bool change(int64_t axis, bool isFlipped, int64_t before, int64_t after);
};

/// Two products of which operand `shared` is one array, with the same roles of
/// its axes.
class Sum {
public:
  static std::optional<Sum> of(Value lhs, Value rhs, unsigned shared) {
    if (lhs.getType() != rhs.getType())
      return std::nullopt;
    auto first = Term::of(lhs), second = Term::of(rhs);
    if (!first || !second)
      return std::nullopt;
    Sum sum(*first, *second, shared);
    return sum.isOne() && sum.isWorthIt() ? std::optional(sum) : std::nullopt;
  }

  DotGeneralOp create(OpBuilder &builder, mlir::Location location) const {
    unsigned other = 1 - shared;
    Value kept = first.operand(builder, other);
    Value added = second.operand(builder, other);
    SmallVector<int64_t> axes = otherAxes();
    if (!llvm::equal(axes, llvm::seq<int64_t>(axes.size())))
      added = TransposeOp::create(builder, location, added, axes);
    Product product = first;
    product.operands[other] = AddOp::create(builder, location, kept, added);
    return product.create(builder, location);
  }

  /// Erases both products, which nothing uses any more.
  void erase() const {
    for (const Term &term : {first, second})
      for (Operation *op : term.operations)
        op->erase();
  }

private:
  Sum(const Term &lhs, const Term &rhs, unsigned shared)
      : first(lhs), second(rhs), shared(shared) {}

  bool isOne() const {
    Untransposed a(first.operands[shared]), b(second.operands[shared]);
    if (a.array != b.array || first.isChanged(shared) ||
        second.isChanged(shared) || !llvm::equal(first.zeros, second.zeros) ||
        typeOf(first.operands[1 - shared]).getRank() !=
            typeOf(second.operands[1 - shared]).getRank())
      return false;
    auto sorted = [](SmallVector<int64_t> axes) {
      llvm::sort(axes);
      return axes;
    };
    return a.of(first.batching[shared]) == b.of(second.batching[shared]) &&
           a.of(first.freeAxes(shared)) == b.of(second.freeAxes(shared)) &&
           sorted(a.of(first.contracting[shared])) ==
               sorted(b.of(second.contracting[shared]));
  }

  bool isWorthIt() const {
    int64_t uses = 1;
    for (int64_t axis : first.freeAxes(shared))
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
         llvm::zip_equal(first.freeAxes(other), second.freeAxes(other)))
      axes[to] = from;
    Untransposed a(first.operands[shared]), b(second.operands[shared]);
    auto summed = b.of(second.contracting[shared]);
    for (auto [i, axis] : llvm::enumerate(a.of(first.contracting[shared])))
      axes[first.contracting[other][i]] =
          second.contracting[other][llvm::find(summed, axis) - summed.begin()];
    return axes;
  }

  Term first, second;
  unsigned shared;
};

} // namespace

/// Whether nothing but one operation of the same block uses a value.
static bool isUsedNextToIt(Value value) {
  Operation *op = value.getDefiningOp();
  return op && value.hasOneUse() &&
         (*value.user_begin())->getBlock() == op->getBlock();
}

/// Changes the order of the result's axes, if that is the order of the result
/// of the same operands or of swapped ones.
bool Term::transpose(ArrayRef<int64_t> axes) {
  if (llvm::is_sorted(axes))
    return true;
  size_t batches = batching[0].size();
  int64_t firstFree = freeAxes(0).size();
  SmallVector<int64_t> swapped = llvm::to_vector(llvm::seq<int64_t>(batches));
  llvm::append_range(swapped,
                     llvm::seq<int64_t>(batches + firstFree, axes.size()));
  llvm::append_range(swapped, llvm::seq<int64_t>(batches, batches + firstFree));
  if (axes != ArrayRef(swapped))
    return false;
  swap();
  return true;
}

/// Flips the result along an axis, and pads it. Zeros are the products of
/// zeros only if these are zero whatever they are multiplied by.
bool Term::change(int64_t axis, bool isFlipped, int64_t before, int64_t after) {
  for (unsigned i : {0, 1})
    for (int64_t each : freeAxes(i)) {
      if (axisOfResult(i, each) != axis)
        continue;
      if (isFlipped)
        flips[i].push_back(each);
      low[i][each] = before;
      high[i][each] = after;
      return before + after == 0 || zeros[i];
    }
  return false;
}

Value Term::operand(OpBuilder &builder, unsigned i) const {
  Value made = operands[i];
  mlir::Location location = made.getLoc();
  if (!flips[i].empty())
    made = FlipOp::create(builder, location, made, flips[i]);
  if (!isPadded(i))
    return made;
  SmallVector<int64_t> none(low[i].size(), 0);
  Value zero = numberOf(builder, location, 0, made.getType());
  return PadOp::create(builder, location, made, zero, low[i], high[i], none);
}

/// The operand of a pad with zeros at the ends.
static Value unpadded(PadOp pad) {
  auto value = floatOf(pad.getValue());
  auto isNone = [](int64_t size) { return size == 0; };
  return value && value->isZero() && llvm::all_of(pad.getInterior(), isNone)
             ? pad.getOperand()
             : Value();
}

std::optional<Term> Term::of(Value value) {
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(typeOf(value).getRank()));
  SmallVector<bool> isFlipped(axes.size(), false);
  SmallVector<int64_t> low(axes.size(), 0), high(low);
  SmallVector<Operation *> operations;
  while (isUsedNextToIt(value)) {
    operations.push_back(value.getDefiningOp());
    if (auto transpose = value.getDefiningOp<TransposeOp>()) {
      for (int64_t &axis : axes)
        axis = transpose.getAxes()[axis];
      value = transpose.getOperand();
      continue;
    }
    if (auto flip = value.getDefiningOp<FlipOp>()) {
      for (int64_t axis : flip.getAxes())
        isFlipped[llvm::find(axes, axis) - axes.begin()] ^= true;
      value = flip.getOperand();
      continue;
    }
    if (auto pad = value.getDefiningOp<PadOp>()) {
      for (auto [i, axis] : llvm::enumerate(axes)) {
        // What was flipped here is padded on the other side.
        low[i] += (isFlipped[i] ? pad.getHigh() : pad.getLow())[axis];
        high[i] += (isFlipped[i] ? pad.getLow() : pad.getHigh())[axis];
      }
      value = unpadded(pad);
      if (!value)
        return std::nullopt;
      continue;
    }
    auto dot = value.getDefiningOp<DotGeneralOp>();
    if (!dot)
      return std::nullopt;
    Term term(dot);
    if (!term.transpose(axes))
      return std::nullopt;
    for (auto [axis, is] : llvm::enumerate(isFlipped))
      if ((is || low[axis] + high[axis] != 0) &&
          !term.change(axis, is, low[axis], high[axis]))
        return std::nullopt;
    term.operations = std::move(operations);
    return term;
  }
  return std::nullopt;
}

namespace {
struct FactorProducts : public ingot::impl::FactorProductsBase<FactorProducts> {
  void runOnOperation() override {
    // A sum of three products is a sum of a product and one that was made.
    getOperation().walk([](AddOp op) {
      if (!isa<IntegerType>(elementOf(op.getResult())))
        factor(op);
    });
  }

private:
  static void factor(AddOp op) {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (replace(op, {}, lhs, rhs, {}))
      return;
    // `(x + a @ y) + b @ y`
    for (auto [inner, outer] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
      auto sum = inner.getDefiningOp<AddOp>();
      if (sum && isUsedNextToIt(inner) &&
          (replace(op, sum, sum.getLhs(), outer, sum.getRhs()) ||
           replace(op, sum, sum.getRhs(), outer, sum.getLhs())))
        return;
    }
  }

  /// Replaces the sum of two products, and of the rest if there is one, which
  /// `op` and `inner` compute.
  static bool replace(AddOp op, AddOp inner, Value lhs, Value rhs, Value rest) {
    for (unsigned shared : {0u, 1u}) {
      auto sum = Sum::of(lhs, rhs, shared);
      if (!sum)
        continue;
      OpBuilder builder(op);
      Value made = sum->create(builder, op.getLoc());
      if (rest)
        made = AddOp::create(builder, op.getLoc(), rest, made);
      op.replaceAllUsesWith(made);
      op.erase();
      if (inner)
        inner.erase();
      sum->erase();
      return true;
    }
    return false;
  }
};
} // namespace
