//===- ResolveAbsentTangents.cpp - Which zeros rule their products --------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A derivative is a sum over the paths from a result to an argument, and each
// path has the product of the slopes along it. An element of a tangent or
// cotangent is absent if no path leads to it: it is in the arm of a `select`
// that is not taken, outside of a part that is read, or zero in the seed. It
// makes products zero, whatever the slope is. Others are present, and if their
// slopes have the product 0 so far, 0 times an infinite slope is NaN.
//
// The rules multiply by `mul_no_nan`, `div_no_nan` and `dot_general` with
// zeros that rule, which don't know where a zero comes from. This finds out.
//
//===----------------------------------------------------------------------===//

#include "Ingot/Slopes.h"
#include "Passes.h"
#include "PlainProducts.h"
#include "Regions.h"

namespace ingot {
#define GEN_PASS_DEF_RESOLVEABSENTTANGENTS
#include "Autodiff/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

bool isReal(Value value) { return isa<FloatType>(elementOf(value)); }

bool isNonzero(Value value) {
  std::optional<APFloat> number = floatOf(value);
  return number && !number->isZero();
}

bool isFinite(Value value) {
  std::optional<APFloat> number = floatOf(value);
  return number && number->isFinite();
}

/// The operand of a linear operation whose elements its result rearranges,
/// repeats or scales by numbers other than zero, or null.
Value sourceOf(Operation *op) {
  if (isa<NegOp, BroadcastToOp, ReshapeOp, TransposeOp, FlipOp, SliceOp,
          DynamicSliceOp>(op))
    return op->getOperand(0);
  if (auto convert = dyn_cast<ConvertOp>(op))
    return isReal(convert.getOperand()) ? convert.getOperand() : nullptr;
  if (isa<MulOp, DivOp>(op) && isNonzero(op->getOperand(1)))
    return op->getOperand(0);
  if (isa<MulOp>(op) && isNonzero(op->getOperand(0)))
    return op->getOperand(1);
  return nullptr;
}

bool isSum(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind() == ReduceKind::Add &&
           reduce.getOperand().getType().getNumElements() > 0;
  auto cumulative = dyn_cast<CumulativeOp>(op);
  return cumulative && cumulative.getKind() == ReduceKind::Add;
}

/// Whether the first or second operand is a tangent whose zeros rule.
std::pair<bool, bool> ruledBy(Operation *op) {
  if (auto product = dyn_cast<MulNoNanOp>(op))
    return {true, product.getBoth()};
  if (auto product = dyn_cast<DotGeneralOp>(op))
    return {product.getLhsZeros(), product.getRhsZeros()};
  return {isa<DivNoNanOp>(op), false};
}

/// Whether a factor is NaN where a condition says so, as where eigenvalues are
/// equal: there a zero that a product of matrices gives must not rule.
bool hasChosenNaN(Value factor) {
  auto select = factor.getDefiningOp<SelectOp>();
  return select &&
         llvm::any_of(select->getOperands().drop_front(), [](Value v) {
           std::optional<APFloat> number = floatOf(v);
           return number && number->isNaN();
         });
}

/// The operand of a product of two matrices whose zeros rule, if it is only
/// one; batches are in front.
OpOperand *ruling(DotGeneralOp op) {
  bool isLeft = op.getLhsZeros();
  int64_t rank = op.getLhs().getType().getRank();
  if (rank < 2 || op.getRhs().getType().getRank() != rank)
    return nullptr;
  auto batches = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  if (isLeft == op.getRhsZeros() || op.getLhsBatching() != ArrayRef(batches) ||
      op.getRhsBatching() != ArrayRef(batches) ||
      op.getLhsContracting().size() != 1)
    return nullptr;
  return &op->getOpOperand(isLeft ? 0 : 1);
}

class Presence {
public:
  /// `seesProducts`: whether an element of a product of matrices is absent only
  /// if all that it sums up is, which takes time to find out.
  Presence(Operation *root, bool seesProducts);

  /// Whether no element is absent.
  bool isComplete(Value value) const { return !partial.contains(value); }
  /// Which elements are present, computed behind the value.
  Value of(Value value);
  /// Whether `of` says no more than that an element is not zero.
  bool isExact(Value value);

private:
  bool completes(Operation *op);
  bool isRead(Value value);
  bool isOfBranch(Value value);
  Value computed(Value value, OpBuilder &builder);
  Value inShape(Value mask, Value value, OpBuilder &builder);
  Value bits(Value value, bool bit, OpBuilder &builder);

  bool seesProducts;
  DenseSet<Value> partial;
  DenseMap<Value, Value> masks;
  DenseMap<Value, bool> exact;
};

} // namespace

/// All values are thought to be complete until one of their sources is not:
/// loops carry some in circles.
Presence::Presence(Operation *root, bool seesProducts)
    : seesProducts(seesProducts) {
  auto visit = [&](Operation *op) {
    size_t before = partial.size();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (!isa<IfOp, ForOp, WhileOp>(op))
            partial.insert(argument);
    if (!isa<IfOp, ForOp, WhileOp>(op)) {
      if (!completes(op))
        partial.insert(op->result_begin(), op->result_end());
      return partial.size() != before;
    }
    for (OpResult result : op->getResults()) {
      bool isComplete = llvm::all_of(sourcesOf(result), [&](Value source) {
        return isReal(source) && this->isComplete(source);
      });
      if (isComplete)
        continue;
      partial.insert(result);
      auto carriers = carriersOf(result);
      partial.insert(carriers.begin(), carriers.end());
    }
    return partial.size() != before;
  };
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    root->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { hasChanged |= visit(op); });
  }
}

/// Whether the one result of an operation has no absent element, if this holds
/// for the operands of which it is thought so.
bool Presence::completes(Operation *op) {
  if (op->getNumResults() != 1 || !isa<TensorType>(op->getResult(0).getType()))
    return false;
  if (!isReal(op->getResult(0)))
    return false;
  auto operand = [&](unsigned i) { return isComplete(op->getOperand(i)); };
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValueAttr());
    return elements &&
           llvm::all_of(elements.getValues<APFloat>(),
                        [](const APFloat &x) { return !x.isZero(); });
  }
  if (Value source = sourceOf(op))
    return isComplete(source);
  if (isSum(op))
    return operand(0);
  if (isa<AddOp, SubOp>(op))
    return operand(0) || operand(1);
  if (isa<SelectOp>(op))
    return operand(1) && operand(2);
  if (isa<UpdateSliceOp>(op))
    return operand(0) && operand(1);
  if (op->hasAttr(byValue))
    return false;
  auto [first, second] = ruledBy(op);
  return (first || second) && (!first || operand(0)) && (!second || operand(1));
}

/// Whether a value is the result of a branch each side of which has a complete
/// tangent or none.
bool Presence::isOfBranch(Value value) {
  auto branch = value.getDefiningOp<IfOp>();
  return branch &&
         llvm::all_of(sourcesOf(cast<OpResult>(value)), [&](Value source) {
           std::optional<APFloat> number = floatOf(source);
           return isComplete(source) || (number && number->isZero());
         });
}

/// Whether `computed` knows what a value is made of.
bool Presence::isRead(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isReal(value))
    return false;
  if (isa<MulNoNanOp, DivNoNanOp>(op))
    return !op->hasAttr(byValue);
  if (auto product = dyn_cast<DotGeneralOp>(op))
    return seesProducts && ruling(product);
  // Masks of arrays that loops update would cost as much as the whole arrays.
  if (isa<DynamicSliceOp, UpdateSliceOp>(op))
    return false;
  return isa<AddOp, SubOp, SelectOp, PadOp>(op) ||
         (isa<ReduceOp>(op) && isSum(op)) || sourceOf(op) || isOfBranch(value);
}

bool Presence::isExact(Value value) {
  if (floatOf(value) || !isRead(value))
    return !isComplete(value) || floatOf(value);
  auto [known, isNew] = exact.try_emplace(value, false);
  if (!isNew)
    return known->second;
  Operation *op = value.getDefiningOp();
  bool isMoved = sourceOf(op) || isa<SelectOp, PadOp>(op);
  bool found = isMoved && llvm::all_of(op->getOperands(), [&](Value operand) {
                 return !isReal(operand) || isExact(operand);
               });
  return exact[value] = found;
}

Value Presence::bits(Value value, bool bit, OpBuilder &builder) {
  return constantOf(builder, value.getLoc(),
                    builder.getIntegerAttr(builder.getI1Type(), bit),
                    shapeOf(value));
}

/// A mask, which broadcasts to the shape of a value, in that shape.
Value Presence::inShape(Value mask, Value value, OpBuilder &builder) {
  if (shapeOf(mask) == shapeOf(value))
    return mask;
  Type to = typeOf(value).clone(builder.getI1Type());
  return BroadcastToOp::create(builder, value.getLoc(), to, mask);
}

Value Presence::of(Value value) {
  if (Value known = masks.lookup(value))
    return known;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Value made = inShape(computed(value, builder), value, builder);
  masks[value] = made;
  return made;
}

Value Presence::computed(Value value, OpBuilder &builder) {
  mlir::Location location = value.getLoc();
  std::optional<APFloat> number = floatOf(value);
  if (isComplete(value) || number)
    return bits(value, !number || !number->isZero(), builder);
  Operation *op = value.getDefiningOp();
  auto part = [&](unsigned i) { return of(op->getOperand(i)); };
  if (!isRead(value) || isExact(value))
    return CompareOp::create(builder, location, Comparison::NE, value,
                             numberOf(builder, location, 0, value.getType()));
  if (isa<MulOp, DivOp, ConvertOp, NegOp>(op))
    return of(sourceOf(op));
  if (isa<AddOp, SubOp>(op))
    return OrOp::create(builder, location, part(0), part(1));
  if (auto branch = dyn_cast<IfOp>(op)) {
    SmallVector<Value> sources = sourcesOf(cast<OpResult>(value));
    return SelectOp::create(builder, location, branch.getCondition(),
                            bits(value, isComplete(sources[0]), builder),
                            bits(value, isComplete(sources[1]), builder));
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return ReduceOp::create(builder, location, ReduceKind::Or, part(0),
                            reduce.getAxes());
  if (auto product = dyn_cast<DotGeneralOp>(op)) {
    OpOperand *operand = ruling(product);
    bool isLeft = operand->getOperandNumber() == 0;
    int64_t axis = isLeft ? product.getLhsContracting()[0]
                          : product.getRhsContracting()[0];
    Value any = ReduceOp::create(builder, location, ReduceKind::Or,
                                 of(operand->get()), {axis});
    SmallVector<int64_t> sizes(shapeOf(value));
    sizes[sizes.size() - (isLeft ? 1 : 2)] = 1;
    return ReshapeOp::create(builder, location, typeOf(any).clone(sizes), any);
  }
  if (auto select = dyn_cast<SelectOp>(op))
    return SelectOp::create(builder, location, select.getCondition(), part(1),
                            part(2));
  if (isa<MulNoNanOp, DivNoNanOp>(op)) {
    Value first = part(0);
    return ruledBy(op).second
               ? AndOp::create(builder, location, first, part(1)).getResult()
               : first;
  }
  // What is left moves elements.
  IRMapping none;
  Operation *moved = op->cloneWithoutRegions(none);
  for (OpOperand &operand : moved->getOpOperands())
    if (isReal(operand.get()))
      operand.set(of(operand.get()));
  moved->getResult(0).setType(typeOf(value).clone(builder.getI1Type()));
  builder.insert(moved);
  return moved->getResult(0);
}

/// The operation, or what takes its place: a plain product if no operand that
/// rules has an absent element, else one that is selected.
static Value resolved(MulNoNanOp op, Presence &presence) {
  OpBuilder builder(op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  bool isLeft = !presence.isComplete(lhs) && !isFinite(rhs);
  bool isRight = op.getBoth() && !presence.isComplete(rhs) && !isFinite(lhs);
  mlir::Location location = op.getLoc();
  if (!isLeft && !isRight)
    return plainProduct(op);
  bool isTraced =
      (isLeft && !presence.isExact(lhs)) || (isRight && !presence.isExact(rhs));
  if (!isTraced && isLeft == isRight)
    return {};
  if (!isTraced)
    return isLeft ? MulNoNanOp::create(builder, location, lhs, rhs)
                  : MulNoNanOp::create(builder, location, rhs, lhs);
  Value mask;
  for (Value each : {isLeft ? lhs : Value(), isRight ? rhs : Value()})
    if (each) {
      Value more = presence.of(each);
      mask = mask ? AndOp::create(builder, location, mask, more).getResult()
                  : more;
    }
  Value product = MulOp::create(builder, location, lhs, rhs);
  return SelectOp::create(builder, location, mask, product,
                          numberOf(builder, location, 0, op.getType()));
}

static Value resolved(DivNoNanOp op, Presence &presence) {
  OpBuilder builder(op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (!presence.isComplete(lhs) && presence.isExact(lhs))
    return {};
  Value quotient = DivOp::create(builder, op.getLoc(), lhs, rhs);
  if (presence.isComplete(lhs) || (isFinite(rhs) && isNonzero(rhs)))
    return quotient;
  return SelectOp::create(builder, op.getLoc(), presence.of(lhs), quotient,
                          numberOf(builder, op.getLoc(), 0, op.getType()));
}

static void resolveAbsent(Operation *root) {
  SmallVector<Operation *> products;
  root->walk([&](Operation *op) {
    auto [first, second] = ruledBy(op);
    if ((first || second) && isReal(op->getResult(0)))
      products.push_back(op);
  });
  if (products.empty())
    return;
  bool seesProducts = llvm::any_of(products, [](Operation *op) {
    return isa<MulNoNanOp>(op) && hasChosenNaN(op->getOperand(1));
  });
  Presence presence(root, seesProducts);
  SmallVector<std::pair<Operation *, Value>> made;
  for (Operation *op : products) {
    if (op->hasAttr(byValue)) {
      // A kink's mark is zero itself, see `markOfKink`.
      if (std::optional<APFloat> mark = floatOf(op->getOperand(1));
          mark && mark->isInfinity()) {
        OpBuilder builder(op);
        made.push_back(
            {op, zerosOf(builder, op->getLoc(), op->getResult(0).getType())});
      }
      continue;
    }
    if (isa<DotGeneralOp>(op))
      continue;
    Value value = isa<MulNoNanOp>(op)
                      ? resolved(cast<MulNoNanOp>(op), presence)
                      : resolved(cast<DivNoNanOp>(op), presence);
    if (value)
      made.push_back({op, value});
  }
  for (Operation *op : products)
    if (auto product = dyn_cast<DotGeneralOp>(op)) {
      bool isLeft = product.getLhsZeros(), isRight = product.getRhsZeros();
      product.setLhsZeros(isLeft && !presence.isComplete(product.getLhs()));
      product.setRhsZeros(isRight && !presence.isComplete(product.getRhs()));
    }
  // What takes the place of a product may be an earlier one that is replaced.
  for (auto [op, value] : llvm::reverse(made)) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}

namespace {
struct ResolveAbsentTangents
    : public ingot::impl::ResolveAbsentTangentsBase<ResolveAbsentTangents> {
  void runOnOperation() override { resolveAbsent(getOperation()); }
};
} // namespace
