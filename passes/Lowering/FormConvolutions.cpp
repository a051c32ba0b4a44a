//===- FormConvolutions.cpp - Products of sliding windows -----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affine.h"
#include "Simplify/Finite.h"
#include "Simplify/Products.h"

#include "StableHLO/StableHLO.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/ControlFlowSinkUtils.h"

namespace ingot {
#define GEN_PASS_DEF_FORMCONVOLUTIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// What an index array along an axis of an array is: an offset, and multiples
/// of the indices along axes of the windows.
struct Place {
  int64_t offset = 0;
  struct Term {
    int64_t axis, step;
  };
  SmallVector<Term> terms;
};

/// An array, and for each axis of a value that consists of it the one of the
/// array, or -1 for one of size 1.
struct Traced {
  Value array;
  SmallVector<int64_t> axes;
  bool isNegated = false;

  /// The axis of the value that an axis of the array is, which has more than
  /// one element.
  int64_t placeOf(int64_t axis) const {
    return std::distance(axes.begin(), llvm::find(axes, axis));
  }
};
} // namespace

/// Looks through axes of size 1, transpositions and signs.
static Traced traced(Value value) {
  Traced found{value, llvm::to_vector(llvm::seq(typeOf(value).getRank()))};
  while (Operation *op = found.array.getDefiningOp()) {
    if (isa<NegOp>(op)) {
      found.isNegated = !found.isNegated;
      found.array = op->getOperand(0);
      continue;
    }
    std::optional<SmallVector<int64_t>> from;
    if (auto transpose = dyn_cast<TransposeOp>(op))
      from = llvm::to_vector(transpose.getAxes());
    else if (auto reshape = dyn_cast<ReshapeOp>(op))
      from = sameAxes(shapeOf(reshape.getOperand()), shapeOf(found.array));
    if (!from)
      break;
    for (int64_t &axis : found.axes)
      axis = axis < 0 ? axis : (*from)[axis];
    found.array = op->getOperand(0);
  }
  for (int64_t &axis : found.axes)
    if (axis >= 0 && shapeOf(found.array)[axis] == 1)
      axis = -1;
  return found;
}

/// The place along each axis of an array from which a `gather` reads windows,
/// or to which a `scatter` writes them. Each axis of the windows is a term of
/// one.
static std::optional<SmallVector<Place>> placesOf(OperandRange indices,
                                                  ArrayRef<int64_t> shape,
                                                  ArrayRef<int64_t> windows) {
  if (indices.empty() || llvm::is_contained(windows, 0))
    return std::nullopt;
  SmallVector<Place> places;
  SmallVector<int64_t> uses(windows.size());
  int64_t joint = typeOf(indices[0]).getRank();
  for (auto [axis, size] : llvm::enumerate(shape)) {
    Place &place = places.emplace_back();
    if (axis >= indices.size()) {
      place.terms.push_back({joint++, 1});
    } else {
      auto affine = affineOf(indices[axis]);
      ArrayRef<int64_t> joined = shapeOf(indices[axis]);
      if (!affine || affine->intervalFor(joined).least < 0 ||
          affine->intervalFor(joined).most >= size)
        return std::nullopt;
      place.offset = affine->offset;
      for (auto [along, step] : llvm::enumerate(affine->steps))
        place.terms.push_back({static_cast<int64_t>(along), step});
    }
    llvm::erase_if(place.terms, [&](Place::Term term) {
      return term.step == 0 || windows[term.axis] == 1;
    });
    for (Place::Term term : place.terms)
      ++uses[term.axis];
  }
  for (auto [count, size] : llvm::zip_equal(uses, windows))
    if (count != (size > 1))
      return std::nullopt;
  return places;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// An axis along which windows slide.
struct Sliding {
  /// The axes of both operands, and the size of the result.
  int64_t input, kernel, size;
  int64_t stride = 1, inputDilation = 1, kernelDilation = 1;
  /// How many zeros are before the input. Those behind follow from the size.
  int64_t low = 0;
  bool isReversed = false;
};

/// A convolution by the axes of its operands. Other axes have size 1.
struct Convolution {
  Value input, kernel;
  /// Along which the results are independent of each other, and along which
  /// products are summed, in the same order for both operands.
  SmallVector<int64_t> batch, inputSums, kernelSums, outputs;
  SmallVector<Sliding> sliding;

  /// \returns an array with the axes `batch`, `outputs` and `sliding`.
  Value make(OpBuilder &builder, mlir::Location location);
};
} // namespace

static Value reshaped(OpBuilder &builder, Value array,
                      ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(array).clone(shape);
  return type == array.getType()
             ? array
             : ReshapeOp::create(builder, array.getLoc(), type, array);
}

static int64_t sizeOf(Value array, ArrayRef<int64_t> axes) {
  int64_t size = 1;
  for (int64_t axis : axes)
    size *= shapeOf(array)[axis];
  return size;
}

/// An array with two axes made of several ones each, and those that are left.
/// Axes that are not named have size 1.
static Value arranged(OpBuilder &builder, mlir::Location location, Value array,
                      ArrayRef<int64_t> first, ArrayRef<int64_t> second,
                      ArrayRef<int64_t> rest) {
  SmallVector<int64_t> order(first);
  llvm::append_range(order, second);
  llvm::append_range(order, rest);
  for (int64_t axis = 0, rank = typeOf(array).getRank(); axis < rank; ++axis)
    if (!llvm::is_contained(order, axis))
      order.push_back(axis);
  SmallVector<int64_t> shape{sizeOf(array, first), sizeOf(array, second)};
  for (int64_t axis : rest)
    shape.push_back(shapeOf(array)[axis]);
  if (!llvm::is_sorted(order))
    array = TransposeOp::create(builder, location, array, order);
  return reshaped(builder, array, shape);
}

Value Convolution::make(OpBuilder &builder, mlir::Location location) {
  SmallVector<int64_t> inputAxes, kernelAxes, strides, low, high,
      inputDilations, kernelDilations, reversed;
  SmallVector<int64_t> shape{sizeOf(input, batch), sizeOf(kernel, outputs)};
  SmallVector<int64_t> axes;
  for (int64_t axis : batch)
    axes.push_back(shapeOf(input)[axis]);
  for (int64_t axis : outputs)
    axes.push_back(shapeOf(kernel)[axis]);
  for (const Sliding &each : sliding) {
    inputAxes.push_back(each.input);
    kernelAxes.push_back(each.kernel);
    strides.push_back(each.stride);
    inputDilations.push_back(each.inputDilation);
    kernelDilations.push_back(each.kernelDilation);
    if (each.isReversed)
      reversed.push_back(each.kernel);
    // What the windows reach, and what the input has of it.
    int64_t reach = (each.size - 1) * each.stride +
                    (shapeOf(kernel)[each.kernel] - 1) * each.kernelDilation +
                    1;
    int64_t own = (shapeOf(input)[each.input] - 1) * each.inputDilation + 1;
    low.push_back(each.low);
    high.push_back(reach - own - each.low);
    shape.push_back(each.size);
    axes.push_back(each.size);
  }
  Value weights = kernel;
  if (!reversed.empty())
    weights = FlipOp::create(builder, location, weights, reversed);
  // Accelerators may otherwise round operands.
  Attribute highest = stablehlo::PrecisionAttr::get(
      builder.getContext(), stablehlo::Precision::HIGHEST);
  auto type = typeOf(input).clone(shape);
  Value made = stablehlo::ConvolutionOp::create(
      builder, location, type,
      arranged(builder, location, input, batch, inputSums, inputAxes),
      arranged(builder, location, weights, kernelSums, outputs, kernelAxes),
      strides, low, high, inputDilations, kernelDilations,
      /*batch_group_count=*/1, /*feature_group_count=*/1,
      builder.getArrayAttr({highest, highest}));
  return reshaped(builder, made, axes);
}

/// Orders the axes of an array, of which each has a number, and adds those of
/// size 1.
static Value inOrder(OpBuilder &builder, Value array, ArrayRef<int64_t> numbers,
                     ArrayRef<int64_t> shape) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(numbers.size()));
  llvm::sort(order,
             [&](int64_t a, int64_t b) { return numbers[a] < numbers[b]; });
  if (!llvm::is_sorted(order))
    array = TransposeOp::create(builder, array.getLoc(), array, order);
  return reshaped(builder, array, shape);
}

/// Takes `made` in the place of the result of an operation, if it is finite.
static void replaceIfFinite(Operation *op, Value made, Value checked) {
  OpBuilder builder(op);
  IfOp branch =
      takeWhere(builder, allFinite(builder, op->getLoc(), checked), made, op);
  // Windows are gathered only if they are needed.
  DominanceInfo dominance(branch->getParentOfType<func::FuncOp>());
  controlFlowSink(
      {&branch.getElseRegion()}, dominance,
      [](Operation *each, Region *) { return isPure(each); },
      [](Operation *each, Region *region) {
        each->moveBefore(&region->front(), region->front().begin());
      });
}

//===----------------------------------------------------------------------===//
// Products of windows
//===----------------------------------------------------------------------===//

namespace {
/// A product of which an operand consists of windows of an array.
class WindowProduct {
public:
  WindowProduct(DotGeneralOp op, unsigned windows)
      : op(op), product(op), windows(windows),
        traced(::traced(product.operands[windows])) {}

  bool isConvolution();
  void replace();

private:
  bool add(int64_t axis, const Place &place);
  std::optional<int64_t> kernelAxisOf(const Place::Term &term) const;
  int64_t axisOfResult(const Place::Term &term) const {
    return product.axisOfResult(windows, traced.placeOf(term.axis));
  }

  DotGeneralOp op;
  Product product;
  /// Which operand has the windows.
  unsigned windows;
  Traced traced;
  GatherOp gather;
  Convolution made;
  /// How the array is sliced before: along axes that do not slide.
  SmallVector<int64_t> starts, sizes, strides;
  /// The axes of the result, in the order of those of `made`.
  SmallVector<int64_t> batch, sliding;
};
} // namespace

/// The axis of the other operand with which one of the windows is summed.
std::optional<int64_t>
WindowProduct::kernelAxisOf(const Place::Term &term) const {
  ArrayRef<int64_t> summed = product.contracting[windows];
  const auto *found = llvm::find(summed, traced.placeOf(term.axis));
  if (found == summed.end())
    return std::nullopt;
  return product.contracting[1 - windows][found - summed.begin()];
}

/// Finds the part of an axis of the array in the convolution.
bool WindowProduct::add(int64_t axis, const Place &place) {
  if (place.terms.size() > 2)
    return false;
  if (place.terms.size() < 2) {
    starts[axis] = place.offset;
    sizes[axis] = 1;
    if (place.terms.empty())
      return true;
    const Place::Term &term = place.terms[0];
    sizes[axis] = shapeOf(traced.array)[term.axis];
    strides[axis] = term.step;
    if (auto kernel = kernelAxisOf(term)) {
      made.inputSums.push_back(axis);
      made.kernelSums.push_back(*kernel);
    } else {
      made.batch.push_back(axis);
      batch.push_back(axisOfResult(term));
    }
    return term.step > 0;
  }
  Place::Term position = place.terms[0], within = place.terms[1];
  if (kernelAxisOf(position))
    std::swap(position, within);
  auto kernel = kernelAxisOf(within);
  if (!kernel || kernelAxisOf(position) || position.step < 0)
    return false;
  Sliding each{axis, *kernel, shapeOf(traced.array)[position.axis]};
  each.stride = position.step;
  each.kernelDilation = std::abs(within.step);
  each.isReversed = within.step < 0;
  int64_t last = (shapeOf(traced.array)[within.axis] - 1) * within.step;
  each.low = -(place.offset + std::min<int64_t>(last, 0));
  made.sliding.push_back(each);
  sliding.push_back(axisOfResult(position));
  return true;
}

bool WindowProduct::isConvolution() {
  gather = traced.array.getDefiningOp<GatherOp>();
  if (!gather || !product.batching[0].empty() ||
      !isa<FloatType>(elementOf(op.getResult())))
    return false;
  Value array = gather.getOperand();
  auto places = placesOf(gather.getIndices(), shapeOf(array),
                         shapeOf(gather.getResult()));
  if (!places)
    return false;
  starts.assign(places->size(), 0);
  sizes.assign(shapeOf(array).begin(), shapeOf(array).end());
  strides.assign(places->size(), 1);
  for (auto [axis, place] : llvm::enumerate(*places))
    if (!add(axis, place))
      return false;
  return !made.sliding.empty() && made.sliding.size() <= 3;
}

void WindowProduct::replace() {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  made.input = gather.getOperand();
  if (shapeOf(made.input) != ArrayRef(sizes))
    made.input =
        SliceOp::create(builder, location, made.input, starts, sizes, strides);
  made.kernel = product.operands[1 - windows];
  SmallVector<int64_t> axes(batch);
  for (int64_t axis : product.freeAxes(1 - windows)) {
    made.outputs.push_back(axis);
    axes.push_back(product.axisOfResult(1 - windows, axis));
  }
  llvm::append_range(axes, sliding);
  Value value = made.make(builder, location);
  value = inOrder(builder, value, axes, op.getType().getShape());
  if (traced.isNegated)
    value = NegOp::create(builder, location, value);
  replaceIfFinite(op, value, value);
}

//===----------------------------------------------------------------------===//
// Products that are added to windows
//===----------------------------------------------------------------------===//

namespace {
/// A product whose elements a `scatter` adds to windows of an array.
class AddedProduct {
public:
  AddedProduct(ScatterOp op, DotGeneralOp dot, Traced traced, unsigned input)
      : op(op), product(dot), traced(std::move(traced)), input(input) {}

  bool isConvolution();
  void replace();

private:
  struct Source {
    unsigned operand;
    int64_t axis;
  };
  Source sourceOf(const Place::Term &term) const;
  bool add(int64_t axis, const Place &place);

  ScatterOp op;
  Product product;
  Traced traced;
  /// Which operand slides.
  unsigned input;
  Convolution made;
  /// The axes of the array, in the order of those of `made`.
  SmallVector<int64_t> batch, outputs, sliding;
  /// How many zeros are beside and between the elements along each axis of the
  /// array, and how many elements.
  SmallVector<int64_t> low, high, interior, sizes;
};
} // namespace

/// The axis of an operand that an axis of the windows is.
AddedProduct::Source AddedProduct::sourceOf(const Place::Term &term) const {
  int64_t axis = traced.axes[term.axis];
  for (unsigned i : {0, 1})
    for (int64_t each : product.freeAxes(i))
      if (product.axisOfResult(i, each) == axis)
        return {i, each};
  llvm_unreachable("an axis of a product without batches is free");
}

bool AddedProduct::add(int64_t axis, const Place &place) {
  int64_t size = shapeOf(op.getOperand())[axis];
  if (place.terms.size() > 2)
    return false;
  if (place.terms.size() < 2) {
    int64_t step = 1;
    low[axis] = place.offset;
    sizes[axis] = 1;
    if (!place.terms.empty()) {
      Source source = sourceOf(place.terms[0]);
      bool isInput = source.operand == input;
      (isInput ? made.batch : made.outputs).push_back(source.axis);
      (isInput ? batch : outputs).push_back(axis);
      sizes[axis] = shapeOf(product.operands[source.operand])[source.axis];
      step = place.terms[0].step;
    }
    interior[axis] = step - 1;
    high[axis] = size - place.offset - (sizes[axis] - 1) * step - 1;
    return step > 0;
  }
  Source first = sourceOf(place.terms[0]);
  Place::Term position = place.terms[0], within = place.terms[1];
  Source second = sourceOf(within);
  if (first.operand != input) {
    std::swap(position, within);
    std::swap(first, second);
  }
  if (first.operand != input || second.operand == input || position.step < 0)
    return false;
  Sliding each{first.axis, second.axis, size};
  each.inputDilation = position.step;
  each.kernelDilation = std::abs(within.step);
  each.isReversed = within.step > 0;
  int64_t last =
      (shapeOf(product.operands[1 - input])[second.axis] - 1) * within.step;
  each.low = place.offset + std::max<int64_t>(last, 0);
  made.sliding.push_back(each);
  sliding.push_back(axis);
  return true;
}

bool AddedProduct::isConvolution() {
  if (!product.batching[0].empty())
    return false;
  auto places = placesOf(op.getIndices(), shapeOf(op.getOperand()),
                         shapeOf(op.getUpdate()));
  if (!places)
    return false;
  low.assign(places->size(), 0);
  high = interior = low;
  sizes.assign(shapeOf(op.getOperand()).begin(),
               shapeOf(op.getOperand()).end());
  for (auto [axis, place] : llvm::enumerate(*places))
    if (!add(axis, place))
      return false;
  return !made.sliding.empty() && made.sliding.size() <= 3;
}

void AddedProduct::replace() {
  OpBuilder builder(op);
  mlir::Location location = op.getLoc();
  made.input = product.operands[input];
  made.kernel = product.operands[1 - input];
  made.inputSums = product.contracting[input];
  made.kernelSums = product.contracting[1 - input];
  SmallVector<int64_t> axes(batch);
  llvm::append_range(axes, outputs);
  llvm::append_range(axes, sliding);
  Value value = made.make(builder, location);
  value = inOrder(builder, value, axes, sizes);
  Value all = value;
  if (all.getType() != op.getType()) {
    auto scalar = op.getType().clone(ArrayRef<int64_t>());
    all =
        PadOp::create(builder, location, all,
                      zerosOf(builder, location, scalar), low, high, interior);
  }
  Value sum =
      traced.isNegated
          ? SubOp::create(builder, location, op.getOperand(), all).getResult()
          : AddOp::create(builder, location, op.getOperand(), all);
  replaceIfFinite(op, sum, value);
}

static void form(DotGeneralOp op) {
  for (unsigned windows : {0, 1}) {
    WindowProduct found(op, windows);
    if (found.isConvolution())
      return found.replace();
  }
}

static void form(ScatterOp op) {
  if (op.getKind() != ScatterKind::Add ||
      !isa<FloatType>(elementOf(op.getResult())))
    return;
  Traced update = traced(op.getUpdate());
  auto dot = update.array.getDefiningOp<DotGeneralOp>();
  if (!dot)
    return;
  for (unsigned input : {0, 1}) {
    AddedProduct found(op, dot, update, input);
    if (found.isConvolution())
      return found.replace();
  }
}

namespace {
struct FormConvolutions
    : public ingot::impl::FormConvolutionsBase<FormConvolutions> {
  void runOnOperation() override {
    SmallVector<ScatterOp> scatters;
    SmallVector<DotGeneralOp> products;
    getOperation().walk([&](ScatterOp op) { scatters.push_back(op); });
    for (ScatterOp op : scatters)
      form(op);
    getOperation().walk([&](DotGeneralOp op) { products.push_back(op); });
    for (DotGeneralOp op : products)
      form(op);
  }
};
} // namespace
