//===- Additions.cpp - Updates that add to parts of arrays ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Additions.h"

using namespace mlir;
using namespace ingot;

Value ingot::reshapedOnce(Value value) {
  if (value.hasOneUse())
    if (auto reshape = dyn_cast<ReshapeOp>(*value.user_begin()))
      return reshape.getResult();
  return value;
}

/// Whether an operation reads what an update overwrites.
static bool readsPartOf(Operation *read, UpdateSliceOp update) {
  if (!isa_and_nonnull<SliceOp, DynamicSliceOp>(read) ||
      read->getBlock() != update->getBlock() ||
      read->getOperand(0).getType() != update.getType())
    return false;
  Part part = partOf(update);
  if (overlapOf(partOf(read), part) != Overlap::Same)
    return false;
  Value array = update.getOperand();
  while (array != read->getOperand(0)) {
    auto before = array.getDefiningOp<UpdateSliceOp>();
    if (!before || overlapOf(part, partOf(before)) != Overlap::None)
      return false;
    array = before.getOperand();
  }
  return true;
}

std::optional<Addition> ingot::additionOf(UpdateSliceOp update) {
  Value stored = update.getUpdate();
  if (auto reshape = stored.getDefiningOp<ReshapeOp>();
      reshape && reshape->hasOneUse())
    stored = reshape.getOperand();
  auto select = stored.getDefiningOp<SelectOp>();
  Value total = select ? select.getOnTrue() : stored;
  Operation *sum = total.getDefiningOp();
  if (!isa_and_nonnull<AddOp, SubOp>(sum) || !stored.hasOneUse() ||
      !total.hasOneUse() || total.getType() != stored.getType() ||
      elementOf(stored).isInteger(1))
    return std::nullopt;
  for (unsigned i = 0; i < (isa<SubOp>(sum) ? 1 : 2); ++i) {
    Value part = sum->getOperand(i), added = sum->getOperand(1 - i);
    auto reshape = part.getDefiningOp<ReshapeOp>();
    Operation *read = (reshape ? reshape.getOperand() : part).getDefiningOp();
    bool isKept = !select || select.getOnFalse() == part;
    if (isKept && part != added && part.hasNUses(select ? 2 : 1) &&
        part.getType() == stored.getType() && readsPartOf(read, update) &&
        reshapedOnce(read->getResult(0)) == part)
      return Addition{read, update, sum, added,
                      select ? select.getCondition() : Value()};
  }
  return std::nullopt;
}

/// The update that is the one use of a value, or of its reshape.
static UpdateSliceOp updateBy(Value value) {
  value = reshapedOnce(value);
  return value.hasOneUse() ? dyn_cast<UpdateSliceOp>(*value.user_begin())
                           : UpdateSliceOp();
}

std::optional<Addition> ingot::additionFrom(Operation *read) {
  if (!isa<SliceOp, DynamicSliceOp>(read))
    return std::nullopt;
  for (Operation *user : reshapedOnce(read->getResult(0)).getUsers()) {
    if (!isa<AddOp, SubOp, SelectOp>(user))
      return std::nullopt;
    UpdateSliceOp update = updateBy(user->getResult(0));
    auto found = update ? additionOf(update) : std::nullopt;
    if (found && found->read == read)
      return found;
  }
  return std::nullopt;
}

/// The number of axes up to the last one of which a part has not all indices.
static int64_t indexedAxes(UpdateSliceOp update) {
  ArrayRef<int64_t> sizes = shapeOf(update.getUpdate()),
                    shape = shapeOf(update.getOperand());
  int64_t count = shape.size();
  while (count > 0 && sizes[count - 1] == shape[count - 1])
    --count;
  return count;
}

bool Addition::isWindow() const {
  UpdateSliceOp op = update;
  return llvm::any_of(shapeOf(op.getUpdate()).take_front(indexedAxes(op)),
                      [](int64_t size) { return size != 1; });
}

void ingot::makeScatter(const Addition &addition) {
  UpdateSliceOp update = addition.update;
  OpBuilder builder(update);
  mlir::Location location = update.getLoc();
  int64_t count = indexedAxes(update);
  Value added = addition.added;
  if (isa<SubOp>(addition.sum))
    added = NegOp::create(builder, location, added);
  // As the sum is shaped, then without the axes of single indices.
  auto type = typeOf(addition.sum->getResult(0));
  if (added.getType() != type)
    added = BroadcastToOp::create(builder, location, type, added);
  ArrayRef<int64_t> sizes = shapeOf(update.getUpdate()),
                    shape = shapeOf(update.getOperand());
  bool isWindow = addition.isWindow();
  auto rest = type.clone(isWindow ? sizes : sizes.drop_front(count));
  if (type != rest)
    added = ReshapeOp::create(builder, location, rest, added);
  auto windowType =
      RankedTensorType::get(sizes.take_front(count), builder.getI64Type());
  SmallVector<Value> indices;
  for (int64_t axis = 0; axis < count; ++axis) {
    // A slice begins and ends within the array.
    int64_t stride = update.getStrides()[axis];
    int64_t last = shape[axis] - 1 - (sizes[axis] - 1) * stride;
    Value index = MaximumOp::create(builder, location, update.getStarts()[axis],
                                    integer(builder, location, 0));
    index = MinimumOp::create(builder, location, index,
                              integer(builder, location, last));
    if (isWindow) {
      Value along = IotaOp::create(builder, location, windowType, axis);
      if (stride != 1)
        along = MulOp::create(builder, location, along,
                              integer(builder, location, stride));
      index = AddOp::create(builder, location, along, index);
    }
    indices.push_back(index);
  }
  Value made = ScatterOp::create(builder, location, ScatterKind::Add,
                                 update.getOperand(), added, indices,
                                 /*unique=*/false);
  update.getResult().replaceAllUsesWith(made);
  update->erase();
}
