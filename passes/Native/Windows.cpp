//===- Windows.cpp - The parts of arrays that masks leave -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include "Ingot/Values.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ingot;
using stablehlo::ComparisonDirection;

/// The value whose only element all elements are, if there is one.
static Value scalarOf(Value value) {
  while (!isScalar(value.getType())) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<stablehlo::BroadcastInDimOp, BroadcastToOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return value;
}

/// For each axis of the operand, the axis of the result along which its
/// elements lie; -1 where the axis has size 1. Nothing if the operation is not
/// one that repeats the operand or gives its axes other places.
static std::optional<SmallVector<int64_t>> axesOfResult(Operation *op) {
  using Axes = std::optional<SmallVector<int64_t>>;
  auto repeated = [&](ArrayRef<int64_t> axes) -> Axes {
    SmallVector<int64_t> found(axes);
    for (auto [axis, size] : llvm::zip_equal(found, shapeOf(op->getOperand(0))))
      if (size == 1)
        axis = -1;
    return found;
  };
  return llvm::TypeSwitch<Operation *, Axes>(op)
      .Case([&](stablehlo::BroadcastInDimOp broadcast) {
        return repeated(broadcast.getBroadcastDimensions());
      })
      .Case([&](BroadcastToOp broadcast) {
        int64_t rank = shapeOf(broadcast.getOperand()).size(),
                first = broadcast.getType().getRank() - rank;
        return repeated(llvm::to_vector(llvm::seq(first, first + rank)));
      })
      .Case([](ReshapeOp reshape) -> Axes {
        RankedTensorType from = reshape.getOperand().getType();
        if (squeezed(from) != squeezed(reshape.getType()))
          return std::nullopt;
        SmallVector<int64_t> found(from.getRank(), -1);
        for (auto [axis, place] :
             llvm::zip_equal(wideAxes(from), wideAxes(reshape.getType())))
          found[axis] = place;
        return found;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// The axis along which each element is its index, if there is one.
static std::optional<int64_t> indexAxis(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto iota = dyn_cast_or_null<IotaOp>(op))
    return iota.getAxis();
  auto axes = op ? axesOfResult(op) : std::nullopt;
  auto axis = axes ? indexAxis(op->getOperand(0)) : std::nullopt;
  if (!axis || (*axes)[*axis] < 0)
    return std::nullopt;
  return (*axes)[*axis];
}

static std::optional<Limit> limitOf(stablehlo::CompareOp op) {
  auto direction = op.getComparisonDirection();
  Value index = op.getLhs(), bound = scalarOf(op.getRhs());
  if (!bound) {
    // number > index is index < number
    index = op.getRhs();
    bound = scalarOf(op.getLhs());
    switch (direction) {
    case ComparisonDirection::LT:
      direction = ComparisonDirection::GT;
      break;
    case ComparisonDirection::LE:
      direction = ComparisonDirection::GE;
      break;
    case ComparisonDirection::GT:
      direction = ComparisonDirection::LT;
      break;
    case ComparisonDirection::GE:
      direction = ComparisonDirection::LE;
      break;
    default:
      break;
    }
  }
  auto axis = indexAxis(index);
  if (!axis || !bound || !elementOf(bound).isInteger(64))
    return std::nullopt;
  switch (direction) {
  case ComparisonDirection::LT:
    return Limit{*axis, bound, 0, /*isLeast=*/false};
  case ComparisonDirection::LE:
    return Limit{*axis, bound, 1, /*isLeast=*/false};
  case ComparisonDirection::GE:
    return Limit{*axis, bound, 0, /*isLeast=*/true};
  case ComparisonDirection::GT:
    return Limit{*axis, bound, 1, /*isLeast=*/true};
  default:
    return std::nullopt;
  }
}

/// Adds limits of an operand as those of the result.
static void addMoved(ArrayRef<Limit> limits, ArrayRef<int64_t> axes,
                     SmallVector<Limit> &found) {
  for (Limit limit : limits) {
    limit.axis = axes[limit.axis];
    if (limit.axis >= 0 && !llvm::is_contained(found, limit))
      found.push_back(limit);
  }
}

/// Adds the limits of a mask; false if it is not made of these alone.
static bool addLimitsOf(Value mask, SmallVector<Limit> &limits) {
  Operation *op = mask.getDefiningOp();
  if (isa_and_nonnull<stablehlo::AndOp>(op)) {
    bool isFirst = addLimitsOf(op->getOperand(0), limits);
    return addLimitsOf(op->getOperand(1), limits) && isFirst;
  }
  if (auto axes = op ? axesOfResult(op) : std::nullopt) {
    SmallVector<Limit> narrow;
    bool isAll = addLimitsOf(op->getOperand(0), narrow);
    addMoved(narrow, *axes, limits);
    return isAll;
  }
  auto compare = dyn_cast_or_null<stablehlo::CompareOp>(op);
  auto limit = compare ? limitOf(compare) : std::nullopt;
  // The only index along an axis of size 1 is not that of the axis it becomes.
  if (!limit || shapeOf(mask)[limit->axis] == 1)
    return false;
  limits.push_back(*limit);
  return true;
}

SmallVector<Limit> ingot::limitsOf(Value mask) {
  SmallVector<Limit> limits;
  addLimitsOf(mask, limits);
  return limits;
}

bool ingot::consistsOfLimits(Value mask) {
  SmallVector<Limit> limits;
  return addLimitsOf(mask, limits);
}

static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isa<stablehlo::StablehloDialect>(op->getDialect());
}

static void addLimits(Value value, unsigned depth, SmallVector<Limit> &found) {
  Operation *op = value.getDefiningOp();
  if (depth == 0 || !op)
    return;
  if (auto axes = axesOfResult(op)) {
    SmallVector<Limit> narrow;
    addLimits(op->getOperand(0), depth - 1, narrow);
    addMoved(narrow, *axes, found);
    return;
  }
  if (!isComputed(value))
    return;
  bool isChoice = isa<stablehlo::SelectOp>(op);
  for (const Limit &limit : limitsOf(isChoice ? op->getOperand(0) : value))
    if (!llvm::is_contained(found, limit))
      found.push_back(limit);
  for (Value operand : op->getOperands())
    if (shapeOf(operand) == shapeOf(value))
      addLimits(operand, depth - 1, found);
}

/// How many operations are followed.
static constexpr unsigned mostDepth = 8;

SmallVector<Limit> ingot::limitsWithin(Value value) {
  SmallVector<Limit> found;
  addLimits(value, mostDepth, found);
  return found;
}

/// Whether a number and the sums and products of two such numbers are the same
/// in every type that has it.
static bool isSmall(double number) {
  constexpr double largest = 1 << 10;
  return std::trunc(number) == number && std::abs(number) <= largest;
}

/// The result of arithmetic, if no type rounds it and it does not overflow.
static std::optional<double> exactly(Operation *op, ArrayRef<double> operands,
                                     double result) {
  Type type = elementOf(op->getResult(0));
  bool isWide =
      isa<IntegerType, FloatType>(type) && type.getIntOrFloatBitWidth() >= 32;
  if (!isWide || !llvm::all_of(operands, isSmall))
    return std::nullopt;
  return result;
}

/// The result of an operation on numbers.
static std::optional<double> evaluate(Operation *op, ArrayRef<double> x) {
  using Result = std::optional<double>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](stablehlo::AddOp) { return exactly(op, x, x[0] + x[1]); })
      .Case([&](stablehlo::SubtractOp) { return exactly(op, x, x[0] - x[1]); })
      .Case([&](stablehlo::MulOp) { return exactly(op, x, x[0] * x[1]); })
      .Case([&](stablehlo::AndOp) -> Result {
        if (!elementOf(op->getResult(0)).isInteger(1))
          return std::nullopt;
        return x[0] != 0 && x[1] != 0;
      })
      .Case([&](stablehlo::OrOp) -> Result {
        if (!elementOf(op->getResult(0)).isInteger(1))
          return std::nullopt;
        return x[0] != 0 || x[1] != 0;
      })
      .Case([&](stablehlo::CompareOp compare) -> Result {
        switch (compare.getComparisonDirection()) {
        case ComparisonDirection::EQ:
          return x[0] == x[1];
        case ComparisonDirection::NE:
          return x[0] != x[1];
        case ComparisonDirection::GE:
          return x[0] >= x[1];
        case ComparisonDirection::GT:
          return x[0] > x[1];
        case ComparisonDirection::LE:
          return x[0] <= x[1];
        case ComparisonDirection::LT:
          return x[0] < x[1];
        }
        llvm_unreachable("covered switch");
      })
      .Case([&](stablehlo::ConvertOp) -> Result {
        Type to = elementOf(op->getResult(0));
        if (to.isInteger(1))
          return x[0] != 0;
        return x[0] == 0 || x[0] == 1 ? Result(x[0]) : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// A real number that all elements are.
static std::optional<double> constantOf(Value value) {
  Value one = scalarOf(value) ? scalarOf(value) : value;
  DenseElementsAttr elements;
  if (!matchPattern(one, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  Type type = elements.getElementType();
  if (isa<FloatType>(type))
    return elements.getSplatValue<APFloat>().convertToDouble();
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  APInt number = elements.getSplatValue<APInt>();
  bool noSign = integer.isUnsigned() || integer.getWidth() == 1;
  // Doubles have all integers of 53 bits.
  if ((noSign ? number.getActiveBits() : number.getSignificantBits()) > 53)
    return std::nullopt;
  return number.roundToDouble(/*isSigned=*/!noSign);
}

static std::optional<double> outside(Value value, const Limit &limit,
                                     unsigned depth) {
  if (auto known = constantOf(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (depth == 0 || !op)
    return std::nullopt;
  if (auto axes = axesOfResult(op)) {
    auto *axis = llvm::find(*axes, limit.axis);
    if (axis == axes->end())
      return std::nullopt;
    Limit narrow = limit;
    narrow.axis = std::distance(axes->begin(), axis);
    return outside(op->getOperand(0), narrow, depth - 1);
  }
  if (!isComputed(value))
    return std::nullopt;
  if (isa<stablehlo::SelectOp>(op) &&
      llvm::is_contained(limitsOf(op->getOperand(0)), limit))
    return outside(op->getOperand(2), limit, depth - 1);
  if (llvm::is_contained(limitsOf(value), limit))
    return 0;
  if (isa<stablehlo::SelectOp>(op))
    if (auto chosen = outside(op->getOperand(0), limit, depth - 1))
      return outside(op->getOperand(*chosen != 0 ? 1 : 2), limit, depth - 1);
  SmallVector<double> operands;
  for (Value operand : op->getOperands()) {
    auto known = outside(operand, limit, depth - 1);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  return evaluate(op, operands);
}

std::optional<double> ingot::valueOutside(Value value, const Limit &limit) {
  return outside(value, limit, mostDepth);
}

/// The neutral element of a reduction, as a number.
static double neutralNumber(ReduceKind kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case ReduceKind::Add:
  case ReduceKind::Or:
    return 0;
  case ReduceKind::Mul:
  case ReduceKind::And:
    return 1;
  case ReduceKind::Min:
    return infinity;
  case ReduceKind::Max:
    return -infinity;
  }
  llvm_unreachable("covered switch");
}

static SmallVector<Limit> limitsOfNeutral(Value value, ReduceKind kind) {
  return llvm::filter_to_vector(limitsWithin(value), [&](const Limit &limit) {
    return valueOutside(value, limit) == neutralNumber(kind);
  });
}

SmallVector<Limit> ingot::limitsOfElements(ReduceOp op) {
  return llvm::filter_to_vector(
      limitsOfNeutral(op.getOperand(), op.getKind()), [&](const Limit &limit) {
        return llvm::is_contained(op.getAxes(), limit.axis);
      });
}

SmallVector<Limit> ingot::limitsOfTerm(Value term) {
  return limitsOfNeutral(term, ReduceKind::Add);
}

/// Whether a scatter drops elements with this index along an axis.
static bool isDropped(std::optional<double> index, int64_t size) {
  return index && (*index < 0 || *index >= size);
}

SmallVector<Limit> ingot::limitsOfElements(ScatterOp op) {
  SmallVector<Limit> found;
  for (auto [axis, index] : llvm::enumerate(op.getIndices()))
    for (const Limit &limit : limitsWithin(index))
      if (isDropped(valueOutside(index, limit),
                    op.getOperand().getType().getDimSize(axis)))
        found.push_back(limit);
  return found;
}

/// A mask that is true within the limits.
static Value maskOf(OpBuilder &b, mlir::Location location,
                    ArrayRef<Limit> limits, RankedTensorType like) {
  auto type = like.clone(b.getI64Type());
  Value mask;
  for (const Limit &limit : limits) {
    Value index = IotaOp::create(b, location, type, limit.axis);
    Value bound = limit.bound;
    if (typeOf(bound).getRank() > 0)
      bound = ReshapeOp::create(
          b, location, RankedTensorType::get({}, b.getI64Type()), bound);
    if (limit.plus != 0)
      bound = stablehlo::AddOp::create(b, location, bound,
                                       integer(b, location, limit.plus));
    Value bounds = stablehlo::BroadcastInDimOp::create(
        b, location, type, bound, b.getDenseI64ArrayAttr({}));
    auto direction =
        limit.isLeast ? ComparisonDirection::GE : ComparisonDirection::LT;
    Value holds = stablehlo::CompareOp::create(
        b, location, like.clone(b.getI1Type()), index, bounds, direction,
        stablehlo::ComparisonTypeAttr());
    mask = mask ? stablehlo::AndOp::create(b, location, mask.getType(), mask,
                                           holds)
                : holds;
  }
  return mask;
}

bool ingot::isTermOf(unsigned number, Operation *op) {
  return isa_and_nonnull<stablehlo::AddOp>(op) ||
         (isa_and_nonnull<stablehlo::SubtractOp>(op) && number == 1);
}

/// The carried array of the loop around it to which an operation adds, or from
/// which it subtracts, terms that are zero outside of the same limits; null if
/// there is none.
static Value carriedTerm(Value value, Block *body, unsigned depth,
                         SmallVector<Limit> &limits) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<ForOp, WhileOp>(body->getParentOp()) &&
                   argument.getOwner() == body
               ? value
               : Value();
  Operation *sum = value.getDefiningOp();
  if (depth == 0 || !sum || sum->getBlock() != body ||
      isScalar(value.getType()))
    return {};
  for (unsigned number : {0, 1}) {
    if (!isTermOf(1 - number, sum))
      continue;
    Value carried =
        carriedTerm(sum->getOperand(number), body, depth - 1, limits);
    if (!carried)
      continue;
    SmallVector<Limit> own = limitsOfTerm(sum->getOperand(1 - number));
    bool isSame = limits.empty() || limits == own;
    limits = own;
    return isSame && !own.empty() ? carried : Value();
  }
  return {};
}

void ingot::chooseWithinLimits(func::FuncOp function) {
  function.walk([&](Operation *loop) {
    if (!isa<ForOp, WhileOp>(loop))
      return;
    Block &body = loop->getRegions().back().front();
    for (OpOperand &next : body.getTerminator()->getOpOperands()) {
      SmallVector<Limit> limits;
      Value sum = next.get(),
            carried = carriedTerm(sum, &body, mostDepth, limits);
      if (!carried || limits.empty())
        continue;
      OpBuilder builder(body.getTerminator());
      Value mask = maskOf(builder, loop->getLoc(), limits, typeOf(sum));
      next.set(stablehlo::SelectOp::create(builder, loop->getLoc(),
                                           sum.getType(), mask, sum, carried));
    }
  });
}

static SmallVector<Limit> limitsOfAll(Value value, unsigned depth);

/// The limits of one use of a value.
static SmallVector<Limit> limitsOfUse(OpOperand &use, unsigned depth) {
  Operation *user = use.getOwner();
  bool isElementwise =
      isa_and_nonnull<stablehlo::StablehloDialect>(user->getDialect()) &&
      user->getNumResults() == 1 &&
      shapeOf(user->getResult(0)) == shapeOf(use.get());
  if (depth == 0 || !isElementwise || isa<stablehlo::BroadcastInDimOp>(user))
    return {};
  if (!isa<stablehlo::SelectOp>(user))
    return limitsOfAll(user->getResult(0), depth - 1);
  return use.getOperandNumber() == 1 ? limitsOf(user->getOperand(0))
                                     : SmallVector<Limit>();
}

static SmallVector<Limit> limitsOfAll(Value value, unsigned depth) {
  std::optional<SmallVector<Limit>> found;
  for (OpOperand &use : value.getUses()) {
    SmallVector<Limit> limits = limitsOfUse(use, depth);
    if (!found)
      found = limits;
    llvm::erase_if(*found, [&](const Limit &limit) {
      return !llvm::is_contained(limits, limit);
    });
  }
  return found.value_or(SmallVector<Limit>());
}

SmallVector<Limit> ingot::limitsOfUses(Value value) {
  return limitsOfAll(value, mostDepth);
}
