//===- NarrowProducts.cpp - Multiply repeated rows once -------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Simplify/Products.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ingot {
#define GEN_PASS_DEF_NARROWPRODUCTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Axes along which an array repeats
//===----------------------------------------------------------------------===//

/// How far a search looks back.
static constexpr unsigned mostSteps = 8;

/// The axis of an operand that NumPy's rules align with one of the result, or
/// -1 if the operand is repeated along it.
static int64_t alignedAxis(Value operand, Value result, int64_t axis) {
  int64_t found = axis + typeOf(operand).getRank() - typeOf(result).getRank();
  return found >= 0 && shapeOf(operand)[found] != 1 ? found : -1;
}

/// Whether the elements are the same at all indices along an axis of size 2 or
/// more.
static bool repeats(Value array, int64_t axis, unsigned steps = mostSteps) {
  Operation *op = array.getDefiningOp();
  if (!op || steps == 0)
    return false;
  if (splatOf(array))
    return true;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return repeats(transpose.getOperand(), transpose.getAxes()[axis],
                   steps - 1);
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    auto axes = sameAxes(shapeOf(reshape.getOperand()), shapeOf(array));
    return axes && repeats(reshape.getOperand(), (*axes)[axis], steps - 1);
  }
  if (!isa<BroadcastToOp>(op) && !op->hasTrait<ElementwiseTrait>())
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    int64_t own = alignedAxis(operand, array, axis);
    return own < 0 || repeats(operand, own, steps - 1);
  });
}

/// The array at one index of axes along which it repeats; these have size 1.
static Value narrowed(OpBuilder &builder, Value array,
                      const SmallVector<int64_t> &axes) {
  if (axes.empty())
    return array;
  SmallVector<int64_t> shape(shapeOf(array));
  for (int64_t axis : axes)
    shape[axis] = 1;
  mlir::Location location = array.getLoc();
  RankedTensorType type = typeOf(array).clone(shape);
  Operation *op = array.getDefiningOp();
  if (auto number = splatOf(array))
    return constantOf(builder, location, number, shape);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    SmallVector<int64_t> own;
    for (int64_t axis : axes)
      own.push_back(transpose.getAxes()[axis]);
    Value made = narrowed(builder, transpose.getOperand(), own);
    return TransposeOp::create(builder, location, made, transpose.getAxes());
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    auto same = *sameAxes(shapeOf(reshape.getOperand()), shapeOf(array));
    SmallVector<int64_t> own;
    for (int64_t axis : axes)
      own.push_back(same[axis]);
    Value made = narrowed(builder, reshape.getOperand(), own);
    return ReshapeOp::create(builder, location, type, made);
  }
  IRMapping operands;
  for (Value operand : op->getOperands()) {
    SmallVector<int64_t> own;
    for (int64_t axis : axes)
      if (int64_t each = alignedAxis(operand, array, axis); each >= 0)
        own.push_back(each);
    operands.map(operand, narrowed(builder, operand, own));
  }
  Operation *made = builder.clone(*op, operands);
  made->getResult(0).setType(type);
  return made->getResult(0);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The sum of an array along axes, which then have size 1.
static Value sumAlong(OpBuilder &builder, Value array, ArrayRef<int64_t> axes) {
  if (axes.empty())
    return array;
  SmallVector<int64_t> shape(shapeOf(array));
  for (int64_t axis : axes)
    shape[axis] = 1;
  Value sum =
      ReduceOp::create(builder, array.getLoc(), ReduceKind::Add, array, axes);
  return ReshapeOp::create(builder, array.getLoc(), typeOf(array).clone(shape),
                           sum);
}

/// Removes contracted axes of size 1 from an operand.
static void dropContracted(OpBuilder &builder, Product &product, unsigned i) {
  Value &operand = product.operands[i];
  ArrayRef<int64_t> sizes = shapeOf(operand);
  SmallVector<int64_t> shape, place;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    place.push_back(shape.size());
    if (size != 1 || !llvm::is_contained(product.contracting[i], axis))
      shape.push_back(size);
  }
  llvm::erase_if(product.contracting[i],
                 [&](int64_t axis) { return sizes[axis] == 1; });
  for (auto *axes : {&product.batching[i], &product.contracting[i]})
    for (int64_t &axis : *axes)
      axis = place[axis];
  if (shape.size() != place.size())
    operand = ReshapeOp::create(builder, operand.getLoc(),
                                typeOf(operand).clone(shape), operand);
}

/// Whether sums of the operands are as precise as the product.
static bool canSum(DotGeneralOp op) {
  Type element = elementOf(op.getResult());
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() > 1;
  return isa<ComplexType>(element) || element.getIntOrFloatBitWidth() >= 32;
}

/// Whether all elements are one known number.
static bool isFiniteNumber(Value array) {
  auto number = floatOf(array);
  return number ? number->isFinite() : integerOf(array).has_value();
}

/// Pattern: dot_general(broadcast_to(a), b) -> broadcast_to(dot_general(a, b))
/// Pattern: the same for a contracted axis -> dot_general(a, sum(b))
static void narrow(DotGeneralOp op) {
  if (!canSum(op))
    return;
  Product product(op);
  SmallVector<int64_t> repeated[2], summed[2];
  for (unsigned i : {0, 1})
    for (auto [axis, size] : llvm::enumerate(shapeOf(product.operands[i]))) {
      if (size < 2 || llvm::is_contained(product.batching[i], axis) ||
          llvm::is_contained(summed[i], axis) ||
          !repeats(product.operands[i], axis))
        continue;
      const auto *place = llvm::find(product.contracting[i], axis);
      bool isFree = place == product.contracting[i].end();
      // Of infinities, `a * x + a * y` is NaN where `a * (x + y)` may not be.
      // Zeros that hide infinities could come from a sum, or vanish in one.
      if (!isFree &&
          (!isFiniteNumber(product.operands[i]) || product.zeros[1 - i]))
        continue;
      repeated[i].push_back(axis);
      if (!isFree)
        summed[1 - i].push_back(
            product.contracting[1 - i][place - product.contracting[i].begin()]);
    }
  if (repeated[0].empty() && repeated[1].empty())
    return;
  OpBuilder builder(op);
  for (unsigned i : {0, 1}) {
    Value made = narrowed(builder, product.operands[i], repeated[i]);
    product.operands[i] = sumAlong(builder, made, summed[i]);
    dropContracted(builder, product, i);
  }
  Value made = product.create(builder, op.getLoc());
  if (made.getType() != op.getType())
    made = BroadcastToOp::create(builder, op.getLoc(), op.getType(), made);
  op.replaceAllUsesWith(made);
  op.erase();
}

namespace {
struct NarrowProducts : public ingot::impl::NarrowProductsBase<NarrowProducts> {
  void runOnOperation() override {
    // A product that repeats is an operand of later ones.
    getOperation().walk(narrow);
  }
};
} // namespace
