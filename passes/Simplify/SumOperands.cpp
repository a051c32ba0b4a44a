//===- SumOperands.cpp - Sums of products by sums of operands -------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "Simplify/Finite.h"
#include "Simplify/Products.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {
#define GEN_PASS_DEF_SUMOPERANDS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

using Axes = SmallVector<int64_t>;

namespace {
/// So many times fewer elements are read and multiplied, at least.
constexpr double leastGain = 8;

/// From so many multiplications on, a sum is worth code of its own.
constexpr double leastWork = 1 << 15;

/// The most operations in a row that are looked through.
constexpr unsigned mostSteps = 16;

/// What a sum of an operation's result along some axes takes of each operand:
/// its sum along these axes. None of an operand that is the same along them.
using Operands = SmallVector<std::optional<Axes>, 2>;

/// Sums of values that are linear in products.
class Sums {
public:
  explicit Sums(ReduceOp root) : root(root) {}

  /// The sum, if it is much less work by those of the products' operands.
  Value cheaper(OpBuilder &builder) {
    Axes axes(root.getAxes());
    std::optional<double> made = visit(root.getOperand(), axes, 0);
    if (!made || before < leastWork || before < leastGain * *made)
      return {};
    return build(builder, root.getOperand(), axes);
  }

  /// The operations that only the sum needs, the last one first.
  ArrayRef<Operation *> operations() const { return needed.getArrayRef(); }

private:
  std::optional<double> visit(Value value, ArrayRef<int64_t> axes,
                              unsigned step);
  Value build(OpBuilder &builder, Value value, ArrayRef<int64_t> axes);

  ReduceOp root;
  /// The multiplications of the products that are looked through.
  double before = 0;
  llvm::SetVector<Operation *> needed;
};
} // namespace

static double countOf(Value value) {
  return static_cast<double>(typeOf(value).getNumElements());
}

/// Whether an array has one element along axes of an array that it is broadcast
/// to.
static bool isSameAlong(Value value, ArrayRef<int64_t> axes, int64_t rank) {
  int64_t missing = rank - typeOf(value).getRank();
  return llvm::all_of(axes, [&](int64_t axis) {
    return axis < missing || shapeOf(value)[axis - missing] == 1;
  });
}

static std::optional<Operands> operandsOf(DotGeneralOp op,
                                          ArrayRef<int64_t> axes) {
  if (op.getLhsZeros() || op.getRhsZeros())
    return std::nullopt;
  Product product(op);
  Operands found(2);
  for (unsigned i : {0, 1}) {
    Axes summed = llvm::filter_to_vector(product.freeAxes(i), [&](int64_t at) {
      return llvm::is_contained(axes, product.axisOfResult(i, at));
    });
    if (!summed.empty())
      found[i] = summed;
  }
  return found;
}

/// How the result of an operation is linear in its operands.
static std::optional<Operands> operandsOf(Operation *op,
                                          ArrayRef<int64_t> axes) {
  Value result = op->getResult(0);
  int64_t rank = typeOf(result).getRank();
  auto isWhole = [&](Value operand) {
    return operand.getType() == result.getType();
  };
  if (auto dot = dyn_cast<DotGeneralOp>(op))
    return operandsOf(dot, axes);
  if (isa<NegOp, AddOp, SubOp>(op))
    return Operands(op->getNumOperands(), Axes(axes));
  if (isa<MulOp>(op)) {
    Operands found(2);
    for (unsigned i : {0, 1})
      if (isWhole(op->getOperand(i)) &&
          isSameAlong(op->getOperand(1 - i), axes, rank)) {
        found[i] = Axes(axes);
        return found;
      }
    return std::nullopt;
  }
  std::optional<Axes> from;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    from = Axes(transpose.getAxes());
  else if (isa<ReshapeOp>(op))
    from = sameAxes(shapeOf(op->getOperand(0)), shapeOf(result));
  if (!from)
    return std::nullopt;
  Axes summed;
  for (int64_t axis : axes)
    if ((*from)[axis] >= 0)
      summed.push_back((*from)[axis]);
  llvm::sort(summed);
  return Operands{summed};
}

/// Whether elements of an operand are added to several ones of another.
static bool isBroadcast(Operation *op, unsigned i) {
  return isa<AddOp, SubOp>(op) &&
         op->getOperand(i).getType() != op->getResult(0).getType();
}

/// What a sum of a value costs: the elements that it reads and multiplies. None
/// if no product is summed within it.
std::optional<double> Sums::visit(Value value, ArrayRef<int64_t> axes,
                                  unsigned step) {
  Operation *op = value.getDefiningOp();
  if (!op || step == mostSteps || axes.empty() || !value.hasOneUse() ||
      op->getBlock() != root->getBlock() || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<Operands> operands = operandsOf(op, axes);
  if (!operands)
    return std::nullopt;
  size_t known = needed.size();
  needed.insert(op);
  double cost = 0, sums = 1;
  bool isLess = isa<DotGeneralOp>(op);
  for (auto [i, summed] : llvm::enumerate(*operands)) {
    Value operand = op->getOperand(i);
    if (!summed)
      continue;
    if (isBroadcast(op, i)) {
      cost += countOf(value);
      continue;
    }
    std::optional<double> own = visit(operand, *summed, step + 1);
    isLess |= own.has_value();
    cost += own.value_or(countOf(operand));
    for (int64_t axis : *summed)
      sums *= shapeOf(operand)[axis];
  }
  auto dot = dyn_cast<DotGeneralOp>(op);
  if (!isLess || (dot && sums == 1)) {
    while (needed.size() > known)
      needed.pop_back();
    return std::nullopt;
  }
  if (!dot)
    return cost;
  double products = countOf(value) * static_cast<double>(termsOf(dot));
  before += products;
  return cost + products / sums;
}

static Value reduced(OpBuilder &builder, mlir::Location location, Value value,
                     ArrayRef<int64_t> axes) {
  return axes.empty() ? value
                      : ReduceOp::create(builder, location, ReduceKind::Add,
                                         value, axes);
}

/// A product of operands that are summed along their free axes `summed`.
static Value productOf(OpBuilder &builder, DotGeneralOp op, ValueRange operands,
                       const Operands &summed) {
  Product product(op);
  for (unsigned i : {0, 1}) {
    product.operands[i] = operands[i];
    Axes gone = summed[i].value_or(Axes());
    for (Axes *axes : {&product.batching[i], &product.contracting[i]})
      for (int64_t &axis : *axes)
        axis -= llvm::count_if(gone, [&](int64_t at) { return at < axis; });
  }
  return product.create(builder, op.getLoc());
}

Value Sums::build(OpBuilder &builder, Value value, ArrayRef<int64_t> axes) {
  Operation *op = value.getDefiningOp();
  mlir::Location location = value.getLoc();
  if (!op || !needed.contains(op))
    return reduced(builder, location, value, axes);
  Operands summed = *operandsOf(op, axes);
  SmallVector<Value> operands(op->getOperands());
  for (auto [i, along] : llvm::enumerate(summed)) {
    if (isBroadcast(op, i))
      operands[i] = BroadcastToOp::create(builder, location, value.getType(),
                                          operands[i]);
    if (along)
      operands[i] = build(builder, operands[i], *along);
  }

  Axes kept = llvm::filter_to_vector(
      llvm::seq<int64_t>(typeOf(value).getRank()),
      [&](int64_t axis) { return !llvm::is_contained(axes, axis); });
  RankedTensorType type = typeOf(value).clone(llvm::map_to_vector(
      kept, [&](int64_t axis) { return shapeOf(value)[axis]; }));
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    // What is left to sum are batching axes.
    Axes batching = llvm::filter_to_vector(axes, [&](int64_t axis) {
      return axis < int64_t(dot.getLhsBatching().size());
    });
    return reduced(builder, location, productOf(builder, dot, operands, summed),
                   batching);
  }
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    Axes order = llvm::map_to_vector(
        kept, [&](int64_t axis) { return transpose.getAxes()[axis]; });
    for (int64_t &axis : order)
      axis -= llvm::count_if(*summed[0], [&](int64_t at) { return at < axis; });
    return TransposeOp::create(builder, location, operands[0], order);
  }
  if (isa<ReshapeOp>(op))
    return ReshapeOp::create(builder, location, type, operands[0]);
  // A factor that is the same along the axes goes without them.
  for (auto [operand, along] : llvm::zip_equal(operands, summed)) {
    if (along)
      continue;
    int64_t missing = typeOf(value).getRank() - typeOf(operand).getRank();
    Axes shape;
    for (int64_t axis : kept)
      if (axis >= missing)
        shape.push_back(shapeOf(operand)[axis - missing]);
    operand = ReshapeOp::create(builder, location, typeOf(operand).clone(shape),
                                operand);
  }
  OperationState state(location, op->getName(), operands, type, op->getAttrs());
  return builder.create(state)->getResult(0);
}

static void rewrite(ReduceOp op) {
  OpBuilder builder(op);
  Sums sums(op);
  Value made = sums.cheaper(builder);
  if (!made)
    return;
  if (isa<IntegerType>(elementOf(made))) {
    op.replaceAllUsesWith(made);
    op.erase();
    for (Operation *each : sums.operations())
      each->erase();
    return;
  }
  // Of infinite elements, other sums and products may be finite or not.
  Value isFinite = allFinite(builder, op.getLoc(), made);
  takeWhere(builder, isFinite, made, op);
  Operation *next = op;
  for (Operation *each : sums.operations()) {
    each->moveBefore(next);
    next = each;
  }
}

namespace {
struct SumOperands : public ingot::impl::SumOperandsBase<SumOperands> {
  void runOnOperation() override {
    SmallVector<ReduceOp> found;
    getOperation().walk([&](ReduceOp op) {
      Type element = elementOf(op.getOperand());
      if (op.getKind() == ReduceKind::Add &&
          (isa<IntegerType>(element) || isPrecise(element)))
        found.push_back(op);
    });
    for (ReduceOp op : found)
      rewrite(op);
  }
};
} // namespace
