//===- MergeFills.cpp - Fill parts of arrays where they are used ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Ingot/Values.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace ingot {
#define GEN_PASS_DEF_MERGEFILLS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

namespace {

/// The most operations of an iteration that is copied in front of a loop.
constexpr size_t mostOperations = 64;

/// A constant that is stored in a part of an array.
struct Fill {
  UpdateSliceOp op;
  TypedAttr number;
  SmallVector<int64_t> starts;

  /// The array with the part filled.
  Value of(OpBuilder &b, Value array) {
    mlir::Location location = op.getLoc();
    SmallVector<Value> places;
    for (int64_t start : starts)
      places.push_back(integer(b, location, start));
    return UpdateSliceOp::create(b, location, op.getType(), array,
                                 constantOf(b, location, number, sizes()),
                                 places, op.getStrides());
  }

  ArrayRef<int64_t> sizes() { return shapeOf(op.getUpdate()); }
};

/// A fill of at least half of the elements, at a known place.
std::optional<Fill> fillOf(Value value) {
  auto op = value.getDefiningOp<UpdateSliceOp>();
  if (!op || !op.getType().hasStaticShape() ||
      !typeOf(op.getUpdate()).hasStaticShape() ||
      !llvm::all_of(op.getStrides(),
                    [](int64_t stride) { return stride == 1; }))
    return std::nullopt;
  Fill fill{op, splatOf(op.getUpdate()), {}};
  if (!fill.number)
    return std::nullopt;
  int64_t count = 1;
  for (auto [start, size, whole] :
       llvm::zip_equal(op.getStarts(), fill.sizes(), op.getType().getShape())) {
    std::optional<int64_t> known = integerOf(start);
    if (!known || *known < 0 || *known + size > whole)
      return std::nullopt;
    fill.starts.push_back(*known);
    count *= size;
  }
  if (2 * count < op.getType().getNumElements())
    return std::nullopt;
  return fill;
}

/// The only use of a value, if it is by elementwise code of its shape in a
/// block.
OpOperand *elementwiseUse(Value value, Block *block) {
  if (!value.hasOneUse())
    return nullptr;
  OpOperand &use = *value.use_begin();
  Operation *user = use.getOwner();
  bool isElementwise = user->hasTrait<ElementwiseTrait>() &&
                       user->getNumResults() == 1 &&
                       user->getBlock() == block &&
                       shapeOf(user->getResult(0)) == shapeOf(value);
  return isElementwise ? &use : nullptr;
}

/// Pattern: f(update_slice(x, constant)) -> f(select(inside, constant, x))
void select(UpdateSliceOp op) {
  std::optional<Fill> fill = fillOf(op.getResult());
  OpOperand *use = elementwiseUse(op.getResult(), op->getBlock());
  if (!fill || !use)
    return;
  OpBuilder b(use->getOwner());
  mlir::Location location = op.getLoc();
  Value inside = constantOf(b, location, b.getBoolAttr(true), fill->sizes()),
        outside = constantOf(b, location, b.getBoolAttr(false));
  SmallVector<int64_t> high, none(fill->starts.size(), 0);
  for (auto [whole, start, size] :
       llvm::zip_equal(op.getType().getShape(), fill->starts, fill->sizes()))
    high.push_back(whole - start - size);
  Value mask =
      PadOp::create(b, location, inside, outside, fill->starts, high, none);
  use->set(SelectOp::create(b, location, mask,
                            constantOf(b, location, fill->number),
                            op.getOperand()));
  op.erase();
}

/// A loop that fills part of a carried array at the end of each iteration.
class Filling {
public:
  Filling(ForOp loop, unsigned number)
      : loop(loop), number(number), body(&loop.getBody().front()),
        yielded(&body->getTerminator()->getOpOperand(number)) {}

  /// Pattern: the array is carried as it is before, and each iteration begins
  /// by filling it.
  void delay() {
    std::optional<Fill> fill = fillOf(yielded->get());
    Value carried = body->getArgument(1 + number);
    OpOperand *use = elementwiseUse(carried, body);
    if (!fill || !use || fill->op->getBlock() != body || !fill->op->hasOneUse())
      return;
    // The first iteration gets an array in which the part is filled, or is made
    // to end without it.
    bool isFilled = splatOf(loop.getInitArgs()[number]) == fill->number;
    if (!isFilled && !canPeel())
      return;
    yielded->set(fill->op.getOperand());
    fill->op->remove();
    if (!isFilled)
      peel();
    OpBuilder b = OpBuilder::atBlockBegin(body);
    use->set(fill->of(b, carried));
    b.setInsertionPointAfter(loop);
    Value result = loop.getResult(number);
    if (!result.use_empty()) {
      Value filled = fill->of(b, result);
      result.replaceAllUsesExcept(filled, filled.getDefiningOp());
    }
    fill->op->destroy();
  }

private:
  /// Whether there are a first iteration and more, and the body is short and
  /// does nothing else.
  bool canPeel() {
    std::optional<int64_t> lower = integerOf(loop.getLower()),
                           upper = integerOf(loop.getUpper()),
                           step = integerOf(loop.getStep());
    return lower && upper && step && *step > 0 && *upper - *lower > *step &&
           body->getOperations().size() <= mostOperations &&
           llvm::all_of(body->without_terminator(), [](Operation &op) {
             return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
           });
  }

  /// Runs the first iteration in front of the loop.
  void peel() {
    OpBuilder b(loop);
    IRMapping map;
    map.map(body->getArgument(0), loop.getLower());
    map.map(body->getArguments().drop_front(), loop.getInitArgs());
    for (Operation &op : body->without_terminator())
      b.clone(op, map);
    for (auto [init, next] : llvm::zip_equal(
             loop.getInitArgsMutable(), body->getTerminator()->getOperands()))
      init.set(map.lookupOrDefault(next));
    loop.getLowerMutable().set(
        AddOp::create(b, loop.getLoc(), loop.getLower(), loop.getStep()));
  }

  ForOp loop;
  unsigned number;
  Block *body;
  OpOperand *yielded;
};

struct MergeFills : ingot::impl::MergeFillsBase<MergeFills> {
  void runOnOperation() override {
    getOperation().walk([](ForOp loop) {
      for (unsigned number : llvm::seq(loop->getNumResults()))
        Filling(loop, number).delay();
    });
    SmallVector<UpdateSliceOp> updates;
    getOperation().walk([&](UpdateSliceOp op) { updates.push_back(op); });
    for (UpdateSliceOp op : updates)
      select(op);
  }
};

} // namespace
