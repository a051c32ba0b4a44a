//===- AlignArguments.cpp - Read large arguments at any address -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ingot_runtime's Executable (pjrt.py) passes arguments by this convention.
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Lowering.h"
#include "Simplify/Chunks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace ingot {
#define GEN_PASS_DEF_ALIGNARGUMENTS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The alignment that XLA's CPU runtime asks for, in bytes.
static constexpr int64_t alignment = 64;

/// The suffix of the names of library functions that take flat arrays and the
/// offsets of their operands in these.
static constexpr StringRef suffix = "_at";

/// Whether an operation calls a library function that has such a form.
static bool isCall(Operation *op) {
  auto custom = dyn_cast<stablehlo::CustomCallOp>(op);
  if (!custom)
    return false;
  StringRef name = custom.getCallTargetName();
  return name.consume_front("ingot.numpy.") &&
         llvm::is_contained(
             {"gufunc", "ufunc", "accumulate", "sort", "argsort"}, name);
}

/// Whether XLA fuses an operation into its users: each element needs at most
/// one element of each operand.
static bool isFused(Operation *op) {
  return op->hasTrait<ElementwiseTrait>() ||
         isa<ReshapeOp, TransposeOp, SliceOp, BroadcastToOp, FlipOp>(op);
}

/// Whether an operation reads contiguous elements of the array.
static bool isStretch(Operation *op, Value array) {
  auto slice = dyn_cast<DynamicSliceOp>(op);
  if (!slice || slice.getOperand() != array)
    return false;
  ArrayRef<int64_t> shape = slice.getOperand().getType().getShape(),
                    sizes = slice.getType().getShape();
  while (!sizes.empty() && sizes.front() == 1) {
    sizes = sizes.drop_front();
    shape = shape.drop_front();
  }
  return sizes.empty() ||
         (sizes.drop_front() == shape.drop_front() &&
          slice.getStrides().take_back(sizes.size()).front() == 1);
}

/// Whether no operation needs the value, or an operation fused with it, as an
/// array of its own, except those for which XLA would allocate one anyway.
static bool isReadInPlace(Value value) {
  Block *block = value.getParentBlock();
  SmallVector<Value> worklist{value};
  DenseSet<Operation *> seen;
  while (!worklist.empty()) {
    Value each = worklist.pop_back_val();
    for (OpOperand &use : each.getUses()) {
      Operation *user = use.getOwner();
      if (isStretch(user, value))
        continue;
      if (user->getBlock() != block)
        return false;
      if (!seen.insert(user).second || isCall(user))
        continue;
      if (isFused(user))
        llvm::append_range(worklist, user->getResults());
      else if (!isa<func::ReturnOp, UpdateSliceOp>(user))
        return false;
    }
  }
  return true;
}

/// Adds the offsets of all flat arrays to a call as its first operand.
static void makeCallAt(stablehlo::CustomCallOp op, Value firsts) {
  Builder builder(op.getContext());
  NamedAttrList attributes(op.getBackendConfig());
  SmallVector<int64_t> none(op.getInputs().size(), -1);
  attributes.set("places", builder.getDenseI64ArrayAttr(none));
  SmallVector<Attribute> layouts(op.getOperandLayouts()->getValue());
  layouts.insert(layouts.begin(), rowMajor(builder, firsts.getType()));
  op.getInputsMutable().assign(llvm::to_vector(llvm::concat<Value>(
      SmallVector<Value>{firsts}, SmallVector<Value>(op.getInputs()))));
  op.setOperandLayoutsAttr(builder.getArrayAttr(layouts));
  op.setBackendConfigAttr(attributes.getDictionary(op.getContext()));
  op.setCallTargetName((op.getCallTargetName() + suffix).str());
}

/// Sets the index in `firsts` of the offset of those operands that are `flat`.
static void setPlaces(stablehlo::CustomCallOp op, Value flat, int64_t place) {
  Builder builder(op.getContext());
  NamedAttrList attributes(op.getBackendConfig());
  SmallVector<int64_t> places(
      cast<DenseI64ArrayAttr>(attributes.get("places")).asArrayRef());
  SmallVector<Attribute> layouts(op.getOperandLayouts()->getValue());
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (input == flat) {
      places[i - 1] = place;
      layouts[i] = rowMajor(builder, flat.getType());
    }
  attributes.set("places", builder.getDenseI64ArrayAttr(places));
  op.setOperandLayoutsAttr(builder.getArrayAttr(layouts));
  op.setBackendConfigAttr(attributes.getDictionary(op.getContext()));
}

/// The offset of an array in its flat array.
static Value firstOf(OpBuilder &builder, Value firsts, int64_t place) {
  Location location = firsts.getLoc();
  Value first = SliceOp::create(builder, location, firsts, place, 1, 1);
  Type index = RankedTensorType::get({}, builder.getI64Type());
  return ReshapeOp::create(builder, location, index, first);
}

/// Reads an array of a type at offset `first` of a flat array.
static Value readWithin(OpBuilder &builder, Value flat, Value first,
                        RankedTensorType type) {
  Location location = flat.getLoc();
  Value part = DynamicSliceOp::create(builder, location, flat, first,
                                      type.getNumElements(), 1);
  return type.getRank() == 1
             ? part
             : ReshapeOp::create(builder, location, type, part).getResult();
}

/// Replaces a read of contiguous elements by a read of the flat array.
static void readStretch(DynamicSliceOp op, Value flat, Value first,
                        RankedTensorType array) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  Expr found(builder, location, first);
  int64_t step = array.getNumElements();
  for (unsigned axis = 0; axis < array.getRank(); ++axis) {
    step /= array.getDimSize(axis);
    int64_t last = array.getDimSize(axis) - op.getType().getDimSize(axis);
    if (last == 0)
      continue;
    Expr inside = movedInside(found.with(op.getStarts()[axis]), last);
    found = found +
            (step == 1 ? inside
                       : inside * found.with(integer(builder, location, step)));
  }
  op.replaceAllUsesWith(readWithin(builder, flat, found, op.getType()));
  op.erase();
}

/// Changes an argument to a flat array that contains it.
static void align(BlockArgument argument, Value firsts, int64_t place) {
  RankedTensorType type = typeOf(argument);
  Type element = type.getElementType();
  int64_t size = type.getNumElements() + alignment / itemBytes(element) - 1;
  llvm::SetVector<Operation *> users(argument.user_begin(),
                                     argument.user_end());
  SmallVector<DynamicSliceOp> stretches;
  for (Operation *user : users)
    if (isStretch(user, argument))
      stretches.push_back(cast<DynamicSliceOp>(user));
  argument.setType(RankedTensorType::get({size}, element));
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  Value first, part;
  for (Operation *user : users) {
    if (llvm::is_contained(stretches, user))
      continue;
    if (auto op = dyn_cast<stablehlo::CustomCallOp>(user)) {
      if (isCall(op))
        makeCallAt(op, firsts);
      setPlaces(op, argument, place);
      continue;
    }
    if (!part) {
      first = firstOf(builder, firsts, place);
      part = readWithin(builder, argument, first, type);
    }
    user->replaceUsesOfWith(argument, part);
  }
  if (!stretches.empty() && !first)
    first = firstOf(builder, firsts, place);
  for (DynamicSliceOp op : stretches)
    readStretch(op, argument, first, type);
}

namespace {
struct AlignArguments : public ingot::impl::AlignArgumentsBase<AlignArguments> {
  using AlignArgumentsBase::AlignArgumentsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isPrivate() && !function.isDeclaration())
        alignAll(function);
  }

private:
  bool isToAlign(BlockArgument argument) const {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() || argument.use_empty())
      return false;
    return type.getNumElements() * itemBytes(type.getElementType()) >= least &&
           isReadInPlace(argument);
  }

  void alignAll(func::FuncOp function) {
    SmallVector<BlockArgument> arguments = llvm::filter_to_vector(
        function.getArguments(),
        [&](BlockArgument each) { return isToAlign(each); });
    if (arguments.empty())
      return;
    Builder builder(&getContext());
    int64_t count = arguments.size();
    Type indices = RankedTensorType::get({count}, builder.getI64Type());
    if (failed(function.insertArgument(function.getNumArguments(), indices, {},
                                       function.getLoc())))
      return signalPassFailure();
    Value firsts = function.getArguments().back();
    SmallVector<std::string> numbers;
    for (auto [place, argument] : llvm::enumerate(arguments)) {
      numbers.push_back(std::to_string(argument.getArgNumber()));
      align(argument, firsts, place);
    }
    function.setType(builder.getFunctionType(
        function.getBody().getArgumentTypes(), function.getResultTypes()));
    // XLA stores these attributes with the executable.
    auto list = builder.getNamedAttr(
        "ingot.aligned", builder.getStringAttr(llvm::join(numbers, ",")));
    getOperation()->setAttr("mhlo.frontend_attributes",
                            builder.getDictionaryAttr(list));
  }
};
} // namespace
